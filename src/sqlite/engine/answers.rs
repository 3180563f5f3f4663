//! Answers within a client's statement. They are SQLite's own SQL: the translator gets a relation with their columns in
//! the place of each, and writes them where it stands.

use std::{fmt::Write as _, ops::Range, sync::Arc};

use rusqlite::Connection;

use super::{described, infer::Inferred, types};
use crate::{
    backend::{ResultColumn, Value},
    question::validator::{ValidatedSql, result_names},
    sqlite::translate::NamedColumn,
    statement::sqlite_lexer::quote as quoted,
};

/// Which of a statement's text was generated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Generated {
    /// None of it.
    #[default]
    Nothing,
    /// All of it.
    All,
    /// What stands in these places, in bytes and in their order; each is a whole query.
    Parts(Vec<Range<usize>>),
}

/// A client's statement with answers written into it.
#[derive(Debug, Clone)]
pub struct EnclosingStatement<'a> {
    /// The whole text.
    pub text: &'a str,
    /// Which of it was generated.
    pub generated: Generated,
    /// The answers in it.
    pub answers: &'a Arc<[ValidatedSql]>,
}

/// A statement in which names stand for the answers.
pub(super) struct Hidden<'s> {
    original: &'s str,
    /// The statement with names.
    pub(super) text: String,
    answers: Vec<Answer<'s>>,
}

struct Answer<'s> {
    name: String,
    sql: &'s str,
    /// Where it stands in the original.
    place: Range<usize>,
    columns: Vec<NamedColumn>,
}

impl<'s> Hidden<'s> {
    /// `None` where an answer cannot be told by its columns. `infer` tells the types of a query's columns.
    pub(super) fn of(
        original: &'s str,
        places: &[Range<usize>],
        connection: &Connection,
        infer: impl Fn(&str) -> std::sync::Arc<Inferred>,
    ) -> rusqlite::Result<Option<Self>> {
        let (mut text, mut answers, mut from) = (String::new(), vec![], 0);
        for (number, place) in places.iter().enumerate() {
            let (Some(before), Some(sql)) = (original.get(from..place.start), original.get(place.clone()))
            else {
                return Ok(None);
            };
            let Some(columns) = columns(connection, sql, &infer(sql))? else {
                return Ok(None);
            };
            let name = format!("nl answer {number}");
            text.push_str(before);
            let _ = write!(text, "SELECT * FROM \"{name}\"");
            from = place.end;
            answers.push(Answer {
                name,
                sql,
                place: place.clone(),
                columns,
            });
        }
        text.push_str(&original[from..]);
        Ok(Some(Self {
            original,
            text,
            answers,
        }))
    }

    /// The columns of the answer of that name.
    pub(super) fn relation(&self, name: &str) -> Option<Vec<NamedColumn>> {
        let answer = self.answers.iter().find(|answer| answer.name == name)?;
        Some(answer.columns.clone())
    }

    /// The query of the answer of that name, with its columns by their names.
    pub(super) fn query(&self, name: &str) -> Option<String> {
        let answer = self.answers.iter().find(|answer| answer.name == name)?;
        let columns: Vec<String> = answer.columns.iter().map(|column| quoted(&column.name)).collect();
        let name = quoted(name);
        Some(format!(
            "WITH {name}({}) AS ({}\n) SELECT * FROM {name}",
            columns.join(", "),
            answer.sql
        ))
    }

    /// The position in the original of one in `text`; both in characters from 1.
    pub(super) fn original_position(&self, position: usize) -> usize {
        let mut place = byte(&self.text, position - 1);
        // The texts in front of `place`, in both.
        let (mut grown, mut shrunk) = (0, 0);
        for answer in &self.answers {
            let at = answer.place.start - grown + shrunk;
            let length = "SELECT * FROM \"\"".len() + answer.name.len();
            if place < at {
                break;
            }
            if place < at + length {
                place = at;
                break;
            }
            grown += answer.place.len();
            shrunk += length;
        }
        let place = (place + grown - shrunk).min(self.original.len());
        self.original
            .get(..place)
            .map_or(position, |before| before.chars().count() + 1)
    }
}

fn byte(text: &str, character: usize) -> usize {
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(byte, _)| byte)
}

/// Calls the columns of an answer as PostgreSQL calls them.
pub(super) fn name(sql: &str, columns: &mut [ResultColumn]) {
    let given = columns.iter().map(|column| column.name.clone()).collect();
    for (column, name) in columns.iter_mut().zip(result_names(sql, given)) {
        column.name = name;
    }
}

/// Numbers as SQLite itself shows them, in 15 digits: decimals are added up as floating point, and what a sum of prices has
/// behind them is no money.
pub(super) fn round(row: &mut [Value]) {
    for value in row {
        if let Value::Real(number) = value
            && let Ok(rounded) = format!("{number:.14e}").parse::<f64>()
            && rounded.is_finite()
        {
            *number = rounded;
        }
    }
}

/// The columns of a query; `None` where two have one name, or it is none.
fn columns(
    connection: &Connection,
    sql: &str,
    inferred: &Inferred,
) -> rusqlite::Result<Option<Vec<NamedColumn>>> {
    let statement = connection.prepare(sql)?;
    let described = described::columns(connection, &statement, sql);
    let told = types::of_statement(&described, inferred);
    let given: Vec<String> = described.into_iter().map(|described| described.name).collect();
    let called = result_names(sql, given.clone());
    // Two counts have one name, but not one text.
    let called = if repeats(&called) { given } else { called };
    let columns: Vec<NamedColumn> = called
        .into_iter()
        .zip(told)
        .map(|(name, ty)| NamedColumn {
            name,
            declared: ty.map_or_else(String::new, |ty| ty.name().to_owned()),
            ..NamedColumn::default()
        })
        .collect();
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    Ok((!repeats(&names) && !columns.is_empty()).then_some(columns))
}

fn repeats(names: &[String]) -> bool {
    let earlier =
        |(at, name): (usize, &String)| names[..at].iter().any(|other| other.eq_ignore_ascii_case(name));
    names.iter().enumerate().any(earlier)
}
