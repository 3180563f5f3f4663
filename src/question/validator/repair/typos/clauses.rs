//! Clauses in the wrong place: TOP, LIMIT before ORDER BY, an order inside of a set operation.

use super::pieces::{Piece, PieceKind};
use crate::question::schema::{Dialect, Snapshot};

/// The clauses of a SELECT in the order in which they must stand.
const ORDER: [&str; 7] = ["SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT"];
const SET_OPERATORS: [&str; 4] = ["UNION", "INTERSECT", "EXCEPT", "MINUS"];

/// `SELECT TOP n` as LIMIT at the end of its query.
pub(super) fn top(mut pieces: Vec<Piece>, _: &Snapshot) -> Vec<Piece> {
    let mut at = 0;
    while at + 2 < pieces.len() {
        let begins = pieces[at].is("SELECT") || pieces[at].is("DISTINCT");
        if !(begins && pieces[at + 1].is("TOP")) {
            at += 1;
            continue;
        }
        let (number, length) = match &pieces[at + 2..] {
            [open, number, close, ..] if open.text == "(" && close.text == ")" => (number.clone(), 4),
            [number, ..] => (number.clone(), 2),
            [] => return pieces,
        };
        // Of which rows there are that many is another matter, behind TIES, PERCENT, and in a part of a set operation.
        let end = end_of_level(&pieces, at);
        let rest = pieces.get(at + length + 1..end).unwrap_or_default();
        let is_bounded = rest
            .iter()
            .any(|piece| piece.is_one_of(&["LIMIT", "OFFSET", "FETCH"]) || piece.is_one_of(&SET_OPERATORS));
        let start = pieces[..at]
            .iter()
            .rposition(|piece| piece.text == "(")
            .unwrap_or(0);
        let is_part = pieces[start..at]
            .iter()
            .any(|piece| piece.is_one_of(&SET_OPERATORS));
        let is_other = rest
            .first()
            .is_none_or(|next| next.is_one_of(&["PERCENT", "WITH"]));
        if number.kind != PieceKind::Number || is_bounded || is_part || is_other {
            return pieces;
        }
        pieces.drain(at + 1..=at + length);
        let end = end_of_level(&pieces, at);
        let mut limit = Piece::word(&number.text);
        limit.kind = PieceKind::Number;
        pieces.splice(end..end, [Piece::word("LIMIT"), limit]);
    }
    pieces
}

/// `LIMIT m, n` where the database knows `LIMIT n OFFSET m` alone.
pub(super) fn comma(mut pieces: Vec<Piece>, snapshot: &Snapshot) -> Vec<Piece> {
    let is_number = |piece: Option<&Piece>| piece.is_some_and(|piece| piece.kind == PieceKind::Number);
    for at in 0..pieces.len() {
        let behind = |ahead: usize| pieces.get(at + ahead);
        if snapshot.dialect == Dialect::Postgres
            && pieces[at].is("LIMIT")
            && is_number(behind(1))
            && behind(2).is_some_and(|comma| comma.text == ",")
            && is_number(behind(3))
        {
            pieces.swap(at + 1, at + 3);
            pieces[at + 1].space = " ".into();
            pieces[at + 3].space = " ".into();
            pieces[at + 2] = Piece::word("OFFSET");
        }
    }
    pieces
}

/// The parts of a set operation without parentheses: neither SQLite nor the start of a statement takes them.
pub(super) fn bare_parts(pieces: Vec<Piece>, _: &Snapshot) -> Vec<Piece> {
    let mut removed = vec![];
    for (at, piece) in pieces.iter().enumerate() {
        let opens = piece.text == "(" && pieces.get(at + 1).is_some_and(|next| next.is("SELECT"));
        let is_part = at == 0 || pieces[at - 1].is_one_of(&SET_OPERATORS) || pieces[at - 1].is("ALL");
        if !(opens && is_part) {
            continue;
        }
        let end = end_of_level(&pieces, at + 1);
        let own_order = pieces[at..end]
            .iter()
            .any(|piece| piece.is_one_of(&["ORDER", "LIMIT"]));
        // Without them the operators would be taken from the left.
        let combined = pieces[at..end]
            .iter()
            .any(|piece| piece.is_one_of(&SET_OPERATORS));
        let closed = pieces.get(end).is_some_and(|piece| piece.text == ")");
        let whole = at == 0 && end + 1 == pieces.len();
        let followed = pieces
            .get(end + 1)
            .is_none_or(|next| next.is_one_of(&SET_OPERATORS) || next.is_one_of(&ORDER));
        if closed && followed && (whole || !(own_order || combined)) {
            removed.extend([at, end]);
        }
    }
    let kept = pieces
        .into_iter()
        .enumerate()
        .filter(|(at, _)| !removed.contains(at));
    kept.map(|(_, piece)| piece).collect()
}

