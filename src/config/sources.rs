//! Where settings come from: the built-in defaults, the file, the environment.

use std::{collections::BTreeMap, path::Path};

use super::{
    ConfigError, Environment, SettingSource,
    declare::{self, Key},
    planned::is_planned,
    tables::{self, MODELS, RULES, Sort, Tables},
    value::Setting,
};

/// Every key's value and where it came from.
pub(super) type Entries = BTreeMap<&'static str, (Setting, SettingSource)>;

pub(super) fn default_entries() -> Entries {
    declare::all()
        .iter()
        .map(|key| (key.name, (key.default(), SettingSource::Default)))
        .collect()
}

/// Reads the file into `entries`; what comes back are its lists of tables.
pub(super) fn read_file(path: &Path, entries: &mut Entries) -> Result<Tables, ConfigError> {
    let unreadable = |reason: &dyn std::fmt::Display| ConfigError {
        message: format!("cannot read the configuration {}: {reason}", path.display()),
        hint: Some("name a readable TOML file with --config".into()),
    };
    // A pipe that nobody writes to would be waited for without end.
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !metadata.is_file() {
        return Err(unreadable(&"it is no regular file"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
    let mut table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| line_of(&text, span.start));
        ConfigError {
            message: format!("{}:{line}: {}", path.display(), error.message()),
            hint: Some("the file is TOML: lines of key = value, in sections such as [limits]".into()),
        }
    })?;
    let spans = key_lines(&text);
    let models =
        taken(&mut table, MODELS).map(|value| tables::read(MODELS, &value, &lists(&text, MODELS), path));
    let rules = taken(&mut table, RULES).map(|value| tables::read(RULES, &value, &lists(&text, RULES), path));
    let tables = Tables {
        models: models.transpose()?.unwrap_or_default(),
        rules: rules.transpose()?.unwrap_or_default(),
    };
    let mut flat = Vec::new();
    flatten("", &table, &mut flat);
    for (name, value) in flat {
        let line = spans.get(&name).copied().unwrap_or(1);
        let at = format!("{}:{line}", path.display());
        let key = known(&name, &|| at.clone())?;
        let setting = key.kind.read(value);
        let setting = setting.ok_or_else(|| misfit(key, &value.to_string(), &at))?;
        entries.insert(key.name, (setting, SettingSource::File(path.to_path_buf(), line)));
    }
    Ok(tables)
}

/// What the key of a sort of tables holds, taken out.
fn taken(table: &mut toml::Table, sort: Sort) -> Option<toml::Value> {
    match sort.name.split_once('.') {
        None => table.remove(sort.name),
        Some((section, key)) => table.get_mut(section)?.as_table_mut()?.remove(key),
    }
}

/// `section.key` of every value; a table that is itself a key's value stays whole.
fn flatten<'a>(prefix: &str, table: &'a toml::Table, flat: &mut Vec<(String, &'a toml::Value)>) {
    for (key, value) in table {
        let name = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
        match value {
            toml::Value::Table(inner) if declare::find(&name).is_none() && !is_planned(&name) => {
                if inner.is_empty()
                    && !declare::all()
                        .iter()
                        .any(|key| key.name.starts_with(&format!("{name}.")))
                {
                    flat.push((name, value));
                } else {
                    flatten(&name, inner, flat);
                }
            }
            _ => flat.push((name, value)),
        }
    }
}

/// The line of every dotted key, as the parser saw it.
fn key_lines(text: &str) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    if let Ok(table) = toml::de::DeTable::parse(text) {
        walk("", table.get_ref(), text, &mut lines);
    }
    lines
}

fn walk(prefix: &str, table: &toml::de::DeTable<'_>, text: &str, lines: &mut BTreeMap<String, usize>) {
    for (key, value) in table {
        let name = if prefix.is_empty() {
            key.get_ref().to_string()
        } else {
            format!("{prefix}.{}", key.get_ref())
        };
        lines.insert(name.clone(), line_of(text, key.span().start));
        if let toml::de::DeValue::Table(inner) = value.get_ref() {
            walk(&name, inner, text, lines);
        }
    }
}

