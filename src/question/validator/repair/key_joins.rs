//! Joins along the keys: conditions on other columns replaced.

use sqlparser::ast::{BinaryOperator as Op, Expr, JoinConstraint, JoinOperator, Select, TableWithJoins};

use super::{
    fragments::{add_condition, conjunction, conjuncts, expression},
    selects::{select_around, select_of, with_select},
    sources::{Sources, join},
};
use crate::question::{
    schema::{ColumnRef, words},
    validator::{Asked, parse::Parsed, resolve::LocatedFinding, start::Start},
};

/// The key between two tables in place of a condition that joins them on other columns.
pub(super) fn onto_the_key(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let Some(position) = found.finding.position else {
        return vec![];
    };
    // `the same name as`: no join, but what is asked for.
    if words::text_words(asked.question)
        .iter()
        .any(|word| word == "same")
    {
        return vec![];
    }
    let Some(at) = select_around(parsed, asked.snapshot.dialect, Some(position)) else {
        return vec![];
    };
    let Some(select) = select_of(parsed, at) else {
        return vec![];
    };
    let sources = Sources::of(&select, parsed, asked.snapshot);
    let stands_there = |expr: &Expr| parsed.lines.position(expr.start()) == Some(position);
    let equality = all_equalities(&select)
        .into_iter()
        .find(|(left, _)| stands_there(left));
    let Some((one, other)) =
        equality.and_then(|(left, right)| sources.column(left).zip(sources.column(right)))
    else {
        return vec![];
    };
    let mut fixed: Vec<String> = key_conditions(&sources, one.0, other.0, asked)
        .iter()
        .filter_map(|condition| {
            let condition = expression(condition, asked.snapshot.dialect)?;
            with_select(parsed, at, |select| {
                let replaced = change_conditions(select, |part| {
                    if is_equality(part) && stands_there(part) {
                        Some(condition.clone())
                    } else {
                        Some(part.clone())
                    }
                });
                (replaced > 0).then_some(())
            })
        })
        .collect();
    if fixed.is_empty() {
        fixed.extend(with_select(parsed, at, |select| {
            change_conditions(select, |part| {
                (!(is_equality(part) && stands_there(part))).then(|| part.clone())
            });
            rebuild(select, &sources, asked)
        }));
    }
    fixed
}

/// Joins all tables of a SELECT anew along the keys, with tables between them where the keys lead over some.
/// Conditions that are more than two columns being equal stay.
fn rebuild(select: &mut Select, sources: &Sources<'_>, asked: &Asked<'_>) -> Option<()> {
    let mut tables = sources.tables();
    let inner = |operator: &JoinOperator| {
        matches!(
            operator,
            JoinOperator::Join(JoinConstraint::On(_) | JoinConstraint::None)
                | JoinOperator::Inner(JoinConstraint::On(_) | JoinConstraint::None)
                | JoinOperator::CrossJoin(JoinConstraint::None)
        )
    };
    let is_plain = select
        .from
        .iter()
        .all(|item| item.joins.iter().all(|join| inner(&join.join_operator)));
    let plain_tables = factors(select).count() == tables.len();
    if !sources.are_tables() || !is_plain || !plain_tables || tables.len() < 2 {
        return None;
    }
    let steps = asked
        .snapshot
        .joins
        .connect(&tables, &sources.keys_used(&all_equalities(select)))?;
    tables.sort_unstable();
    if tables.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    // What only related two columns is said anew; everything else is a condition on the joined rows.
    let mut kept = vec![];
    for operator in select
        .from
        .iter_mut()
        .flat_map(|item| &mut item.joins)
        .filter_map(on)
    {
        if let JoinConstraint::On(condition) = operator {
            kept.extend(
                conjuncts(condition)
                    .into_iter()
                    .filter(|part| !relates(part, sources))
                    .cloned(),
            );
        }
    }
    if let Some(condition) = select.selection.take() {
        let parts = conjuncts(&condition).into_iter();
        select.selection = conjunction(parts.filter(|part| !relates(part, sources)).cloned());
    }
    for condition in kept {
        add_condition(&mut select.selection, condition);
    }
    let first = select.from.first()?.relation.clone();
    let mut from = TableWithJoins {
        relation: first.clone(),
        joins: vec![],
    };
    let factors: Vec<_> = factors(select).cloned().collect();
    let mut there = sources.subset(&[0]);
    for step in steps {
        match sources.number_of(step.table) {
            Some(number) => {
                let condition = there.condition_to(sources, number, step.key)?;
                from.joins.push(join(
                    &format!("JOIN {} ON {condition}", factors.get(number)?),
                    asked.snapshot.dialect,
                )?);
                there = there.and(sources, number);
            }
            None => there.join_steps(&mut from, &[step], sources)?,
        }
    }
    select.from = vec![from];
    Some(())
}

