//! `a::text COLLATE "C"`: the parser knows COLLATE behind a value, and not behind the cast of one. It reads the collation as
//! another cast, to a type that has no name of PostgreSQL's, and the tree gets it back as what it is.

use std::{mem, ops::ControlFlow};

use sqlparser::{
    ast::{CastKind, DataType, Expr, Ident, ObjectName, ObjectNamePart, Value, VisitMut, VisitorMut},
    keywords::Keyword,
    tokenizer::{Token, TokenWithSpan, Word},
};

use super::solid::solid;

/// What stands before the name of a collation that is read as a type.
const COLLATION: &str = "pg:collation";

/// Words of the names of types that have several.
const OF_TYPES: [&str; 13] = [
    "precision",
    "varying",
    "with",
    "without",
    "time",
    "zone",
    "to",
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
];

fn is_word(token: Option<&Token>, wanted: Keyword) -> bool {
    matches!(token, Some(Token::Word(word)) if word.keyword == wanted)
}

/// Writes such collations as casts; true if there are any.
pub(super) fn as_casts(tokens: &mut Vec<TokenWithSpan>) -> bool {
    let collates = |part: &TokenWithSpan| is_word(Some(&part.token), Keyword::COLLATE);
    if !tokens.iter().any(collates) {
        return false;
    }
    let solid = solid(tokens);
    let token = |place: usize| solid.get(place).map(|at| &tokens[*at].token);
    let mut found = vec![];
    for place in 0..solid.len() {
        if token(place) != Some(&Token::DoubleColon) {
            continue;
        }
        let mut at = behind_type(&token, place + 1);
        // The collation of a column stands behind its default, which has none.
        if !is_word(token(at), Keyword::COLLATE) || is_default(&token, place) {
            continue;
        }
        while is_word(token(at), Keyword::COLLATE) {
            found.push(solid[at]);
            at += 2;
            while token(at) == Some(&Token::Period) {
                at += 2;
            }
        }
    }
    for at in found.iter().rev() {
        let span = tokens[*at].span;
        let name = Token::Word(Word {
            value: COLLATION.into(),
            quote_style: Some('"'),
            keyword: Keyword::NoKeyword,
        });
        let cast = [Token::DoubleColon, name, Token::Period];
        tokens.splice(*at..=*at, cast.map(|token| TokenWithSpan::new(token, span)));
    }
    !found.is_empty()
}

/// The place behind the type that begins here.
fn behind_type<'t>(token: &impl Fn(usize) -> Option<&'t Token>, begin: usize) -> usize {
    let mut at = begin;
    loop {
        match token(at) {
            Some(Token::Word(word)) => {
                let is_first = at == begin || token(at - 1) == Some(&Token::Period);
                let is_of_type = word.quote_style.is_none()
                    && OF_TYPES.contains(&word.value.to_ascii_lowercase().as_str());
                if !is_first && !is_of_type {
                    return at;
                }
                at += 1;
            }
            Some(Token::Period) => at += 1,
            Some(Token::LParen | Token::LBracket) if at > begin => {
                while !matches!(token(at), None | Some(Token::RParen | Token::RBracket)) {
                    at += 1;
                }
                at += 1;
            }
            _ => return at,
        }
    }
}

/// True where a cast is of the default of a column.
fn is_default<'t>(token: &impl Fn(usize) -> Option<&'t Token>, cast: usize) -> bool {
    let mut depth = 0_usize;
    for at in (0..cast).rev() {
        match token(at) {
            Some(Token::RParen | Token::RBracket) => depth += 1,
            Some(Token::LParen | Token::LBracket) if depth > 0 => depth -= 1,
            Some(Token::LParen | Token::LBracket | Token::Comma | Token::SemiColon) if depth == 0 => {
                return false;
            }
            found if depth == 0 && is_word(found, Keyword::DEFAULT) => return true,
            _ => {}
        }
    }
    false
}

/// Makes collations of such casts.
pub(super) fn restore(tree: &mut impl VisitMut) {
    let _ = VisitMut::visit(tree, &mut Collations);
}

struct Collations;

impl VisitorMut for Collations {
    type Break = ();

    fn post_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        let Expr::Cast {
            kind: CastKind::DoubleColon,
            expr,
            data_type: DataType::Custom(ObjectName(parts), _),
            ..
        } = expression
        else {
            return ControlFlow::Continue(());
        };
        let is_one = matches!(parts.first(), Some(ObjectNamePart::Identifier(Ident { value, .. })) if value == COLLATION);
        if is_one {
            parts.remove(0);
            let collation = ObjectName(mem::take(parts));
            let value = mem::replace(&mut **expr, Expr::Value(Value::Null.into()));
            *expression = Expr::Collate {
                expr: Box::new(value),
                collation,
            };
        }
        ControlFlow::Continue(())
    }
}
