//! Clauses of other databases, and what stands twice in a select list.

use sqlparser::ast::{
    BinaryOperator as Op, Expr, GroupByExpr, LimitClause, Offset, OffsetRows, OrderByKind, Query, SelectItem,
    SetExpr, SetOperator, SetQuantifier, TableFactor, TopQuantity, Value,
};
use std::ops::ControlFlow;

use super::{
    fragments::{aggregates, conjunction, conjuncts, expression},
    grouping::has_group_by,
    selects::{all_selects, select_around, with_query, with_select},
    walk::change_queries,
};
use crate::question::{
    schema::Dialect,
    validator::{Asked, parse::Parsed, resolve::LocatedFinding},
};

/// FETCH FIRST, LIMIT with a comma, MINUS and the like as this database writes them.
pub(super) fn translate(_: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let mut query = parsed.query.clone();
    let mut translator = Translator {
        dialect: asked.snapshot.dialect,
        changed: false,
    };
    change_queries(query.as_mut(), &mut |query| {
        translator.query(query);
        ControlFlow::Continue(())
    });
    if translator.changed {
        vec![query.to_string()]
    } else {
        vec![]
    }
}

struct Translator {
    dialect: Dialect,
    changed: bool,
}

impl Translator {
    fn query(&mut self, query: &mut Query) {
        let is_sqlite = self.dialect == Dialect::Sqlite;
        let has_limit = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, .. }) => limit.is_some(),
            Some(LimitClause::OffsetCommaLimit { .. }) => true,
            None => false,
        };
        if let Some(fetch) = query
            .fetch
            .take_if(|fetch| is_sqlite && !has_limit && !fetch.with_ties && !fetch.percent)
        {
            let rows = fetch.quantity.or_else(|| expression("1", self.dialect));
            match &mut query.limit_clause {
                Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                    *limit = rows;
                    if let Some(offset) = offset {
                        offset.rows = OffsetRows::None;
                    }
                }
                _ => query.limit_clause = rows.map(limit_of),
            }
            self.changed = true;
        }
        if let SetExpr::Select(select) = query.body.as_mut()
            && query.limit_clause.is_none()
            && let Some(top) = select.top.take_if(|top| !top.with_ties && !top.percent)
        {
            let rows = match top.quantity {
                Some(TopQuantity::Constant(rows)) => expression(&rows.to_string(), self.dialect),
                Some(TopQuantity::Expr(rows)) => Some(rows),
                None => None,
            };
            query.limit_clause = rows.map(limit_of);
            self.changed = true;
        }
        match &mut query.limit_clause {
            Some(LimitClause::OffsetCommaLimit { offset, limit }) if !is_sqlite => {
                query.limit_clause = Some(LimitClause::LimitOffset {
                    limit: Some(limit.clone()),
                    offset: Some(Offset {
                        value: offset.clone(),
                        rows: OffsetRows::None,
                    }),
                    limit_by: vec![],
                });
                self.changed = true;
            }
            Some(LimitClause::LimitOffset {
                limit: limit @ None,
                offset: Some(_),
                ..
            }) if is_sqlite => {
                *limit = expression("-1", self.dialect);
                self.changed = true;
            }
            _ => {}
        }
        self.set_operators(&mut query.body);
    }

    fn set_operators(&mut self, body: &mut SetExpr) {
        let SetExpr::SetOperation {
            op,
            set_quantifier,
            left,
            right,
        } = body
        else {
            return;
        };
        if *op == SetOperator::Minus {
            *op = SetOperator::Except;
            self.changed = true;
        }
        // ALL behind EXCEPT and INTERSECT keeps rows that come twice, for which SQLite has nothing.
        if *set_quantifier == SetQuantifier::Distinct && self.dialect == Dialect::Sqlite {
            *set_quantifier = SetQuantifier::None;
            self.changed = true;
        }
        for part in [left, right] {
            self.bare(part);
            self.set_operators(part);
        }
    }

    /// SQLite takes no parentheses around the parts of a set operation.
    fn bare(&mut self, part: &mut Box<SetExpr>) {
        let SetExpr::Query(inner) = part.as_mut() else {
            return;
        };
        if self.dialect != Dialect::Sqlite || inner.with.is_some() {
            return;
        }
        let is_select = matches!(inner.body.as_ref(), SetExpr::Select(_));
        if is_select && inner.order_by.is_none() && inner.limit_clause.is_none() && inner.fetch.is_none() {
            let body = inner.body.clone();
            *part = body;
            self.changed = true;
            return;
        }
        let around = super::super::parse::parse(&format!("SELECT * FROM ({inner})"), self.dialect);
        if let Ok(around) = around {
            *part = around.query.body;
            self.changed = true;
        }
    }
}

