//! What a setting may hold, and how its TOML or environment text is read.

use std::{collections::BTreeMap, fmt, time::Duration};

/// The type of a setting.
#[derive(Debug, Clone, Copy)]
pub(super) enum KeyType {
    /// `true` or `false`; `on` and `off` too.
    Bool,
    /// Any text.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number, 0 or more.
    Count,
    /// A number from 0 to 1.
    Fraction,
    /// An amount of US dollars, 0 or more.
    Money,
    /// A time: `"500ms"`, `"30s"`, `"5min"`, `"1h"`; a bare number is milliseconds, as in PostgreSQL.
    Duration,
    /// A size: `"64MB"`; a bare number is bytes. Units are powers of 1024, as in PostgreSQL.
    Bytes,
    /// An array of texts, or one text with commas.
    List,
    /// A table of texts.
    Map,
    /// A table of lists of texts.
    Groups,
    /// `true` or `false`, or files by name: a table, or `name=path` in an array or with commas.
    Attach,
}

/// A value that fits its [`KeyType`].
#[derive(Clone, PartialEq)]
pub(super) enum Setting {
    Bool(bool),
    Text(String),
    Count(u64),
    Fraction(f64),
    Money(f64),
    Duration(Duration),
    Bytes(u64),
    List(Vec<String>),
    Map(BTreeMap<String, String>),
    Groups(BTreeMap<String, Vec<String>>),
}

impl fmt::Debug for Setting {
    /// Any text may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked().to_toml())
    }
}

impl KeyType {
    /// The journal modes that a SQLite file may be put into, or none.
    pub(super) const JOURNAL_MODE: Self = Self::Choice(&["", "wal", "delete", "truncate", "persist"]);

    /// What a value of this kind looks like, for messages.
    pub(super) fn expectation(self) -> String {
        match self {
            Self::Bool => "true or false".into(),
            Self::Text => "a text".into(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Count => "a whole number, 0 or more".into(),
            Self::Fraction => "a number from 0 to 1".into(),
            Self::Money => "a number of US dollars, 0 or more".into(),
            Self::Duration => "a time such as \"500ms\", \"30s\" or \"5min\"".into(),
            Self::Bytes => "a size such as \"64kB\", \"256MB\" or \"1GB\"".into(),
            Self::List => "a text or an array of texts".into(),
            Self::Map => "a table of texts".into(),
            Self::Groups => "a table of lists of texts".into(),
            Self::Attach => "true or false, a table of names and paths, or a list of name=path".into(),
        }
    }

    /// Reads a TOML value; `None` if it does not fit.
    pub(super) fn read(self, value: &toml::Value) -> Option<Setting> {
        use toml::Value;
        Some(match (self, value) {
            (Self::Bool | Self::Attach, Value::Boolean(flag)) => Setting::Bool(*flag),
            (Self::Text, Value::String(text)) => Setting::Text(text.clone()),
            (Self::Count, Value::Integer(number)) => Setting::Count(u64::try_from(*number).ok()?),
            (Self::Fraction, Value::Float(number)) => Setting::Fraction(fraction(*number)?),
            (Self::Fraction, Value::Integer(number)) => Setting::Fraction(fraction(*number as f64)?),
            (Self::Money, Value::Float(number)) => Setting::Money(money(*number)?),
            (Self::Money, Value::Integer(number)) => Setting::Money(money(*number as f64)?),
            (Self::Duration, Value::Integer(number)) => {
                Setting::Duration(Duration::from_millis(u64::try_from(*number).ok()?))
            }
            (Self::Bytes, Value::Integer(number)) => Setting::Bytes(u64::try_from(*number).ok()?),
            (Self::List, Value::Array(items)) => Setting::List(texts(items)?),
            (Self::Map | Self::Attach, Value::Table(table)) => Setting::Map(text_table(table)?),
            (Self::Groups, Value::Table(table)) => Setting::Groups(groups(table)?),
            (Self::Choice(_), Value::Boolean(flag)) => return self.read_text(&flag.to_string()),
            (Self::Attach, Value::Array(items)) => Setting::Map(pairs(&texts(items)?)?),
            (
                Self::Bool | Self::Choice(_) | Self::Duration | Self::Bytes | Self::List | Self::Attach,
                Value::String(text),
            ) => {
                return self.read_text(text);
            }
            _ => return None,
        })
    }

    /// Reads the text of an environment variable or an argument.
    pub(super) fn read_text(self, text: &str) -> Option<Setting> {
        let text = text.trim();
        Some(match self {
            Self::Bool => Setting::Bool(match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => true,
                "false" | "off" | "no" | "0" => false,
                _ => return None,
            }),
            Self::Text => Setting::Text(text.to_owned()),
            Self::Choice(words) => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(text))?;
                Setting::Text((*word).to_owned())
            }
            Self::Count => Setting::Count(text.parse().ok()?),
            Self::Fraction => Setting::Fraction(fraction(text.parse().ok()?)?),
            Self::Money => Setting::Money(money(text.parse().ok()?)?),
            Self::Duration => Setting::Duration(duration(text)?),
            Self::Bytes => Setting::Bytes(bytes(text)?),
            Self::List => Setting::List(
                text.split(',')
                    .map(|item| item.trim().to_owned())
                    .filter(|item| !item.is_empty())
                    .collect(),
            ),
            Self::Attach if !text.starts_with('{') => {
                if let Some(flag) = Self::Bool.read_text(text) {
                    return Some(flag);
                }
                let items: Vec<String> = text.split(',').map(|item| item.trim().to_owned()).collect();
                Setting::Map(pairs(&items)?)
            }
            Self::Map | Self::Groups | Self::Attach => {
                let table: toml::Table = format!("value = {text}").parse().ok()?;
                return self.read(&table["value"]);
            }
        })
    }
}

