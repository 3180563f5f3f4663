//! Functions of text; positions count characters from 1.

use std::collections::{HashMap, HashSet};

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance, fail,
    finding::{find, split},
    json,
    quotes::{identifier, literal},
    regular::{capital, small},
};
use crate::error::beginning;

/// The longest name, in bytes.
const NAME_LENGTH: usize = 63;
/// Bytes that are copied at once.
const PIECE: usize = 1 << 20;

/// Letter by letter, as the C library does it: what has no single counterpart stays.
pub(super) fn cased(text: &str, change: fn(char) -> char) -> Result<String, Failure> {
    allowance::gathered(text.chars().map(change))
}

fn initcap(text: &str) -> Out {
    let (mut inside, mut shown) = (false, String::with_capacity(text.len()));
    for character in text.chars() {
        allowance::turn()?;
        if inside {
            shown.push(small(character));
        } else {
            shown.push(capital(character));
        }
        inside = character.is_alphanumeric();
    }
    Ok(shown.into())
}

/// Where a character begins, counted from zero; behind the last one the text ends.
fn byte_of(text: &str, character: usize) -> Result<usize, Failure> {
    for (count, (at, _)) in text.char_indices().enumerate() {
        if count == character {
            return Ok(at);
        }
        allowance::turn()?;
    }
    Ok(text.len())
}

fn cut(values: &[V], from_left: bool) -> Out {
    let (text, count) = (values[0].text(), values[1].int());
    let length = allowance::count(&text)?;
    let asked = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    let kept = if count >= 0 {
        asked.min(length)
    } else {
        length.saturating_sub(asked)
    };
    let (before, after) = text.split_at(byte_of(&text, if from_left { kept } else { length - kept })?);
    Ok(if from_left { before } else { after }.into())
}

fn pad(values: &[V], on_left: bool) -> Out {
    let (text, fill) = (values[0].text(), values[2].text());
    let length = values[1].int().max(0) as usize;
    let has = allowance::count(&text)?;
    if has >= length || fill.is_empty() {
        return Ok(text[..byte_of(&text, length)?].into());
    }
    allowance::value_of(length)?;
    let padding: String = allowance::gathered(fill.chars().cycle().take(length - has))?;
    Ok(if on_left { padding + &text } else { text + &padding }.into())
}

fn substring(values: &[V]) -> Out {
    let text = values[0].text();
    let start = values[1].int();
    let end = match values.get(2) {
        Some(length) if length.int() < 0 => {
            return fail("22011", "negative substring length not allowed");
        }
        Some(length) => start.saturating_add(length.int()),
        None => i64::MAX,
    };
    let from = start.max(1) - 1;
    let count = end.saturating_sub(1).saturating_sub(from).max(0);
    let behind = &text[byte_of(&text, from as usize)?..];
    Ok(behind[..byte_of(behind, count as usize)?].into())
}

fn overlay(values: &[V]) -> Out {
    let (text, new) = (values[0].text(), values[1].text());
    let start = values[2].int();
    if start <= 0 {
        return fail("22011", "negative substring length not allowed");
    }
    let length = match values.get(3) {
        Some(length) => length.int(),
        None => allowance::count(&new)? as i64,
    };
    let before = byte_of(&text, (start - 1) as usize)?;
    let after = byte_of(&text, (start - 1).saturating_add(length).max(0) as usize)?;
    Ok([&text[..before], &new, &text[after..]].concat().into())
}

fn split_part(values: &[V]) -> Out {
    let (text, delimiter, number) = (values[0].text(), values[1].text(), values[2].int());
    if number == 0 {
        return fail("22023", "field position must not be zero");
    }
    let parts = || {
        let whole = delimiter.is_empty().then_some(Ok(text.as_str()));
        let split = whole.is_none().then(|| split(&text, &delimiter)).transpose()?;
        Ok::<_, Failure>(whole.into_iter().chain(split.into_iter().flatten()))
    };
    let at = if number > 0 {
        Some(number - 1)
    } else {
        let mut all = 0;
        for part in parts()? {
            part?;
            all += 1;
        }
        Some(all + number).filter(|at| *at >= 0)
    };
    let Some(at) = at else { return Ok("".into()) };
    for (count, part) in parts()?.enumerate() {
        let part = part?;
        if count as i64 == at {
            return Ok(part.into());
        }
    }
    Ok("".into())
}

