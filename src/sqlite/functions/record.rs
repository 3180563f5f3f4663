//! Rows in words, as PostgreSQL's `record_out` and `record_in` have them: `(1,"a b",)`.

use std::fmt::Write as _;

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance, fail,
    quotes::{Before, escaped},
};

/// True for what is read as itself without quotes.
fn is_plain(field: &str) -> Result<bool, Failure> {
    let is_special =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\\' | b'(' | b')' | b',');
    Ok(!field.is_empty() && allowance::position(field.as_bytes(), is_special)?.is_none())
}

fn shown(fields: &[V]) -> Out {
    let mut shown = String::from("(");
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            shown.push(',');
        }
        let text = field.text();
        if field.is_null() || is_plain(&text)? {
            shown.push_str(&text);
        } else {
            let inner = escaped(&text, &['"', '\\'], Before::Itself)?;
            let _ = write!(shown, "\"{inner}\"");
        }
        allowance::value_of(shown.len())?;
    }
    shown.push(')');
    Ok(shown.into())
}

/// The fields of a row; `None` for what is no row.
pub(super) fn fields(text: &str) -> Result<Option<Vec<Option<String>>>, Failure> {
    let inside = text
        .trim()
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let Some(inner) = inside else { return Ok(None) };
    let (mut found, mut field, mut quoted) = (vec![], None::<String>, false);
    let mut characters = inner.chars().peekable();
    while let Some(character) = characters.next() {
        allowance::turn()?;
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.get_or_insert_default().push('"');
            }
            '"' => {
                quoted = !quoted;
                field.get_or_insert_default();
            }
            '\\' => match characters.next() {
                Some(character) => field.get_or_insert_default().push(character),
                None => return Ok(None),
            },
            ',' if !quoted => found.push(field.take()),
            '(' | ')' if !quoted => return Ok(None),
            other => field.get_or_insert_default().push(other),
        }
    }
    found.push(field);
    Ok((!quoted).then_some(found))
}

/// The field at a place of a row that has so many.
fn field(values: &[V]) -> Out {
    let text = values[0].text();
    allowance::memory_of(text.len())?;
    let found = fields(&text)?.filter(|found| found.len() as i64 == values[2].int());
    let Some(found) = found else {
        return fail("22P02", format!("malformed record literal: \"{text}\""));
    };
    let at = usize::try_from(values[1].int()).ok();
    let field = at.and_then(|at| found.into_iter().nth(at)).flatten();
    Ok(field.map_or(V::Null, V::from))
}

/// Functions of rows.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_row_text", -1, Lenient, shown),
    ("pg_row_field", 3, Strict, field),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_shown() {
        for row in [
            vec![V::Int(1), V::Text("a".into()), V::Null],
            vec![V::Text(String::new()), V::Text("a b".into())],
            vec![V::Text("q\"u\\o(t),e".into()), V::Text("é".into())],
            vec![V::Null],
        ] {
            let text = shown(&row).unwrap().text();
            for (at, value) in row.iter().enumerate() {
                let read = field(&[text.clone().into(), V::Int(at as i64), V::Int(row.len() as i64)]);
                assert_eq!(read.unwrap().text(), value.text(), "{text}");
            }
        }
        assert_eq!(
            shown(&[V::Text("a,b".into()), V::Null]).unwrap().text(),
            "(\"a,b\",)"
        );
        for broken in ["", "(", "1,2", "(1", "(\"a)", "(a\\)", "(1,2)"] {
            assert!(field(&[broken.into(), V::Int(0), V::Int(1)]).is_err(), "{broken}");
        }
    }
}