/// The lines of a sort of tables.
fn lists(text: &str, sort: Sort) -> tables::Lines {
    use toml::de::{DeTable, DeValue};
    let Ok(table) = DeTable::parse(text) else {
        return Vec::new();
    };
    let found = match sort.name.split_once('.') {
        None => entry(table.get_ref(), sort.name),
        Some((section, key)) => match entry(table.get_ref(), section) {
            Some((_, DeValue::Table(inner))) => entry(inner, key),
            other => other,
        },
    };
    match found {
        Some((_, DeValue::Array(items))) => items
            .iter()
            .map(|item| {
                let mut of_keys = BTreeMap::new();
                if let DeValue::Table(table) = item.get_ref() {
                    walk("", table, text, &mut of_keys);
                }
                (line_of(text, item.span().start), of_keys)
            })
            .collect(),
        Some((start, _)) => vec![(line_of(text, start), BTreeMap::new())],
        None => Vec::new(),
    }
}

/// Where a key begins, and its value.
fn entry<'a, 't>(table: &'a toml::de::DeTable<'t>, name: &str) -> Option<(usize, &'a toml::de::DeValue<'t>)> {
    let found = table.iter().find(|(key, _)| key.get_ref() == name);
    found.map(|(key, value)| (key.span().start, value.get_ref()))
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

pub(super) fn read_environment(environment: &Environment, entries: &mut Entries) -> Result<(), ConfigError> {
    for (variable, text) in &environment.variables {
        let Some(rest) = variable.strip_prefix("QUERENT_") else {
            continue;
        };
        // Names the file itself.
        if rest == "CONFIG" {
            continue;
        }
        let name = rest.replace("__", ".").to_ascii_lowercase();
        let at = format!("environment {variable}");
        let key = known(&name, &|| at.clone())?;
        let setting = key.kind.read_text(text);
        let setting = setting.ok_or_else(|| misfit(key, text, &at))?;
        entries.insert(key.name, (setting, SettingSource::Environment(variable.clone())));
    }
    // What Rust programs listen to counts where nothing of ours does.
    if let (Some(filter), SettingSource::Default) = (environment.variables.get("RUST_LOG"), &entries["log"].1)
    {
        let source = SettingSource::Environment("RUST_LOG".into());
        entries.insert("log", (Setting::Text(filter.clone()), source));
    }
    Ok(())
}

pub(super) fn known(name: &str, at: &dyn Fn() -> String) -> Result<&'static Key, ConfigError> {
    if let Some(key) = declare::find(name) {
        return Ok(key);
    }
    if name == "model" || name.starts_with("model.") {
        return Err(ConfigError {
            message: format!("{}: {name} is for the file alone", at()),
            hint: Some("write a [[model]] table, or name one as API:MODEL in tiers".into()),
        });
    }
    if name == RULES.name || name.starts_with("policy.rule.") {
        return Err(ConfigError {
            message: format!("{}: {name} is for the file alone", at()),
            hint: Some("write a [[policy.rule]] table".into()),
        });
    }
    if is_planned(name) {
        return Err(ConfigError {
            message: format!("{}: {name} is not supported yet", at()),
            hint: Some("take it out; `querent config` lists what this version knows".into()),
        });
    }
    let hint = match declare::nearest(name) {
        Some(near) => format!("did you mean {near}?"),
        None => "`querent config` lists the known ones".into(),
    };
    Err(ConfigError {
        message: format!("{}: unknown key {name}", at()),
        hint: Some(hint),
    })
}

pub(super) fn misfit(key: &Key, text: &str, at: &str) -> ConfigError {
    let shown = if key.secret { "a value" } else { text };
    ConfigError {
        message: format!(
            "{at}: {} must be {}, not {shown}",
            key.name,
            key.kind.expectation()
        ),
        hint: Some(format!("{}: {}", key.name, key.meaning)),
    }
}
