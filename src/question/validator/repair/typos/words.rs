//! Words too many, too few, or misspelled.

use super::pieces::{Piece, PieceKind};
use crate::question::schema::Snapshot;

/// Words of which two in a row are one too many.
pub(super) const ONCE: [&str; 21] = [
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP",
    "BY",
    "HAVING",
    "ORDER",
    "LIMIT",
    "JOIN",
    "ON",
    "AND",
    "OR",
    "DISTINCT",
    "AS",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "BETWEEN",
    "LIKE",
    "IN",
    ",",
];

/// Words that begin a clause; a comma right before one connects nothing. An AND or a WHERE there has lost its condition, which
/// nobody but its author knows.
const CLAUSES: [&str; 12] = [
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
    ")",
    ";",
];

/// Words that statements are made of, which a typing error may hit.
const KEYWORDS: [&str; 24] = [
    "SELECT",
    "DISTINCT",
    "FROM",
    "WHERE",
    "GROUP",
    "BY",
    "HAVING",
    "ORDER",
    "LIMIT",
    "JOIN",
    "INNER",
    "LEFT",
    "OUTER",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "BETWEEN",
    "LIKE",
    "AND",
    "NOT",
    "DESC",
    "EXISTS",
    "COUNT",
    "OFFSET",
];

/// Guesses at misspelled words at most.
const MAX_WORDS: usize = 12;

/// One of two equal words in a row.
pub(super) fn doubled(pieces: Vec<Piece>, _: &Snapshot) -> Vec<Piece> {
    let mut kept: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let again = kept
            .last()
            .is_some_and(|last| piece.is_one_of(&ONCE) && last.is(&piece.text));
        if !again {
            kept.push(piece);
        }
    }
    kept
}

/// GROUP and ORDER have a BY.
#[allow(clippy::needless_pass_by_value, reason = "one of a table of functions")]
pub(super) fn joined_up(pieces: Vec<Piece>, _: &Snapshot) -> Vec<Piece> {
    let mut changed: Vec<Piece> = Vec::with_capacity(pieces.len());
    for (at, piece) in pieces.iter().enumerate() {
        changed.push(piece.clone());
        let next = pieces.get(at + 1);
        let lacks_by = piece.is_one_of(&["GROUP", "ORDER"])
            && next.is_some_and(|next| {
                !next.is("BY") && matches!(next.kind, PieceKind::Word | PieceKind::Quoted)
            })
            && at > 0
            && (pieces[at - 1].kind != PieceKind::Sign || pieces[at - 1].text == ")");
        if lacks_by {
            changed.push(Piece::word("BY"));
        }
    }
    changed
}

/// Commas that connect nothing.
pub(super) fn dangling(pieces: Vec<Piece>, _: &Snapshot) -> Vec<Piece> {
    let mut kept: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let opens = kept
            .last()
            .is_some_and(|last| last.is_one_of(&["SELECT", "BY", "("]));
        if opens && piece.is(",") {
            continue;
        }
        if piece.is_one_of(&CLAUSES) {
            while kept.last().is_some_and(|last| last.is(",")) {
                kept.pop();
            }
        }
        kept.push(piece);
    }
    while kept.last().is_some_and(|last| last.is(",")) {
        kept.pop();
    }
    kept
}

/// A word that is no name of the schema and nearly a keyword, as that keyword.
pub(super) fn misspelled(pieces: &[Piece], snapshot: &Snapshot) -> Vec<Vec<Piece>> {
    let schema = &snapshot.schema;
    let is_name = |word: &str| {
        schema.table_named(word).is_some()
            || schema
                .tables
                .iter()
                .any(|table| table.column_named(word).is_some())
    };
    let mut guesses = vec![];
    for (at, piece) in pieces.iter().enumerate() {
        let behind_dot = at > 0 && pieces[at - 1].text == ".";
        if piece.kind != PieceKind::Word || behind_dot || piece.text.len() < 2 || is_name(&piece.text) {
            continue;
        }
        let upper = piece.text.to_uppercase();
        if KEYWORDS.contains(&upper.as_str()) {
            continue;
        }
        let meant = KEYWORDS.iter().filter(|word| is_slip(&upper, word));
        for word in meant {
            let mut guess = pieces.to_vec();
            (*word).clone_into(&mut guess[at].text);
            guesses.push(guess);
        }
        if guesses.len() > MAX_WORDS {
            break;
        }
    }
    guesses
}

/// True for a word in capitals that a slip of the pen makes of a keyword.
pub(super) fn is_slip(word: &str, keyword: &str) -> bool {
    let typos = strsim::damerau_levenshtein(keyword, word);
    KEYWORDS.contains(&keyword) && (typos == 1 || (typos == 2 && keyword.len() > 5))
}

/// True for a name that a slip of the pen may make of a word that says how tables are joined: `visits LFT JOIN`.
pub(in crate::question::validator::repair) fn is_kind_of_join(name: &str) -> bool {
    let name = name.to_uppercase();
    let kinds = ["LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "OUTER", "LATERAL"];
    kinds.iter().any(|kind| {
        let typos = strsim::damerau_levenshtein(kind, &name);
        name.len() > 2 && (typos == 1 || (typos == 2 && kind.len() > 5))
    })
}
