//! Two kinds beside each other: of which there are more.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{said, word, written},
    },
    called,
};
use crate::question::schema::{Snapshot, words};

/// `do we see more cats or dogs?`, `boys vs girls, how many of each` as how many there are of the one and of the other.
pub(super) fn of_each(tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let is_kind = |token: &Token| {
        let text = [token.text.as_str(), token.stem.as_str()];
        text.iter()
            .any(|text| !snapshot.values.find(&words::text_words(text)).is_empty())
    };
    let is_table = |token: &Token| called(&snapshot.schema, token).is_some();
    let both = |one: usize, other: usize| {
        let (one, other) = (tokens.get(one)?, tokens.get(other)?);
        let kinds = is_kind(one) && is_kind(other) && !is_table(one) && !is_table(other);
        kinds.then(|| (one.clone(), other.clone()))
    };
    let ends = |at: usize| {
        tokens
            .get(at)
            .is_none_or(|token| matches!(token.kind, TokenKind::Mark(_)))
    };
    let more = || {
        let at =
            (1..tokens.len()).find(|&at| word(&tokens, at) == "more" && word(&tokens, at + 2) == "or")?;
        let asks = matches!(word(&tokens, 0), "do" | "does" | "are" | "have" | "did");
        (asks && ends(at + 4)).then(|| both(at + 1, at + 3))?
    };
    let versus = || {
        let joins = matches!(word(&tokens, 1), "vs" | "versus" | "or" | "and");
        let each = tokens.iter().any(|token| matches!(token.word.as_str(), "each"));
        let count = tokens
            .windows(2)
            .any(|two| two[0].word == "how" && two[1].word == "many");
        (joins && each && count).then(|| both(0, 2))?
    };
    let Some((one, other)) = more().or_else(versus) else {
        return tokens;
    };
    let mut asked = written(&["number", "of"], &one);
    let versus = said("versus", &one);
    asked.extend([one, versus, other]);
    asked
}
