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
use crate::question::{
    schema::Schema,
    semantic::{Comparison, Condition, DatasetRole, SemanticModel},
};

impl Builder<'_> {
    /// `shoes under 100 euros`: what is listed, by a value that stands for it, costs less.
    pub(super) fn cheaper_of_value(&self, subject: usize) -> Option<Wanted> {
        let mut values = self.played(Role::Condition).map(|(mention, _)| mention);
        let mention = values.find(|mention| mention.compared.is_some())?;
        let (comparison, number) = mention.compared.as_ref()?;
        if *comparison == Comparison::Equal || !matches!(number, Number::Written(_)) {
            return None;
        }
        let price = Condition::Compare(self.price(subject)?, *comparison, operand(number));
        Some(Wanted::at(mention, subject, mention.both_ends(price, operand)))
    }

    /// What a value that stands for what is listed is said of: of its own table, or as a second choice of what refers to that
    /// table: `tents` are products of the category.
    pub(super) fn of_value(&mut self, sense: &Sense, alone: bool) -> Option<usize> {
        let table = self.table_of(sense);
        let model = self.context.model;
        let at = match sense.meaning {
            Meaning::Value(at, _) => at,
            // `desk lamps under 50 euros`: what is called so is what is listed.
            Meaning::Part(..) => {
                self.of_value = alone;
                return Some(table);
            }
            _ => return Some(table),
        };
        if !alone || !model.datasets[table].display.contains(&at.column) {
            return Some(table);
        }
        self.choices = 2;
        if self.choice == 0 {
            return Some(table);
        }
        self.of_value = true;
        referring(table, &self.context.snapshot.schema, model)
    }
}

/// The things that a table tells the kinds of: what refers to it, also over a table that only links.
pub(in super::super) fn referring(table: usize, schema: &Schema, model: &SemanticModel) -> Option<usize> {
    let keys = || schema.foreign_keys.iter();
    let linked = |from: usize| {
        let mut others = keys().filter(|key| key.from[0].table == from && key.to[0].table != table);
        let only = others.next().map(|key| key.to[0].table);
        only.filter(|_| model.datasets[from].role == DatasetRole::Link && others.next().is_none())
    };
    let referring = keys()
        .filter(|key| key.to[0].table == table && key.from[0].table != table)
        .map(|key| key.from[0].table)
        .map(|from| linked(from).unwrap_or(from));
    // Things rather than what happened with them.
    referring.max_by_key(|from| {
        (
            model.datasets[*from].role == DatasetRole::Entity,
            schema.tables[*from].rows,
        )
    })
}
