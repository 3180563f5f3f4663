//! The file's lists of tables, `[[model]]` and `[[policy.rule]]`: their keys with types, lines and neighbours.

use std::{collections::BTreeMap, path::Path};

use super::{
    ConfigError, ModelSettings, PolicyRule, SettingSource,
    declare::{self, Key, Row, keys_of},
    model_api::ModelApi,
    sources::{Entries, misfit},
    value::Setting,
};

/// A sort of tables that the file may have several of.
#[derive(Clone, Copy)]
pub(super) struct Sort {
    /// The key that holds them.
    pub(super) name: &'static str,
    /// What each begins with.
    header: &'static str,
    /// What one is called.
    one: &'static str,
    rows: &'static [Row],
}

impl Sort {
    /// What its tables may say, in the order in which it is printed.
    pub(super) fn keys(self) -> Vec<&'static Key> {
        keys_of(self.rows)
    }
}

/// Language models.
pub(super) const MODELS: Sort = Sort {
    name: "model",
    header: "[[model]]",
    one: "model",
    rows: ModelSettings::ROWS,
};

/// Rules of the access policy.
pub(super) const RULES: Sort = Sort {
    name: "policy.rule",
    header: "[[policy.rule]]",
    one: "rule",
    rows: PolicyRule::ROWS,
};

/// All tables of a file's lists.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables {
    pub(super) models: Vec<Table>,
    pub(super) rules: Vec<Table>,
}

/// One table of a list: every key's value and where it came from.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) entries: Entries,
    /// Where it begins.
    pub(super) source: SettingSource,
}

impl Table {
    /// A model in which every other key has its default.
    pub(super) fn of_model(name: &str, api: ModelApi, model: &str, source: &SettingSource) -> Self {
        let mut table = Self::of_sort(MODELS, source.clone());
        for (key, text) in [("name", name), ("api", api.name()), ("model", model)] {
            let entry = (Setting::Text(text.to_owned()), source.clone());
            table.entries.insert(key, entry);
        }
        table
    }

    fn of_sort(sort: Sort, source: SettingSource) -> Self {
        let entries = sort
            .keys()
            .into_iter()
            .map(|key| (key.name, (key.default(), SettingSource::Default)))
            .collect();
        Self { entries, source }
    }
}

/// The lines of a file's tables of one sort: of each its own and those of its keys.
pub(super) type Lines = Vec<(usize, BTreeMap<String, usize>)>;

/// Reads what the key of a sort holds.
pub(super) fn read(
    sort: Sort,
    value: &toml::Value,
    lines: &Lines,
    path: &Path,
) -> Result<Vec<Table>, ConfigError> {
    let tables = match value {
        toml::Value::Array(items) => items.iter().map(toml::Value::as_table).collect(),
        _ => None,
    };
    let Some(tables): Option<Vec<&toml::Table>> = tables else {
        let line = lines.first().map_or(1, |(line, _)| *line);
        return Err(ConfigError {
            message: format!(
                "{}:{line}: {} must be a list of tables",
                path.display(),
                sort.name
            ),
            hint: Some(format!(
                "begin each {} with a line {}, in two brackets",
                sort.one, sort.header
            )),
        });
    };
    let nowhere = (1, BTreeMap::new());
    tables
        .into_iter()
        .enumerate()
        .map(|(at, table)| read_one(sort, table, lines.get(at).unwrap_or(&nowhere), path))
        .collect()
}

fn read_one(
    sort: Sort,
    table: &toml::Table,
    (line, lines): &(usize, BTreeMap<String, usize>),
    path: &Path,
) -> Result<Table, ConfigError> {
    let file = |line: usize| SettingSource::File(path.to_path_buf(), line);
    let mut read = Table::of_sort(sort, file(*line));
    for (name, value) in table {
        let line = lines.get(name).copied().unwrap_or(*line);
        let at = format!("{}:{line}", path.display());
        let Some(key) = sort.keys().into_iter().find(|key| key.name == name) else {
            return Err(unknown(sort, name, &at));
        };
        let setting = key.kind.read(value);
        let setting = setting.ok_or_else(|| told_of(sort, misfit(key, &value.to_string(), &at), key))?;
        read.entries.insert(key.name, (setting, file(line)));
    }
    Ok(read)
}

fn told_of(sort: Sort, error: ConfigError, key: &Key) -> ConfigError {
    ConfigError {
        message: error
            .message
            .replacen(key.name, &format!("{} of a {}", key.name, sort.header), 1),
        ..error
    }
}

fn unknown(sort: Sort, name: &str, at: &str) -> ConfigError {
    let hint = if declare::find(name).is_some() {
        // What follows a table's header belongs to the table.
        format!(
            "{name} is no {}'s: write it above the first [section] of the file",
            sort.one
        )
    } else if let Some(near) = declare::nearest_of(sort.keys().into_iter().map(|key| key.name), name) {
        format!("did you mean {near}?")
    } else {
        let known: Vec<&str> = sort.keys().into_iter().map(|key| key.name).collect();
        format!("a {} has {}", sort.one, known.join(", "))
    };
    ConfigError {
        message: format!("{at}: unknown key {name} in {}", sort.header),
        hint: Some(hint),
    }
}
