//! What an array's elements are as its text, as PostgreSQL's `array_out` writes it.

use std::fmt::Write as _;

use super::{
    Failure, allowance,
    array::Element,
    quotes::{Before, escaped},
};
use crate::pgtypes::array::{Array, is_special};

/// Adds an element to the text of an array.
pub(super) fn push(array: &mut String, element: &Element) -> Result<(), Failure> {
    allowance::turn()?;
    if let Some(text) = element {
        return push_text(array, text);
    }
    array.push_str("NULL");
    Ok(())
}

fn push_text(array: &mut String, text: &str) -> Result<(), Failure> {
    if needs_quotes(text)? {
        let inner = escaped(text, &['"', '\\'], Before::Backslash)?;
        let _ = write!(array, "\"{inner}\"");
    } else {
        array.push_str(text);
    }
    Ok(())
}

/// True where an element has to stand in quotes.
fn needs_quotes(text: &str) -> Result<bool, Failure> {
    Ok(text.is_empty()
        || text.eq_ignore_ascii_case("null")
        || allowance::position(text.as_bytes(), is_special)?.is_some())
}

/// An array with all its dimensions.
pub(super) fn text(array: &Array) -> Result<String, Failure> {
    let mut text = String::new();
    if array.elements.is_empty() {
        return Ok("{}".into());
    }
    put(&mut text, &array.lengths, &mut array.elements.iter())?;
    Ok(text)
}

fn put<'e>(
    text: &mut String,
    lengths: &[usize],
    elements: &mut impl Iterator<Item = &'e Element>,
) -> Result<(), Failure> {
    let [length, inner @ ..] = lengths else {
        return push(text, elements.next().unwrap_or(&None));
    };
    text.push('{');
    for at in 0..*length {
        if at > 0 {
            text.push(',');
        }
        put(text, inner, elements)?;
    }
    text.push('}');
    Ok(())
}

/// The array of elements.
pub(super) fn array_text(elements: &[Element]) -> Result<String, Failure> {
    let mut array = String::from("{");
    for (at, element) in elements.iter().enumerate() {
        if at > 0 {
            array.push(',');
        }
        push(&mut array, element)?;
    }
    array.push('}');
    Ok(array)
}
