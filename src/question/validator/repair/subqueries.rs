//! Subqueries that nothing reads, that do not fit where they stand, or that are lacking.

use sqlparser::ast::{BinaryOperator as Op, Expr, SelectItem, SetExpr, TableFactor};

use super::{
    case::Case,
    edit::each_subquery,
    fragments::{add_condition, expression},
    ranking::table_column,
    selects::with_query,
    sets::inner_select,
    sources::Sources,
};
use crate::question::{
    embedded::intent::Cue,
    schema::{ColumnRef, Snapshot},
    validator::{Asked, names::meant, parse::Parsed, resolve::LocatedFinding},
};

/// Without the common table expression or the subquery in FROM that nothing reads.
pub(super) fn unread(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let mut fixed = vec![];
    let mut query = parsed.query.clone();
    let mut dropped = false;
    if let Some(with) = &mut query.with {
        with.cte_tables.retain(|table| {
            let here = parsed.lines.position(table.alias.name.span.start) == found.finding.position;
            let named = found
                .finding
                .message
                .contains(&format!("subquery {}", table.alias.name));
            let keep = !(here && named);
            dropped |= !keep;
            keep
        });
        if with.cte_tables.is_empty() {
            query.with = None;
        }
    }
    if dropped {
        fixed.push(query.to_string());
    }
    for at in super::selects::all_selects(parsed) {
        fixed.extend(with_query(parsed, at, |query| {
            let SetExpr::Select(select) = query.body.as_mut() else {
                return None;
            };
            let text = |select: &sqlparser::ast::Select| select.to_string().to_lowercase();
            let whole = text(select);
            let idle = |factor: &TableFactor| match factor {
                TableFactor::Derived {
                    alias: Some(alias), ..
                } => {
                    let called = meant(&alias.name, dialect).to_lowercase();
                    !whole.contains(&format!("{called}."))
                }
                TableFactor::Derived { alias: None, .. } => true,
                _ => false,
            };
            let before = select.from.len() + select.from.iter().map(|item| item.joins.len()).sum::<usize>();
            select
                .from
                .retain(|item| !(item.joins.is_empty() && idle(&item.relation)));
            for item in &mut select.from {
                item.joins.retain(|join| !idle(&join.relation));
            }
            let after = select.from.len() + select.from.iter().map(|item| item.joins.len()).sum::<usize>();
            (after < before && !select.from.is_empty()).then_some(())
        }));
    }
    fixed
}

/// A subquery made to fit: IN for `=`, one column, the column that a key relates, a condition that ties it.
pub(super) fn fit(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let snapshot = asked.snapshot;
    let at = super::selects::select_around(parsed, snapshot.dialect, found.finding.position);
    let outer = at.and_then(|at| super::selects::select_of(parsed, at));
    let mut fixed = vec![];
    // One column alone, each in turn.
    for item in 0..3 {
        fixed.extend(each_subquery(parsed, &|expr| {
            let Some(select) = inner_select(expr) else {
                return false;
            };
            if select.projection.len() < 2 || item >= select.projection.len() {
                return false;
            }
            select.projection = vec![select.projection[item].clone()];
            true
        }));
    }
    // Several rows are looked through with IN.
    fixed.extend(each_subquery(parsed, &|expr| {
        let Expr::BinaryOp { left, op, right } = expr else {
            return false;
        };
        let negated = match op {
            Op::Eq => false,
            Op::NotEq => true,
            _ => return false,
        };
        let (tested, query) = match (left.as_ref(), right.as_ref()) {
            (tested, Expr::Subquery(query)) | (Expr::Subquery(query), tested) => {
                (tested.clone(), query.clone())
            }
            _ => return false,
        };
        *expr = Expr::InSubquery {
            expr: Box::new(tested),
            subquery: query,
            negated,
        };
        true
    }));
    if let Some(outer) = outer {
        let around = all_sources(parsed, snapshot);
        let sources = Sources::of(&outer, parsed, snapshot);
        fixed.extend(by_key(parsed, &around, snapshot));
        fixed.extend(tied(parsed, &sources, &around, snapshot));
    }
    fixed
}

/// What every SELECT reads.
fn all_sources<'a>(parsed: &Parsed, snapshot: &'a Snapshot) -> Vec<Sources<'a>> {
    super::selects::all_selects(parsed)
        .into_iter()
        .filter_map(|at| super::selects::select_of(parsed, at))
        .map(|select| Sources::of(&select, parsed, snapshot))
        .collect()
}

/// Columns that one is related to by a key, itself where it is of another table.
fn related(snapshot: &Snapshot, column: ColumnRef) -> Vec<ColumnRef> {
    let mut related = vec![];
    for key in &snapshot.schema.foreign_keys {
        for (from, to) in key.from.iter().zip(&key.to) {
            if *from == column {
                related.push(*to);
            }
            if *to == column {
                related.push(*from);
            }
        }
    }
    // Two that lead to a third.
    for third in related.clone() {
        for key in &snapshot.schema.foreign_keys {
            for (from, to) in key.from.iter().zip(&key.to) {
                if *to == third && *from != column {
                    related.push(*from);
                }
            }
        }
    }
    related
}

