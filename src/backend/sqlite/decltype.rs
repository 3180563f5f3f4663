//! Declared types, of which SQLite accepts any words: what they say about a column's values.

use crate::{backend::SqlType, schema::ColumnKind};

/// The PostgreSQL type that a declared type names, as users of other databases write them too;
/// `None` where it says nothing.
pub(super) fn sql_type(declared: &str) -> Option<SqlType> {
    let lower = declared.to_ascii_lowercase();
    let base = lower.split('(').next().unwrap_or_default();
    let words: Vec<&str> = base.split_whitespace().collect();
    let has = |word: &str| words.contains(&word) || lower.split_whitespace().any(|other| other == word);
    let ty = match *words.first()? {
        // What a translated CREATE TABLE declares, and types that no other database spells so.
        "bit_text" => SqlType::Bit,
        "varbit_text" => SqlType::Varbit,
        "name_text" | "name" => SqlType::Name,
        "char_text" => SqlType::Char,
        "timetz" => SqlType::Timetz,
        "inet" => SqlType::Inet,
        "cidr" => SqlType::Cidr,
        "macaddr" => SqlType::Macaddr,
        "bool" | "boolean" => SqlType::Bool,
        // SQLite's users write INT for any whole number, and hardly anybody but PostgreSQL's writes these.
        "smallint" | "int2" => SqlType::Int2,
        "int4" => SqlType::Int4,
        "tinyint" | "smallserial" | "year" => SqlType::Int8,
        "int" | "integer" | "bigint" | "mediumint" | "int8" | "serial" | "bigserial" | "unsigned"
        | "signed" | "long" | "number" | "counter" | "autonumber" | "bit" | "rowid" | "oid" => {
            // NUMBER(10, 2) has decimals, NUMBER(10) has none.
            if words[0] == "number" && (lower.contains(',') || !lower.contains('(')) {
                SqlType::Numeric
            } else {
                SqlType::Int8
            }
        }
        "real" | "float" | "float4" | "float8" | "double" | "binary_double" | "binary_float" => {
            SqlType::Float8
        }
        "decimal" | "numeric" | "numeric_text" | "dec" | "money" | "smallmoney" | "fixed" | "currency" => {
            SqlType::Numeric
        }
        "date" => SqlType::Date,
        "timestamp" if has("with") && !has("without") => SqlType::Timestamptz,
        "timestamptz" | "datetimeoffset" => SqlType::Timestamptz,
        "timestamp" | "datetime" | "datetime2" | "smalldatetime" => SqlType::Timestamp,
        "time" => SqlType::Time,
        "varchar" | "varchar2" | "nvarchar" | "nvarchar2" | "varying" => SqlType::Varchar,
        "character" | "char" | "native" | "nchar" | "bpchar" | "national" => {
            if has("varying") {
                SqlType::Varchar
            } else if words[0] == "native" {
                SqlType::Text
            } else {
                // SQLite does not pad, so `character(n)` would promise too much.
                SqlType::Varchar
            }
        }
        "text" | "tinytext" | "mediumtext" | "longtext" | "clob" | "nclob" | "ntext" | "string"
        | "citext" | "enum" | "set" | "xml" | "interval" => SqlType::Text,
        "blob" | "tinyblob" | "mediumblob" | "longblob" | "binary" | "varbinary" | "bytea" | "image"
        | "raw" => SqlType::Bytea,
        "json" => SqlType::Json,
        "jsonb" => SqlType::Jsonb,
        "uuid" | "guid" | "uniqueidentifier" => SqlType::Uuid,
        other => return by_affinity(other),
    };
    Some(ty)
}

/// The type of a key that is the rowid: it has to be an INTEGER, and what PostgreSQL has it be is kept beside that word.
pub(super) fn narrowed_key(table: &str, key: &str) -> Option<SqlType> {
    [SqlType::Int4, SqlType::Int2]
        .into_iter()
        .find(|ty| table.contains(&format!("\"{key}\" INTEGER /* {} */", ty.name())))
}

