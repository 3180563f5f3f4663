//! Declared types, of which SQLite accepts any words: what they say about a column's values.

use std::collections::HashSet;

use crate::{
    backend::SqlType,
    question::schema::{Column, ColumnKind, Spelling},
    sqlite::translate::{self, Translated, Ty},
    statement::sqlite_lexer,
};

/// A column's type as clients are told of it: in results, in the catalogue, in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DeclaredType {
    pub(super) ty: SqlType,
    /// As `pg_attribute.atttypmod` has it.
    pub(super) modifier: i32,
}

/// What a declared type says, as users of other databases write them too; `None` where it says nothing.
pub(super) fn declared_type(declared: &str) -> Option<DeclaredType> {
    let (ty, modifier) = translate::declared_type(declared)?;
    Some(DeclaredType {
        ty: sql_type_of(ty),
        modifier: modifier.unwrap_or(-1),
    })
}

/// The PostgreSQL type that a declared type names; `None` where it says nothing.
pub(super) fn sql_type(declared: &str) -> Option<SqlType> {
    declared_type(declared).map(|found| found.ty)
}

/// The digits behind the point that values of a declared type have.
pub(super) fn scale(declared: &str) -> Option<usize> {
    let told = declared_type(declared).filter(|told| told.ty == SqlType::Numeric && told.modifier >= 4)?;
    // As `numerictypmodin` packs it.
    usize::try_from((told.modifier - 4) & 0x7ff).ok()
}

/// The most that a declared type lets its values be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Most {
    /// Characters of a text.
    Characters(usize),
    /// The digits before the point of a number.
    Digits(i32),
}

/// The most that values of a declared type may be, where it says so.
pub(super) fn most(declared: &str) -> Option<Most> {
    let told = declared_type(declared).filter(|told| told.modifier >= 4)?;
    let length = told.modifier - 4;
    match told.ty {
        SqlType::Varchar | SqlType::Bpchar => usize::try_from(length).ok().map(Most::Characters),
        SqlType::Numeric => {
            // The scale has eleven bits, and may be less than nothing.
            let scale = ((length & 0x7ff) ^ 0x400) - 0x400;
            Some(Most::Digits((length >> 16) - scale))
        }
        _ => None,
    }
}

impl Most {
    /// The condition by which a column exceeds it.
    pub(super) fn exceeded_by(self, column: &str) -> String {
        match self {
            Self::Characters(most) => format!("length({column}) > {most}"),
            Self::Digits(most) => format!("abs({column}) >= 1e{most}"),
        }
    }
}

/// What a column holds where its declared type does not tell: other programs write numbers and words where dates are
/// declared, words where numbers are, and need declare nothing, of which all values have to be of one type then. `None`
/// where what is declared stands.
pub(super) fn held(column: &Column) -> Option<SqlType> {
    let declared = sql_type(&column.declared_type);
    if declared.is_none() && column.may_be_other {
        return None;
    }
    if declared == Some(SqlType::Money) && column.spelling == Spelling::Foreign {
        // Others keep it as a number.
        return Some(SqlType::Numeric);
    }
    let is_known = match declared {
        Some(SqlType::Date | SqlType::Timestamp) => declared.map(kind_of) == Some(column.kind),
        Some(_) => column.spelling != Spelling::Foreign,
        // Text is what is told of what is unknown.
        None => matches!(column.kind, ColumnKind::Text | ColumnKind::Other),
    };
    (!is_known).then_some(match column.kind {
        ColumnKind::Integer => SqlType::Int8,
        ColumnKind::Number => SqlType::Float8,
        ColumnKind::Text | ColumnKind::Enum | ColumnKind::Interval | ColumnKind::Other => SqlType::Text,
        ColumnKind::Boolean => SqlType::Bool,
        ColumnKind::Date => SqlType::Date,
        ColumnKind::Timestamp => SqlType::Timestamp,
        ColumnKind::Time => SqlType::Time,
        ColumnKind::Blob => SqlType::Bytea,
        ColumnKind::Uuid => SqlType::Uuid,
    })
}

