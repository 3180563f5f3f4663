//! What a statement writes, for whoever has to say more of it than SQLite does.

use super::{
    sql::{Named, Sql, listed, sql},
    sql_expr::SqlExpr,
    volatile,
};

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
        }
    }

    /// Numbers that were given are not given again, and what is drawn at random would be another value: rows with such a call
    /// are not worked out a second time.
    pub(crate) fn once(mut self) -> Self {
        self.rows = self.rows.filter(|rows| !volatile::is_in(rows));
        self.before = self.before.filter(|rows| !volatile::is_in(rows));
        self
    }
}

/// What SET says.
#[derive(Default)]
pub(super) struct SetList(pub(super) Vec<Set>);

/// What a part of it sets.
pub(super) enum Set {
    Column(String, SqlExpr),
    /// Columns, each to one of what a query gives.
    Columns(Vec<String>, Sql),
}

impl SetList {
    pub(super) fn sql(&self) -> Sql {
        listed(self.0.iter().map(|part| match part {
            Set::Column(column, value) => sql![Named(column), " = ", value],
            Set::Columns(columns, query) => {
                let columns = listed(columns.iter().map(|column| Named(column)));
                sql!["(", columns, ") = (", query, ")"]
            }
        }))
    }

    /// The values as a list of a SELECT; `None` where some come from a query.
    pub(super) fn rows(&self) -> Option<Sql> {
        let parts = self.0.iter().map(|part| match part {
            Set::Column(column, value) => Some(sql![value, " AS ", Named(column)]),
            Set::Columns(..) => None,
        });
        Some(listed(parts.collect::<Option<Vec<_>>>()?))
    }
}
