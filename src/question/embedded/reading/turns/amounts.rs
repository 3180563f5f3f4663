//! How many at least, and what is not known: comparisons in the words that the readings understand.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{is_number, said, word, written},
    },
    called, has_word,
};
use crate::question::schema::{Schema, words};

/// `2 or more orders` as at least two of them.
pub(super) fn at_least(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut at = 0;
    while at < tokens.len() {
        let names_table = |from: usize| {
            (from..from + 3).any(|at| tokens.get(at).is_some_and(|noun| called(schema, noun).is_some()))
        };
        // `min. 20 marks`
        let least = usize::from(matches!(word(&tokens, at), "min" | "minimum")) * {
            let stop = tokens
                .get(at + 1)
                .is_some_and(|token| token.kind == TokenKind::Mark('.'));
            1 + usize::from(stop || word(&tokens, at + 1) == "of")
        };
        if least > 0 && tokens.get(at + least).is_some_and(is_number) && names_table(at + least + 1) {
            let bound = written(&["at", "least"], &tokens[at]);
            tokens.splice(at..at + least, bound);
            at += 1;
            continue;
        }
        let bound = match (word(&tokens, at + 1), word(&tokens, at + 2)) {
            ("or", "more") if names_table(at + 3) => Some("least"),
            ("or", "less" | "fewer") if names_table(at + 3) => Some("most"),
            _ => None,
        };
        if let Some(bound) = bound.filter(|_| is_number(&tokens[at])) {
            let number = tokens[at].clone();
            let mut asked = written(&["at", bound], &number);
            asked.push(number);
            tokens.splice(at..at + 3, asked);
        }
        at += 1;
    }
    tokens
}

/// `products missing a weight`, `with no weight recorded` as those without one.
pub(super) fn not_known(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let known = [
        "missing",
        "recorded",
        "known",
        "given",
        "registered",
        "listed",
        "entered",
        "provided",
    ];
    if columns.any(|column| has_word(&column.name, &known)) {
        return tokens;
    }
    let missing = (1..tokens.len()).find(|&at| {
        let before = matches!(
            word(&tokens, at - 1),
            "with" | "are" | "is" | "have" | "has" | "that"
        ) || called(schema, &tokens[at - 1]).is_some();
        let follows = tokens
            .get(at + 1)
            .is_some_and(|next| matches!(next.kind, TokenKind::Word(None)));
        let joins = matches!(
            word(&tokens, at + 1),
            "in" | "from" | "and" | "or" | "for" | "at" | "on" | "since"
        );
        matches!(word(&tokens, at), "missing" | "lacking") && before && follows && !joins
    });
    if let Some(at) = missing {
        let from = (0..at)
            .rev()
            .find(|&at| {
                !matches!(
                    word(&tokens, at),
                    "with" | "are" | "is" | "have" | "has" | "that" | "which"
                )
            })
            .map_or(at, |last| last + 1);
        let without = said("without", &tokens[at]);
        tokens.splice(from..=at, [without]);
    }
    let told = (0..tokens.len()).find_map(|at| {
        let none = matches!(word(&tokens, at), "no" | "without");
        (at + 2..at + 5)
            .find(|&told| none && known[1..].contains(&word(&tokens, told)))
            .filter(|told| {
                matches!(
                    word(&tokens, told + 1),
                    "" | "," | "?" | "." | "and" | "or" | "for" | "yet"
                )
            })
    });
    if let Some(told) = told {
        tokens.remove(told);
    }
    tokens
}

/// `non cancelled orders` as those that are not.
pub(super) fn non(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    if columns.any(|column| has_word(&column.name, &["non"])) {
        return tokens;
    }
    for at in 0..tokens.len() {
        if word(&tokens, at) == "non" && word(&tokens, at + 1).len() > 2 {
            tokens[at] = said("not", &tokens[at]);
        }
    }
    tokens
}

/// `annual payroll`: what is paid a year, and no years asked for one by one.
pub(super) fn yearly_pay(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let pay = matches!(
            words::stem(word(&tokens, at)).as_str(),
            "payrol" | "salari" | "pay" | "wage"
        );
        pay && matches!(word(&tokens, at - 1), "annual" | "yearly")
    });
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let says_so = columns.any(|column| has_word(&column.name, &["annual", "yearly"]));
    if let Some(at) = found.filter(|_| !says_so) {
        tokens.remove(at - 1);
    }
    tokens
}

/// `parts with an unknown supplier` as those without one.
pub(super) fn unknown(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len().saturating_sub(1)).find_map(|at| {
        let article = usize::from(matches!(word(&tokens, at + 1), "an" | "a"));
        let leads = matches!(word(&tokens, at), "with" | "have" | "has" | "of");
        (leads
            && matches!(
                word(&tokens, at + 1 + article),
                "unknown" | "unspecified" | "unrecorded"
            ))
        .then_some((at, at + 1 + article))
    });
    if let Some((at, end)) = found {
        let without = written(&["without"], &tokens[at]);
        tokens.splice(at..=end, without);
    }
    tokens
}
