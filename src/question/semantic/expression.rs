//! Values, conditions and measures over what tables are about: what metrics, filters and questions are made of.

use super::{Grain, Part, Unit};
use crate::question::schema::Schema;

/// A way from one table to another over keys, beginning at the table that the whole is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Way {
    /// One key after the other.
    pub hops: Vec<Hop>,
}

/// One key of a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hop {
    /// Position in [`crate::question::schema::Schema::foreign_keys`].
    pub key: usize,
    /// True from the row that refers to the one that it refers to; false from that to those that refer to it.
    pub up: bool,
}

/// A column at the end of a way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Attribute {
    /// The way to its table: to one row at most.
    pub way: Way,
    /// Its position there.
    pub column: usize,
}

/// A value of one row.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// A column.
    Column(Attribute),
    /// A number, as SQL writes it.
    Number(String),
    /// A product.
    Times(Box<Scalar>, Box<Scalar>),
    /// A difference.
    Minus(Box<Scalar>, Box<Scalar>),
    /// A quotient, with its fraction; missing where it divides by 0.
    Over(Box<Scalar>, Box<Scalar>),
    /// The first, or where it is missing the second.
    Or(Box<Scalar>, Box<Scalar>),
    /// How long from the first to the second, in a unit, with its fraction.
    Span(Box<Scalar>, Box<Scalar>, Unit),
    /// The beginning of the period that a time lies in, written as people write it.
    Period(Attribute, Grain),
    /// A part of a time, such as its weekday.
    Part(Attribute, Part),
    /// A day or moment that the question names, as ISO text.
    Moment(String),
    /// 1 where the condition holds, 0 where it does not.
    Truth(Box<Condition>),
    /// What is made of the rows at the far end of a way of which there may be many.
    Figure(Way, Box<Aggregate>),
    /// What somebody wrote, over columns.
    Written(Vec<Piece<Term>>),
}

/// What an expression that somebody wrote is over.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// A column.
    Column(Attribute),
    /// A figure over rows that belong to the row.
    Figure(Box<Figure>),
}

/// A figure over the rows that belong to one row, at the far end of a way.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The way there; it ends at rows of which there may be many.
    pub way: Way,
    /// What is made of them.
    pub aggregate: Aggregate,
    /// Which of them count; in words of the far table.
    pub conditions: Vec<Condition>,
}

/// A part of SQL that somebody wrote: its text as the database's dialect has it, or something that is put in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece<T> {
    /// Text that stays as it is.
    Text(String),
    /// What is written in its place.
    Part(T),
}

