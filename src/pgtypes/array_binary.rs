//! Arrays in the binary format, as PostgreSQL's `array_send` and `array_recv` have it.

use bytes::{BufMut, BytesMut};

use super::{
    SqlType, Value, ValueError,
    array::{Array, DIMENSIONS, Element, array_elements, other_bounds, too_deep},
    receive::ByteReader,
    send,
};

/// Elements that an array may have (`MaxArraySize`).
const MOST: i64 = 134_217_727;

/// Writes an array; its elements are of this type.
pub(super) fn put(array: &Array, ty: SqlType, out: &mut BytesMut) -> Result<(), ValueError> {
    let bounds: Vec<(usize, i32)> = array.lengths.iter().map(|length| (*length, 1)).collect();
    put_all(&bounds, &array.elements, ty, out)
}

/// Writes a vector, `1 2`: an array of one dimension that is counted from 0 and has no NULL.
pub(super) fn put_vector(vector: &str, ty: SqlType, out: &mut BytesMut) -> Result<(), ValueError> {
    let elements = array_elements(vector);
    put_all(&[(elements.len(), 0)], &elements, ty, out)
}

fn put_all(
    bounds: &[(usize, i32)],
    elements: &[Element],
    ty: SqlType,
    out: &mut BytesMut,
) -> Result<(), ValueError> {
    out.put_i32(bounds.len() as i32);
    out.put_i32(elements.iter().any(Option::is_none).into());
    out.put_u32(ty.oid());
    for (length, low) in bounds {
        out.put_i32(*length as i32);
        out.put_i32(*low);
    }
    for text in elements {
        let Some(text) = text else {
            out.put_i32(-1);
            continue;
        };
        let mut bytes = BytesMut::new();
        send::put(&element(text, ty), ty, &mut bytes)?;
        out.put_i32(bytes.len() as i32);
        out.put_slice(&bytes);
    }
    Ok(())
}

/// An element as a value of its type.
fn element(text: &str, ty: SqlType) -> Value {
    match ty {
        SqlType::Bytea => super::bytea::of(text).map_or_else(|_| Value::Text(text.into()), Value::Blob),
        _ => Value::Text(text.as_bytes().to_vec()),
    }
}

/// Reads an array of elements of a type, which `element` reads, as PostgreSQL's `array_recv` does.
pub(super) fn receive(
    source: &mut ByteReader<'_>,
    ty: SqlType,
    element: impl Fn(&mut ByteReader<'_>) -> Result<String, ValueError>,
) -> Result<Array, ValueError> {
    let (bounds, elements) = receive_all(source, ty, element)?;
    if bounds.iter().any(|(_, low)| *low != 1) {
        return Err(other_bounds());
    }
    let lengths = bounds.iter().map(|(length, _)| *length).collect();
    Ok(Array { lengths, elements })
}

/// Reads a vector.
pub(super) fn receive_vector(
    source: &mut ByteReader<'_>,
    ty: SqlType,
    element: impl Fn(&mut ByteReader<'_>) -> Result<String, ValueError>,
) -> Result<String, ValueError> {
    let (bounds, elements) = receive_all(source, ty, element)?;
    let is_vector = match bounds.as_slice() {
        [] => true,
        [(_, low)] => *low == 0 && !elements.contains(&None),
        _ => false,
    };
    if !is_vector {
        return Err(ValueError::new(
            "22P03",
            format!("invalid {}vector data", ty.name()),
        ));
    }
    let numbers: Vec<String> = elements.into_iter().flatten().collect();
    Ok(numbers.join(" "))
}

/// The length and the lower bound of each dimension, and the elements.
type Received = (Vec<(usize, i32)>, Vec<Element>);

fn receive_all(
    source: &mut ByteReader<'_>,
    ty: SqlType,
    element: impl Fn(&mut ByteReader<'_>) -> Result<String, ValueError>,
) -> Result<Received, ValueError> {
    let wrong = |what: String| Err(ValueError::new("22P03", what));
    let dimensions = source.i32()?;
    let Ok(dimensions) = usize::try_from(dimensions) else {
        return wrong(format!("invalid number of dimensions: {dimensions}"));
    };
    if dimensions > DIMENSIONS {
        return Err(too_deep(dimensions));
    }
    if !matches!(source.i32()?, 0 | 1) {
        return wrong("invalid array flags".into());
    }
    let of = source.i32()? as u32;
    if of != ty.oid() {
        let name = |oid: u32| SqlType::from_oid(oid).map_or("???", SqlType::sql_name);
        let message = format!(
            "binary data has array element type {of} ({}) instead of expected {} ({})",
            name(of),
            ty.oid(),
            ty.sql_name()
        );
        return Err(ValueError::new("42804", message));
    }
    let mut bounds = vec![];
    let mut count = i64::from(dimensions > 0);
    let mut too_many = false;
    for _ in 0..dimensions {
        let (length, low) = (source.i32()?, source.i32()?);
        count = count.saturating_mul(length.into());
        too_many |= length < 0 || count > MOST;
        bounds.push((usize::try_from(length).unwrap_or(0), low));
    }
    if too_many {
        let message = format!("array size exceeds the maximum allowed ({MOST})");
        return Err(ValueError::new("54000", message));
    }
    for (length, low) in &bounds {
        if low.checked_add(*length as i32).is_none() {
            return Err(ValueError::new(
                "54000",
                format!("array lower bound is too large: {low}"),
            ));
        }
    }
    if count == 0 {
        return Ok((vec![], vec![]));
    }
    let mut elements = vec![];
    for at in 1..=count {
        let length = source.i32()?;
        if length == -1 {
            elements.push(None);
            continue;
        }
        let Some(bytes) = usize::try_from(length)
            .ok()
            .and_then(|length| source.take(length).ok())
        else {
            return wrong("insufficient data left in message".into());
        };
        let mut inner = ByteReader::new(bytes);
        elements.push(Some(element(&mut inner)?));
        if !inner.is_empty() {
            return wrong(format!("improper binary format in array element {at}"));
        }
    }
    Ok((bounds, elements))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_counted_from_0() {
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
    }
}
