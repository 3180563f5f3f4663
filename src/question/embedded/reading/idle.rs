//! What a question says without a part of its own in the query that it adds nothing to: `litres brewed per style` are litres of
//! what was brewed, and what adds up by itself is a total whether that is said beside the amount or beside what it is of.

use super::{
    bound::tables_of,
    cues::Gathering,
    items::Meaning,
    question::{Gather, Mention, Question},
    roles::{Cast, Role},
};
use crate::question::{
    analytic::AnalyticQuery,
    semantic::{Aggregate, Formula},
};

/// How much of what a query of figures does not show would add something to it.
pub(super) fn shown_unused(question: &Question, cast: &Cast, query: &AnalyticQuery) -> f32 {
    let measured = tables_of(query);
    let parts = question.mentions.iter().zip(&cast.parts);
    let idle = parts.filter(|(mention, (role, sense))| {
        *role == Role::Shown && !says_what_is_measured(mention, &mention.senses[*sense].meaning, &measured)
    });
    idle.count() as f32
}

/// True for what the measured rows are, or what was done with them: `glasses sold`, `current staff only`.
fn says_what_is_measured(mention: &Mention, meaning: &Meaning, measured: &[usize]) -> bool {
    let asks = mention.counted
        || mention.listed
        || mention.gathering.is_some()
        || mention.compared.is_some()
        || mention.numbered.is_some()
        || mention.negated;
    let says = match meaning {
        Meaning::Dataset(table) => measured.contains(table),
        Meaning::Field(at) => mention.deed && measured.contains(&at.table),
        _ => false,
    };
    says && !asks
}

/// True where a query gathers as often in a way as the question says so, whatever it says it of: `total rental income`.
pub(super) fn gathers(question: &Question, query: &AnalyticQuery, wanted: Option<Gather>) -> bool {
    let AnalyticQuery::Summary(summary) = query else {
        return false;
    };
    let said = question.mentions.iter();
    let said = said.filter(|mention| mention.gathering == wanted).count();
    let aggregates = summary
        .measures
        .iter()
        .flat_map(|measure| measure.formula.aggregates());
    let done = aggregates.filter(|formula| {
        let Formula::Rows { aggregate, .. } = formula else {
            return false;
        };
        matches!(
            (wanted, aggregate),
            (Some(Gather::Of(Gathering::Sum)), Aggregate::Sum(_))
                | (Some(Gather::Of(Gathering::Average)), Aggregate::Average(_))
                | (Some(Gather::Median), Aggregate::Median(_))
        )
    });
    done.count() >= said
}
