//! What a setting is: its name, its kind, its default and what it does.

use super::value::{KeyType, Setting};

/// A setting that this version knows.
pub(super) struct Key {
    /// `section.key`, or the key alone at the top level.
    pub(super) name: &'static str,
    pub(super) kind: KeyType,
    /// The default, written as in an environment variable.
    pub(super) default: &'static str,
    /// True if its value must not be shown.
    pub(super) secret: bool,
    /// What it does, one line.
    pub(super) meaning: &'static str,
}

impl Key {
    /// True if it holds nothing unless somebody says otherwise.
    pub(super) fn is_empty_by_default(&self) -> bool {
        matches!(self.default, "" | "{}")
    }

    /// The default as a value.
    pub(super) fn default(&self) -> Setting {
        let setting = self.kind.read_text(self.default);
        setting.expect("every default fits its kind, as a test shows")
    }
}

pub(super) const fn key(
    name: &'static str,
    kind: KeyType,
    default: &'static str,
    meaning: &'static str,
) -> Key {
    Key {
        name,
        kind,
        default,
        secret: false,
        meaning,
    }
}

/// A text that must not be shown.
pub(super) const fn secret(name: &'static str, meaning: &'static str) -> Key {
    Key {
        secret: true,
        ..key(name, KeyType::Text, "", meaning)
    }
}

/// The name that looks most like this one, if any does.
pub(super) fn nearest_of<'a>(names: impl Iterator<Item = &'a str>, name: &str) -> Option<&'a str> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let likeness = |known: &str| {
        let whole = strsim::jaro_winkler(name, known);
        // A key that stands in the wrong section is as near as a misspelt one.
        let end = strsim::jaro_winkler(&last(name), &last(known)) * 0.95;
        whole.max(end)
    };
    names
        .map(|known| (likeness(known), known))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
