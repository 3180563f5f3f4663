//! What speaks for a way of reading: signs, and how much each counts. The weights are learned from questions with known
//! answers (`scripts/learn-readings`) and stand in `weights.txt`.

use std::sync::LazyLock;

use super::{
    question::{AROUNDS, Around},
    roles::{ALL_ROLES, ROLES, Role, SORTS, Sort},
};

/// A sign that speaks for or against a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// This sort of thing plays this part.
    Sort(Role, Sort),
    /// This stands before what plays this part.
    Before(Role, Around),
    /// This stands behind it.
    After(Role, Around),
    /// One part comes after another, told by what stands between.
    Follows(Role, Role, Link),
    /// Something that is said of what plays this part.
    Said(Role, Said),
    /// Something about the whole.
    Whole(Whole),
}

/// What stands between two mentions, coarsely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Joined,
    Adjacent,
    Apart,
}

macro_rules! signs {
    ($(#[$meta:meta])* $name:ident: $($variant:ident),+ $(,)?) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum $name { $($variant),+ }
        impl $name {
            pub(super) const ALL: &'static [Self] = &[$(Self::$variant),+];
        }
    };
}

signs! {
    /// What is said of a mention.
    Said: Fit, Counted, Gathered, Most, Negated, Compared, Numbered, NearPeriod, First, Last, HowMuch, Ranked, Shared, Exact
}

signs! {
    /// What is true of a whole reading.
    Whole: Distance, Guesses, List, Summary, ListThoughCounted, ListThoughHowMuch, ListThoughGathered, ListThoughShare,
    ListThoughGrain, NoGroup, OneGroup, TwoGroups, ManyGroups, OneMeasure, TwoMeasures, ManyMeasures, SeveralTables,
    CountsUnasked, RankedByCount, RankUnused, RankWithoutGroup, LimitOneShown, Having, Related, RelatedNone, ManyShown, OneShown,
    HeadMissing, Ignored, IgnoredFit, PeriodOnFar, DistinctUnasked, DistinctAsked, SumOfAll, HiddenFigure,
    SameColumnTwice, FarCondition, TableCount, GroupIsMeasured, SummaryWithoutCue
}

const SORT: usize = 0;
const BEFORE: usize = SORT + ROLES * SORTS;
const AFTER: usize = BEFORE + ROLES * AROUNDS;
const FOLLOWS: usize = AFTER + ROLES * AROUNDS;
const SAID: usize = FOLLOWS + ROLES * ROLES * 3;
const WHOLE: usize = SAID + ROLES * 14;
/// How many signs there are.
pub(super) const SIGNS: usize = WHOLE + 40;

impl Sign {
    /// Its place among all signs.
    pub(super) fn place(self) -> usize {
        match self {
            Self::Sort(role, sort) => SORT + role as usize * SORTS + sort as usize,
            Self::Before(role, around) => BEFORE + role as usize * AROUNDS + around as usize,
            Self::After(role, around) => AFTER + role as usize * AROUNDS + around as usize,
            Self::Follows(role, last, link) => FOLLOWS + (role as usize * ROLES + last as usize) * 3 + link as usize,
            Self::Said(role, said) => SAID + role as usize * 14 + said as usize,
            Self::Whole(whole) => WHOLE + whole as usize,
        }
    }
}

/// Signs with how much there is of each.
pub(super) type Signs = Vec<(u16, f32)>;

/// One more sign.
pub(super) fn add(signs: &mut Signs, sign: Sign, much: f32) {
    signs.push((sign.place() as u16, much));
}

/// How much each sign counts.
static WEIGHTS: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let mut weights = priors();
    let all = all();
    for line in include_str!("weights.txt").lines() {
        if let Some((name, value)) = line.rsplit_once(' ')
            && let Ok(value) = value.parse::<f32>()
            && let Some((_, place)) = all.iter().find(|(known, _)| known == name)
        {
            weights[*place] = value;
        }
    }
    weights
});

