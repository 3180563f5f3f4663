//! Values in the binary format, as a type's send function writes them.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

use super::{
    SqlType, Value, ValueError,
    array::Array,
    array_binary, bits,
    interval::Interval,
    kept, macaddr, money, network, numeric,
    output::{LARGEST_EXACT, decimal_text, put_plain},
    uuid,
};

/// Appends a value without its length.
pub(super) fn put(value: &Value, ty: SqlType, out: &mut BytesMut) -> Result<(), ValueError> {
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
        SqlType::Numeric => plain_text(value).and_then(|text| numeric::send(&text, out)),
        SqlType::Date => plain_text(value)
            .and_then(|text| kept::parse_date(&text))
            .map(|days| out.put_i32(days)),
        SqlType::Time => plain_text(value)
            .and_then(|text| kept::parse_time(&text))
            .map(|micros| out.put_i64(micros)),
        SqlType::Timestamp | SqlType::Timestamptz => plain_text(value)
            .and_then(|text| kept::parse_timestamp(&text))
            .map(|micros| out.put_i64(micros)),
        SqlType::Uuid => uuid_of(value).map(|bytes| out.put_slice(&bytes)),
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
        SqlType::Array(of) => match plain_text(value).map(|text| Array::of(&text)) {
            Some(Ok(array)) => return array_binary::put(&array, *of, out),
            _ => None,
        },
        SqlType::Int2vector => {
            return array_binary::put_vector(&plain_text(value).unwrap_or_default(), SqlType::Int2, out);
        }
        SqlType::Oidvector => {
            return array_binary::put_vector(&plain_text(value).unwrap_or_default(), SqlType::Oid, out);
        }
        SqlType::Interval => plain_text(value)
            .and_then(|text| Interval::read(&text).ok())
            .map(|span| {
                out.put_i64(span.micros);
                out.put_i32(span.days as i32);
                out.put_i32(span.months as i32);
            }),
        SqlType::Timetz => {
            plain_text(value)
                .and_then(|text| kept::parse_timetz(&text))
                .map(|(time, east)| {
                    out.put_i64(time);
                    out.put_i32(-east as i32);
                })
        }
        SqlType::Money => plain_text(value)
            .and_then(|text| money::read(&text).ok())
            .map(|cents| out.put_i64(cents)),
        SqlType::Bit | SqlType::Varbit => plain_text(value).and_then(|text| bits::send(&text, out)),
        SqlType::Inet | SqlType::Cidr => plain_text(value)
            .and_then(|text| network::read(&text, ty == SqlType::Cidr).ok())
            .map(|address| network::send(address, ty == SqlType::Cidr, out)),
        SqlType::Macaddr => plain_text(value)
            .and_then(|text| macaddr::read(&text).ok())
            .map(|bytes| out.put_slice(&bytes)),
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
    fits.ok_or_else(|| ValueError {
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

pub(super) fn truth(value: &Value) -> Option<bool> {
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
        Value::Real(number) if number.fract() == 0.0 && number.abs() < LARGEST_EXACT => Some(*number as i64),
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

fn uuid_of(value: &Value) -> Option<[u8; 16]> {
    match value {
        Value::Blob(bytes) => bytes.as_slice().try_into().ok(),
        Value::Text(_) => uuid::read(&plain_text(value)?).ok(),
        _ => None,
    }
}

fn plain_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Integer(number) => Some(Cow::Owned(number.to_string())),
        Value::Real(number) => Some(Cow::Owned(decimal_text(*number))),
        Value::Text(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        _ => None,
    }
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
