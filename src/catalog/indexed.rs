//! Indexes in words, as `pg_get_indexdef` tells them.

use std::fmt::Write as _;

use super::{
    describe::quote_identifier,
    lexical::{Piece, pieces},
    model::{Keyed, schema_name},
    source::Table,
    words,
};

/// The items in the first parentheses of a `CREATE INDEX`, and what follows WHERE.
fn parts(sql: &str) -> (Vec<String>, Option<String>) {
    let (mut items, mut depth, mut start, mut condition) = (vec![], 0_usize, None, None);
    for (at, piece) in pieces(sql) {
        let Piece::Token(token) = piece else { continue };
        match token {
            "(" => {
                depth += 1;
                if depth == 1 && items.is_empty() {
                    start = Some(at + 1);
                }
            }
            "," | ")" if depth == 1 => {
                if let Some(from) = start.take() {
                    items.push(sql[from..at].trim().to_owned());
                    start = (token == ",").then_some(at + 1);
                }
                depth -= usize::from(token == ")");
            }
            ")" => depth = depth.saturating_sub(1),
            _ if depth == 0 && token.eq_ignore_ascii_case("where") && condition.is_none() => {
                condition = Some(sql[at + token.len()..].trim().to_owned());
            }
            _ => {}
        }
    }
    (items, condition)
}

/// The expressions that an index is on.
pub(super) fn expressions(keyed: &Keyed) -> Vec<String> {
    let Some(sql) = &keyed.index.sql else {
        return vec![];
    };
    let (items, _) = parts(sql);
    items
        .into_iter()
        .zip(&keyed.columns)
        .filter(|(_, column)| **column == 0)
        .map(|(item, _)| words::expression(&item))
        .collect()
}

/// The condition of a partial index.
pub(super) fn predicate(keyed: &Keyed) -> Option<String> {
    keyed
        .index
        .sql
        .as_deref()
        .filter(|_| keyed.index.partial)
        .and_then(|sql| parts(sql).1)
        .map(|condition| words::condition(&condition))
}

/// One column of an index; 1 is the first.
pub(super) fn column(table: &Table, keyed: &Keyed, position: usize) -> Option<String> {
    let column = *keyed.columns.get(position.checked_sub(1)?)?;
    if column == 0 {
        let before = keyed.columns[..position - 1]
            .iter()
            .filter(|column| **column == 0)
            .count();
        return expressions(keyed).get(before).cloned();
    }
    table
        .columns
        .get((column - 1) as usize)
        .map(|column| quote_identifier(&column.name))
}

/// The statement that would create an index.
pub(super) fn definition(table: &Table, keyed: &Keyed) -> String {
    let unique = if keyed.index.unique { "UNIQUE " } else { "" };
    let columns: Vec<String> = (1..=keyed.columns.len())
        .map(|position| {
            let name = column(table, keyed, position).unwrap_or_default();
            let descending = keyed
                .index
                .columns
                .get(position - 1)
                .is_some_and(|(_, descending)| *descending);
            if descending && !name.to_ascii_lowercase().ends_with(" desc") {
                format!("{name} DESC")
            } else {
                name
            }
        })
        .collect();
    let mut told = format!(
        "CREATE {unique}INDEX {} ON {}.{} USING btree ({})",
        quote_identifier(&keyed.name),
        quote_identifier(schema_name(table)),
        quote_identifier(&table.name),
        columns.join(", ")
    );
    if let Some(condition) = predicate(keyed) {
        let _ = write!(told, " WHERE {condition}");
    }
    told
}
