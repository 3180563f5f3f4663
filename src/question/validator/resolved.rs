//! What a query reads and returns, once every name in it has been found.

use super::scope::Bound;
use crate::question::schema::{ColumnKind, ColumnRef};

/// A query with its names resolved. Of a query with errors it holds what could be resolved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolved {
    /// The tables and views read, as positions in the schema, each once, ascending.
    pub tables: Vec<usize>,
    /// The columns read, each once, ascending; those behind a `*` included.
    pub columns: Vec<ColumnRef>,
    /// The output columns, in order.
    pub output: Vec<OutputColumn>,
    /// Every place where a column of a table is named, in the order of the text.
    pub uses: Vec<ColumnUse>,
    /// The highest `$n`.
    pub parameters: usize,
    /// True if a common table expression reads itself.
    pub recursive: bool,
    /// Every place where a table or view is named, in the order of the text.
    pub references: Vec<TableUse>,
    /// Every place where a column is named, in the order in which they were read.
    pub(super) bound: Vec<Bound>,
}

/// A place where a table or view is named in FROM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableUse {
    /// Where its name begins, in characters from 1, its namespace included.
    pub start: usize,
    /// Where its name has ended.
    pub end: usize,
    /// The table's position in the schema.
    pub table: usize,
    /// True if the query calls it otherwise.
    pub aliased: bool,
}

/// One column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputColumn {
    /// The name as the database will report it: the alias, the column's name, or the expression's text.
    pub name: String,
    /// The stored column that it passes on unchanged, through any number of subqueries.
    pub origin: Option<ColumnRef>,
    /// What it holds, where that is known.
    pub kind: Option<ColumnKind>,
    /// True if it is computed by an aggregate.
    pub aggregate: bool,
}

/// A place where a column is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnUse {
    /// The stored column.
    pub column: ColumnRef,
    /// The part of the SELECT in which it stands.
    pub clause: Clause,
    /// True inside an aggregate function.
    pub in_aggregate: bool,
    /// Where its name begins, qualifier included, in characters from 1.
    pub position: Option<usize>,
}

/// The parts of a SELECT.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Clause {
    /// What is selected.
    #[default]
    Select,
    /// Join conditions, and arguments of table functions.
    From,
    /// WHERE.
    Where,
    /// GROUP BY.
    GroupBy,
    /// HAVING.
    Having,
    /// ORDER BY.
    OrderBy,
    /// LIMIT and OFFSET.
    Limit,
}