/// A part of a set operation that has an order or limit of its own, as a subquery.
pub(super) fn ordered_parts(pieces: Vec<Piece>, _: &Snapshot) -> Vec<Piece> {
    let mut changed: Vec<Piece> = Vec::with_capacity(pieces.len());
    // Where the part that is being read began, for each open parenthesis.
    let mut starts = vec![0];
    let mut ordered = vec![false];
    for piece in pieces {
        match piece.text.as_str() {
            "(" => {
                changed.push(piece);
                starts.push(changed.len());
                ordered.push(false);
                continue;
            }
            ")" if starts.len() > 1 => {
                starts.pop();
                ordered.pop();
            }
            _ => {}
        }
        let (Some(start), Some(own)) = (starts.last_mut(), ordered.last_mut()) else {
            return changed;
        };
        if piece.is_one_of(&SET_OPERATORS) {
            if *own && changed.get(*start).is_some_and(|first| first.is("SELECT")) {
                let part: Vec<Piece> = changed.drain(*start..).collect();
                changed.extend(["SELECT", "*", "FROM"].map(Piece::word));
                changed.push(Piece::word("("));
                changed.extend(part);
                changed.push(Piece::sign(")"));
            }
            *own = false;
            changed.push(piece);
            *start = changed.len();
            continue;
        }
        if piece.is("ALL") && *start == changed.len() {
            *start += 1;
        }
        *own |= piece.is_one_of(&["ORDER", "LIMIT"]);
        changed.push(piece);
    }
    changed
}

/// The clauses of each SELECT in their order.
#[allow(clippy::needless_pass_by_value, reason = "one of a table of functions")]
pub(super) fn in_order(pieces: Vec<Piece>, _: &Snapshot) -> Vec<Piece> {
    reordered(&pieces)
}

fn reordered(pieces: &[Piece]) -> Vec<Piece> {
    let mut ordered: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut clauses: Vec<Vec<Piece>> = vec![];
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        if piece.text == "(" {
            // What is inside is a text of its own.
            let end = end_of_level(pieces, at + 1);
            let mut inside = vec![piece.clone()];
            inside.extend(reordered(&pieces[at + 1..end]));
            inside.extend(pieces.get(end).cloned());
            match clauses.last_mut() {
                Some(clause) => clause.extend(inside),
                None => clauses.push(inside),
            }
            at = end + 1;
            continue;
        }
        if piece.is_one_of(&SET_OPERATORS) {
            ordered.extend(sorted(std::mem::take(&mut clauses)));
            ordered.push(piece.clone());
        } else if clauses.is_empty() || piece.is_one_of(&ORDER) {
            clauses.push(vec![piece.clone()]);
        } else if let Some(clause) = clauses.last_mut() {
            clause.push(piece.clone());
        }
        at += 1;
    }
    ordered.extend(sorted(clauses));
    ordered
}

/// Clauses sorted, unless one of them stands twice.
fn sorted(mut clauses: Vec<Vec<Piece>>) -> impl Iterator<Item = Piece> {
    let rank = |clause: &Vec<Piece>| {
        let first = clause.first();
        first.map_or(0, |first| {
            ORDER
                .iter()
                .position(|word| first.is(word))
                .map_or(0, |at| at + 1)
        })
    };
    let mut ranks: Vec<usize> = clauses.iter().map(rank).collect();
    ranks.sort_unstable();
    let count = ranks.len();
    ranks.dedup();
    if ranks.len() == count {
        clauses.sort_by_key(rank);
    }
    clauses.into_iter().flatten()
}

/// Where the parenthesis around a piece ends, or the text.
fn end_of_level(pieces: &[Piece], at: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, piece) in pieces[at..].iter().enumerate() {
        match piece.text.as_str() {
            "(" => depth += 1,
            ")" if depth == 0 => return at + offset,
            ")" => depth -= 1,
            _ => {}
        }
    }
    pieces.len()
}
