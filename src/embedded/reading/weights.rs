//! What speaks for a part, and how much.

use std::sync::LazyLock;

use super::{
    question::{AROUNDS, Around},
    roles::{ROLES, Role, SORTS, Sort},
};

/// How much each sign speaks for a part.
pub(super) struct Weights {
    pub(super) fit: f32,
    pub(super) ignored: f32,
    pub(super) same_as_before: f32,
    pub(super) described_head: f32,
    pub(super) first_head: f32,
    pub(super) how_much_measure: f32,
    pub(super) dated: f32,
    sorts: [[f32; SORTS]; ROLES],
    before: [[f32; AROUNDS]; ROLES],
    after: [[f32; AROUNDS]; ROLES],
    counted: [f32; ROLES],
    gathered: [f32; ROLES],
    most: [f32; ROLES],
    negated: [f32; ROLES],
    compared: [f32; ROLES],
}

impl Weights {
    pub(super) fn sort(&self, role: Role, sort: Sort) -> f32 {
        self.sorts[role as usize][sort as usize]
    }
    pub(super) fn before(&self, role: Role, around: Around) -> f32 {
        self.before[role as usize][around as usize]
    }
    pub(super) fn after(&self, role: Role, around: Around) -> f32 {
        self.after[role as usize][around as usize]
    }
    pub(super) fn counted(&self, role: Role) -> f32 {
        self.counted[role as usize]
    }
    pub(super) fn gathered(&self, role: Role) -> f32 {
        self.gathered[role as usize]
    }
    pub(super) fn most(&self, role: Role) -> f32 {
        self.most[role as usize]
    }
    pub(super) fn negated(&self, role: Role) -> f32 {
        self.negated[role as usize]
    }
    pub(super) fn compared(&self, role: Role) -> f32 {
        self.compared[role as usize]
    }
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(priors);

pub(super) fn weights() -> &'static Weights {
    &WEIGHTS
}

