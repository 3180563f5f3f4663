//! Values that other programs spelled, in the one spelling of their type by which they compare as in PostgreSQL.

use super::{SqlType, Value, calendar::kept_date, kept, send::truth, utf8, uuid};

/// A value in the spelling in which values of a type are kept; `None` where it is none of that type.
///
/// An empty text is no value of a type that has none: who stored it had nothing to say, which is NULL.
pub(crate) fn canonical(value: &Value, ty: SqlType) -> Option<Value> {
    let text = match value {
        Value::Text(text) if text.is_empty() && !has_empty(ty) => return Some(Value::Null),
        Value::Text(text) => Some(utf8(text).ok()),
        _ => None,
    };
    match (ty, text) {
        _ if *value == Value::Null => Some(Value::Null),
        (SqlType::Bool, Some(_)) => truth(value).map(|truth| Value::Integer(truth.into())),
        (SqlType::Date, Some(text)) => kept::parse_date(text?).map(|days| of_text(kept_date(days.into()))),
        (SqlType::Time, Some(text)) => kept::parse_time(text?).map(|time| of_text(kept::time_text(time))),
        (SqlType::Timestamp, Some(text)) => moment(text?, ""),
        (SqlType::Timestamptz, Some(text)) => moment(text?, "+00"),
        (SqlType::Uuid, Some(text)) => uuid::read(text?).ok().map(|bytes| of_text(uuid::text(bytes))),
        (SqlType::Uuid, None) => match value {
            Value::Blob(bytes) => Some(of_text(uuid::text(bytes.as_slice().try_into().ok()?))),
            _ => None,
        },
        (SqlType::Date | SqlType::Time | SqlType::Timestamp | SqlType::Timestamptz, None) => None,
        (SqlType::Int2 | SqlType::Int4 | SqlType::Int8 | SqlType::Oid | SqlType::Bool, None) => {
            matches!(value, Value::Integer(_)).then(|| value.clone())
        }
        (SqlType::Float4 | SqlType::Float8 | SqlType::Numeric, None) => {
            matches!(value, Value::Integer(_) | Value::Real(_)).then(|| value.clone())
        }
        (
            SqlType::Int2
            | SqlType::Int4
            | SqlType::Int8
            | SqlType::Oid
            | SqlType::Float4
            | SqlType::Float8
            | SqlType::Numeric,
            Some(text),
        ) => text?.trim().parse::<f64>().is_ok().then(|| value.clone()),
        (SqlType::Bytea, Some(_)) => match value {
            Value::Text(text) => Some(Value::Blob(text.clone())),
            _ => None,
        },
        _ => Some(value.clone()),
    }
}

/// Whether an empty text is a value of a type.
fn has_empty(ty: SqlType) -> bool {
    ty.takes_any_text() || matches!(ty, SqlType::Bytea | SqlType::Bit | SqlType::Varbit)
}

fn moment(text: &str, suffix: &str) -> Option<Value> {
    let micros = kept::parse_timestamp(text)?;
    Some(of_text(kept::keep_timestamp(micros, suffix)))
}

fn of_text(text: String) -> Value {
    Value::Text(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_write_compares_as_what_is_kept() {
        let text = |text: &str| of_text(text.to_owned());
        for (value, ty, expected) in [
            (
                text("2024-01-02T03:04:05Z"),
                SqlType::Timestamp,
                Some(text("2024-01-02 03:04:05")),
            ),
            (
                text("2024-01-02 03:04:05.120000"),
                SqlType::Timestamp,
                Some(text("2024-01-02 03:04:05.12")),
            ),
            (
                text("2024-01-02"),
                SqlType::Timestamp,
                Some(text("2024-01-02 00:00:00")),
            ),
            (
                text("2024-01-02 03:04:05"),
                SqlType::Timestamp,
                Some(text("2024-01-02 03:04:05")),
            ),
            (text("soon"), SqlType::Timestamp, None),
            (
                text("2024-01-02 05:04:05+02:00"),
                SqlType::Timestamptz,
                Some(text("2024-01-02 03:04:05+00")),
            ),
            (
                text("2024-01-02 03:04:05"),
                SqlType::Timestamptz,
                Some(text("2024-01-02 03:04:05+00")),
            ),
            (
                text("2024-01-02 03:04:05+00"),
                SqlType::Timestamptz,
                Some(text("2024-01-02 03:04:05+00")),
            ),
            (text("infinity"), SqlType::Timestamptz, Some(text("infinity"))),
            (
                text("2024-01-02T00:00:00"),
                SqlType::Date,
                Some(text("2024-01-02")),
            ),
            (
                text("/9999956-03-15"),
                SqlType::Date,
                Some(text("/9999956-03-15")),
            ),
            (text("-infinity"), SqlType::Date, Some(text("-infinity"))),
            (text("03:04"), SqlType::Time, Some(text("03:04:00"))),
            (text("3:04"), SqlType::Time, None),
            (text("TRUE"), SqlType::Bool, Some(Value::Integer(1))),
            (text("no"), SqlType::Bool, Some(Value::Integer(0))),
            (Value::Integer(1), SqlType::Bool, Some(Value::Integer(1))),
            (text("maybe"), SqlType::Bool, None),
            (
                text("{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}"),
                SqlType::Uuid,
                Some(text("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")),
            ),
            (
                Value::Blob(vec![0; 16]),
                SqlType::Uuid,
                Some(text("00000000-0000-0000-0000-000000000000")),
            ),
            (text("ab"), SqlType::Bytea, Some(Value::Blob(b"ab".to_vec()))),
            (text(""), SqlType::Int4, Some(Value::Null)),
            (text(""), SqlType::Date, Some(Value::Null)),
            (text(""), SqlType::Text, Some(text(""))),
            (text(" 5"), SqlType::Int4, Some(text(" 5"))),
            (Value::Real(2.5), SqlType::Int4, None),
            (Value::Integer(1_700_000_000), SqlType::Timestamptz, None),
            (text("n/a"), SqlType::Int4, None),
        ] {
            assert_eq!(canonical(&value, ty), expected, "{value:?} as {ty:?}");
        }
    }
}
