//! The one thing in which two statements differ.

use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Join, OrderByKind, Query, Select, SelectItem,
    SetExpr, TableFactor,
};

use super::{
    super::{
        repair::fragments::{conjuncts, is_constant},
        walk::join_constraint,
    },
    Change,
    pattern::generalised,
};

/// What a pair of statements in their canonical forms has that is not the same; `None` for nothing, or more than one thing.
pub(super) fn difference(before: &Query, after: &Query) -> Option<Change> {
    let (SetExpr::Select(one), SetExpr::Select(other)) = (before.body.as_ref(), after.body.as_ref()) else {
        return None;
    };
    let around = |query: &Query| {
        let limit = query.limit_clause.as_ref().map(ToString::to_string);
        (query.with.as_ref().map(ToString::to_string), limit)
    };
    let shape = |select: &Select| {
        let distinct = select.distinct.as_ref().map(ToString::to_string);
        (distinct, select.projection.len())
    };
    if around(before) != around(after) || shape(one) != shape(other) {
        return None;
    }
    let mut changes: Vec<Change> = vec![];
    let mut note = |change: Option<Change>| -> Option<()> {
        let change = change?;
        if !changes.contains(&change) {
            changes.push(change);
        }
        Some(())
    };
    for (one, other) in one.projection.iter().zip(&other.projection) {
        pair(shown(one), shown(other), &mut note)?;
    }
    joins(one, other, &mut note)?;
    conditions(one.selection.as_ref(), other.selection.as_ref(), &mut note)?;
    conditions(one.having.as_ref(), other.having.as_ref(), &mut note)?;
    for (one, other) in same_length(&grouped(one), &grouped(other))? {
        pair(Some(one), Some(other), &mut note)?;
    }
    for (one, other) in same_length(&ordered(before), &ordered(after))? {
        pair(Some(one), Some(other), &mut note)?;
    }
    match changes.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

fn same_length<'e>(one: &[&'e Expr], other: &[&'e Expr]) -> Option<Vec<(&'e Expr, &'e Expr)>> {
    (one.len() == other.len()).then(|| one.iter().copied().zip(other.iter().copied()).collect())
}

fn shown(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

fn grouped(select: &Select) -> Vec<&Expr> {
    match &select.group_by {
        sqlparser::ast::GroupByExpr::Expressions(terms, _) => terms.iter().collect(),
        sqlparser::ast::GroupByExpr::All(_) => vec![],
    }
}

fn ordered(query: &Query) -> Vec<&Expr> {
    match query.order_by.as_ref().map(|order| &order.kind) {
        Some(OrderByKind::Expressions(terms)) => terms.iter().map(|term| &term.expr).collect(),
        _ => vec![],
    }
}

/// Notes how two expressions differ; `None` where that is no change of one thing.
fn pair(
    one: Option<&Expr>,
    other: Option<&Expr>,
    note: &mut dyn FnMut(Option<Change>) -> Option<()>,
) -> Option<()> {
    match (one, other) {
        (Some(one), Some(other)) if one.to_string() != other.to_string() => {
            let (before, after) = innermost(one, other);
            note(generalised(before, after))
        }
        (Some(_), Some(_)) | (None, None) => Some(()),
        _ => None,
    }
}

/// The smallest parts in which two expressions differ.
#[recursive::recursive]
fn innermost<'e>(one: &'e Expr, other: &'e Expr) -> (&'e Expr, &'e Expr) {
    let differing: Vec<(&Expr, &Expr)> = match (one, other) {
        (
            Expr::BinaryOp { left, op, right },
            Expr::BinaryOp {
                left: other_left,
                op: other_op,
                right: other_right,
            },
        ) if op == other_op => vec![(left, other_left), (right, other_right)],
        (Expr::Nested(one), Expr::Nested(other)) => vec![(one, other)],
        (Expr::Function(one), Expr::Function(other)) if one.name == other.name => arguments(&one.args)
            .into_iter()
            .zip(arguments(&other.args))
            .collect(),
        _ => vec![],
    };
    let mut changed = differing
        .into_iter()
        .filter(|(one, other)| one.to_string() != other.to_string());
    match (changed.next(), changed.next()) {
        // A value says nothing without what it is compared with.
        (Some((inner, of_other)), None) if !matches!(inner, Expr::Value(_)) => {
            let found = innermost(inner, of_other);
            // All else must be the same: a call may have more to it than its arguments.
            let rest = one
                .to_string()
                .replacen(&found.0.to_string(), &found.1.to_string(), 1);
            if rest == other.to_string() {
                found
            } else {
                (one, other)
            }
        }
        _ => (one, other),
    }
}

