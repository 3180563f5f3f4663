//! What to tell somebody whose question has no answer: which of its words were understood as what, and a question of the
//! same kind that has one.

use time::Date;

use super::{
    LONGEST_QUESTION, linking, plan,
    planning::display_columns,
    question, resolve,
    resolve::{Item, Kind, is_key},
    sql, subproblems, vocabulary,
};
use crate::schema::{ColumnRef, Snapshot};

/// Phrases that are named at most.
const PHRASES: usize = 6;
/// Tables that are named where no phrase is.
const TABLES: usize = 3;

/// Two sentences or less: what was understood, and what could be asked.
pub(crate) fn suggestion(asked: &str, today: Date, snapshot: &Snapshot) -> Option<String> {
    let tables = &snapshot.schema.tables;
    if tables.is_empty() || asked.chars().count() > LONGEST_QUESTION {
        return None;
    }
    let tokens = question::tokens(asked, today);
    let mentions = linking::link(&tokens, &vocabulary::of(&snapshot.schema), snapshot);
    let items = resolve::resolve(&mentions, &tokens, snapshot);
    let understood: Vec<String> = items
        .iter()
        .filter_map(|item| {
            let phrase: Vec<&str> = tokens[item.span.clone()]
                .iter()
                .map(|token| token.text.as_str())
                .collect();
            Some(format!(
                "\"{}\" as {}",
                phrase.join(" "),
                meaning(item, snapshot)?
            ))
        })
        .take(PHRASES)
        .collect();
    let known = if understood.is_empty() {
        let names = tables.iter().filter(|table| !table.is_view).take(TABLES);
        let names: Vec<&str> = names.map(|table| table.name.as_str()).collect();
        match names.as_slice() {
            [] => "No word of it names anything here.".to_owned(),
            names => format!(
                "No word of it names anything here; there is {}, for example.",
                names.join(", ")
            ),
        }
    } else {
        format!("Understood: {}.", understood.join(", "))
    };
    let is_read = |wording: &String| {
        let linked = super::link(wording, today, snapshot).ok()?;
        let plan = plan(&subproblems(&linked, snapshot).ok()?, snapshot).ok()?;
        sql(&plan, snapshot).ok()
    };
    let wording = wordings(&items, snapshot)
        .into_iter()
        .find(|wording| is_read(wording).is_some());
    Some(match wording {
        Some(wording) => format!("{known} Ask, for example: {wording}"),
        None => known,
    })
}

fn meaning(item: &Item, snapshot: &Snapshot) -> Option<String> {
    let schema = &snapshot.schema;
    let column = |at: ColumnRef| format!("{}.{}", schema.tables[at.table].name, schema.column(at).name);
    Some(match &item.kind {
        Kind::Table(table) => format!("the table {}", schema.tables[*table].name),
        Kind::Column(at, _) => format!("the column {}", column(*at)),
        Kind::Value { hits, .. } => format!("a value of {}", column(hits.first()?.column)),
        _ => return None,
    })
}

/// Questions about what was understood, the most telling first; in the end, about anything.
fn wordings(items: &[Item], snapshot: &Snapshot) -> Vec<String> {
    let schema = &snapshot.schema;
    let table_name = |table: usize| words(&schema.tables[table].name);
    let column_name = |at: ColumnRef| words(&schema.column(at).name);
    let mut wordings = Vec::new();
    for item in items {
        if let Kind::Value { hits, .. } = &item.kind
            && let Some(hit) = hits.first()
        {
            let (table, column) = (table_name(hit.column.table), column_name(hit.column));
            wordings.push(format!(
                "how many {table} are there with the {column} \"{}\"?",
                hit.stored
            ));
        }
    }
    let columns = items.iter().filter_map(|item| match &item.kind {
        Kind::Column(at, _) => Some(*at),
        _ => None,
    });
    for at in columns {
        let (table, column) = (table_name(at.table), column_name(at));
        if schema.column(at).kind.is_numeric() && !is_key(snapshot, at) {
            wordings.push(format!("what is the average {column} of the {table}?"));
        } else {
            wordings.push(format!("how many {table} are there for each {column}?"));
        }
    }
    let named = items.iter().filter_map(|item| match &item.kind {
        Kind::Table(table) => Some(*table),
        _ => None,
    });
    let others = (0..schema.tables.len()).filter(|table| !schema.tables[*table].is_view);
    let has_columns = |table: &usize| !schema.tables[*table].columns.is_empty();
    for table in named.chain(others.take(TABLES)).filter(has_columns) {
        let name = table_name(table);
        wordings.push(format!("how many {name} are there?"));
        if let Some(shown) = display_columns(snapshot, table).first() {
            wordings.push(format!("list the {} of all {name}", column_name(*shown)));
        }
    }
    wordings
}

/// A name as people write it.
fn words(name: &str) -> String {
    name.replace('_', " ")
}
