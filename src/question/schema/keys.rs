//! Keys that nobody declared: which columns could refer to which, by their names, and which of these do, by their values.

use std::collections::{HashMap, HashSet};

use super::{Column, ColumnRef, ForeignKey, Profile, Schema, Shown, Table, TableProfile};

mod names;
mod roles;
mod values;

/// A key that names suggest. A backend may look whether the values agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The referring columns.
    pub from: Vec<ColumnRef>,
    /// What they refer to, in the same order.
    pub to: Vec<ColumnRef>,
    /// How much the names speak for it, 0 to 1.
    likeness: f32,
    /// True where the values have to agree, however well the names do.
    on_proof: bool,
}

/// How many of a candidate's values are among those that it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inclusion {
    /// Different values that were looked for.
    pub looked_for: u64,
    /// Those that were there.
    pub found: u64,
    /// False where the values referred to are not unique.
    pub unique: bool,
}

/// Candidates of one column, the best first.
const BEST: usize = 3;
/// Names that speak for themselves.
const SURE: f32 = 0.7;
/// Names that say little: a flag or a count has its few values among the numbers of any key.
const WEAK: f32 = 0.6;
/// Different values that such names need at least.
const PROOF: u64 = 5;

/// Adds to `schema.foreign_keys` the keys that names alone make likely, marked as not declared.
pub fn infer_keys(schema: &mut Schema) {
    let candidates = candidates(schema, &Profile::default());
    let undecided = vec![None; candidates.len()];
    let keys = decide(schema, &candidates, &undecided);
    schema.foreign_keys.extend(keys);
}

/// The keys that names suggest, for columns that no declared key leads out of.
pub fn candidates(schema: &Schema, profile: &Profile) -> Vec<Candidate> {
    let named = names::Names::new(schema, profile);
    let declared = schema.foreign_keys.iter().filter(|key| key.declared);
    let declared: HashSet<ColumnRef> = declared.flat_map(|key| key.from.iter().copied()).collect();
    let mut found = Vec::new();
    for (from, _) in schema.columns() {
        if schema.tables[from.table].is_view || declared.contains(&from) {
            continue;
        }
        let mut targets: Vec<(f32, ColumnRef)> = named
            .targets(from)
            .filter(|(_, to)| !refuted(profile, from, *to))
            .collect();
        targets.sort_by(|(one, first), (other, second)| {
            let kin = |to: &ColumnRef| named.kin(from.table, to.table);
            let nearer = || kin(second).cmp(&kin(first));
            other
                .total_cmp(one)
                .then_with(nearer)
                .then_with(|| first.cmp(second))
        });
        found.extend(targets.into_iter().take(BEST).map(|(likeness, to)| Candidate {
            from: vec![from],
            to: vec![to],
            likeness,
            on_proof: !same_family(schema, from, to),
        }));
    }
    let mut known: HashSet<ColumnRef> = declared;
    known.extend(
        found
            .iter()
            .flat_map(|candidate: &Candidate| candidate.from.clone()),
    );
    found.extend(values::candidates(schema, profile, &known));
    found.extend(composite(schema, profile));
    // What a declared key leads to does not refer back by the same columns.
    let keys = schema.foreign_keys.iter();
    let keys: HashSet<(&[ColumnRef], &[ColumnRef])> = keys.map(|key| (&key.from[..], &key.to[..])).collect();
    found.retain(|candidate| !keys.contains(&(&candidate.to[..], &candidate.from[..])));
    found
}

/// True where the next candidate cannot be better than one of the same columns that was looked at: the values of that were
/// all there.
pub fn is_settled(candidates: &[Candidate], found: &[Option<Inclusion>]) -> bool {
    let Some(next) = candidates.get(found.len()) else {
        return false;
    };
    let before = candidates.iter().zip(found).rev();
    let mut of_same = before.take_while(|(candidate, _)| candidate.from == next.from);
    of_same.any(|(candidate, found)| {
        let looked = found.is_some_and(|found| found.looked_for > 0);
        looked && score(candidate.likeness, *found).is_some_and(|score| score >= next.likeness + 1.0)
    })
}

