//! What was cancelled, so that sums can leave it out.

use super::{
    super::{items::Meaning, ways::rebased},
    Builder,
};
use crate::{
    schema::ColumnRef,
    semantic::{Attribute, Comparison, Condition, DatasetRole, FieldRole, Operand, Scalar},
};

impl Builder<'_> {
    /// That a row of a table, or what it is a part of, was not cancelled. `None` where nothing says so, or the question
    /// itself speaks of it.
    pub(super) fn not_cancelled(&self, table: usize) -> Option<Condition> {
        let ways = self.context.ways(table);
        let datasets = &self.context.model.datasets;
        (0..datasets.len())
            .filter(|of| *of == table || datasets[*of].role == DatasetRole::Event)
            .filter_map(|of| {
                let (way, cost) = ways.single(of).filter(|(way, _)| way.hops.len() <= 1)?;
                let condition = self.cancelled(of)?;
                Some((Condition::Not(Box::new(rebased(&condition, way))), *cost))
            })
            .min_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(condition, _)| condition)
    }

    fn cancelled(&self, table: usize) -> Option<Condition> {
        let model = self.context.model;
        let asked = |column: usize| {
            let at = ColumnRef { table, column };
            let mut senses = self
                .question
                .mentions
                .iter()
                .zip(&self.cast.parts)
                .map(|(mention, (_, sense))| &mention.senses[*sense].meaning);
            senses.any(|meaning| match meaning {
                Meaning::Value(of, _) | Meaning::Field(of) => *of == at,
                Meaning::Filter(filter) => is_cancelled(&model.filters[*filter].name),
                _ => false,
            })
        };
        let profile = self.context.snapshot.profile.tables.get(table)?.as_ref();
        for (column, field) in model.datasets[table].fields.iter().enumerate() {
            if field.role != FieldRole::Code {
                continue;
            }
            let label = field.labels.iter().find(|(_, label)| is_cancelled(label));
            let value = || {
                let stored = &profile?.columns.get(column)?.frequent;
                stored
                    .iter()
                    .find(|(value, _)| is_cancelled(value))
                    .map(|(value, _)| value)
            };
            let Some(code) = label.map(|(code, _)| code).or_else(value) else {
                continue;
            };
            if asked(column) {
                return None;
            }
            let of = Scalar::Column(Attribute::own(column));
            return Some(Condition::Compare(
                of,
                Comparison::Equal,
                Operand::Text(code.clone()),
            ));
        }
        let named = model
            .filters
            .iter()
            .enumerate()
            .find(|(_, filter)| filter.dataset == table && is_cancelled(&filter.name))?;
        let mut senses = self.question.mentions.iter().flat_map(|mention| &mention.senses);
        let is_asked = senses.any(|sense| sense.meaning == Meaning::Filter(named.0));
        (!is_asked).then(|| named.1.condition.clone())
    }
}

/// True for a word that says that something was cancelled.
fn is_cancelled(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "cancelled" | "canceled" | "void" | "voided"
    )
}
