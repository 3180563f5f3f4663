//! What is listed where only an enumeration says so: `exam results this autumn: pupil, date, mark`.

use super::{
    super::{
        items::{Meaning, Sense},
        question::Mention,
        roles::Role,
    },
    Builder,
};
use crate::question::semantic::FieldRole;

impl Builder<'_> {
    /// The table from whose rows all that is enumerated, and all that is said, can be told.
    pub(super) fn enumerated(&self, shown: &[(&Mention, &Sense)]) -> Option<usize> {
        if shown.len() < 2 || !shown.iter().all(|(mention, _)| mention.listed) {
            return None;
        }
        let said = self.played(Role::Condition);
        let mut tables: Vec<usize> = Vec::new();
        for (_, sense) in shown.iter().copied().chain(said) {
            let table = self.table_of(sense);
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        let reaches_all = |from: &usize| {
            let ways = self.context.ways(*from);
            tables.iter().all(|to| ways.single(*to).is_some())
        };
        tables.iter().copied().find(|table| reaches_all(table))
    }

    /// True for a bare `date` in an enumeration, taken for one of another table, where what is listed has a time itself.
    pub(super) fn is_other_date(&self, subject: usize, mention: &Mention, sense: &Sense) -> bool {
        let Meaning::Field(at) = sense.meaning else {
            return false;
        };
        mention.listed
            && mention.says_date
            && mention.end == mention.at + 1
            && self.context.model.field(at).role == FieldRole::Time
            && self.context.model.datasets[subject]
                .time
                .is_some_and(|time| at.table != subject || time != at.column)
    }
}