/// Tables that have all columns of another one's key of several columns, by the same names.
fn composite(schema: &Schema, profile: &Profile) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut with_column: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, column) in schema.columns() {
        let tables = with_column.entry(column.name.to_lowercase()).or_default();
        if tables.last() != Some(&at.table) {
            tables.push(at.table);
        }
    }
    for (table, description) in schema.tables.iter().enumerate() {
        let key = key_of_several(description, profile.tables.get(table).and_then(Option::as_ref));
        if key.len() < 2 || description.is_view {
            continue;
        }
        let first = description.columns[key[0]].name.to_lowercase();
        for &other in with_column.get(&first).into_iter().flatten() {
            let candidate = &schema.tables[other];
            let named = |column: &usize| candidate.column_named(&description.columns[*column].name);
            let Some(columns) = key.iter().map(named).collect::<Option<Vec<usize>>>() else {
                continue;
            };
            let at = |table: usize, columns: &[usize]| -> Vec<ColumnRef> {
                columns
                    .iter()
                    .map(|&column| ColumnRef { table, column })
                    .collect()
            };
            let declared = |key: &ForeignKey| key.declared && key.from == at(other, &columns);
            // Of two tables with the same key one is the other's part: which one, the values do not tell.
            let mut own = candidate.primary_key.clone();
            own.sort_unstable();
            let mut same = columns.clone();
            same.sort_unstable();
            if other == table || candidate.is_view || own == same || schema.foreign_keys.iter().any(declared)
            {
                continue;
            }
            found.push(Candidate {
                from: at(other, &columns),
                to: at(table, &key),
                likeness: 0.95,
                on_proof: true,
            });
        }
    }
    found
}

/// The columns of a table's key; where none is declared, the two that stand first, if both are called like keys and neither
/// is one alone.
fn key_of_several(table: &Table, profile: Option<&TableProfile>) -> Vec<usize> {
    let is_part = |column: usize| {
        let unique = profile.is_none_or(|profile| profile.columns[column].is_unique());
        !unique && names::says_key(&table.columns[column].name)
    };
    if table.primary_key.is_empty() && table.columns.len() > 2 && is_part(0) && is_part(1) {
        vec![0, 1]
    } else {
        table.primary_key.clone()
    }
}

/// The candidates that are keys, by names and by what was found of their values: one for a column; and the keys of views,
/// which follow from those of tables.
pub fn decide(schema: &Schema, candidates: &[Candidate], found: &[Option<Inclusion>]) -> Vec<ForeignKey> {
    let mut best: HashMap<&[ColumnRef], (f32, usize)> = HashMap::new();
    let connected = connected(schema);
    for (number, (candidate, found)) in candidates.iter().zip(found).enumerate() {
        let looked = found.is_some_and(|found| found.looked_for > 0);
        if candidate.on_proof && !looked {
            continue;
        }
        let Some(score) = score(candidate.likeness, *found) else {
            continue;
        };
        // Names alone do not tell a second way between two tables from a mistake.
        let tables = (candidate.from[0].table, candidate.to[0].table);
        if found.is_none() && connected.contains(&tables) {
            continue;
        }
        let known = best.entry(&candidate.from).or_insert((score, number));
        if score > known.0 {
            *known = (score, number);
        }
    }
    // Of two tables that could each refer to the other by the same columns the likelier one does.
    let behind = |score: f32, number: usize| {
        let candidate = &candidates[number];
        best.get(candidate.to.as_slice()).is_some_and(|(other, back)| {
            candidates[*back].to == candidate.from && (*other, number) > (score, *back)
        })
    };
    let mut chosen: Vec<usize> = (best.values())
        .filter(|(score, number)| !behind(*score, *number))
        .map(|(_, number)| *number)
        .collect();
    chosen.sort_unstable();
    let keys: Vec<ForeignKey> = chosen
        .into_iter()
        .map(|number| ForeignKey {
            from: candidates[number].from.clone(),
            to: candidates[number].to.clone(),
            declared: false,
            enforced: false,
        })
        .collect();
    let long: Vec<&ForeignKey> = keys.iter().filter(|key| key.from.len() > 1).collect();
    let implied = |key: &ForeignKey| long.iter().any(|whole| is_implied(key, whole, &keys, schema));
    let kept = keys
        .iter()
        .filter(|key| is_own_key(key, &keys, schema) && !implied(key));
    let mut kept: Vec<ForeignKey> = kept.cloned().collect();
    let all: Vec<ForeignKey> = schema.foreign_keys.iter().chain(&kept).cloned().collect();
    kept.extend(Shown::new(schema).keys(schema, &all));
    kept
}

