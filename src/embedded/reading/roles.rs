//! Which part each mention plays: ways of giving out the parts, the likeliest first.

use super::{
    items::{Meaning, Sense},
    question::{AROUNDS, Around, Mention, Question},
    weights::{Weights, weights},
};
use crate::{
    schema::Snapshot,
    semantic::{FieldRole, SemanticModel},
};

/// Ways that are carried along from mention to mention.
const BEAM: usize = 24;

/// What a mention is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// What is listed or counted.
    Head,
    /// What is reckoned.
    Measure,
    /// By what.
    Group,
    /// Shown beside the head.
    Shown,
    /// It must hold.
    Condition,
    /// What decides over first and last.
    RankBy,
    /// By what the rows come in order.
    Order,
    /// Rows that there must be, or must not.
    Related,
    /// It says whose something is: the client in `client segment`.
    Owner,
    /// Nothing.
    Ignored,
}

/// How many there are of them.
pub(super) const ROLES: usize = 10;
pub(super) const ALL_ROLES: [Role; ROLES] = [
    Role::Head,
    Role::Measure,
    Role::Group,
    Role::Shown,
    Role::Condition,
    Role::RankBy,
    Role::Order,
    Role::Related,
    Role::Owner,
    Role::Ignored,
];

/// What sort of thing is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sort {
    Dataset,
    Measure,
    Time,
    Flag,
    Name,
    Identifier,
    Dimension,
    Text,
    Metric,
    Filter,
    Value,
}

/// How many there are of them.
pub(super) const SORTS: usize = 11;

/// The part and the sense of each mention.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    pub(super) parts: Vec<(Role, usize)>,
    pub(super) score: f32,
}

/// What sort of thing a sense is.
pub(super) fn sort(sense: &Sense, model: &SemanticModel) -> Sort {
    match &sense.meaning {
        Meaning::Dataset(_) => Sort::Dataset,
        Meaning::Metric(_) => Sort::Metric,
        Meaning::Filter(_) => Sort::Filter,
        Meaning::Value(..) => Sort::Value,
        Meaning::Field(at) => match model.field(*at).role {
            FieldRole::Measure(_) => Sort::Measure,
            FieldRole::Time => Sort::Time,
            FieldRole::Flag(_) => Sort::Flag,
            FieldRole::Name => Sort::Name,
            FieldRole::Identifier | FieldRole::Reference => Sort::Identifier,
            FieldRole::Dimension | FieldRole::Code => Sort::Dimension,
            FieldRole::Text | FieldRole::Document => Sort::Text,
        },
    }
}

/// True where something of this sort can play this part.
fn fits(role: Role, sort: Sort, mention: &Mention) -> bool {
    use Sort::{Dataset, Dimension, Filter, Flag, Identifier, Measure, Metric, Name, Text, Time, Value};
    match role {
        Role::Head => matches!(sort, Dataset | Name | Dimension | Identifier),
        Role::Measure => {
            matches!(sort, Measure | Metric)
                || mention.gathering.is_some() && matches!(sort, Dimension | Identifier)
                || sort == Time
                || sort == Dataset
        }
        Role::Group => matches!(sort, Dataset | Dimension | Name | Flag | Identifier | Time) || sort == Measure,
        Role::Shown => matches!(sort, Measure | Time | Flag | Name | Identifier | Dimension | Text | Dataset),
        Role::Condition => {
            matches!(sort, Value | Filter | Flag)
                || mention.compared.is_some() && matches!(sort, Measure | Time | Dimension | Identifier | Metric | Name)
                || mention.negated && !matches!(sort, Dataset | Metric)
                || sort == Time
                || sort == Measure && mention.after_share
        }
        Role::RankBy => matches!(sort, Measure | Metric | Dataset | Time),
        Role::Order => matches!(sort, Measure | Time | Name | Dimension | Metric | Identifier),
        Role::Related => sort == Dataset,
        Role::Owner => matches!(sort, Dataset | Name),
        Role::Ignored => true,
    }
}

