//! Values as PostgreSQL sends them. SQLite keeps any value in any column, so a value may not fit the
//! type that the client was told: as text it goes as it is spelled, in binary it is an error.

use std::{borrow::Cow, convert::Infallible};

use bytes::{BufMut, BytesMut};

use super::{
    SqlType, Value, ValueError,
    array::Array,
    bytea,
    float::{float4_text, float8_text},
    interval::Interval,
    interval_style::IntervalStyle,
    kept,
    send::{self, truth},
    styles::Styles,
    utf8, uuid,
};

/// How a value is spelled on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// As PostgreSQL prints it.
    #[default]
    Text,
    /// As the type's send function has it.
    Binary,
}

impl Format {
    /// The protocol's number for it.
    pub fn code(self) -> u16 {
        match self {
            Self::Text => 0,
            Self::Binary => 1,
        }
    }
}

/// Up to here every whole number of floating point is what it seems to be.
pub(super) const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Appends a value with its length, as it stands in a `DataRow`.
pub fn encode_value(
    value: &Value,
    ty: SqlType,
    format: Format,
    styles: &Styles,
    out: &mut BytesMut,
) -> Result<(), ValueError> {
    if matches!(value, Value::Null) {
        out.put_i32(-1);
        return Ok(());
    }
    check_range(value, ty)?;
    let start = out.len();
    out.put_i32(0);
    match format {
        Format::Text => put_text(value, ty, styles, out)?,
        Format::Binary => send::put(value, ty, out)?,
    }
    let length = out.len() - start - 4;
    let length = i32::try_from(length).map_err(|_| ValueError {
        sqlstate: "54000",
        message: format!("a value of {length} bytes is too long for the protocol"),
        hint: None,
    })?;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

/// The value's text as PostgreSQL prints it; `None` for NULL.
pub fn text_of(value: &Value, ty: SqlType, styles: &Styles) -> Result<Option<String>, ValueError> {
    if matches!(value, Value::Null) {
        return Ok(None);
    }
    check_range(value, ty)?;
    let mut out = BytesMut::new();
    put_text(value, ty, styles, &mut out)?;
    utf8(&out).map(|text| Some(text.to_owned()))
}

/// Whole numbers that SQLite has reckoned with beyond their range have become floating point, which is no whole number for
/// any driver.
fn check_range(value: &Value, ty: SqlType) -> Result<(), ValueError> {
    let name = match (ty, value) {
        (SqlType::Int2, Value::Real(_)) => "smallint",
        (SqlType::Int4, Value::Real(_)) => "integer",
        (SqlType::Int8, Value::Real(_)) => "bigint",
        _ => return Ok(()),
    };
    match value {
        Value::Real(number) if number.abs() >= LARGEST_EXACT => Err(ValueError {
            sqlstate: "22003",
            message: format!("{name} out of range"),
            hint: Some("Cast a number to numeric before it is reckoned with.".into()),
        }),
        _ => Ok(()),
    }
}

fn put_text(value: &Value, ty: SqlType, styles: &Styles, out: &mut BytesMut) -> Result<(), ValueError> {
    match (ty, value) {
        (_, Value::Null) => {}
        (SqlType::Bool, _) => match truth(value) {
            Some(truth) => out.put_u8(if truth { b't' } else { b'f' }),
            None => put_plain(value, out)?,
        },
        (SqlType::Bytea, Value::Text(bytes)) => out.put_slice(bytea::text(bytes).as_bytes()),
        (SqlType::Uuid, Value::Blob(bytes)) => match bytes.as_slice().try_into() {
            Ok(bytes) => out.put_slice(uuid::text(bytes).as_bytes()),
            Err(_) => put_plain(value, out)?,
        },
        (SqlType::Float4, Value::Real(number)) => {
            out.put_slice(float4_text(*number as f32).as_bytes());
        }
        (SqlType::Float4, Value::Integer(number)) => {
            out.put_slice(float4_text(*number as f32).as_bytes());
        }
        (SqlType::Float8, Value::Integer(number)) => {
            out.put_slice(float8_text(*number as f64).as_bytes());
        }
        (SqlType::Numeric, Value::Real(number)) => {
            out.put_slice(decimal_text(*number).as_bytes());
        }
        // They are kept in that style.
        (SqlType::Interval | SqlType::Array(SqlType::Interval), _)
            if styles.intervals == IntervalStyle::Postgres =>
        {
            put_plain(value, out)?;
        }
        (
            SqlType::Date | SqlType::Time | SqlType::Timestamp | SqlType::Timestamptz | SqlType::Interval,
            Value::Text(bytes),
        ) => {
            let text = show_utf8(bytes)?;
            out.put_slice(temporal_text(text, ty, styles).as_bytes());
        }
        (
            SqlType::Array(
                of @ (SqlType::Bool
                | SqlType::Date
                | SqlType::Timestamp
                | SqlType::Timestamptz
                | SqlType::Interval),
            ),
            Value::Text(bytes),
        ) => {
            let array = utf8(bytes)?;
            match Array::of(array) {
                Ok(elements) => {
                    let Ok(shown) = elements.map(|text| Ok::<_, Infallible>(element_text(text, *of, styles)));
                    out.put_slice(shown.text().as_bytes());
                }
                Err(_) => out.put_slice(array.as_bytes()),
            }
        }
        _ => put_plain(value, out)?,
    }
    Ok(())
}

/// A value as it is spelled, whatever the client was told.
pub(super) fn put_plain(value: &Value, out: &mut BytesMut) -> Result<(), ValueError> {
    match value {
        Value::Null => {}
        Value::Integer(number) => out.put_slice(number.to_string().as_bytes()),
        Value::Real(number) => out.put_slice(float8_text(*number).as_bytes()),
        Value::Text(bytes) => out.put_slice(show_utf8(bytes)?.as_bytes()),
        Value::Blob(bytes) => out.put_slice(bytea::text(bytes).as_bytes()),
    }
    Ok(())
}

/// What is shown of an array's element.
fn element_text(text: String, ty: SqlType, styles: &Styles) -> String {
    match (ty, text.as_str()) {
        (SqlType::Bool, "0") => "f".to_owned(),
        (SqlType::Bool, "1") => "t".to_owned(),
        (SqlType::Bool, _) => text,
        _ => temporal_text(&text, ty, styles).into_owned(),
    }
}

/// PostgreSQL's canonical spelling, or the text as it is when it is no date or time.
fn temporal_text<'t>(text: &'t str, ty: SqlType, styles: &Styles) -> Cow<'t, str> {
    let canonical = match ty {
        SqlType::Date => kept::parse_date(text).map(|days| kept::shown_days(days.into())),
        SqlType::Time => kept::parse_time(text).map(kept::time_text),
        SqlType::Interval => Interval::read(text)
            .ok()
            .map(|span| styles.intervals.text(span.months, span.days, span.micros)),
        SqlType::Timestamptz => {
            kept::parse_timestamp(text).map(|utc| kept::shown_timestamptz(utc, &styles.zone))
        }
        _ => kept::parse_timestamp(text).map(kept::shown_timestamp),
    };
    canonical.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Stored text that a client can read, or what to do about it.