impl Setting {
    /// True for what stands for none: zero, a blank text, nothing in a list.
    pub(super) fn is_nothing(&self) -> bool {
        match self {
            Self::Bool(flag) => !flag,
            Self::Text(text) => text.trim().is_empty(),
            Self::Count(number) | Self::Bytes(number) => *number == 0,
            Self::Fraction(number) | Self::Money(number) => *number == 0.0,
            Self::Duration(time) => time.is_zero(),
            Self::List(items) => items.is_empty(),
            Self::Map(entries) => entries.is_empty(),
            Self::Groups(entries) => entries.is_empty(),
        }
    }

    /// As it would stand in the file.
    pub(super) fn to_toml(&self) -> String {
        match self {
            Self::Bool(flag) => flag.to_string(),
            Self::Text(text) => quoted(text),
            Self::Count(number) => number.to_string(),
            Self::Fraction(number) | Self::Money(number) => format!("{number:?}"),
            Self::Duration(time) => quoted(&show_duration(*time)),
            Self::Bytes(size) => quoted(&show_bytes(*size)),
            Self::List(items) => list(items),
            Self::Map(entries) => inline(entries.iter().map(|(key, value)| (key, quoted(value)))),
            Self::Groups(entries) => inline(entries.iter().map(|(key, items)| (key, list(items)))),
        }
    }

    /// The same with every text that is not empty hidden; the keys of a table stay.
    pub(super) fn masked(&self) -> Self {
        let mask = |text: &String| {
            if text.is_empty() {
                String::new()
            } else {
                "********".to_owned()
            }
        };
        match self {
            Self::Text(text) => Self::Text(mask(text)),
            Self::List(items) => Self::List(items.iter().map(mask).collect()),
            Self::Map(entries) => Self::Map(
                entries
                    .iter()
                    .map(|(key, value)| (key.clone(), mask(value)))
                    .collect(),
            ),
            other => other.clone(),
        }
    }
}

/// The table that texts of the form `name=value` make; `None` where one is not, or a name comes twice.
fn pairs(items: &[String]) -> Option<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for item in items.iter().filter(|item| !item.is_empty()) {
        let (name, value) = item.split_once('=')?;
        if found
            .insert(name.trim().to_owned(), value.trim().to_owned())
            .is_some()
        {
            return None;
        }
    }
    Some(found)
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
    format!("[{}]", items.join(", "))
}

/// A table in one line.
fn inline<'a>(entries: impl Iterator<Item = (&'a String, String)>) -> String {
    let entries: Vec<String> = entries
        .map(|(key, value)| format!("{} = {value}", bare_or_quoted(key)))
        .collect();
    if entries.is_empty() {
        "{}".into()
    } else {
        format!("{{ {} }}", entries.join(", "))
    }
}

fn groups(table: &toml::Table) -> Option<BTreeMap<String, Vec<String>>> {
    table
        .iter()
        .map(|(key, value)| Some((key.clone(), texts(value.as_array()?)?)))
        .collect()
}

fn texts(items: &[toml::Value]) -> Option<Vec<String>> {
    items
        .iter()
        .map(|item| item.as_str().map(str::to_owned))
        .collect()
}

fn text_table(table: &toml::Table) -> Option<BTreeMap<String, String>> {
    table
        .iter()
        .map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
        .collect()
}

fn fraction(number: f64) -> Option<f64> {
    (0.0..=1.0).contains(&number).then_some(number)
}

fn money(number: f64) -> Option<f64> {
    (number.is_finite() && number >= 0.0).then_some(number)
}

/// Splits `"30s"` into its number and its unit.
fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim()))
}

fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = number_and_unit(text)?;
    let milliseconds = match unit {
        "" | "ms" => 1.0,
        "s" => 1_000.0,
        "min" | "m" => 60_000.0,
        "h" => 3_600_000.0,
        "d" => 86_400_000.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number * milliseconds / 1_000.0).ok()
}

fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = number_and_unit(text)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1u64,
        "kb" => 1 << 10,
        "mb" => 1 << 20,
        "gb" => 1 << 30,
        "tb" => 1 << 40,
        _ => return None,
    };
    Some((number * factor as f64) as u64)
}

fn show_duration(time: Duration) -> String {
    let milliseconds = time.as_millis();
    match milliseconds {
        0 => "0".into(),
        m if m % 3_600_000 == 0 => format!("{}h", m / 3_600_000),
        m if m % 60_000 == 0 => format!("{}min", m / 60_000),
        m if m % 1_000 == 0 => format!("{}s", m / 1_000),
        m => format!("{m}ms"),
    }
}

fn show_bytes(size: u64) -> String {
    let units = [(30, "GB"), (20, "MB"), (10, "kB")];
    for (shift, unit) in units {
        if size != 0 && size.trailing_zeros() >= shift {
            return format!("{}{unit}", size >> shift);
        }
    }
    size.to_string()
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn bare_or_quoted(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) {
        key.to_owned()
    } else {
        quoted(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_and_shown() {
        for (text, milliseconds, shown) in [
            ("0", 0, "0"),
            ("250", 250, "250ms"),
            ("500ms", 500, "500ms"),
            ("30s", 30_000, "30s"),
            ("1.5 s", 1_500, "1500ms"),
            ("120s", 120_000, "2min"),
            ("1h", 3_600_000, "1h"),
        ] {
            let time = duration(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(time, Duration::from_millis(milliseconds), "{text}");
            assert_eq!(show_duration(time), shown);
        }
        for (text, size, shown) in [
            ("0", 0, "0"),
            ("64kB", 65_536, "64kB"),
            ("1.5MB", 1_572_864, "1536kB"),
        ] {
            assert_eq!(bytes(text), Some(size), "{text}");
            assert_eq!(show_bytes(size), shown);
        }
        for text in ["", "s", "-1s", "5 parsecs", "1..2s"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }

    #[test]
    fn files_are_named_in_several_ways() {
        let named = "{ a = \"x.db\", b = \"y=z.db\" }";
        for text in ["a=x.db, b=y=z.db", named] {
            let setting = KeyType::Attach.read_text(text).map(|setting| setting.to_toml());
            assert_eq!(setting.as_deref(), Some(named));
        }
        for (toml, shown) in [
            ("[\"a=x.db\"]", "{ a = \"x.db\" }"),
            ("true", "true"),
            ("\"off\"", "false"),
        ] {
            let value = format!("v = {toml}").parse::<toml::Table>().unwrap();
            let setting = KeyType::Attach.read(&value["v"]).map(|setting| setting.to_toml());
            assert_eq!(setting.as_deref(), Some(shown));
        }
        for text in ["x.db", "a=x, a=y", "{ a = 1 }"] {
            assert!(KeyType::Attach.read_text(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_choice_may_be_true() {
        let table: toml::Table = "value = true".parse().unwrap();
        let read = |words| KeyType::Choice(words).read(&table["value"]);
        assert_eq!(
            read(&["auto", "true", "false"]),
            Some(Setting::Text("true".into()))
        );
        assert_eq!(read(&["auto", "schema"]), None);
    }

    #[test]
    fn a_value_of_another_type_does_not_fit() {
        for (kind, toml) in [
            (KeyType::Bool, "3"),
            (KeyType::Bool, "\"maybe\""),
            (KeyType::Text, "true"),
            (KeyType::Count, "-1"),
            (KeyType::Count, "\"many\""),
            (KeyType::Fraction, "1.5"),
            (KeyType::Money, "-0.5"),
            (KeyType::Money, "inf"),
            (KeyType::Duration, "-5"),
            (KeyType::List, "[1, 2]"),
            (KeyType::Map, "\"alice\""),
            (KeyType::Groups, "{ analyst = \"alice\" }"),
            (KeyType::Choice(&["trust", "scram"]), "\"md5\""),
        ] {
            let table: toml::Table = format!("value = {toml}").parse().unwrap();
            assert_eq!(kind.read(&table["value"]), None, "{kind:?} {toml}");
        }
    }

    #[test]
    fn masking_keeps_the_names_of_users() {
        let users = Setting::Map(BTreeMap::from([("alice".to_owned(), "hunter2".to_owned())]));
        assert_eq!(users.masked().to_toml(), r#"{ alice = "********" }"#);
    }
}
