//! Functions of bytes: PostgreSQL's spellings of bytea, encodings and digests.

use std::fmt::Write as _;

use base64::Engine as _;
use md5::{Digest, Md5};

use super::{Failure, Nature::Strict, Out, Scalar, V, allowance, fail};
use crate::pgtypes::bytea::{self, hex};

/// As PostgreSQL prints bytes.
pub(super) fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("\\x");
    for piece in allowance::wanted_pieces(bytes) {
        text.push_str(&hex(piece));
    }
    text
}

/// A text as bytes.
pub(super) fn read(text: &str) -> Out {
    Ok(V::Blob(bytea::read(text, allowance::turn)?))
}

fn md5(value: &V) -> Result<Vec<u8>, Failure> {
    let mut digest = Md5::new();
    for piece in allowance::pieces(&value.bytes()) {
        digest.update(piece?);
    }
    Ok(digest.finalize().to_vec())
}

fn digest(algorithm: &'static ring::digest::Algorithm, value: &V) -> Out {
    let mut digest = ring::digest::Context::new(algorithm);
    for piece in allowance::pieces(&value.bytes()) {
        digest.update(piece?);
    }
    Ok(V::Blob(digest.finish().as_ref().to_vec()))
}

/// A digest by the name that `pgcrypto` has for it.
fn digest_named(values: &[V]) -> Out {
    let name = values[1].word();
    match name.as_str() {
        "md5" => Ok(V::Blob(md5(&values[0])?)),
        "sha1" => digest(&ring::digest::SHA1_FOR_LEGACY_USE_ONLY, &values[0]),
        "sha256" => digest(&ring::digest::SHA256, &values[0]),
        "sha384" => digest(&ring::digest::SHA384, &values[0]),
        "sha512" => digest(&ring::digest::SHA512, &values[0]),
        _ => fail("22023", format!("Cannot use \"{name}\": No such hash algorithm")),
    }
}

/// `hmac(data, key, algorithm)`.
fn hmac_named(values: &[V]) -> Out {
    use ring::hmac;
    let name = values[2].word();
    let algorithm = match name.as_str() {
        "sha1" => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        "sha256" => hmac::HMAC_SHA256,
        "sha384" => hmac::HMAC_SHA384,
        "sha512" => hmac::HMAC_SHA512,
        _ => return fail("22023", format!("Cannot use \"{name}\": No such hash algorithm")),
    };
    let key = values[1].bytes();
    // A long key stands for its digest.
    let key = if key.len() > algorithm.digest_algorithm().block_len() {
        digest(algorithm.digest_algorithm(), &V::Blob(key))?.bytes()
    } else {
        key
    };
    let mut signed = hmac::Context::with_key(&hmac::Key::new(algorithm, &key));
    for piece in allowance::pieces(&values[0].bytes()) {
        signed.update(piece?);
    }
    Ok(V::Blob(signed.sign().as_ref().to_vec()))
}

fn escape(bytes: &[u8]) -> Result<String, Failure> {
    let mut text = String::new();
    for byte in bytes {
        allowance::value_of(text.len())?;
        match byte {
            0 | 128.. => drop(write!(text, "\\{byte:03o}")),
            b'\\' => text.push_str("\\\\"),
            other => text.push(char::from(*other)),
        }
    }
    Ok(text)
}

fn encode(values: &[V]) -> Out {
    let bytes = values[0].bytes();
    allowance::value_of(bytes.len())?;
    Ok(match values[1].word().as_str() {
        "hex" => {
            let mut text = String::new();
            for piece in allowance::pieces(&bytes) {
                allowance::value_of(text.len())?;
                text.push_str(&hex(piece?));
            }
            text
        }
        "base64" => {
            let mut text = String::new();
            // A line has 76 characters, and a full one a line break behind it.
            for piece in bytes.chunks(57) {
                allowance::turn()?;
                base64::engine::general_purpose::STANDARD.encode_string(piece, &mut text);
                if piece.len() == 57 {
                    text.push('\n');
                }
            }
            text
        }
        "escape" => escape(&bytes)?,
        other => return fail("22023", format!("unrecognized encoding: \"{other}\"")),
    }
    .into())
}

/// As `pg_base64_decode` reads it: blanks do not count, and what stands behind the end is read on.
fn of_base64(text: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    // The bits of up to four letters, how many these are, and how many bytes the last ones stand for.
    let (mut bits, mut count, mut last) = (0_u32, 0, 3);
    for (at, byte) in text.bytes().enumerate() {
        allowance::turn()?;
        let letter = match byte {
            b' ' | b'\n' | b'\t' | b'\r' => continue,
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if last < 3 => 0,
            b'=' if count >= 2 => {
                last = count - 1;
                0
            }
            b'=' => return fail("22023", "unexpected \"=\" while decoding base64 sequence"),
            _ => {
                let letter = text[at..].chars().next().unwrap_or('?');
                let message = format!("invalid symbol \"{letter}\" found while decoding base64 sequence");
                return fail("22023", message);
            }
        };
        bits = bits << 6 | u32::from(letter);
        count += 1;
        if count == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..=last]);
            (bits, count) = (0, 0);
        }
    }
    if count != 0 {
        return fail("22023", "invalid base64 end sequence");
    }
    Ok(bytes)
}

