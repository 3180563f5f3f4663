//! Values that other programs spelled, in the one spelling of their type by which they compare as in PostgreSQL.

use super::{
    SqlType, Value,
    calendar::kept_date,
    input::{of_text, read_timeless},
    kept,
    output::LARGEST_EXACT,
    send::truth,
    utf8, uuid,
};

/// What reckoning in floating point adds to a number, by its own size.
const NOISE: f64 = 1e-12;

/// A value in the spelling in which values of a type are kept; `None` where it is none of that type.
///
/// An empty text is no value of a type that has none: who stored it had nothing to say, which is NULL. `scale` are the digits
/// behind the point of a `numeric` that says how many it has.
pub(crate) fn canonical(value: &Value, ty: SqlType, scale: Option<usize>) -> Option<Value> {
    let text = match value {
        Value::Text(text) if text.is_empty() && !has_empty(ty) => return Some(Value::Null),
        Value::Text(text) => Some(utf8(text).ok()),
        _ => None,
    };
    match (ty, text) {
        _ if *value == Value::Null => Some(Value::Null),
        (SqlType::Bool, Some(_)) => truth(value).map(|truth| Value::Integer(truth.into())),
        (SqlType::Date, Some(text)) => match text?.trim() {
            endless @ ("infinity" | "-infinity") => Some(of_text(endless.to_owned())),
            day => kept::parse_date(day).map(|days| of_text(kept_date(days.into()))),
        },
        (SqlType::Time, Some(text)) => kept::parse_time(text?).map(|time| of_text(kept::time_text(time))),
        (SqlType::Timestamp, Some(text)) => moment(text?, ""),
        (SqlType::Timestamptz, Some(text)) => moment(text?, "+00"),
        (
            SqlType::Uuid
            | SqlType::Interval
            | SqlType::Inet
            | SqlType::Cidr
            | SqlType::Macaddr
            | SqlType::Money,
            Some(text),
        ) => read_timeless(text?, ty).ok(),
        (SqlType::Uuid, None) => match value {
            Value::Blob(bytes) => Some(of_text(uuid::text(bytes.as_slice().try_into().ok()?))),
            _ => None,
        },
        (
            SqlType::Date | SqlType::Time | SqlType::Timestamp | SqlType::Timestamptz | SqlType::Money,
            None,
        ) => None,
        (SqlType::Int2, None) => whole(value, |number| i16::try_from(number).is_ok()),
        (SqlType::Int4, None) => whole(value, |number| i32::try_from(number).is_ok()),
        (SqlType::Int8 | SqlType::Oid | SqlType::Bool, None) => whole(value, |_| true),
        (SqlType::Float4 | SqlType::Float8 | SqlType::Numeric, None) => match (value, scale) {
            (Value::Real(number), Some(scale)) if number.abs() < LARGEST_EXACT => {
                let short: f64 = format!("{number:.scale$}").parse().ok()?;
                let is_noise = (number - short).abs() <= number.abs() * NOISE;
                Some(Value::Real(if is_noise { short } else { *number }))
            }
            (Value::Integer(_) | Value::Real(_), _) => Some(value.clone()),
            _ => None,
        },
        (SqlType::Timetz, Some(text)) => {
            kept::parse_timetz(text?).map(|(time, offset)| of_text(kept::timetz_text(time, offset)))
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

fn whole(value: &Value, is_within: impl Fn(i64) -> bool) -> Option<Value> {
    match value {
        Value::Integer(number) if is_within(*number) => Some(value.clone()),
        _ => None,
    }
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
            (Value::Integer(70_000), SqlType::Int2, None),
            (text("24 hours"), SqlType::Interval, Some(text("24:00:00"))),
            (text("10:00+2"), SqlType::Timetz, Some(text("10:00:00+02"))),
            (
                text("08-00-2B-01-02-03"),
                SqlType::Macaddr,
                Some(text("08:00:2b:01:02:03")),
            ),
            (text("10.0.0.1/32"), SqlType::Inet, Some(text("10.0.0.1"))),
        ] {
            assert_eq!(canonical(&value, ty, None), expected, "{value:?} as {ty:?}");
        }
    }

    #[test]
    fn noise_behind_the_digits_of_a_column_is_none_of_the_value() {
        let noisy = Value::Real(1.01 * 3.0);
        let read = |scale| canonical(&noisy, SqlType::Numeric, scale);
        assert_eq!(read(Some(2)), Some(Value::Real(3.03)));
        assert_eq!(read(None), Some(noisy.clone()));
        assert_eq!(read(Some(1)), Some(noisy.clone()));
    }
}
