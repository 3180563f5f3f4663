//! PostgreSQL's lexical rules (manual, section 4.1; `scan.l`): text to tokens as spans, nothing decided.
//!
//! The tokens cover every byte of the text, and lexing takes time linear in its length. An unfinished
//! string, quoted name or comment reaches to the end of the text.

/// Bytes from `start` up to `end` of the text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The part of `text` that it covers. Ends are always character boundaries of the text that was read.
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    /// True where nothing is covered: a place between two bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that covers both.
    pub(super) fn to(self, other: Self) -> Self {
        Self {
            start: self.start,
            end: other.end,
        }
    }
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Space,
    LineComment,
    BlockComment,
    /// An unquoted identifier or key word.
    Word,
    QuotedName(Quoting),
    Text(Quoting),
    /// `B'…'` or `X'…'`.
    BitText,
    Number,
    /// `$n`.
    Parameter,
    Operator,
    /// One of `( ) [ ] , ; : .`, `::`, or a byte that starts nothing.
    Punctuation,
    /// A string, quoted name or comment without its end.
    Unfinished,
}

/// How a string or a quoted name spells its characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// `'…'` or `"…"`: the quote doubled is all there is.
    Plain,
    /// `E'…'`, or `'…'` with `standard_conforming_strings` off.
    Backslash,
    /// `U&'…'` or `U&"…"`.
    Unicode,
    /// `$tag$…$tag$`.
    Dollar,
}

/// A token of some text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

impl Token {
    /// True for what PostgreSQL's grammar never sees.
    pub(super) fn is_blank(self) -> bool {
        matches!(
            self.kind,
            TokenKind::Space | TokenKind::LineComment | TokenKind::BlockComment
        )
    }

    /// True for this key word in any letter case.
    pub(super) fn is_word(self, text: &str, word: &str) -> bool {
        self.kind == TokenKind::Word && self.span.of(text).eq_ignore_ascii_case(word)
    }

    /// True for this punctuation or operator.
    pub(super) fn is_sign(self, text: &str, sign: &str) -> bool {
        matches!(self.kind, TokenKind::Punctuation | TokenKind::Operator) && self.span.of(text) == sign
    }
}

/// The tokens of `text`, in order, without gaps.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    standard_strings: bool,
}

impl<'a> Lexer<'a> {
    /// `standard_strings` is the session's `standard_conforming_strings`.
    pub(super) fn new(text: &'a str, standard_strings: bool) -> Self {
        Self {
            text,
            at: 0,
            standard_strings,
        }
    }