/// The type of a column of a view, which is kept beside its name in the text that made the view.
pub(super) fn in_view<'v>(view: &'v str, column: &str) -> Option<&'v str> {
    let (head, names) = view.split_once(" (")?;
    let (names, _) = names.split_once(") AS ")?;
    if head.to_lowercase().contains(" as ") {
        return None;
    }
    let (_, behind) = names.split_once(&format!("\"{}\" /* ", column.replace('"', "\"\"")))?;
    Some(behind.split_once(" */").map_or(behind, |(ty, _)| ty))
}

/// SQLite's own rule for words that nobody knows ("Datatypes In SQLite", section 3.1).
fn by_affinity(word: &str) -> Option<SqlType> {
    if word.contains("int") {
        Some(SqlType::Int8)
    } else if ["char", "clob", "text"].iter().any(|part| word.contains(part)) {
        Some(SqlType::Text)
    } else if word.contains("blob") {
        Some(SqlType::Bytea)
    } else if ["real", "floa", "doub"].iter().any(|part| word.contains(part)) {
        Some(SqlType::Float8)
    } else {
        None
    }
}

/// The family of values of a declared type; `None` where it says nothing.
pub(super) fn kind(declared: &str) -> Option<ColumnKind> {
    sql_type(declared).map(kind_of)
}

/// The family of values of a type.
pub(super) fn kind_of(ty: SqlType) -> ColumnKind {
    match ty {
        SqlType::Bool => ColumnKind::Boolean,
        SqlType::Int2 | SqlType::Int4 | SqlType::Int8 | SqlType::Oid => ColumnKind::Integer,
        SqlType::Float4 | SqlType::Float8 | SqlType::Numeric => ColumnKind::Number,
        SqlType::Date => ColumnKind::Date,
        SqlType::Time => ColumnKind::Time,
        SqlType::Timestamp | SqlType::Timestamptz => ColumnKind::Timestamp,
        SqlType::Bytea => ColumnKind::Blob,
        _ => ColumnKind::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_beside_the_columns_of_a_view() {
        let view = "CREATE VIEW \"v\" (\"a\" /* int4 */, \"b\"\"c\", \"d\" /* numeric(10,2) */) AS SELECT 1";
        for (column, expected) in [
            ("a", Some("int4")),
            ("b\"c", None),
            ("d", Some("numeric(10,2)")),
            ("e", None),
        ] {
            assert_eq!(in_view(view, column), expected);
        }
        assert_eq!(
            in_view("CREATE VIEW v AS SELECT 1 AS \"a\" /* int4 */", "a"),
            None
        );
    }

    #[test]
    fn names_of_many_databases() {
        for (declared, expected) in [
            ("INTEGER", Some(SqlType::Int8)),
            ("unsigned big int", Some(SqlType::Int8)),
            ("VARCHAR(20)", Some(SqlType::Varchar)),
            ("varying character (255)", Some(SqlType::Varchar)),
            ("character varying(30)", Some(SqlType::Varchar)),
            ("DECIMAL(10,2)", Some(SqlType::Numeric)),
            ("NUMBER(10)", Some(SqlType::Int8)),
            ("NUMBER(10, 2)", Some(SqlType::Numeric)),
            ("DATETIME", Some(SqlType::Timestamp)),
            ("timestamp with time zone", Some(SqlType::Timestamptz)),
            ("TIMESTAMP WITHOUT TIME ZONE", Some(SqlType::Timestamp)),
            ("Double Precision", Some(SqlType::Float8)),
            ("bool", Some(SqlType::Bool)),
            ("floating point", Some(SqlType::Float8)),
            ("UINT64", Some(SqlType::Int8)),
            ("geometry", None),
            ("", None),
        ] {
            assert_eq!(sql_type(declared), expected, "{declared}");
        }
    }
}
