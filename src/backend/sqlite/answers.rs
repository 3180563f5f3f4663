//! Answers within a client's statement. They are SQLite's own SQL: the translator gets a relation with their columns in
//! the place of each, and they come back into what it wrote.

use std::{fmt::Write as _, ops::Range};

use rusqlite::Connection;

use super::{described, infer::Inferred, types};
use crate::translate::NamedColumn;

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

    /// The translation with the answers in it.
    pub(super) fn restored(&self, translated: &str) -> String {
        let mut sql = translated.to_owned();
        for answer in &self.answers {
            let name = format!("\"{}\"", answer.name);
            let columns: Vec<String> = answer.columns.iter().map(|column| quoted(&column.name)).collect();
            let relation = format!(
                "(WITH {name}({}) AS ({}\n) SELECT * FROM {name}) AS {name}",
                columns.join(", "),
                answer.sql
            );
            let parts: Vec<&str> = sql.split(&name).collect();
            let mut whole = String::new();
            for (at, part) in parts.iter().enumerate() {
                // Behind a dot or before one it is a column's owner.
                if at > 0 {
                    whole.push_str(if part.starts_with('.') { &name } else { &relation });
                }
                whole.push_str(part);
            }
            sql = whole;
        }
        sql
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

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
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
    let columns: Vec<NamedColumn> = described
        .into_iter()
        .zip(told)
        .map(|(described, ty)| NamedColumn {
            name: described.name,
            declared: ty.map_or_else(String::new, |ty| ty.name().to_owned()),
            not_null: false,
            key: 0,
            default: None,
            generated: false,
        })
        .collect();
    let repeated = columns.iter().enumerate().any(|(at, column)| {
        columns[..at]
            .iter()
            .any(|other| other.name.eq_ignore_ascii_case(&column.name))
    });
    Ok((!repeated && !columns.is_empty()).then_some(columns))
}