/// Without these characters at its ends.
fn trimmed(values: &[V], from_left: bool, from_right: bool) -> Out {
    let (text, gone) = (values[0].text(), values[1].text());
    let gone: HashSet<char> = allowance::gathered(gone.chars())?;
    let mut rest = text.chars();
    while from_left && rest.clone().next().is_some_and(|next| gone.contains(&next)) {
        allowance::turn()?;
        rest.next();
    }
    while from_right && rest.clone().next_back().is_some_and(|next| gone.contains(&next)) {
        allowance::turn()?;
        rest.next_back();
    }
    Ok(rest.as_str().into())
}

/// Where a text stands in another one, or 0.
fn strpos(values: &[V]) -> Out {
    let text = values[0].text();
    Ok(V::Int(match find(&text, &values[1].text())? {
        Some(at) => allowance::count(&text[..at])? as i64 + 1,
        None => 0,
    }))
}

fn translate(values: &[V]) -> Out {
    let to = allowance::characters(&values[2].text())?;
    let mut into: HashMap<char, Option<char>> = HashMap::new();
    for (at, from) in values[1].text().chars().enumerate() {
        allowance::turn()?;
        into.entry(from).or_insert_with(|| to.get(at).copied());
    }
    let mut made = String::new();
    for character in values[0].text().chars() {
        allowance::turn()?;
        made.extend(into.get(&character).copied().unwrap_or(Some(character)));
    }
    Ok(made.into())
}

/// Texts one behind the other.
pub(super) fn joined<'t>(
    parts: impl Iterator<Item = &'t str> + Clone,
    separator: &str,
) -> Result<String, Failure> {
    let mut length = 0_usize;
    for part in parts.clone() {
        length = length.saturating_add(part.len()).saturating_add(separator.len());
        allowance::value_of(length)?;
    }
    let mut text = String::with_capacity(length);
    for (at, part) in parts.enumerate() {
        allowance::turn()?;
        if at > 0 {
            text.push_str(separator);
        }
        text.push_str(part);
    }
    Ok(text)
}

fn replace(values: &[V]) -> Out {
    let (text, old, new) = (values[0].text(), values[1].text(), values[2].text());
    if old.is_empty() {
        return Ok(text.into());
    }
    let mut count = 0_usize;
    for part in split(&text, &old)? {
        part?;
        count += 1;
    }
    let kept = text.len() - (count - 1) * old.len();
    let length = kept.saturating_add((count - 1).saturating_mul(new.len()));
    allowance::value_of(length)?;
    let mut made = String::with_capacity(length);
    for (at, part) in split(&text, &old)?.enumerate() {
        if at > 0 {
            made.push_str(&new);
        }
        made.push_str(part?);
    }
    Ok(made.into())
}

