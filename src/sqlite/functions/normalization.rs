//! `normalize` and `IS NORMALIZED`: texts that look the same in the same characters (Unicode, annex 15).

use unicode_normalization::UnicodeNormalization as _;

use super::{Failure, Nature::Strict, Out, Scalar, V, allowance, fail};

fn normalized(values: &[V]) -> Out {
    let text = values[0].text();
    let found: String = match values[1].text().as_str() {
        "nfc" => allowance::gathered(text.nfc())?,
        "nfd" => allowance::gathered(text.nfd())?,
        "nfkc" => allowance::gathered(text.nfkc())?,
        "nfkd" => allowance::gathered(text.nfkd())?,
        other => return fail("22023", format!("invalid normalization form: {other}")),
    };
    allowance::value_of(found.len())?;
    Ok(found.into())
}

/// True where a text has just these characters.
fn is(text: &str, mut normal: impl Iterator<Item = char>) -> Result<bool, Failure> {
    for character in text.chars() {
        allowance::turn()?;
        if normal.next() != Some(character) {
            return Ok(false);
        }
    }
    Ok(normal.next().is_none())
}

fn is_normalized(values: &[V]) -> Out {
    let text = values[0].text();
    Ok(V::of_bool(match values[1].text().as_str() {
        "nfc" => is(&text, text.nfc())?,
        "nfd" => is(&text, text.nfd())?,
        "nfkc" => is(&text, text.nfkc())?,
        "nfkd" => is(&text, text.nfkd())?,
        other => return fail("22023", format!("invalid normalization form: {other}")),
    }))
}

pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_normalize", 2, Strict, normalized),
    ("pg_is_normalized", 2, Strict, is_normalized),
];
