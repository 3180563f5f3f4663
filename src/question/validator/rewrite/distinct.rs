//! DISTINCT where equal rows count once anyway, or where no two rows are equal.

use std::ops::ControlFlow;

use sqlparser::ast::{Distinct, Expr, Query, Select, SelectItem, SetExpr, SetQuantifier};

use super::{
    super::repair::walk::{change_exprs, change_queries},
    bound::{Bound, bare_select, has_groups},
};

/// The statement without DISTINCT in what is only looked through (IN, EXISTS), in the parts of a set operation, and where a
/// key is shown.
pub(super) fn needless(bound: &Bound<'_>) -> Option<(Box<Query>, String)> {
    let mut query = bound.parsed.query.clone();
    let mut why = None;
    change_exprs(query.as_mut(), &mut |expr, _| {
        let (Expr::InSubquery { subquery: inner, .. } | Expr::Exists { subquery: inner, .. }) = expr else {
            return ControlFlow::Continue(());
        };
        if bare_select(inner).is_some()
            && let SetExpr::Select(select) = inner.body.as_mut()
            && dropped(select)
        {
            why.get_or_insert("a subquery that is only looked through needs no DISTINCT".to_owned());
        }
        ControlFlow::Continue(())
    });
    change_queries(query.as_mut(), &mut |query| {
        if in_sets(&mut query.body) {
            why.get_or_insert("the set operation itself drops equal rows".to_owned());
        }
        if let SetExpr::Select(select) = query.body.as_mut()
            && let Some(key) = shows_key(bound, select)
            && dropped(select)
        {
            why.get_or_insert(format!("no two rows are equal, since {key} is a key"));
        }
        ControlFlow::Continue(())
    });
    why.map(|why| (query, why))
}

/// Takes the DISTINCT away; false if there is none.
fn dropped(select: &mut Select) -> bool {
    let plain = matches!(select.distinct, Some(Distinct::Distinct));
    if plain {
        select.distinct = None;
    }
    plain
}

/// Takes it away in the parts of set operations that drop equal rows.
#[recursive::recursive]
fn in_sets(body: &mut SetExpr) -> bool {
    let SetExpr::SetOperation {
        left,
        right,
        set_quantifier,
        ..
    } = body
    else {
        return false;
    };
    let mut any = false;
    for side in [left, right] {
        any |= match side.as_mut() {
            SetExpr::Select(select) => {
                matches!(set_quantifier, SetQuantifier::None | SetQuantifier::Distinct) && dropped(select)
            }
            other => in_sets(other),
        };
    }
    any
}

/// The table whose key is among what is shown, if it is the only one that is read.
fn shows_key(bound: &Bound<'_>, select: &Select) -> Option<String> {
    let source = bound.only_source(select)?;
    if select.distinct.is_none() || has_groups(select) {
        return None;
    }
    let shown: Vec<usize> = select
        .projection
        .iter()
        .filter_map(|item| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                bound.own_column(expr, std::slice::from_ref(&source))
            }
            _ => None,
        })
        .map(|column| column.column)
        .collect();
    let names: Vec<&str> = shown
        .iter()
        .map(|column| bound.schema.tables[source.table].columns[*column].name.as_str())
        .collect();
    bound
        .tells_rows_apart(source.table, &shown)
        .then(|| names.join(", "))
}
