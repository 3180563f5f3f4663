//! That what is read of the catalogue depends neither on a session's settings nor, by more than its size, on what others make.

use std::fs;

use super::{
    introspection::{LIMITS, schemas},
    server::{PostgresServer, SUPERUSER},
};
use querent::postgres::introspection::Client;

const STATEMENTS: &str = "dialects/postgres/introspection";

/// The statements without comments, by the names of their files.
fn statements() -> Vec<(String, String)> {
    let files = fs::read_dir(STATEMENTS).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "sql"));
    files
        .map(|file| {
            let text = fs::read_to_string(&file).unwrap();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("--"));
            (file.display().to_string(), lines.collect::<Vec<_>>().join("\n"))
        })
        .collect()
}

#[test]
fn statements_mean_the_same_whatever_a_session_has_set() {
    let statements = statements();
    assert!(statements.len() > 10);
    for (file, text) in statements {
        for line in text.lines().filter(|line| line.contains('\\')) {
            let plain = line
                .split('\'')
                .step_by(2)
                .filter(|outside| outside.ends_with('E'))
                .count();
            let literals = line.split('\'').skip(1).step_by(2);
            let escaped = literals.filter(|literal| literal.contains('\\')).count();
            assert!(plain >= escaped, "{file}: {line}");
        }
        // It is one text or another by quote_all_identifiers.
        if file.contains("fingerprint") {
            assert!(!text.contains("quote_ident("), "{file}");
        }
    }
}

#[test]
fn nothing_takes_the_square_of_what_anybody_makes() {
    for (file, text) in statements() {
        // Each looks through all columns of the table, or runs a query of its own, for each column.
        for slow in [
            "pg_get_expr(",
            "col_description(",
            "obj_description(",
            "pg_get_viewdef(",
        ] {
            assert!(!text.contains(slow), "{file}: {slow}");
        }
        // A column that is looked for by the text of its number is compared with all of its table.
        assert!(!text.contains("attnum::pg_catalog.text"), "{file}");
    }
}

#[tokio::test]
async fn wide_tables_and_views_are_read_with_what_computes_them() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let computed: Vec<String> = (0..400)
        .map(|n| format!("c{n} int GENERATED ALWAYS AS (a + \"the b\" + {n}) STORED"))
        .collect();
    let shown: Vec<String> = (0..400).map(|n| format!("c{n} AS \"the \\ {n}\"")).collect();
    server
        .run("postgres", &format!(
            "CREATE TABLE wide (a int, \"the b\" int, {}, plain int DEFAULT 1); CREATE VIEW seen AS SELECT {} FROM wide;
             ALTER ROLE {SUPERUSER} SET standard_conforming_strings = off;
             ALTER ROLE {SUPERUSER} SET quote_all_identifiers = on;
             ALTER ROLE {SUPERUSER} SET datestyle = 'German, DMY'",
            computed.join(", "),
            shown.join(", ")
        ))
        .await;
    let address = server.socket_address(SUPERUSER, "postgres").parse().unwrap();
    let client = Client::connect(&address, schemas(), LIMITS).await.unwrap();
    let snapshot = client.session_snapshot().await.unwrap().snapshot;
    let table = |name: &str| {
        snapshot
            .schema
            .tables
            .iter()
            .find(|table| table.name == name)
            .unwrap()
    };
    let wide = table("wide");
    for column in &wide.columns {
        let computed = column.name.starts_with('c');
        let expected: &[&str] = if computed { &["a", "the b"] } else { &[] };
        assert_eq!(column.computed_from, expected, "{}", column.name);
    }
    for (number, column) in table("seen").columns.iter().enumerate() {
        let shows = column.shows.as_ref().and_then(|shows| shows.column.clone());
        assert_eq!(shows, Some(format!("c{number}")), "{}", column.name);
    }
}
