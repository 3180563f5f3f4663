//! A parsed query taken apart: its SELECTs, what each shows, tests, groups and orders, and the literals in it, with
//! the stored columns behind the names. For those who compare a statement with what was asked for.

use sqlparser::ast::SetOperator;

use super::{
    names::{meant, same},
    parse::{Lines, Parsed},
    resolved::{Clause, Resolved},
    start::Start,
};
use crate::question::schema::{ColumnRef, Dialect, Schema};

mod builder;
mod conditions;
mod parts;

use builder::SummaryBuilder;

/// All SELECTs of a query and what they are made of.
#[derive(Debug, Default)]
pub(super) struct QuerySummary {
    /// The SELECTs; those of WITH stand before the one that reads them.
    pub(super) blocks: Vec<Block>,
    /// What combines results, in the order of the text, with the SELECT that stands behind each.
    pub(super) combined: Vec<(SetOperator, usize)>,
    /// The conditions of WHERE, ON and HAVING, taken apart at AND, OR and NOT.
    pub(super) tests: Vec<Test>,
    /// The aggregates called, wherever they stand.
    pub(super) aggregates: Vec<Aggregate>,
    /// The literals, but for those of LIMIT and for positions in ORDER BY.
    pub(super) literals: Vec<Literal>,
}

/// One SELECT.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) role: Role,
    /// The SELECT around it.
    pub(super) parent: Option<usize>,
    /// It says what must not be: behind NOT IN, NOT EXISTS or EXCEPT.
    pub(super) negated: bool,
    pub(super) distinct: bool,
    /// It keeps the first row of each group: DISTINCT ON.
    pub(super) first_of_each: bool,
    /// What it reads.
    pub(super) tables: Vec<usize>,
    /// Items of FROM, subqueries included.
    pub(super) sources: usize,
    /// One of its joins is an outer one.
    pub(super) outer_join: bool,
    /// The tables on whose side of an outer join a row may be missing.
    pub(super) optional: Vec<usize>,
    /// What it shows.
    pub(super) shown: Vec<Term>,
    pub(super) group: Vec<Term>,
    pub(super) having: bool,
    /// Its terms of order, each with true where it descends.
    pub(super) order: Vec<(Term, bool)>,
    pub(super) limit: Option<Limit>,
    /// Where it begins, in characters from 1.
    pub(super) position: Option<usize>,
}

/// What a SELECT is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// It gives the rows of the answer.
    #[default]
    Main,
    /// It stands in FROM or WITH.
    Source,
    /// It stands in a condition.
    Condition,
    /// It is one value of what is shown or ordered by.
    Value,
}

/// How many rows LIMIT leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    Rows(u64),
    /// A parameter, or something to be computed.
    Other,
}

/// An expression, as far as it matters here.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Column(ColumnRef),
    Aggregate(Aggregate),
    Literal(Literal),
    /// A subquery, by its first SELECT.
    Query(usize),
    /// Every column.
    Star,
    /// Anything else, with the first stored column in it.
    Other(Option<ColumnRef>),
}

/// A call of an aggregate function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aggregate {
    /// In lower case.
    pub(super) name: String,
    pub(super) distinct: bool,
    /// What it aggregates, where that is a stored column.
    pub(super) column: Option<ColumnRef>,
    /// It aggregates amounts that are reckoned from what is stored: no CASE, no truth value.
    pub(super) of_amounts: bool,
    pub(super) block: usize,
    pub(super) clause: Clause,
    pub(super) position: Option<usize>,
}

/// A literal in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) value: Constant,
    /// From where to where it reaches, in characters from 1, the end exclusive.
    pub(super) span: Option<(usize, usize)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Constant {
    Text(String),
    /// As written, with its sign.
    Number(String),
    /// NULL, truth values, parameters.
    Other,
}

/// One condition.
#[derive(Debug, Clone)]
pub(super) struct Test {
    pub(super) block: usize,
    pub(super) clause: Clause,
    pub(super) kind: TestKind,
    pub(super) left: Term,
    /// What it is compared with: two of BETWEEN, any number of IN, none of IS NULL.
    pub(super) right: Vec<Term>,
    /// It holds where the comparison does not.
    pub(super) negated: bool,
    /// It is one side of an OR.
    pub(super) alternative: bool,
    pub(super) position: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestKind {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Between,
    In,
    Exists,
    Like,
    Null,
    /// A truth value by itself, or an operator of another kind.
    Other,
}

/// Takes a query apart.
pub(super) fn summarize(
    parsed: &Parsed,
    resolved: &Resolved,
    schema: &Schema,
    dialect: Dialect,
) -> QuerySummary {
    let columns = resolved
        .uses
        .iter()
        .filter_map(|used| Some((used.position?, used.column)))
        .collect();
    let mut builder = SummaryBuilder::new(schema, dialect, &parsed.lines, columns);
    builder.query(&parsed.query, Role::Main, None, false);
    builder.summary
}

impl Term {
    /// The stored column that it is made of.
    pub(super) fn column(&self) -> Option<ColumnRef> {
        match self {
            Self::Column(column) => Some(*column),
            Self::Aggregate(aggregate) => aggregate.column,
            Self::Other(column) => *column,
            Self::Literal(_) | Self::Query(_) | Self::Star => None,
        }
    }
}

impl QuerySummary {
    /// The SELECTs that give the rows of the answer.
    pub(super) fn main(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(|block| block.role == Role::Main)
    }
}
