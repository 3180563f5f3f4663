//! What is special in a quoted text is said twice or behind another character: texts quoted in texts double with each level.

use super::{Failure, allowance};

/// What stands before a special character.
#[derive(Clone, Copy)]
pub(super) enum Before {
    /// The same character.
    Itself,
    Backslash,
}

/// The text with something before each of these characters of ASCII.
pub(super) fn escaped(text: &str, special: &[char], before: Before) -> Result<String, Failure> {
    let is_special = |byte: u8| special.contains(&char::from(byte));
    let mut count = 0;
    for piece in allowance::pieces(text.as_bytes()) {
        count += piece?.iter().filter(|byte| is_special(**byte)).count();
    }
    let length = text.len().saturating_add(count);
    allowance::value_of(length)?;
    let mut made = String::with_capacity(length);
    let mut rest = text;
    while let Some(at) = allowance::position(rest.as_bytes(), is_special)? {
        let (plain, behind) = rest.split_at(at);
        let (found, behind) = behind.split_at(1);
        made.push_str(plain);
        made.push_str(match before {
            Before::Itself => found,
            Before::Backslash => "\\",
        });
        made.push_str(found);
        rest = behind;
    }
    made.push_str(rest);
    Ok(made)
}

/// An identifier or a field in double quotes, of which those inside are doubled.
pub(super) fn doubly(text: &str) -> Result<String, Failure> {
    Ok(format!("\"{}\"", escaped(text, &['"'], Before::Itself)?))
}

/// With quotes, where an identifier needs them.
pub(super) fn identifier(name: &str) -> Result<String, Failure> {
    const WORDS: &[&str] = &[
        "select",
        "table",
        "from",
        "where",
        "user",
        "order",
        "group",
        "all",
        "and",
        "or",
        "not",
        "null",
        "default",
        "check",
        "end",
        "case",
        "when",
        "then",
        "else",
        "in",
        "is",
        "as",
        "on",
        "to",
        "for",
        "with",
        "union",
        "using",
        "primary",
        "references",
        "unique",
        "limit",
        "offset",
        "create",
        "column",
        "constraint",
        "desc",
        "asc",
        "distinct",
        "do",
        "having",
        "into",
    ];
    let is_letter = |byte: u8| byte == b'_' || byte.is_ascii_lowercase();
    let is_special = |byte: u8| !is_letter(byte) && !byte.is_ascii_digit();
    let plain = name.bytes().next().is_some_and(is_letter)
        && allowance::position(name.as_bytes(), is_special)?.is_none();
    if plain && !WORDS.contains(&name) {
        Ok(name.to_owned())
    } else {
        doubly(name)
    }
}

/// A literal of SQL; with a backslash in it, one that reads escapes.
pub(super) fn literal(text: &str) -> Result<String, Failure> {
    let sign = if text.contains('\\') { "E" } else { "" };
    Ok(format!(
        "{sign}'{}'",
        escaped(text, &['\'', '\\'], Before::Itself)?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_special_is_said_twice() {
        for (text, quoted) in [
            ("", "''"),
            ("é", "'é'"),
            ("it's", "'it''s'"),
            ("'", "''''"),
            (r"a\é'", r"E'a\\é'''"),
        ] {
            assert_eq!(literal(text).unwrap(), quoted);
        }
        assert_eq!(doubly("a\"é\"").unwrap(), "\"a\"\"é\"\"\"");
        let before = escaped(r#"{"\é"}"#, &['"', '\\'], Before::Backslash).unwrap();
        assert_eq!(before, r#"{\"\\é\"}"#);
    }
}
