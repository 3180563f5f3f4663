//! CREATE SEQUENCE and ALTER SEQUENCE, whose options the parser knows in part and in one order.

use super::{
    Translated,
    parser_fallback::{Words, steps},
    sequence, string,
};

/// The type of a sequence's numbers, as `pg_type` calls it.
fn whole_type(words: &mut Words) -> Option<&'static str> {
    match words.name()?.as_str() {
        "smallint" | "int2" => Some("int2"),
        "integer" | "int" | "int4" => Some("int4"),
        "bigint" | "int8" => Some("int8"),
        _ => None,
    }
}

/// The options in any order.
pub(super) fn create(words: &mut Words, temporary: bool) -> Option<Translated> {
    let may = words.take("if") && words.take("not") && words.take("exists");
    let name = words.name()?;
    let [mut start, mut step, mut min, mut max] = [const { String::new() }; 4];
    let (mut cycle, mut ty) = (0, "int8");
    let mut owner: Option<(String, String)> = None;
    while !words.is_at_end() {
        if words.take("as") {
            ty = whole_type(words)?;
        } else if words.take("increment") {
            words.take("by");
            step = words.number()?;
        } else if words.take("start") {
            words.take("with");
            start = words.number()?;
        } else if words.take("minvalue") {
            min = words.number()?;
        } else if words.take("maxvalue") {
            max = words.number()?;
        } else if words.take("cache") {
            words.number()?;
        } else if words.take("cycle") {
            cycle = 1;
        } else if words.take("no") {
            cycle = if words.take("cycle") { 0 } else { cycle };
            let _ = words.take("minvalue") || words.take("maxvalue");
        } else if words.take("owned") {
            words.take("by");
            owner = words.owner();
        } else {
            return None;
        }
    }
    let or_null = |text: String| if text.is_empty() { "NULL".to_owned() } else { text };
    let (table, column) = owner.map_or_else(
        || ("NULL".to_owned(), "NULL".to_owned()),
        |(table, column)| (string(&table), string(&column)),
    );
    Some(steps(vec![
        sequence::table(temporary),
        format!(
            "SELECT pg_create_sequence({}, {}, {}, {}, {}, {}, {cycle}, {}, {table}, {column}, {})",
            string(&name),
            i32::from(may),
            or_null(start),
            or_null(step),
            or_null(min),
            or_null(max),
            string(ty),
            i32::from(temporary),
        ),
    ]))
}

/// What changes, one after the other.
pub(super) fn alter(words: &mut Words) -> Option<Translated> {
    let if_exists = words.take("if") && words.take("exists");
    let before = words.at;
    let name = words.name()?;
    let schema = words.before_last(before);
    let name = (schema.as_deref(), name.as_str());
    let may = |told: bool| i32::from(if_exists) * if told { 2 } else { 1 };
    let mut all = vec![];
    while !words.is_at_end() {
        let (what, value) = if words.take("as") {
            ("type", Some(string(whole_type(words)?)))
        } else if words.take("restart") {
            words.take("with");
            ("restart", words.number())
        } else if words.take("increment") {
            words.take("by");
            ("increment", Some(words.number()?))
        } else if words.take("start") {
            words.take("with");
            ("start", Some(words.number()?))
        } else if words.take("minvalue") {
            ("minvalue", Some(words.number()?))
        } else if words.take("maxvalue") {
            ("maxvalue", Some(words.number()?))
        } else if words.take("cache") {
            words.number()?;
            continue;
        } else if words.take("cycle") {
            ("cycle", Some("1".into()))
        } else if words.take("no") {
            if !words.take("cycle") {
                return None;
            }
            ("cycle", Some("0".into()))
        } else if words.take("owned") {
            words.take("by");
            let (table, column) = match words.owner() {
                Some((table, column)) => (string(&table), string(&column)),
                None => ("NULL".into(), "NULL".into()),
            };
            all.push(altered(name, may(!all.is_empty()), "owned_table", &table));
            ("owned_column", Some(column))
        } else if words.take("owner") {
            words.take("to");
            words.name()?;
            ("owner", None)
        } else if words.take("rename") {
            words.take("to");
            ("rename", Some(string(&words.name()?)))
        } else {
            return None;
        };
        all.push(altered(
            name,
            may(!all.is_empty()),
            what,
            value.as_deref().unwrap_or("NULL"),
        ));
    }
    Some(steps(all))
}

/// `may` is whether there may be none: 0 not, 1 so that the client is told, 2 where it was told.
fn altered((schema, name): (Option<&str>, &str), may: i32, what: &str, value: &str) -> String {
    let (name, what) = (string(name), string(what));
    let schema = schema.map_or_else(|| "NULL".to_owned(), string);
    format!("SELECT pg_alter_sequence({name}, {may}, {what}, {value}, {schema})")
}