/// Each item of the select list once.
pub(super) fn once(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let once = || {
        let at = select_around(parsed, asked.snapshot.dialect, found.finding.position)?;
        with_query(parsed, at, |query| {
            let by_number = query.order_by.as_ref().is_some_and(|order| match &order.kind {
                OrderByKind::Expressions(terms) => terms.iter().any(|term| is_number(&term.expr)),
                OrderByKind::All(_) => true,
            });
            let select = super::selects::part_of_mut(&mut query.body, &parsed.lines, at)?;
            let grouped_by_number = match &select.group_by {
                GroupByExpr::Expressions(terms, _) => terms.iter().any(is_number),
                GroupByExpr::All(_) => true,
            };
            if by_number || grouped_by_number {
                return None;
            }
            let sources = super::sources::Sources::of(select, parsed, asked.snapshot);
            let mut seen: Vec<(Option<_>, String)> = vec![];
            let before = select.projection.len();
            select.projection.retain(|item| {
                let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else {
                    return true;
                };
                let key = match sources.column(expr) {
                    Some(column) => (Some(column), String::new()),
                    None => (None, expr.to_string().to_lowercase()),
                };
                let is_new = !seen.contains(&key);
                seen.push(key);
                is_new
            });
            (select.projection.len() < before).then_some(())
        })
    };
    once().into_iter().collect()
}

/// `ROWNUM <= n` as LIMIT, and a FROM of the one table that other databases make up.
pub(super) fn made_up(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let dual = || {
        let at = select_around(parsed, dialect, found.finding.position)?;
        with_select(parsed, at, |select| {
            let [item] = select.from.as_slice() else {
                return None;
            };
            let TableFactor::Table { name, .. } = &item.relation else {
                return None;
            };
            (name.to_string().eq_ignore_ascii_case("dual") && item.joins.is_empty())
                .then(|| select.from.clear())
        })
    };
    let rows = || {
        let at = all_selects(parsed).into_iter().next()?;
        with_query(parsed, at, |query| {
            // What is counted there are rows that have no order yet.
            if query.limit_clause.is_some() || query.fetch.is_some() || query.order_by.is_some() {
                return None;
            }
            let SetExpr::Select(select) = query.body.as_mut() else {
                return None;
            };
            // Rows are counted before they are grouped, and LIMIT counts groups.
            let columns = |item: &SelectItem| match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                    !aggregates(expr, dialect)
                }
                _ => true,
            };
            if has_group_by(select) || select.distinct.is_some() || !select.projection.iter().all(columns) {
                return None;
            }
            let condition = select.selection.take()?;
            let mut limit = None;
            let rest: Vec<Expr> = conjuncts(&condition)
                .into_iter()
                .filter(|part| {
                    let rows = rownum(part);
                    limit = limit.or(rows);
                    rows.is_none()
                })
                .cloned()
                .collect();
            select.selection = conjunction(rest);
            query.limit_clause = Some(limit_of(expression(&limit?.to_string(), dialect)?));
            Some(())
        })
    };
    dual().into_iter().chain(rows()).collect()
}

/// How many rows `ROWNUM <= n` lets pass.
fn rownum(part: &Expr) -> Option<u64> {
    let Expr::BinaryOp { left, op, right } = part else {
        return None;
    };
    let Expr::Identifier(name) = left.as_ref() else {
        return None;
    };
    if !name.value.eq_ignore_ascii_case("rownum") {
        return None;
    }
    let rows: u64 = right.to_string().parse().ok()?;
    match op {
        Op::LtEq => Some(rows),
        Op::Eq if rows == 1 => Some(1),
        Op::Lt => rows.checked_sub(1),
        _ => None,
    }
}

/// LIMIT and nothing else.
pub(super) fn limit_of(rows: Expr) -> LimitClause {
    LimitClause::LimitOffset {
        limit: Some(rows),
        offset: None,
        limit_by: vec![],
    }
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if matches!(value.value, Value::Number(..)))
}
