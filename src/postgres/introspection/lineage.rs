//! What stands behind views, through the views between: columns, and how many relations a planner sees. Anybody may make views of
//! views as deep and as often doubled as they like, so both are bounded, and what is beyond a bound is not read.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use crate::question::schema::{Planned, SourceColumn};

/// Relations behind one at most. A query that reads more is refused before it is planned, too.
const MOST_RELATIONS: usize = 200;
/// Columns that are told behind all of them together.
const MOST_SOURCES: usize = 200_000;

/// What is counted of a view at most: more is too much, whatever it is multiplied by.
const MOST_PLANNED: f64 = 1e12;

/// Why what is beyond these is not read, in words that follow its name.
pub(super) const BEYOND: &str = "reads more views and tables, one behind the other, than are looked through";

/// What the query of a view reads by itself.
#[derive(Debug, Default)]
pub(super) struct ViewQuery {
    /// Relations by their numbers, with how often each is read.
    pub(super) reads: Vec<(u32, f64)>,
    pub(super) set_operations: f64,
}

/// What relations read by themselves: each relation and column of it.
#[derive(Debug, Default)]
pub(super) struct Sources(HashMap<u32, Vec<(u32, SourceColumn)>>);

impl Sources {
    pub(super) fn insert(&mut self, relation: u32, read: u32, column: SourceColumn) {
        self.0.entry(relation).or_default().push((read, column));
    }

    /// What is behind each of some relations, those with the least behind them first; `None` where that is too much.
    pub(super) fn behind(
        &self,
        relations: impl Iterator<Item = u32>,
    ) -> Vec<(u32, Option<Vec<SourceColumn>>)> {
        let mut all: Vec<(u32, Option<Vec<u32>>)> = relations
            .filter(|relation| self.0.contains_key(relation))
            .map(|relation| (relation, self.readers(relation)))
            .collect();
        let size = |readers: &Option<Vec<u32>>| readers.as_ref().map_or(usize::MAX, Vec::len);
        all.sort_by_key(|(relation, readers)| (size(readers), *relation));
        let mut left = MOST_SOURCES;
        let columns = |readers: Vec<u32>| {
            let mut seen = HashSet::new();
            let read = readers.iter().filter_map(|reader| self.0.get(reader)).flatten();
            let columns = read
                .map(|(_, column)| column)
                .filter(|column| seen.insert(*column));
            let columns: Vec<SourceColumn> = columns.take(left + 1).cloned().collect();
            left = left.checked_sub(columns.len())?;
            Some(columns)
        };
        let mut columns = columns;
        let told = all
            .into_iter()
            .map(|(relation, readers)| (relation, readers.and_then(&mut columns)));
        told.collect()
    }

    /// A relation and all behind it that read something themselves.
    fn readers(&self, relation: u32) -> Option<Vec<u32>> {
        let mut seen = HashSet::from([relation]);
        let mut readers = vec![relation];
        let mut at = 0;
        while let Some(reader) = readers.get(at) {
            at += 1;
            for (read, _) in self.0.get(reader).into_iter().flatten() {
                if seen.len() > MOST_RELATIONS {
                    return None;
                }
                if seen.insert(*read) && self.0.contains_key(read) {
                    readers.push(*read);
                }
            }
        }
        Some(readers)
    }
}

/// What each view is to a planner.
pub(super) fn planned(queries: &HashMap<u32, ViewQuery>) -> HashMap<u32, Planned> {
    let mut planned: HashMap<u32, Planned> = HashMap::new();
    for view in queries.keys() {
        let mut open = vec![(*view, false)];
        while let Some((view, are_known)) = open.pop() {
            let Some(query) = queries.get(&view) else { continue };
            if are_known {
                let sum = |of: fn(Planned) -> f64| -> f64 {
                    let reads = query.reads.iter();
                    reads
                        .map(|(read, times)| times * of(planned.get(read).copied().unwrap_or_default()))
                        .sum()
                };
                let relations = sum(|behind| 1.0 + behind.relations);
                // What a set operation combines is planned apart.
                let joined = (sum(|behind| behind.joined.max(1.0)) / (query.set_operations + 1.0)).ceil();
                planned.insert(
                    view,
                    Planned {
                        relations: relations.min(MOST_PLANNED),
                        joined: joined.min(MOST_PLANNED),
                    },
                );
            } else if let Entry::Vacant(unknown) = planned.entry(view) {
                // What reads itself adds nothing to what else it reads.
                unknown.insert(Planned::default());
                open.push((view, true));
                open.extend(query.reads.iter().map(|(read, _)| (*read, false)));
            }
        }
    }
    planned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: u32) -> SourceColumn {
        SourceColumn {
            schema: None,
            table: name.to_string(),
            column: None,
        }
    }

    #[test]
    fn chains_are_looked_through_up_to_a_bound() {
        let mut sources = Sources::default();
        for view in 1..100_000 {
            sources.insert(view, view - 1, column(view - 1));
        }
        let behind = sources.behind([1, 3, 5_000, 99_999].into_iter());
        let found: Vec<_> = behind
            .iter()
            .map(|(view, columns)| (*view, columns.as_ref().map(Vec::len)))
            .collect();
        assert_eq!(found, [(1, Some(1)), (3, Some(3)), (5_000, None), (99_999, None)]);
    }

    #[test]
    fn views_count_as_often_as_they_are_read() {
        let query = |reads: &[(u32, f64)], set_operations| ViewQuery {
            reads: reads.to_vec(),
            set_operations,
        };
        let mut queries = HashMap::from([
            (10, query(&[(1, 1.0)], 0.0)),
            (11, query(&[(10, 2.0)], 0.0)),
            (12, query(&[(11, 2.0), (2, 1.0)], 0.0)),
            (13, query(&[(1, 1.0), (2, 1.0), (3, 1.0)], 2.0)),
        ]);
        queries.extend((100..100_000).map(|view| (view, query(&[(view - 1, 2.0)], 0.0))));
        let planned = planned(&queries);
        let of = |view: u32| (planned[&view].relations, planned[&view].joined);
        assert_eq!(of(10), (1.0, 1.0));
        assert_eq!(of(11), (4.0, 2.0));
        assert_eq!(of(12), (11.0, 5.0));
        assert_eq!(of(13), (3.0, 1.0));
        assert!(of(99_999).0 >= MOST_PLANNED);
    }
}
