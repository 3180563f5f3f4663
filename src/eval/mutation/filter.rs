//! Conditions that are left out, on the wrong column, or between values of different types.

use sqlparser::ast::{BinaryOperator, Expr, Select};

use super::{
    Mutator,
    clauses::{all_of, binary, comparison, conjuncts, each_without, joined, parts},
    scope::Scope,
    subject::{Subject, number_literal, number_of, text_literal, text_of},
};
use crate::question::{
    schema::{Column, ColumnKind, ColumnRef},
    validator::Code::{ConditionTypeMismatch, ConditionWrongCol, WhereMissing},
};

pub(super) const MUTATORS: &[Mutator] = &[
    Mutator(WhereMissing, "condition left out", condition_left_out),
    Mutator(WhereMissing, "alternative left out", alternative_left_out),
    Mutator(WhereMissing, "HAVING left out", having_left_out),
    Mutator(WhereMissing, "another comparison", other_comparison),
    Mutator(ConditionWrongCol, "another column of the table", other_column),
    Mutator(ConditionWrongCol, "column of another table", other_table),
    Mutator(
        ConditionTypeMismatch,
        "text against a number's column",
        text_on_number,
    ),
    Mutator(ConditionTypeMismatch, "number for text", number_for_text),
    Mutator(ConditionTypeMismatch, "year for a date", year_for_date),
    Mutator(ConditionTypeMismatch, "number in quotes", quoted_number),
];

fn condition_left_out(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, _| {
        let conditions = select.selection.as_ref().map(conjuncts).unwrap_or_default();
        let plain = conditions
            .iter()
            .enumerate()
            .filter(|(_, condition)| !super::clauses::has_subquery(condition));
        let plain: Vec<usize> = plain.map(|(at, _)| at).collect();
        let rests = each_without(&conditions).into_iter().enumerate();
        rests
            .filter(|(at, _)| plain.contains(at))
            .map(|(_, rest)| Select {
                selection: all_of(rest),
                ..select.clone()
            })
            .collect()
    })
}

/// One side of an OR.
fn alternative_left_out(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, _| {
        let conditions = select.selection.as_ref().map(conjuncts).unwrap_or_default();
        let mut found = Vec::new();
        for (at, condition) in conditions.iter().enumerate() {
            let alternatives = parts(condition, &BinaryOperator::Or);
            if alternatives.len() < 2 {
                continue;
            }
            for rest in each_without(&alternatives) {
                let mut conditions = conditions.clone();
                conditions[at] = joined(rest, &BinaryOperator::Or).expect("one of several is left");
                found.push(Select {
                    selection: all_of(conditions),
                    ..select.clone()
                });
            }
        }
        found
    })
}

fn having_left_out(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, _| {
        let without = Select {
            having: None,
            ..select.clone()
        };
        select.having.is_some().then_some(without).into_iter().collect()
    })
}

/// `<` or `>=` for `>`, and so on.
fn other_comparison(subject: &Subject<'_>) -> Vec<String> {
    use BinaryOperator::{Gt, GtEq, Lt, LtEq};
    subject.exprs(|expr, _| {
        let Some((left, op, right)) = comparison(expr).filter(|(_, _, right)| number_of(right).is_some())
        else {
            return Vec::new();
        };
        let others = match op {
            Gt => [Lt, GtEq],
            GtEq => [LtEq, Gt],
            Lt => [Gt, LtEq],
            LtEq => [GtEq, Lt],
            _ => return Vec::new(),
        };
        others.map(|op| binary(left.clone(), op, right.clone())).to_vec()
    })
}

/// Each comparison of a column with a literal, changed.
fn literals(
    subject: &Subject<'_>,
    change: impl Fn(&Expr, &BinaryOperator, &Expr, &Scope) -> Vec<Expr>,
) -> Vec<String> {
    subject.exprs(|expr, scope| match expr {
        Expr::Like {
            negated,
            any,
            expr: column,
            pattern,
            escape_char,
        } => {
            let changed = change(column, &BinaryOperator::Eq, pattern, scope).into_iter();
            changed
                .filter_map(|changed| match changed {
                    Expr::BinaryOp { left, right, .. } if text_of(&right).is_some() => Some(Expr::Like {
                        negated: *negated,
                        any: *any,
                        expr: left,
                        pattern: right,
                        escape_char: escape_char.clone(),
                    }),
                    _ => None,
                })
                .collect()
        }
        _ => match comparison(expr) {
            Some((column, op, literal)) if is_literal(literal) => change(column, op, literal, scope),
            _ => Vec::new(),
        },
    })
}

