//! The types of a statement's parameters: what the client declares, else what it can do without.

use crate::backend::{SqlType, sqlite};

/// PostgreSQL's number for a type that is not known.
const UNKNOWN: u32 = 705;

/// One OID per parameter of a statement.
pub(super) fn types(statement: &sqlite::Prepared, given: &[u32]) -> Vec<u32> {
    let mut types = given.to_vec();
    types.resize(statement.parameters.max(given.len()), 0);
    declared(&types)
}

/// What is not declared is text.
pub(super) fn declared(given: &[u32]) -> Vec<u32> {
    given
        .iter()
        .map(|oid| match *oid {
            0 | UNKNOWN => SqlType::Text.oid(),
            oid => oid,
        })
        .collect()
}

/// The OID of a type as it is written in PREPARE; 0 if it is none of ours.
pub(super) fn named_type(written: &str) -> u32 {
    let name = written
        .split('(')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let ty = match name.strip_prefix("pg_catalog.").unwrap_or(&name) {
        "int" | "integer" | "int4" => SqlType::Int4,
        "bigint" | "int8" => SqlType::Int8,
        "smallint" | "int2" => SqlType::Int2,
        "bool" | "boolean" => SqlType::Bool,
        "real" | "float4" => SqlType::Float4,
        "float" | "float8" | "double precision" => SqlType::Float8,
        "numeric" | "decimal" => SqlType::Numeric,
        "varchar" | "character varying" => SqlType::Varchar,
        "char" | "character" | "bpchar" => SqlType::Bpchar,
        "timestamp" | "timestamp without time zone" => SqlType::Timestamp,
        "timestamptz" | "timestamp with time zone" => SqlType::Timestamptz,
        "time" | "time without time zone" => SqlType::Time,
        other => {
            return SqlType::ALL
                .into_iter()
                .find(|ty| ty.name() == other)
                .map_or(0, SqlType::oid);
        }
    };
    ty.oid()
}
