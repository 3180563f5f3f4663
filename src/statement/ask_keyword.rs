//! `ASK question;`, typed by hand: plain words up to the semicolon, apostrophes and all.

use super::lexer::{Lexer, TokenKind};

/// The key word.
pub(super) const WORD: &str = "ask";

/// The byte behind the question that starts at `from`: behind its `;`, or the end of the text.
pub(super) fn end(text: &str, from: usize) -> usize {
    scan(text, from, |_| {})
}

/// The question that starts at `from`, without comments and its `;`.
pub(super) fn question(text: &str, from: usize) -> String {
    let mut question = String::new();
    scan(text, from, |part| question.push_str(part));
    question.trim().trim_end_matches(';').trim_end().to_owned()
}

/// Goes to the end of the question and hands out its parts on the way.
fn scan(text: &str, from: usize, mut part: impl FnMut(&str)) -> usize {
    let bytes = text.as_bytes();
    let (mut start, mut at) = (from, from);
    // After a comment without an end, to look for others would only read the text again and again.
    let mut comments = true;
    while at < bytes.len() {
        match bytes[at] {
            b';' => {
                part(&text[start..=at]);
                return at + 1;
            }
            b'-' | b'/' if comments && matches!(&bytes[at..], [b'-', b'-', ..] | [b'/', b'*', ..]) => {
                let mut lexer = Lexer::new(text, true);
                lexer.skip_to(at);
                match lexer.next() {
                    Some(token) if token.is_blank() => {
                        part(&text[start..at]);
                        part(" ");
                        (start, at) = (token.span.end, token.span.end);
                    }
                    token => {
                        comments = token.is_some_and(|token| token.kind != TokenKind::Unfinished);
                        at += 1;
                    }
                }
            }
            // Within a word it is an apostrophe; elsewhere a quote, if another closes it.
            quote @ (b'\'' | b'"') if !text[from..at].ends_with(char::is_alphanumeric) => {
                let close = text[at + 1..].find(char::from(quote));
                at += close.map_or(1, |length| length + 2);
            }
            _ => at += 1,
        }
    }
    part(&text[start..]);
    text.len()
}
