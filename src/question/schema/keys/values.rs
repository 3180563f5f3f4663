//! Keys whose values alone tell of them: texts of one column that are all among those of another table's key, whatever
//! the two are called, as in `origin` and `iata`.

use std::collections::{HashMap, HashSet};

use super::{Candidate, PROOF};
use crate::question::schema::{ColumnKind, ColumnProfile, ColumnRef, Profile, Schema};

/// How much it speaks for a key that all values agree: no more than a name that fits badly.
const ALIKE: f32 = 0.46;

/// The candidates of columns that no name leads out of. Only values that were kept are looked at, so it costs no look at
/// the rows.
pub(super) fn candidates(schema: &Schema, profile: &Profile, known: &HashSet<ColumnRef>) -> Vec<Candidate> {
    let held = |at: ColumnRef| {
        let held = profile.column(at)?;
        (schema.column(at).kind == ColumnKind::Text && is_coded(held)).then_some(held)
    };
    let tables = schema
        .tables
        .iter()
        .enumerate()
        .filter(|(_, table)| !table.is_view);
    let keys = tables.filter_map(|(table, description)| match description.primary_key[..] {
        [column] => Some(ColumnRef { table, column }),
        _ => None,
    });
    let mut by_value: HashMap<&str, Vec<ColumnRef>> = HashMap::new();
    for (at, held) in keys.filter_map(|at| Some((at, held(at)?))) {
        for (value, _) in &held.frequent {
            by_value.entry(value).or_default().push(at);
        }
    }
    if by_value.is_empty() {
        return Vec::new();
    }
    let of = |from: ColumnRef| {
        let table = &schema.tables[from.table];
        if table.is_view || known.contains(&from) || table.primary_key == [from.column] {
            return None;
        }
        let mut values = held(from)?.frequent.iter().map(|(value, _)| value.as_str());
        let mut fitting: Vec<ColumnRef> = by_value.get(values.next()?)?.clone();
        for value in values.filter(|value| !value.trim().is_empty()) {
            let having = by_value.get(value)?;
            fitting.retain(|at| having.contains(at));
        }
        // Of several one would be guessed.
        let [to] = fitting[..] else { return None };
        (to.table != from.table).then(|| Candidate {
            from: vec![from],
            to: vec![to],
            likeness: ALIKE,
            on_proof: true,
        })
    };
    schema.columns().filter_map(|(from, _)| of(from)).collect()
}

/// True for a column of short texts that are not numbers and tell enough to be taken at their word.
fn is_coded(held: &ColumnProfile) -> bool {
    held.distinct >= PROOF && held.numbers == 0 && held.format.is_none() && !held.frequent.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::{Cell, Column, Profiler, Table};

    /// A table with texts alone, its first column the key.
    fn table(name: &str, columns: &[&str], rows: &[&[&str]]) -> (Table, Profiler) {
        let mut profiler = Profiler::new(columns.len());
        for row in rows {
            profiler.row(row.iter().map(|text| Cell::Text(text)));
        }
        let column = |name: &&str| Column {
            name: (*name).into(),
            kind: ColumnKind::Text,
            ..Column::default()
        };
        let table = Table {
            name: name.into(),
            columns: columns.iter().map(column).collect(),
            primary_key: vec![0],
            ..Table::default()
        };
        (table, profiler)
    }

    #[test]
    fn texts_of_another_key_refer_to_it() {
        let ports = [["OSL"], ["KIE"], ["GOT"], ["HEL"], ["TLL"], ["RIX"]];
        let ports: Vec<&[&str]> = ports.iter().map(|row| &row[..]).collect();
        let ferries = [
            ["F1", "OSL", "red"],
            ["F2", "KIE", "red"],
            ["F3", "GOT", "blue"],
            ["F4", "HEL", "red"],
            ["F5", "TLL", "RIX"],
        ];
        let ferries: Vec<&[&str]> = ferries.iter().map(|row| &row[..]).collect();
        let tables = [
            table("harbours", &["unlocode"], &ports),
            table("ferries", &["ferry", "sails_from", "paint"], &ferries),
        ];
        let mut schema = Schema::default();
        let mut profile = Profile::default();
        for (table, profiler) in tables {
            schema.tables.push(table);
            profile.tables.push(Some(profiler.finish(true)));
        }
        let found = candidates(&schema, &profile, &HashSet::new());
        let of: Vec<&str> = found
            .iter()
            .map(|candidate| schema.column(candidate.from[0]).name.as_str())
            .collect();
        assert_eq!(of, ["sails_from"]);
        assert!(found[0].on_proof);
        let known = HashSet::from([found[0].from[0]]);
        assert!(candidates(&schema, &profile, &known).is_empty());
    }
}
