//! Divisions of a question that say the same as another one, or less.

use super::{
    cues::Cue,
    items::{Item, PartKind},
};

/// True for a division that leaves a word without a meaning which the likeliest has one for, or a word that shapes the whole
/// answer.
pub(super) fn says_less(likeliest: &[Item], division: &[Item]) -> bool {
    let unknown = |items: &[Item]| {
        items
            .iter()
            .filter(|item| matches!(item.kind, PartKind::Unknown))
            .count()
    };
    let shapes = |cue: &Cue| {
        matches!(
            cue,
            Cue::Running
                | Cue::Share
                | Cue::Percent
                | Cue::Growth
                | Cue::Versus
                | Cue::Difference
                | Cue::Median
                | Cue::Not
                | Cue::Without
                | Cue::Only
                | Cue::NotGiven
        )
    };
    let has = |items: &[Item], wanted: &Cue| {
        items
            .iter()
            .any(|item| matches!(&item.kind, PartKind::Cue(cue) if cue == wanted))
    };
    let lost = likeliest.iter().any(|item| match &item.kind {
        PartKind::Cue(cue) => shapes(cue) && !has(division, cue),
        _ => false,
    });
    lost || unknown(division) > unknown(likeliest)
}

/// True where two divisions have the same names, times and numbers, whatever stands between them.
pub(super) fn say_the_same(one: &[Item], other: &[Item]) -> bool {
    let says = |item: &&Item| !matches!(item.kind, PartKind::Cue(Cue::In | Cue::Of | Cue::Comma | Cue::Is));
    one.iter().filter(says).count() == other.iter().filter(says).count()
        && one
            .iter()
            .filter(says)
            .zip(other.iter().filter(says))
            .all(|(one, other)| match (&one.kind, &other.kind) {
                (PartKind::Time(one), PartKind::Time(other)) => one == other,
                (PartKind::Cue(one), PartKind::Cue(other)) => one == other,
                (kind, like) => {
                    one.span == other.span && std::mem::discriminant(kind) == std::mem::discriminant(like)
                }
            })
}
