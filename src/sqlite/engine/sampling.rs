//! Looks at some stored values to learn what a column really holds, and at all of those that nothing declares a type of.

use rusqlite::{Connection, types::ValueRef};

use crate::{
    pgtypes::{SqlType, Value, calendar::split_kept, canonical},
    question::schema::{Column, ColumnKind, Schema, Spelling, Table},
    sqlite::decltype,
    statement::sqlite_lexer::quote,
};

/// Rows looked at, and as many of the last ones.
const ROWS: usize = 100;
/// Bytes of a value by which its spelling is told.
const LONGEST: usize = 1 << 10;
/// Whole numbers up to this one are floating point without loss.
const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// What the values of one column have in common.
#[derive(Debug, Clone, Default)]
struct Seen {
    declared: Option<SqlType>,
    values: usize,
    /// Values that are spelled otherwise than those of their type are kept.
    otherwise: usize,
    /// Values that are none of the declared type.
    foreign: usize,
    integers: usize,
    reals: usize,
    blobs: usize,
    numeric_texts: usize,
    dates: usize,
    timestamps: usize,
    times: usize,
    /// Texts that say nothing.
    empty: usize,
    infinite: usize,
    /// Whole numbers that are none in floating point.
    exact: usize,
}

/// Corrects the kinds of the columns of a table in `main` or `temp` by their first and last values. Errors leave the kinds
/// as they are.
pub(super) fn refine_kinds(connection: &Connection, schema: &str, table: &mut Table) {
    let all: Vec<usize> = (0..table.columns.len()).collect();
    let mut seen = nothing_seen(table, &all);
    let is_whole = look(connection, schema, table, &all, Rows::First, &mut seen);
    if !is_whole && !table.is_view {
        look(connection, schema, table, &all, Rows::Last, &mut seen);
    }
    let is_whole = is_whole && !table.is_view;
    for (column, seen) in table.columns.iter_mut().zip(&seen) {
        let declared = decltype::kind(&column.declared_type);
        column.kind = seen.kind(declared);
        column.spelling = seen.spelling();
        // A view's columns are expressions, most of them of one type.
        column.may_be_other =
            declared.is_none() && !table.is_view && !(is_whole && seen.is_certain(column.kind));
    }
}

/// How the values of these columns of an attached table, each with its declared type, are spelled.
pub(super) fn spellings<'c>(
    connection: &Connection,
    (schema, table): (&str, &str),
    columns: impl Iterator<Item = (&'c str, &'c str)>,
) -> Vec<Spelling> {
    let columns = columns.map(|(name, declared)| Column {
        name: name.to_owned(),
        declared_type: declared.to_owned(),
        ..Column::default()
    });
    let mut table = Table {
        name: table.to_owned(),
        columns: columns.collect(),
        ..Table::default()
    };
    refine_kinds(connection, &quote(schema), &mut table);
    table.columns.iter().map(|column| column.spelling).collect()
}

/// True for a table with columns whose other values have to be looked at too.
pub(super) fn is_doubtful(table: &Table) -> bool {
    table.columns.iter().any(is_worth_a_look)
}

fn is_worth_a_look(column: &Column) -> bool {
    column.may_be_other && column.kind != ColumnKind::Text
}

/// Looks at all values of such columns: where one does not fit, any may come. What there is no time for stays doubtful.
pub(super) fn look_at_all(connection: &Connection, schema: &str, table: &mut Table) {
    let columns = table.columns.iter().enumerate();
    let doubtful: Vec<usize> = columns
        .filter(|(_, column)| is_worth_a_look(column))
        .map(|(at, _)| at)
        .collect();
    let mut seen = nothing_seen(table, &doubtful);
    if !look(connection, schema, table, &doubtful, Rows::All, &mut seen) {
        return;
    }
    for (at, seen) in doubtful.into_iter().zip(&seen) {
        let column = &mut table.columns[at];
        column.kind = seen.kind(None);
        column.spelling = seen.spelling();
        column.may_be_other = !seen.is_certain(column.kind);
    }
}

