//! Checked entries, read by name; what is wrong with one is told with where it came from.

use super::{
    ConfigError, SettingSource,
    sources::Entries,
    tables::Table,
    typed::{Typed, Unfit},
};

/// The entries of the whole, or of one table of a list.
pub(super) struct Reader<'a> {
    entries: &'a Entries,
    /// Of a table: what it is called, and where it begins.
    table: Option<(String, &'a SettingSource)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(entries: &'a Entries) -> Self {
        Self { entries, table: None }
    }

    /// Of a table that messages call by this name.
    pub(super) fn of_table(table: &'a Table, name: String) -> Self {
        Self {
            entries: &table.entries,
            table: Some((name, &table.source)),
        }
    }

    /// What a key says; its type fits, as its declaration sees to.
    pub(super) fn value<T: Typed>(&self, name: &str) -> Result<T, ConfigError> {
        T::typed(&self.entries[name].0).map_err(|Unfit { reason, hint }| self.refuse(name, &reason, hint))
    }

    /// True if nobody said anything.
    pub(super) fn is_default(&self, name: &str) -> bool {
        self.entries[name].1 == SettingSource::Default
    }

    pub(super) fn refuse(&self, name: &str, reason: &str, hint: &str) -> ConfigError {
        let source = &self.entries[name].1;
        let message = match &self.table {
            None => format!("{name} {reason} ({source})"),
            Some((table, begins)) => {
                let source = if *source == SettingSource::Default {
                    begins
                } else {
                    source
                };
                format!("{name} of {table} {reason} ({source})")
            }
        };
        ConfigError {
            message,
            hint: Some(hint.to_owned()),
        }
    }
}
