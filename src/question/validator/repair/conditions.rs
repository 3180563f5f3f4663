//! Conditions of the question that a statement lacks, has on another column, or compares otherwise.

use sqlparser::ast::{BinaryOperator as Op, Expr};

use super::literals::as_named_at;
use super::{
    case::Case,
    edit::rewrite_comparisons,
    fragments::{add_condition, conjuncts, expression},
    grouping::has_group_by,
    ranking::table_column,
    sets::combined,
};
use crate::question::{
    embedded::intent::{Bound, Cue, Named},
    schema::{ColumnRef, ValueHit, literal},
};

/// Columns that a value or a number is tried on.
pub(super) const MAX_COLUMNS: usize = 4;

/// Adds what the question restricts and the statement does not.
pub(super) fn restrict(case: &Case<'_>) -> Vec<String> {
    let mut fixed = rebound(case);
    for position in case.invented() {
        fixed.extend(as_named_at(case, position));
    }
    fixed.extend(planned(case));
    let is_number = |named: &Named| {
        case.intent()
            .numbers
            .iter()
            .any(|number| number.text == named.text)
    };
    for named in &case.intent().values {
        if !is_said(case, named) && !is_number(named) {
            fixed.extend(by_value(case, named));
        }
    }
    fixed.extend(by_number(case));
    fixed
}

/// Conditions that the agents would write and that the statement lacks.
fn planned(case: &Case<'_>) -> Vec<String> {
    let pieces = case.pieces();
    let mut fixed = vec![];
    let lacks = |text: &&String| !has_literals_of(case, text);
    let filters: Vec<&String> = pieces.filters.iter().filter(lacks).collect();
    let having: Vec<&String> = pieces.having.iter().filter(lacks).collect();
    if filters.is_empty() && having.is_empty() {
        return fixed;
    }
    for at in case.selects() {
        let invented = case.invented();
        let add = |filters: &[&String], having: &[&String]| {
            case.with(at, |query, sources| {
                if let Some(condition) = case.part(query, at)?.selection.take() {
                    let stays = |part: &&Expr| {
                        let stands_in =
                            |position: &usize| super::edit::stands_in(part, case.parsed, *position);
                        !invented.iter().any(stands_in)
                    };
                    let kept = conjuncts(&condition).into_iter().filter(stays).cloned();
                    case.part(query, at)?.selection = super::fragments::conjunction(kept);
                }
                for text in filters {
                    let condition = case.adopted(query, at, sources, text)?;
                    let select = case.part(query, at)?;
                    if contradicts(select.selection.as_ref(), &condition) {
                        return None;
                    }
                    add_condition(&mut select.selection, condition);
                }
                for text in having {
                    let condition = case.adopted(query, at, sources, text)?;
                    let select = case.part(query, at)?;
                    if !has_group_by(select) {
                        let plain = super::grouping::plain_items(select, case.dialect())?;
                        select.group_by = sqlparser::ast::GroupByExpr::Expressions(plain, vec![]);
                    }
                    add_condition(&mut select.having, condition);
                }
                Some(())
            })
        };
        fixed.extend(add(&filters, &having));
        if filters.len() + having.len() > 1 {
            fixed.extend(filters.iter().filter_map(|filter| add(&[filter], &[])));
            fixed.extend(having.iter().filter_map(|having| add(&[], &[having])));
        }
    }
    fixed
}

/// True where a condition asks a column for another value than one that is there.
fn contradicts(there: Option<&Expr>, condition: &Expr) -> bool {
    let equal = |expr: &Expr| match expr {
        Expr::BinaryOp {
            left,
            op: Op::Eq,
            right,
        } => Some((left.to_string().to_lowercase(), right.to_string())),
        _ => None,
    };
    let Some((column, value)) = equal(condition) else {
        return false;
    };
    let mut known = there.into_iter().flat_map(conjuncts).filter_map(equal);
    known.any(|(other, known)| other == column && known != value)
}

/// True if the statement has all literals of a piece of SQL; false of one that has none.
fn has_literals_of(case: &Case<'_>, text: &str) -> bool {
    let Some(expr) = expression(text, case.dialect()) else {
        return true;
    };
    let literals = super::edit::literals(&expr);
    if literals.is_empty() {
        return case.says(text);
    }
    let bare = |literal: &String| literal.trim_matches(['\'', '%']).to_lowercase();
    literals.iter().all(|literal| case.says(&bare(literal)))
}

