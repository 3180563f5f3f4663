//! `EXISTS` as `IN`: SQLite looks through the subquery's rows again for each row around it where no index helps, but collects
//! once what it is to look a value up in. PostgreSQL plans both alike.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, Query, Select, SelectItem, SetExpr};

use super::{
    super::repair::{
        fragments::{conjunction, conjuncts, expression},
        walk::change_queries,
    },
    bound::{Bound, BoundTable, all_sources, bare_select, has_groups, is_steady},
};
use crate::question::schema::Dialect;

/// The statement with EXISTS and NOT EXISTS of its conditions changed, where one equality ties them to the query around.
pub(super) fn collected(bound: &Bound<'_>) -> Option<(Box<Query>, String)> {
    if bound.dialect != Dialect::Sqlite {
        return None;
    }
    let mut query = bound.parsed.query.clone();
    let mut why = None;
    change_queries(query.as_mut(), &mut |query| {
        if let SetExpr::Select(select) = query.body.as_mut()
            && let Some(condition) = &select.selection
        {
            // A condition that is unknown drops a row as a false one does, as long as nothing stands around it.
            let parts: Vec<Expr> = conjuncts(condition)
                .into_iter()
                .map(|part| match looked_up(bound, part, select) {
                    Some((new, what)) => {
                        why.get_or_insert(what);
                        new
                    }
                    None => part.clone(),
                })
                .collect();
            if why.is_some() {
                select.selection = conjunction(parts);
            }
        }
        ControlFlow::Continue(())
    });
    why.map(|why| (query, why))
}

/// One condition as IN or NOT IN, and what was changed.
fn looked_up(bound: &Bound<'_>, part: &Expr, select: &Select) -> Option<(Expr, String)> {
    let (subquery, negated) = match part {
        Expr::Exists { subquery, negated } => (subquery, *negated),
        _ => return None,
    };
    let around = all_sources(bound, select);
    let inner = bare_select(subquery)?;
    let sources = bound.inner_sources(inner)?;
    if has_groups(inner) || bound.is_grouped(inner) || inner.distinct.is_some() {
        return None;
    }
    let (mut key, mut rest) = (None, vec![]);
    for condition in conjuncts(inner.selection.as_ref()?) {
        match tied(bound, condition, &sources, &around) {
            Some(found) if key.is_none() => key = Some(found),
            _ => rest.push(condition.clone()),
        }
    }
    let (inside, outside) = key?;
    // Nothing else in it is of the query around, and all of it is the same whenever it is asked.
    let own = |expr: &Expr| is_steady(bound, expr, &sources);
    let joined = inner.from.iter().flat_map(|item| &item.joins);
    let mut on = joined.filter_map(|join| super::super::walk::join_constraint(&join.join_operator));
    let on_own = on.all(|constraint| match constraint {
        sqlparser::ast::JoinConstraint::On(condition) => own(condition),
        sqlparser::ast::JoinConstraint::None => true,
        _ => false,
    });
    if !on_own || !rest.iter().all(own) {
        return None;
    }
    let text = |expr: &Expr, what: &str| expression(&format!("{expr} {what}"), bound.dialect);
    if negated && !bound.is_filled(bound.own_column(&inside, &sources)?) {
        rest.push(text(&inside, "IS NOT NULL")?);
    }
    let filled = bound.inner_sources(select).is_some() && bound.is_filled(bound.column(&outside)?);
    let mut list = subquery.clone();
    if let SetExpr::Select(select) = list.body.as_mut() {
        select.projection = vec![SelectItem::UnnamedExpr(inside.clone())];
        select.selection = conjunction(rest);
    }
    list.order_by = None;
    let what = format!("{outside} is looked up in a list of {inside} that is made once");
    let membership = Expr::InSubquery {
        expr: Box::new(outside.clone()),
        subquery: list,
        negated,
    };
    if !negated || filled {
        return Some((membership, what));
    }
    // Nothing is equal to NULL.
    let either = Expr::BinaryOp {
        left: Box::new(text(&outside, "IS NULL")?),
        op: BinaryOperator::Or,
        right: Box::new(membership),
    };
    Some((Expr::Nested(Box::new(either)), what))
}

/// `own = around` between two columns that compare alike whichever stands first.
fn tied(
    bound: &Bound<'_>,
    condition: &Expr,
    own: &[BoundTable],
    around: &[BoundTable],
) -> Option<(Expr, Expr)> {
    bound.equal(condition, own, |expr| match bound.own_column(expr, own) {
        Some(_) => None,
        None => bound.own_column(expr, around),
    })
}
