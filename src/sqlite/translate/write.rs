//! What a statement writes, for whoever has to say more of it than SQLite does.

use super::volatile;

/// What a statement writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Write {
    /// The schema that is named before the table.
    pub(crate) schema: Option<String>,
    /// The table's name, without that of its schema.
    pub(crate) table: String,
    pub(crate) kind: WriteKind,
    /// The columns that `rows` gives; empty where it names them itself.
    pub(crate) columns: Vec<String>,
    /// A query for the rows that are written or deleted, where there is one that may run again.
    pub(crate) rows: Option<String>,
    /// A query for the same rows as they are before an UPDATE, in the same order.
    pub(crate) before: Option<String>,
    /// What becomes of a row that is in the way of an INSERT.
    pub(crate) on_conflict: Option<OnConflict>,
}

/// What becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OnConflict {
    /// The new one is left out.
    Nothing,
    Update(OnConflictUpdate),
}

/// What ON CONFLICT DO UPDATE sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OnConflictUpdate {
    /// The name by which it calls the row that is there; the new one is `excluded`.
    pub(crate) own: String,
    /// The values, as the list of a SELECT.
    pub(crate) values: String,
    /// The condition by which it does.
    pub(crate) condition: Option<String>,
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteKind {
    Insert,
    Update,
    Delete,
}

impl Write {
    /// What is written to a table, of which no rows are told.
    pub(super) fn to(schema: Option<&str>, table: &str, kind: WriteKind) -> Self {
        Self {
            schema: schema.map(str::to_owned),
            table: table.to_owned(),
            kind,
            columns: vec![],
            rows: None,
            before: None,
            on_conflict: None,
        }
    }

    /// Numbers that were given are not given again, and what is drawn at random would be another value: rows with such a call
    /// are not worked out a second time.
    pub(crate) fn once(mut self) -> Self {
        self.rows = self.rows.filter(|rows| !volatile::is_in(rows));
        self.before = self.before.filter(|rows| !volatile::is_in(rows));
        self.on_conflict = self.on_conflict.filter(|conflict| match conflict {
            OnConflict::Nothing => true,
            OnConflict::Update(update) => !volatile::is_in(&update.values),
        });
        self
    }
}
