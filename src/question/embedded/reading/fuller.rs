//! What is told beside an answer that is a name and no more: when the newest was made, how tall the tallest is.

use super::{
    super::{
        lexicon::{Degree, lexicon},
        question::{Token, TokenKind},
    },
    rewording::word,
};
use crate::question::{
    analytic::{AnalyticQuery, List, Shown},
    semantic::{Scalar, SemanticModel},
};

/// The query that shows by what the first of all is the first, where a question asks for nothing but that one:
/// `what's the tallest tower?`, `newest tenant`.
pub(super) fn fuller(
    query: &AnalyticQuery,
    tokens: &[Token],
    model: &SemanticModel,
) -> Option<AnalyticQuery> {
    let AnalyticQuery::List(list) = query else {
        return None;
    };
    let of_all = list.rank.limit == Some(1) && list.rank.within.is_empty();
    // A figure says itself how much it is.
    let display = &model.datasets[list.subject].display;
    let names = |shown: &Shown| matches!(shown, Shown::Value(Scalar::Column(at)) if at.way.hops.is_empty() && display.contains(&at.column));
    let mut seen = list.shown.iter().enumerate();
    let named = seen.all(|(at, shown)| list.hidden.contains(&at) || names(shown));
    let hides = named && of_all && !list.hidden.is_empty() && !list.distinct;
    (hides && asks_for_the_first(tokens)).then(|| {
        AnalyticQuery::List(List {
            hidden: Vec::new(),
            ..list.clone()
        })
    })
}

/// True for a question that begins with a superlative, or asks who or what that is.
fn asks_for_the_first(tokens: &[Token]) -> bool {
    let mut at = 0;
    if matches!(word(tokens, 0), "what" | "who" | "which") {
        let possessive = tokens
            .get(1)
            .is_some_and(|token| token.kind == TokenKind::Possessive);
        if !(possessive || matches!(word(tokens, 1), "is" | "was" | "'s")) {
            return false;
        }
        at = 2;
    }
    at += usize::from(matches!(word(tokens, at), "the" | "our" | "your" | "my"));
    (1..=2).any(|used| {
        let Some(said) = tokens.get(at..at + used) else {
            return false;
        };
        let said: Vec<&str> = said.iter().map(|token| token.word.as_str()).collect();
        matches!(
            lexicon().adjective_form(&said.join(" ")),
            Some((_, Degree::Superlative))
        )
    })
}
