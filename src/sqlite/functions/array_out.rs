//! What an array's elements are as its text, as PostgreSQL's `array_out` writes it.

use std::fmt::Write as _;

use super::{
    Failure, allowance,
    array::Element,
    quotes::{Before, escaped},
};
use crate::pgtypes::array::needs_quotes;

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
    if needs_quotes(text) {
        let inner = escaped(text, &['"', '\\'], Before::Backslash)?;
        let _ = write!(array, "\"{inner}\"");
    } else {
        array.push_str(text);
    }
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
