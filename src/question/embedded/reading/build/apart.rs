//! How far two figures are apart: the highest less the lowest, one total less another.

use super::{super::question::Question, Builder};
use crate::question::{
    analytic::Measure,
    semantic::{Aggregate, Formula},
};

impl Builder<'_> {
    /// `difference between the highest and the lowest price`, `payments minus refunds`: the one less the other, where two figures
    /// are all that is measured.
    pub(super) fn apart(&self, measures: Vec<Measure>) -> Vec<Measure> {
        let [one, other] = &measures[..] else {
            return measures;
        };
        if !asks_for_difference(self.question) || self.contrast().is_some() {
            return measures;
        }
        let difference = match (kind(&one.formula), kind(&other.formula)) {
            (Some(Kind::Highest), Some(Kind::Lowest)) | (Some(Kind::Sum), Some(Kind::Sum)) => (one, other),
            (Some(Kind::Lowest), Some(Kind::Highest)) => (other, one),
            _ => return measures,
        };
        let (more, less) = difference;
        vec![Measure {
            name: "difference".to_owned(),
            formula: Formula::Difference(Box::new(more.formula.clone()), Box::new(less.formula.clone())),
        }]
    }
}

/// True for a difference of two figures, which periods are not compared for.
fn asks_for_difference(question: &Question) -> bool {
    question.difference && question.periods.len() < 2 && !question.versus && !question.growth
}

enum Kind {
    Highest,
    Lowest,
    Sum,
}

fn kind(formula: &Formula) -> Option<Kind> {
    match formula {
        Formula::Rows { aggregate, .. } => match aggregate {
            Aggregate::Maximum(_) => Some(Kind::Highest),
            Aggregate::Minimum(_) => Some(Kind::Lowest),
            Aggregate::Sum(_) => Some(Kind::Sum),
            _ => None,
        },
        _ => None,
    }
}
