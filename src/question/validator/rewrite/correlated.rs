//! A figure that a subquery works out for each row anew, from the rows with the same value, is worked out once for each value
//! and joined.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Query,
    Select, SelectItem, SetExpr,
};

use super::{
    super::{
        names::quoted,
        parse::parse,
        repair::{
            fragments::{conjuncts, expression, is_aggregate},
            walk::{change_exprs_first, read_exprs},
        },
    },
    bound::{
        Bound, BoundTable, all_sources, bare_select, has_groups, has_wildcard, is_inner, is_left, is_steady,
        only_output,
    },
};
use crate::question::schema::{ColumnKind, ColumnRef, Dialect};

/// What the joined subquery is called.
const NAME: &str = "figures_by_key";

/// The parts of a subquery that can be grouped.
struct Figure {
    /// The aggregate.
    call: String,
    /// What it is where there are no rows.
    of_none: OfNone,
    from: String,
    /// The column by which rows belong together, and the one of the query around it that it is compared with.
    inside: Expr,
    outside: Expr,
    /// The other conditions.
    others: Vec<String>,
}

/// What an aggregate of no rows is.
#[derive(Clone, Copy)]
enum OfNone {
    Null,
    Zero,
}

/// The statement with one such subquery of WHERE, or of what is shown row by row, turned into a join.
pub(super) fn grouped_once(bound: &Bound<'_>) -> Option<(Box<Query>, String)> {
    if bound.parsed.text.to_lowercase().contains(NAME) {
        return None;
    }
    bound.in_one_select(|select| changed(bound, select))
}

fn changed(bound: &Bound<'_>, select: &mut Select) -> Option<String> {
    let sources = all_sources(bound, select);
    let joins = select.from.iter().flat_map(|item| &item.joins);
    let keeps_left =
        |join: &sqlparser::ast::Join| is_inner(&join.join_operator) || is_left(&join.join_operator);
    if has_wildcard(select) || sources.is_empty() || !joins.clone().all(keeps_left) {
        return None;
    }
    let (figure, text) = found(bound, select, &sources)?;
    let outer = qualifier(&figure.outside)?.clone();
    let item = select.from.iter_mut().find(|item| {
        let factors = std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation));
        factors
            .filter_map(|factor| bound.source(factor))
            .any(|source| bound.same(&source.name, &outer))
    })?;
    item.joins.push(join(&figure, bound.dialect)?);
    let value = match figure.of_none {
        OfNone::Null => format!("{NAME}.figure"),
        OfNone::Zero => format!("COALESCE({NAME}.figure, 0)"),
    };
    let value = expression(&value, bound.dialect)?;
    change_exprs_first(select, &mut |expr, depth| {
        if let Expr::Subquery(inner) = expr
            && depth == 0
            && inner.to_string() == text
        {
            *expr = value.clone();
        }
        ControlFlow::Continue(())
    });
    Some(format!(
        "{} is worked out once for each {} and not for each row",
        figure.call, figure.inside
    ))
}

