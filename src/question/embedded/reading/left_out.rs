//! What a reading does without: what no answer may leave out, and what may add nothing.

use super::weights::{Sign, Whole};

/// True where something that changes the answer has no part in a reading: a comparison, a negation, a number, the name of
/// something that is nowhere stored. What other words are not understood is weighed with all that tells how likely it is right.
pub(in crate::question::embedded) fn leaves_out(signs: &[(u16, f32)]) -> bool {
    let meant = [
        Whole::ComparedUnused,
        Whole::ComparisonMissing,
        Whole::NegatedUnused,
        Whole::GatherUnused,
        Whole::Unheard,
        Whole::UnknownName,
    ];
    has_any(signs, &meant)
}

/// True where something that may add nothing has no part in a reading: what is named beside a figure, or for each of which it is
/// asked.
pub(in crate::question::embedded) fn passes_over(signs: &[(u16, f32)]) -> bool {
    has_any(signs, &[Whole::ShownUnused, Whole::EachNotGroup])
}

fn has_any(signs: &[(u16, f32)], wanted: &[Whole]) -> bool {
    signs.iter().any(|(place, much)| {
        *much > 0.0
            && wanted
                .iter()
                .any(|whole| Sign::Whole(*whole).place() == usize::from(*place))
    })
}

/// True where all of a question has its part, and every word is known.
pub(in crate::question::embedded) fn understands_all(signs: &[(u16, f32)]) -> bool {
    !leaves_out(signs) && !passes_over(signs) && !has_any(signs, &[Whole::Unknown])
}