fn is_literal(expr: &Expr) -> bool {
    text_of(expr).is_some() || number_of(expr).is_some()
}

/// True for a column that a literal of this form may be compared with.
fn takes(column: &Column, literal: &Expr) -> bool {
    if number_of(literal).is_some() {
        column.kind.is_numeric()
    } else {
        column.kind.is_wording()
    }
}

fn other_column(subject: &Subject<'_>) -> Vec<String> {
    literals(subject, |column, op, literal, scope| {
        let others = scope.siblings(column, subject.schema(), |other| takes(other, literal));
        others
            .into_iter()
            .map(|other| binary(other, op.clone(), literal.clone()))
            .collect()
    })
}

fn other_table(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    literals(subject, |column, op, literal, scope| {
        let Some((own, _)) = scope.column(column, schema) else {
            return Vec::new();
        };
        let others = scope.tables().filter(|(source, _)| *source != own);
        others
            .flat_map(|(source, table)| {
                let fitting = schema.tables[table]
                    .columns
                    .iter()
                    .filter(|other| takes(other, literal));
                fitting.map(move |other| scope.written(source, &other.name))
            })
            .map(|other| binary(other, op.clone(), literal.clone()))
            .collect()
    })
}

/// `country_id = 'France'`.
fn text_on_number(subject: &Subject<'_>) -> Vec<String> {
    literals(subject, |column, op, literal, scope| {
        if text_of(literal).is_none_or(|text| text.trim().parse::<f64>().is_ok()) {
            return Vec::new();
        }
        let schema = subject.schema();
        let Some((_, at)) = scope.column(column, schema) else {
            return Vec::new();
        };
        // Keys first: they are what people take for the name.
        let is_key = |other: &Column| {
            let position = schema.tables[at.table].column_named(&other.name);
            position.is_some_and(|column| is_key(subject, ColumnRef { column, ..at }))
        };
        let mut numbers = scope.siblings(column, schema, |other| other.kind.is_numeric() && is_key(other));
        if numbers.is_empty() {
            numbers = scope.siblings(column, schema, |other| other.kind.is_numeric());
        }
        numbers
            .into_iter()
            .map(|other| binary(other, op.clone(), literal.clone()))
            .collect()
    })
}

fn is_key(subject: &Subject<'_>, column: ColumnRef) -> bool {
    let schema = subject.schema();
    let refers = schema.foreign_keys.iter().any(|key| key.from.contains(&column));
    refers || schema.tables[column.table].primary_key.contains(&column.column)
}

/// `code = 7` for `code = '007'`, or a number compared with a column of words.
fn number_for_text(subject: &Subject<'_>) -> Vec<String> {
    literals(subject, |column, op, literal, scope| {
        if let Some(digits) = text_of(literal).filter(|text| text.parse::<u64>().is_ok()) {
            let plain = digits.trim_start_matches('0');
            let number = number_literal(if plain.is_empty() { "0" } else { plain });
            return vec![binary(column.clone(), op.clone(), number)];
        }
        if number_of(literal).is_none() {
            return Vec::new();
        }
        let words = scope.siblings(column, subject.schema(), |other| other.kind.is_wording());
        words
            .into_iter()
            .map(|other| binary(other, op.clone(), literal.clone()))
            .collect()
    })
}

/// `day > 2014` for `day > '2014-01-01'`.
fn year_for_date(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    literals(subject, |column, op, literal, scope| {
        let year = text_of(literal)
            .and_then(|text| text.get(..4))
            .filter(|year| year.parse::<u16>().is_ok());
        let stored = scope.column(column, schema).map(|(_, at)| schema.column(at).kind);
        match (year, stored) {
            (Some(year), Some(ColumnKind::Date | ColumnKind::Timestamp)) => {
                vec![binary(column.clone(), op.clone(), number_literal(year))]
            }
            _ => Vec::new(),
        }
    })
}

fn quoted_number(subject: &Subject<'_>) -> Vec<String> {
    literals(subject, |column, op, literal, _| {
        let quoted =
            number_of(literal).map(|number| binary(column.clone(), op.clone(), text_literal(number)));
        quoted.into_iter().collect()
    })
}
