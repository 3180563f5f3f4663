//! The same figure in several places is worked out once.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Query};

use super::{
    super::{
        parse::parse,
        repair::{
            fragments::is_aggregate,
            walk::{change_exprs, read_exprs},
        },
        resolve,
    },
    bound::{Bound, bare_select, is_deep, only_output},
};

/// What the common table expression is called, and its column.
const NAME: &str = "repeated_figure";
const COLUMN: &str = "figure";

/// The statement with an aggregate over rows of its own, which stands in it more than once as a subquery, moved into WITH.
pub(super) fn computed_once(bound: &Bound<'_>) -> Option<(Box<Query>, String)> {
    if bound.parsed.query.with.is_some() || bound.parsed.text.to_lowercase().contains(NAME) {
        return None;
    }
    let mut seen: Vec<(String, usize)> = vec![];
    read_exprs(bound.parsed.query.as_ref(), &mut |expr, _| {
        if let Expr::Subquery(query) = expr {
            let text = query.to_string();
            match seen.iter_mut().find(|(known, _)| *known == text) {
                Some((_, times)) => *times += 1,
                None => seen.push((text, 1)),
            }
        }
        ControlFlow::Continue(())
    });
    let (text, times) = seen
        .into_iter()
        .find(|(text, times)| *times > 1 && is_figure(bound, text))?;
    let mut query = bound.parsed.query.clone();
    let read = parse(&format!("SELECT {COLUMN} FROM {NAME}"), bound.dialect).ok()?;
    change_exprs(query.as_mut(), &mut |expr, _| {
        if let Expr::Subquery(inner) = expr
            && inner.to_string() == text
        {
            inner.clone_from(&read.query);
        }
        ControlFlow::Continue(())
    });
    let with = parse(
        &format!("WITH {NAME}({COLUMN}) AS ({text}) SELECT {COLUMN} FROM {NAME}"),
        bound.dialect,
    );
    query.with = with.ok()?.query.with;
    Some((
        query,
        format!("({text}) is worked out once, since it stands here {times} times"),
    ))
}

/// True for a query that gives one aggregate, and the same wherever it stands.
fn is_figure(bound: &Bound<'_>, text: &str) -> bool {
    let Ok(parsed) = parse(text, bound.dialect) else {
        return false;
    };
    let Some(select) = bare_select(&parsed.query) else {
        return false;
    };
    let Some(Expr::Function(function)) = only_output(select) else {
        return false;
    };
    let only = Expr::Function(function.clone());
    if super::bound::has_groups(select) || !is_aggregate(function, bound.dialect) || is_deep(&only) {
        return false;
    }
    // Nothing in it is called that may change from one call to the next.
    let calls = read_exprs(select, &mut |expr, _| match expr {
        Expr::Function(function) if !is_aggregate(function, bound.dialect) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    // By itself it is valid only where it names nothing of the query around it.
    let (_, found) = resolve::resolve(&parsed, bound.schema, bound.dialect);
    !calls && !found.iter().any(|found| found.finding.is_error())
}
