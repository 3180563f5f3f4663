//! JSON as it is read: numbers by their digits, so that none is lost, and objects as `jsonb` keeps them, by the length of their
//! keys. What is `json` stays as it is written, so that its parts are told by their places in the text.

use std::{cmp::Ordering, collections::BTreeMap, fmt};

use super::{Failure, allowance, decimal::Decimal, digits::LONGEST, fail};

/// How deep a document may be.
const DEEPEST: usize = 127;

/// A document.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// As it is written.
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(BTreeMap<Key, Json>),
}

/// The key of an object: shorter ones come first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key(pub(super) String);

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0.len(), &self.0).cmp(&(other.0.len(), &other.0))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Json {
    /// A text as a number, where JSON has such a number; else as a string.
    pub(super) fn number_or_string(text: &str) -> Self {
        let mut reader = Reader::new(text);
        match reader.number() {
            Ok(_) if reader.at == text.len() => Self::Number(text.to_owned()),
            _ => Self::String(text.to_owned()),
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(map) => map.get(&Key(key.to_owned())),
            _ => None,
        }
    }
}

/// The digits of a number as `jsonb` keeps them: without an exponent. `None` where they are too many.
pub(super) fn digits(number: &str) -> Option<String> {
    if number.len() > LONGEST {
        return None;
    }
    if number.contains(['e', 'E']) {
        return Decimal::parse(number).map(|number| number.to_string());
    }
    let is_zero = !number.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    Some(
        number
            .strip_prefix('-')
            .filter(|_| is_zero)
            .unwrap_or(number)
            .to_owned(),
    )
}

/// A JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for piece in allowance::wanted_texts(text) {
        let piece = serde_json::Value::from(piece).to_string();
        quoted.push_str(&piece[1..piece.len() - 1]);
    }
    quoted.push('"');
    quoted
}

