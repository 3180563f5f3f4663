//! Joins that neither add a row nor take one away, to tables of which nothing is read.

use std::mem;

use sqlparser::ast::{BinaryOperator, Expr, JoinConstraint, Query, Select};

use super::{
    super::{repair::fragments::conjuncts, walk::join_constraint},
    bound::{Bound, BoundTable, has_wildcard, is_inner, is_left},
};
use crate::question::schema::ColumnRef;

/// Two columns that a join makes equal: the joined table's, and another one's.
type Pair = (ColumnRef, ColumnRef);

/// The statement without one such join: an outer one to a key, or an inner one along a key that the database enforces from
/// columns that are never NULL.
pub(super) fn needless(bound: &Bound<'_>) -> Option<(Box<Query>, String)> {
    bound.in_one_select(|select| {
        if has_wildcard(select) {
            return None;
        }
        without(bound, select)
    })
}

fn without(bound: &Bound<'_>, select: &mut Select) -> Option<String> {
    let all_inner = bound.inner_sources(select).is_some();
    for item in &mut select.from {
        if let Some((at, why)) = needless_in(bound, item, all_inner) {
            item.joins.remove(at);
            return Some(why);
        }
        // `a JOIN b` is `b JOIN a`.
        if all_inner && let Some(first) = item.joins.first_mut() {
            mem::swap(&mut item.relation, &mut first.relation);
            if let Some((0, why)) = needless_in(bound, item, true) {
                item.joins.remove(0);
                return Some(why);
            }
            mem::swap(&mut item.relation, &mut item.joins[0].relation);
        }
    }
    None
}

fn needless_in(
    bound: &Bound<'_>,
    item: &sqlparser::ast::TableWithJoins,
    all_inner: bool,
) -> Option<(usize, String)> {
    item.joins.iter().enumerate().find_map(|(at, join)| {
        let source = bound.source(&join.relation)?;
        let JoinConstraint::On(condition) = join_constraint(&join.join_operator)? else {
            return None;
        };
        let pairs = pairs(bound, condition, &source)?;
        // What joins it is all that is read of it.
        let idle = bound.references_to(source.table) == 1 && bound.uses_of(source.table) == pairs.len();
        let own: Vec<usize> = pairs.iter().map(|(own, _)| own.column).collect();
        let at_most_one = bound.is_key(source.table, &own)
            && pairs.iter().all(|(own, other)| bound.compare_alike(*own, *other));
        let name = &bound.schema.tables[source.table].name;
        if !idle || !at_most_one {
            return None;
        }
        if is_left(&join.join_operator) {
            let why =
                format!("{name} is left out: at most one row of it belongs to each, and none of it is read");
            return Some((at, why));
        }
        let exactly_one = all_inner && is_inner(&join.join_operator) && refers(bound, &pairs);
        exactly_one.then(|| {
            let why =
                format!("{name} is left out: a key guarantees one row of it to each, and none of it is read");
            (at, why)
        })
    })
}

/// The columns that a condition makes equal; `None` where it says anything else.
fn pairs(bound: &Bound<'_>, condition: &Expr, source: &BoundTable) -> Option<Vec<Pair>> {
    conjuncts(condition)
        .into_iter()
        .map(|part| {
            let Expr::BinaryOp {
                left,
                op: BinaryOperator::Eq,
                right,
            } = part
            else {
                return None;
            };
            let (left, right) = (bound.column(left)?, bound.column(right)?);
            match (left.table == source.table, right.table == source.table) {
                (true, false) => Some((left, right)),
                (false, true) => Some((right, left)),
                _ => None,
            }
        })
        .collect()
}

/// True if an enforced key leads from the other columns to the joined table's, and none of them is ever NULL.
fn refers(bound: &Bound<'_>, pairs: &[Pair]) -> bool {
    let filled = pairs.iter().all(|(_, other)| bound.is_filled(*other));
    filled
        && bound.schema.foreign_keys.iter().any(|key| {
            key.enforced
                && key.from.len() == pairs.len()
                && key
                    .from
                    .iter()
                    .zip(&key.to)
                    .all(|(from, to)| pairs.contains(&(*to, *from)))
        })
}