/// True if some literal of the statement may be the value.
pub(super) fn is_said(case: &Case<'_>, named: &Named) -> bool {
    case.says(&named.text)
        || named
            .hits
            .iter()
            .any(|hit| case.says(&hit.stored.replace('\'', "''")))
}

/// A condition with a value that the question names.
fn by_value(case: &Case<'_>, named: &Named) -> Vec<String> {
    let mut fixed = vec![];
    for (column, stored) in places_of(case, named) {
        for at in case.selects() {
            let text = format!("{} = {}", table_column(case, column), literal(&stored));
            let Some(select) = case.select(at) else { continue };
            let Some(sources) = case.sources(at) else { continue };
            let rival = select
                .selection
                .iter()
                .flat_map(conjuncts)
                .find(|part| match part {
                    Expr::BinaryOp {
                        left,
                        op: Op::Eq,
                        right,
                    } => {
                        sources.column(left).map(|(_, column)| column) == Some(column)
                            && matches!(right.as_ref(), Expr::Value(_))
                    }
                    _ => false,
                });
            match rival {
                Some(rival) => fixed.extend(beside_rival(case, at, rival, &stored)),
                None => fixed.extend(case.with(at, |query, sources| {
                    let mut condition = case.adopted(query, at, sources, &text)?;
                    let excluded = case.intent().has(Cue::Not) && !case.says(" not ") && !case.says("<>");
                    if excluded && let Expr::BinaryOp { op, .. } = &mut condition {
                        *op = Op::NotEq;
                    }
                    add_condition(&mut case.part(query, at)?.selection, condition);
                    Some(())
                })),
            }
        }
    }
    fixed
}

/// The same column is compared with another value already.
fn beside_rival(case: &Case<'_>, at: usize, rival: &Expr, stored: &str) -> Vec<String> {
    let Expr::BinaryOp { left, op, .. } = rival else {
        return vec![];
    };
    let Some(value) = expression(&literal(stored), case.dialect()) else {
        return vec![];
    };
    if matches!(rival, Expr::BinaryOp { right, .. } if **right == value) {
        return vec![];
    }
    let other = Expr::BinaryOp {
        left: left.clone(),
        op: op.clone(),
        right: Box::new(value),
    };
    let either = || {
        case.with(at, |query, _| {
            let select = case.part(query, at)?;
            let parts: Vec<Expr> = conjuncts(select.selection.as_ref()?)
                .into_iter()
                .map(|part| {
                    if part == rival {
                        Expr::Nested(Box::new(Expr::BinaryOp {
                            left: Box::new(part.clone()),
                            op: Op::Or,
                            right: Box::new(other.clone()),
                        }))
                    } else {
                        part.clone()
                    }
                })
                .collect();
            select.selection = super::fragments::conjunction(parts);
            Some(())
        })
    };
    let intent = case.intent();
    let set = |operator| combined(case, at, rival, &other, operator);
    let all = [
        (
            intent.has(Cue::Not) || intent.has(Cue::Without),
            set(sqlparser::ast::SetOperator::Except),
        ),
        (intent.has(Cue::Both), set(sqlparser::ast::SetOperator::Intersect)),
        (
            intent.has(Cue::Or) || intent.has(Cue::Either) || !intent.has(Cue::And),
            either(),
        ),
        (intent.has(Cue::And), set(sqlparser::ast::SetOperator::Intersect)),
        (true, either()),
    ];
    let fitting = all.into_iter().filter(|(fits, _)| *fits);
    fitting.filter_map(|(_, text)| text).take(2).collect()
}

/// Where a value may be looked for, the likeliest first.
pub(super) fn places_of(case: &Case<'_>, named: &Named) -> Vec<(ColumnRef, String)> {
    let mut hits: Vec<&ValueHit> = named.hits.iter().collect();
    hits.sort_by_key(|hit| {
        (
            named.column != Some(hit.column),
            !named.beside.contains(&hit.column),
            case.distance(hit.column.table),
            !case.names(hit.column),
            hit.column,
        )
    });
    let mut places: Vec<(ColumnRef, String)> = hits
        .into_iter()
        .filter(|hit| case.distance(hit.column.table) <= 2)
        .map(|hit| (hit.column, hit.stored.to_string()))
        .collect();
    places.dedup_by_key(|(column, _)| *column);
    if places.is_empty() && named.quoted {
        let beside = named.column.into_iter().chain(named.beside.iter().copied());
        places.extend(beside.map(|column| (column, named.text.clone())));
    }
    places.truncate(MAX_COLUMNS);
    places
}

