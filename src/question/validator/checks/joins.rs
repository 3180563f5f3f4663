//! Whether the tables of a SELECT are related, and by their keys.

use std::collections::HashSet;

use super::Determined;
use crate::question::{
    schema::{ColumnRef, ForeignKey, Schema},
    validator::{
        Code, Finding,
        names::quoted,
        scope::{Columns, Equality, Scope},
    },
};

/// Checks by which columns the tables of a SELECT at `level` are joined.
pub(in crate::question::validator) fn joins(schema: &Schema, scope: &Scope, level: usize) -> Vec<Finding> {
    let mut findings = vec![];
    let pairs: Vec<_> = scope
        .equalities
        .iter()
        .filter(|equality| equality.left.level == level && equality.right.level == level)
        .filter_map(|equality| Some((equality, origin(schema, scope, equality)?)))
        .collect();
    let sources = |equality: &Equality| {
        let (one, other) = (equality.left.source, equality.right.source);
        (one.min(other), one.max(other))
    };
    let by_key: HashSet<_> = pairs
        .iter()
        .filter(|(_, (one, other))| is_key(schema, *one, *other))
        .map(|(equality, _)| sources(equality))
        .collect();
    for (equality, (one, other)) in &pairs {
        if one != other && !by_key.contains(&sources(equality)) {
            findings.extend(off_the_key(schema, scope, equality, *one, *other));
        }
    }
    findings
}

/// The stored columns that a condition makes equal, if they are of two sources.
fn origin(schema: &Schema, scope: &Scope, equality: &Equality) -> Option<(ColumnRef, ColumnRef)> {
    let (left, right) = (equality.left, equality.right);
    let of = |place: crate::question::validator::scope::ScopedColumn| {
        scope.sources[place.source].value(schema, place).origin
    };
    (left.source != right.source).then_some(())?;
    of(left).zip(of(right))
}

/// A key leads from one to the other, or from both to a third.
pub(super) fn is_key(schema: &Schema, one: ColumnRef, other: ColumnRef) -> bool {
    let pairs = |key: &ForeignKey| -> Vec<(ColumnRef, ColumnRef)> {
        key.from.iter().copied().zip(key.to.iter().copied()).collect()
    };
    let targets = |column: ColumnRef| -> Vec<ColumnRef> {
        let pairs = schema.foreign_keys.iter().flat_map(pairs);
        pairs
            .filter(|(from, _)| *from == column)
            .map(|(_, to)| to)
            .chain([column])
            .collect()
    };
    let others = targets(other);
    targets(one).iter().any(|target| others.contains(target))
}

fn off_the_key(
    schema: &Schema,
    scope: &Scope,
    equality: &Equality,
    one: ColumnRef,
    other: ColumnRef,
) -> Option<Finding> {
    let names = |source: usize, column: ColumnRef| {
        format!(
            "{}.{}",
            quoted(&scope.sources[source].name, scope.dialect),
            quoted(&schema.column(column).name, scope.dialect)
        )
    };
    let condition = format!(
        "{} = {}",
        names(equality.left.source, one),
        names(equality.right.source, other)
    );
    let key = schema.foreign_keys.iter().find(|key| {
        let tables = key.from.first().zip(key.to.first());
        tables.is_some_and(|(from, to)| {
            (from.table, to.table) == (one.table, other.table)
                || (from.table, to.table) == (other.table, one.table)
        })
    });
    if let Some(key) = key {
        let (from, to) = if key.from.first()?.table == one.table {
            (equality.left.source, equality.right.source)
        } else {
            (equality.right.source, equality.left.source)
        };
        let columns = key.from.iter().zip(&key.to);
        let meant: Vec<_> = columns
            .map(|(one, other)| format!("{} = {}", names(from, *one), names(to, *other)))
            .collect();
        let finding = Finding::warning(
            Code::IncorrectForeignKey,
            equality.position,
            format!("{condition} is not the key between the two tables"),
        );
        return Some(finding.with_hint(format!("the key is {}", meant.join(" AND "))));
    }
    let in_key = |column: ColumnRef| {
        schema.tables[column.table].primary_key.contains(&column.column)
            || schema.column(column).unique
            || schema.foreign_keys.iter().any(|key| key.from.contains(&column))
    };
    let same_name = schema
        .column(one)
        .name
        .eq_ignore_ascii_case(&schema.column(other).name);
    // Both identify something, and not the same.
    let targets = |column: ColumnRef| {
        let own = schema.tables[column.table].primary_key == [column.column];
        own || schema.foreign_keys.iter().any(|key| key.from == [column])
    };
    if targets(one) && targets(other) && !same_name {
        let message = format!("{condition} joins the keys of different things");
        return Some(Finding::warning(
            Code::IncorrectForeignKey,
            equality.position,
            message,
        ));
    }
    if in_key(one) || in_key(other) || same_name {
        return None;
    }
    let message = format!("{condition} joins two columns that are no keys");
    Some(Finding::warning(
        Code::IncorrectForeignKey,
        equality.position,
        message,
    ))
}

