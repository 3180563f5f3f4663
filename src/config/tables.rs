//! The `[[model]]` tables of the file: their keys with types, lines and neighbours.

use std::{collections::BTreeMap, path::Path};

use super::{
    ConfigError, Source,
    keys::{self, Key},
    model_keys::MODEL_KEYS,
    sources::{Entries, misfit},
};

/// One `[[model]]`: every key's value and where it came from.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) entries: Entries,
    /// Where it begins.
    pub(super) source: Source,
}

impl Table {
    /// One in which every key has its default.
    pub(super) fn of_defaults(source: Source) -> Self {
        let entries = MODEL_KEYS
            .iter()
            .map(|key| (key.name, (key.default(), Source::Default)))
            .collect();
        Self { entries, source }
    }
}

/// The lines of a file's `[[model]]` tables: of each its own and those of its keys.
pub(super) type Lines = Vec<(usize, BTreeMap<String, usize>)>;

/// Reads what the key `model` holds.
pub(super) fn read(value: &toml::Value, lines: &Lines, path: &Path) -> Result<Vec<Table>, ConfigError> {
    let tables = match value {
        toml::Value::Array(items) => items.iter().map(toml::Value::as_table).collect(),
        _ => None,
    };
    let Some(tables): Option<Vec<&toml::Table>> = tables else {
        let line = lines.first().map_or(1, |(line, _)| *line);
        return Err(ConfigError {
            message: format!("{}:{line}: model must be a list of tables", path.display()),
            hint: Some("begin each model with a line [[model]], in two brackets".into()),
        });
    };
    let nowhere = (1, BTreeMap::new());
    tables
        .into_iter()
        .enumerate()
        .map(|(at, table)| read_one(table, lines.get(at).unwrap_or(&nowhere), path))
        .collect()
}

fn read_one(
    table: &toml::Table,
    (line, lines): &(usize, BTreeMap<String, usize>),
    path: &Path,
) -> Result<Table, ConfigError> {
    let file = |line: usize| Source::File(path.to_path_buf(), line);
    let mut read = Table::of_defaults(file(*line));
    for (name, value) in table {
        let line = lines.get(name).copied().unwrap_or(*line);
        let at = format!("{}:{line}", path.display());
        let Some(key) = keys::find_of_model(name) else {
            return Err(unknown(name, &at));
        };
        let setting = key.kind.read(value);
        let setting = setting.ok_or_else(|| told_as_model(misfit(key, &value.to_string(), &at), key))?;
        read.entries.insert(key.name, (setting, file(line)));
    }
    Ok(read)
}

fn told_as_model(error: ConfigError, key: &Key) -> ConfigError {
    ConfigError {
        message: error
            .message
            .replacen(key.name, &format!("{} of a [[model]]", key.name), 1),
        ..error
    }
}

fn unknown(name: &str, at: &str) -> ConfigError {
    let hint = if keys::find(name).is_some() {
        // What follows a table's header belongs to the table.
        format!("{name} is no model's: write it above the first [section] of the file")
    } else if let Some(near) = keys::nearest_of_model(name) {
        format!("did you mean {near}?")
    } else {
        let known: Vec<&str> = MODEL_KEYS.iter().map(|key| key.name).collect();
        format!("a model has {}", known.join(", "))
    };
    ConfigError {
        message: format!("{at}: unknown key {name} in [[model]]"),
        hint: Some(hint),
    }
}
