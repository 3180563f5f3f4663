//! The names that a view gives its columns, in the query that is told of it: PostgreSQL shows `CREATE VIEW v (x) AS SELECT a`
//! as `SELECT a AS x`, and a dump has nothing but the query.

use sqlparser::{
    ast::{
        Distinct, Expr, GroupByExpr, Ident, OrderByKind, Query, Select, SelectItem, SetExpr, Statement, Value,
    },
    dialect::PostgreSqlDialect,
    tokenizer::Token,
};

use super::{
    folded,
    parser_fallback::{is_one, solid},
    quoted,
};
use crate::statement::grammar;

/// A query whose first columns have these names.
pub(super) fn named(query: &Query, names: &[String]) -> String {
    let mut own = query.clone();
    if names.is_empty() || name_outputs(&mut own, names).is_some() {
        own.to_string()
    } else {
        around(&query.to_string(), names)
    }
}

/// The same of a text.
pub(crate) fn named_text(query: &str, names: &[String]) -> String {
    if names.is_empty() {
        return query.to_owned();
    }
    let known = grammar::read(&PostgreSqlDialect {}, query, |statements| {
        match statements.as_slice() {
            [Statement::Query(query)] => Some(named(query, names)),
            _ => None,
        }
    });
    known.ok().flatten().unwrap_or_else(|| around(query, names))
}

/// A query as it stands, with names around it.
fn around(query: &str, names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    format!("SELECT * FROM ({query}) AS \"view\" ({})", names.join(", "))
}

/// `None` where the names would mean something else to the rest of the query, or cannot stand beside what they name.
fn name_outputs(query: &mut Query, names: &[String]) -> Option<()> {
    let is_sorted_by_names = query.order_by.as_ref().is_some_and(|order| match &order.kind {
        OrderByKind::Expressions(keys) => keys.iter().any(|key| !is_position(&key.expr)),
        OrderByKind::All(_) => true,
    });
    let mut body = &mut *query.body;
    loop {
        match body {
            _ if is_sorted_by_names => return None,
            SetExpr::SetOperation { left, .. } => body = left,
            SetExpr::Query(inner) => return name_outputs(inner, names),
            SetExpr::Select(select) => return name_items(select, names),
            _ => return None,
        }
    }
}

fn is_position(key: &Expr) -> bool {
    matches!(key, Expr::Value(value) if matches!(value.value, Value::Number(..)))
}

fn name_items(select: &mut Select, names: &[String]) -> Option<()> {
    let sorts = matches!(select.distinct, Some(Distinct::On(_)));
    if sorts || select.projection.len() < names.len() {
        return None;
    }
    let is_grouped = !matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty());
    for (item, name) in select.projection.iter_mut().zip(names) {
        let alias = Ident::with_quote('"', name.replace('"', "\"\""));
        match item {
            SelectItem::UnnamedExpr(expr) if own_name(expr).is_some_and(|own| own == *name) => {}
            SelectItem::UnnamedExpr(expr) => {
                let expr = expr.clone();
                *item = SelectItem::ExprWithAlias { expr, alias };
            }
            SelectItem::ExprWithAlias { alias, .. } if folded(alias) == *name => {}
            // The groups may be called by it.
            SelectItem::ExprWithAlias { alias: own, .. } if !is_grouped => *own = alias,
            _ => return None,
        }
    }
    Some(())
}

fn own_name(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Identifier(name) => Some(folded(name)),
        Expr::CompoundIdentifier(parts) => parts.last().map(folded),
        _ => None,
    }
}

/// `CREATE RECURSIVE VIEW v (n) AS …` as the view of a query that has its name.
pub(super) fn recursion_spelled_out(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    let find = |from: usize, sign: &Token| (from..solid.len()).find(|at| tokens[solid[*at]] == *sign);
    let recursive = (1..=4).find(|at| word(*at, &["recursive"]))?;
    let open = find(recursive, &Token::LParen)?;
    let close = find(open, &Token::RParen)?;
    if !(word(0, &["create"]) && word(recursive + 1, &["view"]) && word(close + 1, &["as"])) {
        return None;
    }
    let text = |from: usize, to: usize| -> String {
        let end = solid.get(to).copied().unwrap_or(tokens.len());
        tokens[solid[from]..end].iter().map(ToString::to_string).collect()
    };
    let (name, columns) = (text(open - 1, open), text(open, close + 1));
    let query = text(close + 2, solid.len());
    Some(format!(
        "{}{}AS WITH RECURSIVE {name} {columns} AS ({}) SELECT {} FROM {name}",
        text(0, recursive),
        text(recursive + 1, close + 1),
        query.trim_end().trim_end_matches(';'),
        text(open + 1, close),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_where_they_mean_nothing_else() {
        let named = |query: &str| named_text(query, &["x".to_owned(), "b".to_owned()]);
        for (query, told) in [
            ("SELECT a, b FROM t", "SELECT a AS \"x\", b FROM t"),
            (
                "SELECT a AS k, t.b FROM t WHERE a > 1",
                "SELECT a AS \"x\", t.b FROM t WHERE a > 1",
            ),
            (
                "SELECT 1, 2 UNION SELECT 3, 4 ORDER BY 1",
                "SELECT 1 AS \"x\", 2 AS \"b\" UNION SELECT 3, 4 ORDER BY 1",
            ),
            (
                "SELECT a, count(*) FROM t GROUP BY a",
                "SELECT a AS \"x\", count(*) AS \"b\" FROM t GROUP BY a",
            ),
        ] {
            assert_eq!(named(query), told);
        }
        for query in [
            "SELECT * FROM t",
            "VALUES (1, 2)",
            "SELECT a, x AS y FROM t ORDER BY x",
            "SELECT upper(c) AS k, count(*) FROM t GROUP BY k",
        ] {
            assert_eq!(
                named(query),
                format!("SELECT * FROM ({query}) AS \"view\" (\"x\", \"b\")")
            );
        }
    }
}
