//! The types of a statement's parameters: what the client declares, else what the database infers, else text.

use crate::{
    backend::{SqlType, Value},
    pgtypes::{Format, receive, utf8, zone::Zone},
    sqlite::engine,
};

use super::error::SessionError;

/// PostgreSQL's number for a type that is not known.
const UNKNOWN: u32 = 705;

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParameterType {
    /// Its OID.
    pub(super) oid: u32,
    /// Whether the client declared it.
    declared: bool,
    /// Whether anything tells it: else it is text for want of a better.
    told: bool,
    /// Whether the statement is PostgreSQL's, so that its types count, and not SQLite's rules.
    strict: bool,
}

impl ParameterType {
    /// Its OID, if anything tells it.
    pub(super) fn told(self) -> Option<u32> {
        self.told.then_some(self.oid)
    }

    /// True where PostgreSQL's types count.
    pub(super) fn is_strict(self) -> bool {
        self.strict
    }

    /// Reads a bound value. Text that does not fit an inferred type stays text: SQLite compares as it can.
    pub(super) fn read(
        self,
        format: Format,
        bytes: Option<&[u8]>,
        zone: &Zone,
    ) -> Result<Value, SessionError> {
        let ty = SqlType::from_oid(self.oid).unwrap_or(SqlType::Text);
        let Some(bytes) = bytes else {
            return Ok(Value::Null);
        };
        let read = match format {
            Format::Binary => read_binary(self.oid, bytes, zone)?,
            Format::Text => match read_text(ty, bytes, zone) {
                Err(_) if !(self.declared || self.strict) => Value::Text(utf8(bytes)?.into()),
                read => read?,
            },
        };
        // SQLite compares a number and the text of one by their kinds.
        Ok(if ty == SqlType::Numeric && !self.strict {
            as_number(read)
        } else {
            read
        })
    }
}

/// Drivers spell values in their own ways: what is stored is PostgreSQL's.
pub(super) fn read_text(ty: SqlType, bytes: &[u8], zone: &Zone) -> Result<Value, SessionError> {
    canonical(Value::Text(utf8(bytes)?.into()), ty, zone)
}

/// A value in binary. Where that has words of the client's in it, they are read as they would be in text.
pub(super) fn read_binary(oid: u32, bytes: &[u8], zone: &Zone) -> Result<Value, SessionError> {
    let value = receive(oid, bytes)?;
    match SqlType::from_oid(oid) {
        Some(ty) if has_words(ty) => canonical(value, ty, zone),
        _ => Ok(value),
    }
}

fn canonical(value: Value, ty: SqlType, zone: &Zone) -> Result<Value, SessionError> {
    match &value {
        Value::Text(text) if !ty.takes_any_text() => {
            let text = std::str::from_utf8(text).unwrap_or_default();
            Ok(engine::read_text(text, ty, zone)?)
        }
        _ => Ok(value),
    }
}

/// A decimal as the number that SQLite would store, where its own rules are to count: whole if it is whole.
fn as_number(value: Value) -> Value {
    let Value::Text(digits) = &value else { return value };
    let text = std::str::from_utf8(digits).unwrap_or_default();
    if let Ok(whole) = text.parse() {
        return Value::Integer(whole);
    }
    match text.parse::<f64>() {
        Ok(real) if real.is_finite() => Value::Real(real),
        _ => value,
    }
}

/// True for a type whose binary format leaves open how a value is spelled. All others are made of bits, of which the one
/// spelling that is stored is made.
fn has_words(ty: SqlType) -> bool {
    match ty {
        SqlType::Json | SqlType::Jsonb => true,
        SqlType::Array(of) => has_words(*of),
        _ => false,
    }
}

/// What the client declares (0 where it does not), the rest as the database tells it from the statement.
pub(super) fn types(declared: &[u32], inferred: &[Option<SqlType>], strict: bool) -> Vec<ParameterType> {
    let count = inferred.len().max(declared.len());
    (0..count)
        .map(|at| match declared.get(at) {
            Some(oid) if is_known(*oid) => ParameterType {
                oid: *oid,
                declared: true,
                told: true,
                strict,
            },
            _ => ParameterType {
                oid: inferred.get(at).copied().flatten().unwrap_or(SqlType::Text).oid(),
                declared: false,
                told: inferred.get(at).is_some_and(Option::is_some),
                strict,
            },
        })
        .collect()
}

fn is_known(oid: u32) -> bool {
    !matches!(oid, 0 | UNKNOWN)
}

/// The OID of a type as it is written in PREPARE; 0 if it is none of ours.
pub(super) fn named_type(written: &str) -> u32 {
    type_named(written).map_or(0, SqlType::oid)
}

/// A type by any of its names, with or without a length.
pub(super) fn type_named(written: &str) -> Option<SqlType> {
    let written = written.to_ascii_lowercase();
    let (name, rest) = match written.split_once('(') {
        Some((name, rest)) => (name, rest.split_once(')').map_or("", |(_, rest)| rest)),
        None => (written.as_str(), ""),
    };
    let name = format!("{}{}", name.trim(), rest.trim());
    if let Some(element) = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        // However many dimensions are written, it is one type.
        let element = type_named(element.0.trim())?;
        return Some(element.array());
    }
    Some(match name.strip_prefix("pg_catalog.").unwrap_or(&name) {
        "int" | "integer" | "int4" => SqlType::Int4,
        "bigint" => SqlType::Int8,
        "smallint" => SqlType::Int2,
        "boolean" => SqlType::Bool,
        "real" => SqlType::Float4,
        "float" | "double precision" => SqlType::Float8,
        "decimal" => SqlType::Numeric,
        "character varying" => SqlType::Varchar,
        "char" | "character" => SqlType::Bpchar,
        "timestamp without time zone" => SqlType::Timestamp,
        "timestamp with time zone" => SqlType::Timestamptz,
        "time without time zone" => SqlType::Time,
        other => return SqlType::all().find(|ty| ty.name() == other),
    })
}
