//! Which of two references to one table is meant.

use super::super::framing;
use crate::question::schema::{ColumnRef, Schema, words};

/// What two references to one table are called that are two sides of the same: whoever speaks of one of them says so.
const SIDES: &[(&str, &str)] = &[
    ("home", "away"),
    ("host", "guest"),
    ("host", "visitor"),
    ("local", "visitor"),
    ("from", "to"),
    ("source", "target"),
    ("source", "destination"),
    ("origin", "destination"),
    ("departure", "arrival"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("winner", "loser"),
    ("first", "second"),
    ("1", "2"),
    ("a", "b"),
];

/// Of two references of a table to another, which SQL (in lower case) takes one of though the question has no word of either:
/// `fixtures per club`, where a fixture has a home club and an away club.
pub(in crate::question::embedded) fn which_reference(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let asked: Vec<String> = framing::words(question)
        .iter()
        .map(|word| words::stem(word))
        .collect();
    let sql: Vec<&str> = sql
        .split(|sign: char| !sign.is_alphanumeric() && sign != '_')
        .collect();
    let keys: Vec<(ColumnRef, usize)> = schema
        .foreign_keys
        .iter()
        .filter(|key| key.from.len() == 1 && key.from[0].table != key.to[0].table)
        .map(|key| (key.from[0], key.to[0].table))
        .collect();
    // What tells the reference from others to the same table.
    let own_words = |(at, target): (ColumnRef, usize)| -> Vec<String> {
        let of_table = words::table_words(&schema.tables[target].name);
        let of_table: Vec<String> = of_table.iter().map(|word| words::stem(word)).collect();
        let mut name = words::identifier_words(&schema.column(at).name);
        name.retain(|word| {
            !of_table.contains(&words::stem(word))
                && !matches!(word.as_str(), "id" | "no" | "code" | "key" | "number")
        });
        name
    };
    let are_sides = |one: (ColumnRef, usize), other: (ColumnRef, usize)| {
        let (one, other) = (own_words(one), own_words(other));
        let has = |words: &[String], side: &str| words.iter().any(|word| word == side);
        SIDES
            .iter()
            .any(|(this, that)| has(&one, this) && has(&other, that) || has(&one, that) && has(&other, this))
    };
    let is_in = |(at, _): (ColumnRef, usize)| {
        let column = schema.column(at).name.to_lowercase();
        sql.contains(&column.as_str())
    };
    let is_said = |key: (ColumnRef, usize)| {
        own_words(key)
            .iter()
            .any(|word| asked.contains(&words::stem(word)))
    };
    let pairs = || {
        keys.iter().flat_map(|&one| {
            let rivals = keys
                .iter()
                .filter(move |key| key.0.table == one.0.table && key.1 == one.1);
            rivals.map(move |&rival| (one, rival))
        })
    };
    let open = pairs().find(|&(one, rival)| {
        let one_of_them = is_in(one) && !is_in(rival) && !is_said(one) && !is_said(rival);
        one_of_them && are_sides(one, rival)
    });
    // `players transferred to Lund`, which is none of the present club.
    let is_way = asked
        .iter()
        .any(|word| matches!(word.as_str(), "from" | "to" | "into"));
    let used = |table: usize| sql.contains(&schema.tables[table].name.to_lowercase().as_str());
    let passed_over = || {
        pairs().find(|&(one, rival)| {
            let is_from = own_words(one).iter().any(|word| word == "from");
            let unused = !is_in(one) && !is_in(rival) && used(one.0.table) && used(one.1);
            is_way && is_from && are_sides(one, rival) && unused
        })
    };
    // `lessons per teacher`, where only who stands in for one is referred to.
    let stands_in = |key: (ColumnRef, usize)| {
        let stands_in = [
            "substitute",
            "deputy",
            "backup",
            "previous",
            "former",
            "alternate",
            "emergency",
        ];
        own_words(key)
            .iter()
            .any(|word| stands_in.contains(&word.as_str()))
            && !is_said(key)
    };
    let alone = |key: (ColumnRef, usize)| {
        let mut rivals = keys
            .iter()
            .filter(|rival| rival.0 != key.0 && rival.0.table == key.0.table && rival.1 == key.1);
        is_in(key) && !rivals.any(|rival| is_in(*rival))
    };
    if let Some((at, _)) = keys.iter().find(|key| alone(**key) && stands_in(**key)) {
        return Some(schema.column(*at).name.clone());
    }
    let (one, other) = open.or_else(passed_over)?;
    let name = |(at, _): (ColumnRef, usize)| &schema.column(at).name;
    Some(format!("{} or {}", name(one), name(other)))
}