fn show_utf8(bytes: &[u8]) -> Result<&str, ValueError> {
    utf8(bytes).map_err(|error| ValueError {
        hint: Some("The stored text is not UTF-8. CAST(column AS BLOB) shows its bytes.".into()),
        ..error
    })
}

/// The shortest digits without an exponent, as `numeric` prints.
pub(super) fn decimal_text(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    fn check(value: &Value, ty: SqlType, format: Format, expected: &[u8]) {
        let mut out = BytesMut::new();
        encode_value(value, ty, format, &Styles::default(), &mut out).unwrap();
        assert_eq!(&out[..4], (expected.len() as i32).to_be_bytes());
        assert_eq!(&out[4..], expected, "{value:?} as {ty:?} {format:?}");
    }

    #[test]
    fn text_is_postgresql_s() {
        for (value, ty, expected) in [
            (Value::Integer(1), SqlType::Bool, "t"),
            (Value::Integer(0), SqlType::Bool, "f"),
            (Value::Integer(7), SqlType::Bool, "7"),
            (text("true"), SqlType::Bool, "t"),
            (Value::Integer(-5), SqlType::Int8, "-5"),
            (text("n/a"), SqlType::Int8, "n/a"),
            (Value::Real(0.1), SqlType::Float8, "0.1"),
            (Value::Real(100.0), SqlType::Float8, "100"),
            (Value::Real(1e15), SqlType::Float8, "1e+15"),
            (
                Value::Real(123_456_789_012_345.0),
                SqlType::Float8,
                "123456789012345",
            ),
            (Value::Real(0.0001), SqlType::Float8, "0.0001"),
            (Value::Real(0.00001), SqlType::Float8, "1e-05"),
            (Value::Real(f64::NEG_INFINITY), SqlType::Float8, "-Infinity"),
            (Value::Real(0.1), SqlType::Float4, "0.1"),
            (Value::Real(1e20), SqlType::Numeric, "100000000000000000000"),
            (Value::Blob(vec![1, 0xab]), SqlType::Bytea, "\\x01ab"),
            (
                text("2024-01-02T03:04:05Z"),
                SqlType::Timestamp,
                "2024-01-02 03:04:05",
            ),
            (
                text("2024-01-02 03:04:05"),
                SqlType::Timestamptz,
                "2024-01-02 03:04:05+00",
            ),
            (text("2024-01-02 00:00:00"), SqlType::Date, "2024-01-02"),
            (text("soon"), SqlType::Date, "soon"),
            (text("7:30"), SqlType::Time, "7:30"),
            (text("07:30"), SqlType::Time, "07:30:00"),
            (text("{{0},{1}}"), SqlType::Array(&SqlType::Bool), "{{f},{t}}"),
            (
                text("{/9999956-03-15,soon}"),
                SqlType::Array(&SqlType::Date),
                "{\"0044-03-15 BC\",soon}",
            ),
            (text("{0"), SqlType::Array(&SqlType::Bool), "{0"),
        ] {
            check(&value, ty, Format::Text, expected.as_bytes());
        }
    }

    #[test]
    fn binary_is_postgresql_s() {
        for (value, ty, expected) in [
            (Value::Integer(1), SqlType::Bool, vec![1]),
            (Value::Integer(258), SqlType::Int2, vec![1, 2]),
            (Value::Integer(-1), SqlType::Int4, vec![255; 4]),
            (text("3"), SqlType::Int4, vec![0, 0, 0, 3]),
            (Value::Integer(2), SqlType::Int8, vec![0, 0, 0, 0, 0, 0, 0, 2]),
            (Value::Integer(1), SqlType::Float8, 1f64.to_be_bytes().to_vec()),
            (text("2000-01-02"), SqlType::Date, vec![0, 0, 0, 1]),
            (
                text("2000-01-01 00:00:00.000001"),
                SqlType::Timestamp,
                vec![0, 0, 0, 0, 0, 0, 0, 1],
            ),
            (text("{}"), SqlType::Jsonb, b"\x01{}".to_vec()),
            (
                text("00010203-0405-0607-0809-0a0b0c0d0e0f"),
                SqlType::Uuid,
                (0..16).collect(),
            ),
            (
                Value::Real(1.5),
                SqlType::Numeric,
                vec![0, 2, 0, 0, 0, 0, 0, 1, 0, 1, 0x13, 0x88],
            ),
            (Value::Real(2.0), SqlType::Text, b"2".to_vec()),
        ] {
            check(&value, ty, Format::Binary, &expected);
        }
    }

    #[test]
    fn whole_numbers_beyond_their_range_are_errors() {
        for format in [Format::Text, Format::Binary] {
            for (value, ty, words) in [
                (9_223_372_036_854_775_808.0, SqlType::Int8, "bigint out of range"),
                (-4.7e18, SqlType::Int8, "bigint out of range"),
                (f64::INFINITY, SqlType::Int4, "integer out of range"),
            ] {
                let mut out = BytesMut::new();
                let error = encode_value(&Value::Real(value), ty, format, &Styles::default(), &mut out);
                let error = error.unwrap_err();
                assert_eq!((error.sqlstate, error.message.as_str()), ("22003", words));
            }
        }
        check(&Value::Real(5.0), SqlType::Int8, Format::Text, b"5");
    }

    #[test]
    fn what_binary_cannot_show_is_an_error_with_a_hint() {
        for (value, ty) in [
            (text("many"), SqlType::Int8),
            (Value::Integer(1 << 40), SqlType::Int4),
            (Value::Blob(vec![1]), SqlType::Float8),
            (Value::Integer(20_240_101), SqlType::Date),
            (text("x"), SqlType::Uuid),
        ] {
            let error = encode_value(
                &value,
                ty,
                Format::Binary,
                &Styles::default(),
                &mut BytesMut::new(),
            )
            .unwrap_err();
            assert!(error.sqlstate == "22P02" && error.hint.is_some(), "{error:?}");
        }
    }

    #[test]
    fn stored_text_that_is_not_utf_8_is_an_error() {
        let error = text_of(&Value::Text(vec![b'a', 0xff]), SqlType::Text, &Styles::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid byte sequence for encoding \"UTF8\": 0xff"
        );
    }
}
