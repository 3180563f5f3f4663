//! Names that are longer than PostgreSQL keeps: they are cut off where the statement is read (manual, section 4.1.1).

use super::{
    Options, ask_keyword,
    lexer::{Lexer, Quoting, Token, TokenKind},
};
use crate::error::beginning;

/// Bytes of a name (`NAMEDATALEN - 1`).
const LONGEST: usize = 63;

/// A text whose names are cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncated {
    /// As long as it was, in characters: what is cut off is blank.
    pub text: String,
    /// The names as they are written, in lower case unless in quotes, and what is left of each.
    pub names: Vec<(String, String)>,
}

/// A text with its long names cut off, but for those that there are; `None` where it has none.
pub fn truncated(text: &str, options: &Options, exists: impl Fn(&str) -> bool) -> Option<Truncated> {
    if !may_have_long_names(text) {
        return None;
    }
    let mut cut = Truncated {
        text: String::with_capacity(text.len()),
        names: vec![],
    };
    // The words of a question are no names.
    let mut begins = true;
    let mut lexer = Lexer::new(text, options.standard_conforming_strings);
    while let Some(token) = lexer.next() {
        if begins && options.ask_keyword && token.is_word(text, ask_keyword::WORD) {
            let end = ask_keyword::end(text, token.span.end);
            lexer.skip_to(end);
            cut.text.push_str(&text[token.span.start..end]);
            continue;
        }
        begins = token.is_sign(text, ";") || begins && token.is_blank();
        let written = token.span.of(text);
        let name = name_of(token, text).filter(|name| name.len() > LONGEST && !exists(name));
        let Some(name) = name else {
            cut.text.push_str(written);
            continue;
        };
        let kept = beginning(&name, LONGEST);
        let shown = if token.kind == TokenKind::Word {
            // In the case in which it is written: questions show it.
            beginning(written, LONGEST).to_owned()
        } else {
            format!("\"{}\"", kept.replace('"', "\"\""))
        };
        let missing = written.chars().count() - shown.chars().count();
        cut.text.push_str(&shown);
        cut.text.push_str(&" ".repeat(missing));
        let told = (name.clone(), kept.to_owned());
        cut.names.push(told);
    }
    (!cut.names.is_empty()).then_some(cut)
}

/// The name that a token is.
fn name_of(token: Token, text: &str) -> Option<String> {
    let written = token.span.of(text);
    match token.kind {
        TokenKind::Word => Some(written.to_lowercase()),
        TokenKind::QuotedName(Quoting::Plain) => {
            let within = written.strip_prefix('"')?.strip_suffix('"')?;
            Some(within.replace("\"\"", "\""))
        }
        _ => None,
    }
}

/// True where so many bytes stand between two that end a name: most texts need no closer look.
fn may_have_long_names(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
    let (mut run, mut quote) = (0, None);
    for (at, byte) in text.bytes().enumerate() {
        run = if is_part(byte) { run + 1 } else { 0 };
        if byte == b'"' && quote.replace(at).is_some_and(|before| at - before > LONGEST + 1) {
            return true;
        }
        if run > LONGEST {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 tells it.
    #[test]
    fn long_names_are_cut_off() {
        let long = "Abcdefghij".repeat(7);
        let lower = long.to_lowercase();
        let check = |text: &str, expected: Option<(&str, &[(&str, &str)])>| {
            let exists = |name: &str| name.ends_with("kept");
            let found = truncated(text, &Options::default(), exists);
            let names = |names: &[(&str, &str)]| -> Vec<(String, String)> {
                names
                    .iter()
                    .map(|(name, kept)| ((*name).to_owned(), (*kept).to_owned()))
                    .collect()
            };
            assert_eq!(
                found,
                expected.map(|(text, told)| Truncated {
                    text: text.to_owned(),
                    names: names(told)
                }),
                "{text}"
            );
        };
        check("select a, \"b\" from t", None);
        check(&format!("select '{long}', $${long}$$ -- {long}"), None);
        check(&format!("select {long}kept from t"), None);
        check(
            &format!("select {long} from t"),
            Some((
                &format!("select {}{} from t", &long[..63], " ".repeat(7)),
                &[(&lower, &lower[..63])],
            )),
        );
        check(
            &format!("select \"{long}\".a"),
            Some((
                &format!("select \"{}\"{}.a", &long[..63], " ".repeat(7)),
                &[(&long, &long[..63])],
            )),
        );
        let accents = "\u{e9}".repeat(35);
        check(
            &format!("\"{accents}\""),
            Some((
                &format!("\"{}\"    ", "\u{e9}".repeat(31)),
                &[(&accents, &"\u{e9}".repeat(31))],
            )),
        );
    }
}
