//! Numbers to names and back: `regclass` and its like, encodings, schemas, and the regular expressions of SQLite's own operator.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::{Connection, Result, functions::Context, types::Value};

use super::{failed, number, scalar, text};
use crate::catalog::{
    content::Catalogue,
    definitions::{find, fixed_rows, relations},
    describe::{self, Types, quote_identifier},
    lexical::{Piece, pieces, unquote},
    model::{INFORMATION_SCHEMA, Model, OWNER, PG_CATALOG},
    rows::{Cell, Key},
};

/// Types that are numbers of things and shown as names, with the relation and its column of names.
const NAMED: [(&str, &str, &str); 4] = [
    ("regdictionary", "pg_ts_dict", "dictname"),
    ("regconfig", "pg_ts_config", "cfgname"),
    ("regcollation", "pg_collation", "collname"),
    ("regrole", "pg_authid", "rolname"),
];

/// The cell of the first row of a relation of which another column has this value.
fn look_up(relation: &str, by: &str, key: &Key, wanted: &str) -> Option<Cell> {
    let relation = find("pg_catalog", relation)?;
    let position = |name: &str| relation.columns.iter().position(|column| column.name == name);
    let rows = fixed_rows(relation);
    let found = *rows.find(position(by)?, key).first()?;
    Some(rows.row(found)[position(wanted)?].clone())
}

/// The parts of a qualified name, unquoted ones in lower case.
pub(super) fn parts(name: &str) -> Vec<String> {
    pieces(name)
        .filter_map(|(_, piece)| match piece {
            Piece::Token(".") => None,
            Piece::Token(token) if token.starts_with('"') => Some(unquote(token)),
            Piece::Token(token) => Some(token.to_lowercase()),
            _ => None,
        })
        .collect()
}

/// The number of the schema with this name.
pub(super) fn schema_number(model: &Model, name: &str) -> Option<i64> {
    match name {
        "pg_catalog" => Some(PG_CATALOG),
        "information_schema" => Some(INFORMATION_SCHEMA),
        "main" => schema_number(model, "public"),
        _ => model
            .schemas()
            .into_iter()
            .find(|(_, known)| *known == name)
            .map(|(oid, _)| oid),
    }
}

fn schema_shown(model: &Model, oid: i64) -> Option<String> {
    let name = match oid {
        PG_CATALOG => "pg_catalog".to_owned(),
        INFORMATION_SCHEMA => "information_schema".to_owned(),
        _ => model
            .schemas()
            .into_iter()
            .find(|(known, _)| *known == oid)?
            .1
            .to_owned(),
    };
    Some(quote_identifier(&name))
}

/// The number of the relation that a text names, as `to_regclass` finds it.
pub(super) fn relation_number(model: &Model, name: &str) -> Option<i64> {
    let parts = parts(name);
    let (schema, name) = match &parts[..] {
        [name] => (None, name),
        [schema, name] => (Some(schema.as_str()), name),
        [database, schema, name] if *database == model.database => (Some(schema.as_str()), name),
        _ => return None,
    };
    let known = |schema| {
        relations()
            .iter()
            .find(|known| known.schema == schema && known.name == name && known.kind != "f")
    };
    match schema {
        Some("pg_catalog") => known("pg_catalog").map(|known| known.oid),
        Some("information_schema") => known("information_schema").map(|known| known.oid),
        Some(schema) => {
            let schema = schema_number(model, schema)?;
            model.named(Some(schema), name).map(|own| own.oid)
        }
        None => model
            .named(None, name)
            .map(|own| own.oid)
            .or_else(|| known("pg_catalog").map(|known| known.oid)),
    }
}

/// A value that is a number already, or NULL.
pub(super) fn as_it_is(context: &Context<'_>) -> Result<Option<Value>> {
    Ok(match context.get(0)? {
        Value::Null => Some(Value::Null),
        Value::Integer(number) => Some(Value::Integer(number)),
        Value::Text(text) if text == "-" => Some(Value::Integer(0)),
        Value::Text(text) => text.trim().parse().ok().map(Value::Integer),
        Value::Real(_) | Value::Blob(_) => None,
    })
}

fn type_number(model: &Model, name: &str) -> Option<i64> {
    let own = || {
        let parts = parts(name);
        let relation = model.named(None, parts.last()?)?;
        (relation.row_type != 0).then_some(relation.row_type)
    };
    Types::new().named(name).or_else(own)
}

/// Adds them.
pub(super) fn add(connection: &Connection, catalogue: &Arc<Catalogue>) -> Result<()> {
    relations_and_types(connection, catalogue)?;
    others(connection, catalogue)?;
    texts(connection)
}

fn relations_and_types(connection: &Connection, catalogue: &Arc<Catalogue>) -> Result<()> {
    type Find = fn(&Model, &str) -> Option<i64>;
    let kinds: [(&str, &str, Find); 3] = [
        ("regclass", "relation", relation_number),
        ("regtype", "type", type_number),
        ("regnamespace", "schema", |model, name| {
            schema_number(model, &parts(name).concat())
        }),
    ];
    for (kind, what, find) in kinds {
        let shown = Arc::clone(catalogue);
        scalar(connection, &format!("{kind}in"), &[1], move |context| {
            if let Some(value) = as_it_is(context)? {
                return Ok(value);
            }
            let name = text(context, 0)?.unwrap_or_default();
            let found = find(&shown.model(), &name);
            found
                .map(Value::Integer)
                .ok_or_else(|| failed(format!("{what} \"{name}\" does not exist")))
        })?;
        let shown = Arc::clone(catalogue);
        scalar(connection, &format!("to_{kind}"), &[1], move |context| {
            Ok(text(context, 0)?.and_then(|name| find(&shown.model(), &name)))
        })?;
        let shown = Arc::clone(catalogue);
        scalar(connection, &format!("{kind}out"), &[1], move |context| {
            let Some(oid) = number(context, 0)? else {
                return text(context, 0);
            };
            let model = shown.model();
            let name = match kind {
                _ if oid == 0 => Some("-".to_owned()),
                "regclass" => describe::relation(&model, oid),
                "regtype" => Some(Types::new().shown(&model, oid, -1)),
                _ => schema_shown(&model, oid),
            };
            Ok(Some(name.unwrap_or_else(|| oid.to_string())))
        })?;
    }
    Ok(())
}