/// A view's column that shows one without a type is of that one's kind, whichever rows the view leaves.
pub(super) fn hand_on(schema: &mut Schema) {
    let mut found = vec![];
    for (at, view) in schema
        .tables
        .iter()
        .enumerate()
        .filter(|(_, table)| table.is_view)
    {
        for (position, column) in view.columns.iter().enumerate() {
            let shown = column
                .shows
                .as_deref()
                .filter(|_| column.declared_type.is_empty());
            let shown = shown.and_then(|shown| {
                let table = &schema.tables[schema.table_named(&shown.table)?];
                Some(&table.columns[table.column_named(shown.column.as_ref()?)?])
            });
            found.extend(shown.map(|shown| (at, position, shown.kind, shown.may_be_other)));
        }
    }
    for (at, position, kind, may_be_other) in found {
        let column = &mut schema.tables[at].columns[position];
        (column.kind, column.may_be_other) = (kind, may_be_other);
    }
}

/// Which rows of a table are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    First,
    /// The newest, as others may write them by now.
    Last,
    All,
}

fn nothing_seen(table: &Table, columns: &[usize]) -> Vec<Seen> {
    let of = |at: &usize| Seen {
        declared: decltype::sql_type(&table.columns[*at].declared_type),
        ..Seen::default()
    };
    columns.iter().map(of).collect()
}

/// Adds what these columns hold in some rows; true where that was every row.
fn look(
    connection: &Connection,
    schema: &str,
    table: &Table,
    columns: &[usize],
    which: Rows,
    seen: &mut [Seen],
) -> bool {
    let names: Vec<String> = columns.iter().map(|at| quote(&table.columns[*at].name)).collect();
    let order = match which {
        Rows::Last => " ORDER BY _rowid_ DESC",
        Rows::First | Rows::All => "",
    };
    let sql = format!(
        "SELECT {} FROM {schema}.{}{order}",
        names.join(", "),
        quote(&table.name)
    );
    let mut read = || -> rusqlite::Result<bool> {
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.raw_query();
        let mut looked_at = 0;
        while let Some(row) = rows.next()? {
            if looked_at == ROWS && which != Rows::All {
                return Ok(false);
            }
            looked_at += 1;
            for (position, seen) in seen.iter_mut().enumerate() {
                seen.add(row.get_ref(position)?);
            }
        }
        Ok(true)
    };
    read().unwrap_or_else(|error| {
        tracing::debug!(table = table.name, %error, "not all values could be looked at");
        false
    })
}

impl Seen {
    fn add(&mut self, value: ValueRef<'_>) {
        self.note_spelling(value);
        match value {
            ValueRef::Integer(number) => {
                self.integers += 1;
                self.exact += usize::from(number.unsigned_abs() > EXACT);
            }
            ValueRef::Real(_) => self.reals += 1,
            ValueRef::Blob(_) => self.blobs += 1,
            ValueRef::Null => return,
            // An empty text says nothing; imported tables have it where NULL was meant.
            ValueRef::Text(b"") => {
                self.empty += 1;
                return;
            }
            ValueRef::Text(b"infinity" | b"-infinity") => {
                self.infinite += 1;
                return;
            }
            ValueRef::Text(bytes) => match temporal(bytes) {
                Some(ColumnKind::Date) => self.dates += 1,
                Some(ColumnKind::Timestamp) => self.timestamps += 1,
                Some(ColumnKind::Time) => self.times += 1,
                _ if is_number(bytes) => self.numeric_texts += 1,
                _ => {}
            },
        }
        self.values += 1;
    }