/// What must hold of one row.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Two values compared.
    Compare(Scalar, Comparison, Operand),
    /// One of some values.
    In(Scalar, Vec<Operand>),
    /// Text that fits a pattern, letter case ignored.
    Like(Attribute, String),
    /// There is no value; an empty text counts as none where the column has no NULL.
    Missing(Attribute),
    /// A flag that is set, or is not.
    Flag(Attribute, bool),
    /// A time from the first day on and before the second, as ISO dates.
    During(Attribute, Option<String>, Option<String>),
    /// So many rows at the far end of a way, for which conditions hold in words of the far table.
    Related {
        /// The way there.
        way: Way,
        /// How many there must be.
        how_many: (Comparison, u64),
        /// Which of them count.
        conditions: Vec<Condition>,
    },
    /// A value compared with a figure over all rows of the table for which the conditions hold, or over those that have the
    /// same in a column.
    ToAll(
        Scalar,
        Comparison,
        Box<Aggregate>,
        Vec<Condition>,
        Option<Attribute>,
    ),
    /// It is of the last moment of all rows (or the first), for each of some values on its own: what there is at an end is
    /// not added up over time.
    AtEnd {
        /// When a row was.
        time: Attribute,
        /// True for the first moment in place of the last.
        first: bool,
        /// The values that have an end each.
        each: Vec<Scalar>,
        /// What must hold of the rows that the end is looked for among.
        among: Vec<Condition>,
    },
    /// None of it holds. A missing value is no proof that it does.
    Not(Box<Condition>),
    /// One of them holds.
    Any(Vec<Condition>),
    /// All of them hold.
    All(Vec<Condition>),
    /// What somebody wrote, over columns.
    Written(Vec<Piece<Term>>),
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`.
    Equal,
    /// `<>`.
    NotEqual,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
}

/// What a value is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// Text.
    Text(String),
    /// A number, as SQL writes it.
    Number(String),
    /// A value that is bound later.
    Parameter(usize),
    /// Another value of the row.
    Scalar(Scalar),
}

/// What is made of many rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Aggregate {
    /// How many there are.
    Count,
    /// How many different values.
    CountDistinct(Scalar),
    /// Their sum.
    Sum(Scalar),
    /// Their average.
    Average(Scalar),
    /// The lowest.
    Minimum(Scalar),
    /// The highest.
    Maximum(Scalar),
    /// The one in the middle.
    Median(Scalar),
}

/// How a measure comes about.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// An aggregate of rows of one table.
    Rows {
        /// The table.
        table: usize,
        /// What is made of its rows.
        aggregate: Aggregate,
        /// Which rows count, for this measure alone.
        conditions: Vec<Condition>,
        /// When they happened, where that is not the main time of the table.
        time: Option<Attribute>,
    },
    /// The first divided by the second; times 100 where it is told in percent.
    Ratio(Box<Formula>, Box<Formula>, bool),
    /// The first less the second.
    Difference(Box<Formula>, Box<Formula>),
    /// A part of the total over all groups, or over those that share these dimensions; in percent or as a fraction.
    Share(Box<Formula>, Vec<usize>, bool),
    /// The sum up to and with this group, in the order of the dimension at this place.
    Running(Box<Formula>, usize),
    /// The average of so many groups up to this one, in the order of the dimension at this place.
    Moving(Box<Formula>, usize, u64),
    /// How much more than in the group before, so many groups back: as a difference, or in percent of that.
    Growth(Box<Formula>, usize, u64, Change),
    /// What somebody wrote, over other formulas.
    Written(Vec<Piece<Formula>>),
}

/// How a change is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// The value before.
    Before,
    /// The difference.
    Absolute,
    /// The difference as a fraction of the value before.
    Fraction,
    /// The difference in percent of the value before.
    Percent,
}

impl Way {
    /// The way that goes nowhere.
    pub fn here() -> Self {
        Self::default()
    }

    /// The way over one reference to what is referred to.
    pub fn up(key: usize) -> Self {
        Self {
            hops: vec![Hop { key, up: true }],
        }
    }

    /// The table that it leads to from another one.
    pub fn end(&self, start: usize, schema: &Schema) -> usize {
        self.hops.last().map_or(start, |hop| {
            let key = &schema.foreign_keys[hop.key];
            let end = if hop.up { &key.to } else { &key.from };
            end[0].table
        })
    }

    /// True if every row has one partner at most at its end.
    pub fn is_single(&self) -> bool {
        self.hops.iter().all(|hop| hop.up)
    }

    /// This way and another one from its end.
    #[must_use]
    pub fn then(&self, further: &Self) -> Self {
        Self {
            hops: self.hops.iter().chain(&further.hops).copied().collect(),
        }
    }
}

impl Attribute {
    /// A column of the table itself.
    pub fn own(column: usize) -> Self {
        Self {
            way: Way::here(),
            column,
        }
    }
}

impl Term {
    /// The same of a row at the end of a way.
    #[must_use]
    pub fn after(&self, way: &Way) -> Self {
        match self {
            Self::Column(attribute) => Self::Column(Attribute {
                way: way.then(&attribute.way),
                column: attribute.column,
            }),
            Self::Figure(figure) => Self::Figure(Box::new(Figure {
                way: way.then(&figure.way),
                ..(**figure).clone()
            })),
        }
    }
}

impl<T> Piece<T> {
    /// With something else put in.
    pub fn map<O>(&self, change: impl FnOnce(&T) -> O) -> Piece<O> {
        match self {
            Self::Text(text) => Piece::Text(text.clone()),
            Self::Part(part) => Piece::Part(change(part)),
        }
    }
}

impl Aggregate {
    /// The values that it adds up, averages or ranks; a count has none.
    pub fn amount(&self) -> Option<&Scalar> {
        match self {
            Self::Count | Self::CountDistinct(_) => None,
            Self::Sum(of) | Self::Average(of) | Self::Minimum(of) | Self::Maximum(of) | Self::Median(of) => {
                Some(of)
            }
        }
    }
}

impl Formula {
    /// The aggregates of rows that it is made of, in the order in which they stand.
    pub fn aggregates(&self) -> Vec<&Self> {
        match self {
            Self::Rows { .. } => vec![self],
            Self::Ratio(one, other, _) | Self::Difference(one, other) => {
                one.aggregates().into_iter().chain(other.aggregates()).collect()
            }
            Self::Share(of, ..) | Self::Running(of, _) | Self::Moving(of, ..) | Self::Growth(of, ..) => {
                of.aggregates()
            }
            Self::Written(pieces) => {
                let parts = pieces.iter().filter_map(|piece| match piece {
                    Piece::Part(of) => Some(of.aggregates()),
                    Piece::Text(_) => None,
                });
                parts.flatten().collect()
            }
        }
    }

    /// Changes each of these.
    pub fn each_aggregate<E>(&mut self, work: &mut dyn FnMut(&mut Self) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::Rows { .. } => work(self),
            Self::Ratio(one, other, _) | Self::Difference(one, other) => {
                one.each_aggregate(work)?;
                other.each_aggregate(work)
            }
            Self::Share(of, ..) | Self::Running(of, _) | Self::Moving(of, ..) | Self::Growth(of, ..) => {
                of.each_aggregate(work)
            }
            Self::Written(pieces) => pieces.iter_mut().try_for_each(|piece| match piece {
                Piece::Part(of) => of.each_aggregate(work),
                Piece::Text(_) => Ok(()),
            }),
        }
    }

    /// The table of the first of them.
    pub fn table(&self) -> Option<usize> {
        self.aggregates()
            .into_iter()
            .find_map(|aggregate| match aggregate {
                Self::Rows { table, .. } => Some(*table),
                _ => None,
            })
    }
}
