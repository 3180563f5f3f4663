//! Which tables and columns go into the budget, best first.

use std::collections::{HashMap, VecDeque};

use super::{
    super::{Values, ddl::Writer, estimate_tokens},
    Excerpt,
    index::Index,
    score::Scores,
};
use crate::question::schema::{ColumnKind, Snapshot, words};

/// Tables that count as what the question is about, and are connected with each other.
const SEEDS: usize = 8;
/// What a seed has at least of the best score.
const SEED_SHARE: f32 = 0.35;
/// What any table has at least of the best score.
const LEAST_SHARE: f32 = 0.25;
/// Keys between two seeds at most.
const LONGEST_PATH: usize = 4;
/// A table of more columns loses those that have nothing to do with the question.
const WIDE: usize = 15;
/// Tables that were too big for what is left of the budget, until no more are tried.
const MOST_TOO_BIG: usize = 10;
/// What the line about tables that are left out takes.
const LAST_LINE: usize = 20;

/// What the budget is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Tokens of the text of a table.
    Tokens,
    Columns,
}

/// The best tables that go into the budget.
pub(super) fn choose(
    snapshot: &Snapshot,
    index: &Index,
    scores: &Scores,
    (budget, unit): (usize, Unit),
) -> Excerpt {
    let mut chooser = Chooser {
        snapshot,
        index,
        scores,
        chosen: HashMap::new(),
        tokens: LAST_LINE,
        budget,
        unit,
    };
    let ranked = ranked(index, scores);
    let top = ranked.first().map_or(0.0, |table| scores.tables[*table]);
    let seeds: Vec<usize> = ranked
        .iter()
        .copied()
        .take(SEEDS)
        .take_while(|table| scores.tables[*table] >= top * SEED_SHARE)
        .collect();
    let mut over_budget = false;
    for (at, &seed) in seeds.iter().enumerate() {
        let added = chooser.add(seed, at == 0);
        over_budget |= at == 0 && chooser.tokens > budget;
        if added && at > 0 {
            for between in path(index, seed, &seeds[..at], &chooser.chosen) {
                chooser.add(between, false);
            }
        }
    }
    let mut too_big = 0;
    for &table in &ranked {
        if scores.tables[table] < top * LEAST_SHARE || too_big >= MOST_TOO_BIG {
            break;
        }
        too_big += usize::from(!chooser.add(table, false));
    }
    let mut chosen: Vec<(usize, Option<Vec<usize>>)> = chooser.chosen.into_iter().collect();
    chosen.sort_unstable_by_key(|(table, _)| *table);
    let left_out = snapshot.schema.tables.len() - chosen.len();
    let (tables, columns) = chosen.into_iter().unzip();
    Excerpt {
        tables,
        columns,
        tokens: chooser.tokens,
        left_out,
        over_budget,
    }
}

/// The tables by their worth; where nothing is known, those with the most keys.
fn ranked(index: &Index, scores: &Scores) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..index.tables()).collect();
    let known = scores.tables.iter().any(|score| *score > 0.0);
    if known {
        ranked.retain(|table| scores.tables[*table] > 0.0);
    }
    ranked.sort_by(|one, other| {
        let keys = |table: &usize| index.neighbours[*table].len();
        scores.tables[*other]
            .total_cmp(&scores.tables[*one])
            .then_with(|| keys(other).cmp(&keys(one)))
            .then_with(|| one.cmp(other))
    });
    ranked
}

/// The tables on a shortest way along keys from a table to one of some others that were chosen.
fn path(
    index: &Index,
    from: usize,
    goals: &[usize],
    chosen: &HashMap<usize, Option<Vec<usize>>>,
) -> Vec<usize> {
    let mut came: HashMap<usize, usize> = HashMap::from([(from, from)]);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((table, length)) = queue.pop_front() {
        if table != from && goals.contains(&table) && chosen.contains_key(&table) {
            let mut between = Vec::new();
            let mut at = came[&table];
            while at != from {
                between.push(at);
                at = came[&at];
            }
            return between;
        }
        if length < LONGEST_PATH {
            for &next in &index.neighbours[table] {
                let next = next as usize;
                came.entry(next).or_insert_with(|| {
                    queue.push_back((next, length + 1));
                    table
                });
            }
        }
    }
    Vec::new()
}

struct Chooser<'a> {
    snapshot: &'a Snapshot,
    index: &'a Index,
    scores: &'a Scores,
    /// Tables with the columns that are shown.
    chosen: HashMap<usize, Option<Vec<usize>>>,
    tokens: usize,
    budget: usize,
    unit: Unit,
}

impl Chooser<'_> {
    /// Adds a table if it goes into the budget, or must be there. Returns true if it is there.
    fn add(&mut self, table: usize, must: bool) -> bool {
        if self.chosen.contains_key(&table) {
            return true;
        }
        let columns = self.columns(table);
        let tokens = self.cost(table, columns.as_ref());
        if !must && self.tokens + tokens > self.budget {
            return false;
        }
        self.tokens += tokens;
        self.chosen.insert(table, columns);
        true
    }

    /// The columns of a wide table that have to do with the question, its keys, and what shows which row it is.
    fn columns(&self, table: usize) -> Option<Vec<usize>> {
        let schema = &self.snapshot.schema;
        let described = &schema.tables[table];
        if described.columns.len() <= WIDE {
            return None;
        }
        let mut keyed: Vec<usize> = described.primary_key.clone();
        let keys = &self.index.keys[table];
        for &key in keys.from.iter().chain(&keys.to) {
            let key = &schema.foreign_keys[key];
            let ends = key.from.iter().chain(&key.to);
            keyed.extend(ends.filter(|end| end.table == table).map(|end| end.column));
        }
        let shows = |column: usize| {
            let described = &described.columns[column];
            let label = |word: &String| matches!(word.as_str(), "name" | "title");
            described.kind == ColumnKind::Text && words::identifier_words(&described.name).iter().any(label)
        };
        let label = (0..described.columns.len()).find(|column| shows(*column));
        let wanted = |column: &usize| {
            keyed.contains(column)
                || label == Some(*column)
                || self.scores.columns[self.index.column(table, *column)] > 0.0
        };
        let kept: Vec<usize> = (0..described.columns.len()).filter(wanted).collect();
        (kept.len() < described.columns.len()).then_some(kept)
    }

    /// What a table takes of the budget; tokens are those of it with all its keys, also those to tables that are not there.
    fn cost(&self, table: usize, columns: Option<&Vec<usize>>) -> usize {
        if self.unit == Unit::Columns {
            return self.snapshot.schema.tables[table].columns.len();
        }
        let keys = &self.index.keys[table].from;
        let alone = Excerpt {
            tables: vec![table],
            columns: vec![columns.cloned()],
            ..Excerpt::default()
        };
        let mut text = String::new();
        let writer = Writer::with_keys(self.snapshot, &alone, Values::Send, vec![keys.clone()]);
        writer.table(0, &mut text);
        estimate_tokens(&text)
    }
}