fn decode(values: &[V]) -> Out {
    let text = values[0].text();
    match values[1].word().as_str() {
        "hex" => Ok(V::Blob(bytea::unhex(&text, allowance::turn)?)),
        "base64" => Ok(V::Blob(of_base64(&text)?)),
        "escape" => Ok(V::Blob(bytea::unescape(&text, allowance::turn)?)),
        other => fail("22023", format!("unrecognized encoding: \"{other}\"")),
    }
}

/// Bytes from one place, counted from one, up to another.
fn substring(values: &[V]) -> Out {
    let (bytes, start) = (values[0].bytes(), values[1].int());
    let end = match values.get(2).map(V::int) {
        Some(length) if length < 0 => return fail("22011", "negative substring length not allowed"),
        Some(length) => start.saturating_add(length),
        None => i64::MAX,
    };
    let place = |at: i64| usize::try_from(at.saturating_sub(1)).map_or(0, |at| at.min(bytes.len()));
    let (from, to) = (place(start), place(end));
    Ok(V::Blob(bytes[from..to.max(from)].to_vec()))
}

/// Bytes, others, where they stand, how many they take the place of.
fn overlay(values: &[V]) -> Out {
    let (bytes, new, start) = (values[0].bytes(), values[1].bytes(), values[2].int());
    if start <= 0 {
        return fail("22011", "negative substring length not allowed");
    }
    let length = values.get(3).map_or(new.len() as i64, V::int);
    let place = |at: i64| usize::try_from(at).map_or(0, |at| at.min(bytes.len()));
    let (before, after) = (place(start - 1), place((start - 1).saturating_add(length)));
    allowance::value_of(bytes.len().saturating_add(new.len()))?;
    Ok(V::Blob([&bytes[..before], &new, &bytes[after..]].concat()))
}

/// A place among so many, counted from zero.
fn index(at: i64, count: usize) -> Result<usize, Failure> {
    match usize::try_from(at).ok().filter(|at| *at < count) {
        Some(at) => Ok(at),
        None => fail(
            "2202E",
            format!("index {at} out of valid range, 0..{}", count as i64 - 1),
        ),
    }
}

fn set_byte(values: &[V]) -> Out {
    let mut bytes = values[0].bytes();
    let at = index(values[1].int(), bytes.len())?;
    // PostgreSQL takes what fits of the number.
    bytes[at] = (values[2].int() & 0xFF) as u8;
    Ok(V::Blob(bytes))
}

fn set_bit(values: &[V]) -> Out {
    let mut bytes = values[0].bytes();
    let at = index(values[1].int(), bytes.len() * 8)?;
    match values[2].int() {
        0 => bytes[at / 8] &= !(1 << (at % 8)),
        1 => bytes[at / 8] |= 1 << (at % 8),
        _ => return fail("22023", "new bit must be 0 or 1"),
    }
    Ok(V::Blob(bytes))
}

/// Functions of bytes.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_sha256", 1, Strict, |v| digest(&ring::digest::SHA256, &v[0])),
    ("pg_sha384", 1, Strict, |v| digest(&ring::digest::SHA384, &v[0])),
    ("pg_sha512", 1, Strict, |v| digest(&ring::digest::SHA512, &v[0])),
    ("pg_md5", 1, Strict, |v| Ok(hex(&md5(&v[0])?).into())),
    ("pg_digest", 2, Strict, digest_named),
    ("pg_hmac", 3, Strict, hmac_named),
    ("pg_encode", 2, Strict, encode),
    ("pg_decode", 2, Strict, decode),
    ("pg_text_bytea", 1, Strict, |v| Ok(text(&v[0].bytes()).into())),
    ("pg_bytea_substring", -3, Strict, substring),
    ("pg_bytea_overlay", -4, Strict, overlay),
    ("pg_get_byte", 2, Strict, |v| {
        let bytes = v[0].bytes();
        Ok(V::Int(bytes[index(v[1].int(), bytes.len())?].into()))
    }),
    ("pg_set_byte", 3, Strict, set_byte),
    ("pg_bytea_bit", 2, Strict, |v| {
        let bytes = v[0].bytes();
        let at = index(v[1].int(), bytes.len() * 8)?;
        Ok(V::Int((bytes[at / 8] >> (at % 8) & 1).into()))
    }),
    ("pg_bytea_set_bit", 3, Strict, set_bit),
    ("pg_bytea_bit_count", 1, Strict, |v| {
        let mut bits = 0;
        for piece in allowance::pieces(&v[0].bytes()) {
            bits += piece?
                .iter()
                .map(|byte| i64::from(byte.count_ones()))
                .sum::<i64>();
        }
        Ok(V::Int(bits))
    }),
    ("pg_bytea_cat", 2, Strict, |v| {
        Ok(V::Blob([v[0].bytes(), v[1].bytes()].concat()))
    }),
];
