//! A JSON schema in the subset of OpenAPI's that Gemini takes as `responseSchema`.

use serde_json::{Map, Value, json};

/// Keywords that Gemini knows and that mean the same.
const SAME: &[&str] = &[
    "description",
    "format",
    "enum",
    "required",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "minProperties",
    "maxProperties",
    "default",
    "title",
    "nullable",
];
/// How deep a schema may be; one that refers to itself has no end.
const DEEPEST: usize = 16;

/// The schema as Gemini takes it: references are put in place, and what it does not know is left out.
pub(super) fn from(schema: &Value) -> Value {
    convert(schema, schema, 0)
}

fn convert(schema: &Value, root: &Value, depth: usize) -> Value {
    if depth > DEEPEST {
        return json!({"type": "object"});
    }
    if let Some(referred) = schema["$ref"]
        .as_str()
        .and_then(|name| root.pointer(name.strip_prefix('#')?))
    {
        return convert(referred, root, depth + 1);
    }
    let mut taken = Map::new();
    for name in SAME {
        if let Some(value) = schema.get(name) {
            taken.insert((*name).to_owned(), value.clone());
        }
    }
    if let Some(only) = schema.get("const") {
        taken.insert("enum".into(), json!([only]));
    }
    match &schema["type"] {
        Value::String(name) => {
            taken.insert("type".into(), name.as_str().into());
        }
        Value::Array(names) => {
            let others: Vec<_> = names.iter().filter(|name| *name != "null").collect();
            if others.len() < names.len() {
                taken.insert("nullable".into(), true.into());
            }
            match others.as_slice() {
                [only] => {
                    taken.insert("type".into(), (*only).clone());
                }
                several => {
                    let several = several.iter().map(|name| json!({"type": name}));
                    taken.insert("anyOf".into(), several.collect());
                }
            }
        }
        _ => {}
    }
    for name in ["anyOf", "oneOf"] {
        let Some(choices) = schema[name].as_array() else {
            continue;
        };
        let others: Vec<_> = choices.iter().filter(|choice| choice["type"] != "null").collect();
        if others.len() < choices.len() {
            taken.insert("nullable".into(), true.into());
        }
        let mut others: Vec<_> = others
            .iter()
            .map(|other| convert(other, root, depth + 1))
            .collect();
        if let ([Value::Object(only)], false) = (others.as_mut_slice(), taken.contains_key("type")) {
            taken.extend(std::mem::take(only));
        } else {
            taken.insert("anyOf".into(), others.into());
        }
    }
    if !schema["items"].is_null() {
        taken.insert("items".into(), convert(&schema["items"], root, depth + 1));
    }
    if let Some(properties) = schema["properties"].as_object() {
        // It writes them in this order, so that what comes first is thought of first.
        let order = properties.keys().map(String::as_str).collect::<Vec<_>>();
        taken.insert("propertyOrdering".into(), json!(order));
        let properties = properties
            .iter()
            .map(|(name, property)| (name.clone(), convert(property, root, depth + 1)));
        taken.insert("properties".into(), Value::Object(properties.collect()));
    }
    only_texts_are_enumerated(&mut taken);
    Value::Object(taken)
}

/// Gemini takes an `enum` of texts only.
fn only_texts_are_enumerated(schema: &mut Map<String, Value>) {
    let texts = |values: &Value| {
        values
            .as_array()
            .is_some_and(|all| all.iter().all(Value::is_string))
    };
    if schema.get("enum").is_some_and(|values| !texts(values)) {
        schema.remove("enum");
    } else if schema.contains_key("enum") {
        schema.insert("type".into(), "string".into());
    }
}
