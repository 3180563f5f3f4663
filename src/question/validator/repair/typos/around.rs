//! What stands around a statement: fences, labels, a sentence before or behind it, a semicolon in between.

use super::pieces::{Piece, PieceKind, pieces, text_of};

/// Words that go on with a statement behind a stray semicolon.
const GOES_ON: [&str; 13] = [
    "FROM",
    "WHERE",
    "GROUP",
    "HAVING",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "AND",
    "OR",
    "JOIN",
];

/// Words that begin a statement of their own.
const STATEMENTS: [&str; 44] = [
    "SELECT",
    "WITH",
    "VALUES",
    "INSERT",
    "UPDATE",
    "DELETE",
    "REPLACE",
    "MERGE",
    "CREATE",
    "DROP",
    "ALTER",
    "TRUNCATE",
    "GRANT",
    "REVOKE",
    "SET",
    "RESET",
    "SHOW",
    "COPY",
    "CALL",
    "DO",
    "EXECUTE",
    "EXEC",
    "PREPARE",
    "DEALLOCATE",
    "DECLARE",
    "FETCH",
    "MOVE",
    "CLOSE",
    "BEGIN",
    "START",
    "COMMIT",
    "END",
    "ROLLBACK",
    "SAVEPOINT",
    "RELEASE",
    "LOCK",
    "LISTEN",
    "NOTIFY",
    "VACUUM",
    "ANALYZE",
    "REINDEX",
    "PRAGMA",
    "ATTACH",
    "DETACH",
];

/// The statement alone; `None` where it cannot be told from another statement.
pub(super) fn bare(text: &str) -> Option<String> {
    let text = retyped(text);
    let text = unfenced(&text);
    let text = unlabelled(text);
    let pieces = pieces(text);
    let mut kept = Vec::with_capacity(pieces.len());
    let mut rest = pieces.into_iter().peekable();
    while let Some(piece) = rest.next() {
        if piece.text != ";" {
            kept.push(piece);
            continue;
        }
        match rest.peek() {
            None => break,
            Some(next) if next.text == ";" || next.is_one_of(&GOES_ON) => {}
            Some(_) => {
                // Words behind the end: a remark, unless one of them may begin a statement.
                let remark =
                    rest.all(|piece| piece.kind == PieceKind::Quoted || !piece.is_one_of(&STATEMENTS));
                if !remark {
                    return None;
                }
                break;
            }
        }
    }
    Some(text_of(&kept))
}

/// True where a word outside of quotes begins statements that do more than read.
pub(super) fn may_write(pieces: &[Piece]) -> bool {
    let reads = ["SELECT", "WITH", "VALUES", "SET", "DO", "END", "SHOW", "START"];
    let mut words = pieces.iter().filter(|piece| piece.kind == PieceKind::Word);
    words.any(|word| word.is_one_of(&STATEMENTS) && !word.is_one_of(&reads))
}

/// The text as a keyboard writes it.
pub(super) fn retyped(text: &str) -> String {
    text.chars().filter_map(plain).collect()
}

/// Quotes and spaces of a word processor as a keyboard writes them; invisible characters not at all.
fn plain(character: char) -> Option<char> {
    Some(match character {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{2032}' | '\u{00b4}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2033}' | '\u{00ab}' | '\u{00bb}' => '"',
        '\u{00a0}' | '\u{2009}' | '\u{202f}' | '\u{3000}' => ' ',
        '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{feff}' | '\u{00ad}' => return None,
        '\u{2212}' | '\u{2013}' => '-',
        '\u{ff1b}' => ';',
        '\u{ff0c}' => ',',
        '\u{ff08}' => '(',
        '\u{ff09}' => ')',
        other => other,
    })
}

/// What stands between the first fence and the next.
fn unfenced(text: &str) -> &str {
    let Some((_, behind)) = text.split_once("```") else {
        return text;
    };
    let inside = behind.split_once("```").map_or(behind, |(inside, _)| inside);
    let word = inside.trim_start_matches(|character: char| character.is_ascii_alphabetic());
    let language = &inside[..inside.len() - word.len()];
    if ["sql", "sqlite", "postgresql", "postgres", ""]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(language))
    {
        word
    } else {
        inside
    }
}

/// Without `SQL:` or a sentence before the statement.
fn unlabelled(text: &str) -> &str {
    let trimmed = text.trim_start();
    // Parentheses around the first part of a set operation belong to it.
    let begins = |text: &str| {
        let text = text.trim_start_matches(|sign: char| sign == '(' || sign.is_whitespace());
        ["SELECT", "WITH"].iter().any(|word| {
            text.get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
                && text[word.len()..]
                    .starts_with(|next: char| next.is_whitespace() || next == '(' || next == '*')
        })
    };
    if begins(trimmed) {
        return trimmed;
    }
    // Only behind a colon or on a line of its own does a word begin the statement for sure.
    let starts = trimmed
        .match_indices([':', '\n'])
        .map(|(at, _)| &trimmed[at + 1..]);
    let mut candidates = starts.map(str::trim_start);
    candidates.find(|candidate| begins(candidate)).unwrap_or(text)
}
