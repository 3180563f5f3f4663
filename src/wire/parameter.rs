//! Values that a client binds, from both formats.

use bytes::Buf;

use super::{Format, WireError, array, datetime, numeric, rare, utf8};
use crate::backend::interval::IntervalStyle;
use crate::backend::{SqlType, Value};

/// PostgreSQL's type of literals whose type is not yet known.
const UNKNOWN: u32 = 705;

/// Reads a bound value of the type with this OID; 0 and unknown OIDs are text.
/// An array or another type that SQLite has nothing for is read as text, and refused in binary.
pub fn decode_parameter(oid: u32, format: Format, bytes: Option<&[u8]>) -> Result<Value, WireError> {
    let Some(bytes) = bytes else {
        return Ok(Value::Null);
    };
    let ty = match oid {
        0 | UNKNOWN => Some(SqlType::Text),
        oid => SqlType::from_oid(oid),
    };
    match (format, ty) {
        (Format::Text, ty) => from_text(ty.unwrap_or(SqlType::Text), utf8(bytes)?),
        (Format::Binary, Some(ty)) => from_binary(ty, bytes),
        (Format::Binary, None) => Err(WireError::Value {
            sqlstate: "0A000",
            message: format!("a binary parameter of the type with OID {oid} is not supported"),
            hint: Some("Send the parameter as text.".into()),
        }),
    }
}

fn from_text(ty: SqlType, text: &str) -> Result<Value, WireError> {
    let value = match ty {
        SqlType::Bool => match text.trim().to_ascii_lowercase().as_str() {
            "t" | "true" | "yes" | "y" | "on" | "1" => Some(Value::Integer(1)),
            "f" | "false" | "no" | "n" | "off" | "0" => Some(Value::Integer(0)),
            _ => None,
        },
        SqlType::Int2 => text.trim().parse::<i16>().ok().map(|n| Value::Integer(n.into())),
        SqlType::Int4 => text.trim().parse::<i32>().ok().map(|n| Value::Integer(n.into())),
        SqlType::Int8 => text.trim().parse().ok().map(Value::Integer),
        SqlType::Oid => text.trim().parse::<u32>().ok().map(|n| Value::Integer(n.into())),
        SqlType::Float4 | SqlType::Float8 => text.trim().parse().ok().map(Value::Real),
        SqlType::Numeric => numeric::normal(text).map(self::text),
        SqlType::Bytea => bytea(text).map(Value::Blob),
        // PostgreSQL reads more spellings than ISO; what is not ISO stays as it is for SQLite to judge.
        _ => Some(Value::Text(text.as_bytes().to_vec())),
    };
    value.ok_or_else(|| WireError::Value {
        sqlstate: "22P02",
        message: format!("invalid input syntax for type {}: \"{text}\"", input_name(ty)),
        hint: None,
    })
}

/// A decimal as the number that SQLite would store, where its own rules are to count: whole if it is whole.
pub fn as_number(value: Value) -> Value {
    let Value::Text(digits) = &value else { return value };
    let text = std::str::from_utf8(digits).unwrap_or_default();
    if let Ok(whole) = text.parse() {
        return Value::Integer(whole);
    }
    match text.parse::<f64>() {
        Ok(real) if !real.is_nan() => Value::Real(real),
        _ => value,
    }
}

pub(super) fn bytea(text: &str) -> Option<Vec<u8>> {
    if let Some(hex) = text.strip_prefix("\\x") {
        let digits: Vec<u8> = hex.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
        if !digits.len().is_multiple_of(2) {
            return None;
        }
        return digits
            .chunks(2)
            .map(|pair| {
                let pair = std::str::from_utf8(pair).ok()?;
                u8::from_str_radix(pair, 16).ok()
            })
            .collect();
    }
    // The old escape format: \\ and \ooo.
    let mut bytes = vec![];
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first != b'\\' {
            bytes.push(*first);
        } else if let Some(tail) = rest.strip_prefix(b"\\") {
            bytes.push(b'\\');
            rest = tail;
        } else {
            let octal = std::str::from_utf8(rest.get(..3)?).ok()?;
            bytes.push(u8::from_str_radix(octal, 8).ok()?);
            rest = &rest[3..];
        }
    }
    Some(bytes)
}