    fn note_spelling(&mut self, value: ValueRef<'_>) {
        let ty = match (self.declared, value) {
            // By what a column of dates holds it is told which they are.
            (None | Some(SqlType::Date | SqlType::Timestamp), ValueRef::Text(text)) => match temporal(text) {
                Some(ColumnKind::Date) => Some(SqlType::Date),
                Some(ColumnKind::Timestamp) => Some(SqlType::Timestamp),
                Some(ColumnKind::Time) => Some(SqlType::Time),
                _ => self.declared,
            },
            _ => self.declared,
        };
        let Some(ty) = ty.filter(|ty| !ty.takes_any_text()) else {
            return;
        };
        let value = match value {
            // None of these types has long values.
            ValueRef::Text(text) => Value::Text(text[..text.len().min(LONGEST)].to_vec()),
            ValueRef::Blob(bytes) => Value::Blob(bytes[..bytes.len().min(LONGEST)].to_vec()),
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Real(number),
            ValueRef::Null => return,
        };
        match canonical(&value, ty) {
            None => self.foreign += 1,
            Some(kept) => self.otherwise += usize::from(kept != value),
        }
    }

    fn spelling(&self) -> Spelling {
        // What other programs will write into an empty table nobody knows.
        let is_unknown = self.values + self.empty + self.infinite == 0
            && matches!(
                self.declared,
                Some(
                    SqlType::Bool
                        | SqlType::Date
                        | SqlType::Time
                        | SqlType::Timestamp
                        | SqlType::Timestamptz
                        | SqlType::Uuid
                )
            );
        if self.foreign > 0 {
            Spelling::Foreign
        } else if is_unknown || self.otherwise > 0 || (self.dates > 0 && self.timestamps > 0) {
            Spelling::Otherwise
        } else {
            Spelling::Kept
        }
    }

    /// The kind of a column of a declared kind that holds these values.
    fn kind(&self, declared: Option<ColumnKind>) -> ColumnKind {
        if self.values == 0 {
            return declared.unwrap_or_default();
        }
        match declared {
            None | Some(ColumnKind::Text | ColumnKind::Date | ColumnKind::Timestamp | ColumnKind::Time) => {
                let held = self.held();
                // A declared date of texts like `2010-05` or `May 2010` is text to every date function.
                match (declared, held) {
                    // Character columns hold what looks like numbers as text: zip codes, years.
                    (Some(ColumnKind::Text), ColumnKind::Integer | ColumnKind::Number) => ColumnKind::Text,
                    (Some(declared), ColumnKind::Date) if declared.is_temporal() => ColumnKind::Date,
                    _ => held,
                }
            }
            // One text among the numbers makes sums and comparisons wrong without any error.
            Some(ColumnKind::Integer | ColumnKind::Number | ColumnKind::Boolean)
                if self.integers + self.reals + self.numeric_texts < self.values =>
            {
                self.held()
            }
            Some(ColumnKind::Integer) if self.reals > 0 => ColumnKind::Number,
            Some(kind) => kind,
        }
    }

    /// True where all that was seen is of the kind that it was taken for, by which clients can be told a type.
    fn is_certain(&self, kind: ColumnKind) -> bool {
        match kind {
            ColumnKind::Text => false,
            ColumnKind::Number if self.exact > 0 => false,
            ColumnKind::Date | ColumnKind::Timestamp => self.empty == 0,
            _ => self.empty + self.infinite == 0,
        }
    }

    fn held(&self) -> ColumnKind {
        let all = |count: usize| count == self.values;
        if all(self.integers) {
            ColumnKind::Integer
        } else if all(self.integers + self.reals) {
            ColumnKind::Number
        } else if all(self.dates) {
            ColumnKind::Date
        } else if all(self.dates + self.timestamps) {
            ColumnKind::Timestamp
        } else if all(self.times) {
            ColumnKind::Time
        } else if all(self.blobs) {
            ColumnKind::Blob
        } else {
            ColumnKind::Text
        }
    }
}

