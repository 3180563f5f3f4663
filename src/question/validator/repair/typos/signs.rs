//! Quotes, operators and parentheses.

use super::pieces::{Piece, PieceKind};
use crate::question::schema::{Dialect, Snapshot};

/// Places for one parenthesis or apostrophe that are tried.
const MAX_PLACES: usize = 12;

/// Names in the quotes that PostgreSQL knows.
pub(super) fn quotes(mut pieces: Vec<Piece>, snapshot: &Snapshot) -> Vec<Piece> {
    if snapshot.dialect == Dialect::Postgres {
        for piece in pieces.iter_mut().filter(|piece| piece.kind == PieceKind::Quoted) {
            let inner = |open: char, close: char| piece.text.strip_prefix(open)?.strip_suffix(close);
            if let Some(name) = inner('`', '`').or_else(|| inner('[', ']')) {
                piece.text = format!("\"{}\"", name.replace("``", "`").replace('"', "\"\""));
            }
        }
    }
    pieces
}

/// Comparisons as SQL writes them.
pub(super) fn operators(pieces: Vec<Piece>, snapshot: &Snapshot) -> Vec<Piece> {
    let mut changed: Vec<Piece> = Vec::with_capacity(pieces.len());
    for mut piece in pieces {
        if piece.kind == PieceKind::Sign {
            let last = changed.last().map_or("", |last| last.text.as_str());
            let joined = match (last, piece.text.as_str()) {
                ("!", "=") | ("=", "!") => Some("!="),
                ("<", ">") => Some("<>"),
                ("<", "=") | ("=", "<") => Some("<="),
                (">", "=") | ("=", ">") => Some(">="),
                _ => None,
            };
            if let (Some(joined), Some(last)) = (joined, changed.last_mut()) {
                joined.clone_into(&mut last.text);
                continue;
            }
            let written = match piece.text.as_str() {
                "=!" => Some("!="),
                "=<" | "≤" => Some("<="),
                "=>" | "≥" => Some(">="),
                "≠" => Some("<>"),
                "==" if snapshot.dialect == Dialect::Postgres => Some("="),
                "&&" => Some("AND"),
                _ => None,
            };
            if let Some(written) = written {
                written.clone_into(&mut piece.text);
            }
        }
        changed.push(piece);
    }
    changed
}

/// Words before which a parenthesis may have been forgotten.
const BEFORE: [&str; 23] = [
    "FROM",
    "WHERE",
    "GROUP",
    "HAVING",
    "ORDER",
    "LIMIT",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "AND",
    "OR",
    "AS",
    "ON",
    ",",
    "DESC",
    "ASC",
    "BETWEEN",
    "=",
    "<",
    ">",
    "<=",
    ">=",
    "<>",
];

/// One parenthesis more at the likely places, or the one that closes nothing left out.
pub(super) fn parentheses(pieces: &[Piece], _: &Snapshot) -> Vec<Vec<Piece>> {
    let mut open: Vec<usize> = vec![];
    let mut stray = vec![];
    for (at, piece) in pieces.iter().enumerate() {
        match piece.text.as_str() {
            "(" => open.push(at),
            ")" if open.pop().is_none() => stray.push(at),
            _ => {}
        }
    }
    if !stray.is_empty() {
        let without = |left_out: &[usize]| -> Vec<Piece> {
            let kept = pieces.iter().enumerate().filter(|(at, _)| !left_out.contains(at));
            kept.map(|(_, piece)| piece.clone()).collect()
        };
        let mut guesses = vec![without(&stray)];
        // A parenthesis that was never opened: around a subquery, mostly.
        let begins = pieces.iter().enumerate().skip(1);
        let begins = begins.filter(|(_, piece)| piece.is("SELECT")).map(|(at, _)| at);
        for at in begins.take(MAX_PLACES) {
            guesses.push(with(pieces, at, "("));
        }
        return guesses;
    }
    let Some(last) = open.last().copied() else {
        return vec![];
    };
    let missing = open.len();
    let mut at_end = pieces.to_vec();
    at_end.extend(std::iter::repeat_n(Piece::sign(")"), missing));
    let mut guesses = vec![];
    // A call that is not closed ends before the next clause; a subquery ends with the text.
    let is_subquery = pieces.get(last + 1).is_some_and(|next| next.is("SELECT"));
    if is_subquery {
        guesses.push(at_end.clone());
    }
    let mut depth = 0_usize;
    for (at, piece) in pieces.iter().enumerate().skip(last + 2) {
        match piece.text.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && piece.is_one_of(&BEFORE) && guesses.len() < MAX_PLACES {
            let mut guess = with(pieces, at, ")");
            guess.extend(std::iter::repeat_n(Piece::sign(")"), missing - 1));
            guesses.push(guess);
        }
    }
    guesses.push(at_end);
    guesses
}

fn with(pieces: &[Piece], at: usize, sign: &str) -> Vec<Piece> {
    let mut with = pieces.to_vec();
    with.insert(at, Piece::sign(sign));
    with
}

/// A quote that was not closed, and one inside of a text that was not doubled.
pub(super) fn apostrophes(pieces: &[Piece], _: &Snapshot) -> Vec<Vec<Piece>> {
    let Some(last) = pieces.last().filter(|last| last.kind == PieceKind::Quoted) else {
        return vec![];
    };
    let Some(quote) = last.text.chars().next().filter(|quote| *quote != '[') else {
        return vec![];
    };
    if last.text.len() > 1 && last.text.ends_with(quote) {
        return vec![];
    }
    let mut closed = pieces.to_vec();
    if let Some(last) = closed.last_mut() {
        last.text.push(quote);
    }
    // Where more of the statement stands behind the quote, the text has ended somewhere before.
    let mut words = last.text.split_ascii_whitespace().skip(1);
    let goes_on = words.any(|word| BEFORE.iter().any(|end| word.eq_ignore_ascii_case(end)));
    let mut guesses = if goes_on { vec![] } else { vec![closed] };
    // `'O'Brien'` is read as 'O', Brien and an open quote.
    for at in 1..pieces.len().saturating_sub(1) {
        let (before, within) = (&pieces[at - 1], &pieces[at]);
        let torn = before.kind == PieceKind::Quoted
            && before.text.starts_with(quote)
            && within.kind == PieceKind::Word
            && within.space.is_empty();
        if guesses.len() >= MAX_PLACES {
            break;
        }
        if torn && let Some(text) = torn_text(&pieces[at..], quote) {
            let mut guess = pieces[..at - 1].to_vec();
            let mut joined = before.clone();
            joined.text = format!("{}{quote}{}", joined.text, text.0);
            guess.push(joined);
            guess.extend(super::pieces::pieces(&text.1));
            guesses.push(guess);
        }
    }
    guesses
}

/// The rest of a torn text up to its closing quote, and what follows.
fn torn_text(rest: &[Piece], quote: char) -> Option<(String, String)> {
    let whole: String = rest
        .iter()
        .flat_map(|piece| [piece.space.as_str(), piece.text.as_str()])
        .collect();
    let end = whole.find(quote)? + quote.len_utf8();
    Some((whole[..end].to_owned(), whole[end..].to_owned()))
}
