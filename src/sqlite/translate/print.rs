//! The one printer of [`SqlExpr`]: it alone decides where quotes and parentheses stand.

use super::{
    quoted,
    sql::{Piece, Sql},
    sql_expr::{Call, Node, Part, SortKey, SqlExpr},
    string,
    window_of::{Bound, Over, Window},
};

/// What stands beside an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// Nothing that could take a part of it: commas, key words, parentheses.
    Nothing,
    /// AND or OR, which bind less than all else.
    Condition,
    /// Another operator.
    Operator,
}

/// Writes an expression that stands by itself.
pub(super) fn expression(sql: &mut String, expression: &SqlExpr) {
    write(sql, expression, Beside::Nothing);
}

/// Writes words with names and expressions in them.
pub(super) fn words(sql: &mut String, words: &Sql) {
    for piece in words.pieces() {
        match piece {
            Piece::Words(words) => sql.push_str(words),
            Piece::Name(name) => sql.push_str(&quoted(name)),
            Piece::Expression(inner) => expression(sql, inner),
            Piece::Window(inner) => window(sql, inner),
        }
    }
}

/// Writes a key of ORDER BY.
fn sort_key(sql: &mut String, key: &SortKey) {
    expression(sql, &key.key);
    if key.descending {
        sql.push_str(" DESC");
    }
    if let Some(nulls) = key.nulls {
        sql.push_str(" NULLS ");
        sql.push_str(nulls);
    }
}

#[recursive::recursive]
fn write(sql: &mut String, expression: &SqlExpr, beside: Beside) {
    match expression.node() {
        Node::Name(parts) => separated(sql, ".", parts, |sql, part| match part {
            Part::Quoted(name) => sql.push_str(&quoted(name)),
            Part::Word(word) => sql.push_str(word),
        }),
        Node::Null => sql.push_str("NULL"),
        Node::Star => sql.push('*'),
        // Two signs begin a comment.
        Node::Number(digits) if digits.starts_with('-') && beside == Beside::Operator => {
            in_parentheses(sql, |sql| sql.push_str(digits));
        }
        Node::Number(text) | Node::Parameter(text) | Node::Kept(text) => sql.push_str(text),
        Node::Text(text) => sql.push_str(&string(text)),
        Node::Call(call) => called(sql, call),
        Node::Prefix(..) | Node::Infix(..) => in_parentheses(sql, |sql| operator(sql, expression)),
        Node::Bare(inner) if stands_alone(inner, beside) => operator(sql, inner),
        Node::Bare(inner) => write(sql, inner, beside),
        Node::Case(case) => {
            sql.push_str("CASE");
            let mut part = |word: &str, value: &SqlExpr| {
                sql.push_str(word);
                write(sql, value, Beside::Nothing);
            };
            case.operand.iter().for_each(|operand| part(" ", operand));
            for (condition, value) in &case.whens {
                part(" WHEN ", condition);
                part(" THEN ", value);
            }
            case.otherwise.iter().for_each(|value| part(" ELSE ", value));
            sql.push_str(" END");
        }
        Node::Cast(value, to) => {
            sql.push_str("CAST(");
            write(sql, value, Beside::Nothing);
            sql.push_str(" AS ");
            sql.push_str(to);
            sql.push(')');
        }
        Node::Collate(value, collation) => {
            write(sql, value, Beside::Operator);
            sql.push_str(" COLLATE ");
            sql.push_str(&word_or_quoted(collation));
        }
        Node::List(values) => in_parentheses(sql, |sql| listed(sql, values)),
        Node::Query(query) => in_parentheses(sql, |sql| words(sql, query)),
        // Only templates have places, and they are filled before anything is written.
        Node::Place(_) => {}
    }
}

/// True for an operator without parentheses that nothing beside it could take a part of.
fn stands_alone(operator: &SqlExpr, beside: Beside) -> bool {
    match operator.node() {
        Node::Prefix(..) => beside == Beside::Nothing,
        Node::Infix(word, _) => match beside {
            Beside::Nothing => true,
            Beside::Condition => !is_condition(word),
            Beside::Operator => false,
        },
        _ => false,
    }
}

fn is_condition(operator: &str) -> bool {
    matches!(operator, "AND" | "OR")
}

fn operator(sql: &mut String, expression: &SqlExpr) {
    match expression.node() {
        Node::Prefix(operator, operand) => {
            sql.push_str(operator);
            if operator.ends_with(|last: char| last.is_ascii_alphabetic()) {
                sql.push(' ');
            }
            write(sql, operand, Beside::Operator);
        }
        Node::Infix(operator, parts) => {
            let beside = if is_condition(operator) {
                Beside::Condition
            } else {
                Beside::Operator
            };
            separated(sql, &format!(" {operator} "), parts, |sql, part| {
                write(sql, part, beside);
            });
        }
        _ => write(sql, expression, Beside::Operator),
    }
}

