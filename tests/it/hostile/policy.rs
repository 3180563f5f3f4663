//! The policy alone: no text of the corpus becomes a `ValidatedSql`.

use std::collections::BTreeMap;

use querent::{
    postgres::introspection::Client,
    question::{
        schema::{Dialect, Schema},
        validator::{Code, validate},
    },
    sqlite::engine::{Database, Options},
};

use super::{
    corpus::{self, Places, Text, Tongue},
    table::Table,
};
use crate::postgres::{
    introspection::{LIMITS, schemas},
    server::{PostgresServer, SUPERUSER},
};

fn places() -> Places {
    Places {
        file: "/nowhere/canary".into(),
        out: "/nowhere/made".into(),
        port: 1,
    }
}

/// True for `SELECT 1`, as often as may be, without a comment.
fn is_harmless(sql: &str) -> bool {
    corpus::is_defused(sql) && !sql.contains("--") && !sql.contains("/*")
}

fn check(texts: &[Text], schema: &Schema, dialect: Dialect) {
    let mut passed = vec![];
    let mut table = Table::default();
    let mut refused: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for text in texts {
        table.cell(text.group, "policy").texts += 1;
        match validate(&text.sql, schema, dialect) {
            // A comment that is all that is hostile does not go on.
            Ok(valid) if corpus::is_defused(&text.sql) && is_harmless(valid.as_str()) => {}
            Ok(valid) => {
                table.cell(text.group, "policy").passed += 1;
                passed.push(format!("{}: {} as {}", text.group, text.sql, valid.as_str()));
            }
            Err(findings) => {
                let forbidden = findings.iter().any(|finding| finding.code == Code::Forbidden);
                *refused.entry((text.group, forbidden)).or_default() += 1;
            }
        }
    }
    table.write(&format!("policy-{}.md", dialect.name().to_lowercase()));
    assert!(
        passed.is_empty(),
        "{} of {}: {passed:#?}",
        passed.len(),
        texts.len()
    );
    assert!(texts.len() >= 1_000, "only {} texts", texts.len());
    // Most are refused because they are forbidden, not because nobody can read them.
    let forbidden: usize = refused
        .iter()
        .filter(|((_, forbidden), _)| *forbidden)
        .map(|(_, count)| count)
        .sum();
    assert!(
        forbidden * 2 > texts.len(),
        "{forbidden} of {}: {refused:#?}",
        texts.len()
    );
}

#[tokio::test]
async fn it_stops_the_whole_corpus_of_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    let shop = include_str!("../../hostile/sqlite.sql");
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch(shop)
        .unwrap();
    let schema = Database::open(&path, Options::default())
        .unwrap()
        .snapshot()
        .await
        .unwrap()
        .schema;
    check(
        &corpus::texts(Tongue::Sqlite, &places()),
        &schema,
        Dialect::Sqlite,
    );
    // What the views do is seen, and what is harmless may be asked about.
    for (view, passes) in [
        ("heavy", true),
        ("tables_of_this", false),
        ("leaking", false),
        ("joined", false),
        ("huge", false),
    ] {
        let sql = format!("SELECT count(*) FROM {view}");
        assert_eq!(validate(&sql, &schema, Dialect::Sqlite).is_ok(), passes, "{view}");
    }
}

/// The database of the corpus, as PostgreSQL's catalogue tells of it.
#[tokio::test]
async fn it_stops_the_whole_corpus_of_postgresql() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let shop = include_str!("../../hostile/postgres.sql");
    let shop = shop.replace("{file}", "/nowhere/canary").replace("{port}", "1");
    server.run("postgres", &shop).await;
    let address = server.socket_address(SUPERUSER, "postgres").parse().unwrap();
    let client = Client::connect(&address, schemas(), LIMITS).await.unwrap();
    let schema = client.session_snapshot().await.unwrap().snapshot.schema;
    check(
        &corpus::texts(Tongue::Postgres, &places()),
        &schema,
        Dialect::Postgres,
    );
    for sql in [
        "SELECT name FROM customers",
        "SELECT total FROM totals",
        "SELECT m FROM marks_made",
    ] {
        assert!(validate(sql, &schema, Dialect::Postgres).is_ok(), "{sql}");
    }
}