/// Ways to give out the parts.
pub(super) fn casts(question: &Question, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Cast> {
    let weights = weights();
    let mut beam = vec![Cast {
        parts: Vec::new(),
        score: 0.0,
    }];
    for mention in &question.mentions {
        let mut next: Vec<Cast> = Vec::new();
        for cast in &beam {
            for (at, sense) in mention.senses.iter().enumerate() {
                let sort = sort(sense, model);
                for role in ALL_ROLES {
                    if role == Role::Ignored && at > 0 || !fits(role, sort, mention) {
                        continue;
                    }
                    let taken = |wanted: Role| cast.parts.iter().any(|(role, _)| *role == wanted);
                    if matches!(role, Role::Head | Role::RankBy) && taken(role)
                        || role == Role::RankBy && question.rank.is_none()
                    {
                        continue;
                    }
                    if !owns(question, cast, (role, sense), mention, snapshot) {
                        continue;
                    }
                    let score = cast.score + local(weights, question, mention, (role, sort, sense.score), &cast.parts);
                    let mut parts = cast.parts.clone();
                    parts.push((role, at));
                    next.push(Cast { parts, score });
                }
            }
        }
        next.sort_by(|one, other| other.score.total_cmp(&one.score));
        next.truncate(BEAM);
        beam = next;
    }
    beam
}

/// False where somebody is told to own something that is not his.
fn owns(question: &Question, cast: &Cast, (role, sense): (Role, &Sense), mention: &Mention, snapshot: &Snapshot) -> bool {
    let last = cast.parts.last().map(|(role, sense)| (*role, &question.mentions[cast.parts.len() - 1].senses[*sense]));
    if let Some((Role::Owner, owner)) = last
        && question.mentions[cast.parts.len() - 1].owns_next
    {
        return role != Role::Ignored && mention.before == Around::Adjacent && belongs(sense, owner, snapshot);
    }
    if role != Role::Owner {
        return true;
    }
    if mention.owns_next {
        return true;
    }
    matches!(mention.before, Around::Of) && last.is_some_and(|(role, owned)| role != Role::Ignored && belongs(owned, sense, snapshot))
}

/// True where a table has something, or is referred to by it.
fn belongs(what: &Sense, owner: &Sense, snapshot: &Snapshot) -> bool {
    let keys = &snapshot.schema.foreign_keys;
    match (&what.meaning, &owner.meaning) {
        (Meaning::Field(at), Meaning::Dataset(table)) => {
            at.table == *table || keys.iter().any(|key| key.from.contains(at) && key.to[0].table == *table)
        }
        (Meaning::Value(at, _), Meaning::Dataset(table)) => at.table == *table,
        (Meaning::Dataset(one), Meaning::Dataset(table)) => {
            one != table && keys.iter().any(|key| key.from[0].table == *one && key.to[0].table == *table)
        }
        // The home warehouse is the warehouse that the column leads to.
        (Meaning::Dataset(table), Meaning::Field(at)) => {
            keys.iter().any(|key| key.from.contains(at) && key.to[0].table == *table)
        }
        _ => false,
    }
}

fn local(
    weights: &Weights,
    question: &Question,
    mention: &Mention,
    (role, sort, fit): (Role, Sort, f32),
    parts: &[(Role, usize)],
) -> f32 {
    if role == Role::Ignored {
        return weights.ignored * fit;
    }
    let mut score = weights.fit * fit;
    // What stands before an owner stands before what he owns.
    let owned = mention.before == Around::Adjacent && matches!(parts.last(), Some((Role::Owner, _)));
    let before = if owned { question.mentions[parts.len() - 1].before } else { mention.before };
    score += weights.sort(role, sort) + weights.before(role, before) + weights.after(role, mention.after);
    if mention.counted {
        score += weights.counted(role);
    }
    if mention.gathering.is_some() {
        score += weights.gathered(role);
    }
    if mention.most {
        score += weights.most(role);
    }
    if mention.negated {
        score += weights.negated(role);
    }
    if mention.compared.is_some() {
        score += weights.compared(role);
    }
    if matches!(mention.before, Around::And | Around::Comma | Around::Adjacent)
        && let Some((last, _)) = parts.last()
    {
        if *last == role {
            score += if mention.before == Around::Adjacent { 0.0 } else { weights.same_as_before };
        }
        if mention.before == Around::Adjacent && *last == Role::Condition && role == Role::Head {
            score += weights.described_head;
        }
    }
    if parts.is_empty() && role == Role::Head {
        score += weights.first_head;
    }
    if mention.near_period && role == Role::Condition && sort == Sort::Time {
        score += weights.dated;
    }
    if question.how_much && role == Role::Measure {
        score += weights.how_much_measure;
    }
    score
}

const _: () = assert!(AROUNDS == 24);
