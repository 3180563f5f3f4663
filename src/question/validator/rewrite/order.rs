//! Sorting what nobody sees in its order.

use std::ops::ControlFlow;

use sqlparser::ast::{Distinct, Expr, OrderByKind, Query, SetExpr};

use super::{
    super::repair::walk::{change_exprs, change_queries},
    bound::{Bound, has_groups, is_cut},
};

/// The statement without ORDER BY in what is only looked through, for one row, and behind a key.
pub(super) fn needless(bound: &Bound<'_>) -> Option<(Box<Query>, String)> {
    let mut query = bound.parsed.query.clone();
    let mut why = None;
    change_exprs(query.as_mut(), &mut |expr, _| {
        if let Expr::InSubquery { subquery, .. } | Expr::Exists { subquery, .. } = expr
            && !is_cut(subquery)
            && !picks_by_order(subquery)
            && subquery.order_by.take().is_some()
        {
            why.get_or_insert("a subquery that is only looked through needs no order".to_owned());
        }
        ControlFlow::Continue(())
    });
    change_queries(query.as_mut(), &mut |query| {
        let SetExpr::Select(select) = query.body.as_ref() else {
            return ControlFlow::Continue(());
        };
        if query.order_by.is_some() && bound.aggregates_all(select) && select.distinct.is_none() {
            query.order_by = None;
            why.get_or_insert("one row needs no order".to_owned());
        }
        let Some(source) = bound.only_source(select) else {
            return ControlFlow::Continue(());
        };
        if bound.is_grouped(select) || has_groups(select) || select.distinct.is_some() {
            return ControlFlow::Continue(());
        }
        if let Some(order) = &mut query.order_by
            && let OrderByKind::Expressions(terms) = &mut order.kind
        {
            let key = terms.iter().position(|term| {
                let column = bound.own_column(&term.expr, std::slice::from_ref(&source));
                column.is_some_and(|column| bound.tells_rows_apart(source.table, &[column.column]))
            });
            if let Some(key) = key.filter(|key| key + 1 < terms.len()) {
                why.get_or_insert(format!("{} alone settles the order", terms[key].expr));
                terms.truncate(key + 1);
            }
        }
        ControlFlow::Continue(())
    });
    why.map(|why| (query, why))
}

/// True where the order says which rows there are: DISTINCT ON.
fn picks_by_order(query: &Query) -> bool {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return false;
    };
    matches!(select.distinct, Some(Distinct::On(_)))
}