    /// Goes on at `at`, a character boundary.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = at;
    }

    fn byte(&self, at: usize) -> u8 {
        // NUL starts no token and continues none but a string or comment, whose ends are looked for by position.
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn while_(&self, mut at: usize, holds: impl Fn(u8) -> bool) -> usize {
        let bytes = self.text.as_bytes();
        while at < bytes.len() && holds(bytes[at]) {
            at += 1;
        }
        at
    }

    fn next_kind(&self) -> (TokenKind, usize) {
        let at = self.at;
        match self.byte(at) {
            byte if is_space(byte) => (TokenKind::Space, self.while_(at, is_space)),
            b'-' if self.byte(at + 1) == b'-' => (TokenKind::LineComment, self.line_end(at)),
            b'/' if self.byte(at + 1) == b'*' => self.block_comment(),
            b'\'' => {
                let quoting = if self.standard_strings {
                    Quoting::Plain
                } else {
                    Quoting::Backslash
                };
                self.string(at + 1, TokenKind::Text(quoting), quoting)
            }
            b'"' => self.quoted_name(at + 1, Quoting::Plain),
            b'e' | b'E' if self.byte(at + 1) == b'\'' => {
                self.string(at + 2, TokenKind::Text(Quoting::Backslash), Quoting::Backslash)
            }
            b'b' | b'B' | b'x' | b'X' if self.byte(at + 1) == b'\'' => {
                self.string(at + 2, TokenKind::BitText, Quoting::Plain)
            }
            b'u' | b'U' if self.byte(at + 1) == b'&' && self.byte(at + 2) == b'\'' => {
                self.string(at + 3, TokenKind::Text(Quoting::Unicode), Quoting::Plain)
            }
            b'u' | b'U' if self.byte(at + 1) == b'&' && self.byte(at + 2) == b'"' => {
                self.quoted_name(at + 3, Quoting::Unicode)
            }
            byte if is_name_start(byte) => (TokenKind::Word, self.while_(at, is_name)),
            b'$' => self.dollar(),
            b'0'..=b'9' => (TokenKind::Number, self.number()),
            b'.' if self.byte(at + 1).is_ascii_digit() => (TokenKind::Number, self.number()),
            b':' if self.byte(at + 1) == b':' => (TokenKind::Punctuation, at + 2),
            byte if is_operator(byte) => (TokenKind::Operator, self.operator()),
            _ => (TokenKind::Punctuation, at + 1),
        }
    }

    fn line_end(&self, at: usize) -> usize {
        self.while_(at, |byte| byte != b'\n' && byte != b'\r')
    }

    fn block_comment(&self) -> (TokenKind, usize) {
        let bytes = self.text.as_bytes();
        let (mut at, mut depth) = (self.at + 2, 1usize);
        while at + 1 < bytes.len() {
            match (bytes[at], bytes[at + 1]) {
                (b'/', b'*') => {
                    depth += 1;
                    at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        return (TokenKind::BlockComment, at);
                    }
                }
                _ => at += 1,
            }
        }
        (TokenKind::Unfinished, bytes.len())
    }

    /// A string from behind its opening quote, with the pieces that continue it on later lines.
    fn string(&self, mut at: usize, kind: TokenKind, quoting: Quoting) -> (TokenKind, usize) {
        let bytes = self.text.as_bytes();
        while at < bytes.len() {
            match bytes[at] {
                b'\\' if quoting == Quoting::Backslash => at += 2,
                b'\'' if self.byte(at + 1) == b'\'' => at += 2,
                b'\'' => match self.continuation(at + 1) {
                    Some(next) => at = next,
                    None => return (kind, at + 1),
                },
                _ => at += 1,
            }
        }
        (TokenKind::Unfinished, bytes.len())
    }

    /// Strings with only white space between them, a new line in it, are one (manual, 4.1.2.1).
    /// Returns the place behind the next opening quote.
    fn continuation(&self, mut at: usize) -> Option<usize> {
        let mut new_line = false;
        loop {
            match self.byte(at) {
                b'\n' | b'\r' => {
                    new_line = true;
                    at += 1;
                }
                byte if is_space(byte) => at += 1,
                b'-' if self.byte(at + 1) == b'-' => at = self.line_end(at),
                b'\'' if new_line => return Some(at + 1),
                _ => return None,
            }
        }
    }

    fn quoted_name(&self, mut at: usize, quoting: Quoting) -> (TokenKind, usize) {
        let bytes = self.text.as_bytes();
        while at < bytes.len() {
            match bytes[at] {
                b'"' if self.byte(at + 1) == b'"' => at += 2,
                b'"' => return (TokenKind::QuotedName(quoting), at + 1),
                _ => at += 1,
            }
        }
        (TokenKind::Unfinished, bytes.len())
    }

    fn dollar(&self) -> (TokenKind, usize) {
        let digits = self.while_(self.at + 1, |byte| byte.is_ascii_digit());
        if digits > self.at + 1 {
            return (TokenKind::Parameter, digits);
        }
        let tag_end = if is_name_start(self.byte(self.at + 1)) {
            self.while_(self.at + 1, |byte| is_name(byte) && byte != b'$')
        } else {
            self.at + 1
        };
        if self.byte(tag_end) != b'$' {
            return (TokenKind::Punctuation, self.at + 1);
        }
        let body = tag_end + 1;
        let delimiter = &self.text[self.at..body];
        match self.text[body..].find(delimiter) {
            Some(length) => (TokenKind::Text(Quoting::Dollar), body + length + delimiter.len()),
            None => (TokenKind::Unfinished, self.text.len()),
        }
    }

    fn number(&self) -> usize {
        let digits = |byte: u8| byte.is_ascii_digit() || byte == b'_';
        if self.byte(self.at) == b'0'
            && matches!(self.byte(self.at + 1), b'x' | b'X' | b'o' | b'O' | b'b' | b'B')
        {
            return self.while_(self.at + 2, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        }
        let mut at = self.while_(self.at, digits);
        if self.byte(at) == b'.' && self.byte(at + 1) != b'.' {
            at = self.while_(at + 1, digits);
        }
        if matches!(self.byte(at), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
            if self.byte(at + 1 + sign).is_ascii_digit() {
                at = self.while_(at + 1 + sign, digits);
            }
        }
        at
    }

    /// The longest run of operator characters, up to a comment's start. A sign at its end belongs to it only where it has
    /// one of some other characters in it: `=-1` is `= -1`.
    fn operator(&self) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        while at < bytes.len() && is_operator(bytes[at]) {
            if matches!((bytes[at], self.byte(at + 1)), (b'-', b'-') | (b'/', b'*')) {
                break;
            }
            at += 1;
        }
        let is_own = |byte: &u8| b"~!@#%^&|`?".contains(byte);
        while at > self.at + 1 && matches!(bytes[at - 1], b'+' | b'-') {
            if bytes[self.at..at - 1].iter().any(is_own) {
                break;
            }
            at -= 1;
        }
        at
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let (kind, end) = self.next_kind();
        // A backslash in front of the last quote may have led one byte too far.
        self.at = end.min(self.text.len());
        Some(Token {
            kind,
            span: Span { start, end: self.at },
        })
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c')
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

fn is_name(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || byte == b'$'
}

fn is_operator(byte: u8) -> bool {
    matches!(
        byte,
        b'~' | b'!'
            | b'@'
            | b'#'
            | b'^'
            | b'&'
            | b'|'
            | b'`'
            | b'?'
            | b'+'
            | b'-'
            | b'*'
            | b'/'
            | b'%'
            | b'<'
            | b'>'
            | b'='
    )
}

/// What a piece of a text is to whoever compares another reading of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// A word, a string, a quoted name or a parameter.
    Whole,
    /// As many operator signs as stand side by side.
    Signs,
    /// A comment, or something that has no end.
    Lost,
}

/// The pieces of a text as PostgreSQL reads it; white space, numbers and punctuation are left out.
/// `standard_strings` is the session's `standard_conforming_strings`.
pub fn pieces(text: &str, standard_strings: bool) -> impl Iterator<Item = (Piece, Span)> {
    Lexer::new(text, standard_strings).filter_map(|token| {
        let piece = match token.kind {
            TokenKind::Space | TokenKind::Number | TokenKind::Punctuation => return None,
            TokenKind::LineComment | TokenKind::BlockComment | TokenKind::Unfinished => Piece::Lost,
            TokenKind::Operator => Piece::Signs,
            _ => Piece::Whole,
        };
        Some((piece, token.span))
    })
}

/// The words, strings, numbers and signs of a text as PostgreSQL reads it, each with its offset in bytes.
pub fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let solid = Lexer::new(text, true).filter(|token| !token.is_blank());
    solid.map(|token| (token.span.start, token.span.of(text)))
}