fn format(values: &[V]) -> Out {
    if values[0].is_null() {
        return Ok(V::Null);
    }
    let pattern = allowance::characters(&values[0].text())?;
    let mut shown = String::new();
    let mut next = 1;
    let mut at = 0;
    while at < pattern.len() {
        allowance::turn()?;
        let character = pattern[at];
        at += 1;
        if character != '%' {
            shown.push(character);
            continue;
        }
        let mut spec = String::new();
        while at < pattern.len() && (pattern[at].is_ascii_digit() || matches!(pattern[at], '$' | '-')) {
            allowance::turn()?;
            spec.push(pattern[at]);
            at += 1;
        }
        let Some(kind) = pattern.get(at) else {
            return fail("22023", "unterminated format() type specifier");
        };
        at += 1;
        if *kind == '%' {
            shown.push('%');
            continue;
        }
        let (position, width) = match spec.split_once('$') {
            Some((position, width)) => (position.parse().unwrap_or(next), width.to_owned()),
            None => (next, spec),
        };
        let Some(value) = values.get(position) else {
            return fail("22023", "too few arguments for format()");
        };
        next = position + 1;
        let text = match kind {
            's' => value.text(),
            'I' if value.is_null() => {
                return fail("22004", "null values cannot be formatted as an SQL identifier");
            }
            'I' => identifier(&value.text())?,
            'L' if value.is_null() => "NULL".into(),
            'L' => literal(&value.text())?,
            other => {
                return fail(
                    "22023",
                    format!("unrecognized format() type specifier \"{other}\""),
                );
            }
        };
        let left = width.starts_with('-');
        let width: usize = width.trim_start_matches('-').parse().unwrap_or(0);
        let padding = width.saturating_sub(allowance::count(&text)?);
        let length = shown.len().saturating_add(text.len()).saturating_add(padding);
        allowance::value_of(length)?;
        let padding = " ".repeat(padding);
        shown.push_str(&if left { text + &padding } else { padding + &text });
    }
    Ok(shown.into())
}

/// A text for a column of this many characters; blanks that do not fit go.
pub(super) fn fit(value: &V, length: i64, ty: &str) -> Out {
    let text = value.text();
    let limit = length.max(0) as usize;
    if allowance::count(allowance::without_end(&text, |byte| byte == b' ')?)? > limit {
        return fail("22001", format!("value too long for type {ty}({limit})"));
    }
    Ok(text[..byte_of(&text, limit)?].into())
}

/// A text of exactly this many characters.
pub(super) fn padded(value: &V, length: i64) -> Out {
    Ok(filled(&value.text(), length, ' ')?.into())
}

/// A text of exactly this many characters, cut or filled on the right.
pub(super) fn filled(text: &str, length: i64, with: char) -> Result<String, Failure> {
    let length = length.max(0) as usize;
    allowance::value_of(length)?;
    let with = std::iter::repeat(with);
    allowance::gathered(text.chars().chain(with).take(length))
}

