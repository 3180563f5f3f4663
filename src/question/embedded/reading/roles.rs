//! Which part each mention plays: ways of giving out the parts, the likeliest first.

use super::{
    items::{Meaning, Sense},
    nouns,
    question::{AROUNDS, Around, Mention, Question},
    weights::{self, Link, Said, Sign, Signs, add},
};
use crate::question::{
    schema::Snapshot,
    semantic::{Comparison, FieldRole, SemanticModel},
};

/// Ways that are carried along from mention to mention.
const BEAM: usize = 48;

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
    Reference,
    Dimension,
    Text,
    Metric,
    Filter,
    Value,
}

impl Sort {
    pub(super) const ALL: &'static [Self] = &[
        Self::Dataset,
        Self::Measure,
        Self::Time,
        Self::Flag,
        Self::Name,
        Self::Identifier,
        Self::Reference,
        Self::Dimension,
        Self::Text,
        Self::Metric,
        Self::Filter,
        Self::Value,
    ];
}

/// How many there are of them.
pub(super) const SORTS: usize = 12;

/// The part and the sense of each mention.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    pub(super) parts: Vec<(Role, usize)>,
    pub(super) score: f32,
    /// What speaks for it.
    pub(super) signs: Signs,
}

/// What sort of thing a sense is.
pub(super) fn sort(sense: &Sense, model: &SemanticModel) -> Sort {
    match &sense.meaning {
        Meaning::Dataset(_) => Sort::Dataset,
        Meaning::Metric(_) => Sort::Metric,
        Meaning::Filter(_) => Sort::Filter,
        Meaning::Value(..) | Meaning::Part(..) => Sort::Value,
        Meaning::Field(at) => match model.field(*at).role {
            FieldRole::Measure(_) => Sort::Measure,
            FieldRole::Time => Sort::Time,
            FieldRole::Flag(_) => Sort::Flag,
            FieldRole::Name => Sort::Name,
            FieldRole::Identifier => Sort::Identifier,
            FieldRole::Reference => Sort::Reference,
            FieldRole::Dimension | FieldRole::Code => Sort::Dimension,
            FieldRole::Text | FieldRole::Document => Sort::Text,
        },
    }
}

/// True where something of this sort can play this part.
fn fits(role: Role, sort: Sort, mention: &Mention, asked: &Question) -> bool {
    use Sort::{
        Dataset, Dimension, Filter, Flag, Identifier, Measure, Metric, Name, Reference, Text, Time, Value,
    };
    if mention.listed && !matches!(role, Role::Shown | Role::Owner | Role::Ignored) {
        return false;
    }
    if mention.present && sort != Sort::Dataset && !matches!(role, Role::Condition | Role::Ignored) {
        return false;
    }
    match role {
        Role::Head => {
            !mention.numbered_before && matches!(sort, Dataset | Name | Dimension | Identifier | Reference)
        }
        Role::Measure => {
            matches!(sort, Measure | Metric)
                || mention.gathering.is_some() && matches!(sort, Dimension | Identifier | Reference)
                || sort == Time
                || sort == Dataset
        }
        Role::Group => {
            matches!(
                sort,
                Dataset | Dimension | Name | Flag | Identifier | Reference | Time
            ) || sort == Measure && asked.rank.is_none()
        }
        // What may be so or not is said of things, unless it is asked for in so many words.
        Role::Shown if sort == Flag && !mention.listed => {
            matches!(mention.before, Around::Comma | Around::And | Around::Show)
        }
        Role::Shown => matches!(
            sort,
            Measure | Time | Flag | Name | Identifier | Reference | Dimension | Text | Dataset
        ),
        Role::Condition => {
            matches!(sort, Value | Filter | Flag)
                || mention.compared.is_some()
                    && matches!(
                        sort,
                        Measure | Time | Dimension | Identifier | Reference | Metric | Name
                    )
                    // `at least 10 orders`: so many, and no number of one.
                    && !(counts_several(mention) && matches!(sort, Identifier | Reference))
                || (mention.against.is_some() || mention.against_next) && matches!(sort, Measure | Time)
                || (mention.negated || mention.present) && !matches!(sort, Dataset | Metric)
                || sort == Time
                || sort == Measure && mention.after_share
                // `the share of customers with a phone`
                || asked.share.is_some()
                    && mention.before == Around::With
                    && matches!(sort, Dimension | Identifier | Name | Text)
                || sort == Dataset && (mention.numbered.is_some() || mention.against.is_some())
        }
        Role::RankBy => matches!(sort, Measure | Metric | Dataset | Time),
        Role::Order => {
            (asked.order.is_some() || matches!(mention.before, Around::Order | Around::By))
                && matches!(sort, Measure | Time | Name | Dimension | Metric | Identifier)
        }
        Role::Related => sort == Dataset && !mention.by_each,
        Role::Owner => !mention.numbered_before && matches!(sort, Dataset | Name),
        Role::Ignored => true,
    }
}

/// True for what there must be so many of, or so few.
fn counts_several(mention: &Mention) -> bool {
    mention.numbered_before
        && matches!(&mention.compared, Some((comparison, _)) if !matches!(comparison, Comparison::Equal | Comparison::NotEqual))
}

