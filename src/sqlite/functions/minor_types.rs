//! Functions of rarer types: bit strings, network addresses; and `parse_ident`.

use super::{Failure, Nature::Strict, Out, Scalar, V, allowance, fail, text};

/// The lowest bits of a number; further ones on the left repeat its sign.
fn int_bits(number: i64, width: i64) -> Out {
    allowance::value_of(width.max(0) as usize)?;
    let bit = |at: i64| if number >> at.min(63) & 1 == 1 { '1' } else { '0' };
    Ok((0..width).rev().map(bit).collect::<String>().into())
}

/// A bit string as a number of so many bits.
fn bits_int(bits: &str, most: usize) -> Out {
    if bits.len() > most {
        let ty = if most == 32 { "integer" } else { "bigint" };
        return fail("22003", format!("{ty} out of range"));
    }
    let number = bits
        .bytes()
        .fold(0_u64, |number, bit| number << 1 | u64::from(bit == b'1'));
    Ok(V::Int(if most == 32 {
        (number as u32 as i32).into()
    } else {
        number as i64
    }))
}

/// A bit string of this length; one of another is cut or filled on the right where that is asked for.
fn bits_of(bits: &str, width: i64, cuts: bool) -> Out {
    let length = bits.len();
    if usize::try_from(width) != Ok(length) && !cuts {
        return fail(
            "22026",
            format!("bit string length {length} does not match type bit({width})"),
        );
    }
    Ok(text::filled(bits, width, '0')?.into())
}

/// `"char"`: one byte, of which PostgreSQL shows those of more than 7 bits by their digits.
fn char_of(number: i64) -> Out {
    let Ok(number) = i8::try_from(number) else {
        return fail("22003", "\"char\" out of range");
    };
    Ok(match number.cast_unsigned() {
        0 => "".into(),
        byte if byte.is_ascii() => char::from(byte).to_string().into(),
        byte => format!("\\{byte:03o}").into(),
    })
}

fn number_of_char(text: &str) -> i64 {
    let octal = text.strip_prefix('\\').filter(|digits| digits.len() == 3);
    let byte = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok());
    let byte = byte.or(text.bytes().next()).unwrap_or_default();
    byte.cast_signed().into()
}

fn both(v: &[V], word: &str, of: fn(bool, bool) -> bool) -> Out {
    let (one, other) = (v[0].text(), v[1].text());
    if one.len() != other.len() {
        return fail("22026", format!("cannot {word} bit strings of different sizes"));
    }
    let pairs = one.bytes().zip(other.bytes());
    let bits = pairs.map(|(one, other)| if of(one == b'1', other == b'1') { '1' } else { '0' });
    Ok(bits.collect::<String>().into())
}

/// `parse_ident`: the parts of a qualified name. What follows them is an error where that is `strict`.
fn identifiers(text: &str, strict: bool) -> Out {
    let wrong = || fail("22023", format!("string is not a valid identifier: \"{text}\""));
    let mut parts = vec![];
    let mut rest = text.trim_start();
    loop {
        let length = if let Some(quoted) = rest.strip_prefix('"') {
            let mut name = String::new();
            let mut inside = quoted.char_indices().peekable();
            let end = loop {
                match inside.next() {
                    Some((_, '"')) if inside.next_if(|(_, next)| *next == '"').is_some() => name.push('"'),
                    Some((at, '"')) => break at,
                    Some((_, other)) => name.push(other),
                    None => return wrong(),
                }
            };
            if name.is_empty() {
                return wrong();
            }
            parts.push(name);
            end + 2
        } else {
            let is_first = |first: char| first.is_alphabetic() || first == '_' || !first.is_ascii();
            if !rest.starts_with(is_first) {
                return wrong();
            }
            let is_more = |next: char| is_first(next) || next.is_ascii_digit() || next == '$';
            let end = rest.find(|next| !is_more(next)).unwrap_or(rest.len());
            parts.push(rest[..end].to_lowercase());
            end
        };
        rest = rest[length..].trim_start();
        match rest.strip_prefix('.') {
            Some(next) => rest = next.trim_start(),
            None if rest.is_empty() || !strict => break,
            None => return wrong(),
        }
    }
    let elements = parts.into_iter().map(Some).collect::<Vec<_>>();
    Ok(super::array_out::array_text(&elements)?.into())
}

