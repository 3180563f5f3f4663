//! What must hold, before it is known over which tables that is reached.

use super::super::{ends::End, question::Mention};
use crate::question::{
    schema::ColumnRef,
    semantic::{Comparison, Condition},
};

/// A condition with the table in whose words it is.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) table: usize,
    pub(super) condition: Condition,
    pub(super) negated: bool,
    /// The token that says it.
    pub(super) at: usize,
    /// The token behind it.
    pub(super) end: usize,
    /// The end of a way that it is said of.
    pub(super) end_of_way: Option<End>,
    /// Either this holds, or the one before.
    pub(super) alternative: bool,
    /// Neither this holds nor the one before.
    pub(super) neither: bool,
    /// The column, where it has a stored value.
    pub(super) value_of: Option<ColumnRef>,
    /// Of how many rows it must hold, where it is one of related rows: `paid late more than 3 times`.
    pub(super) how_often: Option<(Comparison, u64)>,
}

impl Wanted {
    /// What is said of rows of a table by no mention.
    pub(super) fn of_rows(table: usize, condition: Condition) -> Self {
        Self {
            table,
            condition,
            negated: false,
            at: 0,
            end: 0,
            end_of_way: None,
            alternative: false,
            neither: false,
            value_of: None,
            how_often: None,
        }
    }

    /// What is said of rows of a table where a mention stands.
    pub(super) fn at(mention: &Mention, table: usize, condition: Condition) -> Self {
        Self {
            at: mention.at,
            end: mention.end,
            end_of_way: mention.end_of_way,
            ..Self::of_rows(table, condition)
        }
    }

    /// What a mention says of rows of a table.
    pub(super) fn said(mention: &Mention, table: usize, condition: Condition) -> Self {
        Self {
            negated: mention.denied(),
            alternative: mention.alternative,
            neither: mention.neither,
            ..Self::at(mention, table, condition)
        }
    }
}