fn from_binary(ty: SqlType, mut bytes: &[u8]) -> Result<Value, WireError> {
    let length = bytes.len();
    let value = match (ty, length) {
        (SqlType::Bool, 1) => Some(Value::Integer((bytes[0] != 0).into())),
        (SqlType::Int2, 2) => Some(Value::Integer(bytes.get_i16().into())),
        (SqlType::Int4, 4) => Some(Value::Integer(bytes.get_i32().into())),
        (SqlType::Oid, 4) => Some(Value::Integer(bytes.get_u32().into())),
        (SqlType::Int8, 8) => Some(Value::Integer(bytes.get_i64())),
        // Kept as the shortest digits, as a literal would be.
        (SqlType::Float4, 4) => bytes.get_f32().to_string().parse().ok().map(Value::Real),
        (SqlType::Float8, 8) => Some(Value::Real(bytes.get_f64())),
        (SqlType::Numeric, _) => numeric::decode(bytes).map(text),
        (SqlType::Date, 4) => Some(text(datetime::keep_days(bytes.get_i32()))),
        (SqlType::Time, 8) => Some(bytes.get_i64())
            .filter(|micros| (0..=86_400_000_000).contains(micros))
            .map(|micros| text(datetime::format_time(micros))),
        (SqlType::Timestamp, 8) => Some(text(datetime::keep_timestamp(bytes.get_i64(), ""))),
        (SqlType::Timestamptz, 8) => Some(text(datetime::keep_timestamp(bytes.get_i64(), "+00"))),
        (SqlType::Uuid, 16) => {
            let hex = bytes
                .iter()
                .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
            Some(text(format!(
                "{}-{}-{}-{}-{}",
                &hex[..8],
                &hex[8..12],
                &hex[12..16],
                &hex[16..20],
                &hex[20..]
            )))
        }
        (SqlType::Array(of), _) => array::read(bytes, |bytes| {
            let element = from_binary(*of, bytes)?;
            Ok(match (of, element) {
                (SqlType::Bool, Value::Integer(0)) => text("f".to_owned()),
                (SqlType::Bool, _) => text("t".to_owned()),
                (_, element) => element,
            })
        })
        .map(text),
        (SqlType::Int2vector, _) => vector(bytes, SqlType::Int2),
        (SqlType::Oidvector, _) => vector(bytes, SqlType::Oid),
        (SqlType::Interval, 16) => {
            let (micros, days, months) = (bytes.get_i64(), bytes.get_i32(), bytes.get_i32());
            Some(text(IntervalStyle::default().text(
                months.into(),
                days.into(),
                micros,
            )))
        }
        (SqlType::Bytea, _) => Some(Value::Blob(bytes.to_vec())),
        (
            SqlType::Timetz
            | SqlType::Money
            | SqlType::Bit
            | SqlType::Varbit
            | SqlType::Inet
            | SqlType::Cidr
            | SqlType::Macaddr,
            _,
        ) => rare::read(bytes, ty).map(text),
        (SqlType::Jsonb, 1..) if bytes[0] == 1 => Some(text(utf8(&bytes[1..])?.to_owned())),
        (
            SqlType::Text
            | SqlType::Varchar
            | SqlType::Bpchar
            | SqlType::Name
            | SqlType::Char
            | SqlType::Xml
            | SqlType::Json,
            _,
        ) => Some(text(utf8(bytes)?.to_owned())),
        _ => None,
    };
    value.ok_or_else(|| WireError::Value {
        sqlstate: "22P03",
        message: format!("incorrect binary data format for type {}", input_name(ty)),
        hint: None,
    })
}

fn text(text: String) -> Value {
    Value::Text(text.into_bytes())
}