/// The first subquery that can be turned into a join, and its text.
fn found(bound: &Bound<'_>, select: &Select, sources: &[BoundTable]) -> Option<(Figure, String)> {
    let look = |tree: &Expr| {
        let mut found = None;
        read_exprs(tree, &mut |expr: &Expr, depth: usize| {
            if let Expr::Subquery(query) = expr
                && depth == 0
                && let Some(figure) = figure(bound, query, sources)
            {
                found = Some((figure, query.to_string()));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    };
    let in_where = select.selection.as_ref().and_then(look);
    let by_rows = !bound.is_grouped(select) && select.distinct.is_none();
    let found = in_where.or_else(|| {
        // Where rows are put together, what is shown is not worked out row by row. Without an alias the column would be
        // called otherwise.
        let mut shown = select.projection.iter().filter_map(|item| match item {
            SelectItem::ExprWithAlias { expr, .. } if by_rows => Some(expr),
            _ => None,
        });
        shown.find_map(look)
    });
    found.filter(|(_, text)| !has_groups(select) || stands_in_where_alone(select, text))
}

/// True if a subquery stands nowhere else in a SELECT.
fn stands_in_where_alone(select: &Select, text: &str) -> bool {
    let times = |text_of: &str| text_of.matches(text).count();
    let condition = select.selection.as_ref().map(ToString::to_string);
    condition.is_some_and(|condition| times(&condition) == times(&select.to_string()))
}

/// The parts of a subquery that is one aggregate over the rows of one table that have a value of the query around it.
fn figure(bound: &Bound<'_>, query: &Query, around: &[BoundTable]) -> Option<Figure> {
    let select = bare_select(query)?;
    if has_groups(select) || select.distinct.is_some() || query.order_by.is_some() {
        return None;
    }
    let source = bound.only_source(select)?;
    let own = std::slice::from_ref(&source);
    let Expr::Function(call) = only_output(select)? else {
        return None;
    };
    let of_none = exact(bound, call, own)?;
    let (mut key, mut others) = (None, vec![]);
    for condition in conjuncts(select.selection.as_ref()?) {
        if let Some(found) = relates(bound, condition, &source, around) {
            // One key is enough for what questions ask.
            if key.replace(found).is_some() {
                return None;
            }
        } else if is_steady(bound, condition, own) {
            others.push(match condition {
                Expr::BinaryOp {
                    op: BinaryOperator::Or,
                    ..
                } => format!("({condition})"),
                _ => condition.to_string(),
            });
        } else {
            return None;
        }
    }
    let (inside, outside) = key?;
    Some(Figure {
        call: call.to_string(),
        of_none,
        from: select.from.first()?.relation.to_string(),
        inside,
        outside,
        others,
    })
}

/// For an aggregate that is the same in whatever order it sees its rows: what it is where there are none.
fn exact(bound: &Bound<'_>, call: &sqlparser::ast::Function, own: &[BoundTable]) -> Option<OfNone> {
    let plain = call.over.is_none() && call.filter.is_none() && call.within_group.is_empty();
    let FunctionArguments::List(list) = &call.args else {
        return None;
    };
    let [FunctionArg::Unnamed(argument)] = list.args.as_slice() else {
        return None;
    };
    let distinct = matches!(list.duplicate_treatment, Some(DuplicateTreatment::Distinct));
    if !plain || !is_aggregate(call, bound.dialect) || !list.clauses.is_empty() {
        return None;
    }
    let name = call.name.to_string().to_lowercase();
    match argument {
        FunctionArgExpr::Wildcard if name == "count" && !distinct => Some(OfNone::Zero),
        FunctionArgExpr::Expr(argument) => {
            let column = bound.schema_column(bound.own_column(argument, own)?);
            let whole = column.kind == ColumnKind::Integer
                || (bound.dialect == Dialect::Postgres
                    && column.kind == ColumnKind::Number
                    && column.declared_type.starts_with("numeric"));
            match name.as_str() {
                "count" => Some(OfNone::Zero),
                "min" | "max" => Some(OfNone::Null),
                // Sums of fractions depend on their order.
                "sum" | "avg" if whole => Some(OfNone::Null),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `own = around` between two columns that compare as they group.
fn relates(
    bound: &Bound<'_>,
    condition: &Expr,
    source: &BoundTable,
    around: &[BoundTable],
) -> Option<(Expr, Expr)> {
    let outside = |expr: &Expr| -> Option<ColumnRef> {
        let name = qualifier(expr)?;
        // What is called as the inner table is of the inner table.
        let is_own = bound.same(name, &source.name);
        bound.own_column(expr, around).filter(|_| !is_own)
    };
    bound.equal(condition, std::slice::from_ref(source), outside)
}

fn qualifier(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::CompoundIdentifier(parts) => parts.get(parts.len().checked_sub(2)?),
        _ => None,
    }
}

/// The join with the figures of all keys.
fn join(figure: &Figure, dialect: Dialect) -> Option<sqlparser::ast::Join> {
    let Figure {
        call,
        from,
        inside,
        outside,
        others,
        ..
    } = figure;
    let condition = if others.is_empty() {
        String::new()
    } else {
        format!(" WHERE {}", others.join(" AND "))
    };
    let key = quoted("figure_key", dialect);
    let text = format!(
        "SELECT 1 FROM x LEFT JOIN (SELECT {inside} AS {key}, {call} AS figure FROM {from}{condition} \
         GROUP BY {inside}) AS {NAME} ON {NAME}.{key} = {outside}"
    );
    let parsed = parse(&text, dialect).ok()?;
    match *parsed.query.body {
        SetExpr::Select(mut select) => select.from.pop()?.joins.pop(),
        _ => None,
    }
}
