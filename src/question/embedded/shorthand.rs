//! What people write in haste, in full: `w/o`, `incl.`, `30 min`, `ytd`.

use super::question::{Token, TokenKind, token};

/// Amounts that come per something: `price / litre`.
const AMOUNTS: [&str; 9] = [
    "price", "prices", "cost", "costs", "fee", "rate", "revenue", "amount", "charge",
];

/// The tokens with such words in full.
pub(super) fn in_full(tokens: &[Token]) -> Vec<Token> {
    let mut written: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let (used, instead) = full(tokens, at).unwrap_or((1, &[]));
        if instead.is_empty() {
            written.extend_from_slice(&tokens[at..at + used]);
        } else {
            written.extend(instead.iter().map(|word| token(word, TokenKind::Word(None))));
        }
        at += used;
    }
    written
}

/// What the words that begin here are short for, and how many they are.
fn full(tokens: &[Token], at: usize) -> Option<(usize, &'static [&'static str])> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let slash = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.kind == TokenKind::Mark('/'))
    };
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let counted =
        before.is_some_and(|before| matches!(before.kind, TokenKind::Number(_) | TokenKind::Word(Some(_))));
    let amount = before.is_some_and(|before| AMOUNTS.contains(&before.word.as_str()));
    Some(match word(at) {
        "w" if slash(at + 1) && word(at + 2) == "o" => (3, &["without"]),
        "w" if slash(at + 1) => (2, &["with"]),
        "/" if amount => (1, &["per"]),
        "incl" => (1, &["including"]),
        "excl" => (1, &["excluding"]),
        "pls" | "plz" => (1, &["please"]),
        "ytd" => (1, &["this", "year"]),
        "qtd" => (1, &["this", "quarter"]),
        "mtd" => (1, &["this", "month"]),
        "yoy" => (1, &["year", "over", "year"]),
        "min" | "mins" if counted => (1, &["minutes"]),
        "hr" | "hrs" if counted => (1, &["hours"]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::super::question::tokens;

    #[test]
    fn short_words_are_written_in_full() {
        let full = |question: &str| -> String {
            let words = tokens(question, date(2026, 5, 20));
            let words: Vec<String> = words.into_iter().map(|token| token.word).collect();
            words.join(" ")
        };
        assert_eq!(full("permits w/o a fee"), "permits without a fee");
        assert_eq!(
            full("permits w/ a fee, excl. tax"),
            "permits with a fee , excluding tax"
        );
        assert_eq!(full("longer than 45 min"), "longer than 45 minutes");
        assert_eq!(full("price / litre"), "price per litre");
        assert_eq!(full("min price"), "min price");
        assert_eq!(full("read/write"), "read / write");
    }
}
