//! Measures of a summary beside each other: what is said twice, what counts itself, and how counts are called.

use super::Builder;
use crate::question::{
    analytic::{Dimension, Grouping, Measure},
    semantic::{Aggregate, Condition, DatasetRole, Formula, Scalar},
};

/// What a number of rows is called: as PostgreSQL calls it, or by what is counted beside other figures.
pub(super) fn count_name(measures: &[Measure], counted: &str) -> String {
    if measures.is_empty() {
        "count".to_owned()
    } else {
        format!("number_of_{counted}")
    }
}

/// True where a figure is told twice.
pub(super) fn says_twice(measures: &[Measure]) -> bool {
    let pairs = measures.iter().enumerate();
    pairs.clone().any(|(at, one)| {
        measures[at + 1..]
            .iter()
            .any(|other| other.formula == one.formula)
    }) || measures
        .iter()
        .any(|measure| matches!(&measure.formula, Formula::Ratio(part, whole, _) if part == whole))
}

/// True where figures are told by times of their own.
pub(super) fn several_times(measures: &[Measure]) -> bool {
    let mut times = measures.iter().filter_map(|measure| match &measure.formula {
        Formula::Rows { time, .. } => time.as_ref(),
        _ => None,
    });
    let first = times.next();
    times.any(|time| Some(time) != first)
}

/// What has not ended has no length: groups of nothing else are none.
pub(super) fn complete(measures: &mut [Measure]) {
    let end = |measure: &Measure| match &measure.formula {
        Formula::Rows {
            aggregate: Aggregate::Average(Scalar::Span(_, to, _)) | Aggregate::Median(Scalar::Span(_, to, _)),
            ..
        } => match &**to {
            Scalar::Column(end) => Some(end.clone()),
            _ => None,
        },
        _ => None,
    };
    let [only] = measures else { return };
    if let Some(end) = end(only)
        && let Formula::Rows { conditions, .. } = &mut only.formula
    {
        let there = Condition::Not(Box::new(Condition::Missing(end)));
        if !conditions.contains(&there) {
            conditions.push(there);
        }
    }
}

/// True where the rows of a table are counted for each of them, or what is reckoned is also what it is reckoned by.
pub(super) fn counts_itself(measures: &[Measure], dimensions: &[Dimension]) -> bool {
    let formulas: Vec<&Formula> = measures
        .iter()
        .flat_map(|measure| measure.formula.aggregates())
        .collect();
    let groups = dimensions.iter().flat_map(|dimension| &dimension.from);
    groups.clone().any(|(table, grouping)| {
        formulas.iter().any(|formula| {
            let Formula::Rows {
                table: of, aggregate, ..
            } = formula
            else {
                return false;
            };
            of == table
                && match (aggregate, grouping) {
                    (Aggregate::Count, Grouping::Entity(way)) => way.hops.is_empty(),
                    (
                        Aggregate::Sum(one) | Aggregate::Average(one) | Aggregate::Median(one),
                        Grouping::Value(other),
                    ) => one == other,
                    _ => false,
                }
        })
    })
}

impl Builder<'_> {
    /// True where the amounts of events are summed up for each of these: what one row has is no sum.
    pub(super) fn sums_each_event(&self, measures: &[Measure], dimensions: &[Dimension]) -> bool {
        let mut groups = dimensions.iter().flat_map(|dimension| &dimension.from);
        groups.any(|(table, grouping)| {
            let own = matches!(grouping, Grouping::Entity(way) if way.hops.is_empty());
            let sum = |formula: &Formula| {
                matches!(formula, Formula::Rows { table: of, aggregate: Aggregate::Sum(_), .. } if of == table)
            };
            own && self.context.model.datasets[*table].role == DatasetRole::Event
                && measures.iter().all(|measure| sum(&measure.formula))
        })
    }
}