/// Bits moved to the left, or to the right where the count is below 0; as many as there were.
fn shifted(bits: &str, count: i64) -> String {
    let width = bits.len();
    let by = usize::try_from(count.unsigned_abs()).unwrap_or(width).min(width);
    let blank = "0".repeat(by);
    if count >= 0 {
        format!("{}{blank}", &bits[by..])
    } else {
        format!("{blank}{}", &bits[..width - by])
    }
}

/// Where a bit stands that is counted from 0.
fn place_in(bits: &str, at: i64) -> Result<usize, Failure> {
    match usize::try_from(at) {
        // What is no bit is no place of one either.
        Ok(at) if at < bits.len() && bits.is_ascii() => Ok(at),
        _ => fail(
            "2202E",
            format!("bit index {at} out of valid range (0..{})", bits.len() as i64 - 1),
        ),
    }
}

/// Functions of rarer types.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_int4_char", 1, Strict, |v| char_of(v[0].int())),
    ("pg_char_int4", 1, Strict, |v| {
        Ok(V::Int(number_of_char(&v[0].text())))
    }),
    ("pg_text_inet", 1, Strict, |v| {
        let text = v[0].text();
        let bits = if text.contains(':') { 128 } else { 32 };
        Ok(if text.contains('/') {
            text
        } else {
            format!("{text}/{bits}")
        }
        .into())
    }),
    ("pg_int_bit", 2, Strict, |v| int_bits(v[0].int(), v[1].int())),
    ("pg_bit_int4", 1, Strict, |v| bits_int(&v[0].text(), 32)),
    ("pg_bit_int8", 1, Strict, |v| bits_int(&v[0].text(), 64)),
    ("pg_bit_fit", 3, Strict, |v| {
        bits_of(&v[0].text(), v[1].int(), v[2].int() != 0)
    }),
    ("pg_bit_and_bit", 2, Strict, |v| {
        both(v, "AND", |one, other| one && other)
    }),
    ("pg_bit_or_bit", 2, Strict, |v| {
        both(v, "OR", |one, other| one || other)
    }),
    ("pg_bit_xor_bit", 2, Strict, |v| {
        both(v, "XOR", |one, other| one != other)
    }),
    ("pg_bit_not", 1, Strict, |v| {
        let other = |bit| if bit == '1' { '0' } else { '1' };
        Ok(v[0].text().chars().map(other).collect::<String>().into())
    }),
    ("pg_bit_shift", 2, Strict, |v| {
        let bits = v[0].text();
        // The dialect sqlite calls it with anything.
        if !bits.is_ascii() {
            return fail("22P02", "this is no bit string");
        }
        Ok(shifted(&bits, v[1].int()).into())
    }),
    ("pg_bit_get", 2, Strict, |v| {
        let bits = v[0].text();
        let at = place_in(&bits, v[1].int())?;
        Ok(V::Int((bits.as_bytes()[at] == b'1').into()))
    }),
    ("pg_bit_set", 3, Strict, |v| {
        let mut bits = v[0].text();
        let at = place_in(&bits, v[1].int())?;
        let new = match v[2].int() {
            0 => "0",
            1 => "1",
            _ => return fail("22023", "new bit must be 0 or 1"),
        };
        bits.replace_range(at..=at, new);
        Ok(bits.into())
    }),
    ("pg_parse_ident", 1, Strict, |v| identifiers(&v[0].text(), true)),
    ("pg_parse_ident", 2, Strict, |v| {
        identifiers(&v[0].text(), v[1].int() != 0)
    }),
];
