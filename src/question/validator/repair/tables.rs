//! Tables that are joined for nothing, joins of another kind, and columns that several tables have.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, Ident, Join, JoinConstraint, JoinOperator, Select, TableFactor};

use super::{
    edit::{replace_at, stands_in},
    fragments::{add_condition, conjuncts, expression},
    selects::{all_selects, select_around, select_of, with_select},
    sources::Sources,
    walk::read_exprs,
};
use crate::question::validator::{Asked, names::meant, parse::Parsed, resolve::LocatedFinding};

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

/// A column that two tables have and that is compared with the one of the same name of the first: that of the second. Which of them
/// is meant anywhere else nobody knows but who wrote it.
pub(super) fn qualified(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let schema = &asked.snapshot.schema;
    let qualified = || {
        let (from, to) = found.span?;
        let name: String = parsed.text.chars().skip(from - 1).take(to - from).collect();
        let Expr::Identifier(name) = expression(&name, dialect)? else {
            return None;
        };
        let select = select_of(parsed, select_around(parsed, dialect, Some(from))?)?;
        let sources = Sources::of(&select, parsed, asked.snapshot);
        if !sources.are_tables() {
            return None;
        }
        let called = meant(&name, dialect);
        let other = compared_with(&select, parsed, (from, &name))?;
        let mut owners = sources.iter().filter(|source| {
            let table = source.table.map(|table| &schema.tables[table]);
            table.is_some_and(|table| table.column_named(&called).is_some())
                && !source.name.eq_ignore_ascii_case(&other)
        });
        let owner = owners.next().filter(|_| owners.next().is_none())?;
        let column = expression(&format!("{}.{name}", sources.quoted(&owner.name)), dialect)?;
        replace_at(parsed, from, &column)
    };
    qualified().into_iter().collect()
}

/// The qualifier, in lower case, of the column of the same name that the one at a character is compared with.
fn compared_with(select: &Select, parsed: &Parsed, (from, name): (usize, &Ident)) -> Option<String> {
    let mut other = None;
    read_exprs(select, &mut |expr, _| {
        if let Expr::BinaryOp {
            left,
            op: BinaryOperator::Eq,
            right,
        } = expr
        {
            for (one, beside) in [(left, right), (right, left)] {
                if matches!(one.as_ref(), Expr::Identifier(_))
                    && stands_in(one, parsed, from)
                    && let Expr::CompoundIdentifier(parts) = beside.as_ref()
                    && let [qualifier, column] = parts.as_slice()
                    && column.value.eq_ignore_ascii_case(&name.value)
                {
                    other = Some(qualifier.value.to_lowercase());
                }
            }
        }
        ControlFlow::Continue(())
    });
    other
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