fn arguments(arguments: &FunctionArguments) -> Vec<&Expr> {
    let FunctionArguments::List(list) = arguments else {
        return vec![];
    };
    let expr = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expr)) => Some(expr),
        _ => None,
    };
    list.args.iter().filter_map(expr).collect()
}

/// Conditions that AND connects: one more, or one that is another.
fn conditions(
    one: Option<&Expr>,
    other: Option<&Expr>,
    note: &mut dyn FnMut(Option<Change>) -> Option<()>,
) -> Option<()> {
    let parts = |condition: Option<&Expr>| -> Vec<Expr> {
        let parts = condition.map(conjuncts).unwrap_or_default();
        parts.into_iter().cloned().collect()
    };
    let (one, other) = (parts(one), parts(other));
    let texts = |parts: &[Expr]| -> Vec<String> { parts.iter().map(ToString::to_string).collect() };
    let (one_texts, other_texts) = (texts(&one), texts(&other));
    let gone: Vec<&Expr> = one
        .iter()
        .filter(|part| !other_texts.contains(&part.to_string()))
        .collect();
    let new: Vec<&Expr> = other
        .iter()
        .filter(|part| !one_texts.contains(&part.to_string()))
        .collect();
    match (gone.as_slice(), new.as_slice()) {
        ([], []) => Some(()),
        ([], [new]) => note(added(new)),
        ([gone], [new]) => pair(Some(gone), Some(new), note),
        _ => None,
    }
}

/// A condition of one column and values.
fn added(condition: &Expr) -> Option<Change> {
    let column = match condition {
        Expr::BinaryOp { left, right, .. } if is_constant(right) => left.as_ref(),
        Expr::IsNull(column) | Expr::IsNotNull(column) => column.as_ref(),
        Expr::InList { expr, list, .. } if list.iter().all(is_constant) => expr.as_ref(),
        _ => return None,
    };
    let Expr::CompoundIdentifier(parts) = column else {
        return None;
    };
    Some(Change::Condition {
        table: parts.first()?.value.clone(),
        condition: condition.to_string(),
    })
}

/// Joins of the same tables on the same conditions, of which one may be of another kind.
fn joins(one: &Select, other: &Select, note: &mut dyn FnMut(Option<Change>) -> Option<()>) -> Option<()> {
    let all = |select: &Select| -> Vec<(String, Option<Join>)> {
        let items = select.from.iter().flat_map(|item| {
            let first = std::iter::once((table(&item.relation), None));
            first.chain(
                item.joins
                    .iter()
                    .map(|join| (table(&join.relation), Some(join.clone()))),
            )
        });
        items.collect()
    };
    let (one, other) = (all(one), all(other));
    if one.len() != other.len() {
        return None;
    }
    for ((table, before), (same, after)) in one.iter().zip(&other) {
        if table != same {
            return None;
        }
        let (Some(before), Some(after)) = (before, after) else {
            if before.is_some() != after.is_some() {
                return None;
            }
            continue;
        };
        let on = |join: &Join| join_constraint(&join.join_operator).cloned();
        if on(before) != on(after) {
            return None;
        }
        let left = |join: &Join| join.join_operator.to_left();
        if left(before) != left(after) {
            note(Some(Change::Join {
                table: table.clone(),
                outer: left(after)?,
            }))?;
        }
    }
    Some(())
}

fn table(factor: &TableFactor) -> String {
    match factor {
        TableFactor::Table { name, .. } => name
            .0
            .last()
            .and_then(|part| part.as_ident())
            .map_or_else(String::new, |name| name.value.to_lowercase()),
        other => other.to_string(),
    }
}

/// Whether a join keeps the rows of its left side.
trait JoinKind {
    /// `None` for kinds that are neither inner nor left.
    fn to_left(&self) -> Option<bool>;
}

impl JoinKind for sqlparser::ast::JoinOperator {
    fn to_left(&self) -> Option<bool> {
        match self {
            Self::Join(_) | Self::Inner(_) => Some(false),
            Self::Left(_) | Self::LeftOuter(_) => Some(true),
            _ => None,
        }
    }
}
