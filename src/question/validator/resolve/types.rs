//! Names of types: which of them a value may be cast to, and the kind that it has then.

use sqlparser::ast::DataType;

use super::{Code, Finding, Resolver};
use crate::question::{schema::ColumnKind, validator::start::Start};

impl Resolver<'_> {
    /// The kind of a value that is cast to a type. Types of PostgreSQL are refused that read its catalogue, and those
    /// that neither it nor a stored column has.
    pub(super) fn check_type(&mut self, at: &impl Start, data_type: &DataType) -> Option<ColumnKind> {
        let written = data_type.to_string();
        if !self.is_postgres() {
            return Some(by_affinity(&written));
        }
        let full = base_name(&written);
        let is_array = written.contains('[') || written.to_ascii_uppercase().ends_with(" ARRAY");
        let name = full.strip_prefix("pg_catalog.").unwrap_or(&full);
        let policy = &self.facts.policy;
        if policy.forbids_type(name) {
            self.error(
                Code::Forbidden,
                at,
                format!("a question may not name the type {written}"),
            );
            return None;
        }
        if let Some(what) = self.schema.shadowed.types.get(full.as_str()) {
            let message = format!("a question may not name the type {written}: it is {what}");
            self.error(Code::Forbidden, at, message);
            return None;
        }
        let built_in = policy.allows_type(name) && !is_quoted(&written);
        let stored = if built_in {
            None
        } else {
            self.stored_type(&written)
        };
        if stored.is_none() && !built_in {
            let message = format!("there is no type {written} that may be named here");
            self.report(Finding::error(Code::SqlSyntaxError, self.position(at), message));
            return None;
        }
        if is_array {
            Some(ColumnKind::Other)
        } else {
            postgres_kind(name).or(stored)
        }
    }

    /// What a stored column of that type holds.
    fn stored_type(&self, written: &str) -> Option<ColumnKind> {
        let tables = self.schema.tables.iter();
        tables
            .filter(|table| table.forbidden.is_none())
            .flat_map(|table| &table.columns)
            .find(|column| is_type_of(&column.declared_type, written))
            .map(|column| column.kind)
    }
}

/// True for a name in quotes that would be another without them.
fn is_quoted(written: &str) -> bool {
    let plain = |part: &str| {
        part.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    written.split('"').skip(1).step_by(2).any(|part| !plain(part))
}

/// True if a stored column's type is meant by this name. What stands in quotes has to be the same in every letter.
fn is_type_of(declared: &str, written: &str) -> bool {
    if declared.contains('"') || is_quoted(written) {
        return declared.trim_end_matches("[]") == written.trim_end_matches("[]");
    }
    base_name(declared) == base_name(written)
}

/// A type's name in lower case, without length, array brackets and quotes.
fn base_name(written: &str) -> String {
    let mut name = String::with_capacity(written.len());
    let mut depth = 0;
    for character in written.chars() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '"' => {}
            _ if depth == 0 => name.extend(character.to_lowercase()),
            _ => {}
        }
    }
    let words: Vec<&str> = name.split_whitespace().filter(|word| *word != "array").collect();
    words.join(" ")
}

/// The kind of a built-in type's values; nothing for those that have none of their own.
fn postgres_kind(name: &str) -> Option<ColumnKind> {
    let first = name.split(' ').next().unwrap_or(name);
    Some(match first {
        "smallint" | "int2" | "integer" | "int" | "int4" | "bigint" | "int8" => ColumnKind::Integer,
        "decimal" | "dec" | "numeric" | "real" | "float4" | "double" | "float8" | "float" | "money" => {
            ColumnKind::Number
        }
        "text" | "varchar" | "character" | "char" | "bpchar" | "nchar" | "citext" => ColumnKind::Text,
        "boolean" | "bool" => ColumnKind::Boolean,
        "date" => ColumnKind::Date,
        "timestamp" | "timestamptz" => ColumnKind::Timestamp,
        "time" | "timetz" => ColumnKind::Time,
        "interval" => ColumnKind::Interval,
        "uuid" => ColumnKind::Uuid,
        "bytea" => ColumnKind::Blob,
        "bit" | "varbit" | "json" | "jsonb" | "jsonpath" | "inet" | "cidr" | "macaddr" | "macaddr8"
        | "point" | "line" | "lseg" | "box" | "path" | "polygon" | "circle" | "tsvector" | "tsquery" => {
            ColumnKind::Other
        }
        name if name.ends_with("range") => ColumnKind::Other,
        _ => return None,
    })
}

/// The kind of `CAST(… AS type)`, by SQLite's rules of type affinity.
fn by_affinity(data_type: &str) -> ColumnKind {
    let name = data_type.to_ascii_uppercase();
    let has = |part: &str| name.contains(part);
    if has("INT") {
        ColumnKind::Integer
    } else if has("CHAR") || has("CLOB") || has("TEXT") {
        ColumnKind::Text
    } else if has("BLOB") {
        ColumnKind::Blob
    } else {
        ColumnKind::Number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_are_told_apart_from_their_sizes() {
        let check = |written: &str, expected: &str| assert_eq!(base_name(written), expected);
        check("VARCHAR(20)", "varchar");
        check("NUMERIC(10,2)", "numeric");
        check("TIMESTAMP(3) WITH TIME ZONE", "timestamp with time zone");
        check("INT[]", "int");
        check("\"order status\"", "order status");
        check("pg_catalog.regclass", "pg_catalog.regclass");
    }
}
