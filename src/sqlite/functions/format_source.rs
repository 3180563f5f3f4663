//! A text that a pattern reads: numbers, words and what is passed over, with PostgreSQL's errors.

use super::{Failure, fail, format_nodes::Node};

pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

pub(super) fn is_separator(byte: u8) -> bool {
    byte.is_ascii_punctuation()
}

/// A text that is being read, in bytes.
pub(super) struct Source<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) at: usize,
}

impl Source<'_> {
    pub(super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub(super) fn first(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Past one character.
    pub(super) fn skip(&mut self) {
        self.at += 1;
        while self.first().is_some_and(|byte| byte & 0xC0 == 0x80) {
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// Past all blanks; returns how many there were.
    pub(super) fn skip_spaces(&mut self) -> i64 {
        let begun = self.at;
        while self.first().is_some_and(is_space) {
            self.at += 1;
        }
        (self.at - begun) as i64
    }

    /// An integer of so many characters, or of as many as there are where no other number follows; and how many were read.
    pub(super) fn integer(&mut self, length: usize, node: &Node) -> Result<(i64, usize), Failure> {
        let begun = self.at;
        self.skip_spaces();
        let copy = &self.rest()[..length.min(self.rest().len())];
        let shown = String::from_utf8_lossy(copy).into_owned();
        let number = if node.takes_all {
            let (number, used) = whole(&self.bytes[begun..]);
            self.at = begun + used;
            number
        } else {
            if copy.len() < length {
                return fail(
                    "22007",
                    format!("source string too short for \"{}\" formatting field", node.name),
                );
            }
            let (number, used) = whole(copy);
            if used > 0 && used < length {
                return fail(
                    "22007",
                    format!("invalid value \"{shown}\" for \"{}\"", node.name),
                );
            }
            self.at += used;
            number
        };
        if self.at == begun {
            return fail(
                "22007",
                format!("invalid value \"{shown}\" for \"{}\"", node.name),
            );
        }
        match number.filter(|number| i32::try_from(*number).is_ok()) {
            Some(number) => Ok((number, self.at - begun)),
            None => fail(
                "22008",
                format!("value for \"{}\" in source string is out of range", node.name),
            ),
        }
    }

    /// The place of the first of some words that comes next.
    pub(super) fn word(&mut self, words: &[&str], node: &Node) -> Result<i64, Failure> {
        let rest = self.rest();
        let found = words.iter().position(|word| {
            let head = rest.get(..word.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
        });
        let Some(at) = found else {
            let word: Vec<u8> = rest.iter().copied().take_while(|byte| !is_space(*byte)).collect();
            let word = String::from_utf8_lossy(&word).into_owned();
            return fail("22007", format!("invalid value \"{word}\" for \"{}\"", node.name));
        };
        self.at += words[at].len();
        Ok(at as i64)
    }
}

/// A number as `strtol` reads it, with how many bytes it takes; `None` for one that is too long.
pub(super) fn whole(bytes: &[u8]) -> (Option<i64>, usize) {
    let blanks = bytes.iter().take_while(|byte| is_space(**byte)).count();
    let sign = usize::from(matches!(bytes.get(blanks), Some(b'+' | b'-')));
    let digits = bytes[blanks + sign..].iter();
    let digits = digits.take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return (Some(0), 0);
    }
    let end = blanks + sign + digits;
    let text = std::str::from_utf8(&bytes[blanks..end]).unwrap_or_default();
    (text.parse().ok(), end)
}