/// False for a longer key whose target only happens to be about the same things: two tables of figures by shop and year.
/// A key has a part of the target's own, or nothing but references.
fn is_own_key(key: &ForeignKey, keys: &[ForeignKey], schema: &Schema) -> bool {
    let refers = |at: &ColumnRef| {
        let mut others = keys.iter().chain(&schema.foreign_keys);
        others.any(|other| other.from == [*at] && other.to[0].table != at.table)
    };
    let own = |at: &ColumnRef| !refers(at) && names::says_key(&schema.column(*at).name);
    key.to.len() == 1 || key.to.iter().any(own) || key.to.iter().all(refers)
}

/// True for a key that is a part of a longer one, whose target has the same key itself: a room of a floor of
/// a house need not refer to the house.
fn is_implied(key: &ForeignKey, whole: &ForeignKey, keys: &[ForeignKey], schema: &Schema) -> bool {
    if whole.from.len() <= key.from.len() {
        return false;
    }
    let over = key.from.iter().map(|column| {
        let part = whole.from.iter().position(|part| part == column)?;
        Some(whole.to[part])
    });
    let Some(over) = over.collect::<Option<Vec<ColumnRef>>>() else {
        return false;
    };
    keys.iter()
        .chain(&schema.foreign_keys)
        .any(|next| next.from == over && next.to == key.to)
}

/// How sure a key is; `None` where it is none.
fn score(likeness: f32, found: Option<Inclusion>) -> Option<f32> {
    let Some(found) = found.filter(|found| found.looked_for > 0) else {
        return (likeness >= SURE).then_some(likeness);
    };
    if !found.unique || likeness < WEAK && found.looked_for < PROOF {
        return None;
    }
    let share = found.found as f32 / found.looked_for as f32;
    let wanted = match share {
        share if share >= 0.99 => 0.45,
        share if share >= 0.9 => SURE,
        share if share >= 0.5 => 0.95,
        _ => return None,
    };
    (likeness >= wanted).then_some(likeness + share)
}

fn same_family(schema: &Schema, one: ColumnRef, other: ColumnRef) -> bool {
    let (one, other) = (schema.column(one), schema.column(other));
    // What has fractions by its type is an amount, though its values may be whole.
    let has_fractions = |column: &Column| {
        let declared = column.declared_type.to_lowercase();
        ["real", "float", "double", "money"]
            .iter()
            .any(|name| declared.contains(name))
    };
    one.kind == other.kind
        || one.kind.is_numeric() && other.kind.is_numeric() && has_fractions(one) == has_fractions(other)
}

/// True where the figures alone show that most values are not there.
fn refuted(profile: &Profile, from: ColumnRef, to: ColumnRef) -> bool {
    let column = |at: ColumnRef| {
        let table = profile.tables.get(at.table)?.as_ref()?;
        Some((table.whole, table.columns.get(at.column)?))
    };
    let (Some((_, from)), Some((whole, to))) = (column(from), column(to)) else {
        return false;
    };
    let (Some(highest), Some(most)) = (from.highest, to.highest) else {
        return false;
    };
    let lowest = from.lowest.unwrap_or_default();
    whole && (lowest > most || from.fractions > 0 || highest < to.lowest.unwrap_or_default())
}

