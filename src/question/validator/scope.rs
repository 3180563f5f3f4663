//! The names in reach at one place of a query: the tables of each SELECT around it, and their columns.

use std::rc::Rc;

use sqlparser::ast::Ident;

use super::names::{meant, same};
use super::resolved::Clause;
use crate::question::schema::{ColumnKind, ColumnRef, Dialect, Schema};

/// What a query, a subquery or a common table expression gives to the query around it.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// `None` where an error has made the columns unknown; then nothing more is said about them.
    pub(super) outputs: Option<Rc<[Output]>>,
    /// It cannot have more than one row.
    pub(super) single_row: bool,
}

/// One output column.
#[derive(Debug, Clone)]
pub(super) struct Output {
    pub(super) name: String,
    /// The name was given with AS.
    pub(super) alias: bool,
    pub(super) value: Value,
    /// The expression as it stands, where it stands.
    pub(super) written: Rc<str>,
    /// The expression in lower case, to find it again in ORDER BY.
    pub(super) text: Rc<str>,
}

/// What is known of an expression.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    pub(super) kind: Option<ColumnKind>,
    /// The stored column that it is, unchanged.
    pub(super) origin: Option<ColumnRef>,
    /// The column of a scope that it is, unchanged.
    pub(super) place: Option<ScopedColumn>,
    /// It contains an aggregate of the innermost SELECT.
    pub(super) aggregate: bool,
    /// The literal that it is.
    pub(super) literal: Option<Literal>,
    /// It is made of literals and parameters alone.
    pub(super) constant: bool,
}

/// A literal in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Literal {
    Text(String),
    Number,
    Null,
    Boolean,
}

/// A column of one of the sources in reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ScopedColumn {
    /// How many SELECTs stand around the one that the source belongs to.
    pub(super) level: usize,
    pub(super) source: usize,
    /// Position among the source's columns, or [`ROWID`].
    pub(super) column: usize,
}

/// The column number that stands for SQLite's hidden row number.
pub(super) const ROWID: usize = usize::MAX;

/// The source number that stands for the select list, whose aliases are names too.
pub(super) const ALIAS: usize = usize::MAX;

/// A place of the text where a column is named, and which one it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bound {
    /// Where its name begins, qualifier included, in characters from 1.
    pub(super) position: Option<usize>,
    pub(super) place: ScopedColumn,
    /// Where its source stands.
    pub(super) source: Option<usize>,
    /// The stored column behind it.
    pub(super) origin: Option<ColumnRef>,
}

/// One item of FROM.
#[derive(Debug, Clone)]
pub(super) struct FromSource {
    /// The alias, or else the table's name; empty for a subquery without one.
    pub(super) name: String,
    pub(super) columns: Columns,
    /// Columns that USING or NATURAL made one with those of an earlier source; lower case.
    pub(super) merged: Vec<String>,
    pub(super) single_row: bool,
    pub(super) position: Option<usize>,
}

/// Where a source's columns are written down.
#[derive(Debug, Clone)]
pub(super) enum Columns {
    Table(usize),
    Query(Rc<[Output]>),
    Unknown,
}

/// A place where a column of the scope's own sources is named.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    pub(super) place: ScopedColumn,
    pub(super) clause: Clause,
    pub(super) in_aggregate: bool,
    pub(super) position: Option<usize>,
}

/// What has been seen of one SELECT.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) dialect: Dialect,
    pub(super) sources: Vec<FromSource>,
    /// The select list, once it is resolved: its aliases are names too.
    pub(super) outputs: Vec<Output>,
    /// Where the text is being read.
    pub(super) clause: Clause,
    pub(super) in_aggregate: bool,
    /// Rows that show the same are one.
    pub(super) distinct: bool,
    /// A function gives each row several times.
    pub(super) returns_sets: bool,
    pub(super) uses: Vec<Use>,
    /// Names of the aggregates called, in lower case.
    pub(super) aggregates: Vec<String>,
    /// Expressions of GROUP BY, in lower case: what they contain is not a use of its own.
    pub(super) grouped_texts: Vec<String>,
    pub(super) windows: Vec<String>,
    /// Columns that a condition makes equal.
    pub(super) equalities: Vec<Equality>,
    /// Columns that a condition makes equal to something that is the same for every row.
    pub(super) fixed: Vec<ScopedColumn>,
    /// Sources that some condition relates.
    pub(super) related: Vec<Vec<usize>>,
    /// A join keeps rows without a partner, in which no column of the other side is equal to anything.
    pub(super) outer: bool,
}

/// `left = right` between two columns, as a condition that every row meets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Equality {
    pub(super) left: ScopedColumn,
    pub(super) right: ScopedColumn,
    pub(super) position: Option<usize>,
}

impl FromSource {
    /// The position of a column by name.
    pub(super) fn column_named(&self, schema: &Schema, name: &str, dialect: Dialect) -> Option<usize> {
        match &self.columns {
            Columns::Table(table) => schema.tables[*table]
                .columns
                .iter()
                .position(|column| same(&column.name, name, dialect)),
            Columns::Query(outputs) => outputs
                .iter()
                .position(|output| same(&output.name, name, dialect)),
            Columns::Unknown => None,
        }
    }

    /// The names of its columns.
    pub(super) fn column_names<'s>(&'s self, schema: &'s Schema) -> Vec<&'s str> {
        match &self.columns {
            Columns::Table(table) => schema.tables[*table]
                .columns
                .iter()
                .map(|column| column.name.as_str())
                .collect(),
            Columns::Query(outputs) => outputs.iter().map(|output| output.name.as_str()).collect(),
            Columns::Unknown => vec![],
        }
    }

    /// A column as an expression.
    pub(super) fn value(&self, schema: &Schema, place: ScopedColumn) -> Value {
        let (kind, origin) = match &self.columns {
            _ if place.column == ROWID => (Some(ColumnKind::Integer), None),
            Columns::Table(table) => {
                let origin = ColumnRef {
                    table: *table,
                    column: place.column,
                };
                (Some(schema.column(origin).kind), Some(origin))
            }
            Columns::Query(outputs) => {
                let value = &outputs[place.column].value;
                (value.kind, value.origin)
            }
            Columns::Unknown => (None, None),
        };
        Value {
            kind,
            origin,
            place: Some(place),
            ..Value::default()
        }
    }

    /// The table behind it, if it is one.
    pub(super) fn table(&self) -> Option<usize> {
        match self.columns {
            Columns::Table(table) => Some(table),
            _ => None,
        }
    }

    /// True if the text may call it so.
    pub(super) fn is_called(&self, name: &Ident, dialect: Dialect) -> bool {
        !self.name.is_empty() && same(&self.name, &meant(name, dialect), dialect)
    }
}

impl Scope {
    /// Of a SELECT of which nothing is known yet.
    pub(super) fn of(dialect: Dialect) -> Self {
        Self {
            dialect,
            ..Self::default()
        }
    }
}

impl Relation {
    /// The result of something that could not be resolved.
    pub(super) fn unknown() -> Self {
        Self {
            outputs: None,
            single_row: false,
        }
    }

    /// The columns as a source has them.
    pub(super) fn columns(&self) -> Columns {
        self.outputs
            .as_ref()
            .map_or(Columns::Unknown, |outputs| Columns::Query(Rc::clone(outputs)))
    }
}
