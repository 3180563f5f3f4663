//! Functions with their schema in front that the parser takes for words of SQL: `pg_catalog.substring(a, 'x')`.

use sqlparser::tokenizer::Token;

/// The text with the names of such functions in quotes; `None` where there are none.
pub(super) fn quoted(tokens: &[Token]) -> Option<String> {
    let is_schema =
        |token: &Token| matches!(token, Token::Word(word) if word.value.eq_ignore_ascii_case("pg_catalog"));
    let mut changed = false;
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(word)
                if word.quote_style.is_none()
                    && at >= 2
                    && tokens[at - 1] == Token::Period
                    && is_schema(&tokens[at - 2])
                    && tokens.get(at + 1) == Some(&Token::LParen) =>
            {
                changed = true;
                text.push_str(&super::quoted(&word.value.to_lowercase()));
            }
            token => text.push_str(&token.to_string()),
        }
    }
    changed.then_some(text)
}
