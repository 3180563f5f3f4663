//! A text is split into statements at its top-level semicolons.

use super::{Options, Span, lexer::Lexer};

/// The spans of the statements of `text`, each with its `;` and what stands in front of it; adjacent, from
/// the first byte to the last. What follows the last `;` is a statement of its own unless it is empty.
pub fn split(text: &str, options: &Options) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    for token in Lexer::new(text, options.standard_conforming_strings) {
        if token.is_sign(text, ";") {
            spans.push(Span {
                start,
                end: token.span.end,
            });
            start = token.span.end;
        }
    }
    if start < text.len() {
        spans.push(Span {
            start,
            end: text.len(),
        });
    }
    spans
}
