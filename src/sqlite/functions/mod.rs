//! PostgreSQL's functions for SQLite: what translated statements call. Each fails with PostgreSQL's code and words.

pub(super) mod advance;
pub(super) mod affected;
mod aggregate;
pub(super) mod allowance;
mod angles;
mod array;
mod array_cast;
mod array_fill;
mod array_out;
mod array_text;
mod bytea;
mod casts;
pub(super) mod datetime;
mod decimal;
mod digits;
mod document;
mod elements;
mod encodings;
mod field;
mod finding;
mod fit;
mod format;
mod format_nodes;
mod format_number;
mod format_read;
mod format_source;
mod handed_on;
pub(super) mod interval;
mod json;
mod json_path;
mod json_text;
mod json_value;
pub(super) mod kept;
mod linear;
pub(super) mod lossless;
mod minor_types;
mod money;
mod normalization;
mod number;
mod number_pattern;
mod numbered_key;
mod numeric;
mod numeric_special;
mod once;
mod order;
mod pattern;
mod qualified;
mod quotes;
mod random;
mod read_number;
mod record;
mod regexp;
mod regular;
pub(super) mod sequence;
mod sequence_definition;
mod single;
mod sorting;
mod statistics;
mod sum;
mod text;
mod time;
pub(super) mod timestamps;
mod timetz;
mod to_json;
mod transcendental;
pub(super) mod writable;
pub(super) mod zone;

use std::borrow::Cow;

use rusqlite::{
    Connection, Result,
    functions::{Context, FunctionFlags},
    types::{ToSqlOutput, Value as Stored, ValueRef},
};

pub(super) use casts::REFUSED_NULL;

pub(super) use crate::sqlite::catalog::failure::{Failure, told};
use crate::{
    error::beginning,
    pgtypes::{
        Value,
        float::{NAN, float8_text},
    },
};

/// A value going in or out of a function.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum V {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

type Out = std::result::Result<V, Failure>;

/// Longer than any word that names a field, an encoding or an algorithm, in bytes.
const LONGEST_WORD: usize = 1 << 10;

fn fail<T>(sqlstate: &'static str, message: impl Into<String>) -> std::result::Result<T, Failure> {
    Err(failure(sqlstate, message))
}

fn failure(sqlstate: &'static str, message: impl Into<String>) -> Failure {
    Failure {
        sqlstate,
        message: message.into(),
    }
}

impl V {
    fn of(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Int(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(bytes) => Self::Text(lossless::decoded(bytes)),
            ValueRef::Blob(bytes) => Self::Blob(bytes.to_vec()),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Int(number) => number.to_string(),
            Self::Real(number) => float8_text(*number),
            Self::Text(text) => text.clone(),
            Self::Blob(bytes) => lossless::decoded(bytes),
        }
    }

    /// The text, without another copy of it where it is one.
    fn as_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            other => Cow::Owned(other.text()),
        }
    }

    /// A word that names something, in small letters; none is as long as what is cut of it.
    fn word(&self) -> String {
        let text = self.as_text();
        beginning(&text, LONGEST_WORD).to_ascii_lowercase()
    }

    fn int(&self) -> i64 {
        match self {
            Self::Int(number) => *number,
            Self::Real(number) => *number as i64,
            Self::Text(text) => text.trim().parse().unwrap_or(0),
            _ => 0,
        }
    }

    fn real(&self) -> f64 {
        match self {
            Self::Int(number) => *number as f64,
            Self::Real(number) => *number,
            Self::Text(text) => text.trim().parse().unwrap_or(0.0),
            _ => 0.0,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Blob(bytes) => bytes.clone(),
            other => other.text().into_bytes(),
        }
    }

    /// Bytes of a text or of bytes.
    fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Blob(bytes) => bytes.len(),
            _ => 0,
        }
    }

    fn is_null(&self) -> bool {
        *self == Self::Null
    }

    fn of_bool(truth: bool) -> Self {
        Self::Int(truth.into())
    }
}

impl From<Value> for V {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Integer(number) => Self::Int(number),
            Value::Real(number) => Self::Real(number),
            Value::Text(text) => Self::Text(lossless::decoded(&text)),
            Value::Blob(bytes) => Self::Blob(bytes),
        }
    }
}

impl From<V> for Value {
    fn from(value: V) -> Self {
        match value {
            V::Null => Self::Null,
            V::Int(number) => Self::Integer(number),
            V::Real(number) => Self::Real(number),
            V::Text(text) => Self::Text(text.into_bytes()),
            V::Blob(bytes) => Self::Blob(bytes),
        }
    }
}

