//! What stands behind the end of a ranking: rows that the last one is as good as.

use sqlparser::ast::{
    Expr, Ident, LimitClause, OrderByKind, Query, Select, SelectItem, SetExpr, Value, ValueWithSpan,
};

use super::parse::parse;
use crate::question::schema::Dialect;

/// Rows of a ranking at most whose end is looked behind.
const LONGEST: usize = 100;
/// Rows behind the end that are looked at.
const BEHIND: usize = 10;

/// A ranking that goes on behind its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// The statement, which shows in its last columns what the rows are ranked by.
    pub sql: String,
    /// Rows that are passed over.
    pub skip: usize,
    /// Rows that were asked for behind them.
    pub limit: usize,
    /// Columns by which the rows are ranked.
    pub keys: usize,
    /// What they are ranked by first, if the statement has a name for it.
    pub by: Option<String>,
}

impl Ranking {
    /// Rows to read at most.
    pub fn rows(&self) -> usize {
        self.skip + self.limit + BEHIND
    }

    /// True if there may be more that are as good than were looked at.
    pub fn is_more(&self, tied: usize) -> bool {
        tied >= BEHIND
    }
}

/// A statement that ends after so many rows, in an order, as one that begins with the first and goes on; `None` for any other.
pub fn ranking(sql: &str, dialect: Dialect) -> Option<Ranking> {
    let mut query = parse(sql, dialect).ok()?.query;
    let (skip, limit) = bounds(&query)?;
    let keys = keys(&query)?;
    let by = keys.first().and_then(|key| name_of(key, &query));
    let count = keys.len();
    let SetExpr::Select(select) = query.body.as_mut() else {
        return None;
    };
    let keys = keys.into_iter().enumerate();
    select
        .projection
        .extend(keys.map(|(at, expr)| SelectItem::ExprWithAlias {
            expr,
            alias: Ident::new(format!("ranked_by_{}", at + 1)),
        }));
    query.limit_clause = Some(LimitClause::LimitOffset {
        limit: Some(Expr::value(Value::Number(
            (skip + limit + BEHIND).to_string(),
            false,
        ))),
        offset: None,
        limit_by: Vec::new(),
    });
    Some(Ranking {
        sql: query.to_string(),
        skip,
        limit,
        keys: count,
        by,
    })
}

/// The numbers of rows that a statement passes over, and after which it ends.
fn bounds(query: &Query) -> Option<(usize, usize)> {
    let Some(LimitClause::LimitOffset {
        limit: Some(limit),
        offset,
        limit_by,
    }) = &query.limit_clause
    else {
        return None;
    };
    let skip = match offset {
        Some(offset) => number(&offset.value)?,
        None => 0,
    };
    let limit = number(limit).filter(|limit| *limit > 0)?;
    (limit_by.is_empty() && query.fetch.is_none() && skip + limit <= LONGEST).then_some((skip, limit))
}

fn number(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Value(ValueWithSpan {
            value: Value::Number(number, _),
            ..
        }) => number.parse().ok().filter(|number| *number <= LONGEST),
        _ => None,
    }
}

/// What a statement orders its rows by, written as the list of columns could have it.
fn keys(query: &Query) -> Option<Vec<Expr>> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    let OrderByKind::Expressions(terms) = &query.order_by.as_ref()?.kind else {
        return None;
    };
    if select.distinct.is_some() || terms.is_empty() {
        return None;
    }
    terms.iter().map(|term| written_out(&term.expr, select)).collect()
}

/// What a key of the order stands for: the number or the name of a column of the result, or an expression.
fn written_out(key: &Expr, select: &Select) -> Option<Expr> {
    match key {
        Expr::Value(_) => {
            let at = number(key)?.checked_sub(1)?;
            let plain = select.projection.iter().take(at + 1);
            let all = plain.filter_map(of_item).collect::<Vec<_>>();
            (all.len() == at + 1).then(|| all[at].clone())
        }
        Expr::Identifier(name) => Some(aliased(name, select).unwrap_or(key).clone()),
        other => Some(other.clone()),
    }
}

fn of_item(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

/// The expression that the result calls so.
fn aliased<'s>(name: &Ident, select: &'s Select) -> Option<&'s Expr> {
    select.projection.iter().find_map(|item| match item {
        SelectItem::ExprWithAlias { expr, alias } if alias.value.eq_ignore_ascii_case(&name.value) => {
            Some(expr)
        }
        _ => None,
    })
}

/// What the result calls an expression, or the name of the column that it is.
fn name_of(key: &Expr, query: &Query) -> Option<String> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    let shown = select.projection.iter().find_map(|item| match item {
        SelectItem::ExprWithAlias { expr, alias } if expr == key => Some(alias),
        _ => None,
    });
    let column = match key {
        Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(parts) => parts.last(),
        _ => None,
    };
    shown.or(column).map(|name| name.value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(sql: &str) -> Option<(String, usize, String)> {
        ranking(sql, Dialect::Postgres)
            .map(|ranking| (ranking.sql, ranking.keys, ranking.by.unwrap_or_default()))
    }

    #[test]
    fn rankings_go_on_and_show_their_keys() {
        let (sql, keys, by) =
            ranked("SELECT a, SUM(b) AS total FROM t GROUP BY a ORDER BY total DESC LIMIT 5").unwrap();
        assert_eq!(
            sql,
            "SELECT a, SUM(b) AS total, SUM(b) AS ranked_by_1 FROM t GROUP BY a ORDER BY total DESC LIMIT 15"
        );
        assert_eq!((keys, by.as_str()), (1, "total"));
        let (sql, keys, by) = ranked("SELECT a, t.b FROM t ORDER BY 2, t.c LIMIT 1").unwrap();
        assert_eq!(
            sql,
            "SELECT a, t.b, t.b AS ranked_by_1, t.c AS ranked_by_2 FROM t ORDER BY 2, t.c LIMIT 11"
        );
        assert_eq!((keys, by.as_str()), (2, "b"));
        let (sql, _, by) = ranked("SELECT a FROM t GROUP BY a ORDER BY COUNT(*) LIMIT 1 OFFSET 1").unwrap();
        assert_eq!(
            sql,
            "SELECT a, COUNT(*) AS ranked_by_1 FROM t GROUP BY a ORDER BY COUNT(*) LIMIT 12"
        );
        assert_eq!(by, "");
    }

    #[test]
    fn what_ends_otherwise_is_no_ranking() {
        for sql in [
            "SELECT a FROM t LIMIT 5",
            "SELECT a FROM t ORDER BY a",
            "SELECT a FROM t ORDER BY a LIMIT 5 OFFSET 1000",
            "SELECT a FROM t ORDER BY a LIMIT 1000",
            "SELECT DISTINCT a FROM t ORDER BY a LIMIT 5",
            "SELECT a FROM t UNION SELECT b FROM u ORDER BY 1 LIMIT 5",
            "SELECT * FROM t ORDER BY 2 LIMIT 5",
        ] {
            assert_eq!(ranked(sql), None, "{sql}");
        }
    }
}
