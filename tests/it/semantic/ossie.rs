//! What is written as Apache Ossie is a document of its schema: `tests/semantic/ossie-schema.json`, as Ossie's authors have it.

use serde_json::Value;

use crate::program::Place;

const SCHEMA: &str = include_str!("../../semantic/ossie-schema.json");

/// A file with all that a model may hold.
const FULL: &str = "\
version: 0.2.0.dev0
semantic_model:
- name: pets
  ai_context: {instructions: A pet without an owner is for sale.}
  datasets:
  - name: animals
    source: pet
    ai_context: {synonyms: [creatures]}
    fields:
    - name: kilos
      expression: {dialects: [{dialect: ANSI_SQL, expression: weight}]}
      ai_context: {synonyms: [mass]}
    - name: grams
      expression: {dialects: [{dialect: ANSI_SQL, expression: weight * 1000}]}
    custom_extensions:
    - vendor_name: QUERENT
      data: {filters: [{name: heavy, expression: \"weight > 10\", synonyms: [fat]}]}
  metrics:
  - name: load
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(animals.weight)}]}
    ai_context: {synonyms: [burden]}
  - name: average load
    description: of each animal
    expression: {dialects: [{dialect: ANSI_SQL, expression: load / COUNT(animals.id)}]}
  custom_extensions:
  - vendor_name: QUERENT
    data: {verified_queries: [{question: how heavy are all, sql: SELECT SUM(weight) FROM pet}]}
";

/// What of a value a schema does not allow, each with its place. Of JSON Schema this knows what Ossie's uses.
fn misfits(value: &Value, schema: &Value, whole: &Value, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (keyword, wanted) in schema.as_object().unwrap() {
        let fits = match keyword.as_str() {
            "type" => match wanted.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                other => panic!("the type {other} is not known here"),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "minItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 >= wanted.as_u64().unwrap()),
            "required" => {
                (wanted.as_array().unwrap().iter()).all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                let mut names = value.as_object().into_iter().flat_map(|object| object.keys());
                wanted != &Value::Bool(false)
                    || names.all(|name| known.is_some_and(|known| known.contains_key(name)))
            }
            "properties" => {
                for (name, schema) in wanted.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        found.extend(misfits(value, schema, whole, &format!("{at}/{name}")));
                    }
                }
                true
            }
            "items" => {
                for (number, value) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(misfits(value, wanted, whole, &format!("{at}/{number}")));
                }
                true
            }
            "$ref" => {
                let named = whole
                    .pointer(wanted.as_str().unwrap().trim_start_matches('#'))
                    .unwrap();
                found.extend(misfits(value, named, whole, at));
                true
            }
            "oneOf" => {
                let several = wanted.as_array().unwrap().iter();
                several
                    .filter(|one| misfits(value, one, whole, at).is_empty())
                    .count()
                    == 1
            }
            "$schema" | "$id" | "$defs" | "title" | "description" | "examples" => true,
            other => panic!("the keyword {other} is not known here"),
        };
        if !fits {
            found.push(format!("{at}: {keyword} {wanted}, and not {value}"));
        }
    }
    found
}

#[test]
fn what_is_written_fits_the_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let place = Place::new();
    std::fs::write(place.path("full.yaml"), FULL).unwrap();
    for file in [None, Some("full.yaml")] {
        let mut show = vec!["semantic", "show", "pets.db", "--format", "json"];
        show.extend(file.into_iter().flat_map(|file| ["--model-file", file]));
        let ran = place.run(&show);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(misfits(&document, &schema, &schema, ""), [""; 0]);
        assert!(file.is_none() || ran.out.contains("average load") && ran.out.contains("heavy"));
    }
    // A schema that takes everything would prove nothing.
    let wrong = serde_json::json!({"version": "0.2.0.dev0", "semantic_model": [{"datasets": 5}]});
    assert!(!misfits(&wrong, &schema, &schema, "").is_empty());
}