impl From<String> for V {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for V {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl rusqlite::ToSql for V {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Stored::Null),
            Self::Int(number) => ToSqlOutput::Owned(Stored::Integer(*number)),
            // SQLite would take it for NULL.
            Self::Real(number) if number.is_nan() => ToSqlOutput::Borrowed(ValueRef::Text(NAN.as_bytes())),
            Self::Real(number) => ToSqlOutput::Owned(Stored::Real(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Blob(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        })
    }
}

/// What a function's result depends on, and what it makes of NULL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// On its arguments; NULL where one of them is.
    Strict,
    /// On its arguments, of which NULL is one like others.
    Lenient,
    /// On more than its arguments; NULL where one of them is.
    Volatile,
}

/// A function: name, number of arguments (-1: any, -2: one at least, and so on), nature, what it does.
type Scalar = (&'static str, i32, Nature, fn(&[V]) -> Out);

fn values(context: &Context<'_>) -> Vec<V> {
    (0..context.len()).map(|at| V::of(context.get_raw(at))).collect()
}

/// The arguments of a call, where they are as many as a function of any number takes at least.
fn enough(name: &str, given: Vec<V>, arguments: i32) -> std::result::Result<Vec<V>, Failure> {
    let least = usize::try_from(-1 - arguments).unwrap_or_default();
    if given.len() < least {
        return fail(
            "42883",
            format!("function {name}() takes {least} arguments at least"),
        );
    }
    Ok(given)
}

fn add_all(connection: &Connection, functions: &[Scalar]) -> Result<()> {
    for &(name, arguments, nature, function) in functions {
        let mut flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
        if nature != Nature::Volatile {
            flags |= FunctionFlags::SQLITE_DETERMINISTIC;
        }
        connection.create_scalar_function(name, arguments.max(-1), flags, move |context| {
            let arguments = enough(name, values(context), arguments)?;
            if nature != Nature::Lenient && arguments.iter().any(V::is_null) {
                return Ok(V::Null);
            }
            let _arguments = allowance::arguments(&arguments)?;
            Ok(function(&arguments)?)
        })?;
    }
    Ok(())
}

/// Has the client told that something is passed over, and why.
pub(super) fn pass_over(connection: &Connection, sqlstate: &str, why: &str) -> Result<()> {
    let message = format!("{why}, skipping");
    connection.query_row("SELECT pg_notice(?1, ?2)", [sqlstate, &message], |_| Ok(()))
}

/// Adds all of them to a connection.
pub(super) fn add(connection: &Connection) -> Result<()> {
    timestamps::of_server();
    for functions in [
        affected::FUNCTIONS,
        array::FUNCTIONS,
        array_cast::FUNCTIONS,
        array_fill::FUNCTIONS,
        array_text::FUNCTIONS,
        bytea::FUNCTIONS,
        encodings::FUNCTIONS,
        casts::FUNCTIONS,
        fit::FUNCTIONS,
        numeric::FUNCTIONS,
        qualified::FUNCTIONS,
        format::FUNCTIONS,
        interval::FUNCTIONS,
        handed_on::FUNCTIONS,
        json::FUNCTIONS,
        json_text::FUNCTIONS,
        lossless::FUNCTIONS,
        normalization::FUNCTIONS,
        number::FUNCTIONS,
        order::FUNCTIONS,
        pattern::FUNCTIONS,
        random::FUNCTIONS,
        minor_types::FUNCTIONS,
        money::FUNCTIONS,
        record::FUNCTIONS,
        regexp::FUNCTIONS,
        single::FUNCTIONS,
        text::FUNCTIONS,
        angles::FUNCTIONS,
        time::FUNCTIONS,
        timetz::FUNCTIONS,
        to_json::FUNCTIONS,
        zone::FUNCTIONS,
    ] {
        add_all(connection, functions)?;
    }
    elements::add(connection)?;
    linear::add(connection)?;
    single::add(connection)?;
    order::add(connection)?;
    sequence::add(connection)?;
    kept::add(connection)?;
    aggregate::add(connection)
}

/// A text as a value of a type, by the type's internal name, or the code and the words of what is wrong with it.
pub(super) fn read(text: &str, ty: &str) -> std::result::Result<V, (&'static str, String)> {
    casts::read(text, ty).map_err(|failure| (failure.sqlstate, failure.message))
}