/// Pairs of tables with a declared key between them, either way round.
fn connected(schema: &Schema) -> HashSet<(usize, usize)> {
    let declared = schema.foreign_keys.iter().filter(|key| key.declared);
    let tables = declared.map(|key| (key.from[0].table, key.to[0].table));
    tables.flat_map(|(from, to)| [(from, to), (to, from)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::{ColumnKind, Table};

    fn table(name: &str, columns: &[&str], primary_key: &[usize]) -> Table {
        let columns = columns
            .iter()
            .map(|name| Column {
                name: (*name).into(),
                kind: ColumnKind::Integer,
                ..Column::default()
            })
            .collect();
        Table {
            name: name.into(),
            columns,
            primary_key: primary_key.to_vec(),
            ..Table::default()
        }
    }

    fn inferred(tables: Vec<Table>) -> Vec<String> {
        let mut schema = Schema {
            withheld: None,
            tables,
            ..Schema::default()
        };
        infer_keys(&mut schema);
        let name = |at: ColumnRef| format!("{}.{}", schema.tables[at.table].name, schema.column(at).name);
        schema
            .foreign_keys
            .iter()
            .map(|key| format!("{} -> {}", name(key.from[0]), name(key.to[0])))
            .collect()
    }

    #[test]
    fn keys_follow_from_names() {
        let tables = vec![
            table("customers", &["id", "age"], &[0]),
            table("orders", &["order_id", "customer_id", "age"], &[0]),
            table("order_lines", &["order_id", "line", "amount"], &[0, 1]),
        ];
        assert_eq!(
            inferred(tables),
            [
                "orders.customer_id -> customers.id",
                "order_lines.order_id -> orders.order_id"
            ]
        );
    }

    #[test]
    fn equal_generic_names_are_no_keys() {
        assert!(inferred(vec![table("a", &["id"], &[0]), table("b", &["id"], &[0])]).is_empty());
    }

    #[test]
    fn short_roles_need_the_values() {
        let tables = vec![
            table("CUSTMAST", &["CUST_NO", "PARCST"], &[0]),
            table("emp", &["emp_no"], &[0]),
            table("leave", &["leave_no", "aprv_by"], &[0]),
        ];
        let schema = Schema {
            tables,
            ..Schema::default()
        };
        let candidates = candidates(&schema, &Profile::default());
        let from: Vec<&str> = candidates
            .iter()
            .map(|candidate| schema.column(candidate.from[0]).name.as_str())
            .collect();
        assert_eq!(from, ["PARCST", "aprv_by"]);
        let mut schema = schema;
        infer_keys(&mut schema);
        assert!(schema.foreign_keys.is_empty(), "names alone do not tell");
    }

    #[test]
    fn two_columns_are_the_key_where_none_is_declared() {
        let schema = Schema {
            tables: vec![
                table("ACCTMST", &["BR_CD", "ACCT_NO", "BAL_AMT"], &[]),
                table("TXNHIST", &["TXN_ID", "BR_CD", "ACCT_NO"], &[]),
            ],
            ..Schema::default()
        };
        let repeated = |columns: usize| TableProfile {
            columns: vec![super::super::ColumnProfile::default(); columns],
            ..TableProfile::default()
        };
        let profile = Profile {
            tables: vec![Some(repeated(3)), Some(repeated(3))],
            ..Profile::default()
        };
        let found = candidates(&schema, &profile);
        let long: Vec<_> = found
            .iter()
            .filter(|candidate| candidate.from.len() == 2)
            .collect();
        assert_eq!(long.len(), 1);
        assert_eq!((long[0].from[0].table, long[0].to[0].table), (1, 0));
        assert!(long[0].on_proof);
    }

    #[test]
    fn largest_numbers_are_no_keys_and_short_roles_may_be() {
        let schema = Schema {
            tables: vec![
                table("guests", &["guest_id"], &[0]),
                table("room_types", &["room_type_id", "max_guests"], &[0]),
                table("emp", &["emp_no", "sup_no"], &[0]),
            ],
            ..Schema::default()
        };
        let found = candidates(&schema, &Profile::default());
        let from: Vec<&str> = found
            .iter()
            .map(|candidate| schema.column(candidate.from[0]).name.as_str())
            .collect();
        assert_eq!(from, ["sup_no"]);
    }

    #[test]
    fn values_decide_where_names_do_not() {
        let found = |looked_for, found, unique| {
            Some(Inclusion {
                looked_for,
                found,
                unique,
            })
        };
        assert!(score(0.5, found(40, 40, true)).is_some());
        assert!(score(0.5, None).is_none());
        assert!(
            score(0.5, found(2, 2, true)).is_none(),
            "a flag has its values among any numbers"
        );
        assert!(score(0.9, found(40, 12, true)).is_none());
        assert!(score(1.0, found(40, 30, true)).is_some(), "a few dead references");
        assert!(
            score(1.0, found(40, 40, false)).is_none(),
            "what is referred to must be unique"
        );
    }
}
