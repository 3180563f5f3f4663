//! Of several amounts of one row that a word may mean, such as net, tax and total, the whole one is meant.

use super::items::{Linker, Meaning, Sense};
use crate::question::schema::{ColumnRef, words};

/// How much less an amount is meant that is a part of another.
const A_PART: f32 = 0.02;
/// How much less one that another adds something to.
const BEFORE_TAX: f32 = 0.01;

impl Linker<'_> {
    /// Where a word fits several amounts of a table equally well, puts the whole one before its parts.
    pub(super) fn whole_amounts(&self, senses: &mut [Sense]) {
        let place = |sense: &Sense| match sense.meaning {
            Meaning::Field(at) if self.model.field(at).role.is_measure() => Some(at),
            _ => None,
        };
        let columns: Vec<(ColumnRef, f32)> = senses
            .iter()
            .filter_map(|sense| Some((place(sense)?, sense.score)))
            .collect();
        for sense in senses.iter_mut() {
            let Some(at) = place(sense) else { continue };
            let rival = |(other, score): &(ColumnRef, f32)| {
                *other != at && other.table == at.table && (score - sense.score).abs() < f32::EPSILON
            };
            if !columns.iter().any(rival) {
                continue;
            }
            let name = words::identifier_words(&self.snapshot.schema.column(at).name);
            let says = |wanted: &[&str]| name.iter().any(|word| wanted.contains(&word.as_str()));
            if says(&[
                "tax",
                "vat",
                "discount",
                "shipping",
                "freight",
                "tip",
                "deposit",
                "surcharge",
            ]) {
                sense.score -= A_PART;
            } else if says(&["net", "subtotal", "gross", "base"]) {
                sense.score -= BEFORE_TAX;
            }
        }
    }
}
