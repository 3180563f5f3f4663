//! Which columns show a person what a row is.

use crate::question::schema::{ColumnKind, ColumnRef, Snapshot, words};

/// The columns that show a person what a row is: name, title, else the key.
pub(crate) fn display_columns(snapshot: &Snapshot, table: usize) -> Vec<ColumnRef> {
    let description = &snapshot.schema.tables[table];
    let table_stems: Vec<String> = words::identifier_words(&description.name)
        .iter()
        .map(|word| words::stem(word))
        .collect();
    let stems: Vec<Vec<String>> = description
        .columns
        .iter()
        .map(|column| {
            words::identifier_words(&column.name)
                .iter()
                .map(|word| words::stem(word))
                .collect()
        })
        .collect();
    let at = |column: usize| ColumnRef { table, column };
    let is_text = |column: usize| description.columns[column].kind == ColumnKind::Text;
    let refers = |column: usize| {
        snapshot
            .schema
            .foreign_keys
            .iter()
            .any(|key| key.from.contains(&at(column)))
    };
    let find = |wanted: &dyn Fn(&[String]) -> bool| {
        (0..stems.len()).find(|&column| is_text(column) && !refers(column) && wanted(&stems[column]))
    };
    let has = |stems: &[String], word: &str| stems.iter().any(|stem| stem == word);
    for label in ["name", "titl"] {
        let own = find(&|stems| {
            has(stems, label)
                && stems
                    .iter()
                    .all(|stem| stem == label || table_stems.contains(stem) || stem == "full")
        });
        if let Some(column) = own {
            return vec![at(column)];
        }
    }
    // `CName`, `dname`: the table's initial and `name`.
    let initial = |stem: &String| {
        stem.len() == 5
            && stem.ends_with("name")
            && !matches!(stem.as_str(), "fname" | "lname" | "mname")
            && table_stems.iter().any(|table| table.starts_with(&stem[..1]))
    };
    if let Some(column) = find(&|stems| matches!(stems, [only] if initial(only))) {
        return vec![at(column)];
    }
    // A column that is called as the table is its name.
    if let Some(column) = find(&|stems| stems == table_stems) {
        return vec![at(column)];
    }
    let part = |words: &[&str]| find(&|stems| words.iter().any(|word| stems.iter().any(|stem| stem == word)));
    if let (Some(first), Some(last)) = (
        part(&["first", "forenam", "fname", "givenname"]),
        part(&["last", "surnam", "lname", "famili"]),
    ) {
        return vec![at(first), at(last)];
    }
    if let Some(column) = find(&|stems| has(stems, "name") || has(stems, "titl")) {
        return vec![at(column)];
    }
    let details = find(&|stems| {
        (has(stems, "detail") || has(stems, "descript"))
            && stems.iter().all(|stem| {
                matches!(stem.as_str(), "detail" | "descript" | "other") || table_stems.contains(stem)
            })
    });
    if let Some(column) = details {
        return vec![at(column)];
    }
    if let Some(&key) = description.primary_key.first() {
        return vec![at(key)];
    }
    vec![at(0)]
}
