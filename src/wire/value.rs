//! Values as PostgreSQL sends them. SQLite keeps any value in any column, so a value may not fit the
//! type that the client was told: as text it goes as it is spelled, in binary it is an error.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

use super::{WireError, array, datetime, interval, numeric, rare, utf8};
use crate::backend::{
    SqlType, Value,
    float::{float4_text, float8_text},
    interval::IntervalStyle,
    styles::Styles,
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

/// Appends a value with its length, as it stands in a `DataRow`.
pub fn encode_value(
    value: &Value,
    ty: SqlType,
    format: Format,
    styles: &Styles,
    out: &mut BytesMut,
) -> Result<(), WireError> {
    if matches!(value, Value::Null) {
        out.put_i32(-1);
        return Ok(());
    }
    let start = out.len();
    out.put_i32(0);
    match format {
        Format::Text => put_text(value, ty, styles, out)?,
        Format::Binary => put_binary(value, ty, out)?,
    }
    let length = out.len() - start - 4;
    let length = i32::try_from(length).map_err(|_| WireError::Value {
        sqlstate: "54000",
        message: format!("a value of {length} bytes is too long for the protocol"),
        hint: None,
    })?;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

/// The value's text as PostgreSQL prints it; `None` for NULL.
pub fn text_of(value: &Value, ty: SqlType, styles: &Styles) -> Result<Option<String>, WireError> {
    if matches!(value, Value::Null) {
        return Ok(None);
    }
    let mut out = BytesMut::new();
    put_text(value, ty, styles, &mut out)?;
    utf8(&out).map(|text| Some(text.to_owned()))
}

fn put_text(value: &Value, ty: SqlType, styles: &Styles, out: &mut BytesMut) -> Result<(), WireError> {
    match (ty, value) {
        (_, Value::Null) => {}
        (SqlType::Bool, _) => match truth(value) {
            Some(truth) => out.put_u8(if truth { b't' } else { b'f' }),
            None => put_plain(value, out)?,
        },
        (SqlType::Bytea, Value::Text(bytes)) => put_hex(bytes, out),
        (SqlType::Array(SqlType::Bool), Value::Text(bytes)) => {
            out.put_slice(array::truths(utf8(bytes)?).as_bytes());
        }
        (SqlType::Uuid, Value::Blob(bytes)) if bytes.len() == 16 => {
            for (at, byte) in bytes.iter().enumerate() {
                if matches!(at, 4 | 6 | 8 | 10) {
                    out.put_u8(b'-');
                }
                out.put_slice(&hex(*byte));
            }
        }
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
                of @ (SqlType::Date | SqlType::Timestamp | SqlType::Timestamptz | SqlType::Interval),
            ),
            Value::Text(bytes),
        ) if !bytes.starts_with(b"{{") => {
            let shown = array::each(utf8(bytes)?, |text| {
                temporal_text(&text, *of, styles).into_owned()
            });
            out.put_slice(shown.as_bytes());
        }
        _ => put_plain(value, out)?,
    }
    Ok(())
}

/// A value as it is spelled, whatever the client was told.
fn put_plain(value: &Value, out: &mut BytesMut) -> Result<(), WireError> {
    match value {
        Value::Null => {}
        Value::Integer(number) => out.put_slice(number.to_string().as_bytes()),
        Value::Real(number) => out.put_slice(float8_text(*number).as_bytes()),
        Value::Text(bytes) => out.put_slice(show_utf8(bytes)?.as_bytes()),
        Value::Blob(bytes) => put_hex(bytes, out),
    }
    Ok(())
}

/// PostgreSQL's canonical spelling, or the text as it is when it is no date or time.
fn temporal_text<'t>(text: &'t str, ty: SqlType, styles: &Styles) -> Cow<'t, str> {
    let canonical = match ty {
        SqlType::Date => datetime::parse_date(text).map(|days| datetime::format_days(days.into())),
        SqlType::Time => datetime::parse_time(text).map(datetime::format_time),
        SqlType::Interval => interval::parse(text)
            .map(|(months, days, micros)| styles.intervals.text(months.into(), days.into(), micros)),
        SqlType::Timestamptz => {
            datetime::parse_timestamp(text).map(|utc| datetime::format_timestamptz(utc, &styles.zone))
        }
        _ => datetime::parse_timestamp(text).map(datetime::format_timestamp),
    };
    canonical.map_or(Cow::Borrowed(text), Cow::Owned)
}

