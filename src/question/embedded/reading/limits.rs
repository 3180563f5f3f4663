//! What numbers and limits are compared with: `below the reorder level`, `bigger than 2000 m2`, `6 percent`.

use super::{
    super::{
        lexicon::{Degree, lexicon},
        question::TokenKind,
    },
    items::{LONGEST_NAME, Linker, Meaning, Sense},
};
use crate::question::semantic::Comparison;

impl Linker<'_> {
    fn is_number(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| matches!(token.kind, TokenKind::Number(_) | TokenKind::Word(Some(_))))
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.word.as_str())
    }

    /// `below their reorder level`: what another value of the row is compared with, and how, with the number of words.
    pub(super) fn against(&self, at: usize) -> Option<(usize, Vec<Sense>, Comparison)> {
        let (used, comparison) = match (self.word(at), self.word(at + 1)) {
            ("below" | "under" | "beneath", _) => (1, Comparison::Less),
            ("above" | "over" | "beyond" | "exceeding" | "exceeds" | "exceed" | "exceeded", _) => {
                (1, Comparison::Greater)
            }
            ("less" | "lower" | "fewer", "than") => (2, Comparison::Less),
            ("more" | "higher" | "greater", "than") => (2, Comparison::Greater),
            _ => return None,
        };
        let article = usize::from(matches!(
            self.word(at + used),
            "the" | "their" | "its" | "his" | "her" | "our" | "what"
        ));
        let start = at + used + article;
        if self.is_number(start) || matches!(self.word(start), "average" | "mean" | "a" | "all") {
            return None;
        }
        let longest = (self.tokens.len().saturating_sub(start)).min(LONGEST_NAME);
        let (length, senses, _) = (1..=longest)
            .filter_map(|length| {
                let (score, mut senses) = self.named(&(start..start + length))?;
                senses.retain(|sense| {
                    sense.score >= 0.55
                        && matches!(sense.meaning, Meaning::Field(at) if self.model.field(at).role.is_measure())
                });
                (!senses.is_empty()).then_some((length, senses, score))
            })
            .max_by(|one, other| one.2.total_cmp(&other.2))?;
        Some((used + article + length, senses, comparison))
    }

    /// `bigger than 2000`, where no column is named for the adjective: only that it compares, with the number of words.
    pub(super) fn only_compares(&self, at: usize) -> Option<(usize, Comparison)> {
        if self.word(at + 1) != "than" || !self.is_number(at + 2) {
            return None;
        }
        let (adjective, degree) = lexicon().adjective_form(self.word(at))?;
        let adjective = lexicon().adjective(adjective);
        let rises = !adjective.rising.is_empty();
        let comparison = if rises {
            Comparison::Greater
        } else {
            Comparison::Less
        };
        (degree == Degree::Comparative).then_some((2, comparison))
    }

    /// `the average`, `average`, `the overall average`
    pub(super) fn is_average(&self, at: usize) -> bool {
        let articles = (at..at + 2).take_while(|at| matches!(self.word(*at), "the" | "an" | "overall"));
        matches!(self.word(at + articles.count()), "average" | "mean")
    }

    /// `more than 6 percent` compares with a number: no share is asked for.
    pub(super) fn is_percent_of_number(&self, at: usize) -> bool {
        matches!(self.word(at), "percent" | "%")
            && at >= 2
            && self.is_number(at - 1)
            && matches!(
                self.word(at - 2),
                "than" | "over" | "above" | "under" | "below" | "least" | "most" | "exceeding"
            )
    }
}
