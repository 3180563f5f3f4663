//! `ORDER BY x USING >`: the operators that order, as the words ASC and DESC, which all who read a tree know.

use sqlparser::{
    keywords::Keyword,
    tokenizer::{Token, TokenWithSpan, Whitespace},
};

use super::solid::solid;

/// Puts the words in place of the operators; false where one is there that orders nothing.
pub(super) fn told(tokens: &mut [TokenWithSpan]) -> bool {
    let is_keyword =
        |token: &Token, keyword: Keyword| matches!(token, Token::Word(word) if word.keyword == keyword);
    if !tokens.iter().any(|part| is_keyword(&part.token, Keyword::USING)) {
        return true;
    }
    let solid = solid(tokens);
    for (place, at) in solid.iter().enumerate() {
        if !is_keyword(&tokens[*at].token, Keyword::USING) {
            continue;
        }
        let token = |behind: usize| solid.get(place + behind).map(|at| &tokens[*at].token);
        let is_spelt = token(1).is_some_and(|token| is_keyword(token, Keyword::OPERATOR))
            && token(2) == Some(&Token::LParen);
        let is_qualified = is_spelt && token(4) == Some(&Token::Period);
        let (operator, last) = match (is_spelt, is_qualified) {
            (false, _) => (1, 1),
            (true, false) => (3, 4),
            (true, true) => (5, 6),
        };
        let word = match token(operator) {
            Some(Token::Lt) => "ASC",
            Some(Token::Gt) => "DESC",
            Some(Token::LtEq | Token::GtEq | Token::Eq | Token::Neq | Token::CustomBinaryOperator(_)) => {
                return false;
            }
            _ if is_spelt => return false,
            _ => continue,
        };
        let replaced: Vec<usize> = solid.iter().copied().skip(place + 1).take(last).collect();
        tokens[*at].token = Token::make_keyword(word);
        for other in replaced {
            tokens[other].token = Token::Whitespace(Whitespace::Space);
        }
    }
    true
}
