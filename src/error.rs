//! What a client may read of an error. Everything else stays in the log.

use std::{borrow::Cow, time::Duration};

/// Whose fault an error is; decides how it is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The client sent something that cannot work.
    Client,
    /// The database refused or is unavailable.
    Backend,
    /// Querent broke one of its own promises.
    Internal,
}

/// What of the schema an error is about (the `s`, `t`, `c` and `n` fields).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorSubject {
    /// The schema.
    pub schema: String,
    /// The table.
    pub table: String,
    /// The column.
    pub column: Option<String>,
    /// The constraint.
    pub constraint: Option<String>,
}

/// Five characters that say what kind of error it is, as PostgreSQL's appendix "Error Codes" or an `NLxxx` of ours.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SqlState([u8; 5]);

impl SqlState {
    /// The code of these five characters; `XX000` where they are none.
    pub const fn new(code: &str) -> Self {
        let bytes = code.as_bytes();
        if bytes.len() != 5 {
            return Self(*b"XX000");
        }
        let mut at = 0;
        while at < 5 {
            if !bytes[at].is_ascii_alphanumeric() {
                return Self(*b"XX000");
            }
            at += 1;
        }
        Self([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4]])
    }

    /// The five characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("only ASCII was let in")
    }
}

impl std::ops::Deref for SqlState {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl From<&str> for SqlState {
    fn from(code: &str) -> Self {
        Self::new(code)
    }
}

impl PartialEq<&str> for SqlState {
    fn eq(&self, code: &&str) -> bool {
        self.as_str() == *code
    }
}

impl PartialEq<str> for SqlState {
    fn eq(&self, code: &str) -> bool {
        self.as_str() == code
    }
}

impl std::fmt::Display for SqlState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self)
    }
}

impl std::fmt::Debug for SqlState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self)
    }
}

/// An error that may be told to a client, field by field as PostgreSQL's `ErrorResponse` has them
/// (protocol chapter "Error and Notice Message Fields").
pub trait ClientError: std::error::Error {
    /// What kind of error it is.
    fn sqlstate(&self) -> SqlState;
    /// One line, lower case, no full stop.
    fn message(&self) -> String {
        self.to_string()
    }
    /// What exactly happened.
    fn detail(&self) -> Option<String> {
        None
    }
    /// What to do about it.
    fn hint(&self) -> Option<String> {
        None
    }
    /// Where in the client's own text, in characters from 1.
    fn position(&self) -> Option<usize> {
        None
    }
    /// Generated SQL that the error is about, and where in it, in characters from 1 (`q` and `p` fields).
    fn internal(&self) -> Option<(String, Option<usize>)> {
        None
    }
    /// What of the schema it is about.
    fn place(&self) -> Option<&ErrorSubject> {
        None
    }
    /// Whose fault it is.
    fn fault(&self) -> Fault {
        Fault::Client
    }
}

/// As much of a text from its beginning as goes into so many bytes, in whole characters.
pub(crate) fn beginning(text: &str, most: usize) -> &str {
    let mut ends = (0..=most.min(text.len())).rev();
    &text[..ends.find(|at| text.is_char_boundary(*at)).unwrap_or_default()]
}

/// The text with what a terminal would obey instead of showing spelled out: control characters but line breaks and tabs,
/// and what turns the direction of writing. Text of models, databases and clients goes to people through here.
pub fn visible(text: &str) -> Cow<'_, str> {
    let obeyed =
        |character: char| character.is_control() && !matches!(character, '\n' | '\t') || turns(character);
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if obeyed(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// True for marks that order text otherwise than it is stored (Unicode's annex 9), and for line ends that are none here.
pub fn turns(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// A length of time as people write it.
pub fn length_of(time: Duration) -> String {
    let milliseconds = (time.as_secs_f64() * 1_000.0).round() as u64;
    if milliseconds < 1_000 {
        return format!("{milliseconds} ms");
    }
    if milliseconds < 59_950 {
        let seconds = format!("{:.1}", milliseconds as f64 / 1_000.0);
        return format!("{} s", seconds.trim_end_matches(".0"));
    }
    let seconds = (milliseconds + 500) / 1_000;
    let parts = [
        (seconds / 3_600, "h"),
        (seconds / 60 % 60, "min"),
        (seconds % 60, "s"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, unit)| format!("{count} {unit}")).collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_round() {
        for (microseconds, told) in [
            (0, "0 ms"),
            (50_000, "50 ms"),
            (1_599_999, "1.6 s"),
            (999_911, "1 s"),
            (20_000_000, "20 s"),
            (59_960_000, "1 min"),
            (90_000_000, "1 min 30 s"),
            (7_200_000_000, "2 h"),
        ] {
            assert_eq!(length_of(Duration::from_micros(microseconds)), told);
        }
    }

    #[test]
    fn nothing_steers_a_terminal() {
        for (text, shown) in [
            ("a\tb\nc é 漢", "a\tb\nc é 漢"),
            ("\x1b[2J\x1b]0;x\x07", "\\u{1b}[2J\\u{1b}]0;x\\u{7}"),
            ("\u{9b}31m\r\x7f", "\\u{9b}31m\\u{d}\\u{7f}"),
            ("a\u{202e}b\u{2066}c", "a\\u{202e}b\\u{2066}c"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }
}
