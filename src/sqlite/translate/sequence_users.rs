//! The columns that draw from a sequence.

use super::{Identity, Names, SequenceName};

/// A column whose default draws from it.
#[derive(Debug, Clone)]
pub(crate) struct SequenceUser {
    /// The schema of SQLite's.
    pub(crate) home: &'static str,
    pub(crate) table: String,
    pub(crate) column: String,
    pub(crate) is_identity: bool,
}

/// All of them.
pub(crate) fn users_of_sequence(names: &dyn Names, sequence: &SequenceName) -> Vec<SequenceUser> {
    let mut found = vec![];
    for home in sequence.homes() {
        for table in names.objects(home) {
            if table.kind != "table" {
                continue;
            }
            let within = Some(home).filter(|home| *home != "main");
            for column in names.relation(within, &table.name).unwrap_or_default() {
                let default = column.default.as_deref().unwrap_or_default();
                let drawn = SequenceName::drawn_by(default);
                // A key that counts by itself has one of this name.
                let counts =
                    column.is_rowid && sequence.name == format!("{}_{}_seq", table.name, column.name);
                if counts || drawn.is_some_and(|drawn| drawn.name == sequence.name) {
                    found.push(SequenceUser {
                        home,
                        table: table.name.clone(),
                        is_identity: column.always || Identity::of(default).is_some(),
                        column: column.name,
                    });
                }
            }
        }
    }
    found
}
