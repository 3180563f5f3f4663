//! The lines of COPY FROM in text and CSV as fields, from bytes that come in any pieces (manual, "COPY", file formats).

use super::error::SessionError;

/// The longest line that is taken, in bytes.
const LONGEST_LINE: usize = 256 << 20;

/// How lines are read.
#[derive(Debug, Clone)]
pub(super) struct Spelling {
    pub(super) csv: bool,
    pub(super) delimiter: u8,
    pub(super) null: Vec<u8>,
    pub(super) quote: u8,
    pub(super) escape: u8,
}

/// A field of a line: its bytes, `None` for NULL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) bytes: Option<Vec<u8>>,
    /// Whether it stood in quotes.
    pub(super) quoted: bool,
}

/// A line as it came, and its number from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) raw: Vec<u8>,
}

/// What ends the lines, as the first one tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineBreak {
    Newline,
    Return,
    Both,
}

/// Where a line ends, and where the next begins.
type Ending = (usize, usize);

/// Finds the lines.
#[derive(Debug)]
pub(super) struct Reader {
    spelling: Spelling,
    rest: Vec<u8>,
    /// How much of `rest` was looked at, and what was found open there.
    seen: usize,
    in_quotes: bool,
    escaped: bool,
    line_break: Option<LineBreak>,
    /// Line breaks so far, those inside of values too.
    breaks: u64,
    ended: bool,
}

impl Reader {
    pub(super) fn new(spelling: Spelling) -> Self {
        Self {
            spelling,
            rest: vec![],
            seen: 0,
            in_quotes: false,
            escaped: false,
            line_break: None,
            breaks: 0,
            ended: false,
        }
    }

