//! The types of a statement's parameters: what the client declares, else a guess, else text.

use crate::{
    backend::{SqlType, Value},
    schema::Schema,
    wire::{Format, WireError, decode_parameter},
};

use super::parameter_types;

/// PostgreSQL's number for a type that is not known.
const UNKNOWN: u32 = 705;

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParameterType {
    /// Its OID.
    pub(super) oid: u32,
    /// Whether the client declared it.
    declared: bool,
}

impl ParameterType {
    /// Reads a bound value. Text that does not fit a guessed type stays text: SQLite compares as it can.
    pub(super) fn read(self, format: Format, bytes: Option<&[u8]>) -> Result<Value, WireError> {
        let read = decode_parameter(self.oid, format, bytes);
        if self.declared || format == Format::Binary {
            return read;
        }
        read.or_else(|_| decode_parameter(SqlType::Text.oid(), Format::Text, bytes))
    }
}

/// What the client declares of `count` parameters (0 where it does not), the rest guessed from the statement,
/// which is looked into only where that is needed.
pub(super) fn types(
    count: usize,
    declared: &[u32],
    sql: &str,
    schema: Option<&Schema>,
) -> Vec<ParameterType> {
    let guesses = match schema {
        Some(schema) => parameter_types::guess(sql, schema, count),
        None => vec![None; count],
    };
    let count = count.max(declared.len());
    (0..count)
        .map(|at| match declared.get(at) {
            Some(oid) if is_known(*oid) => ParameterType {
                oid: *oid,
                declared: true,
            },
            _ => ParameterType {
                oid: guesses.get(at).copied().flatten().unwrap_or(SqlType::Text).oid(),
                declared: false,
            },
        })
        .collect()
}

/// True if something is left to guess.
pub(super) fn need_guess(count: usize, declared: &[u32]) -> bool {
    (0..count).any(|at| !declared.get(at).is_some_and(|oid| is_known(*oid)))
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
    let name = format!("{}{rest}", name.trim());
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
        other => return SqlType::ALL.into_iter().find(|ty| ty.name() == other),
    })
}
