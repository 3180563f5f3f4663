//! `normalize` and `IS NORMALIZED`: texts that look the same in the same characters (Unicode, annex 15).

use unicode_normalization::{UnicodeNormalization as _, is_nfc, is_nfd, is_nfkc, is_nfkd};

use super::{Nature::Strict, Out, Scalar, V, allowance, fail};

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

fn is_normalized(values: &[V]) -> Out {
    let text = values[0].text();
    Ok(V::of_bool(match values[1].text().as_str() {
        "nfc" => is_nfc(&text),
        "nfd" => is_nfd(&text),
        "nfkc" => is_nfkc(&text),
        "nfkd" => is_nfkd(&text),
        other => return fail("22023", format!("invalid normalization form: {other}")),
    }))
}

pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_normalize", 2, Strict, normalized),
    ("pg_is_normalized", 2, Strict, is_normalized),
];
