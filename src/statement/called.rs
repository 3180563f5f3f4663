//! The names behind which an argument list stands, however they are written: what a text may call.

use std::collections::BTreeSet;

use super::{
    lexer::{Lexer, Token, TokenKind},
    literal::name_value,
};

/// The names that a text in PostgreSQL's dialect may call, without their schemas, whatever `standard_conforming_strings` is;
/// `None` where one of them is spelt with escapes of its own (`UESCAPE`).
pub fn called(text: &str) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for standard_strings in [true, false] {
        let tokens: Vec<Token> = Lexer::new(text, standard_strings)
            .filter(|token| !token.is_blank())
            .collect();
        if tokens.iter().any(|token| token.is_word(text, "uescape")) {
            return None;
        }
        for pair in tokens.windows(2).filter(|pair| pair[1].is_sign(text, "(")) {
            if matches!(pair[0].kind, TokenKind::Word | TokenKind::QuotedName(_)) {
                names.insert(name_value(pair[0], text)?);
            }
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        let check = |text: &str, expected: Option<&[&str]>| {
            let found = called(text).map(|names| names.into_iter().collect::<Vec<_>>());
            let expected = expected.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
            assert_eq!(found, expected, "{text}");
        };
        check("SELECT PG_Sleep (1)", Some(&["pg_sleep"]));
        check(
            "SELECT pg_catalog.\"pg_sleep\" /* a */ -- b\n (1)",
            Some(&["pg_sleep"]),
        );
        check("SELECT U&\"pg\\005fsleep\"(1)", Some(&["pg_sleep"]));
        check("SELECT U&\"pg!005fsleep\" UESCAPE '!' (1)", None);
        check("SELECT '\\', pg_sleep(1) --'", Some(&["pg_sleep"]));
        check("SELECT '\\', ', pg_sleep(1) --'", Some(&["pg_sleep"]));
        check("SELECT 'pg_sleep(1)', pg_sleep FROM t", Some(&[]));
    }
}
