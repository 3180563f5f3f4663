//! Two sides of a question: values of one column that are told apart.

use super::{
    super::{
        cues::Gathering,
        items::Meaning,
        question::{Gather, Mention},
        roles::Role,
    },
    Builder,
};
use crate::question::{
    schema::ColumnRef,
    semantic::{Comparison, Condition, Operand, Scalar},
};

impl Builder<'_> {
    /// The column by which two named values are told apart: `how many are women and how many are men`.
    pub(super) fn contrast(&self) -> Option<ColumnRef> {
        // `the average age of men and women` is one of each.
        let of_each = |mention: &Mention| {
            matches!(
                mention.gathering,
                Some(
                    Gather::Median | Gather::Of(Gathering::Average | Gathering::Highest | Gathering::Lowest)
                )
            )
        };
        let each = !self.question.both && self.played(Role::Measure).any(|(mention, _)| of_each(mention));
        if self.question.counts < 2 && !self.question.versus && !self.question.difference && !each {
            return None;
        }
        let mut known: Vec<(ColumnRef, String)> = Vec::new();
        for (mention, sense) in self.played(Role::Condition) {
            let said = match &sense.meaning {
                Meaning::Value(at, stored) => Some((*at, stored.to_string())),
                Meaning::Filter(at) => self.coded(*at),
                _ => None,
            };
            if let Some((at, stored)) = said
                && !mention.negated
                && !(each && mention.alternative)
            {
                if known
                    .iter()
                    .any(|(known, other)| *known == at && *other != stored)
                {
                    return Some(at);
                }
                known.push((at, stored));
            }
        }
        None
    }

    /// The column and its code that a filter stands for.
    pub(super) fn coded(&self, filter: usize) -> Option<(ColumnRef, String)> {
        let filter = &self.context.model.filters[filter];
        match &filter.condition {
            Condition::Compare(
                Scalar::Column(of),
                Comparison::Equal,
                Operand::Text(code) | Operand::Number(code),
            ) if of.way.hops.is_empty() => {
                let at = ColumnRef {
                    table: filter.dataset,
                    column: of.column,
                };
                Some((at, code.clone()))
            }
            _ => None,
        }
    }
}
