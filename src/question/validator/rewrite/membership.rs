//! `NOT IN` a subquery as `NOT EXISTS`, which PostgreSQL plans as an anti-join. Both mean the same only where NULL occurs on
//! neither side.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, Ident, Query, Select, SelectItem, SetExpr};

use super::{
    super::repair::{
        fragments::{add_condition, expression},
        walk::{change_exprs_first, change_queries},
    },
    bound::{Bound, BoundTable, bare_select, has_groups, only_output},
};
use crate::question::schema::{ColumnRef, Dialect};

/// The statement with one NOT IN changed. SQLite looks into an index of the subquery's rows either way.
pub(super) fn not_exists(bound: &Bound<'_>) -> Option<(Box<Query>, String)> {
    if bound.dialect != Dialect::Postgres {
        return None;
    }
    let mut query = bound.parsed.query.clone();
    let mut why = None;
    change_queries(query.as_mut(), &mut |query| {
        let SetExpr::Select(select) = query.body.as_mut() else {
            return ControlFlow::Continue(());
        };
        let Some(sources) = bound.inner_sources(select) else {
            return ControlFlow::Continue(());
        };
        if let Some(condition) = &mut select.selection {
            change_exprs_first(condition, &mut |expr, depth| {
                if depth == 0 && why.is_none() {
                    why = change(bound, expr, &sources);
                }
                ControlFlow::Continue(())
            });
        }
        ControlFlow::Continue(())
    });
    why.map(|why| (query, why))
}

fn change(bound: &Bound<'_>, expr: &mut Expr, around: &[BoundTable]) -> Option<String> {
    let Expr::InSubquery {
        expr: tested,
        subquery,
        negated: true,
    } = expr
    else {
        return None;
    };
    let filled = |column: &ColumnRef| bound.is_filled(*column);
    let outer = bound.own_column(tested, around).filter(filled)?;
    let inner_select = bare_select(subquery).filter(|select| is_plain(bound, select))?;
    let shown = only_output(inner_select)?;
    let sources = bound.inner_sources(inner_select)?;
    let inner = bound.own_column(shown, &sources).filter(filled)?;
    let mut of_table = around.iter().filter(|source| source.table == outer.table);
    let name = of_table.next()?.name.clone();
    if of_table.next().is_some() || sources.iter().any(|source| bound.same(&source.name, &name)) {
        return None;
    }
    let tested = Expr::CompoundIdentifier(vec![name, last_part(tested)?]);
    let equal = Expr::BinaryOp {
        left: Box::new(shown.clone()),
        op: BinaryOperator::Eq,
        right: Box::new(tested),
    };
    let one = SelectItem::UnnamedExpr(expression("1", bound.dialect)?);
    let (one_side, other_side) = (&bound.schema_column(outer).name, &bound.schema_column(inner).name);
    let why = format!("NOT IN is NOT EXISTS, since {one_side} and {other_side} are never NULL");
    let mut inside = subquery.clone();
    let SetExpr::Select(select) = inside.body.as_mut() else {
        return None;
    };
    select.projection = vec![one];
    add_condition(&mut select.selection, equal);
    inside.order_by = None;
    *expr = Expr::Exists {
        subquery: inside,
        negated: true,
    };
    Some(why)
}

/// True for a SELECT of rows as they are.
fn is_plain(bound: &Bound<'_>, select: &Select) -> bool {
    !bound.is_grouped(select) && !has_groups(select) && select.distinct.is_none()
}

fn last_part(expr: &Expr) -> Option<Ident> {
    match expr {
        Expr::Identifier(name) => Some(name.clone()),
        Expr::CompoundIdentifier(parts) => parts.last().cloned(),
        _ => None,
    }
}
