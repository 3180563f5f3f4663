//! What the columns of an answer are called: as PostgreSQL calls them, so that statements around an answer can name them.

use sqlparser::ast::{Expr, SelectItem, SetExpr};

use super::{parse, resolve::postgres_name};
use crate::question::schema::Dialect;

/// What PostgreSQL calls a column that it has no name for.
const NAMELESS: &str = "?column?";

/// The names of a SQLite query's columns, from those that SQLite gives them: an expression without an alias is called after
/// its function or type (`count` for `COUNT(*)`), everything else stays. They stay as they are where the text is none
/// that can be read.
pub fn result_names(sql: &str, mut given: Vec<String>) -> Vec<String> {
    let Ok(parsed) = parse::parse(sql, Dialect::Sqlite) else {
        return given;
    };
    let mut body = parsed.query.body.as_ref();
    let select = loop {
        match body {
            SetExpr::Select(select) => break select,
            SetExpr::Query(query) => body = query.body.as_ref(),
            // The first one names the columns.
            SetExpr::SetOperation { left, .. } => body = left,
            _ => return given,
        }
    };
    let is_wildcard = |item: &&SelectItem| {
        !matches!(
            item,
            SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. }
        )
    };
    let wildcards = select.projection.iter().filter(is_wildcard).count();
    let before = select.projection.iter().take_while(|item| !is_wildcard(item));
    let head: Vec<_> = before.collect();
    for (name, item) in given.iter_mut().zip(&head) {
        rename(name, item);
    }
    if wildcards > 0 {
        let behind = select
            .projection
            .iter()
            .rev()
            .take_while(|item| !is_wildcard(item));
        for (name, item) in given.iter_mut().rev().zip(behind) {
            rename(name, item);
        }
    }
    given
}

fn rename(name: &mut String, item: &SelectItem) {
    match item {
        SelectItem::UnnamedExpr(Expr::Identifier(_) | Expr::CompoundIdentifier(_)) => {}
        SelectItem::UnnamedExpr(expr) => *name = postgres_name(expr).unwrap_or_else(|| NAMELESS.to_owned()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_called_after_their_functions() {
        for (sql, given, expected) in [
            ("SELECT COUNT(*) FROM t", &["COUNT(*)"][..], &["count"][..]),
            (
                "SELECT a, AVG(b), c AS d FROM t",
                &["a", "AVG(b)", "d"],
                &["a", "avg", "d"],
            ),
            (
                "SELECT max(a), t.* FROM t",
                &["max(a)", "sum(x)", "b"],
                &["max", "sum(x)", "b"],
            ),
            ("SELECT t.*, 1 + 1 FROM t", &["a", "1 + 1"], &["a", "?column?"]),
            (
                "SELECT COUNT(DISTINCT a) FROM t UNION SELECT 2",
                &["COUNT(DISTINCT a)"],
                &["count"],
            ),
            ("SELECT \"sum(x)\" FROM t", &["sum(x)"], &["sum(x)"]),
            ("no SQL", &["x"], &["x"]),
        ] {
            let given = given.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(result_names(sql, given), expected, "{sql}");
        }
    }
}