/// A comparison with a number that the question has and the statement has not.
fn by_number(case: &Case<'_>) -> Vec<String> {
    let mut fixed = vec![];
    let numbers: Vec<_> = case
        .intent()
        .numbers
        .iter()
        .filter(|number| !number.inside && !says_number(case, number.value))
        .collect();
    for (at_number, number) in numbers.iter().enumerate() {
        let operator = operator_of(number.bound);
        let next = numbers.get(at_number + 1);
        let value = match (number.bound, next) {
            (Some(Bound::Between), Some(high)) => format!("{} AND {}", number.value, high.value),
            _ => number.value.to_string(),
        };
        for at in case.mains() {
            let (Some(select), Some(sources)) = (case.select(at), case.sources(at)) else {
                continue;
            };
            let mut columns: Vec<ColumnRef> = case.named();
            columns.retain(|column| case.is_measure(*column) && case.distance(column.table) <= 1);
            for column in case.columns_of(&sources) {
                if case.is_measure(column)
                    && !columns.contains(&column)
                    && case.intent().names_column(column) > 0.0
                {
                    columns.push(column);
                }
            }
            columns.truncate(MAX_COLUMNS);
            if has_group_by(&select) && select.having.is_none() {
                let condition = expression(&format!("COUNT(*) {operator} {value}"), case.dialect());
                fixed.extend(case.with(at, |query, _| {
                    case.part(query, at)?.having = condition;
                    Some(())
                }));
            }
            for column in columns {
                let kind = case.schema().column(column).kind;
                let value = if kind.is_temporal() {
                    literal(&value)
                } else {
                    value.clone()
                };
                let text = format!("{} {operator} {value}", table_column(case, column));
                fixed.extend(case.with(at, |query, sources| {
                    let condition = case.adopted(query, at, sources, &text)?;
                    add_condition(&mut case.part(query, at)?.selection, condition);
                    Some(())
                }));
            }
        }
    }
    fixed
}

fn says_number(case: &Case<'_>, value: f64) -> bool {
    let numbers = case
        .parsed
        .text
        .split(|character: char| !character.is_ascii_digit() && character != '.');
    let mut known = numbers.filter_map(|number| number.parse::<f64>().ok());
    known.any(|known| (known - value).abs() < 1e-9)
}

fn operator_of(bound: Option<Bound>) -> &'static str {
    match bound {
        Some(Bound::Above) => ">",
        Some(Bound::AtLeast) => ">=",
        Some(Bound::Below) => "<",
        Some(Bound::AtMost) => "<=",
        Some(Bound::Between) => "BETWEEN",
        Some(Bound::Equal) | None => "=",
    }
}

/// `more than 5` against `< 5`: the operator that the question's words ask for.
fn rebound(case: &Case<'_>) -> Vec<String> {
    let mut fixed = vec![];
    for number in case.intent().numbers.iter().filter(|number| !number.inside) {
        let wanted = match number.bound {
            Some(Bound::Above) => Op::Gt,
            Some(Bound::AtLeast) => Op::GtEq,
            Some(Bound::Below) => Op::Lt,
            Some(Bound::AtMost) => Op::LtEq,
            Some(Bound::Equal) => Op::Eq,
            _ => continue,
        };
        // Where several bounds are said, which one is meant is less sure.
        let bounds = case
            .intent()
            .numbers
            .iter()
            .filter(|number| number.bound.is_some());
        if bounds.count() > 1 {
            continue;
        }
        fixed.extend(rewrite_comparisons(case.parsed, &mut |left, op, right| {
            let compares = matches!(op, Op::Gt | Op::GtEq | Op::Lt | Op::LtEq | Op::Eq) && *op != wanted;
            let is_number = right.to_string().trim_matches('\'').parse::<f64>() == Ok(number.value);
            (compares && is_number && !matches!(left, Expr::Value(_))).then(|| Expr::BinaryOp {
                left: Box::new(left.clone()),
                op: wanted.clone(),
                right: Box::new(right.clone()),
            })
        }));
    }
    fixed
}
