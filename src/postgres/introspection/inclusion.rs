//! Keys that nobody declared: whether the values of columns are among those that they could refer to, within the bounds and
//! with the rights of a question.

use std::{collections::HashSet, fmt::Write as _};

use super::{Rows, sampling::quoted};
use crate::question::schema::{
    Candidate, ColumnRef, ForeignKey, Inclusion, Profile, Schema, candidates, decide, is_settled,
};

/// Rows of the referring table in which values are looked for.
const ROWS: usize = 20_000;
/// Different values that are looked for.
const VALUES: usize = 500;

/// What is known of the keys that names suggest.
#[derive(Debug)]
pub(super) struct Keys {
    /// Without keys that names alone have told of.
    schema: Schema,
    candidates: Vec<Candidate>,
    /// Of the first candidates.
    found: Vec<Option<Inclusion>>,
}

impl Keys {
    /// The keys that names and figures suggest.
    pub(super) fn new(schema: &Schema, profile: &Profile) -> Self {
        let mut schema = schema.clone();
        schema.foreign_keys.retain(|key| key.declared);
        Self {
            candidates: candidates(&schema, profile),
            found: Vec::new(),
            schema,
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.found.len() == self.candidates.len()
    }

    /// What decides the next one, with the tables that it reads; nothing where that would not tell. `read` are the tables
    /// whose rows are read at all.
    pub(super) fn statement(&self, read: &HashSet<usize>) -> Option<(String, [usize; 2])> {
        let candidate = self.candidates.get(self.found.len())?;
        if is_settled(&self.candidates, &self.found) {
            return None;
        }
        let tells = |at: &ColumnRef| {
            let table = &self.schema.tables[at.table];
            // Of rows that are kept back nobody knows what they hold.
            read.contains(&at.table) && !table.row_security && !table.columns[at.column].denied
        };
        let alike = |(from, to): (&ColumnRef, &ColumnRef)| {
            let (from, to) = (self.schema.column(*from).kind, self.schema.column(*to).kind);
            from == to || (from.is_numeric() && to.is_numeric())
        };
        let all = candidate.from.iter().chain(&candidate.to);
        (all.clone().all(tells) && candidate.from.iter().zip(&candidate.to).all(alike)).then(|| {
            let tables = [candidate.from[0].table, candidate.to[0].table];
            (statement(&self.schema, candidate), tables)
        })
    }

    /// What was read for it; `None` where nothing can be.
    pub(super) fn take(&mut self, rows: Option<&Rows>) {
        let row = rows.and_then(|rows| rows.iter().next());
        self.found.push(row.and_then(|row| {
            Some(Inclusion {
                looked_for: row.parsed(0).ok()?,
                found: row.parsed(1).ok()?,
                unique: row.text(2)? == "t",
            })
        }));
    }

    /// All keys, once every candidate was looked at.
    pub(super) fn decided(&self) -> Option<Vec<ForeignKey>> {
        self.is_done().then(|| {
            let mut keys = self.schema.foreign_keys.clone();
            keys.extend(decide(&self.schema, &self.candidates, &self.found));
            keys
        })
    }
}

fn statement(schema: &Schema, candidate: &Candidate) -> String {
    let table = |at: &ColumnRef| {
        let table = &schema.tables[at.table];
        let within = table.schema.as_deref().map(|name| format!("{}.", quoted(name)));
        within.unwrap_or_default() + &quoted(&table.name)
    };
    let name = |at: &ColumnRef| quoted(&schema.column(*at).name);
    let (from, to) = (&candidate.from, &candidate.to);
    let (mut read, mut stands, mut equal) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (from, to)) in from.iter().zip(to).enumerate() {
        read.push(format!("t.{} AS c{number}", name(from)));
        // Nothing, 0 and -1 stand for a missing reference where NULL does not.
        stands.push(format!(
            "c{number} IS NOT NULL AND c{number}::pg_catalog.text OPERATOR(pg_catalog.<>) ALL (ARRAY['', '0', '-1'])"
        ));
        equal.push(format!("k.{} OPERATOR(pg_catalog.=) v.c{number}", name(to)));
    }
    let key: Vec<String> = to.iter().map(name).collect();
    let owner = &schema.tables[to[0].table];
    let is_key =
        owner.primary_key.len() == to.len() && to.iter().all(|at| owner.primary_key.contains(&at.column));
    let is_unique = is_key || matches!(to[..], [only] if schema.column(only).unique);
    let unique = if is_unique {
        "true".to_owned()
    } else {
        format!(
            "NOT EXISTS (SELECT 1 FROM {} AS k GROUP BY {} HAVING pg_catalog.count(*) OPERATOR(pg_catalog.>) 1)",
            table(&to[0]),
            key.join(", ")
        )
    };
    let mut sql = String::new();
    // Writing into a string does not fail.
    let _ = write!(
        sql,
        "SELECT pg_catalog.count(*), pg_catalog.count(*) FILTER (WHERE EXISTS (SELECT 1 FROM {0} AS k WHERE {1})), {unique} \
         FROM (SELECT DISTINCT * FROM (SELECT {2} FROM {3} AS t LIMIT {ROWS}) AS r WHERE {4} LIMIT {VALUES}) AS v",
        table(&to[0]),
        equal.join(" AND "),
        read.join(", "),
        table(&from[0]),
        stands.join(" AND "),
    );
    sql
}
