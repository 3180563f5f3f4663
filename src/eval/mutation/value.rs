//! Literals where something should be looked up, and literals that are spelled otherwise than what is stored.

use sqlparser::ast::{BinaryOperator, Expr, Query, Value};

use super::{
    Mutator,
    clauses::{aggregates, binary, comparison},
    scope::{Scope, selected},
    spelling::{other_cases, other_forms, other_number},
    subject::{Subject, first_select, number_literal, text_literal, text_of},
};
use crate::question::{
    schema::words::text_words,
    validator::Code::{HardcodedValue, ValueFormatWrong},
};

pub(super) const MUTATORS: &[Mutator] = &[
    Mutator(HardcodedValue, "literal for a subquery", literal_for_subquery),
    Mutator(HardcodedValue, "key for a name", key_for_name),
    Mutator(ValueFormatWrong, "other letter case", |subject| {
        spelled(subject, other_cases)
    }),
    Mutator(ValueFormatWrong, "other form", |subject| {
        spelled(subject, other_forms)
    }),
    Mutator(ValueFormatWrong, "other number", |subject| {
        spelled(subject, number_of_words)
    }),
    Mutator(ValueFormatWrong, "wildcards left out", without_wildcards),
];

/// `airline` for `airlines`; the reverse only for plain words, since names have no plural.
fn number_of_words(text: &str) -> Vec<String> {
    let other = other_number(text);
    let plain = text
        .chars()
        .all(|character| character.is_lowercase() || character == ' ');
    let fits = plain || other.len() < text.len();
    fits.then_some(other).into_iter().collect()
}

/// What a model that does not look would guess for a subquery's result.
fn guesses(subject: &Subject<'_>, subquery: &Query) -> Option<Vec<Expr>> {
    let schema = subject.schema();
    let select = first_select(&subquery.body)?;
    let [item] = select.projection.as_slice() else {
        return None;
    };
    let expr = selected(item)?;
    if aggregates(expr) {
        return Some(vec![number_literal("10"), number_literal("100")]);
    }
    let scope = Scope::of(select, schema);
    let (_, at) = scope.column(expr, schema)?;
    let values: Vec<Expr> = subject
        .snapshot
        .values
        .first_of(at, 2)
        .iter()
        .map(|value| text_literal(value))
        .collect();
    Some(if values.is_empty() {
        vec![number_literal("1"), number_literal("2")]
    } else {
        values
    })
}

fn literal_for_subquery(subject: &Subject<'_>) -> Vec<String> {
    subject.exprs(|expr, _| match expr {
        Expr::Subquery(subquery) => guesses(subject, subquery)
            .and_then(|guesses| guesses.into_iter().next())
            .into_iter()
            .collect(),
        Expr::InSubquery {
            expr,
            subquery,
            negated,
        } => guesses(subject, subquery)
            .map(|list| Expr::InList {
                expr: expr.clone(),
                list,
                negated: *negated,
            })
            .into_iter()
            .collect(),
        _ => Vec::new(),
    })
}

/// `a.city_id = 1` for `city.name = 'Rome'`, where the tables are joined on the key.
fn key_for_name(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.exprs(|expr, scope| {
        let Some((column, BinaryOperator::Eq, literal)) = comparison(expr) else {
            return Vec::new();
        };
        let named = scope
            .column(column, schema)
            .filter(|_| text_of(literal).is_some());
        let Some((_, at)) = named else {
            return Vec::new();
        };
        let referring = scope.tables().find_map(|(source, table)| {
            let key = subject
                .snapshot
                .joins
                .keys_between(table, at.table)
                .first()
                .copied()?;
            let key = &schema.foreign_keys[key];
            let from = key.from.first().filter(|from| from.table == table)?;
            Some((source, schema.column(*from)))
        });
        match referring {
            Some((source, column)) if column.kind.is_numeric() => {
                vec![binary(
                    scope.natural(source, &column.name),
                    BinaryOperator::Eq,
                    number_literal("1"),
                )]
            }
            _ => Vec::new(),
        }
    })
}

/// Each stored literal in other spellings that are not stored.
fn spelled(subject: &Subject<'_>, other: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let schema = subject.schema();
    subject.exprs(|expr, scope| {
        let Some((column, op, literal)) = comparison(expr) else {
            return Vec::new();
        };
        let (Some(text), Some((_, at))) = (text_of(literal), scope.column(column, schema)) else {
            return Vec::new();
        };
        let stored = subject.snapshot.values.find(&text_words(text));
        let is_stored = |text: &str| stored.iter().any(|hit| hit.column == at && &*hit.stored == text);
        let words = schema.column(at).kind.is_wording();
        if words && !is_stored(text) {
            return Vec::new();
        }
        let others = other(text).into_iter().filter(|other| !is_stored(other));
        others
            .map(|other| binary(column.clone(), op.clone(), text_literal(&other)))
            .collect()
    })
}

fn without_wildcards(subject: &Subject<'_>) -> Vec<String> {
    subject.exprs(|expr, _| {
        let Expr::Like {
            negated: false,
            expr: column,
            pattern,
            ..
        } = expr
        else {
            return Vec::new();
        };
        let Some(bare) = text_of(pattern).map(|pattern| pattern.trim_matches('%')) else {
            return Vec::new();
        };
        let plain = Expr::value(Value::SingleQuotedString(bare.to_owned()));
        vec![binary((**column).clone(), BinaryOperator::Eq, plain)]
    })
}
