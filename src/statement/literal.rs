//! What strings and names stand for, once their quotes and escapes are undone (manual, section 4.1).

use super::lexer::{Quoting, Token, TokenKind};

/// The text that a string token stands for; `None` for other tokens and for escapes that PostgreSQL refuses.
pub(super) fn text_value(token: Token, text: &str) -> Option<String> {
    let TokenKind::Text(quoting) = token.kind else {
        return None;
    };
    let written = token.span.of(text);
    if quoting == Quoting::Dollar {
        let delimiter = written[1..].find('$')? + 2;
        return Some(written[delimiter..written.len() - delimiter].to_owned());
    }
    let mut value = String::with_capacity(written.len());
    let mut rest = &written[written.find('\'')? + 1..];
    loop {
        rest = segment(rest, quoting, &mut value)?;
        // What is left is white space and comments up to the piece that continues the string.
        match continued(rest) {
            Some(next) => rest = next,
            None => break,
        }
    }
    if quoting == Quoting::Unicode {
        unescape_unicode(&value)
    } else {
        Some(value)
    }
}

/// The name that a word or quoted name stands for: unquoted ones in lower case.
pub(super) fn name_value(token: Token, text: &str) -> Option<String> {
    let written = token.span.of(text);
    match token.kind {
        TokenKind::Word => Some(written.to_ascii_lowercase()),
        TokenKind::QuotedName(quoting) => {
            let name = written[written.find('"')? + 1..written.len() - 1].replace("\"\"", "\"");
            if quoting == Quoting::Unicode {
                unescape_unicode(&name)
            } else {
                Some(name)
            }
        }
        _ => None,
    }
}

/// `name` as it must be written in SQL.
pub(super) fn quoted_name(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if plain {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

/// Reads up to the closing quote and returns what follows it.
fn segment<'a>(written: &'a str, quoting: Quoting, value: &mut String) -> Option<&'a str> {
    let mut rest = written;
    loop {
        let stop = rest.find(|c| c == '\'' || (c == '\\' && quoting == Quoting::Backslash))?;
        value.push_str(&rest[..stop]);
        rest = &rest[stop..];
        if let Some(doubled) = rest.strip_prefix("''") {
            value.push('\'');
            rest = doubled;
        } else if let Some(behind) = rest.strip_prefix('\'') {
            return Some(behind);
        } else {
            rest = unescape(&rest[1..], value)?;
        }
    }
}

fn continued(mut rest: &str) -> Option<&str> {
    loop {
        rest = rest.trim_start();
        if rest.starts_with("--") {
            rest = &rest[rest.find(['\n', '\r'])?..];
        } else {
            return rest.strip_prefix('\'');
        }
    }
}

/// One escape of an `E'…'` string, from behind its backslash; returns what follows it.
fn unescape<'a>(rest: &'a str, value: &mut String) -> Option<&'a str> {
    let first = rest.chars().next()?;
    let behind = &rest[first.len_utf8()..];
    let plain = match first {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => return code_point(behind, 4, value),
        'U' => return code_point(behind, 8, value),
        // Byte values: beyond ASCII they would be parts of a character, which no question needs.
        'x' if behind.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            return byte_value(behind, 2, 16, value);
        }
        '0'..='7' => return byte_value(rest, 3, 8, value),
        other => other,
    };
    value.push(plain);
    Some(behind)
}

fn code_point<'a>(rest: &'a str, digits: usize, value: &mut String) -> Option<&'a str> {
    let code = u32::from_str_radix(rest.get(..digits)?, 16).ok()?;
    let behind = &rest[digits..];
    if !(0xD800..0xDC00).contains(&code) {
        value.push(char::from_u32(code)?);
        return Some(behind);
    }
    let low = behind
        .strip_prefix("\\u")
        .or_else(|| behind.strip_prefix("\\U0000"))?;
    value.push(surrogates(code, u32::from_str_radix(low.get(..4)?, 16).ok()?)?);
    Some(&low[4..])
}

fn byte_value<'a>(rest: &'a str, most: usize, radix: u32, value: &mut String) -> Option<&'a str> {
    let length = rest
        .bytes()
        .take(most)
        .take_while(|byte| char::from(*byte).is_digit(radix))
        .count();
    let code = u8::from_str_radix(rest.get(..length)?, radix).ok()?;
    if code == 0 || !code.is_ascii() {
        return None;
    }
    value.push(char::from(code));
    Some(&rest[length..])
}

fn surrogates(high: u32, low: u32) -> Option<char> {
    (0xDC00..0xE000)
        .contains(&low)
        .then(|| char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)))
        .flatten()
}

/// `\XXXX` and `\+XXXXXX` of `U&'…'` with the default escape character.
fn unescape_unicode(written: &str) -> Option<String> {
    let mut value = String::with_capacity(written.len());
    let mut high = None;
    let mut rest = written;
    while let Some(c) = rest.chars().next() {
        if c != '\\' || rest.starts_with("\\\\") {
            if high.is_some() {
                return None;
            }
            value.push(c);
            rest = &rest[if c == '\\' { 2 } else { c.len_utf8() }..];
            continue;
        }
        let (digits, length) = if rest.starts_with("\\+") {
            (rest.get(2..8)?, 8)
        } else {
            (rest.get(1..5)?, 5)
        };
        let code = u32::from_str_radix(digits, 16).ok()?;
        rest = &rest[length..];
        match high.take() {
            Some(first) => value.push(surrogates(first, code)?),
            None if (0xD800..0xDC00).contains(&code) => high = Some(code),
            None => value.push(char::from_u32(code)?),
        }
    }
    high.is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{super::lexer::Lexer, *};

    fn check(written: &str, expected: Option<&str>) {
        let token = Lexer::new(written, true).next().unwrap();
        assert_eq!(token.span.end, written.len(), "{written} is one token");
        let value = text_value(token, written).or_else(|| name_value(token, written));
        assert_eq!(value.as_deref(), expected, "{written}");
    }

    #[test]
    fn quotes_and_escapes_are_undone() {
        check("'it''s'", Some("it's"));
        check(r"'a\n'", Some(r"a\n"));
        check(r"E'a\n\'b\\'", Some("a\n'b\\"));
        check(r"E'\x41\101\u00e9\U0001F600\q'", Some("AAé😀q"));
        check(r"E'\ud83d\ude00'", Some("😀"));
        check(r"E'\ud83d'", None);
        check(r"E'\xZ'", Some("xZ"));
        check(r"E'\xff'", None);
        check(r"E'\u00'", None);
        check(r"U&'d\0061t\+000061'", Some("data"));
        check(r"U&'\\'", Some("\\"));
        check(r"U&'\d83d\de00'", Some("😀"));
        check("$$a'b$$", Some("a'b"));
        check("$tag$a$$b$tag$", Some("a$$b"));
        check("'a'\n  'b' -- 'x'\n 'c'", Some("abc"));
        check("E'a'\n'\\'b'", Some("a'b"));
        check("Name", Some("name"));
        check("\"Na\"\"me\"", Some("Na\"me"));
        check(r#"U&"n\006c""#, Some("nl"));
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        assert_eq!(quoted_name("nl"), "nl");
        assert_eq!(quoted_name("Ask me"), "\"Ask me\"");
        assert_eq!(quoted_name("a\"b"), "\"a\"\"b\"");
    }
}