/// `1 2`, which comes as an array does.
fn vector(bytes: &[u8], of: SqlType) -> Option<Value> {
    let array = array::read(bytes, |bytes| from_binary(of, bytes))?;
    Some(text(array.trim_matches(['{', '}']).replace(',', " ")))
}

/// The name that PostgreSQL's messages use.
fn input_name(ty: SqlType) -> &'static str {
    match ty {
        SqlType::Bool => "boolean",
        SqlType::Int2 => "smallint",
        SqlType::Int4 => "integer",
        SqlType::Int8 => "bigint",
        SqlType::Float4 => "real",
        SqlType::Float8 => "double precision",
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{backend::styles::Styles, wire::encode_value};
    use bytes::BytesMut;

    #[test]
    fn what_is_sent_in_binary_is_read_back() {
        for (ty, value) in [
            (SqlType::Bool, Value::Integer(1)),
            (SqlType::Int2, Value::Integer(-3)),
            (SqlType::Int8, Value::Integer(i64::MIN)),
            (SqlType::Float8, Value::Real(2.5)),
            (SqlType::Numeric, text("12.25".into())),
            (SqlType::Numeric, text("0.1234567890123456789".into())),
            (SqlType::Numeric, text("NaN".into())),
            (SqlType::Date, text("2024-03-04".into())),
            (SqlType::Time, text("01:02:03.5".into())),
            (SqlType::Timestamp, text("2024-03-04 05:06:07".into())),
            (SqlType::Uuid, text("00010203-0405-0607-0809-0a0b0c0d0e0f".into())),
            (SqlType::Jsonb, text("[1]".into())),
            (SqlType::Bytea, Value::Blob(vec![0, 255])),
            (SqlType::Text, text("é".into())),
            (SqlType::Int2vector, text("2 -13".into())),
            (SqlType::Oidvector, text("4294967295".into())),
        ] {
            let mut bytes = BytesMut::new();
            encode_value(&value, ty, Format::Binary, &Styles::default(), &mut bytes).unwrap();
            let found = decode_parameter(ty.oid(), Format::Binary, Some(&bytes[4..])).unwrap();
            assert_eq!(found, value, "{ty:?}");
        }
    }

    #[test]
    fn text_is_read_by_its_type() {
        let check = |oid, text: &str, expected: Value| {
            let found = decode_parameter(oid, Format::Text, Some(text.as_bytes())).unwrap();
            assert_eq!(found, expected, "{oid} {text}");
        };
        check(0, "5", text("5".into()));
        check(23, "5", Value::Integer(5));
        check(16, "true", Value::Integer(1));
        check(1700, " 1.50", text("1.50".into()));
        check(1700, "nan", text("NaN".into()));
        check(17, "\\x00ff", Value::Blob(vec![0, 255]));
        check(17, "a\\\\b\\001", Value::Blob(b"a\\b\x01".to_vec()));
        check(1007, "{1,2}", text("{1,2}".into()));
    }

    #[test]
    fn wrong_values_are_errors() {
        let check = |oid, format, bytes: &[u8], expected: &str| {
            let error = decode_parameter(oid, format, Some(bytes)).unwrap_err();
            assert_eq!(error.to_string(), expected);
        };
        check(
            23,
            Format::Text,
            b"five",
            "invalid input syntax for type integer: \"five\"",
        );
        check(
            23,
            Format::Binary,
            &[1],
            "incorrect binary data format for type integer",
        );
        check(
            25,
            Format::Text,
            &[0xc3],
            "invalid byte sequence for encoding \"UTF8\": 0xc3",
        );
        check(
            17,
            Format::Text,
            b"\\x0",
            "invalid input syntax for type bytea: \"\\x0\"",
        );
        check(
            1700,
            Format::Binary,
            &[0; 3],
            "incorrect binary data format for type numeric",
        );
        check(
            1007,
            Format::Binary,
            &[0; 3],
            "incorrect binary data format for type _int4",
        );
        check(
            600,
            Format::Binary,
            &[0; 16],
            "a binary parameter of the type with OID 600 is not supported",
        );
    }
}
