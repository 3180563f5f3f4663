//! `parse_ident`: a name with what stands in front of it, in parts.

use super::{Nature::Strict, Out, Scalar, V, array::Element, array_out::array_text, fail};

/// Name, and whether nothing may follow it.
fn parse_ident(v: &[V]) -> Out {
    let written = v[0].text();
    let strict = v.get(1).is_none_or(|strict| strict.int() != 0);
    let invalid = || {
        fail(
            "22023",
            format!("string is not a valid identifier: \"{written}\""),
        )
    };
    let mut parts: Vec<Element> = vec![];
    let mut rest = written.trim_start();
    loop {
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut part = String::new();
            let mut characters = quoted.char_indices().peekable();
            let end = loop {
                match characters.next() {
                    Some((_, '"')) if characters.peek().is_some_and(|(_, next)| *next == '"') => {
                        characters.next();
                        part.push('"');
                    }
                    Some((at, '"')) => break at + 1,
                    Some((_, character)) => part.push(character),
                    None => return invalid(),
                }
            };
            if part.is_empty() {
                return invalid();
            }
            parts.push(Some(part));
            rest = &quoted[end..];
        } else {
            let goes_on = |c: char| c == '_' || c == '$' || c.is_ascii_alphanumeric() || !c.is_ascii();
            let end = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
            let part = &rest[..end];
            if part.is_empty() || part.starts_with(|c: char| c == '$' || c.is_ascii_digit()) {
                return invalid();
            }
            parts.push(Some(part.to_lowercase()));
            rest = &rest[end..];
        }
        rest = rest.trim_start();
        match rest.strip_prefix('.') {
            Some(next) => rest = next.trim_start(),
            None if rest.is_empty() || !strict => break,
            None => return invalid(),
        }
    }
    Ok(array_text(&parts)?.into())
}

pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_parse_ident", 1, Strict, parse_ident),
    ("pg_parse_ident", 2, Strict, parse_ident),
];
