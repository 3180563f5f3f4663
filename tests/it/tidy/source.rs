//! Rust as far as the rules need it: code without comments and texts, and what it imports.

use std::collections::BTreeSet;

/// The text without its comments, strings and characters, so that only code is looked at.
pub(super) fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let raw =
            raw_string(rest).filter(|_| !code.ends_with(|last: char| last.is_alphanumeric() || last == '_'));
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw {
            length
        } else if first == '"' {
            string(rest)
        } else if first == '\'' {
            character(rest)
        } else {
            code.push(first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    code
}

/// The length of `r#"…"#`, if the text begins with one.
fn raw_string(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?.find(|character| character != '#')?;
    let open = text.get(1 + hashes..)?.strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(2 + hashes + open.find(&close)? + close.len())
}

/// The length of `"…"`.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of `'…'`, or 1 for the quote of a lifetime.
fn character(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => {
            characters.next();
            characters
                .find(|(_, character)| *character == '\'')
                .map_or(1, |(at, _)| at + 1)
        }
        Some(_) => match characters.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

/// The words behind `crate::` and `querent::`; of a group in braces, the first word of each item.
pub(super) fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for root in ["crate::", "querent::"] {
        for (at, _) in code.match_indices(root) {
            let tail = &code[at + root.len()..];
            let Some(group) = tail.strip_prefix('{') else {
                found.insert(word(tail));
                continue;
            };
            let mut depth = 0;
            let mut fresh = true;
            for (at, character) in group.char_indices() {
                match character {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => fresh = true,
                    character if fresh && !character.is_whitespace() => {
                        found.insert(word(&group[at..]));
                        fresh = false;
                    }
                    _ => {}
                }
            }
        }
    }
    found.retain(|word| word.starts_with(|first: char| first.is_ascii_lowercase()));
    found
}

fn word(text: &str) -> String {
    text.chars()
        .take_while(|character| character.is_alphanumeric() || *character == '_')
        .collect()
}