/// The subquery's column, or the one that is compared with it, by a key.
fn by_key(parsed: &Parsed, around: &[Sources<'_>], snapshot: &Snapshot) -> Vec<String> {
    let dialect = snapshot.dialect;
    let outer_column = |expr: &Expr| {
        around
            .iter()
            .find_map(|sources| sources.column(expr))
            .map(|(_, column)| column)
    };
    let mut fixed = each_subquery(parsed, &|expr| {
        let tested = match expr {
            Expr::InSubquery { expr, .. } => expr.as_ref().clone(),
            Expr::BinaryOp { left, right, .. } if matches!(right.as_ref(), Expr::Subquery(_)) => {
                left.as_ref().clone()
            }
            _ => return false,
        };
        let Some(outer) = outer_column(&tested) else {
            return false;
        };
        let Some(select) = inner_select(expr) else {
            return false;
        };
        let sources = Sources::of(select, parsed, snapshot);
        let mut fitting = related(snapshot, outer).into_iter().chain([outer]);
        let Some(written) = fitting.find_map(|column| sources.named(column)) else {
            return false;
        };
        let [item] = select.projection.as_mut_slice() else {
            return false;
        };
        let Some(new) = expression(&written, dialect) else {
            return false;
        };
        let changed = super::shown::item_expr(item) != Some(&new);
        *item = SelectItem::UnnamedExpr(new);
        changed
    });
    fixed.extend(each_subquery(parsed, &|expr| {
        let Some(select) = inner_select(expr) else {
            return false;
        };
        let sources = Sources::of(select, parsed, snapshot);
        let [item] = select.projection.as_slice() else {
            return false;
        };
        let Some((_, shown)) = super::shown::item_expr(item).and_then(|item| sources.column(item)) else {
            return false;
        };
        let Expr::InSubquery { expr: tested, .. } = expr else {
            return false;
        };
        let own = around.iter().find(|sources| sources.column(tested).is_some());
        let Some(own) = own else { return false };
        let mut fitting = related(snapshot, shown).into_iter().chain([shown]);
        let new = fitting.find_map(|column| own.named(column));
        let Some(new) = new.and_then(|text| expression(&text, dialect)) else {
            return false;
        };
        let changed = **tested != new;
        **tested = new;
        changed
    }));
    fixed
}

/// EXISTS with a condition that ties its rows to the row around it.
fn tied(parsed: &Parsed, outer: &Sources<'_>, around: &[Sources<'_>], snapshot: &Snapshot) -> Vec<String> {
    let mut fixed = vec![];
    for sources in around.iter().chain([outer]) {
        fixed.extend(each_subquery(parsed, &|expr| {
            if !matches!(expr, Expr::Exists { .. }) {
                return false;
            }
            let Some(select) = inner_select(expr) else {
                return false;
            };
            let own = Sources::of(select, parsed, snapshot);
            let keys = snapshot.schema.foreign_keys.iter();
            let tie = keys.filter_map(|key| {
                let ([from], [to]) = (key.from.as_slice(), key.to.as_slice()) else {
                    return None;
                };
                let qualified = |of: &Sources<'_>, column: &ColumnRef| {
                    let source = of.only(column.table)?;
                    Some(format!("{}.{}", of.quoted(&source.name), of.column_text(*column)))
                };
                let there = |of: &Sources<'_>, column: &ColumnRef| {
                    qualified(of, column).filter(|text| qualified(&own, column).as_ref() != Some(text))
                };
                let one = qualified(&own, from).zip(there(sources, to));
                one.or_else(|| qualified(&own, to).zip(there(sources, from)))
            });
            let mut tie = tie;
            let Some((inside, outside)) = tie.next() else {
                return false;
            };
            let Some(condition) = expression(&format!("{inside} = {outside}"), snapshot.dialect) else {
                return false;
            };
            add_condition(&mut select.selection, condition);
            true
        }));
    }
    fixed
}

/// A comparison with an average over all rows, where the question speaks of one.
pub(super) fn lacking(case: &Case<'_>) -> Vec<String> {
    let mut fixed = super::conditions::restrict(case);
    if !case.intent().has(Cue::ThanAverage) && !case.intent().has(Cue::Average) {
        return fixed;
    }
    let below = case.intent().says(&[
        "below", "less", "lower", "smaller", "fewer", "under", "younger", "shorter",
    ]);
    let op = if below { "<" } else { ">" };
    for at in case.mains() {
        let Some(sources) = case.sources(at) else { continue };
        let mut columns = case.named();
        columns.retain(|column| case.is_measure(*column));
        let own = case.columns_of(&sources).into_iter();
        columns.extend(own.filter(|column| case.is_measure(*column) && case.names(*column)));
        columns.dedup();
        for column in columns.into_iter().take(3) {
            let average = format!(
                "(SELECT AVG({}) FROM {})",
                sources.column_text(column),
                sources.table_text(column.table)
            );
            let text = table_column(case, column);
            fixed.extend(case.with(at, |query, sources| {
                let column = case.adopted(query, at, sources, &text)?;
                let condition = expression(&format!("{column} {op} {average}"), case.dialect())?;
                add_condition(&mut case.part(query, at)?.selection, condition);
                Some(())
            }));
        }
    }
    fixed
}
