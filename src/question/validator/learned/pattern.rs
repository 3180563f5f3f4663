//! Expressions with holes: what two texts share stands for anything of its kind.

use std::{collections::BTreeMap, ops::ControlFlow};

use sqlparser::{
    ast::{Expr, Value},
    tokenizer::{Token, Tokenizer},
};

use super::{
    super::{
        parse::grammar,
        repair::{
            fragments::expression,
            walk::{change_exprs, read_exprs},
        },
    },
    Change,
};
use crate::question::schema::Dialect;

/// Placeholders from this one on stand for values; those below for columns.
const FIRST_VALUE: usize = 50;

/// The change from one expression to another, in which what both have stands for anything. `None` where nothing is left
/// that would tell such expressions from others.
pub(super) fn generalised(before: &Expr, after: &Expr) -> Option<Change> {
    let (mut before, mut after) = (before.clone(), after.clone());
    if matches!((&before, &after), (Expr::Value(_), Expr::Value(_))) {
        return None;
    }
    // A call is what matters whatever it is of; a comparison is one of its column.
    let calls = read_exprs(&before, &mut |expr, _| match expr {
        Expr::Function(_) | Expr::Cast { .. } | Expr::Extract { .. } | Expr::Substring { .. } => {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    if calls {
        hole(&mut before, &mut after, 1, |expr| {
            matches!(expr, Expr::CompoundIdentifier(_))
        });
    }
    hole(
        &mut before,
        &mut after,
        FIRST_VALUE,
        |expr| matches!(expr, Expr::Value(value) if !matches!(value.value, Value::Placeholder(_))),
    );
    let (before, after) = (before.to_string(), after.to_string());
    (before != after).then_some(Change::Expression { before, after })
}

/// Puts placeholders for what both expressions have.
fn hole(before: &mut Expr, after: &mut Expr, first: usize, is: impl Fn(&Expr) -> bool) {
    let all = |expr: &Expr| {
        let mut found: Vec<String> = vec![];
        read_exprs(expr, &mut |expr, _| {
            if is(expr) && !found.contains(&expr.to_string()) {
                found.push(expr.to_string());
            }
            ControlFlow::Continue(())
        });
        found
    };
    let others = all(after);
    let shared = all(before).into_iter().filter(|text| others.contains(text));
    for (number, text) in shared.enumerate() {
        let placeholder = Expr::value(Value::Placeholder(format!("${}", first + number)));
        for side in [&mut *before, &mut *after] {
            change_exprs(side, &mut |expr, _| {
                if is(expr) && expr.to_string() == text {
                    *expr = placeholder.clone();
                }
                ControlFlow::Continue(())
            });
        }
    }
}

/// What stands in the holes of a pattern, if an expression is of its form.
pub(super) fn matched(pattern: &str, expr: &str, dialect: Dialect) -> Option<BTreeMap<String, String>> {
    let (pattern, expr) = (tokens(pattern, dialect)?, tokens(expr, dialect)?);
    let mut holes: BTreeMap<String, String> = BTreeMap::new();
    let mut rest = expr.as_slice();
    for token in &pattern {
        let Token::Placeholder(name) = token else {
            let (first, behind) = rest.split_first()?;
            if !same(token, first) {
                return None;
            }
            rest = behind;
            continue;
        };
        let number: usize = name.trim_start_matches('$').parse().ok()?;
        let length = if number < FIRST_VALUE {
            // A column has its table's name before it.
            match rest {
                [Token::Word(_), Token::Period, Token::Word(_), ..] => 3,
                _ => return None,
            }
        } else {
            match rest.first()? {
                Token::SingleQuotedString(_) | Token::Number(..) => 1,
                _ => return None,
            }
        };
        let (filling, behind) = rest.split_at(length);
        let text: String = filling.iter().map(ToString::to_string).collect();
        if holes.get(name).is_some_and(|known| *known != text) {
            return None;
        }
        holes.insert(name.clone(), text);
        rest = behind;
    }
    rest.is_empty().then_some(holes)
}

fn same(one: &Token, other: &Token) -> bool {
    match (one, other) {
        (Token::Word(one), Token::Word(other)) => one.value.eq_ignore_ascii_case(&other.value),
        _ => one == other,
    }
}

fn tokens(text: &str, dialect: Dialect) -> Option<Vec<Token>> {
    let tokens = Tokenizer::new(grammar(dialect), text).tokenize().ok()?;
    let is_space = |token: &Token| matches!(token, Token::Whitespace(_));
    Some(tokens.into_iter().filter(|token| !is_space(token)).collect())
}

/// An expression with its holes filled.
pub(super) fn filled(pattern: &str, holes: &BTreeMap<String, String>, dialect: Dialect) -> Option<Expr> {
    let mut expr = expression(pattern, dialect)?;
    let mut whole = true;
    change_exprs(&mut expr, &mut |expr, _| {
        if let Expr::Value(value) = expr
            && let Value::Placeholder(name) = &value.value
        {
            match holes.get(name).and_then(|text| expression(text, dialect)) {
                Some(filling) => *expr = filling,
                None => whole = false,
            }
        }
        ControlFlow::Continue(())
    });
    whole.then_some(expr)
}
