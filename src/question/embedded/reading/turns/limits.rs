//! Which of them: so many or more, only those that are so, in other units than a column keeps.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{is_number, said, word, written},
        sizes::size,
    },
    called,
};
use crate::question::schema::{Schema, words};

/// `50+ reviews` as at least 50 of them.
pub(super) fn plus(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let next = tokens.get(at + 1);
        let sum = next.is_some_and(is_number);
        let compared = at > 1 && matches!(word(&tokens, at - 2), "than" | "least" | "over" | "above");
        tokens[at].kind == TokenKind::Mark('+') && is_number(&tokens[at - 1]) && !sum && !compared
    });
    if let Some(at) = found {
        tokens.remove(at);
        let least = written(&["at", "least"], &tokens[at - 1]);
        tokens.splice(at - 1..at - 1, least);
    }
    tokens
}

/// `only those with 50 reviews` as with so many, `staff by store, current staff only` as the current staff by store.
pub(super) fn only_those(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let again = |at: usize| {
        tokens.get(at).is_some_and(|noun| {
            let mut before = tokens[..at - 1].iter();
            called(schema, noun).is_some() && before.any(|token| token.stem == noun.stem)
        })
    };
    let found = (1..tokens.len()).find_map(|at| {
        let those = match (word(&tokens, at), word(&tokens, at + 1), word(&tokens, at + 2)) {
            ("only" | "just", "those" | "ones", _) => 2,
            ("only" | "just", "the", "ones") | ("but", "only", "those" | "ones") => 3,
            // `users per account, only accounts with more than 3 users`
            ("only" | "just", _, "with" | "that" | "who") if again(at + 1) => 2,
            ("but", "only", _) if again(at + 2) => 3,
            _ => return None,
        };
        let with = matches!(
            word(&tokens, at + those),
            "with" | "that" | "who" | "which" | "in" | "from"
        );
        with.then_some((at, those))
    });
    if let Some((at, those)) = found {
        let comma = usize::from(matches!(tokens[at - 1].kind, TokenKind::Mark(',')));
        tokens.drain(at - comma..at + those);
        return tokens;
    }
    let comma = tokens
        .iter()
        .rposition(|token| token.kind == TokenKind::Mark(','));
    let Some(comma) = comma else { return tokens };
    let tail: Vec<&str> = tokens[comma + 1..]
        .iter()
        .map(|token| token.word.as_str())
        .collect();
    let (state, noun) = match &tail[..] {
        ["only" | "just", _] | [_, "only"] => (
            comma + 1 + usize::from(tail[0] == "only" || tail[0] == "just"),
            None,
        ),
        ["only" | "just", _, noun] => (comma + 2, Some(*noun)),
        [_, noun, "only"] => (comma + 1, Some(*noun)),
        _ => return tokens,
    };
    let ones = matches!(noun, Some("ones"));
    let before = tokens[..comma].iter().position(|token| match noun {
        Some(noun) if !ones => token.stem == words::stem(noun),
        _ => called(schema, token).is_some(),
    });
    let is_plain = matches!(tokens[state].kind, TokenKind::Word(None)) && !tokens[state].capital;
    let tells = !matches!(
        word(&tokens, state),
        "total" | "totals" | "name" | "names" | "top" | "first"
    );
    if let Some(before) =
        before.filter(|_| is_plain && tells && (noun.is_some() || is_state(word(&tokens, state))))
    {
        let state = tokens[state].clone();
        tokens.truncate(comma);
        tokens.insert(before, state);
    }
    tokens
}

/// True for how something may be by its form.
fn is_state(word: &str) -> bool {
    word.ends_with("ed")
        || word.ends_with("ive")
        || matches!(word, "open" | "current" | "new" | "sold" | "paid")
}

/// `heavier than 40 kilos` as 40000, where all that is weighed here is kept in grams.
pub(super) fn in_kept_unit(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let (kind, asked) = size(word(&tokens, at))?;
        let TokenKind::Number(number) = &tokens[at - 1].kind else {
            return None;
        };
        let kept = kept_units(kind, schema);
        let [kept] = &kept[..] else { return None };
        let factor = asked / kept;
        let number: f64 = number.parse().ok()?;
        ((factor - 1.0).abs() > 1e-9).then(|| (at, (number * factor * 1e6).round() / 1e6))
    });
    if let Some((at, number)) = found {
        tokens.remove(at);
        tokens[at - 1] = Token {
            kind: TokenKind::Number(number.to_string()),
            ..said(&number.to_string(), &tokens[at - 1])
        };
    }
    tokens
}

/// In which units of a kind the columns keep anything.
fn kept_units(kind: usize, schema: &Schema) -> Vec<f64> {
    let mut kept: Vec<f64> = Vec::new();
    for (at, column) in schema.columns() {
        if schema.tables[at.table].is_view || !column.kind.is_numeric() {
            continue;
        }
        let name = words::identifier_words(&column.name);
        let Some(last) = name.last() else { continue };
        let unit = size(last).filter(|(of, unit)| *of == kind && name.len() > 1 && !kept.contains(unit));
        kept.extend(unit.map(|(_, unit)| unit));
    }
    kept
}
