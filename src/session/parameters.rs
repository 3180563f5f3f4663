//! The types of a statement's parameters: what the client declares, else what the database infers, else text.

use crate::{
    backend::{SqlType, Value},
    wire::{Format, WireError, decode_parameter},
};

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
    /// Reads a bound value. Text that does not fit an inferred type stays text: SQLite compares as it can.
    pub(super) fn read(self, format: Format, bytes: Option<&[u8]>) -> Result<Value, WireError> {
        let read = decode_parameter(self.oid, format, bytes);
        if self.declared || format == Format::Binary {
            return read;
        }
        read.or_else(|_| decode_parameter(SqlType::Text.oid(), Format::Text, bytes))
    }
}

/// What the client declares (0 where it does not), the rest as the database tells it from the statement.
pub(super) fn types(declared: &[u32], inferred: &[Option<SqlType>]) -> Vec<ParameterType> {
    let count = inferred.len().max(declared.len());
    (0..count)
        .map(|at| match declared.get(at) {
            Some(oid) if is_known(*oid) => ParameterType {
                oid: *oid,
                declared: true,
            },
            _ => ParameterType {
                oid: inferred.get(at).copied().flatten().unwrap_or(SqlType::Text).oid(),
                declared: false,
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
        other => return SqlType::all().find(|ty| ty.name() == other),
    })
}