/// Without blanks, numbers as they are written.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            _ if allowance::gives_up(0) => Ok(()),
            Self::Null => f.write_str("null"),
            Self::Bool(truth) => write!(f, "{truth}"),
            Self::Number(number) => f.write_str(number),
            Self::String(text) => f.write_str(&quoted(text)),
            Self::Array(values) => {
                f.write_str("[")?;
                for (at, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if at > 0 { "," } else { "" })?;
                }
                f.write_str("]")
            }
            Self::Object(map) => {
                f.write_str("{")?;
                for (at, (Key(key), value)) in map.iter().enumerate() {
                    write!(f, "{}{}:{value}", if at > 0 { "," } else { "" }, quoted(key))?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Reads a text from its beginning to its end.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

fn wrong<T>() -> Result<T, Failure> {
    fail("22P02", "invalid input syntax for type json")
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
        }
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.next() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Goes to the first byte of which this holds, or to the end.
    fn to(&mut self, is_wanted: impl Fn(u8) -> bool) -> Result<(), Failure> {
        let rest = self.rest();
        self.at += allowance::position(rest, is_wanted)?.unwrap_or(rest.len());
        Ok(())
    }

    fn blanks(&mut self) -> Result<(), Failure> {
        self.to(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    }

    fn word(&mut self, word: &str) -> Result<(), Failure> {
        if !self.rest().starts_with(word.as_bytes()) {
            return wrong();
        }
        self.at += word.len();
        Ok(())
    }

    fn some_digits(&mut self) -> Result<(), Failure> {
        let start = self.at;
        self.to(|byte| !byte.is_ascii_digit())?;
        if self.at == start { wrong() } else { Ok(()) }
    }

    fn number(&mut self) -> Result<&'t str, Failure> {
        let start = self.at;
        self.takes(b'-');
        if !self.takes(b'0') {
            self.some_digits()?;
        }
        if self.takes(b'.') {
            self.some_digits()?;
        }
        if matches!(self.next(), Some(b'e' | b'E')) {
            self.at += 1;
            if !self.takes(b'-') {
                self.takes(b'+');
            }
            self.some_digits()?;
        }
        if matches!(self.next(), Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_')) {
            return wrong();
        }
        Ok(&self.text[start..self.at])
    }

    /// A string with its quotes.
    fn string(&mut self) -> Result<&'t str, Failure> {
        let start = self.at;
        if !self.takes(b'"') {
            return wrong();
        }
        let mut is_escaped = false;
        loop {
            self.to(|byte| matches!(byte, b'"' | b'\\' | 0..b' '))?;
            match self.next() {
                Some(b'"') => break,
                Some(b'\\') => {
                    is_escaped = true;
                    self.at += 2;
                }
                _ => return wrong(),
            }
        }
        self.at += 1;
        let Some(string) = self.text.get(start..self.at) else {
            return wrong();
        };
        if is_escaped {
            decoded(string)?;
        }
        Ok(string)
    }

    /// An array or an object: `take` reads the value behind each key, or each element.
    fn members(
        &mut self,
        mut take: impl FnMut(&mut Self, Option<&'t str>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let is_object = self.next() == Some(b'{');
        let end = if is_object { b'}' } else { b']' };
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return fail("54001", "stack depth limit exceeded");
        }
        self.blanks()?;
        if !self.takes(end) {
            loop {
                allowance::turn()?;
                self.blanks()?;
                let key = if is_object {
                    let key = self.string()?;
                    self.blanks()?;
                    if !self.takes(b':') {
                        return wrong();
                    }
                    Some(key)
                } else {
                    None
                };
                self.blanks()?;
                take(self, key)?;
                self.blanks()?;
                if self.takes(end) {
                    break;
                }
                if !self.takes(b',') {
                    return wrong();
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn value(&mut self) -> Result<Json, Failure> {
        Ok(match self.next() {
            Some(b'{') => {
                let mut map = BTreeMap::new();
                self.members(|reader, key| {
                    let key = decoded(key.unwrap_or("\"\""))?;
                    map.insert(Key(key), reader.value()?);
                    Ok(())
                })?;
                Json::Object(map)
            }
            Some(b'[') => {
                let mut values = vec![];
                self.members(|reader, _| {
                    values.push(reader.value()?);
                    Ok(())
                })?;
                Json::Array(values)
            }
            Some(b'"') => Json::String(decoded(self.string()?)?),
            Some(b't') => self.word("true").map(|()| Json::Bool(true))?,
            Some(b'f') => self.word("false").map(|()| Json::Bool(false))?,
            Some(b'n') => self.word("null").map(|()| Json::Null)?,
            _ => Json::Number(self.number()?.to_owned()),
        })
    }

    /// The text of a value.
    fn source(&mut self) -> Result<&'t str, Failure> {
        let start = self.at;
        match self.next() {
            Some(b'{' | b'[') => self.members(|reader, _| reader.source().map(|_| ()))?,
            Some(b'"') => self.string().map(|_| ())?,
            Some(b't') => self.word("true")?,
            Some(b'f') => self.word("false")?,
            Some(b'n') => self.word("null")?,
            _ => self.number().map(|_| ())?,
        }
        Ok(&self.text[start..self.at])
    }

    /// Nothing but blanks may be left.
    fn end(&mut self) -> Result<(), Failure> {
        self.blanks()?;
        if self.at == self.text.len() {
            Ok(())
        } else {
            wrong()
        }
    }
}

/// What a string says.
pub(super) fn decoded(string: &str) -> Result<String, Failure> {
    let inner = string
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(string);
    let mut said = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = allowance::position(rest.as_bytes(), |byte| byte == b'\\')? {
        said.push_str(&rest[..at]);
        let (character, length) = escape(&rest[at + 1..]).map_or_else(wrong, Ok)?;
        said.push(character);
        rest = &rest[at + 1 + length..];
    }
    said.push_str(rest);
    Ok(said)
}

/// The character that is meant by what stands behind a backslash, and how many bytes say so.
fn escape(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4)?;
        let are_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        are_digits.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
    };
    Some(match text.bytes().next()? {
        byte @ (b'"' | b'\\' | b'/') => (byte.into(), 1),
        b'b' => ('\u{8}', 1),
        b'f' => ('\u{c}', 1),
        b'n' => ('\n', 1),
        b'r' => ('\r', 1),
        b't' => ('\t', 1),
        b'u' => match unit(1)? {
            // The first half of a character.
            high @ 0xD800..0xDC00 if text[5..].starts_with("\\u") => {
                let character = char::decode_utf16([high, unit(7)?]).next()?.ok()?;
                (character, 11)
            }
            unit => (char::from_u32(unit.into())?, 5),
        },
        _ => return None,
    })
}

/// A whole document.
pub(super) fn read(text: &str) -> Result<Json, Failure> {
    let mut reader = Reader::new(text);
    reader.blanks()?;
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}

/// A document's outermost parts, each as it is written.
pub(super) enum Parts<'t> {
    /// The keys, with their quotes, and their values.
    Object(Vec<(&'t str, &'t str)>),
    Array(Vec<&'t str>),
    Scalar(&'t str),
}

/// The parts of a whole document, all of which is looked at.
pub(super) fn parts(text: &str) -> Result<Parts<'_>, Failure> {
    let mut reader = Reader::new(text);
    reader.blanks()?;
    let found = match reader.next() {
        Some(b'{') => {
            let mut pairs = vec![];
            reader.members(|reader, key| {
                pairs.push((key.unwrap_or_default(), reader.source()?));
                Ok(())
            })?;
            Parts::Object(pairs)
        }
        Some(b'[') => {
            let mut values = vec![];
            reader.members(|reader, _| {
                values.push(reader.source()?);
                Ok(())
            })?;
            Parts::Array(values)
        }
        _ => Parts::Scalar(reader.source()?),
    };
    reader.end()?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            "{",
            "[1",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "01",
            "1.",
            ".5",
            "1e",
            "+1",
            "tru",
            "nulls",
            "\"a",
            "\"\\",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"a\tb\"",
            "1 2",
            "[1]]",
            "NaN",
            "\"\\é\"",
        ] {
            assert_eq!(read(text).unwrap_err().sqlstate, "22P02", "{text}");
            assert!(parts(text).is_err(), "{text}");
        }
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&deep(100)).is_ok());
        assert_eq!(read(&deep(100_000)).unwrap_err().sqlstate, "54001");
    }

    #[test]
    fn documents_are_read_as_they_are_written() {
        let text = r#" { "b" : [1.10 , 1e2,-0.0] , "a":"x\u00e9\n", "b":null} "#;
        assert_eq!(read(text).unwrap().to_string(), r#"{"a":"xé\n","b":null}"#);
        let Parts::Object(pairs) = parts(text).unwrap_or(Parts::Scalar("")) else {
            panic!("an object");
        };
        assert_eq!(pairs[0], ("\"b\"", "[1.10 , 1e2,-0.0]"));
        assert_eq!(pairs[1], ("\"a\"", r#""x\u00e9\n""#));
        assert_eq!(pairs.len(), 3);
        for (number, expected) in [
            ("1e2", "100"),
            ("-0.0", "0.0"),
            ("1.10", "1.10"),
            ("1.5E-3", "0.0015"),
        ] {
            assert_eq!(digits(number).as_deref(), Some(expected));
        }
    }
}
