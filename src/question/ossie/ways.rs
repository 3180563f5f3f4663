//! How the columns of an expression are reached: from the rows of one table over references to one row each.

use std::collections::VecDeque;

use super::{
    expression::Wrong,
    names::{Names, PathStep},
};
use crate::question::semantic::{Attribute, Hop, Piece, Scalar, Term, Way};

/// The most references one after the other.
const LONGEST: usize = 6;

/// The table from which all of these are reached: the one whose rows are aggregated.
pub(super) fn base(
    ends: &[(Vec<PathStep>, usize)],
    inside: Option<usize>,
    names: &Names<'_>,
) -> Result<usize, Wrong> {
    if ends.is_empty() {
        return inside.ok_or_else(|| {
            "it does not say which rows are counted: write COUNT(DATASET.COLUMN), or put it under its dataset"
                .to_owned()
        });
    }
    let reaches = |from: usize| {
        ends.iter()
            .all(|(steps, to)| !ways(from, steps, *to, names).is_empty())
    };
    // A path begins at the rows that it is about.
    let begins = ends.iter().filter_map(|(steps, to)| match &steps[..] {
        [PathStep::Table(first), ..] => Some(*first),
        [PathStep::Key(keys), ..] => keys
            .first()
            .map(|key| names.snapshot.schema.foreign_keys[*key].from[0].table),
        [] => Some(*to),
    });
    let mut candidates = inside.into_iter().chain(begins);
    candidates.find(|&from| reaches(from)).ok_or_else(|| {
        let name = |(_, table): &(Vec<PathStep>, usize)| names.snapshot.schema.tables[*table].name.as_str();
        let tables: Vec<&str> = ends.iter().map(name).collect();
        format!(
            "no relationships lead from one of {} to the others, many rows to one; a sum over both would count rows twice",
            tables.join(", ")
        )
    })
}

/// The only shortest way from a table to another that passes some steps.
pub(super) fn between(from: usize, steps: &[PathStep], to: usize, names: &Names<'_>) -> Result<Way, Wrong> {
    let name = |table: usize| names.snapshot.schema.tables[table].name.as_str();
    match &ways(from, steps, to, names)[..] {
        [] => Err(format!(
            "no relationship leads from {} to {}",
            name(from),
            name(to)
        )),
        [way] => Ok(way.clone()),
        _ => Err(format!(
            "several relationships lead from {} to {}; say which is meant by what the way passes, as in DATASET.{}.FIELD",
            name(from),
            name(to),
            name(to)
        )),
    }
}

/// The only shortest way from a row to those of another table that lead to it.
pub(super) fn back(from: usize, to: usize, names: &Names<'_>) -> Result<Way, Wrong> {
    let there = between(to, &[], from, names)?;
    let turned = |hop: &Hop| Hop { up: !hop.up, ..*hop };
    Ok(Way {
        hops: there.hops.iter().rev().map(turned).collect(),
    })
}

fn ways(from: usize, steps: &[PathStep], to: usize, names: &Names<'_>) -> Vec<Way> {
    let keys = &names.snapshot.schema.foreign_keys;
    let mut found = vec![(from, Way::here())];
    for step in steps.iter().chain([&PathStep::Table(to)]) {
        let further = |(at, way): &(usize, Way)| -> Vec<(usize, Way)> {
            match step {
                PathStep::Table(table) => shortest(*at, *table, names)
                    .into_iter()
                    .map(|next| (*table, way.then(&next)))
                    .collect(),
                PathStep::Key(of) => {
                    let through = of.iter().flat_map(|&key| {
                        let (begin, end) = (keys[key].from[0].table, keys[key].to[0].table);
                        let next = shortest(*at, begin, names).into_iter();
                        next.map(move |next| (end, way.then(&next).then(&Way::up(key))))
                    });
                    let mut through: Vec<(usize, Way)> = through.collect();
                    // Who stands there already need not go.
                    if through.is_empty() && of.iter().any(|&key| keys[key].to[0].table == *at) {
                        through.push((*at, way.clone()));
                    }
                    let shortest = through.iter().map(|(_, way)| way.hops.len()).min();
                    through.retain(|(_, way)| Some(way.hops.len()) == shortest);
                    through
                }
            }
        };
        found = found.iter().flat_map(further).collect();
    }
    let shortest = found.iter().map(|(_, way)| way.hops.len()).min();
    let mut ways: Vec<Way> = found.into_iter().map(|(_, way)| way).collect();
    ways.retain(|way| Some(way.hops.len()) == shortest);
    ways.dedup();
    ways
}

fn shortest(from: usize, to: usize, names: &Names<'_>) -> Vec<Way> {
    let keys = &names.snapshot.schema.foreign_keys;
    let mut found: Vec<Way> = Vec::new();
    let mut queue = VecDeque::from([(from, Way::here())]);
    while let Some((table, way)) = queue.pop_front() {
        if found
            .first()
            .is_some_and(|found| found.hops.len() < way.hops.len())
        {
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
                && way
                    .hops
                    .iter()
                    .all(|passed| keys[passed.key].from[0].table != reference.to[0].table)
            {
                queue.push_back((reference.to[0].table, way.then(&Way::up(key))));
            }
        }
    }
    found
}

/// A value of a table's rows, from the beginning of a way that leads there. Where there is no row there is no value.
pub(super) fn from_there(value: Scalar, way: &Way, names: &Names<'_>) -> Option<Vec<Piece<Term>>> {
    match value {
        Scalar::Column(attribute) => Some(vec![Piece::Part(Term::Column(attribute).after(way))]),
        Scalar::Written(pieces) => {
            let inner = pieces.iter().map(|piece| piece.map(|term| term.after(way)));
            let (open, close) = match way.hops.last() {
                None => (vec![Piece::Text("(".to_owned())], ")"),
                Some(last) => {
                    let key = Attribute {
                        way: way.clone(),
                        column: names.snapshot.schema.foreign_keys[last.key].to[0].column,
                    };
                    let text = |text: &str| Piece::Text(text.to_owned());
                    let open = vec![
                        text("(CASE WHEN "),
                        Piece::Part(Term::Column(key)),
                        text(" IS NOT NULL THEN "),
                    ];
                    (open, " END)")
                }
            };
            let close = std::iter::once(Piece::Text(close.to_owned()));
            Some(open.into_iter().chain(inner).chain(close).collect())
        }
        _ => None,
    }
}
