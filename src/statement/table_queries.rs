//! `TABLE t` is `SELECT * FROM t`, wherever a query may stand.

use sqlparser::{
    keywords::Keyword,
    tokenizer::{Token, TokenWithSpan},
};

use super::solid::solid;

/// Words that no table is called by, as which `table` may name a column before them: `SELECT a AS table FROM t`.
const CLAUSES: [Keyword; 14] = [
    Keyword::FROM,
    Keyword::WHERE,
    Keyword::GROUP,
    Keyword::HAVING,
    Keyword::WINDOW,
    Keyword::UNION,
    Keyword::EXCEPT,
    Keyword::INTERSECT,
    Keyword::ORDER,
    Keyword::LIMIT,
    Keyword::OFFSET,
    Keyword::FETCH,
    Keyword::FOR,
    Keyword::INTO,
];

/// Writes such queries as the parser knows them everywhere.
pub(super) fn written_out(tokens: &mut Vec<TokenWithSpan>) {
    let keyword = |token: &Token| match token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    };
    if !tokens
        .iter()
        .any(|part| keyword(&part.token) == Some(Keyword::TABLE))
    {
        return;
    }
    let solid = solid(tokens);
    let token = |place: usize| solid.get(place).map(|at| &tokens[*at].token);
    let word = |place: usize| token(place).and_then(keyword);
    let found: Vec<usize> = (0..solid.len())
        .filter(|place| {
            let place = *place;
            let is_named = matches!(token(place + 1), Some(Token::Word(_)))
                && !word(place + 1).is_some_and(|word| CLAUSES.contains(&word));
            if word(place) != Some(Keyword::TABLE) || !is_named {
                return false;
            }
            let Some(before) = place.checked_sub(1) else {
                return true;
            };
            match token(before) {
                Some(Token::LParen | Token::SemiColon) => true,
                Some(Token::RParen) => {
                    matches!(word(0), Some(Keyword::WITH | Keyword::INSERT | Keyword::EXPLAIN))
                }
                Some(Token::Word(_)) => match word(before) {
                    Some(
                        Keyword::UNION
                        | Keyword::EXCEPT
                        | Keyword::INTERSECT
                        | Keyword::AS
                        | Keyword::EXPLAIN,
                    ) => true,
                    Some(Keyword::ALL | Keyword::DISTINCT) => {
                        before.checked_sub(1).and_then(word).is_some_and(|word| {
                            matches!(word, Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT)
                        })
                    }
                    _ => is_target(&token, &word, before),
                },
                _ => false,
            }
        })
        .map(|place| solid[place])
        .collect();
    for at in found.iter().rev() {
        let span = tokens[*at].span;
        let query = [
            Token::make_keyword("SELECT"),
            Token::Mul,
            Token::make_keyword("FROM"),
        ];
        tokens.splice(*at..=*at, query.map(|token| TokenWithSpan::new(token, span)));
    }
}

/// True for the last word of the table that an INSERT names.
fn is_target<'t>(
    token: &impl Fn(usize) -> Option<&'t Token>,
    word: &impl Fn(usize) -> Option<Keyword>,
    last: usize,
) -> bool {
    let mut at = last;
    while at > 2 && token(at - 1) == Some(&Token::Period) {
        at -= 2;
    }
    at > 1 && word(at - 1) == Some(Keyword::INTO) && word(at - 2) == Some(Keyword::INSERT)
}
