//! What rows beside those that are listed are without: `boats with bookings without a skipper`.

use super::{
    super::question::Token,
    items::Meaning,
    question::{Mention, Question},
    roles::{Cast, Role},
};

/// True where what stands at a token is denied of what was named right before it, and not of what is listed: no `but` and
/// no `and` stands between them.
pub(super) fn of_previous(mentions: &[Mention], tokens: &[Token], at: usize) -> bool {
    let denies = |word: &str| matches!(word, "without" | "no" | "lack" | "lacks" | "lacking");
    let joins = |word: &str| {
        matches!(
            word,
            "any" | "a" | "an" | "single" | "that" | "which" | "who" | "with" | "have" | "has" | "had"
        )
    };
    mentions.last().is_some_and(|last| {
        let between = &tokens[last.end.min(at)..at];
        between.iter().any(|token| denies(&token.word))
            && between
                .iter()
                .all(|token| denies(&token.word) || joins(&token.word))
    })
}

/// True where nothing is made of the rows that something is denied of, or only groups of what is counted.
pub(super) fn lacks_holder(question: &Question, cast: &Cast) -> bool {
    let mentions: Vec<_> = question.mentions.iter().zip(&cast.parts).collect();
    mentions.windows(2).any(|pair| {
        let [(holder, (heard, _)), (lacked, (role, _))] = pair else {
            return false;
        };
        let is_table = holder
            .senses
            .first()
            .is_some_and(|sense| matches!(sense.meaning, Meaning::Dataset(_)));
        let passed_over = match heard {
            Role::Related | Role::Measure => false,
            Role::Head => mentions.iter().any(|(_, (role, _))| *role == Role::Measure),
            _ => true,
        };
        lacked.lacked && *role == Role::Related && passed_over && is_table
    })
}
