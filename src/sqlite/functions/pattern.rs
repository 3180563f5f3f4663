//! LIKE and SIMILAR TO.

use super::{Failure, Nature::Strict, Out, Scalar, V, allowance, fail, regular, text::cased};

fn like(values: &[V], any_case: bool) -> Out {
    let (mut text, pattern) = (values[0].text(), values[1].text());
    let escape = values[2].text().chars().next();
    // The escape character is the one of its case.
    let plain = if any_case { regular::small } else { |letter| letter };
    if any_case {
        text = cased(&text, plain)?;
    }
    let text = allowance::characters(&text)?;
    // Each part of the pattern: a character, any one, any number.
    let mut parts: Vec<(u8, char)> = vec![];
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        allowance::turn()?;
        if Some(character) == escape {
            match characters.next() {
                Some(next) => parts.push((0, plain(next))),
                None => parts.push((3, ' ')),
            }
        } else {
            parts.push(match character {
                '%' => (2, ' '),
                '_' => (1, ' '),
                other => (0, plain(other)),
            });
        }
    }
    let (mut at, mut part) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while at < text.len() {
        allowance::turn()?;
        match parts.get(part) {
            Some((2, _)) => {
                back = Some((part, at));
                part += 1;
            }
            Some((1, _)) => (at, part) = (at + 1, part + 1),
            // That nothing is escaped is seen where a text comes as far.
            Some((3, _)) => return fail("22025", "LIKE pattern must not end with escape character"),
            Some((_, wanted)) if *wanted == text[at] => (at, part) = (at + 1, part + 1),
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    (at, part) = (from + 1, star + 1);
                }
                None => return Ok(V::of_bool(false)),
            },
        }
    }
    Ok(V::of_bool(
        parts[part.min(parts.len())..].iter().all(|(kind, _)| *kind == 2),
    ))
}

/// The regular expression that says what a pattern of SIMILAR TO does.
fn similar(pattern: &str, escape: Option<char>) -> Result<String, Failure> {
    let mut converted = String::from("^(?:");
    let (mut escaped, mut in_brackets, mut quotes) = (false, false, 0);
    for character in pattern.chars() {
        allowance::turn()?;
        if escaped {
            escaped = false;
            match (character, quotes) {
                ('"', _) if in_brackets => converted.push_str("\\\""),
                // What is in front of the part that is asked for is as short as can be.
                ('"', 0) => converted.push_str("){1,1}?("),
                ('"', 1) => converted.push_str("){1,1}(?:"),
                ('"', _) => {
                    let message =
                        "SQL regular expression may not contain more than two escape-double-quote separators";
                    return fail("2200C", message);
                }
                (other, _) => {
                    converted.push('\\');
                    converted.push(other);
                }
            }
            quotes += i32::from(character == '"' && !in_brackets);
            continue;
        }
        match character {
            character if Some(character) == escape => escaped = true,
            character if in_brackets => {
                if character == '\\' {
                    converted.push('\\');
                }
                converted.push(character);
                in_brackets = character != ']';
            }
            '[' => {
                converted.push('[');
                in_brackets = true;
            }
            '%' => converted.push_str(".*"),
            '_' => converted.push('.'),
            '(' => converted.push_str("(?:"),
            '.' | '^' | '$' | '\\' => {
                converted.push('\\');
                converted.push(character);
            }
            other => converted.push(other),
        }
    }
    converted.push_str(")$");
    Ok(converted)
}

/// The escape character of a pattern, if it has one.
fn escape(value: &V) -> Result<Option<char>, Failure> {
    let text = value.text();
    let mut characters = text.chars();
    let escape = characters.next();
    if characters.next().is_some() {
        return fail("22025", "invalid escape string");
    }
    Ok(escape)
}

fn similar_to(values: &[V]) -> Out {
    let converted = similar(&values[1].text(), escape(&values[2])?)?;
    let text = values[0].text();
    let found = regular::pattern(&converted, "")?.on(&text)?.is_match()?;
    Ok(V::of_bool(found))
}

/// `substring(text SIMILAR pattern ESCAPE escape)`.
fn substring_similar(values: &[V]) -> Out {
    let converted = similar(&values[1].text(), escape(&values[2])?)?;
    super::regexp::substring(&values[0].text(), &converted)
}

/// A pattern of LIKE with the usual escape character in the place of another.
fn like_escape(values: &[V]) -> Out {
    let (pattern, escape) = (values[0].text(), escape(&values[1])?);
    if escape == Some('\\') {
        return Ok(V::Text(pattern));
    }
    let mut plain = String::with_capacity(pattern.len());
    let mut is_escaped = false;
    for character in pattern.chars() {
        allowance::turn()?;
        if Some(character) == escape && !is_escaped {
            plain.push('\\');
            is_escaped = true;
            continue;
        }
        if character == '\\' && !is_escaped {
            plain.push('\\');
        }
        plain.push(character);
        is_escaped = false;
    }
    Ok(V::Text(plain))
}

fn similar_to_escape(values: &[V]) -> Out {
    let converted = similar(&values[0].text(), escape(&values[1])?)?;
    Ok(V::Text(converted))
}

/// Patterns.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_like", 3, Strict, |v| like(v, false)),
    ("pg_ilike", 3, Strict, |v| like(v, true)),
    ("pg_like_escape", 2, Strict, like_escape),
    ("pg_similar_to_escape", 2, Strict, similar_to_escape),
    ("pg_similar", 3, Strict, similar_to),
    ("pg_substring_similar", 3, Strict, substring_similar),
];
