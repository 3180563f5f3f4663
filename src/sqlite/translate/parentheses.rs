//! Parentheses around an expression, which say nothing but where it begins and ends: PostgreSQL's parser drops them, so
//! `(a)` is the column `a` wherever two expressions are held against each other, and `(1)` a position.

use std::ops::ControlFlow;

use sqlparser::{
    ast::{Expr, Value, visit_expressions_mut},
    tokenizer::Token,
};

use super::{
    parser_fallback::{is_one, solid},
    sql_expr::{Node, SqlExpr, list},
};

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

/// Parentheses around what may not stand beside an operator without them, so that what is said with and without them becomes
/// the same.
pub(super) fn around(value: SqlExpr) -> SqlExpr {
    if is_operand(&value) { value } else { list([value]) }
}

/// True for a name, a number, a call, and what the printer puts into parentheses itself.
fn is_operand(value: &SqlExpr) -> bool {
    match value.node() {
        Node::Number(digits) => !digits.starts_with('-'),
        Node::Call(call) => call.filter.is_none() && call.over.is_none(),
        Node::Name(_)
        | Node::Null
        | Node::Cast(..)
        | Node::Prefix(..)
        | Node::Infix(..)
        | Node::List(_)
        | Node::Query(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::sql_expr::{Call, SqlExpr, bare, call, collate, column, infix, name, not, number, text},
        *,
    };

    #[test]
    fn only_what_is_no_operand_gets_parentheses() {
        let filtered = Call {
            name: "sum".into(),
            arguments: vec![name("a")],
            filter: Some(name("b")),
            ..Call::default()
        };
        let sum = || infix(name("a"), "+", name("b"));
        for (value, expected) in [
            (column("t", "a b"), "\"t\".\"a b\""),
            (number("12.5"), "12.5"),
            (sum(), "(\"a\" + \"b\")"),
            (bare(sum()), "(\"a\" + \"b\")"),
            (call("pg_f", [name("a"), text(")")]), "pg_f(\"a\", ')')"),
            (infix(sum(), "+", sum()), "((\"a\" + \"b\") + (\"a\" + \"b\"))"),
            (SqlExpr::from(filtered), "(sum(\"a\") FILTER (WHERE \"b\"))"),
            (collate(name("a"), "BINARY"), "(\"a\" COLLATE BINARY)"),
            (not(name("a")), "(NOT \"a\")"),
            (number("-1"), "(-1)"),
        ] {
            assert_eq!(around(value).to_string(), expected);
        }
    }
}