/// The conditions that say that a key relates two sources, the likeliest key first.
fn key_conditions(sources: &Sources<'_>, one: usize, other: usize, asked: &Asked<'_>) -> Vec<String> {
    let snapshot = asked.snapshot;
    let Some((first, second)) = sources.table_at(one).zip(sources.table_at(other)) else {
        return vec![];
    };
    let asked_for: Vec<String> = words::text_words(asked.question)
        .iter()
        .map(|word| words::stem(word))
        .collect();
    let mut keys = snapshot.joins.keys_between(first, second);
    if first == second {
        let keys_of = snapshot.schema.foreign_keys.iter().enumerate();
        let own = keys_of.filter(|(_, key)| {
            key.from.first().map(|column| column.table) == Some(first)
                && key.to.first().map(|column| column.table) == Some(first)
        });
        keys = own.map(|(at, _)| at).collect();
    }
    // Of several keys, the one whose columns the question speaks of.
    let unsaid = |key: &usize| {
        let named = |column: &ColumnRef| {
            let name = &snapshot.schema.column(*column).name;
            words::identifier_words(name)
                .iter()
                .filter(|word| asked_for.contains(&words::stem(word)))
                .count()
        };
        let key = &snapshot.schema.foreign_keys[*key];
        usize::MAX - key.from.iter().map(named).sum::<usize>()
    };
    keys.sort_by_key(unsaid);
    keys.into_iter()
        .filter_map(|key| sources.subset(&[one]).condition_to(sources, other, key))
        .collect()
}

/// True for two columns of different sources being equal.
fn relates(part: &Expr, sources: &Sources<'_>) -> bool {
    let Expr::BinaryOp {
        left,
        op: Op::Eq,
        right,
    } = part
    else {
        return false;
    };
    let sides = sources.column(left).zip(sources.column(right));
    sides.is_some_and(|((one, _), (other, _))| one != other)
}

fn is_equality(expr: &Expr) -> bool {
    matches!(expr, Expr::BinaryOp { op: Op::Eq, .. })
}

/// What every row must have equal, by ON or WHERE.
fn all_equalities(select: &Select) -> Vec<(&Expr, &Expr)> {
    let joins = select.from.iter().flat_map(|item| &item.joins);
    let on = joins.filter_map(|join| match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(condition))
        | JoinOperator::Inner(JoinConstraint::On(condition))
        | JoinOperator::Left(JoinConstraint::On(condition))
        | JoinOperator::LeftOuter(JoinConstraint::On(condition))
        | JoinOperator::Right(JoinConstraint::On(condition))
        | JoinOperator::RightOuter(JoinConstraint::On(condition))
        | JoinOperator::FullOuter(JoinConstraint::On(condition)) => Some(condition),
        _ => None,
    });
    on.chain(&select.selection)
        .flat_map(conjuncts)
        .filter_map(|part| match part {
            Expr::BinaryOp {
                left,
                op: Op::Eq,
                right,
            } => Some((left.as_ref(), right.as_ref())),
            _ => None,
        })
        .collect()
}

/// Changes each condition of ON and WHERE, or leaves it out; tells how many are others now.
fn change_conditions(select: &mut Select, change: impl Fn(&Expr) -> Option<Expr>) -> usize {
    let mut changed = 0;
    let mut renew = |condition: &Expr| {
        let parts = conjuncts(condition);
        let after: Vec<Expr> = parts.iter().filter_map(|part| change(part)).collect();
        let same = after.len() == parts.len() && parts.iter().zip(&after).all(|(one, other)| *one == other);
        changed += usize::from(!same);
        conjunction(after)
    };
    for constraint in select
        .from
        .iter_mut()
        .flat_map(|item| &mut item.joins)
        .filter_map(on)
    {
        if let JoinConstraint::On(condition) = constraint {
            *constraint = renew(condition).map_or(JoinConstraint::None, JoinConstraint::On);
        }
    }
    if let Some(condition) = select.selection.take() {
        select.selection = renew(&condition);
    }
    changed
}

/// What a join is tied by.
fn on(join: &mut sqlparser::ast::Join) -> Option<&mut JoinConstraint> {
    match &mut join.join_operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint) => Some(constraint),
        _ => None,
    }
}

/// The items of FROM one after the other, joins in parentheses as one.
fn factors(select: &Select) -> impl Iterator<Item = &sqlparser::ast::TableFactor> {
    select
        .from
        .iter()
        .flat_map(|item| std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation)))
}
