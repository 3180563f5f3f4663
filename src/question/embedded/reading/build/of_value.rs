//! Lists of what a stored value stands for: `shoes` are products of the category.

use super::{
    super::{
        items::{Meaning, Sense},
        question::Number,
        roles::Role,
    },
    Builder, Wanted,
    operands::operand,
};
use crate::question::semantic::{Comparison, Condition, DatasetRole};

impl Builder<'_> {
    /// `shoes under 100 euros`: what is listed, by a value that stands for it, costs less.
    pub(super) fn cheaper_of_value(&self, subject: usize) -> Option<Wanted> {
        let (mention, _) = self.played(Role::Condition).next()?;
        let (comparison, number) = mention.compared.as_ref()?;
        if *comparison == Comparison::Equal || !matches!(number, Number::Written(_)) {
            return None;
        }
        Some(Wanted {
            table: subject,
            condition: mention.both_ends(
                Condition::Compare(self.price(subject)?, *comparison, operand(number)),
                operand,
            ),
            negated: false,
            at: mention.at,
            end: mention.end,
            alternative: false,
            value_of: None,
            how_often: None,
        })
    }

    /// What a value that stands for what is listed is said of: of its own table, or as a second choice of what refers to that
    /// table: `tents` are products of the category.
    pub(super) fn of_value(&mut self, sense: &Sense, alone: bool) -> Option<usize> {
        let table = self.table_of(sense);
        let model = self.context.model;
        let Meaning::Value(at, _) = sense.meaning else {
            return Some(table);
        };
        if !alone || !model.datasets[table].display.contains(&at.column) {
            return Some(table);
        }
        self.choices = 2;
        if self.choice == 0 {
            return Some(table);
        }
        self.of_value = true;
        let schema = &self.context.snapshot.schema;
        let keys = schema.foreign_keys.iter();
        let referring = keys
            .filter(|key| key.to[0].table == table && key.from[0].table != table)
            .map(|key| key.from[0].table);
        // Things rather than what happened with them.
        referring.max_by_key(|from| {
            (
                model.datasets[*from].role == DatasetRole::Entity,
                schema.tables[*from].rows,
            )
        })
    }
}
