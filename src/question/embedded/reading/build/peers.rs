//! Whose average something is compared with: `earn more than the average of their department`.

use super::{super::items::Meaning, Builder};
use crate::question::semantic::{Aggregate, Attribute, Comparison, Condition, Scalar};

impl Builder<'_> {
    /// The column that is the same in all rows that a row is compared with, where the question says which these are; nothing
    /// where the rows have no such column.
    #[expect(clippy::option_option, reason = "there are none, or none are asked for")]
    pub(super) fn peers(&self, table: usize) -> Option<Option<Attribute>> {
        if self.question.peers.is_empty() {
            return Some(None);
        }
        let keys = &self.context.snapshot.schema.foreign_keys;
        let column = self.question.peers.iter().find_map(|sense| match sense.meaning {
            Meaning::Field(at) => (at.table == table).then_some(at.column),
            Meaning::Dataset(to) => {
                let mut there = keys
                    .iter()
                    .filter(|key| key.from.len() == 1 && key.from[0].table == table && key.to[0].table == to);
                there.next().map(|key| key.from[0].column)
            }
            _ => None,
        });
        column.map(|column| Some(Attribute::own(column)))
    }
}

/// What is more or less than the average of all, or of those that share something with it.
pub(super) fn to_average(of: Scalar, comparison: Comparison, peers: Option<Attribute>) -> Condition {
    let average = Box::new(Aggregate::Average(of.clone()));
    Condition::ToAll(of, comparison, average, Vec::new(), peers)
}
