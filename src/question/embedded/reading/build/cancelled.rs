//! What was cancelled, so that sums can leave it out.

use super::{
    super::{items::Meaning, ways::rebased},
    Builder,
};
use crate::question::{
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
                let condition = self.cancelled(of, &[FieldRole::Code])?;
                Some((Condition::Not(Box::new(rebased(&condition, way))), *cost))
            })
            .min_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(condition, _)| condition)
    }

    /// That rows of which something is still to come, as conditions say, were not cancelled: nothing comes of those.
    pub(super) fn still_to_come(&self, table: usize, conditions: &[Condition]) -> Option<Condition> {
        let dataset = &self.context.model.datasets[table];
        let awaited = |condition: &Condition| {
            never_came(condition, false).is_some_and(|column| dataset.fields[column].role == FieldRole::Time)
        };
        // What is overdue waits whatever it is.
        let overdue =
            |condition: &Condition| matches!(condition, Condition::All(all) if all.iter().any(awaited));
        let event = dataset.role == DatasetRole::Event;
        let mut waiting = conditions.iter();
        let waits = !self.question.denies
            && waiting.any(|condition| event && awaited(condition) || overdue(condition));
        let cancelled = waits.then(|| self.cancelled(table, &[FieldRole::Code, FieldRole::Dimension]))?;
        let condition = Condition::Not(Box::new(cancelled?));
        (!conditions.contains(&condition)).then_some(condition)
    }

    fn cancelled(&self, table: usize, roles: &[FieldRole]) -> Option<Condition> {
        let model = self.context.model;
        // The question itself may speak of it.
        let speaks_of = |meant: &dyn Fn(&Meaning) -> bool| {
            let parts = self.question.mentions.iter().zip(&self.cast.parts);
            let mut meanings = parts.map(|(mention, (_, sense))| &mention.senses[*sense].meaning);
            meanings.any(|meaning| match meaning {
                Meaning::Filter(filter) => is_cancelled(&model.filters[*filter].name),
                other => meant(other),
            })
        };
        let profile = self.context.snapshot.profile.tables.get(table)?.as_ref();
        for (column, field) in model.datasets[table].fields.iter().enumerate() {
            if !roles.contains(&field.role) {
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
            let at = ColumnRef { table, column };
            if speaks_of(
                &|meaning| matches!(meaning, Meaning::Value(of, _) | Meaning::Field(of) if *of == at),
            ) {
                return None;
            }
            let code = if self.context.snapshot.schema.column(at).kind.is_numeric() {
                Operand::Number(code.clone())
            } else {
                Operand::Text(code.clone())
            };
            let of = Scalar::Column(Attribute::own(column));
            return Some(Condition::Compare(of, Comparison::Equal, code));
        }
        let named = model
            .filters
            .iter()
            .find(|filter| filter.dataset == table && is_cancelled(&filter.name))?;
        (!speaks_of(&|_| false)).then(|| named.condition.clone())
    }
}

/// The column that has to be empty, or not to be filled.
fn never_came(condition: &Condition, negated: bool) -> Option<usize> {
    match condition {
        Condition::Missing(at) if at.way.hops.is_empty() && !negated => Some(at.column),
        Condition::Not(inner) => never_came(inner, !negated),
        _ => None,
    }
}

/// True for a word that says that something was cancelled.
fn is_cancelled(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "cancelled" | "canceled" | "void" | "voided"
    )
}
