//! Analytic queries: what is measured, by what, under which conditions, ranked and compared how. A question is read into
//! one, a metric is one, and [`compile`] writes each as SQL that counts nothing twice.

mod compile;
mod time;

pub(crate) use compile::way_between;
pub use compile::{Expressions, NoWay, compile, condition_sql, formula_sql, scalar_sql};

use crate::question::semantic::{Comparison, Condition, Figure, Formula, Grain, Scalar, Way};

/// A query over what tables are about.
#[derive(Debug, Clone, PartialEq)]
pub enum AnalyticQuery {
    /// Rows of one table, each with what belongs to it.
    List(List),
    /// Measures by groups.
    Summary(Summary),
}

/// Rows of one table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct List {
    /// The table that a row of the result is a row of.
    pub subject: usize,
    /// What is shown of each, in this order.
    pub shown: Vec<Shown>,
    /// What must hold of it.
    pub conditions: Vec<Condition>,
    /// True where equal rows are shown once.
    pub distinct: bool,
    /// In which order, and how many.
    pub rank: Rank,
    /// Places of `shown` that decide over the order and are not shown.
    pub hidden: Vec<usize>,
    /// True where a row stays though what it belongs to is missing.
    pub keep_missing: bool,
}

/// What a list shows of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// A value of the row, or of what it belongs to.
    Value(Scalar),
    /// A figure over rows that belong to it. Where there are none, a count is 0 and all else is missing.
    Figure(Figure),
}

/// Measures by groups.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// What is measured. The rows measured are those of its table.
    pub measures: Vec<Measure>,
    /// By what; without any there is one row.
    pub by: Vec<Dimension>,
    /// What groups must keep: the measure at this place of `measures` compared with a number.
    pub having: Vec<(usize, Comparison, String)>,
    /// What groups must keep: the measure at this place compared with the same of all rows, or of adding ones with the
    /// average of the groups.
    pub than_all: Vec<(usize, Comparison)>,
    /// What groups must keep: the measure at the first place compared with the one at the other; what is missing is nothing.
    pub than_other: Vec<(usize, Comparison, usize)>,
    /// In which order, and how many.
    pub rank: Rank,
    /// Measures that decide over groups and order and are not shown.
    pub hidden: Vec<usize>,
    /// True where rows without a value of a dimension are a group of their own; else they are left out.
    pub keep_missing: bool,
}

/// In which order rows come, and how many of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rank {
    /// By their place, from 0: of a summary dimensions, then measures; of a list what it shows. And whether the highest
    /// comes first.
    pub by: Vec<(usize, bool)>,
    /// How many rows at most.
    pub limit: Option<u64>,
    /// How many of the first are left out: 1 for the second best.
    pub skip: u64,
    /// What the rank begins anew for, by its place: dimensions of a summary, of a list what it shows.
    pub within: Vec<usize>,
    /// True where rows that tie with the last are shown too.
    pub ties: bool,
}

/// What a summary is made by.
#[derive(Debug, Clone, PartialEq)]
pub struct Dimension {
    /// What it is called in the result, where its column's name does not say it.
    pub name: Option<String>,
    /// How it is reached from each table that is measured.
    pub from: Vec<(usize, Grouping)>,
}

/// How rows are grouped.
#[derive(Debug, Clone, PartialEq)]
pub enum Grouping {
    /// By rows of another table: grouped by its key, shown by its names.
    Entity(Way),
    /// By a value.
    Value(Scalar),
    /// By the period in which what is measured happened.
    Time(Grain),
}

/// Something measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// What it is called in the result.
    pub name: String,
    /// How it comes about.
    pub formula: Formula,
}