fn others(connection: &Connection, catalogue: &Arc<Catalogue>) -> Result<()> {
    for (kind, relation, column) in NAMED {
        let client = catalogue.client.clone();
        scalar(connection, &format!("{kind}out"), &[1], move |context| {
            let Some(oid) = number(context, 0)? else {
                return text(context, 0);
            };
            if oid == 0 {
                return Ok(Some("-".to_owned()));
            }
            if kind == "regrole" && oid == OWNER {
                return Ok(Some(quote_identifier(&client.user)));
            }
            let name = look_up(relation, "oid", &Key::Integer(oid), column);
            let name = name.as_ref().and_then(Cell::text).map(str::to_owned);
            Ok(Some(name.unwrap_or_else(|| oid.to_string())))
        })?;
        let client = catalogue.client.clone();
        for prefix in ["", "to_"] {
            let client = client.clone();
            let name = if prefix.is_empty() {
                format!("{kind}in")
            } else {
                format!("to_{kind}")
            };
            scalar(connection, &name, &[1], move |context| {
                if let Some(value) = as_it_is(context)? {
                    return Ok(value);
                }
                let name = text(context, 0)?.unwrap_or_default();
                let name = parts(&name).pop().unwrap_or_default();
                if kind == "regrole" && name == client.user {
                    return Ok(Value::Integer(OWNER));
                }
                let found = look_up(relation, column, &Key::Text(name.clone()), "oid")
                    .and_then(|cell| cell.integer());
                match found {
                    Some(oid) => Ok(Value::Integer(oid)),
                    None if !prefix.is_empty() => Ok(Value::Null),
                    None => Err(failed(format!(
                        "{} \"{name}\" does not exist",
                        kind.trim_start_matches("reg")
                    ))),
                }
            })?;
        }
    }
    // The number of whatever has a name.
    let shown = Arc::clone(catalogue);
    scalar(connection, "oidin", &[1], move |context| {
        if let Some(value) = as_it_is(context)? {
            return Ok(value);
        }
        let name = text(context, 0)?.unwrap_or_default();
        // What something else named: a relation, as `pg_get_serial_sequence` does.
        relation_number(&shown.model(), &name)
            .map(Value::Integer)
            .ok_or_else(|| failed(format!("invalid input syntax for type oid: \"{name}\"")))
    })
}

/// Encodings by PostgreSQL's number for them.
const ENCODINGS: [&str; 42] = [
    "SQL_ASCII",
    "EUC_JP",
    "EUC_CN",
    "EUC_KR",
    "EUC_TW",
    "EUC_JIS_2004",
    "UTF8",
    "MULE_INTERNAL",
    "LATIN1",
    "LATIN2",
    "LATIN3",
    "LATIN4",
    "LATIN5",
    "LATIN6",
    "LATIN7",
    "LATIN8",
    "LATIN9",
    "LATIN10",
    "WIN1256",
    "WIN1258",
    "WIN866",
    "WIN874",
    "KOI8R",
    "WIN1251",
    "WIN1252",
    "ISO_8859_5",
    "ISO_8859_6",
    "ISO_8859_7",
    "ISO_8859_8",
    "WIN1250",
    "WIN1253",
    "WIN1254",
    "WIN1255",
    "WIN1257",
    "KOI8U",
    "SJIS",
    "BIG5",
    "GBK",
    "UHC",
    "GB18030",
    "JOHAB",
    "SHIFT_JIS_2004",
];

fn texts(connection: &Connection) -> Result<()> {
    scalar(connection, "pg_encoding_to_char", &[1], |context| {
        let found = number(context, 0)?.and_then(|at| ENCODINGS.get(usize::try_from(at).ok()?));
        Ok(found.copied().unwrap_or_default())
    })?;
    scalar(connection, "pg_char_to_encoding", &[1], |context| {
        let name = text(context, 0)?.unwrap_or_default();
        let found = ENCODINGS
            .iter()
            .position(|known| known.eq_ignore_ascii_case(&name));
        Ok(found.map_or(-1, |position| position as i64))
    })?;
    scalar(connection, "current_schemas", &[1], |context| {
        let implicit = text(context, 0)?.is_some_and(|text| text == "1" || text.starts_with('t'));
        Ok(if implicit {
            "{pg_catalog,public}"
        } else {
            "{public}"
        })
    })?;
    let compiled: Arc<Mutex<HashMap<String, regex::Regex>>> = Arc::default();
    scalar(connection, "regexp", &[2], move |context| {
        let (Some(pattern), Some(text)) = (text(context, 0)?, text(context, 1)?) else {
            return Ok(None);
        };
        let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if !compiled.contains_key(&pattern) {
            if compiled.len() >= 64 {
                compiled.clear();
            }
            let regex = regex::RegexBuilder::new(&pattern).size_limit(1 << 20).build();
            let regex = regex.map_err(|error| failed(format!("invalid regular expression: {error}")))?;
            compiled.insert(pattern.clone(), regex);
        }
        Ok(compiled.get(&pattern).map(|regex| regex.is_match(&text)))
    })
}
