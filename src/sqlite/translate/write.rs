//! What a statement writes, for whoever has to say more of it than SQLite does.

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
    /// Numbers that were given are not given again: rows with such a call are not worked out a second time.
    pub(crate) fn once(mut self) -> Self {
        self.rows = self
            .rows
            .filter(|rows| !rows.to_ascii_lowercase().contains("nextval"));
        self
    }
}
