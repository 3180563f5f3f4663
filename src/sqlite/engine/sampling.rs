//! Looks at some stored values to learn what a column really holds, and at all of those that nothing declares a type of.

use std::mem;

use rusqlite::{Connection, types::ValueRef};

use super::temporal::temporal;
use crate::{
    pgtypes::{SqlType, Value, canonical},
    question::schema::{Column, ColumnKind, Schema, Spelling, Table},
    sqlite::decltype::{self, Most},
    statement::sqlite_lexer::quote,
};

/// Rows looked at, and as many of the last ones.
const ROWS: usize = 100;
/// Rows of a table that are all looked at where nothing bounds the time of that.
const FEW: i64 = 200_000;
/// Bytes of a value by which its spelling is told.
const LONGEST: usize = 1 << 10;
/// Whole numbers up to this one are floating point without loss.
const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// What the values of one column have in common.
#[derive(Debug, Clone, Default)]
struct Seen {
    declared: Option<SqlType>,
    /// The digits behind the point that its type declares.
    scale: Option<usize>,
    values: usize,
    /// The most that values may be long, or be, by the declared type.
    most: Option<Most>,
    /// True where one is more.
    exceeds: bool,
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

/// What was seen of a table.
pub(super) struct Sample {
    seen: Vec<Seen>,
    /// True where that is every row, as far as that counts.
    is_whole: bool,
}

/// Corrects the kinds of the columns of a table by their first and last values. Errors leave the kinds as they are.
pub(super) fn refine_kinds(connection: &Connection, schema: &str, table: &mut Table) -> Sample {
    let all: Vec<usize> = (0..table.columns.len()).collect();
    let mut seen = nothing_seen(table, &all);
    let is_whole = look(connection, schema, table, &all, Rows::First, &mut seen) || table.is_view;
    if !is_whole {
        look(connection, schema, table, &all, Rows::Last, &mut seen);
    }
    let is_known = is_whole && !table.is_view;
    for (column, seen) in table.columns.iter_mut().zip(&seen) {
        let declared = decltype::kind(&column.declared_type);
        column.kind = seen.kind(declared);
        column.spelling = seen.spelling();
        column.exceeds = seen.exceeds;
        // A view's columns are expressions, most of them of one type.
        column.may_be_other =
            declared.is_none() && !table.is_view && !(is_known && seen.is_certain(column.kind));
    }
    Sample { seen, is_whole }
}

/// Looks for values that are not spelled as Querent keeps those of the declared type, in all rows, as far as there is time.
/// `made` is the text that made the table: what Querent wrote of it needs no look.
pub(super) fn look_for_others(
    connection: &Connection,
    schema: &str,
    table: &mut Table,
    made: &str,
    mut sample: Sample,
) {
    let checked = decltype::checked(made);
    let asked = |at: &usize| {
        let (column, seen) = (&table.columns[*at], &sample.seen[*at]);
        let is_open = column.spelling == Spelling::Kept && !checked.contains(&column.name);
        let ty = seen.declared.filter(|_| is_open)?;
        let name = quote(&column.name);
        let too_much = seen
            .most
            .filter(|_| !seen.exceeds)
            .map(|most| most.exceeded_by(&name));
        let suspected: Vec<String> = suspicion(&name, ty, seen.scale)
            .into_iter()
            .chain(too_much)
            .collect();
        (!suspected.is_empty()).then(|| (*at, suspected.join(" OR ")))
    };
    let asked: Vec<(usize, String)> = (0..table.columns.len()).filter_map(|at| asked(&at)).collect();
    if sample.is_whole || asked.is_empty() {
        return;
    }
    let columns: Vec<usize> = asked.iter().map(|(at, _)| *at).collect();
    let conditions: Vec<&str> = asked.iter().map(|(_, condition)| condition.as_str()).collect();
    let others = Rows::Where(conditions.join(" OR "));
    let mut seen: Vec<Seen> = columns
        .iter()
        .map(|at| mem::take(&mut sample.seen[*at]))
        .collect();
    look(connection, schema, table, &columns, others, &mut seen);
    for (at, seen) in columns.into_iter().zip(&seen) {
        let column = &mut table.columns[at];
        column.kind = seen.kind(decltype::kind(&column.declared_type));
        column.spelling = seen.spelling();
        column.exceeds = seen.exceeds;
    }
}

/// The condition by which a column's value may not be spelled as one of its type is kept; those that are fail it at little
/// cost.
fn suspicion(column: &str, ty: SqlType, scale: Option<usize>) -> Option<String> {
    let no_integer = format!("typeof({column}) NOT IN ('integer', 'null')");
    Some(match (ty, scale) {
        (SqlType::Bool | SqlType::Int8 | SqlType::Oid, _) => no_integer,
        (SqlType::Int4, _) => format!("{no_integer} OR {column} NOT BETWEEN -2147483648 AND 2147483647"),
        (SqlType::Int2, _) => format!("{no_integer} OR {column} NOT BETWEEN -32768 AND 32767"),
        (SqlType::Numeric, Some(scale)) => format!("{column} <> round({column}, {scale})"),
        (SqlType::Float4 | SqlType::Float8 | SqlType::Numeric, _) => {
            format!("typeof({column}) IN ('text', 'blob')")
        }
        (SqlType::Date, _) => format!("length({column}) <> 10"),
        (SqlType::Time, _) => format!("length({column}) <> 8"),
        (SqlType::Timestamp, _) => format!("length({column}) <> 19 OR substr({column}, 11, 1) <> ' '"),
        (SqlType::Timestamptz, _) => format!(
            "length({column}) <> 22 OR substr({column}, 11, 1) <> ' ' OR substr({column}, 20) <> '+00'"
        ),
        (SqlType::Uuid, _) => format!("length({column}) <> 36 OR {column} GLOB '*[^0-9a-f-]*'"),
        _ => return None,
    })
}

/// What the values of these columns, each with its declared type, tell of them: the first and the last ones, and all of a
/// table that is not large. `made` is the text that made it.
pub(super) fn columns<'c>(
    connection: &Connection,
    (schema, table, made): (&str, &str, &str),
    columns: impl Iterator<Item = (&'c str, &'c str)>,
) -> Vec<Column> {
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
    let schema = quote(schema);
    let sample = refine_kinds(connection, &schema, &mut table);
    let sql = format!("SELECT max(_rowid_) FROM {schema}.{}", quote(&table.name));
    let last = connection.query_row(&sql, [], |row| row.get::<_, Option<i64>>(0));
    if last.is_ok_and(|last| last.is_some_and(|last| last <= FEW)) {
        look_for_others(connection, &schema, &mut table, made, sample);
    }
    table.columns
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
enum Rows {
    First,
    /// The newest, as others may write them by now.
    Last,
    All,
    Where(String),
}

fn nothing_seen(table: &Table, columns: &[usize]) -> Vec<Seen> {
    let of = |at: &usize| Seen {
        declared: decltype::sql_type(&table.columns[*at].declared_type),
        scale: decltype::scale(&table.columns[*at].declared_type),
        most: decltype::most(&table.columns[*at].declared_type),
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
    let (limit, which) = match which {
        Rows::First => (Some(ROWS), String::new()),
        Rows::Last => (Some(ROWS), " ORDER BY _rowid_ DESC".to_owned()),
        Rows::All => (None, String::new()),
        Rows::Where(condition) => (None, format!(" WHERE {condition}")),
    };
    let sql = format!(
        "SELECT {} FROM {schema}.{}{which}",
        names.join(", "),
        quote(&table.name)
    );
    let mut read = || -> rusqlite::Result<bool> {
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.raw_query();
        let mut looked_at = 0;
        while let Some(row) = rows.next()? {
            if limit == Some(looked_at) {
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

impl Most {
    fn is_exceeded(self, value: ValueRef<'_>) -> bool {
        match (self, value) {
            (Self::Characters(most), ValueRef::Text(text)) => {
                text.len() > most && String::from_utf8_lossy(text).chars().count() > most
            }
            (Self::Digits(most), ValueRef::Integer(number)) => (number as f64).abs() >= 10_f64.powi(most),
            (Self::Digits(most), ValueRef::Real(number)) => number.abs() >= 10_f64.powi(most),
            _ => false,
        }
    }
}

impl Seen {
    fn add(&mut self, value: ValueRef<'_>) {
        self.note_spelling(value);
        self.exceeds |= self.most.is_some_and(|most| most.is_exceeded(value));
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
            ValueRef::Text(bytes) => match self.temporal(bytes) {
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
        match canonical(&value, ty, self.scale) {
            None => self.foreign += 1,
            Some(kept) => {
                self.otherwise += usize::from(kept != value);
                // A number with more digits than its type has is told with all of them.
                self.exceeds |= match (kept, self.scale) {
                    (Value::Real(number), Some(scale)) => format!("{number:.scale$}").parse() != Ok(number),
                    _ => false,
                };
            }
        }
    }

    /// What a text is: as it is spelled, or as its column's type reads it.
    fn temporal(&self, text: &[u8]) -> Option<ColumnKind> {
        temporal(text).or_else(|| {
            let ty = self.declared?;
            let kind = match ty {
                SqlType::Date => ColumnKind::Date,
                SqlType::Timestamp | SqlType::Timestamptz => ColumnKind::Timestamp,
                _ => return None,
            };
            let value = Value::Text(text[..text.len().min(LONGEST)].to_vec());
            canonical(&value, ty, None).map(|_| kind)
        })
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

fn is_number(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.trim().parse::<f64>().is_ok_and(f64::is_finite))
}
