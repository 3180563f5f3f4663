//! Tables that are joined for nothing, and joins of another kind.

use sqlparser::ast::{BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, TableFactor};

use super::{
    fragments::{add_condition, conjuncts},
    selects::{all_selects, select_around, select_of, with_select},
};
use crate::question::validator::{Asked, parse::Parsed, resolve::LocatedFinding};

/// Without one table of which nothing is read but what joins it.
pub(super) fn superfluous(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let Some(at) = select_around(parsed, dialect, found.finding.position) else {
        return vec![];
    };
    let Some(select) = select_of(parsed, at) else {
        return vec![];
    };
    // Behind EXCEPT or NOT IN a join says which rows there are not.
    let text = parsed.text.to_uppercase();
    if ["EXCEPT", "NOT IN", "NOT EXISTS"]
        .iter()
        .any(|excluding| text.contains(excluding))
    {
        return vec![];
    }
    let mut fixed = vec![];
    let count = select.from.iter().map(|item| 1 + item.joins.len()).sum::<usize>();
    for number in (0..count).rev() {
        fixed.extend(with_select(parsed, at, |select| {
            let [item] = select.from.as_mut_slice() else {
                return None;
            };
            let (removed, condition) = if number == 0 {
                let first = item.joins.first()?.clone();
                let removed = std::mem::replace(&mut item.relation, first.relation.clone());
                item.joins.remove(0);
                (removed, on(&first))
            } else {
                let join = item.joins.get(number - 1)?.clone();
                item.joins.remove(number - 1);
                (join.relation.clone(), on(&join))
            };
            let called = name_of(&removed)?;
            // Conditions of the join that are not about the table stay.
            for part in condition.as_ref().map(conjuncts).unwrap_or_default() {
                if !mentions(&part.to_string(), &called) {
                    add_condition(&mut select.selection, part.clone());
                }
            }
            (!mentions(&select.to_string(), &called)).then_some(())
        }));
    }
    fixed
}

/// One join, or all, kept where there is no partner, or dropped there. An outer join that says more than which rows belong
/// together stays: what has no partner by that is meant to be there.
pub(super) fn other_kind(_: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let _ = asked;
    let relates_only = |constraint: &JoinConstraint| match constraint {
        JoinConstraint::On(condition) => conjuncts(condition).into_iter().all(relates_columns),
        JoinConstraint::Using(_) | JoinConstraint::Natural | JoinConstraint::None => true,
    };
    let mut fixed = vec![];
    for at in all_selects(parsed) {
        fixed.extend(with_select(parsed, at, |select| {
            let joins = select.from.iter_mut().flat_map(|item| &mut item.joins);
            let mut changed = false;
            let mut kinds: Vec<&mut JoinOperator> = joins.map(|join| &mut join.join_operator).collect();
            let outer = kinds.iter().any(|kind| {
                matches!(
                    kind,
                    JoinOperator::Left(_)
                        | JoinOperator::LeftOuter(_)
                        | JoinOperator::Right(_)
                        | JoinOperator::RightOuter(_)
                        | JoinOperator::FullOuter(_)
                )
            });
            for kind in &mut kinds {
                let new = match kind {
                    JoinOperator::Join(on) | JoinOperator::Inner(on) if !outer => {
                        JoinOperator::Left(on.clone())
                    }
                    JoinOperator::Left(on)
                    | JoinOperator::LeftOuter(on)
                    | JoinOperator::Right(on)
                    | JoinOperator::RightOuter(on)
                    | JoinOperator::FullOuter(on)
                        if outer && relates_only(on) =>
                    {
                        JoinOperator::Join(on.clone())
                    }
                    _ => continue,
                };
                **kind = new;
                changed = true;
            }
            changed.then_some(())
        }));
    }
    fixed
}

/// True for two columns being equal.
fn relates_columns(condition: &Expr) -> bool {
    let column = |expr: &Expr| matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_));
    matches!(condition, Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if column(left) && column(right))
}

fn on(join: &Join) -> Option<Expr> {
    match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(condition))
        | JoinOperator::Inner(JoinConstraint::On(condition))
        | JoinOperator::Left(JoinConstraint::On(condition))
        | JoinOperator::LeftOuter(JoinConstraint::On(condition)) => Some(condition.clone()),
        _ => None,
    }
}

fn name_of(factor: &TableFactor) -> Option<String> {
    match factor {
        TableFactor::Table { name, alias, .. } => Some(match alias {
            Some(alias) => alias.name.value.clone(),
            None => name.0.last()?.as_ident()?.value.clone(),
        }),
        _ => None,
    }
}

/// True where a text has columns behind a name.
fn mentions(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), format!("{}.", name.to_lowercase()));
    text.match_indices(&name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|before| before.is_alphanumeric() || before == '_')
    })
}