/// The columns whose types a translated CREATE TABLE wrote, by their names: they hold nothing else.
pub(super) fn checked(table: &str) -> HashSet<String> {
    let tokens = || sqlite_lexer::tokens(table).map(|(_, token)| token);
    tokens()
        .zip(tokens().skip(1))
        .filter(|(name, ty)| name.starts_with('"') && (ty.starts_with('"') || WRITTEN.contains(ty)))
        .map(|(name, _)| name[1..name.len().max(2) - 1].replace("\"\"", "\""))
        .collect()
}

/// First words of types as a translated CREATE TABLE writes them behind a name in quotes, and hardly anybody else does.
const WRITTEN: [&str; 16] = [
    "BIGINT",
    "BOOL",
    "CIDR",
    "DOUBLE",
    "FLOAT4",
    "INET",
    "INT2",
    "INT4",
    "INTERVAL",
    "MACADDR",
    "MONEY",
    "NUMERIC_TEXT",
    "TIME",
    "TIMESTAMPTZ",
    "TIMETZ",
    "UUID",
];

/// The type of a key that is the rowid: it has to be an INTEGER, and what PostgreSQL has it be is kept beside that word.
pub(super) fn narrowed_key(table: &str, key: &str) -> Option<SqlType> {
    WIDTHS
        .iter()
        .filter(|(_, ty)| *ty != SqlType::Int8)
        .find(|(word, _)| table.contains(&format!("\"{key}\" INTEGER /* {word} */")))
        .map(|(_, ty)| *ty)
}

/// What stands beside the word INTEGER of a key that is the rowid.
pub(super) fn width_of_key(table: &str, key: &str) -> Option<&'static str> {
    let mut widths = WIDTHS.iter().map(|(word, _)| *word);
    widths.find(|word| table.contains(&format!("\"{key}\" INTEGER /* {word} */")))
}

/// What stands beside the word INTEGER of a key that is the rowid, and what it says.
pub(super) const WIDTHS: [(&str, SqlType); 8] = [
    ("int4", SqlType::Int4),
    ("int2", SqlType::Int2),
    ("serial4", SqlType::Int4),
    ("serial2", SqlType::Int2),
    ("serial8", SqlType::Int8),
    ("int4 always", SqlType::Int4),
    ("int2 always", SqlType::Int2),
    ("int8 always", SqlType::Int8),
];

/// True for a comment that says how wide a key is.
pub(super) fn is_width(comment: &str) -> bool {
    WIDTHS.iter().any(|(word, _)| *word == comment)
}

/// True for a key that was declared as `serial`.
pub(super) fn is_serial(table: &str, key: &str) -> bool {
    table.contains(&format!("\"{key}\" INTEGER /* serial"))
}

/// True for a key that was declared as `GENERATED ALWAYS AS IDENTITY`.
pub(super) fn is_always(table: &str, key: &str) -> bool {
    let begins = format!("\"{key}\" INTEGER /* int");
    table
        .split_once(&begins)
        .is_some_and(|(_, behind)| behind.get(1..).is_some_and(|rest| rest.starts_with(" always */")))
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

/// The types of so many parameters, as far as the translation tells them.
pub(super) fn parameter_types(translated: &Translated, count: usize) -> Vec<Option<SqlType>> {
    let type_of = |number| translated.parameters.get(&number).copied().map(sql_type_of);
    (1..=count).map(type_of).collect()
}

/// What a client is told of a type; text for what exists within statements alone.
pub(super) fn sql_type_of(ty: Ty) -> SqlType {
    match ty {
        Ty::Array(of) => sql_type_of(*of).array(),
        scalar => scalar.sql_type().unwrap_or(SqlType::Text),
    }
}

/// A client's type as the translation knows it.
pub(super) fn type_of(ty: SqlType) -> Option<Ty> {
    match ty {
        SqlType::Void => None,
        SqlType::Array(of) => Some(type_of(*of)?.array()),
        scalar => Ty::of_sql_type(scalar),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_nobody_else_made() {
        let table = "CREATE TABLE \"t\" (\"a\" \"date\", \"b\" /* when */ \"timestamp(3)\" NOT NULL, \"c\" DATE, d date, \
                     \"e\" BOOL, f BOOL)";
        for (column, expected) in [
            ("a", true),
            ("b", true),
            ("c", false),
            ("d", false),
            ("e", true),
            ("f", false),
            ("g", false),
        ] {
            assert_eq!(checked(table).contains(column), expected, "{column}");
        }
    }

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
}