pub(super) fn put_binary(value: &Value, ty: SqlType, out: &mut BytesMut) -> Result<(), WireError> {
    let fits = match ty {
        SqlType::Bool => truth(value).map(|truth| out.put_u8(truth.into())),
        SqlType::Int2 => integer(value)
            .and_then(|number| i16::try_from(number).ok())
            .map(|number| out.put_i16(number)),
        SqlType::Int4 => integer(value)
            .and_then(|number| i32::try_from(number).ok())
            .map(|number| out.put_i32(number)),
        SqlType::Oid => integer(value)
            .and_then(|number| u32::try_from(number).ok())
            .map(|number| out.put_u32(number)),
        SqlType::Int8 => integer(value).map(|number| out.put_i64(number)),
        SqlType::Float4 => real(value).map(|number| out.put_f32(number as f32)),
        SqlType::Float8 => real(value).map(|number| out.put_f64(number)),
        SqlType::Numeric => plain_text(value)
            .filter(|text| numeric::encode(text, out))
            .map(|_| ()),
        SqlType::Date => plain_text(value)
            .and_then(|text| datetime::parse_date(&text))
            .map(|days| out.put_i32(days)),
        SqlType::Time => plain_text(value)
            .and_then(|text| datetime::parse_time(&text))
            .map(|micros| out.put_i64(micros)),
        SqlType::Timestamp | SqlType::Timestamptz => plain_text(value)
            .and_then(|text| datetime::parse_timestamp(&text))
            .map(|micros| out.put_i64(micros)),
        SqlType::Uuid => uuid(value).map(|bytes| out.put_slice(&bytes)),
        SqlType::Bytea => {
            match value {
                Value::Blob(bytes) | Value::Text(bytes) => out.put_slice(bytes),
                other => put_plain(other, out)?,
            }
            Some(())
        }
        SqlType::Jsonb => {
            // The format's version.
            out.put_u8(1);
            put_plain(value, out)?;
            Some(())
        }
        SqlType::Array(of) => return array::put(&plain_text(value).unwrap_or_default(), *of, out),
        SqlType::Int2vector => {
            return array::put_vector(&plain_text(value).unwrap_or_default(), SqlType::Int2, out);
        }
        SqlType::Oidvector => {
            return array::put_vector(&plain_text(value).unwrap_or_default(), SqlType::Oid, out);
        }
        SqlType::Interval => {
            plain_text(value)
                .and_then(|text| interval::parse(&text))
                .map(|(months, days, micros)| {
                    out.put_i64(micros);
                    out.put_i32(days);
                    out.put_i32(months);
                })
        }
        SqlType::Timetz
        | SqlType::Money
        | SqlType::Bit
        | SqlType::Varbit
        | SqlType::Inet
        | SqlType::Cidr
        | SqlType::Macaddr => plain_text(value).and_then(|text| rare::put(&text, ty, out)),
        SqlType::Text
        | SqlType::Xml
        | SqlType::Void
        | SqlType::Varchar
        | SqlType::Bpchar
        | SqlType::Name
        | SqlType::Char
        | SqlType::Json => {
            put_plain(value, out)?;
            Some(())
        }
    };
    fits.ok_or_else(|| WireError::Value {
        sqlstate: "22P02",
        message: format!(
            "the value {} does not fit the column's type {}",
            abbreviated(value),
            ty.name()
        ),
        hint: Some(
            "SQLite keeps any value in any column. Ask for text results, or select CAST(column AS TEXT)."
                .into(),
        ),
    })
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Integer(0) => Some(false),
        Value::Integer(1) => Some(true),
        Value::Text(text) => match text.to_ascii_lowercase().as_slice() {
            b"t" | b"true" | b"yes" | b"y" | b"on" | b"1" => Some(true),
            b"f" | b"false" | b"no" | b"n" | b"off" | b"0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        Value::Real(number) if number.fract() == 0.0 && number.abs() < 9.007e15 => Some(*number as i64),
        Value::Text(_) => plain_text(value)?.trim().parse().ok(),
        _ => None,
    }
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        Value::Text(_) => plain_text(value)?.trim().parse().ok(),
        _ => None,
    }
}

fn uuid(value: &Value) -> Option<[u8; 16]> {
    match value {
        Value::Blob(bytes) => bytes.as_slice().try_into().ok(),
        Value::Text(_) => parse_uuid(&plain_text(value)?),
        _ => None,
    }
}

fn parse_uuid(text: &str) -> Option<[u8; 16]> {
    let digits: String = text
        .trim()
        .trim_start_matches('{')
        .trim_end_matches('}')
        .chars()
        .filter(|c| *c != '-')
        .collect();
    if digits.len() != 32 || !digits.is_ascii() {
        return None;
    }
    let mut bytes = [0; 16];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

fn plain_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Integer(number) => Some(Cow::Owned(number.to_string())),
        Value::Real(number) => Some(Cow::Owned(decimal_text(*number))),
        Value::Text(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        _ => None,
    }
}

/// Stored text that a client can read, or what to do about it.
fn show_utf8(bytes: &[u8]) -> Result<&str, WireError> {
    utf8(bytes).map_err(|error| match error {
        WireError::Encoding { bytes, .. } => WireError::Encoding {
            bytes,
            hint: Some("The stored text is not UTF-8. CAST(column AS BLOB) shows its bytes.".into()),
        },
        other => other,
    })
}

fn abbreviated(value: &Value) -> String {
    let text = match value {
        Value::Blob(bytes) => format!("of {} bytes", bytes.len()),
        Value::Text(bytes) => format!("\"{}\"", String::from_utf8_lossy(bytes)),
        other => plain_text(other).unwrap_or_default().into_owned(),
    };
    if text.chars().count() > 60 {
        text.chars().take(57).chain("…".chars()).collect()
    } else {
        text
    }
}

fn hex(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}

pub(super) fn put_hex(bytes: &[u8], out: &mut BytesMut) {
    out.reserve(2 + 2 * bytes.len());
    out.put_slice(b"\\x");
    for byte in bytes {
        out.put_slice(&hex(*byte));
    }
}

/// The shortest digits without an exponent, as `numeric` prints.
fn decimal_text(number: f64) -> String {
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
            assert!(
                matches!(
                    &error,
                    WireError::Value {
                        sqlstate: "22P02",
                        hint: Some(_),
                        ..
                    }
                ),
                "{error:?}"
            );
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