fn priors() -> Weights {
    use Role::{Condition, Group, Head, Measure, Order, Owner, RankBy, Related, Shown};
    let mut w = Weights {
        fit: 1.5,
        ignored: -1.5,
        same_as_before: 0.6,
        described_head: 0.5,
        first_head: 0.3,
        how_much_measure: 0.4,
        dated: 1.2,
        sorts: [[0.0; SORTS]; ROLES],
        before: [[0.0; AROUNDS]; ROLES],
        after: [[0.0; AROUNDS]; ROLES],
        counted: [0.0; ROLES],
        gathered: [0.0; ROLES],
        most: [0.0; ROLES],
        negated: [0.0; ROLES],
        compared: [0.0; ROLES],
    };
    for (role, sort, weight) in [
        (Head, Sort::Dataset, 0.6),
        (Head, Sort::Name, -0.3),
        (Head, Sort::Dimension, -0.2),
        (Head, Sort::Identifier, -0.7),
        (Measure, Sort::Metric, 0.4),
        (Measure, Sort::Measure, 0.3),
        (Measure, Sort::Dataset, -0.8),
        (Measure, Sort::Dimension, -0.6),
        (Measure, Sort::Identifier, -0.6),
        (Measure, Sort::Time, -0.5),
        (Group, Sort::Dimension, 0.2),
        (Group, Sort::Dataset, 0.2),
        (Group, Sort::Name, 0.0),
        (Group, Sort::Flag, -0.2),
        (Group, Sort::Identifier, -0.5),
        (Group, Sort::Time, -0.4),
        (Group, Sort::Measure, -1.0),
        (Shown, Sort::Dataset, -0.4),
        (Shown, Sort::Flag, -0.3),
        (Shown, Sort::Identifier, -0.3),
        (Condition, Sort::Value, 0.8),
        (Condition, Sort::Filter, 0.5),
        (Condition, Sort::Flag, 0.2),
        (Condition, Sort::Time, -0.4),
        (RankBy, Sort::Measure, 0.2),
        (RankBy, Sort::Metric, 0.2),
        (RankBy, Sort::Time, -0.2),
        (Related, Sort::Dataset, -0.2),
        (Owner, Sort::Dataset, 0.3),
        (Owner, Sort::Name, -0.5),
    ] {
        w.sorts[role as usize][sort as usize] = weight;
    }
    for (role, around, weight) in [
        (Head, Around::HowMany, 0.8),
        (Head, Around::Which, 0.8),
        (Head, Around::Show, 0.7),
        (Head, Around::Edge, 0.5),
        (Head, Around::Superlative, 0.4),
        (Head, Around::Number, 0.3),
        (Head, Around::Of, 0.3),
        (Head, Around::By, -1.0),
        (Head, Around::Each, -1.0),
        (Head, Around::With, -0.6),
        (Head, Around::Without, -0.5),
        (Head, Around::In, -0.2),
        (Measure, Around::Aggregate, 0.9),
        (Measure, Around::HowMuch, 0.8),
        (Measure, Around::Edge, 0.4),
        (Measure, Around::Which, 0.2),
        (Measure, Around::HowMany, 0.4),
        (Measure, Around::By, -0.3),
        (Measure, Around::Each, -0.8),
        (Group, Around::Each, 1.4),
        (Group, Around::By, 1.0),
        (Group, Around::In, -0.3),
        (Group, Around::Edge, -0.6),
        (Group, Around::Which, -0.1),
        (Group, Around::Of, -0.3),
        (Group, Around::Adjacent, -0.3),
        (Shown, Around::With, 0.7),
        (Shown, Around::And, 0.2),
        (Shown, Around::Edge, 0.2),
        (Shown, Around::Which, 0.1),
        (Shown, Around::Show, 0.2),
        (Shown, Around::By, -0.8),
        (Shown, Around::Each, -0.8),
        (Condition, Around::In, 0.3),
        (Condition, Around::Is, 0.3),
        (Condition, Around::Who, 0.2),
        (Condition, Around::Adjacent, 0.1),
        (RankBy, Around::Superlative, 1.2),
        (RankBy, Around::By, 1.3),
        (RankBy, Around::With, 0.2),
        (RankBy, Around::Aggregate, 0.4),
        (RankBy, Around::Edge, -0.6),
        (Order, Around::Order, 1.6),
        (Order, Around::By, -0.4),
        (Order, Around::Edge, -1.0),
        (Order, Around::Adjacent, -0.8),
        (Order, Around::Other, -0.8),
        (Related, Around::Without, 1.0),
        (Related, Around::With, 0.4),
        (Related, Around::Compare, 0.6),
        (Related, Around::Number, 0.6),
        (Related, Around::Who, 0.3),
        (Related, Around::Edge, -1.0),
    ] {
        w.before[role as usize][around as usize] = weight;
    }
    for (role, around, weight) in [
        (Shown, Around::Of, 0.5),
        (Measure, Around::Each, 0.3),
        (Measure, Around::By, 0.3),
        (Measure, Around::In, 0.1),
        (Head, Around::Each, 0.1),
        (Head, Around::By, 0.2),
        (Head, Around::Who, 0.3),
        (Head, Around::With, 0.3),
        (Head, Around::Without, 0.2),
        (Head, Around::In, 0.1),
        (Condition, Around::Adjacent, 0.3),
    ] {
        w.after[role as usize][around as usize] = weight;
    }
    for (role, weight) in [(Head, 0.9), (Measure, 0.4), (RankBy, 0.3), (Shown, -0.4), (Group, -0.6), (Condition, -0.4)] {
        w.counted[role as usize] = weight;
    }
    for (role, weight) in [(Measure, 0.9), (RankBy, 0.4), (Head, -0.6), (Shown, -0.4), (Group, -0.8), (Condition, -0.3)] {
        w.gathered[role as usize] = weight;
    }
    for (role, weight) in [(RankBy, 0.8), (Head, 0.4), (Measure, -0.2), (Group, -0.4)] {
        w.most[role as usize] = weight;
    }
    for (role, weight) in [(Related, 0.8), (Condition, 0.5), (Head, -0.8), (Measure, -0.8), (Group, -0.6), (Shown, -0.6), (RankBy, -0.8)] {
        w.negated[role as usize] = weight;
    }
    for (role, weight) in [(Condition, 0.8), (Related, 0.8), (Measure, -0.1), (Head, -0.2), (Shown, -0.6), (Group, -0.6), (RankBy, -0.4)] {
        w.compared[role as usize] = weight;
    }
    w
}