/// Ways to give out the parts.
pub(super) fn casts(question: &Question, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Cast> {
    let mut beam = vec![Cast {
        parts: Vec::new(),
        score: 0.0,
        signs: Signs::new(),
    }];
    let mut local = Signs::new();
    for mention in &question.mentions {
        let mut next: Vec<(f32, usize, (Role, usize), Signs)> = Vec::new();
        for (from, cast) in beam.iter().enumerate() {
            for (at, sense) in mention.senses.iter().enumerate() {
                let sort = sort(sense, model);
                for role in ALL_ROLES {
                    // What people have defined may be a noun of its own.
                    let noun = || {
                        role == Role::Head
                            && nouns::noun_for(question, mention, sense, (snapshot, model)).is_some()
                    };
                    if role == Role::Ignored && at > 0 || !fits(role, sort, mention, question) && !noun() {
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
                    local.clear();
                    signs_of(
                        &mut local,
                        question,
                        mention,
                        (role, sort, sense.score),
                        &cast.parts,
                    );
                    next.push((cast.score + weights::sum(&local), from, (role, at), local.clone()));
                }
            }
        }
        next.sort_by(|one, other| other.0.total_cmp(&one.0));
        next.truncate(BEAM);
        beam = next
            .into_iter()
            .map(|(score, from, part, signs)| {
                let mut cast = beam[from].clone();
                cast.score = score;
                cast.parts.push(part);
                cast.signs.extend(signs);
                cast
            })
            .collect();
    }
    beam
}

/// False where somebody is told to own something that is not his.
fn owns(
    question: &Question,
    cast: &Cast,
    (role, sense): (Role, &Sense),
    mention: &Mention,
    snapshot: &Snapshot,
) -> bool {
    let last = cast
        .parts
        .last()
        .map(|(role, sense)| (*role, &question.mentions[cast.parts.len() - 1].senses[*sense]));
    if let Some((Role::Owner, owner)) = last
        && question.mentions[cast.parts.len() - 1].owns_next
    {
        return role != Role::Ignored
            && mention.before == Around::Adjacent
            && belongs(sense, owner, snapshot);
    }
    if role != Role::Owner {
        return true;
    }
    if mention.owns_next {
        return true;
    }
    matches!(mention.before, Around::Of)
        && last.is_some_and(|(role, owned)| role != Role::Ignored && belongs(owned, sense, snapshot))
}

/// True where a table has something, or is referred to by it.
fn belongs(what: &Sense, owner: &Sense, snapshot: &Snapshot) -> bool {
    let keys = &snapshot.schema.foreign_keys;
    match (&what.meaning, &owner.meaning) {
        (Meaning::Field(at), Meaning::Dataset(table)) => {
            at.table == *table
                || keys
                    .iter()
                    .any(|key| key.from.contains(at) && key.to[0].table == *table)
        }
        (Meaning::Value(at, _) | Meaning::Part(at, _), Meaning::Dataset(table)) => at.table == *table,
        (Meaning::Dataset(one), Meaning::Dataset(table)) => {
            one != table
                && keys
                    .iter()
                    .any(|key| key.from[0].table == *one && key.to[0].table == *table)
        }
        // The home warehouse is the warehouse that the column leads to.
        (Meaning::Dataset(table), Meaning::Field(at)) => keys
            .iter()
            .any(|key| key.from.contains(at) && key.to[0].table == *table),
        _ => false,
    }
}

/// What speaks for a part of one mention, where the ones before have theirs.
fn signs_of(
    signs: &mut Signs,
    question: &Question,
    mention: &Mention,
    (role, sort, fit): (Role, Sort, f32),
    parts: &[(Role, usize)],
) {
    // What stands before an owner stands before what he owns.
    let owned = mention.before == Around::Adjacent && matches!(parts.last(), Some((Role::Owner, _)));
    let before = if owned {
        question.mentions[parts.len() - 1].before
    } else {
        mention.before
    };
    add(signs, Sign::Said(role, Said::Fit), fit);
    if role == Role::Ignored {
        return;
    }
    add(signs, Sign::Sort(role, sort), 1.0);
    add(signs, Sign::Before(role, before), 1.0);
    add(signs, Sign::After(role, mention.after), 1.0);
    let is_last = parts.len() + 1 == question.mentions.len();
    for (said, holds) in [
        (Said::Counted, mention.counted),
        (Said::Gathered, mention.gathering.is_some()),
        (Said::Most, mention.most),
        (Said::Negated, mention.negated),
        (Said::Compared, mention.compared.is_some()),
        (Said::Numbered, mention.numbered.is_some()),
        (Said::NearPeriod, mention.near_period && sort == Sort::Time),
        (Said::First, parts.is_empty()),
        (Said::Last, is_last),
        (Said::HowMuch, question.how_much),
        (Said::Ranked, question.rank.is_some()),
        (Said::Shared, question.share.is_some()),
        (Said::Exact, fit >= 0.95),
    ] {
        if holds {
            add(signs, Sign::Said(role, said), 1.0);
        }
    }
    if let Some((last, _)) = parts.last() {
        let link = match mention.before {
            Around::And | Around::Comma => Link::Joined,
            Around::Adjacent => Link::Adjacent,
            _ => Link::Apart,
        };
        add(signs, Sign::Follows(role, *last, link), 1.0);
    }
}

const _: () = assert!(AROUNDS == 24);
