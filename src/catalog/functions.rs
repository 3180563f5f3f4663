//! PostgreSQL's session information and catalogue functions, as far as drivers call them when they connect.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::{
    Connection, Error, Result,
    functions::{Context, FunctionFlags},
    types::Value,
};

use super::{Client, SERVER_VERSION};

/// Settings that do not change.
const SETTINGS: [(&str, &str); 16] = [
    ("application_name", ""),
    ("bytea_output", "hex"),
    ("client_encoding", "UTF8"),
    ("client_min_messages", "notice"),
    ("DateStyle", "ISO, MDY"),
    ("default_transaction_isolation", "serializable"),
    ("extra_float_digits", "1"),
    ("integer_datetimes", "on"),
    ("is_superuser", "off"),
    ("lc_monetary", "C"),
    ("max_identifier_length", "63"),
    ("search_path", "main"),
    ("server_encoding", "UTF8"),
    ("standard_conforming_strings", "on"),
    ("TimeZone", "UTC"),
    ("transaction_isolation", "serializable"),
];

/// Adds all of them.
pub(super) fn add(connection: &Connection, database: &str, client: &Client) -> Result<()> {
    let fixed =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    let any = FunctionFlags::SQLITE_UTF8;
    let text = |value: &str| Value::Text(value.to_owned());
    let version = format!(
        "PostgreSQL {SERVER_VERSION} (Querent {} on SQLite {})",
        env!("CARGO_PKG_VERSION"),
        rusqlite::version()
    );
    for (name, arguments, value) in [
        ("version", 0, text(&version)),
        ("current_database", 0, text(database)),
        ("current_catalog", 0, text(database)),
        ("current_schema", 0, text("main")),
        ("current_user", 0, text(&client.user)),
        ("current_role", 0, text(&client.user)),
        ("session_user", 0, text(&client.user)),
        ("pg_get_userbyid", 1, text(&client.user)),
        ("pg_backend_pid", 0, Value::Integer(client.process_id.into())),
        ("pg_is_in_recovery", 0, Value::Integer(0)),
        ("pg_advisory_unlock_all", 0, Value::Null),
        ("pg_my_temp_schema", 0, Value::Integer(0)),
        ("inet_server_addr", 0, Value::Null),
        ("inet_server_port", 0, Value::Null),
        ("inet_client_addr", 0, Value::Null),
        ("inet_client_port", 0, Value::Null),
        ("obj_description", 1, Value::Null),
        ("obj_description", 2, Value::Null),
        ("col_description", 2, Value::Null),
        ("shobj_description", 2, Value::Null),
        ("pg_get_expr", 2, Value::Null),
        ("pg_table_is_visible", 1, Value::Integer(1)),
        ("pg_type_is_visible", 1, Value::Integer(1)),
        ("to_regclass", 1, Value::Null),
        ("has_database_privilege", 2, Value::Integer(1)),
        ("has_schema_privilege", 2, Value::Integer(1)),
        ("has_table_privilege", 2, Value::Integer(1)),
        ("pg_encoding_to_char", 1, text("UTF8")),
    ] {
        connection.create_scalar_function(name, arguments, fixed, move |_| Ok(value.clone()))?;
    }
    connection.create_scalar_function("to_regtype", 1, fixed, |context| {
        let name: Option<String> = context.get(0)?;
        Ok(name.and_then(|name| type_number(&name)))
    })?;
    for arguments in [1, 2] {
        connection.create_scalar_function("format_type", arguments, fixed, |context| {
            let number: Option<i64> = context.get(0)?;
            Ok(number.map(type_shown))
        })?;
    }
    connection.create_scalar_function("quote_ident", 1, fixed, |context| {
        let name: Option<String> = context.get(0)?;
        Ok(name.map(|name| quote_identifier(&name)))
    })?;
    let settings = settings();
    for arguments in [1, 2] {
        let settings = Arc::clone(&settings);
        connection.create_scalar_function("current_setting", arguments, any, move |context| {
            current_setting(&settings, context)
        })?;
    }
    connection.create_scalar_function("set_config", 3, any, move |context| {
        let name: String = context.get(0)?;
        let value: String = context.get::<Option<String>>(1)?.unwrap_or_default();
        lock(&settings).insert(name.to_ascii_lowercase(), value.clone());
        Ok(value)
    })
}

type Settings = Arc<Mutex<HashMap<String, String>>>;

fn settings() -> Settings {
    let mut settings: HashMap<String, String> = SETTINGS
        .iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), (*value).to_owned()))
        .collect();
    settings.insert("server_version".into(), SERVER_VERSION.into());
    let mut parts = SERVER_VERSION
        .split('.')
        .map(|part| part.parse::<u32>().unwrap_or_default());
    let number = parts.next().unwrap_or_default() * 10_000 + parts.next().unwrap_or_default();
    settings.insert("server_version_num".into(), number.to_string());
    Arc::new(Mutex::new(settings))
}

fn lock(settings: &Settings) -> std::sync::MutexGuard<'_, HashMap<String, String>> {
    settings.lock().unwrap_or_else(PoisonError::into_inner)
}

fn current_setting(settings: &Settings, context: &Context<'_>) -> Result<Option<String>> {
    let name: String = context.get(0)?;
    let missing_is_null = context.len() == 2 && context.get::<bool>(1)?;
    match lock(settings).get(&name.to_ascii_lowercase()) {
        Some(value) => Ok(Some(value.clone())),
        None if missing_is_null => Ok(None),
        None => Err(Error::UserFunctionError(
            format!("unrecognized configuration parameter \"{name}\"").into(),
        )),
    }
}

/// Types by number, by the name in `pg_type`, and as SQL shows them.
const TYPES: [(i64, &str, &str); 20] = [
    (16, "bool", "boolean"),
    (17, "bytea", "bytea"),
    (18, "char", "\"char\""),
    (19, "name", "name"),
    (20, "int8", "bigint"),
    (21, "int2", "smallint"),
    (23, "int4", "integer"),
    (25, "text", "text"),
    (26, "oid", "oid"),
    (114, "json", "json"),
    (700, "float4", "real"),
    (701, "float8", "double precision"),
    (1042, "bpchar", "character"),
    (1043, "varchar", "character varying"),
    (1082, "date", "date"),
    (1083, "time", "time without time zone"),
    (1114, "timestamp", "timestamp without time zone"),
    (1184, "timestamptz", "timestamp with time zone"),
    (1700, "numeric", "numeric"),
    (3802, "jsonb", "jsonb"),
];

fn type_number(name: &str) -> Option<i64> {
    let name = name.trim().to_ascii_lowercase();
    let name = name.strip_prefix("pg_catalog.").unwrap_or(&name);
    TYPES
        .iter()
        .find(|(_, internal, shown)| name == *internal || name == *shown)
        .map(|(number, ..)| *number)
}

fn type_shown(number: i64) -> &'static str {
    TYPES
        .iter()
        .find(|(oid, ..)| *oid == number)
        .map_or("???", |(_, _, shown)| shown)
}

fn quote_identifier(name: &str) -> String {
    let plain = name.chars().enumerate().all(|(at, character)| {
        character == '_' || character.is_ascii_lowercase() || (at > 0 && character.is_ascii_digit())
    });
    if plain && !name.is_empty() {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}
