//! What runs before a statement, and how what follows reads its rows.

use std::ops::Range;

use super::{
    KeySequence,
    elements::elements,
    sql::{Sql, listed, sql},
    sql_expr::{SqlExpr, call, column_word, number, parameter},
};

/// A statement that runs before another.
#[derive(Debug, Clone)]
pub(crate) struct PrecedingStatement {
    pub(crate) sql: String,
    /// The number under which what follows reads its rows; see [`rows_of_step`].
    pub(crate) rows: Option<usize>,
    /// The sequence of the key that its rows get by themselves.
    pub(crate) key_sequence: Option<KeySequence>,
}

impl PrecedingStatement {
    /// One whose rows nobody reads.
    pub(super) fn new(sql: impl Into<String>) -> Self {
        Self {
            sql: sql.into(),
            rows: None,
            key_sequence: None,
        }
    }
}

/// What the parameters begin with that stand for the rows of a step. A client's own are `$1`, `$2` …
pub(crate) const ROWS: &str = "@rows";

/// The query that gives the first `width` columns of the rows of a step.
pub(super) fn rows_of_step(step: usize, width: usize) -> Sql {
    cells_of_step(step, 0..width)
}

/// The query that gives these columns of the rows of a step.
pub(super) fn cells_of_step(step: usize, cells: Range<usize>) -> Sql {
    let cell = |at| {
        let row = column_word("pg:kept", "key");
        call("pg_kept", [parameter_of_step(step), row, number(at)])
    };
    let rows = elements(call("pg_kept", [parameter_of_step(step)]), "pg:kept");
    sql!["SELECT ", listed(cells.map(cell)), " FROM ", rows]
}

/// The parameter that stands for the rows of a step.
pub(super) fn parameter_of_step(step: usize) -> SqlExpr {
    parameter(format!("{ROWS}{step}"))
}
