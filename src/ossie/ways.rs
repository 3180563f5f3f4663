//! How the columns of an expression are reached: from the rows of one table over references to one row each.

use std::collections::VecDeque;

use super::expression::{Names, Wrong};
use crate::semantic::{Attribute, Piece, Scalar, Way};

/// The most references one after the other.
const LONGEST: usize = 6;

/// The table from which all of these are reached: the one whose rows are aggregated.
pub(super) fn base(tables: &[usize], inside: Option<usize>, names: &Names<'_>) -> Result<usize, Wrong> {
    if tables.is_empty() {
        return inside.ok_or_else(|| {
            "it does not say which rows are counted: write COUNT(DATASET.COLUMN), or put it under its dataset"
                .to_owned()
        });
    }
    let reaches = |from: usize| tables.iter().all(|&to| !shortest(from, to, names).is_empty());
    let mut candidates = inside.into_iter().chain(tables.iter().copied());
    candidates.find(|&from| reaches(from)).ok_or_else(|| {
        let name = |table: &usize| names.snapshot.schema.tables[*table].name.as_str();
        let tables: Vec<&str> = tables.iter().map(name).collect();
        format!(
            "no relationships lead from one of {} to the others, many rows to one; a sum over both would count rows twice",
            tables.join(", ")
        )
    })
}

/// The only shortest way from a table to another.
pub(super) fn between(from: usize, to: usize, names: &Names<'_>) -> Result<Way, Wrong> {
    let name = |table: usize| names.snapshot.schema.tables[table].name.as_str();
    match &shortest(from, to, names)[..] {
        [] => Err(format!("no relationship leads from {} to {}", name(from), name(to))),
        [way] => Ok(way.clone()),
        _ => Err(format!(
            "several relationships lead from {} to {}, and it does not say which is meant",
            name(from),
            name(to)
        )),
    }
}

fn shortest(from: usize, to: usize, names: &Names<'_>) -> Vec<Way> {
    let keys = &names.snapshot.schema.foreign_keys;
    let mut found: Vec<Way> = Vec::new();
    let mut queue = VecDeque::from([(from, Way::here())]);
    while let Some((table, way)) = queue.pop_front() {
        if found.first().is_some_and(|found| found.hops.len() < way.hops.len()) {
            break;
        }
        if table == to {
            found.push(way);
            continue;
        }
        if way.hops.len() == LONGEST {
            continue;
        }
        for (key, reference) in keys.iter().enumerate() {
            // Round in a circle there is nothing new.
            if reference.from[0].table == table
                && reference.to[0].table != table
                && way.hops.iter().all(|passed| keys[passed.key].from[0].table != reference.to[0].table)
            {
                queue.push_back((reference.to[0].table, way.then(&Way::up(key))));
            }
        }
    }
    found
}

/// A value of a table's rows, from the beginning of a way that leads there.
pub(super) fn from_there(value: Scalar, way: &Way) -> Option<Vec<Piece<Attribute>>> {
    let moved = |attribute: Attribute| Attribute {
        way: way.then(&attribute.way),
        column: attribute.column,
    };
    match value {
        Scalar::Column(attribute) => Some(vec![Piece::Part(moved(attribute))]),
        Scalar::Written(pieces) => {
            let piece = |piece| match piece {
                Piece::Text(text) => Piece::Text(text),
                Piece::Part(attribute) => Piece::Part(moved(attribute)),
            };
            let inner = pieces.into_iter().map(piece);
            let bracket = |text: &str| std::iter::once(Piece::Text(text.to_owned()));
            Some(bracket("(").chain(inner).chain(bracket(")")).collect())
        }
        _ => None,
    }
}