/// Date, Timestamp or Time for text that SQLite's date functions read ("Date And Time Functions", section 2).
pub(super) fn temporal(text: &[u8]) -> Option<ColumnKind> {
    // Years that others cannot write are kept in a form of our own.
    if let [b'/' | b':', ..] = text {
        let kept = std::str::from_utf8(text).ok().and_then(split_kept)?;
        return Some(match kept.1 {
            "" => ColumnKind::Date,
            _ => ColumnKind::Timestamp,
        });
    }
    let is_date = |text: &[u8]| {
        text.len() == 10
            && text[4] == b'-'
            && text[7] == b'-'
            && is_day([digits(text, 0..4), digits(text, 5..7), digits(text, 8..10)])
    };
    if is_date(text) {
        return Some(ColumnKind::Date);
    }
    if is_time(text) {
        return Some(ColumnKind::Time);
    }
    let (date, rest) = text.split_at_checked(10)?;
    let (separator, time) = rest.split_first()?;
    (is_date(date) && matches!(separator, b' ' | b'T') && is_time(without_zone(time)))
        .then_some(ColumnKind::Timestamp)
}

/// Whether the calendar has this day.
fn is_day(fields: [Option<u32>; 3]) -> bool {
    let [Some(year), Some(month), Some(day)] = fields else {
        return false;
    };
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fff`.
fn is_time(text: &[u8]) -> bool {
    if text.len() < 5 || text[2] != b':' {
        return false;
    }
    let hours = digits(text, 0..2).is_some_and(|hour| hour < 25);
    let minutes = digits(text, 3..5).is_some_and(|minute| minute < 60);
    let seconds = match &text[5..] {
        [] => true,
        [b':', rest @ ..] => {
            rest.len() >= 2
                && digits(rest, 0..2).is_some_and(|second| second < 61)
                && match &rest[2..] {
                    [] => true,
                    [b'.', fraction @ ..] => !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit),
                    _ => false,
                }
        }
        _ => false,
    };
    hours && minutes && seconds
}

/// The text without a trailing `Z`, `+hh`, `+hh:mm` or `-hh:mm`.
fn without_zone(text: &[u8]) -> &[u8] {
    if let [time @ .., b'Z' | b'z'] = text {
        return time;
    }
    if let [time @ .., b'+' | b'-', one, two] = text
        && one.is_ascii_digit()
        && two.is_ascii_digit()
        && time.contains(&b':')
    {
        return time;
    }
    match text.len().checked_sub(6).map(|at| text.split_at(at)) {
        Some((time, [b'+' | b'-', zone @ ..])) if zone.len() == 5 && zone[2] == b':' => time,
        _ => text,
    }
}

fn digits(text: &[u8], range: std::ops::Range<usize>) -> Option<u32> {
    let part = text.get(range)?;
    part.iter().all(u8::is_ascii_digit).then_some(())?;
    std::str::from_utf8(part).ok()?.parse().ok()
}

fn is_number(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.trim().parse::<f64>().is_ok_and(f64::is_finite))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporal_text() {
        for (text, expected) in [
            ("2024-02-29", Some(ColumnKind::Date)),
            ("2024-13-01", None),
            ("2024-2-9", None),
            ("2023-02-29", None),
            ("2024-04-31", None),
            ("2024-02-29 12:30", Some(ColumnKind::Timestamp)),
            ("2024-02-29T12:30:59.123Z", Some(ColumnKind::Timestamp)),
            ("2024-02-29 12:30:59+02:00", Some(ColumnKind::Timestamp)),
            ("2024-02-29 12:30:59.5+00", Some(ColumnKind::Timestamp)),
            ("/9999956-03-15", Some(ColumnKind::Date)),
            (":0010000-01-01 00:00:00", Some(ColumnKind::Timestamp)),
            (":x", None),
            ("12:30:59", Some(ColumnKind::Time)),
            ("1:30", None),
            ("2024-02-29 noon", None),
            ("2024", None),
            ("", None),
            ("äöüäöüäöü", None),
        ] {
            assert_eq!(temporal(text.as_bytes()), expected, "{text}");
        }
    }
}
