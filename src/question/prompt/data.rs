//! Text that comes from a database or from a model, made harmless: it cannot end a line or a fence, hide characters, or
//! spell one of the marks that models' chat formats are made of.

use crate::error::beginning;

/// Characters of a name.
const LONGEST_NAME: usize = 128;

/// A name on one line.
pub(super) fn name(text: &str) -> String {
    line(text, LONGEST_NAME)
}

/// The text on one line, of `longest` characters at most.
pub(super) fn line(text: &str, longest: usize) -> String {
    if text.len() <= longest && is_plain(text) {
        return text.to_owned();
    }
    // What is cut away may be long; four bytes a character is the most that is needed.
    let text = beginning(text, longest.saturating_mul(8));
    let words: Vec<&str> = text.split(is_blank).filter(|word| !word.is_empty()).collect();
    cut(&harmless(&words.join(" ")), longest)
}

/// The text with its lines, of `longest` characters at most.
pub(super) fn text(text: &str, longest: usize) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let line: String = line
                .chars()
                .map(|character| if is_blank(character) { ' ' } else { character })
                .collect();
            harmless(line.trim_end())
        })
        .collect();
    cut(lines.join("\n").trim(), longest)
}

/// The text if it has at most `longest` characters and is harmless as it stands. A stored value that had to be changed
/// would no longer be the one that is stored.
pub(super) fn as_it_is(text: &str, longest: usize) -> Option<&str> {
    (text.len() <= longest * 4 && text.chars().count() <= longest && line(text, longest) == text)
        .then_some(text)
}

/// True for the words, numbers and signs that most names and values are made of: nothing of them has to be changed.
fn is_plain(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_ .,:;-+()'\"/@".contains(&byte);
    text.bytes().all(plain) && !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ")
}

/// White space of any sort, and control characters.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// Characters that nobody sees: marks of direction, joiners of nothing, tags, selectors.
fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Without hidden characters, fences and the marks of chat formats (`<|…|>`, `</s>`, `[INST]`).
fn harmless(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut characters = text.chars().filter(|character| !is_hidden(*character)).peekable();
    let mut run = 0;
    while let Some(character) = characters.next() {
        run = if matches!(character, '`' | '~') && clean.ends_with(character) {
            run + 1
        } else {
            1
        };
        // Two in a row are no fence.
        if run > 2 && matches!(character, '`' | '~') {
            clean.push(' ');
            run = 1;
        }
        let next = characters.peek().copied().unwrap_or(' ');
        clean.push(character);
        let opens = match character {
            '<' => next.is_alphabetic() || matches!(next, '/' | '|' | '\u{ff5c}' | '!' | '?'),
            '|' | '\u{ff5c}' => next == '>',
            '[' => next == '/' || next.is_ascii_uppercase(),
            _ => false,
        };
        if opens {
            clean.push(' ');
        }
    }
    clean
}

fn cut(text: &str, longest: usize) -> String {
    if text.char_indices().nth(longest).is_none() {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
