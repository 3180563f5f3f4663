//! What speaks for a way of reading: signs, and how much each counts. The weights are learned from questions with known
//! answers (`scripts/learn-readings`, from where `begin.txt` has them) and stand in `weights.txt`.

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
        pub(in crate::question::embedded) enum $name { $($variant),+ }
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
    HeadMissing, Ignored, DistinctUnasked, DistinctAsked, HiddenFigure,
    FarCondition, SummaryWithoutCue, GatherUnused, ComparedUnused, NegatedUnused, CountedUnused, EachNotGroup,
    EachNotWithin, HiddenOfSeveral, HiddenOfPeriods, HowLongUnused,
    ShownUnused, TimeUnused, PeriodElsewhere, OfUnnamed, WhoNotPerson, FarAway, Unknown, Unheard, Forms, Worst,
    RowsOfBest, RowsOfSold, RowsOfMost, MoneyOfBest, MoneyOfSold, MoneyOfMost, QuantityOfBest, QuantityOfSold, QuantityOfMost, OfValue, LeavesOutCancelled, NameApart,
    Divided, DividedBehind, Happened, ValidNow, UnknownName, UnknownBefore,
    QuestionCovered, QuestionBehind, QueryCovered, QueryBehind, QueryLength,
    FigureShown, FigureOfOne, PeriodsApart, PeriodsApartByGroup, FiguresUnused, OfTotals, OfSide,
    ComparisonMissing, DefinedIgnored, CountShown, ListedUnused,
    HeadNotListed, ValueThoughNamed, ByNotGroup
}

const SORT: usize = 0;
const BEFORE: usize = SORT + ROLES * SORTS;
const AFTER: usize = BEFORE + ROLES * AROUNDS;
const FOLLOWS: usize = AFTER + ROLES * AROUNDS;
const SAID: usize = FOLLOWS + ROLES * ROLES * 3;
const WHOLE: usize = SAID + ROLES * 14;
/// How many signs there are.
pub(super) const SIGNS: usize = WHOLE + Whole::ALL.len();

impl Sign {
    /// Its place among all signs.
    pub(super) fn place(self) -> usize {
        match self {
            Self::Sort(role, sort) => SORT + role as usize * SORTS + sort as usize,
            Self::Before(role, around) => BEFORE + role as usize * AROUNDS + around as usize,
            Self::After(role, around) => AFTER + role as usize * AROUNDS + around as usize,
            Self::Follows(role, last, link) => {
                FOLLOWS + (role as usize * ROLES + last as usize) * 3 + link as usize
            }
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
static WEIGHTS: LazyLock<Vec<f32>> = LazyLock::new(|| of_signs(include_str!("weights.txt")));

/// The places of something that is said of a mention, whatever part it plays.
pub(super) fn places_of(said: Said) -> Vec<usize> {
    ALL_ROLES
        .iter()
        .map(|role| Sign::Said(*role, said).place())
        .collect()
}

/// What a file gives for each sign, at its place.
pub(in crate::question::embedded) fn of_signs(file: &str) -> Vec<f32> {
    let mut weights = vec![0.0; SIGNS];
    let all = all();
    for line in file.lines() {
        if let Some((name, value)) = line.rsplit_once(' ')
            && let Ok(value) = value.parse::<f32>()
            && let Some((_, place)) = all.iter().find(|(known, _)| known == name)
        {
            weights[*place] = value;
        }
    }
    weights
}

/// What signs come to.
pub(super) fn sum(signs: &[(u16, f32)]) -> f32 {
    let weights = &*WEIGHTS;
    signs.iter().map(|(at, much)| weights[*at as usize] * much).sum()
}

/// The names of all signs, each at its place; empty where there is none.
pub(crate) fn sign_names() -> Vec<String> {
    let mut names = vec![String::new(); SIGNS];
    for (name, place) in all() {
        names[place] = name;
    }
    names
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
                name(
                    format!("follows {role:?} {last:?} {link:?}"),
                    Sign::Follows(role, last, link),
                );
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
