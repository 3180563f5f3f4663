//! Lengths of time in the unit in which a column keeps them: `longer than an hour` where minutes are kept.

use std::ops::Range;

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{said, word},
        sizes::minutes_in,
    },
    is_called,
};
use crate::question::schema::{Schema, words};

/// The question with a length that something is compared with in the kept unit.
pub(in super::super) fn in_kept_unit(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| length(&tokens, at));
    let Some((span, minutes)) = found else {
        return tokens;
    };
    let Some((unit, kept)) = kept(&tokens, &span, schema) else {
        return tokens;
    };
    let number = (minutes / kept * 1e6).round() / 1e6;
    let number = Token {
        kind: TokenKind::Number(number.to_string()),
        ..said(&number.to_string(), &tokens[span.start])
    };
    let unit = said(
        if unit == "min" { "minutes" } else { unit },
        &tokens[span.end - 1],
    );
    tokens.splice(span, [number, unit]);
    tokens
}

/// Which tokens from here on are a length that something is compared with, and how many minutes that is.
fn length(tokens: &[Token], at: usize) -> Option<(Range<usize>, f64)> {
    let compared = matches!(
        word(tokens, at - 1),
        "than" | "over" | "under" | "least" | "most" | "exceeding"
    );
    let (number, unit) = match (word(tokens, at), word(tokens, at + 1)) {
        ("half", "a" | "an") => (0.5, at + 2),
        ("a" | "an", _) => (1.0, at + 1),
        _ => match &tokens[at].kind {
            TokenKind::Number(number) => (number.parse().ok()?, at + 1),
            TokenKind::Word(Some(number)) => (*number as f64, at + 1),
            _ => return None,
        },
    };
    let named = word(tokens, unit);
    let (_, minutes) = minutes_in(named).filter(|_| named.len() > 1)?;
    // `more than 30 days ago`: a day, and no length.
    let counts_from = matches!(
        word(tokens, unit + 1),
        "ago" | "before" | "after" | "later" | "earlier" | "old" | "late" | "overdue" | "early" | "from"
    );
    (compared && !counts_from).then_some((at..unit + 1, number * minutes))
}

/// The unit in which what the question names keeps such a length, and how many minutes it has.
fn kept(tokens: &[Token], span: &Range<usize>, schema: &Schema) -> Option<(&'static str, f64)> {
    let others = || tokens[..span.start].iter().chain(&tokens[span.end..]);
    let lasts = others().any(|token| {
        matches!(
            token.word.as_str(),
            "longer"
                | "shorter"
                | "long"
                | "last"
                | "lasts"
                | "lasted"
                | "lasting"
                | "took"
                | "take"
                | "takes"
                | "taking"
        )
    });
    let mut found = schema.columns().filter_map(|(at, column)| {
        let name = words::identifier_words(&column.name);
        let unit = name
            .iter()
            .find_map(|word| minutes_in(word).filter(|_| word.len() > 1))?;
        let rest = name
            .iter()
            .filter(|word| minutes_in(word).is_none() && word.len() > 2);
        let said = rest
            .clone()
            .any(|word| others().any(|token| token.stem == words::stem(word)));
        let of_named = others().any(|token| is_called(schema, at.table, token));
        // A day of work has no 24 hours.
        let works = name.iter().any(|word| word.starts_with("work"));
        let usable = column.kind.is_numeric() && !schema.tables[at.table].is_view && !works;
        (usable && (said || lasts && of_named)).then_some(unit)
    });
    let first = found.next()?;
    found.all(|other| other.0 == first.0).then_some(first)
}
