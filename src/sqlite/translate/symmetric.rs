//! `BETWEEN SYMMETRIC`, which the parser does not know: the first bound is marked by a function that is none.

use std::ops::ControlFlow;

use sqlparser::{
    ast::{
        BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Query,
        visit_expressions_mut,
    },
    dialect::PostgreSqlDialect,
    tokenizer::{Token, Tokenizer},
};

use super::parser_fallback::{is_one, solid};

/// The name of that function. Whoever calls it himself says the same.
const MARK: &str = "pg:symmetric";

/// The same of a statement that the parser reads: it takes `SYMMETRIC (a)` for a call.
pub(super) fn respelled(sql: &str) -> Option<String> {
    let word = b"symmetric";
    let mut places = sql.as_bytes().windows(word.len());
    if !places.any(|part| part.eq_ignore_ascii_case(word)) {
        return None;
    }
    let mut tokenizer = Tokenizer::new(&PostgreSqlDialect {}, sql).with_unescape(false);
    marked(&tokenizer.tokenize().ok()?)
}

/// The statement with such bounds marked; `None` where there are none.
pub(super) fn marked(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let word = |at: usize, wanted: &str| is_one(tokens, solid.get(at), &[wanted]);
    let mut words: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let mut changed = false;
    for at in 1..solid.len() {
        if !word(at - 1, "between") || !(word(at, "symmetric") || word(at, "asymmetric")) {
            continue;
        }
        changed = true;
        if word(at, "asymmetric") {
            words[solid[at]].clear();
            continue;
        }
        let and = and_of(tokens, &solid, at + 1)?;
        words[solid[at]] = format!("\"{MARK}\"(");
        words[and].insert_str(0, ") ");
    }
    changed.then(|| words.concat())
}

/// The place of the AND that ends the bound which begins at `start`.
fn and_of(tokens: &[Token], solid: &[usize], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in start..solid.len() {
        let word = |wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
        match &tokens[solid[at]] {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.checked_sub(1)?,
            _ if word(&["case"]) => depth += 1,
            _ if word(&["end"]) => depth = depth.checked_sub(1)?,
            _ if depth == 0 && word(&["and"]) => return Some(solid[at]),
            _ => {}
        }
    }
    None
}

/// The first bound of a BETWEEN, and whether the two may stand in either order.
pub(super) fn bound(low: &Expr) -> (&Expr, bool) {
    let Expr::Function(Function {
        name,
        args: FunctionArguments::List(list),
        ..
    }) = low
    else {
        return (low, false);
    };
    let is_mark = name.0.len() == 1
        && name.0[0]
            .as_ident()
            .is_some_and(|name| name.value == MARK && name.quote_style.is_some());
    match list.args.as_slice() {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(bound))] if is_mark => (bound, true),
        _ => (low, false),
    }
}

/// A query with such bounds as PostgreSQL keeps them: one of the two orders or the other.
pub(super) fn spelled_out(query: &Query) -> Query {
    let mut query = query.clone();
    let _ = visit_expressions_mut(&mut query, |part| {
        if let Expr::Between {
            expr,
            negated,
            low,
            high,
        } = &*part
            && let (low, true) = bound(low)
        {
            *part = either(expr, *negated, [low, high]);
        }
        ControlFlow::<()>::Continue(())
    });
    query
}

fn either(value: &Expr, negated: bool, [low, high]: [&Expr; 2]) -> Expr {
    let (above, below, inner, outer) = if negated {
        (
            BinaryOperator::Lt,
            BinaryOperator::Gt,
            BinaryOperator::Or,
            BinaryOperator::And,
        )
    } else {
        (
            BinaryOperator::GtEq,
            BinaryOperator::LtEq,
            BinaryOperator::And,
            BinaryOperator::Or,
        )
    };
    let joined = |left: Expr, op: &BinaryOperator, right: Expr| {
        let (left, op, right) = (Box::new(left), op.clone(), Box::new(right));
        Expr::Nested(Box::new(Expr::BinaryOp { left, op, right }))
    };
    let order = |low: &Expr, high: &Expr| {
        let from = joined(operand(value), &above, operand(low));
        joined(from, &inner, joined(operand(value), &below, operand(high)))
    };
    joined(order(low, high), &outer, order(high, low))
}

/// In parentheses, where it is more than a name, a value or a call.
fn operand(expression: &Expr) -> Expr {
    match expression {
        Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::Value(_)
        | Expr::Function(_)
        | Expr::Nested(_) => expression.clone(),
        _ => Expr::Nested(Box::new(expression.clone())),
    }
}
