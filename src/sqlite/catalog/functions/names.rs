//! Numbers to names and back: `regclass` and its like, encodings, schemas, and the regular expressions of SQLite's own operator.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::{Connection, Result as SqliteResult, functions::Context, types::Value};

use super::{failed, number, scalar, text};
use crate::{
    sqlite::catalog::{
        content::Catalog,
        definitions::{find, fixed_rows, relations},
        describe::{self, Types, quote_identifier},
        failure::Failure,
        model::{INFORMATION_SCHEMA, Model, OWNER, PG_CATALOG, PUBLIC, TEMPORARY},
        rows::{Cell, Key},
        spelled,
    },
    statement::sqlite_lexer::{Piece, pieces, unquote},
};

/// Types that are numbers of things and shown as names, with the relation, its column of names, and what they are called.
const NAMED: [(&str, &str, &str, &str); 4] = [
    (
        "regdictionary",
        "pg_ts_dict",
        "dictname",
        "text search dictionary",
    ),
    (
        "regconfig",
        "pg_ts_config",
        "cfgname",
        "text search configuration",
    ),
    ("regcollation", "pg_collation", "collname", "collation"),
    ("regrole", "pg_authid", "rolname", "role"),
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
        None => {
            let own = |schema| model.named(Some(schema), name).map(|own| own.oid);
            // As PostgreSQL's search path has them.
            own(TEMPORARY)
                .or_else(|| known("pg_catalog").map(|known| known.oid))
                .or_else(|| own(PUBLIC))
        }
    }
}

/// A value that is a number already, or NULL.
pub(super) fn as_it_is(context: &Context<'_>) -> SqliteResult<Option<Value>> {
    Ok(match context.get(0)? {
        Value::Null => Some(Value::Null),
        Value::Integer(number) => Some(Value::Integer(number)),
        Value::Text(text) if text == "-" => Some(Value::Integer(0)),
        Value::Text(text) => text.trim().parse().ok().map(Value::Integer),
        Value::Real(_) | Value::Blob(_) => None,
    })
}

/// The parts of a name that has to be one.
fn strict_parts(name: &str) -> Result<Vec<String>, Failure> {
    let is_name =
        |token: &str| token.starts_with(|first: char| first == '"' || first == '_' || first.is_alphabetic());
    let mut expects_name = true;
    for (_, piece) in pieces(name) {
        let fits = match piece {
            Piece::Token(".") => !expects_name,
            Piece::Token(token) => expects_name && is_name(token),
            Piece::Line => continue,
            Piece::Comment(_) => false,
        };
        if !fits {
            expects_name = true;
            break;
        }
        expects_name = !expects_name;
    }
    let parts = parts(name);
    if expects_name || parts.is_empty() {
        return Err(failure("42602", "invalid name syntax"));
    }
    Ok(parts)
}

fn failure(sqlstate: &'static str, message: impl Into<String>) -> Failure {
    Failure {
        sqlstate,
        message: message.into(),
    }
}

/// What a text names, or the error that there is no such thing.
struct NamedObject {
    number: Option<i64>,
    missing: Failure,
}

/// Nothing is found where the schema is missing, which is what has to be told.
fn within(model: &Model, schema: Option<&str>, missing: Failure) -> Failure {
    match schema {
        Some(schema) if schema_number(model, schema).is_none() => {
            failure("3F000", format!("schema \"{schema}\" does not exist"))
        }
        _ => missing,
    }
}

fn find_relation(model: &Model, name: &str) -> Result<NamedObject, Failure> {
    let parts = strict_parts(name)?;
    let missing = failure(
        "42P01",
        format!("relation \"{}\" does not exist", parts.join(".")),
    );
    let schema = parts.len().checked_sub(2).map(|at| parts[at].as_str());
    Ok(NamedObject {
        number: relation_number(model, name),
        missing: within(model, schema, missing),
    })
}

fn find_schema(model: &Model, name: &str) -> Result<NamedObject, Failure> {
    let parts = strict_parts(name)?;
    let [name] = parts.as_slice() else {
        return Err(failure("42602", "invalid name syntax"));
    };
    Ok(NamedObject {
        number: schema_number(model, name),
        missing: failure("3F000", format!("schema \"{name}\" does not exist")),
    })
}

fn find_type(model: &Model, written: &str) -> Result<NamedObject, Failure> {
    let name = spelled::read(written)?;
    let types = Types::new();
    let own = || {
        let schema = match &name.schema {
            Some(schema) => Some(schema_number(model, schema)?),
            None => None,
        };
        let relation = model.named(schema, &name.name).filter(|_| !name.is_array)?;
        (relation.row_type != 0).then_some(relation.row_type)
    };
    let number = types.called(&name).or_else(own);
    if name.is_sized
        && let Some(number) = number
        && matches!(types.text(number, "typmodin"), "" | "-")
        && !name.is_array
    {
        let message = format!("type modifier is not allowed for type \"{}\"", name.name);
        return Err(failure("42601", message));
    }
    let missing = failure("42704", format!("type \"{}\" does not exist", name.shown()));
    Ok(NamedObject {
        number,
        missing: within(model, name.schema.as_deref(), missing),
    })
}

/// Adds them.
pub(super) fn add(connection: &Connection, catalog: &Arc<Catalog>) -> SqliteResult<()> {
    relations_and_types(connection, catalog)?;
    others(connection, catalog)?;
    texts(connection)
}

fn relations_and_types(connection: &Connection, catalog: &Arc<Catalog>) -> SqliteResult<()> {
    type Find = fn(&Model, &str) -> Result<NamedObject, Failure>;
    let kinds: [(&str, Find); 3] = [
        ("regclass", find_relation),
        ("regtype", find_type),
        ("regnamespace", find_schema),
    ];
    for (kind, find) in kinds {
        let shown = Arc::clone(catalog);
        scalar(connection, &format!("{kind}in"), &[1], move |context| {
            if let Some(value) = as_it_is(context)? {
                return Ok(value);
            }
            let name = text(context, 0)?.unwrap_or_default();
            let found = find(&shown.model(), &name)?;
            Ok(Value::Integer(found.number.ok_or(found.missing)?))
        })?;
        let shown = Arc::clone(catalog);
        scalar(connection, &format!("to_{kind}"), &[1], move |context| {
            let Some(name) = text(context, 0)? else {
                return Ok(None);
            };
            Ok(find(&shown.model(), &name)?.number)
        })?;
        let shown = Arc::clone(catalog);
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

fn others(connection: &Connection, catalog: &Arc<Catalog>) -> SqliteResult<()> {
    for (kind, relation, column, what) in NAMED {
        let client = catalog.client.clone();
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
        let client = catalog.client.clone();
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
                let name = strict_parts(&name)?.pop().unwrap_or_default();
                if kind == "regrole" && name == client.user {
                    return Ok(Value::Integer(OWNER));
                }
                let found = look_up(relation, column, &Key::Text(name.clone()), "oid")
                    .and_then(|cell| cell.integer());
                match found {
                    Some(oid) => Ok(Value::Integer(oid)),
                    None if !prefix.is_empty() => Ok(Value::Null),
                    None => Err(failure("42704", format!("{what} \"{name}\" does not exist")).into()),
                }
            })?;
        }
    }
    // The number of whatever has a name.
    let shown = Arc::clone(catalog);
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

fn texts(connection: &Connection) -> SqliteResult<()> {
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
