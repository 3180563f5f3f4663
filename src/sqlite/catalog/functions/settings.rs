//! `current_setting` and `set_config`.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::{
    Connection, Error, Result,
    functions::{Context, FunctionFlags},
};

use crate::sqlite::catalog::{
    SERVER_VERSION, SERVER_VERSION_NUMBER,
    definitions::{find, fixed_rows},
    rows::{Cell, Key},
};

/// Settings that do not change.
const SETTINGS: [(&str, &str); 16] = [
    ("application_name", ""),
    ("bytea_output", "hex"),
    ("client_encoding", "UTF8"),
    ("client_min_messages", "notice"),
    ("DateStyle", "ISO, MDY"),
    ("default_transaction_isolation", "read committed"),
    ("extra_float_digits", "1"),
    ("integer_datetimes", "on"),
    ("is_superuser", "off"),
    ("lc_monetary", "C"),
    ("max_identifier_length", "63"),
    ("search_path", "\"$user\", public"),
    ("server_encoding", "UTF8"),
    ("standard_conforming_strings", "on"),
    ("TimeZone", "UTC"),
    ("transaction_isolation", "read committed"),
];

/// Adds both.
pub(super) fn add(connection: &Connection) -> Result<()> {
    let any = FunctionFlags::SQLITE_UTF8;
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
    settings.insert("server_version_num".into(), SERVER_VERSION_NUMBER.into());
    Arc::new(Mutex::new(settings))
}

fn lock(settings: &Settings) -> std::sync::MutexGuard<'_, HashMap<String, String>> {
    settings.lock().unwrap_or_else(PoisonError::into_inner)
}

fn current_setting(settings: &Settings, context: &Context<'_>) -> Result<Option<String>> {
    let name: String = context.get(0)?;
    let missing_is_null = context.len() == 2 && context.get::<bool>(1)?;
    if let Some(value) = lock(settings).get(&name.to_ascii_lowercase()) {
        return Ok(Some(value.clone()));
    }
    match usual(&name) {
        Some(value) => Ok(Some(value)),
        None if missing_is_null => Ok(None),
        None => Err(Error::UserFunctionError(
            format!("unrecognized configuration parameter \"{name}\"").into(),
        )),
    }
}

/// What a setting is where no session has said anything.
pub(crate) fn usual_setting(name: &str) -> Option<String> {
    let known = settings();
    let found = lock(&known).get(&name.to_ascii_lowercase()).cloned();
    found.or_else(|| usual(name))
}

/// What a server has that nobody configured.
fn usual(name: &str) -> Option<String> {
    let relation = find("pg_catalog", "pg_settings")?;
    let rows = fixed_rows(relation);
    let found = rows.find(0, &Key::Text(name.to_owned()));
    match &rows.row(*found.first()?)[1] {
        Cell::Text(text) => Some(text.to_string()),
        // A setting that nobody set.
        Cell::Null => Some(String::new()),
        _ => None,
    }
}