/// What signs come to.
pub(super) fn sum(signs: &[(u16, f32)]) -> f32 {
    let weights = &*WEIGHTS;
    signs.iter().map(|(at, much)| weights[*at as usize] * much).sum()
}

/// Every sign by its name.
pub(super) fn all() -> Vec<(String, usize)> {
    let mut names = Vec::with_capacity(SIGNS);
    let mut name = |text: String, sign: Sign| names.push((text, sign.place()));
    for role in ALL_ROLES {
        for sort in Sort::ALL {
            name(format!("sort {role:?} {sort:?}"), Sign::Sort(role, *sort));
        }
        for around in Around::ALL {
            name(format!("before {role:?} {around:?}"), Sign::Before(role, *around));
            name(format!("after {role:?} {around:?}"), Sign::After(role, *around));
        }
        for last in ALL_ROLES {
            for link in [Link::Joined, Link::Adjacent, Link::Apart] {
                name(format!("follows {role:?} {last:?} {link:?}"), Sign::Follows(role, last, link));
            }
        }
        for said in Said::ALL {
            name(format!("said {role:?} {said:?}"), Sign::Said(role, *said));
        }
    }
    for whole in Whole::ALL {
        name(format!("whole {whole:?}"), Sign::Whole(*whole));
    }
    names
}

/// Where learning begins, and where it ends for signs that the questions do not tell of.
fn priors() -> Vec<f32> {
    use Role::{Condition, Group, Head, Measure, Order, Owner, RankBy, Related, Shown};
    let mut w = vec![0.0; SIGNS];
    for role in ALL_ROLES {
        w[Sign::Said(role, Said::Fit).place()] = if role == Role::Ignored { -1.5 } else { 1.5 };
        if role != Role::Ignored {
            w[Sign::Follows(role, role, Link::Joined).place()] = 0.6;
        }
    }
    w[Sign::Follows(Head, Condition, Link::Adjacent).place()] = 0.5;
    w[Sign::Said(Head, Said::First).place()] = 0.3;
    w[Sign::Said(Measure, Said::HowMuch).place()] = 0.4;
    w[Sign::Said(Condition, Said::NearPeriod).place()] = 0.3;
    for (whole, weight) in [(Whole::Distance, -0.25), (Whole::Guesses, -1.0), (Whole::RankUnused, -1.0), (Whole::SeveralTables, -0.3)] {
        w[Sign::Whole(whole).place()] = weight;
    }
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
        w[Sign::Sort(role, sort).place()] = weight;
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
        w[Sign::Before(role, around).place()] = weight;
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
        w[Sign::After(role, around).place()] = weight;
    }
    for (role, weight) in [(Head, 0.9), (Measure, 0.4), (RankBy, 0.3), (Shown, -0.4), (Group, -0.6), (Condition, -0.4)] {
        w[Sign::Said(role, Said::Counted).place()] = weight;
    }
    for (role, weight) in [(Measure, 0.9), (RankBy, 0.4), (Head, -0.6), (Shown, -0.4), (Group, -0.8), (Condition, -0.3)] {
        w[Sign::Said(role, Said::Gathered).place()] = weight;
    }
    for (role, weight) in [(RankBy, 0.8), (Head, 0.4), (Measure, -0.2), (Group, -0.4)] {
        w[Sign::Said(role, Said::Most).place()] = weight;
    }
    for (role, weight) in [(Related, 0.8), (Condition, 0.5), (Head, -0.8), (Measure, -0.8), (Group, -0.6), (Shown, -0.6), (RankBy, -0.8)] {
        w[Sign::Said(role, Said::Negated).place()] = weight;
    }
    for (role, weight) in [(Condition, 0.8), (Related, 0.8), (Measure, -0.1), (Head, -0.2), (Shown, -0.6), (Group, -0.6), (RankBy, -0.4)] {
        w[Sign::Said(role, Said::Compared).place()] = weight;
    }
    w
}
