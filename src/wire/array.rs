//! Arrays of one dimension, kept as PostgreSQL writes them (`{1,NULL,"a b"}`), in the binary format.

use bytes::{Buf, BufMut, BytesMut};

use super::{
    WireError, parameter, utf8,
    value::{put_binary, put_hex},
};
use crate::backend::{SqlType, Value, array_elements, array_text, float::float8_text};

/// An element as a value of its type.
fn element(text: &str, ty: SqlType) -> Value {
    match ty {
        SqlType::Bool => Value::Integer(i64::from(matches!(text, "t" | "true" | "1"))),
        SqlType::Bytea => parameter::bytea(text).map_or_else(|| Value::Text(text.into()), Value::Blob),
        _ => Value::Text(text.as_bytes().to_vec()),
    }
}

/// Writes a vector, `1 2`: an array of one dimension that is counted from 0 and has no NULL.
pub(super) fn put_vector(vector: &str, ty: SqlType, out: &mut BytesMut) -> Result<(), WireError> {
    let elements: Vec<&str> = vector.split_whitespace().collect();
    out.put_i32(1);
    out.put_i32(0);
    out.put_u32(ty.oid());
    out.put_i32(elements.len() as i32);
    out.put_i32(0);
    for text in elements {
        let mut bytes = BytesMut::new();
        put_binary(&element(text, ty), ty, &mut bytes)?;
        out.put_i32(bytes.len() as i32);
        out.put_slice(&bytes);
    }
    Ok(())
}

/// Writes an array.
pub(super) fn put(array: &str, ty: SqlType, out: &mut BytesMut) -> Result<(), WireError> {
    let elements = array_elements(array);
    out.put_i32(i32::from(!elements.is_empty()));
    out.put_i32(i32::from(elements.iter().any(Option::is_none)));
    out.put_u32(ty.oid());
    if elements.is_empty() {
        return Ok(());
    }
    out.put_i32(elements.len() as i32);
    out.put_i32(1);
    for text in elements {
        let Some(text) = text else {
            out.put_i32(-1);
            continue;
        };
        let mut bytes = BytesMut::new();
        put_binary(&element(&text, ty), ty, &mut bytes)?;
        out.put_i32(bytes.len() as i32);
        out.put_slice(&bytes);
    }
    Ok(())
}

/// Reads an array of one dimension; `None` for anything else.
pub(super) fn read(mut bytes: &[u8], element: impl Fn(&[u8]) -> Result<Value, WireError>) -> Option<String> {
    let dimensions = bytes.try_get_i32().ok()?;
    bytes.try_get_i32().ok()?;
    bytes.try_get_u32().ok()?;
    if dimensions == 0 {
        return Some("{}".to_owned());
    }
    let count = bytes.try_get_i32().ok().filter(|_| dimensions == 1)?;
    bytes.try_get_i32().ok()?;
    let mut elements = vec![];
    for _ in 0..count {
        let Ok(length) = usize::try_from(bytes.try_get_i32().ok()?) else {
            elements.push(None);
            continue;
        };
        let (one, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        elements.push(Some(match element(one).ok()? {
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => float8_text(number),
            Value::Text(text) => utf8(&text).ok()?.to_owned(),
            Value::Blob(bytes) => {
                let mut hex = BytesMut::new();
                put_hex(&bytes, &mut hex);
                utf8(&hex).ok()?.to_owned()
            }
            Value::Null => return None,
        }));
    }
    bytes.is_empty().then(|| array_text(elements))
}

/// The text of an array of truth values, which SQLite holds as 0 and 1.
pub(super) fn truths(array: &str) -> String {
    each(array, |text| match text.as_str() {
        "0" => "f".to_owned(),
        "1" => "t".to_owned(),
        _ => text,
    })
}

/// The text of an array whose elements are spelled in another way.
pub(super) fn each(array: &str, spell: impl Fn(String) -> String) -> String {
    array_text(
        array_elements(array)
            .into_iter()
            .map(|element| element.map(&spell)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for (array, ty) in [
            ("{}", SqlType::Text),
            (r#"{a,NULL,"b c"}"#, SqlType::Text),
            ("{1,-2}", SqlType::Int2),
        ] {
            let mut out = BytesMut::new();
            put(array, ty, &mut out).unwrap();
            let read = read(&out, |bytes| {
                Ok(match ty {
                    SqlType::Int2 => Value::Integer(i16::from_be_bytes([bytes[0], bytes[1]]).into()),
                    _ => Value::Text(bytes.to_vec()),
                })
            });
            assert_eq!(read.as_deref(), Some(array));
        }
        assert_eq!(truths("{0,1,NULL}"), "{f,t,NULL}");
        let mut vector = BytesMut::new();
        put_vector("2 13", SqlType::Int2, &mut vector).unwrap();
        // As int2vectorsend gives it: one dimension, no NULL, int2, two elements from 0 on.
        assert_eq!(
            vector,
            [
                0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 21, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 2, 0,
                13
            ][..]
        );
        assert_eq!(read(&[0, 0, 0, 1], |_| Ok(Value::Null)), None);
    }
}
