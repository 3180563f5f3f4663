//! What a column holds, from its type's row in `pg_type`.

use crate::question::schema::ColumnKind;

/// The kind of a type: its number, `typtype` and `typcategory`. For a domain, those of the type below it.
pub(super) fn kind(oid: u32, typtype: &str, category: &str) -> ColumnKind {
    match oid {
        16 => ColumnKind::Boolean,
        17 => ColumnKind::Blob,
        // int8, int2, int4, oid.
        20 | 21 | 23 | 26 => ColumnKind::Integer,
        // float4, float8, numeric.
        700 | 701 | 1700 => ColumnKind::Number,
        // "char", which is one letter.
        18 => ColumnKind::Text,
        1082 => ColumnKind::Date,
        1114 | 1184 => ColumnKind::Timestamp,
        1083 | 1266 => ColumnKind::Time,
        1186 => ColumnKind::Interval,
        2950 => ColumnKind::Uuid,
        _ if typtype == "e" => ColumnKind::Enum,
        // Character types of extensions, such as citext, are in the category too.
        _ if category == "S" => ColumnKind::Text,
        _ => ColumnKind::Other,
    }
}
