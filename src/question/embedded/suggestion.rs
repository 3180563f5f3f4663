//! What to tell somebody whose question has no answer: which of its words were understood as what, and a question of the
//! same kind that has one.

use jiff::civil::Date;

use super::{
    LONGEST_QUESTION,
    left_open::asks_for_help,
    linking, plan,
    planning::display_columns,
    question, resolve,
    resolve::{Item, ItemKind, is_key},
    sql, subproblems, vocabulary,
};
use crate::question::schema::{ColumnRef, Snapshot};

/// Phrases that are named at most.
const PHRASES: usize = 6;
/// Tables that are named where no phrase is.
const TABLES: usize = 3;
/// Tables that are named to somebody who asks what there is.
const ALL_TABLES: usize = 40;

/// What to tell.
#[derive(Debug, Clone)]
pub(crate) struct Suggestion {
    /// Two sentences or less.
    pub(crate) text: String,
    /// The words that it says were understood, as the question has them.
    pub(crate) understood: Vec<String>,
}

/// What was understood, and what could be asked.
/// A question that only asks what can be asked names every table.
pub(crate) fn suggestion(asked: &str, today: Date, snapshot: &Snapshot) -> Option<Suggestion> {
    let tables = &snapshot.schema.tables;
    if tables.is_empty() || asked.chars().count() > LONGEST_QUESTION {
        return None;
    }
    let tokens = question::tokens(asked, today);
    let asks_for_help = asks_for_help(tokens.iter().map(|token| token.word.as_str()));
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
        .fold(Vec::new(), |mut told, phrase| {
            // Said twice, it is told once.
            if told.len() < PHRASES && !told.contains(&phrase) {
                told.push(phrase);
            }
            told
        });
    let known = if understood.is_empty() || asks_for_help {
        let most = if asks_for_help { ALL_TABLES } else { TABLES };
        let names = tables.iter().filter(|table| !table.is_view).take(most);
        let names: Vec<&str> = names.map(|table| table.name.as_str()).collect();
        match names.as_slice() {
            names if asks_for_help => format!("There is {}.", names.join(", ")),
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
    // What was refused once would be refused again.
    let wording = wordings(&items, snapshot)
        .into_iter()
        .filter(|wording| !is_the_same(wording, asked))
        .find(|wording| is_read(wording).is_some());
    let words = items
        .iter()
        .filter(|item| meaning(item, snapshot).is_some())
        .take(PHRASES)
        .flat_map(|item| &tokens[item.span.clone()]);
    Some(Suggestion {
        text: match wording {
            Some(wording) => format!("{known} Ask, for example: {wording}"),
            None => known,
        },
        understood: words.map(|token| token.text.clone()).collect(),
    })
}

/// True for two questions with the same words.
fn is_the_same(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    words(one) == words(other)
}

/// True for a column by whose values people tell rows apart in groups: neither one value a row, nor yes and no, nor moments.
fn is_worth_grouping(snapshot: &Snapshot, at: ColumnRef) -> bool {
    let column = snapshot.schema.column(at);
    let name = column.name.to_lowercase();
    let is_one = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let unlike = is_one(&[
        "phone",
        "fax",
        "mail",
        "url",
        "address",
        "street",
        "note",
        "comment",
        "description",
        "date",
        "time",
        "_at",
        "_on",
        "password",
        "token",
        "hash",
    ]);
    let is_flag = name.starts_with("is_") || name.starts_with("has_");
    column.kind.is_wording() && !unlike && !is_flag && !is_key(snapshot, at)
}

fn meaning(item: &Item, snapshot: &Snapshot) -> Option<String> {
    let schema = &snapshot.schema;
    let column = |at: ColumnRef| format!("{}.{}", schema.tables[at.table].name, schema.column(at).name);
    Some(match &item.kind {
        ItemKind::Table(table) => format!("the table {}", schema.tables[*table].name),
        ItemKind::Column(at, _) => format!("the column {}", column(*at)),
        ItemKind::Value { hits, .. } => format!("a value of {}", column(hits.first()?.column)),
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
        if let ItemKind::Value { hits, .. } = &item.kind
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
        ItemKind::Column(at, _) => Some(*at),
        _ => None,
    });
    for at in columns {
        let (table, column) = (table_name(at.table), column_name(at));
        if schema.column(at).kind.is_numeric() && !is_key(snapshot, at) {
            wordings.push(format!("what is the average {column} of the {table}?"));
        } else if is_worth_grouping(snapshot, at) {
            wordings.push(format!("how many {table} are there for each {column}?"));
        } else {
            wordings.push(format!("list the {column} of all {table}"));
        }
    }
    let named = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Table(table) => Some(*table),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_for_help_is_known() {
        let asks = |text: &str| asks_for_help(text.split_whitespace());
        for text in ["", "help", "what can I ask ?", "show tables"] {
            assert!(asks(text), "{text}");
        }
        for text in ["show the customers", "help with orders"] {
            assert!(!asks(text), "{text}");
        }
        assert!(is_the_same(
            "How many orders are there?",
            "how many orders are there"
        ));
        assert!(!is_the_same("how many orders", "how many order lines"));
    }
}
