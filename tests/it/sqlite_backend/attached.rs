//! Files beside the one that is served.

use std::{collections::BTreeMap, path::PathBuf};

use super::*;

const OWN: &str = "CREATE TABLE t (a); INSERT INTO t VALUES ('own');";
const OTHER: &str =
    "CREATE TABLE t (a); CREATE TABLE u (id INTEGER PRIMARY KEY, d DATE); INSERT INTO t VALUES ('other');";

/// A database with a file attached as `archive`.
fn attached() -> (TempDir, Arc<Database>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    create(&path("own.sqlite"), OWN);
    create(&path("other.sqlite"), OTHER);
    let options = Options {
        attached: BTreeMap::from([("Archive".to_owned(), path("other.sqlite"))]),
        ..Options::default()
    };
    let database = Database::open(&path("own.sqlite"), options).unwrap();
    (folder, database)
}

#[tokio::test]
async fn an_attached_file_is_a_schema() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    let ask = |sql: &'static str| all(&connection, sql);
    assert_eq!(ask("SELECT a FROM t").await.unwrap(), [[text("own")]]);
    assert_eq!(ask("SELECT a FROM archive.t").await.unwrap(), [[text("other")]]);
    // One transaction over both files.
    for sql in [
        "BEGIN",
        "INSERT INTO archive.t SELECT a FROM t",
        "INSERT INTO t VALUES ('more')",
        "CREATE TABLE archive.made (x)",
    ] {
        ask(sql).await.unwrap();
    }
    let made = "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname = 'archive' \
                AND relkind = 'r' ORDER BY 1";
    assert_eq!(
        ask(made).await.unwrap(),
        [["made"], ["t"], ["u"]].map(|row| row.map(text))
    );
    ask("ROLLBACK").await.unwrap();
    assert_eq!(ask(made).await.unwrap(), [["t"], ["u"]].map(|row| row.map(text)));
    assert_eq!(
        ask("SELECT count(*) FROM archive.t").await.unwrap(),
        [[Value::Integer(1)]]
    );
    // A table of another schema is not on the search path; its number stays.
    assert_eq!(ask("SELECT to_regclass('u')").await.unwrap(), [[Value::Null]]);
    let number = "SELECT oid FROM pg_class WHERE relname = 'u'";
    let before = ask(number).await.unwrap();
    ask("ALTER TABLE archive.u ADD COLUMN more INT").await.unwrap();
    assert_eq!(ask(number).await.unwrap(), before);
    let other = database.connect().unwrap();
    let columns = "SELECT column_name FROM information_schema.columns WHERE table_schema = 'archive' AND table_name = 'u'";
    assert_eq!(all(&other, columns).await.unwrap().len(), 3);
}

#[tokio::test]
async fn the_guard_watches_attached_files_too() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    for (sql, sqlstate) in [
        ("DETACH archive", "42501"),
        ("ATTACH 'x' AS y", "42501"),
        ("PRAGMA archive.journal_mode = wal", "42501"),
        ("PRAGMA archive.writable_schema = on", "42501"),
    ] {
        check_error(&connection, sql, sqlstate, None).await;
    }
    let snapshot = database.snapshot().await.unwrap();
    let known: Vec<&str> = snapshot
        .schema
        .tables
        .iter()
        .map(|table| table.name.as_str())
        .collect();
    assert_eq!(known, ["t"]);
}

#[tokio::test]
async fn a_read_only_database_attaches_read_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    create(&path("own.sqlite"), OWN);
    create(&path("other.sqlite"), OTHER);
    let options = Options {
        attached: BTreeMap::from([("archive".to_owned(), path("other.sqlite"))]),
        read_only: true,
        ..Options::default()
    };
    let database = Database::open(&path("own.sqlite"), options).unwrap();
    let connection = database.connect().unwrap();
    check_error(&connection, "INSERT INTO archive.t VALUES (1)", "25006", None).await;
    for (privilege, is_held) in [("select", true), ("insert", false), ("select, insert", true)] {
        let sql = format!("SELECT has_table_privilege('archive.t', '{privilege}')");
        let expected = Value::Integer(i64::from(is_held));
        assert_eq!(all(&connection, &sql).await.unwrap(), [[expected]], "{privilege}");
    }
}

#[test]
fn what_cannot_be_attached_is_told_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    create(&path("own.sqlite"), OWN);
    create(&path("other.sqlite"), OTHER);
    std::fs::write(path("notes.txt"), "these are notes, not a database").unwrap();
    let other = path("other.sqlite");
    for (files, sqlstate, word) in [
        (vec![("main", other.clone())], "42602", "there already"),
        (vec![("Public", other.clone())], "42602", "there already"),
        (vec![("pg_x", other.clone())], "42602", "the system's own"),
        (vec![("a b", other.clone())], "42602", "not a name"),
        (vec![("", other.clone())], "42602", "not a name"),
        (
            vec![("a", path("missing"))],
            "58P01",
            "the schema a cannot be attached: the file",
        ),
        (vec![("a", path("notes.txt"))], "58030", "not a SQLite database"),
        (vec![("a", path("own.sqlite"))], "42P06", "it is public already"),
        (
            vec![("a", other.clone()), ("b", other.clone())],
            "42P06",
            "it is a already",
        ),
    ] {
        let attached: BTreeMap<String, PathBuf> = files
            .into_iter()
            .map(|(name, path)| (name.to_owned(), path))
            .collect();
        let options = Options {
            attached,
            ..Options::default()
        };
        let error = Database::open(&path("own.sqlite"), options).unwrap_err();
        assert_eq!(error.sqlstate, sqlstate, "{error:?}");
        assert!(error.message.contains(word) && error.hint.is_some(), "{error:?}");
    }
}

#[tokio::test]
async fn a_replaced_file_is_attached_anew() {
    let (folder, database) = attached();
    let connection = database.connect().unwrap();
    let ask = "SELECT a FROM archive.t";
    assert_eq!(all(&connection, ask).await.unwrap(), [[text("other")]]);
    let new = folder.path().join("new.sqlite");
    create(&new, "CREATE TABLE t (a); INSERT INTO t VALUES ('new')");
    std::fs::rename(&new, folder.path().join("other.sqlite")).unwrap();
    assert_eq!(all(&connection, ask).await.unwrap(), [[text("new")]]);
    std::fs::remove_file(folder.path().join("other.sqlite")).unwrap();
    check_error(&connection, ask, "58P01", None).await;
}
