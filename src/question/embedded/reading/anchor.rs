//! The day that `last month` is counted from: today, or where the data ended long ago the newest day of what is asked about.

use jiff::{ToSpan, civil::Date};

use super::{super::question::tokens, Reading, STALE, bound, framing, read_on};
use crate::question::{
    schema::{self, ColumnRef, Snapshot},
    semantic::{DatasetRole, SemanticModel},
};

/// A day that a question is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Day {
    pub(crate) date: Date,
    /// The column of which it is the newest, where it is not today and the question hangs on it.
    newest: Option<ColumnRef>,
}

impl Day {
    /// What a person is told of it; nothing where it is today.
    pub(crate) fn told(&self, snapshot: &Snapshot) -> Option<String> {
        let at = self.newest?;
        let (table, column) = (
            &snapshot.schema.tables[at.table].name,
            &snapshot.schema.column(at).name,
        );
        Some(format!(
            "counted from {}, the newest {table}.{column}, since the data ends there",
            self.date
        ))
    }
}

/// The day that a question is counted from, and the ways to read it on that day, the likeliest first.
pub(crate) fn read(
    question: &str,
    today: Date,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> (Day, Vec<Reading>) {
    let is_today = Day {
        date: today,
        newest: None,
    };
    let on = |day: Date| read_on(question, day, snapshot, model);
    let all: Vec<usize> = (0..model.datasets.len()).collect();
    let Some((newest, _)) =
        newest(&all, snapshot, model).filter(|(day, _)| day.saturating_add(STALE.days()) < today)
    else {
        return (is_today, on(today));
    };
    let then = on(newest);
    let words = |day: Date| tokens(framing::core(question), day);
    let same_words = words(newest) == words(today);
    if same_words && then.first().is_some_and(|reading| !may_tell_a_day(&reading.sql)) {
        return (is_today, then);
    }
    // What is the same on both days hangs on neither.
    let now = on(today);
    let first = |readings: &[Reading]| readings.first().map(|reading| reading.sql.clone());
    if same_words && first(&then) == first(&now) {
        return (is_today, now);
    }
    let asked = then.first().map_or_else(
        || named(question, newest, snapshot),
        |reading| {
            let times = bound::times_of(&reading.query, &snapshot.schema);
            let times: Vec<usize> = times.iter().map(|at| at.table).collect();
            if times.is_empty() {
                bound::tables_of(&reading.query)
            } else {
                times
            }
        },
    );
    let keys = &snapshot.schema.foreign_keys;
    let referring = keys
        .iter()
        .filter(|key| asked.contains(&key.to[0].table))
        .map(|key| key.from[0].table);
    let referring: Vec<usize> = referring.collect();
    let happens = |table: &usize| model.datasets[*table].role == DatasetRole::Event;
    let told = if asked.iter().any(happens) {
        asked
    } else {
        referring
    };
    // Of a part of the rows the newest is not known.
    let whole = |table: &usize| {
        let profile = snapshot.profile.tables.get(*table).and_then(Option::as_ref);
        profile.is_some_and(|profile| profile.whole)
    };
    let known = told.iter().filter(|table| happens(table)).all(whole);
    let own = self::newest(&told, snapshot, model).filter(|_| known);
    let own = own.or_else(|| self::newest(&all, snapshot, model));
    let Some((date, column)) = own else {
        return (is_today, now);
    };
    let readings = if date == newest { then } else { on(date) };
    let day = Day {
        date,
        newest: Some(column),
    };
    (day, readings)
}

/// True where SQL has a number that may be a year or a moment.
fn may_tell_a_day(sql: &str) -> bool {
    let digits = sql.as_bytes().windows(4);
    digits.into_iter().any(|four| four.iter().all(u8::is_ascii_digit))
}

/// The tables that a question names.
fn named(question: &str, day: Date, snapshot: &Snapshot) -> Vec<usize> {
    let tokens = tokens(framing::core(question), day);
    let tables = 0..snapshot.schema.tables.len();
    tables
        .filter(|&table| {
            tokens
                .iter()
                .any(|noun| bound::is_called(&snapshot.schema, table, noun))
        })
        .collect()
}

/// A day of a profile as a date.
pub(super) fn date_of(day: schema::Day) -> Option<Date> {
    let year = i16::try_from(day / 10_000).ok()?;
    Date::new(year, (day / 100 % 100) as i8, (day % 100) as i8).ok()
}

/// The newest day on which anything happened in some tables, with the column that tells of it.
fn newest(tables: &[usize], snapshot: &Snapshot, model: &SemanticModel) -> Option<(Date, ColumnRef)> {
    let happened = tables
        .iter()
        .map(|table| (*table, &model.datasets[*table]))
        .filter(|(_, dataset)| dataset.role == DatasetRole::Event);
    let days = happened.filter_map(|(table, dataset)| {
        let column = dataset.time?;
        let profile = snapshot.profile.tables.get(table)?.as_ref()?;
        let day = profile.columns.get(column)?.latest?;
        Some((date_of(day)?, ColumnRef { table, column }))
    });
    days.max_by_key(|(day, _)| *day)
}