    /// Takes more bytes and gives the lines that are complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Line>, (SessionError, Line)> {
        if self.ended {
            return Ok(vec![]);
        }
        self.rest.extend_from_slice(bytes);
        let mut lines = vec![];
        let mut begin = 0;
        loop {
            let (end, next) = match self.line_end() {
                Ok(Some(ending)) => ending,
                Ok(None) => break,
                Err(error) => {
                    let line = Line {
                        number: self.breaks + 1,
                        raw: self.rest[begin..self.seen].to_vec(),
                    };
                    return Err((error, line));
                }
            };
            let raw = self.rest[begin..end].to_vec();
            begin = next;
            self.breaks += 1;
            self.push(raw, &mut lines);
            if self.ended {
                break;
            }
        }
        self.rest.drain(..begin);
        self.seen -= begin;
        if self.rest.len() > LONGEST_LINE {
            let line = Line {
                number: self.breaks + 1,
                raw: std::mem::take(&mut self.rest),
            };
            return Err((
                SessionError::failed("54000", "a line of COPY data is too long"),
                line,
            ));
        }
        Ok(lines)
    }

    /// The last line, where it has no line break.
    pub(super) fn finish(&mut self) -> Result<Option<Line>, (SessionError, Line)> {
        if self.ended || self.rest.is_empty() {
            return Ok(None);
        }
        let mut raw = std::mem::take(&mut self.rest);
        if self.in_quotes {
            let line = Line {
                number: self.breaks.max(1),
                raw,
            };
            return Err((
                SessionError::failed("22P04", "unterminated CSV quoted field"),
                line,
            ));
        }
        self.breaks += 1;
        let mut lines = vec![];
        if raw.last() == Some(&b'\r') {
            if self.line_break == Some(LineBreak::Newline) {
                let number = self.breaks;
                return Err((self.mixed("carriage return"), Line { number, raw }));
            }
            raw.pop();
        }
        self.push(raw, &mut lines);
        Ok(lines.pop())
    }

    fn push(&mut self, raw: Vec<u8>, lines: &mut Vec<Line>) {
        if raw == b"\\." {
            self.ended = true;
            return;
        }
        lines.push(Line {
            number: self.breaks,
            raw,
        });
    }

    /// The next line break that ends a line; all have to be like the first.
    fn line_end(&mut self) -> Result<Option<Ending>, SessionError> {
        while let Some(byte) = self.rest.get(self.seen).copied() {
            let at = self.seen;
            self.seen += 1;
            if self.escaped {
                self.escaped = false;
                if byte == b'\n' {
                    self.breaks += 1;
                }
                continue;
            }
            if self.spelling.csv {
                let (quote, escape) = (self.spelling.quote, self.spelling.escape);
                if self.in_quotes && byte == escape && escape != quote {
                    self.escaped = true;
                } else if byte == quote {
                    self.in_quotes = !self.in_quotes;
                } else if byte == b'\n' && self.in_quotes {
                    self.breaks += 1;
                }
                if self.in_quotes {
                    continue;
                }
            } else if byte == b'\\' {
                // `\.` and a line break is the end of the data, and not an escaped line break.
                self.escaped = true;
            }
            match byte {
                b'\n' => return self.broken_by(LineBreak::Newline, at),
                b'\r' => {
                    let Some(next) = self.rest.get(at + 1) else {
                        // What it is, the next byte tells.
                        self.seen = at;
                        return Ok(None);
                    };
                    let found = match next {
                        b'\n' if self.line_break != Some(LineBreak::Return) => LineBreak::Both,
                        _ => LineBreak::Return,
                    };
                    return self.broken_by(found, at);
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn broken_by(&mut self, found: LineBreak, at: usize) -> Result<Option<Ending>, SessionError> {
        if *self.line_break.get_or_insert(found) != found {
            return Err(match found {
                LineBreak::Newline => self.mixed("newline"),
                _ => self.mixed("carriage return"),
            });
        }
        let next = at + if found == LineBreak::Both { 2 } else { 1 };
        self.seen = next;
        Ok(Some((at, next)))
    }

    fn mixed(&self, what: &str) -> SessionError {
        let kind = if self.spelling.csv { "unquoted" } else { "literal" };
        SessionError::failed("22P04", format!("{kind} {what} found in data"))
    }
}

impl Spelling {
    /// The fields of a line.
    pub(super) fn fields(&self, line: &[u8]) -> Vec<Field> {
        if self.csv {
            self.csv_fields(line)
        } else {
            self.text_fields(line)
        }
    }

    fn field(&self, raw: &[u8], bytes: Vec<u8>, quoted: bool) -> Field {
        let is_null = !quoted && raw == self.null;
        Field {
            bytes: (!is_null).then_some(bytes),
            quoted,
        }
    }

    fn csv_fields(&self, line: &[u8]) -> Vec<Field> {
        let mut fields = vec![];
        let (mut bytes, mut quoted, mut inside) = (vec![], false, false);
        let mut at = 0;
        while at < line.len() {
            let byte = line[at];
            let next = line.get(at + 1).copied();
            at += 1;
            if inside {
                if byte == self.escape && next.is_some_and(|next| next == self.quote || next == self.escape) {
                    bytes.push(line[at]);
                    at += 1;
                } else if byte == self.quote {
                    inside = false;
                } else {
                    bytes.push(byte);
                }
            } else if byte == self.quote {
                (inside, quoted) = (true, true);
            } else if byte == self.delimiter {
                let value = std::mem::take(&mut bytes);
                fields.push(self.field(&value.clone(), value, quoted));
                quoted = false;
            } else {
                bytes.push(byte);
            }
        }
        fields.push(self.field(&bytes.clone(), bytes, quoted));
        fields
    }

    fn text_fields(&self, line: &[u8]) -> Vec<Field> {
        let mut fields = vec![];
        let (mut bytes, mut begin, mut at) = (vec![], 0, 0);
        loop {
            let Some(byte) = line.get(at).copied() else {
                fields.push(self.field(&line[begin..], bytes, false));
                return fields;
            };
            at += 1;
            if byte == self.delimiter {
                let value = std::mem::take(&mut bytes);
                fields.push(self.field(&line[begin..at - 1], value, false));
                begin = at;
            } else if byte == b'\\' && at < line.len() {
                at = unescape(line, at, &mut bytes);
            } else {
                bytes.push(byte);
            }
        }
    }
}

/// Reads what stands behind a backslash; gives the place behind it.
fn unescape(line: &[u8], at: usize, out: &mut Vec<u8>) -> usize {
    let digits = |from: usize, most: usize, radix: u32| {
        let count = line[from..]
            .iter()
            .take(most)
            .take_while(|byte| char::from(**byte).is_digit(radix))
            .count();
        let value = line[from..from + count].iter().fold(0_u32, |value, byte| {
            value * radix + char::from(*byte).to_digit(radix).unwrap_or(0)
        });
        (value as u8, from + count)
    };
    match line[at] {
        b'b' => out.push(8),
        b'f' => out.push(12),
        b'n' => out.push(b'\n'),
        b'r' => out.push(b'\r'),
        b't' => out.push(b'\t'),
        b'v' => out.push(11),
        b'0'..=b'7' => {
            let (value, behind) = digits(at, 3, 8);
            out.push(value);
            return behind;
        }
        b'x' if line.get(at + 1).is_some_and(u8::is_ascii_hexdigit) => {
            let (value, behind) = digits(at + 1, 2, 16);
            out.push(value);
            return behind;
        }
        other => out.push(other),
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelling(csv: bool) -> Spelling {
        Spelling {
            csv,
            delimiter: if csv { b',' } else { b'\t' },
            null: if csv { vec![] } else { b"\\N".to_vec() },
            quote: b'"',
            escape: b'"',
        }
    }

    /// Fields as text, NULL as `None`, and each line's number.
    type Lines = Vec<(u64, Vec<Option<String>>)>;

    fn read(spelling: &Spelling, data: &str, piece: usize) -> Lines {
        let mut reader = Reader::new(spelling.clone());
        let mut lines = vec![];
        for piece in data.as_bytes().chunks(piece) {
            lines.extend(reader.feed(piece).unwrap());
        }
        lines.extend(reader.finish().unwrap());
        let text = |field: Field| field.bytes.map(|bytes| String::from_utf8(bytes).unwrap());
        lines
            .into_iter()
            .map(|line| {
                (
                    line.number,
                    spelling.fields(&line.raw).into_iter().map(text).collect(),
                )
            })
            .collect()
    }

    fn check(csv: bool, data: &str, expected: &[(u64, &[Option<&str>])]) {
        let expected: Lines = expected
            .iter()
            .map(|(number, fields)| {
                (
                    *number,
                    fields.iter().map(|field| field.map(str::to_owned)).collect(),
                )
            })
            .collect();
        for piece in [1, 2, 3, 1000] {
            assert_eq!(read(&spelling(csv), data, piece), expected, "{data:?} by {piece}");
        }
    }

    #[test]
    fn text_lines_are_postgresql_s() {
        check(
            false,
            "a\tb\nc\t\\N\n",
            &[(1, &[Some("a"), Some("b")]), (2, &[Some("c"), None])],
        );
        check(false, "\\\\\\t\\x41\\101\\q\r\n", &[(1, &[Some("\\\tAAq")])]);
        check(false, "a\\\nb\nc", &[(2, &[Some("a\nb")]), (3, &[Some("c")])]);
        check(false, "a\n\\.\nb\n", &[(1, &[Some("a")])]);
        check(false, "\n", &[(1, &[Some("")])]);
    }

    #[test]
    fn csv_lines_are_postgresql_s() {
        check(
            true,
            "a,\"b,\"\"c\"\"\",\"\",\nd,\"x\ny\",z,1\n",
            &[
                (1, &[Some("a"), Some("b,\"c\""), Some(""), None]),
                (3, &[Some("d"), Some("x\ny"), Some("z"), Some("1")]),
            ],
        );
        check(true, "\\N,\\t\r\n", &[(1, &[Some("\\N"), Some("\\t")])]);
    }

    #[test]
    fn all_line_breaks_are_like_the_first() {
        check(true, "a\rb\r", &[(1, &[Some("a")]), (2, &[Some("b")])]);
        check(true, "a\r\nb\r\n", &[(1, &[Some("a")]), (2, &[Some("b")])]);
        check(true, "\"x\ry\"\nb\n", &[(1, &[Some("x\ry")]), (2, &[Some("b")])]);
        for (csv, data) in [
            (true, "a\nb\r\n"),
            (true, "a\r\nb\n"),
            (false, "a\nb\rc\n"),
            (false, "a\rb\n"),
            (false, "a\nb\r"),
        ] {
            let mut reader = Reader::new(spelling(csv));
            let found = reader.feed(data.as_bytes());
            let failed = found.err().or_else(|| reader.finish().err());
            let Some((SessionError::Failed(fields), _)) = failed else {
                panic!("{data:?}: its line breaks differ")
            };
            assert_eq!(fields.sqlstate, "22P04", "{data:?}");
        }
    }

    #[test]
    fn an_open_quote_is_an_error() {
        let mut reader = Reader::new(spelling(true));
        assert_eq!(reader.feed(b"a,\"b\n").unwrap(), []);
        let Err((SessionError::Failed(fields), _)) = reader.finish() else {
            panic!("it is open")
        };
        assert_eq!(fields.sqlstate, "22P04");
    }
}
