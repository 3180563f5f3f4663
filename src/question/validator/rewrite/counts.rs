//! Counting values that are never missing is counting rows, which databases do without looking at the values.

use std::ops::ControlFlow;

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Select,
    SetExpr,
};

use super::{
    super::repair::walk::{Node, change_exprs, change_queries, read},
    bound::{Bound, BoundTable},
};

/// `COUNT(column)` as `COUNT(*)`, where the column is never NULL; with DISTINCT, where it is a key as well.
pub(super) fn of_rows(bound: &Bound<'_>) -> Option<(Box<Query>, String)> {
    let mut query = bound.parsed.query.clone();
    let mut counted = None;
    change_queries(query.as_mut(), &mut |query| {
        if let SetExpr::Select(select) = query.body.as_mut()
            && let Some(sources) = bound.inner_sources(select)
        {
            // Below another SELECT a column may be that one's.
            let flat = !has_subquery(select);
            let mut change = |expr: &mut Expr, depth: usize| {
                if let Expr::Function(function) = expr
                    && depth == 0
                    && flat
                    && let Some(argument) = rows_alone(bound, function, &sources)
                {
                    counted.get_or_insert(argument.to_string());
                    star(function);
                }
                ControlFlow::Continue(())
            };
            change_exprs(select.as_mut(), &mut change);
            if let Some(order) = query.order_by.as_mut() {
                change_exprs(order, &mut change);
            }
        }
        ControlFlow::Continue(())
    });
    counted.map(|column| {
        (
            query,
            format!("rows are counted, since {column} is never missing"),
        )
    })
}

/// What a call counts, where that is the same as counting rows.
fn rows_alone<'f>(bound: &Bound<'_>, function: &'f Function, sources: &[BoundTable]) -> Option<&'f Expr> {
    let plain = function.over.is_none() && function.within_group.is_empty();
    if !plain || !function.name.to_string().eq_ignore_ascii_case("count") {
        return None;
    }
    let FunctionArguments::List(list) = &function.args else {
        return None;
    };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))] = list.args.as_slice() else {
        return None;
    };
    let column = bound.own_column(argument, sources)?;
    let once = match list.duplicate_treatment {
        Some(DuplicateTreatment::Distinct) => {
            sources.len() == 1 && bound.is_key(column.table, &[column.column])
        }
        _ => true,
    };
    (once && list.clauses.is_empty() && bound.is_filled(column)).then_some(argument)
}

fn star(function: &mut Function) {
    if let FunctionArguments::List(list) = &mut function.args {
        list.duplicate_treatment = None;
        list.args = vec![FunctionArg::Unnamed(FunctionArgExpr::Wildcard)];
    }
}

fn has_subquery(select: &Select) -> bool {
    read(select, &mut |node, _| match node {
        Node::Query(_) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
}
