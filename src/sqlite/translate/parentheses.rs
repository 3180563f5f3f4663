//! Parentheses around an expression, which say nothing but where it begins and ends: PostgreSQL's parser drops them, so
//! `(a)` is the column `a` wherever two expressions are held against each other, and `(1)` a position.

use std::ops::ControlFlow;

use sqlparser::{
    ast::{Expr, Value, visit_expressions_mut},
    tokenizer::Token,
};

use super::parser_fallback::{is_one, solid};

/// What stands in the parentheses, if any are around it.
pub(super) fn peeled(mut expression: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expression {
        expression = inner;
    }
    expression
}

/// An expression without parentheses at any level: what a tree means is in its shape.
pub(super) fn without(expression: &Expr) -> Expr {
    let mut plain = expression.clone();
    let _ = visit_expressions_mut(&mut plain, |part| {
        while let Expr::Nested(inner) = part {
            *part = std::mem::replace(&mut **inner, Expr::Value(Value::Null.into()));
        }
        ControlFlow::<()>::Continue(())
    });
    plain
}

/// `((SELECT 1) UNION (SELECT 2))` where an expression stands, as a query that begins with a word: after two parentheses the
/// parser expects a value. `None` where there is none.
pub(super) fn arms_apart(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let mut words: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let mut open = vec![];
    let mut closed = vec![0; solid.len()];
    for (at, place) in solid.iter().enumerate() {
        match tokens[*place] {
            Token::LParen => open.push(at),
            Token::RParen => closed[open.pop()?] = at,
            _ => {}
        }
    }
    let is_open = |at: usize| solid.get(at).is_some_and(|place| tokens[*place] == Token::LParen);
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    let mut changed = false;
    for at in 1..solid.len() {
        let first = (at..solid.len()).find(|at| !is_open(*at)).unwrap_or_default();
        let is_set = is_open(at)
            && is_open(at + 1)
            && word(first, &["select", "values", "with", "table"])
            && word(closed[at + 1] + 1, &["union", "intersect", "except"]);
        // FROM has these already, and takes them.
        if is_set && !word(at - 1, &["from"]) {
            words[solid[at]].push_str("SELECT * FROM (");
            words[solid[closed[at]]].insert_str(0, ") AS \"pg:s\"");
            changed = true;
        }
    }
    changed.then(|| words.concat())
}

/// SQLite's words as one operand. Where they are one already nothing is put around them, so that what is said with and
/// without parentheses becomes the same text.
pub(super) fn around(sql: String) -> String {
    if is_operand(&sql) { sql } else { format!("({sql})") }
}

/// True for a name, a number, a call, and what is in parentheses.
fn is_operand(sql: &str) -> bool {
    let mut quoted = false;
    let head = sql.find(|character: char| {
        quoted ^= character == '"';
        !(quoted || character.is_alphanumeric() || matches!(character, '"' | '_' | '.'))
    });
    let Some(head) = head else { return !sql.is_empty() };
    let mut open = 0_usize;
    let mut quote = None;
    for (at, character) in sql.char_indices().skip_while(|(at, _)| *at < head) {
        match (character, quote) {
            (_, Some(closing)) if character == closing => quote = None,
            ('\'' | '"', None) => quote = Some(character),
            ('(', None) => open += 1,
            (')', None) => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return character == ')' && at + 1 == sql.len();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_no_operand_gets_parentheses() {
        for (sql, expected) in [
            ("\"t\".\"a b\"", "\"t\".\"a b\""),
            ("12.5", "12.5"),
            ("(a + b)", "(a + b)"),
            ("pg_f(a, ')')", "pg_f(a, ')')"),
            ("(a) + (b)", "((a) + (b))"),
            ("count(*) FILTER (WHERE a)", "(count(*) FILTER (WHERE a))"),
            ("(\"a\") COLLATE BINARY", "((\"a\") COLLATE BINARY)"),
            ("NOT a", "(NOT a)"),
            ("'a' || 'b'", "('a' || 'b')"),
            ("-1", "(-1)"),
        ] {
            assert_eq!(around(sql.to_owned()), expected);
        }
    }
}
