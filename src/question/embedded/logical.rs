//! A query before it is SQL: what is selected, from which tables, under which conditions.

use crate::question::schema::ColumnRef;

/// One SELECT, perhaps combined with another.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Query {
    pub(crate) distinct: bool,
    /// Of several keys between two tables, the ones to join by.
    pub(crate) keys: Vec<usize>,
    pub(crate) select: Vec<Expression>,
    /// Tables that must be joined even if no expression uses them.
    pub(crate) tables: Vec<usize>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) group: Vec<Expression>,
    pub(crate) having: Vec<Comparison>,
    pub(crate) order: Vec<(Expression, Direction)>,
    pub(crate) limit: Option<u64>,
    /// Only how many rows there are is asked for.
    pub(crate) counted: bool,
    /// Rows that this query must have as well (`INTERSECT`).
    pub(crate) intersect: Option<Box<Query>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expression {
    Column(ColumnRef),
    /// Every column of a table.
    Row(usize),
    /// `COUNT(*)`.
    CountRows,
    Aggregate {
        function: Function,
        distinct: bool,
        column: ColumnRef,
    },
    /// The year or month of a date, as text.
    Part(DatePart, ColumnRef),
    /// The constant of an existence test.
    One,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatePart {
    /// `YYYY`
    Year,
    /// `YYYY-MM`
    Month,
    /// `YYYY-MM-DD`
    Day,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Count,
    Average,
    Sum,
    Maximum,
    Minimum,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filter {
    Compare(Comparison),
    /// At least one of them holds.
    Any(Vec<Comparison>),
    /// `column [NOT] IN (query)`.
    In {
        column: ColumnRef,
        query: Box<Query>,
        negated: bool,
    },
    /// `[NOT] EXISTS (query)` with the pairs of outer and inner columns that tie them together.
    Exists {
        ties: Vec<(ColumnRef, ColumnRef)>,
        query: Box<Query>,
        negated: bool,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) left: Expression,
    pub(crate) operator: Comparator,
    pub(crate) right: Operand,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparator {
    Equal,
    NotEqual,
    Greater,
    AtLeast,
    Less,
    AtMost,
    Like,
    NotLike,
    Between,
    IsNull,
    IsNotNull,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand {
    Text(String),
    /// As SQL writes it.
    Number(String),
    Parameter(usize),
    Range(Box<Operand>, Box<Operand>),
    Query(Box<Query>),
    /// The other side of `IS NULL`.
    Nothing,
}

impl Comparator {
    /// What holds where this does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Greater => Self::AtMost,
            Self::AtLeast => Self::Less,
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::Greater,
            Self::Like => Self::NotLike,
            Self::NotLike => Self::Like,
            Self::IsNull => Self::IsNotNull,
            Self::IsNotNull => Self::IsNull,
            Self::Between => Self::Between,
        }
    }
}

impl Expression {
    /// The column that it is made of.
    pub(crate) fn column(&self) -> Option<ColumnRef> {
        match self {
            Self::Column(column) | Self::Part(_, column) | Self::Aggregate { column, .. } => Some(*column),
            Self::Row(_) | Self::CountRows | Self::One => None,
        }
    }

    /// True for counts, sums and the like.
    pub(crate) fn is_aggregate(&self) -> bool {
        matches!(self, Self::CountRows | Self::Aggregate { .. })
    }
}

impl Query {
    /// The tables that it reads, in the order in which they are named; subqueries not counted.
    pub(crate) fn tables_read(&self) -> Vec<usize> {
        let mut tables = Vec::new();
        let mut add = |table: usize| {
            if !tables.contains(&table) {
                tables.push(table);
            }
        };
        for expression in self
            .select
            .iter()
            .chain(self.order.iter().map(|(expression, _)| expression))
        {
            match expression {
                Expression::Row(table) => add(*table),
                other => other.column().into_iter().for_each(|column| add(column.table)),
            }
        }
        self.tables.iter().copied().for_each(&mut add);
        for filter in &self.filters {
            match filter {
                Filter::Compare(comparison) => {
                    comparison.left.column().into_iter().for_each(|c| add(c.table));
                }
                Filter::Any(any) => any
                    .iter()
                    .filter_map(|c| c.left.column())
                    .for_each(|c| add(c.table)),
                Filter::In { column, .. } => add(column.table),
                Filter::Exists { ties, .. } => ties.iter().for_each(|(outer, _)| add(outer.table)),
            }
        }
        self.group
            .iter()
            .filter_map(Expression::column)
            .for_each(|column| add(column.table));
        self.having
            .iter()
            .filter_map(|c| c.left.column())
            .for_each(|c| add(c.table));
        tables
    }
}
