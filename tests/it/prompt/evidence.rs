//! What the words of a question stand for, told line by line.

use std::fmt::Write;

use querent::question::{
    prompt::{Excerpt, Values, evidence, excerpt},
    schema::Dialect,
};

use super::{database, key, shop, table};

const QUESTIONS: &[&str] = &[
    "Which customers live in FINLAND?",
    "names of products in the category garden tools",
    "How many orders were cancelled in March 2024?",
    "clients from Helsinky with more than 3 orders",
    "first name and last name of employees of the store in Oslo",
    "average price of products by supplier",
    "returns with reason damaged",
    "What is it?",
];

#[test]
fn the_shop_gives_evidence() {
    let mut shown = String::new();
    for (dialect, values) in [
        (Dialect::Sqlite, Values::Send),
        (Dialect::Postgres, Values::Withhold),
    ] {
        let shop = shop(dialect);
        let whole = Excerpt::whole(&shop);
        for question in QUESTIONS {
            let lines = evidence(question, &shop, &whole, values);
            assert_eq!(lines, evidence(question, &shop, &whole, values));
            writeln!(shown, "{question}").unwrap();
            for line in lines {
                writeln!(shown, "    {line}").unwrap();
            }
        }
        writeln!(shown).unwrap();
    }
    insta::assert_snapshot!("evidence", shown);
}

#[test]
fn values_that_are_withheld_are_not_told() {
    let shop = shop(Dialect::Sqlite);
    let lines = evidence(
        "customers in Finland named Virtanen",
        &shop,
        &Excerpt::whole(&shop),
        Values::Withhold,
    );
    assert!(lines.iter().all(|line| !line.contains('\'')), "{lines:?}");
}

/// Only what the excerpt shows is told of.
#[test]
fn evidence_keeps_to_the_excerpt() {
    let shop = shop(Dialect::Sqlite);
    let part = excerpt("suppliers in Finland", &shop, 200, None);
    let names: Vec<&str> = part
        .tables
        .iter()
        .map(|at| shop.schema.tables[*at].name.as_str())
        .collect();
    assert!(
        names.contains(&"suppliers") && !names.contains(&"stores"),
        "{names:?}"
    );
    let lines = evidence("suppliers in Finland, and stores", &shop, &part, Values::Send);
    assert!(
        !lines.is_empty() && lines.iter().all(|line| !line.contains("stores.")),
        "{lines:?}"
    );
}

#[test]
fn quoted_names_are_spelled_out() {
    let tables = vec![
        table("Album", &["AlbumId integer", "Title text", "ArtistId integer"]),
        table("Artist", &["ArtistId integer", "Name text"]),
    ];
    let snapshot = database(
        tables,
        vec![key((0, 2), 1)],
        &[((1, 1), "AC/DC"), ((0, 1), "Let There Be Rock")],
        Dialect::Postgres,
    );
    let lines = evidence(
        "titles of albums by ac/dc",
        &snapshot,
        &Excerpt::whole(&snapshot),
        Values::Send,
    );
    assert!(
        lines.contains(&r#""ac dc" is stored as 'AC/DC' in "Artist"."Name""#.to_owned()),
        "{lines:#?}"
    );
    // Keys and names stand in the schema; where that goes in whole they are not told again.
    assert!(!lines.iter().any(|line| line.contains("join")), "{lines:#?}");
}

#[test]
fn a_question_without_end_gives_no_evidence() {
    let shop = shop(Dialect::Sqlite);
    let question = "customers in Finland ".repeat(200);
    assert!(evidence(&question, &shop, &Excerpt::whole(&shop), Values::Send).is_empty());
}
