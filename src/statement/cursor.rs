//! A statement's tokens without white space and comments, read one after the other.

use super::{
    Options, Span, StatementError,
    lexer::{Lexer, Token, TokenKind},
    literal::{name_value, text_value},
};

/// Reads tokens from left to right. Its methods take what they name and say whether it was there.
pub(super) struct TokenCursor<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
}

impl<'a> TokenCursor<'a> {
    /// All tokens of one statement up to its final `;`.
    pub(super) fn new(text: &'a str, options: &Options) -> Self {
        let lexer = Lexer::new(text, options.standard_conforming_strings);
        let mut tokens: Vec<Token> = lexer.filter(|token| !token.is_blank()).collect();
        while tokens.last().is_some_and(|token| token.is_sign(text, ";")) {
            tokens.pop();
        }
        Self { text, tokens, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<Token> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).copied()
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub(super) fn sees_sign(&self, sign: &str) -> bool {
        self.peek().is_some_and(|token| token.is_sign(self.text, sign))
    }

    /// Sees these key words, one space between two.
    pub(super) fn sees(&self, words: &str) -> bool {
        let mut words = words.split(' ').enumerate();
        words.all(|(ahead, word)| {
            self.peek_at(ahead)
                .is_some_and(|token| token.is_word(self.text, word))
        })
    }

    /// Takes these key words, all or none.
    pub(super) fn take(&mut self, words: &str) -> bool {
        let matched = self.sees(words);
        if matched {
            self.at += words.split(' ').count();
        }
        matched
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let matched = self.sees_sign(sign);
        self.at += usize::from(matched);
        matched
    }

    /// These key words, or a syntax error.
    pub(super) fn expect(&mut self, words: &str) -> Result<(), StatementError> {
        if self.take(words) {
            Ok(())
        } else {
            Err(self.error())
        }
    }

    pub(super) fn expect_sign(&mut self, sign: &str) -> Result<(), StatementError> {
        if self.take_sign(sign) {
            Ok(())
        } else {
            Err(self.error())
        }
    }

    /// `value` if everything was read.
    pub(super) fn finish<T>(&self, value: T) -> Result<T, StatementError> {
        if self.is_at_end() {
            Ok(value)
        } else {
            Err(self.error())
        }
    }

    /// A name, quoted or not.
    pub(super) fn name(&mut self) -> Result<String, StatementError> {
        let name = self.peek().and_then(|token| name_value(token, self.text));
        self.at += usize::from(name.is_some());
        name.ok_or_else(|| self.error())
    }

    /// A name with any qualifiers, joined by dots.
    pub(super) fn qualified_name(&mut self) -> Result<String, StatementError> {
        let mut name = self.name()?;
        while self.take_sign(".") {
            name.push('.');
            name.push_str(&self.name()?);
        }
        Ok(name)
    }

    /// A string.
    pub(super) fn string(&mut self) -> Result<String, StatementError> {
        let value = self.peek().and_then(|token| text_value(token, self.text));
        self.at += usize::from(value.is_some());
        value.ok_or_else(|| self.error())
    }

    /// A whole number with its sign.
    pub(super) fn integer(&mut self) -> Result<i64, StatementError> {
        let start = self.at;
        let negative = self.take_sign("-");
        if !negative {
            self.take_sign("+");
        }
        let digits = self
            .peek()
            .filter(|token| token.kind == TokenKind::Number)
            .map(|token| token.span.of(self.text));
        let number = digits.and_then(|digits| digits.parse::<i64>().ok());
        let Some(number) = number else {
            self.at = start;
            return Err(self.error());
        };
        self.at += 1;
        Ok(if negative { -number } else { number })
    }

    /// All that is left, as it is written; a syntax error if that is nothing.
    pub(super) fn rest(&mut self) -> Result<Span, StatementError> {
        let (Some(first), Some(last)) = (self.peek(), self.tokens.last()) else {
            return Err(self.error());
        };
        let span = first.span.to(last.span);
        self.at = self.tokens.len();
        Ok(span)
    }

    /// What stands in parentheses, from behind the opening one, split at its top-level commas. Takes the
    /// closing one, too.
    pub(super) fn list(&mut self) -> Result<Vec<Span>, StatementError> {
        let mut items = Vec::new();
        let mut item: Option<Span> = None;
        let mut depth = 0usize;
        loop {
            let Some(token) = self.next() else {
                return Err(self.error());
            };
            let sign = if token.kind == TokenKind::Punctuation {
                token.span.of(self.text)
            } else {
                ""
            };
            match sign {
                ")" if depth == 0 => {
                    items.extend(item);
                    return Ok(items);
                }
                "," if depth == 0 => {
                    items.extend(item.take());
                    continue;
                }
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            item = Some(item.map_or(token.span, |item| item.to(token.span)));
        }
    }

    /// A syntax error at the next token, in PostgreSQL's words.
    pub(super) fn error(&self) -> StatementError {
        let (near, start) = match self.peek() {
            Some(token) => (token.span.of(self.text).to_owned(), token.span.start),
            None => (
                "end of input".to_owned(),
                self.tokens.last().map_or(0, |token| token.span.end),
            ),
        };
        StatementError::Syntax {
            near,
            position: position(self.text, start),
        }
    }

    pub(super) fn text_of(&self, span: Span) -> &'a str {
        span.of(self.text)
    }
}

/// The position of a byte as clients count it: in characters from 1.
pub(super) fn position(text: &str, byte: usize) -> usize {
    text[..byte].chars().count() + 1
}
