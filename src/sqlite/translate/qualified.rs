//! What tools write with its schema in front and the parser does not know so: `pg_catalog.substring(a, 'x')`, which it takes
//! for a word of SQL, and `a OPERATOR(pg_catalog.=) ANY (b)`.

use std::fmt::Write as _;

use sqlparser::tokenizer::{Token, Word};

/// Operators that mean the same with the schema and without: all bind more tightly than AND and less than arithmetic.
const COMPARING: [Token; 14] = [
    Token::Eq,
    Token::Neq,
    Token::Lt,
    Token::Gt,
    Token::LtEq,
    Token::GtEq,
    Token::Tilde,
    Token::TildeAsterisk,
    Token::ExclamationMarkTilde,
    Token::ExclamationMarkTildeAsterisk,
    Token::DoubleTilde,
    Token::DoubleTildeAsterisk,
    Token::ExclamationMarkDoubleTilde,
    Token::ExclamationMarkDoubleTildeAsterisk,
];

/// The text with the names of such functions in quotes, and such operators alone; `None` where there are none.
pub(super) fn plain(tokens: &[Token]) -> Option<String> {
    let mut changed = false;
    let mut text = String::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(operator) = operator(&tokens[at..]) {
            changed = true;
            let _ = write!(text, " {operator} ");
            at += 6;
            continue;
        }
        match &tokens[at] {
            Token::Word(word) if word.quote_style.is_none() && is_qualified_call(tokens, at) => {
                changed = true;
                text.push_str(&super::quoted(&word.value.to_lowercase()));
            }
            token => text.push_str(&token.to_string()),
        }
        at += 1;
    }
    changed.then_some(text)
}

fn is(word: &Word, name: &str) -> bool {
    word.value.eq_ignore_ascii_case(name)
}

fn is_qualified_call(tokens: &[Token], at: usize) -> bool {
    at >= 2
        && tokens[at - 1] == Token::Period
        && matches!(&tokens[at - 2], Token::Word(schema) if is(schema, "pg_catalog"))
        && tokens.get(at + 1) == Some(&Token::LParen)
}

/// The operator of `OPERATOR(pg_catalog.=)`, with which the tokens begin.
fn operator(tokens: &[Token]) -> Option<&Token> {
    match tokens {
        [
            Token::Word(word),
            Token::LParen,
            Token::Word(schema),
            Token::Period,
            operator,
            Token::RParen,
            ..,
        ] if is(word, "operator") && is(schema, "pg_catalog") && COMPARING.contains(operator) => {
            Some(operator)
        }
        _ => None,
    }
}