/// Reports tables that no condition relates: every row of one would meet every row of the other.
pub(in crate::question::validator) fn unrelated(
    schema: &Schema,
    scope: &Scope,
    position: Option<usize>,
) -> Option<Finding> {
    if scope
        .sources
        .iter()
        .any(|source| matches!(source.columns, Columns::Unknown))
    {
        return None;
    }
    let fixed = Determined::by(schema, scope, std::iter::empty());
    let many: Vec<usize> = (0..scope.sources.len())
        .filter(|source| !fixed.is_one_row(*source))
        .collect();
    let mut group: Vec<usize> = (0..scope.sources.len()).collect();
    for related in &scope.related {
        let Some(first) = related.first().map(|source| group[*source]) else {
            continue;
        };
        for source in &related[1..] {
            let merged = group[*source];
            group
                .iter_mut()
                .filter(|group| **group == merged)
                .for_each(|group| *group = first);
        }
    }
    if let Some(unused) = unused(scope) {
        return Some(unused);
    }
    let first = *many.first()?;
    let apart = many
        .iter()
        .copied()
        .find(|source| group[*source] != group[first])?;
    let name = |source: usize| quoted(&scope.sources[source].name, scope.dialect);
    let message = format!("no condition relates {} and {}", name(first), name(apart));
    let position = scope.sources[apart].position.or(position);
    let finding = Finding::error(Code::JoinMissing, position, message);
    Some(match key_between(schema, scope, &group, first, apart) {
        Some(condition) => finding.with_hint(format!("add {condition}")),
        None => finding.with_hint("add a join condition, or write CROSS JOIN if all pairs are meant"),
    })
}

/// A subquery in FROM beside others that no condition and no other part of the SELECT reads.
fn unused(scope: &Scope) -> Option<Finding> {
    let unread = |at: usize| {
        let source = &scope.sources[at];
        source.table().is_none()
            && !scope.uses.iter().any(|used| used.place.source == at)
            && !scope.related.iter().any(|related| related.contains(&at))
    };
    let at = (0..scope.sources.len()).find(|at| scope.sources.len() > 1 && unread(*at))?;
    let source = &scope.sources[at];
    let message = format!(
        "nothing reads the subquery {}",
        quoted(&source.name, scope.dialect)
    );
    Some(if source.single_row {
        Finding::warning(Code::UnusedSubquery, source.position, message)
    } else {
        // Every row meets each of its rows.
        Finding::error(Code::UnusedSubquery, source.position, message)
    })
}

/// A key between the tables around `first` and those around `apart`, as a condition.
fn key_between(
    schema: &Schema,
    scope: &Scope,
    group: &[usize],
    first: usize,
    apart: usize,
) -> Option<String> {
    let of_group = |wanted: usize| {
        let sources = scope
            .sources
            .iter()
            .enumerate()
            .filter(move |(at, _)| group[*at] == group[wanted]);
        sources
            .filter_map(|(_, source)| Some((source, source.table()?)))
            .collect::<Vec<_>>()
    };
    let (left, right) = (of_group(first), of_group(apart));
    schema.foreign_keys.iter().find_map(|key| {
        let (from, to) = (key.from.first()?.table, key.to.first()?.table);
        let find = |sources: &[(&crate::question::validator::scope::FromSource, usize)], table: usize| {
            sources
                .iter()
                .find(|(_, of)| *of == table)
                .map(|(source, _)| quoted(&source.name, scope.dialect))
        };
        let (from, to) = find(&left, from)
            .zip(find(&right, to))
            .or_else(|| find(&right, from).zip(find(&left, to)))?;
        let columns = key.from.iter().zip(&key.to).map(|(one, other)| {
            let name = |column: &ColumnRef| quoted(&schema.column(*column).name, scope.dialect);
            format!("{from}.{} = {to}.{}", name(one), name(other))
        });
        Some(columns.collect::<Vec<_>>().join(" AND "))
    })
}