fn called(sql: &mut String, call: &Call) {
    sql.push_str(&call.name);
    in_parentheses(sql, |sql| {
        if call.distinct {
            sql.push_str("DISTINCT ");
        }
        listed(sql, &call.arguments);
        if !call.order.is_empty() {
            sql.push_str(" ORDER BY ");
            separated(sql, ", ", &call.order, sort_key);
        }
    });
    if let Some(filter) = &call.filter {
        sql.push_str(" FILTER (WHERE ");
        write(sql, filter, Beside::Nothing);
        sql.push(')');
    }
    match &call.over {
        None => {}
        Some(Over::Named(name)) => {
            sql.push_str(" OVER ");
            sql.push_str(&quoted(name));
        }
        Some(Over::Window(window)) => {
            sql.push_str(" OVER ");
            in_parentheses(sql, |sql| self::window(sql, window));
        }
    }
}

/// Writes what stands in the parentheses of a window.
fn window(sql: &mut String, window: &Window) {
    let start = sql.len();
    let part = |sql: &mut String, word: &str| {
        if sql.len() > start {
            sql.push(' ');
        }
        sql.push_str(word);
    };
    if let Some(base) = &window.base {
        part(sql, &quoted(base));
    }
    if !window.partition.is_empty() {
        part(sql, "PARTITION BY ");
        listed(sql, &window.partition);
    }
    if !window.order.is_empty() {
        part(sql, "ORDER BY ");
        separated(sql, ", ", &window.order, sort_key);
    }
    if let Some(frame) = &window.frame {
        part(sql, &frame.units);
        sql.push_str(if frame.end.is_some() { " BETWEEN " } else { " " });
        bound(sql, &frame.start);
        if let Some(end) = &frame.end {
            sql.push_str(" AND ");
            bound(sql, end);
        }
    }
    if let Some(exclude) = &window.exclude {
        part(sql, exclude);
    }
}

fn bound(sql: &mut String, bound: &Bound) {
    match bound {
        Bound::CurrentRow => sql.push_str("CURRENT ROW"),
        Bound::Unbounded(word) => {
            sql.push_str("UNBOUNDED ");
            sql.push_str(word);
        }
        Bound::By(value, word) => {
            write(sql, value, Beside::Nothing);
            sql.push(' ');
            sql.push_str(word);
        }
    }
}

/// The name of a collation: one of rows has parentheses in it.
fn word_or_quoted(collation: &str) -> String {
    let is_word = |sign: u8| sign.is_ascii_alphanumeric() || sign == b'_';
    if collation.bytes().all(is_word) {
        collation.to_owned()
    } else {
        quoted(collation)
    }
}

fn listed(sql: &mut String, values: &[SqlExpr]) {
    separated(sql, ", ", values, expression);
}

fn separated<T>(sql: &mut String, between: &str, parts: &[T], mut write: impl FnMut(&mut String, &T)) {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            sql.push_str(between);
        }
        write(sql, part);
    }
}

fn in_parentheses(sql: &mut String, write: impl FnOnce(&mut String)) {
    sql.push('(');
    write(sql);
    sql.push(')');
}

#[cfg(test)]
mod tests {
    use super::super::sql_expr::{
        bare, call, case_of, chain, collate, infix, is_null, list, name, not, number, prefix, text,
    };

    #[test]
    fn parentheses_stand_where_something_beside_could_take_a_part() {
        let (a, b) = (|| name("a"), || name("b"));
        let sum = || infix(a(), "+", b());
        for (expression, expected) in [
            (sum(), "(\"a\" + \"b\")"),
            (bare(sum()), "\"a\" + \"b\""),
            (
                call("f", [bare(sum()), sum()]),
                "f(\"a\" + \"b\", (\"a\" + \"b\"))",
            ),
            (infix(bare(sum()), "*", b()), "((\"a\" + \"b\") * \"b\")"),
            (bare(prefix("-", bare(sum()))), "-(\"a\" + \"b\")"),
            (bare(prefix("-", number(-5))), "-(-5)"),
            (not(bare(is_null(a()))), "(NOT (\"a\" IS NULL))"),
            (
                chain("AND", [bare(is_null(a())), bare(chain("OR", [a(), b()]))]),
                "(\"a\" IS NULL AND (\"a\" OR \"b\"))",
            ),
            (
                collate(bare(sum()), "pg_row(int4)"),
                "(\"a\" + \"b\") COLLATE \"pg_row(int4)\"",
            ),
            (
                infix(a(), "IN", list([text("it's"), number(1)])),
                "(\"a\" IN ('it''s', 1))",
            ),
            (
                case_of(name("say \"a\""))
                    .when(number(1), bare(sum()))
                    .otherwise(b()),
                "CASE \"say \"\"a\"\"\" WHEN 1 THEN \"a\" + \"b\" ELSE \"b\" END",
            ),
        ] {
            assert_eq!(expression.to_string(), expected);
        }
    }
}
