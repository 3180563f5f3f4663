//! What a statement writes, for whoever has to say more of it than SQLite does.

use super::{quoted, volatile};

/// What a statement writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Write {
    /// The table's name, without that of its schema.
    pub(crate) table: String,
    pub(crate) kind: WriteKind,
    /// The columns that `rows` gives; empty where it names them itself.
    pub(crate) columns: Vec<String>,
    /// A query for the rows that are written or deleted, where there is one that may run again.
    pub(crate) rows: Option<String>,
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteKind {
    Insert,
    Update,
    Delete,
}

impl Write {
    /// Numbers that were given are not given again, and what is drawn at random would be another value: rows with such a call
    /// are not worked out a second time.
    pub(crate) fn once(mut self) -> Self {
        self.rows = self.rows.filter(|rows| !volatile::is_in(rows));
        self
    }
}

/// What SET says: columns with their values, and the whole text of what sets several at once.
#[derive(Default)]
pub(super) struct SetList(pub(super) Vec<(Option<String>, String)>);

impl SetList {
    pub(super) fn sql(&self) -> String {
        let parts = self.0.iter().map(|(column, value)| match column {
            Some(column) => format!("{} = {value}", quoted(column)),
            None => value.clone(),
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    /// The values as a list of a SELECT; `None` where some come from a query.
    pub(super) fn rows(&self) -> Option<String> {
        let parts = self.0.iter().map(|(column, value)| {
            let column = column.as_ref()?;
            Some(format!("{value} AS {}", quoted(column)))
        });
        Some(parts.collect::<Option<Vec<_>>>()?.join(", "))
    }
}