/// Functions of text.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_raise", 2, Lenient, |v| {
        let known = [
            "0A000", "21000", "2201W", "2201X", "23503", "2BP01", "42704", "42710",
        ];
        let sqlstate = known.into_iter().find(|known| *known == v[0].text());
        fail(sqlstate.unwrap_or("XX000"), v[1].text())
    }),
    ("pg_lower", 1, Strict, |v| Ok(cased(&v[0].text(), small)?.into())),
    (
        "pg_upper",
        1,
        Strict,
        |v| Ok(cased(&v[0].text(), capital)?.into()),
    ),
    ("pg_initcap", 1, Strict, |v| initcap(&v[0].text())),
    ("pg_left", 2, Strict, |v| cut(v, true)),
    ("pg_right", 2, Strict, |v| cut(v, false)),
    ("pg_lpad", 3, Strict, |v| pad(v, true)),
    ("pg_rpad", 3, Strict, |v| pad(v, false)),
    ("pg_split_part", 3, Strict, split_part),
    ("pg_substring", 2, Strict, substring),
    ("pg_substring", 3, Strict, substring),
    ("pg_overlay", 3, Strict, overlay),
    ("pg_overlay", 4, Strict, overlay),
    ("pg_replace", 3, Strict, replace),
    ("pg_translate", 3, Strict, translate),
    ("pg_strpos", 2, Strict, strpos),
    ("pg_btrim", 2, Strict, |v| trimmed(v, true, true)),
    ("pg_ltrim", 2, Strict, |v| trimmed(v, true, false)),
    ("pg_rtrim", 2, Strict, |v| trimmed(v, false, true)),
    ("pg_reverse", 1, Strict, |v| {
        let text = v[0].text();
        Ok(allowance::gathered::<_, String>(text.chars().rev())?.into())
    }),
    ("pg_repeat", 2, Strict, |v| {
        let (text, count) = (v[0].as_text(), v[1].int().max(0) as usize);
        allowance::value_of(text.len().saturating_mul(count))?;
        // However often nothing is said.
        if text.is_empty() {
            return Ok(String::new().into());
        }
        // In pieces, since there is no looking at the clock within one.
        let once = (PIECE / text.len()).clamp(1, count.max(1));
        let piece = if once == 1 { text } else { text.repeat(once).into() };
        let length = piece.len() / once * count;
        let mut made = String::with_capacity(length);
        while made.len() + piece.len() <= length {
            allowance::now()?;
            made.push_str(&piece);
        }
        made.push_str(&piece[..length - made.len()]);
        Ok(made.into())
    }),
    ("pg_starts_with", 2, Strict, |v| {
        Ok(V::of_bool(v[0].text().starts_with(&v[1].text())))
    }),
    ("pg_ascii", 1, Strict, |v| {
        Ok(V::Int(
            v[0].text().chars().next().map_or(0, |c| u32::from(c).into()),
        ))
    }),
    ("pg_chr", 1, Strict, |v| {
        match u32::try_from(v[0].int())
            .ok()
            .filter(|code| *code > 0)
            .and_then(char::from_u32)
        {
            Some(character) => Ok(character.to_string().into()),
            None if v[0].int() == 0 => fail("54000", "null character not permitted"),
            None => fail(
                "54000",
                format!("requested character too large for encoding: {}", v[0].int()),
            ),
        }
    }),
    ("pg_to_hex", 1, Strict, |v| {
        let number = v[0].int();
        Ok(if i32::try_from(number).is_ok() {
            format!("{:x}", number as i32)
        } else {
            format!("{number:x}")
        }
        .into())
    }),
    ("pg_name", 1, Strict, |v| {
        let text = v[0].text();
        Ok(beginning(&text, NAME_LENGTH).into())
    }),
    (
        "pg_to_hex8",
        1,
        Strict,
        |v| Ok(format!("{:x}", v[0].int()).into()),
    ),
    ("pg_concat", -1, Lenient, |v| {
        let parts: Vec<String> = v.iter().map(V::text).collect();
        Ok(joined(parts.iter().map(String::as_str), "")?.into())
    }),
    ("pg_num_nulls", -1, Lenient, |v| {
        Ok(V::Int(v.iter().filter(|value| value.is_null()).count() as i64))
    }),
    ("pg_num_nonnulls", -1, Lenient, |v| {
        Ok(V::Int(v.iter().filter(|value| !value.is_null()).count() as i64))
    }),
    ("pg_concat_ws", -2, Lenient, |v| {
        if v[0].is_null() {
            return Ok(V::Null);
        }
        let parts: Vec<String> = v[1..]
            .iter()
            .filter(|value| !value.is_null())
            .map(V::text)
            .collect();
        Ok(joined(parts.iter().map(String::as_str), &v[0].text())?.into())
    }),
    ("pg_format", -2, Lenient, format),
    ("pg_quote_ident", 1, Strict, |v| {
        Ok(identifier(&v[0].text())?.into())
    }),
    ("pg_quote_literal", 1, Strict, |v| {
        Ok(literal(&v[0].text())?.into())
    }),
    ("pg_quote_nullable", 1, Lenient, |v| {
        Ok(if v[0].is_null() {
            "NULL".into()
        } else {
            literal(&v[0].text())?
        }
        .into())
    }),
    ("pg_fit", 3, Strict, |v| fit(&v[0], v[1].int(), &v[2].text())),
    ("pg_pad", 2, Strict, |v| padded(&v[0], v[1].int())),
    ("pg_json_string", 1, Strict, |v| {
        Ok(json::quoted(&v[0].text()).into())
    }),
];
