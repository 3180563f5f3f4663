//! Literals that their column does not hold: on the column that does, as the question names them, in another form.

use sqlparser::ast::{BinaryOperator as Op, Expr, Value};

use super::conditions::{MAX_COLUMNS, is_said, places_of};
use super::{
    case::Case,
    edit::{replace_at, rewrite_comparisons},
    fragments::{add_condition, aggregates, conjuncts, expression},
    ranking::table_column,
    selects::{all_selects, select_of},
    sources::Sources,
};
use crate::question::{
    embedded::intent::Named,
    schema::{ColumnRef, Dialect, literal, words},
    validator::{Asked, parse::Parsed, resolve::LocatedFinding},
};

/// What less than this of a name is in the question, the question does not name.
const UNNAMED: f32 = 0.3;

/// A condition on a column that does not hold the value: on the one that does.
pub(super) fn on_other_column(case: &Case<'_>) -> Vec<String> {
    let Some(position) = case.found.finding.position else {
        return vec![];
    };
    let Some(at) = case.at() else { return vec![] };
    let Some((select, sources)) = case.select(at).zip(case.sources(at)) else {
        return vec![];
    };
    let tests = super::edit::comparisons_at(&select, case.parsed, position);
    let Some((left, right)) = tests.first() else {
        return vec![];
    };
    let Some((_, old)) = sources.column(left) else {
        return vec![];
    };
    let text = match right {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    let mut columns: Vec<(ColumnRef, Option<String>)> = vec![];
    if let Some(text) = &text {
        let mut hits = case.snapshot.values.find(&words::text_words(text));
        hits.retain(|hit| case.distance(hit.column.table) <= 1 && hit.column != old);
        hits.sort_by_key(|hit| {
            (
                case.distance(hit.column.table),
                !case.names(hit.column),
                *hit.stored != **text,
                hit.column.table != old.table,
                hit.column,
            )
        });
        columns.extend(
            hits.into_iter()
                .map(|hit| (hit.column, Some(hit.stored.to_string()))),
        );
    }
    let kind = case.schema().column(old).kind;
    let fits = |column: &ColumnRef| case.schema().column(*column).kind.is_numeric() == kind.is_numeric();
    let unread = case
        .unread()
        .into_iter()
        .filter(fits)
        .filter(|column| *column != old && case.distance(column.table) == 0);
    // What the question names as well may be what it means.
    let itself = left == right;
    if columns.is_empty() && !itself && case.intent().names_column(old) < UNNAMED {
        columns.extend(unread.map(|column| (column, None)));
    }
    columns.dedup();
    columns.truncate(MAX_COLUMNS);
    let moved = columns.into_iter().filter_map(|(column, stored)| {
        case.with(at, |query, sources| {
            let new = case.column(query, at, sources, column)?;
            let (left, right) = (left.to_string(), right.to_string());
            let mut changed = false;
            let select = case.part(query, at)?;
            super::edit::each_comparison(select, &mut |one, other| {
                if one.to_string() == left && other.to_string() == right && !changed {
                    changed = true;
                    *one = new.clone();
                    if let Some(stored) = &stored
                        && let Some(value) = expression(&literal(stored), case.dialect())
                        && matches!(other, Expr::Value(_))
                    {
                        *other = value;
                    }
                }
            });
            changed.then_some(())
        })
    });
    moved.collect()
}

/// A literal that the question does not have: the value that it names, in the same column or behind a key.
pub(super) fn as_named(case: &Case<'_>) -> Vec<String> {
    let position = case.found.finding.position;
    position.map_or_else(Vec::new, |position| as_named_at(case, position))
}

pub(super) fn as_named_at(case: &Case<'_>, position: usize) -> Vec<String> {
    let unsaid: Vec<&Named> = case
        .intent()
        .values
        .iter()
        .filter(|named| !is_said(case, named))
        .collect();
    let mut fixed = vec![];
    for named in unsaid {
        for (column, stored) in places_of(case, named) {
            let Some(value) = expression(&literal(&stored), case.dialect()) else {
                continue;
            };
            let Some(at) = super::selects::select_around(case.parsed, case.dialect(), Some(position)) else {
                continue;
            };
            if compares_with(case, at, position) == Some(column) {
                fixed.extend(replace_at(case.parsed, position, &value));
            }
            let text = format!("{} = {}", table_column(case, column), literal(&stored));
            fixed.extend(case.with(at, |query, sources| {
                let condition = case.adopted(query, at, sources, &text)?;
                let select = case.part(query, at)?;
                let parts: Vec<Expr> = conjuncts(select.selection.as_ref()?)
                    .into_iter()
                    .filter(|part| !super::edit::stands_in(part, case.parsed, position))
                    .cloned()
                    .collect();
                select.selection = super::fragments::conjunction(parts);
                add_condition(&mut select.selection, condition);
                Some(())
            }));
        }
    }
    fixed
}

/// The column that the literal at a character is compared with.
fn compares_with(case: &Case<'_>, at: usize, position: usize) -> Option<ColumnRef> {
    let (select, sources) = case.select(at).zip(case.sources(at))?;
    let mut column = None;
    super::walk::read_exprs(&select, &mut |expr, _| {
        if let Expr::BinaryOp { left, right, .. } = expr
            && super::edit::stands_in(right, case.parsed, position)
            && let Some((_, compared)) = sources.column(left)
        {
            column = Some(compared);
        }
        std::ops::ControlFlow::Continue(())
    });
    column
}

/// `= '%text%'` as LIKE.
pub(super) fn as_pattern(case: &Case<'_>) -> Vec<String> {
    let dialect = case.dialect();
    let like = rewrite_comparisons(case.parsed, &mut |left, op, right| {
        let text = right.to_string();
        let pattern = text.starts_with("'%") || text.ends_with("%'");
        let like = match op {
            Op::Eq => "LIKE",
            Op::NotEq => "NOT LIKE",
            _ => return None,
        };
        pattern
            .then(|| expression(&format!("{left} {like} {text}"), dialect))
            .flatten()
    });
    like.into_iter().collect()
}

/// A year against a date, where the year begins or ends what is meant: behind the year is not behind its first day.
pub(super) fn as_year(_: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let snapshot = asked.snapshot;
    let dialect = snapshot.dialect;
    let years = all_selects(parsed).into_iter().filter_map(|at| {
        let sources = Sources::of(&select_of(parsed, at)?, parsed, snapshot);
        rewrite_comparisons(parsed, &mut |left, op, right| {
            let (_, column) = sources.column(left)?;
            let year = right.to_string();
            let year = year.trim_matches('\'');
            let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
            let dated = snapshot.schema.column(column).kind.is_temporal();
            let is_sure = matches!(op, Op::Eq | Op::NotEq | Op::GtEq | Op::Lt);
            if !dated || !is_year || !is_sure || aggregates(left, dialect) {
                return None;
            }
            let template = match dialect {
                Dialect::Sqlite => format!("strftime('%Y', {left}) {op} '{year}'"),
                Dialect::Postgres => format!("EXTRACT(YEAR FROM {left}) {op} {year}"),
            };
            expression(&template, dialect)
        })
    });
    years.collect()
}
