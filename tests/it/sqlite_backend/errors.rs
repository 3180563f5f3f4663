//! SQLSTATEs, positions and hints.

use std::time::Duration;

use super::*;

#[tokio::test]
async fn errors_have_postgresqls_codes() {
    let (_folder, database) = database(
        "CREATE TABLE p (a INTEGER PRIMARY KEY, b TEXT NOT NULL UNIQUE CHECK (b <> 'x'));
         CREATE TABLE c (a INTEGER PRIMARY KEY REFERENCES p(a));
         CREATE TABLE s (a INT) STRICT;
         INSERT INTO p VALUES (1, 'one');",
    );
    let connection = database.connect().unwrap();
    for (sql, sqlstate, position) in [
        ("SELECT 'ä', z FROM p", "42703", Some(13)),
        ("SELECT * FROM nowhere", "42P01", Some(15)),
        ("SELEC 1", "42601", Some(1)),
        ("SELECT 'open", "42601", Some(8)),
        ("SELECT (", "42601", None),
        ("SELECT a FROM p, c", "42702", Some(8)),
        ("SELECT nofunction(1)", "42883", Some(8)),
        ("SELECT abs()", "42883", Some(8)),
        ("SELECT 1; SELECT 2", "42601", None),
        ("INSERT INTO p VALUES (1, 'two')", "23505", None),
        ("INSERT INTO p VALUES (2, 'one')", "23505", None),
        ("INSERT INTO p VALUES (2, NULL)", "23502", None),
        ("INSERT INTO p VALUES (2, 'x')", "23514", None),
        ("INSERT INTO c VALUES (7)", "23503", None),
        ("INSERT INTO s VALUES ('abc')", "22P02", Some(23)),
        ("INSERT INTO p VALUES (1)", "23502", None),
        ("INSERT INTO p (q) VALUES (1)", "42703", Some(16)),
        ("CREATE TABLE p (a)", "42P07", Some(14)),
        ("COMMIT", "25P01", None),
        ("SELECT sum(a) FROM p WHERE sum(a) > 1", "42803", Some(28)),
        ("SELECT * FROM p LIMIT 'x'", "22P02", Some(23)),
        ("SELECT abs(-9223372036854775807 - 1)", "22003", None),
        ("ATTACH 'other.db' AS o", "42501", None),
        ("VACUUM INTO 'copy.db'", "42501", None),
        ("DETACH main", "42501", None),
        ("PRAGMA writable_schema = 1", "42501", None),
        ("PRAGMA journal_mode = off", "42501", None),
        ("PRAGMA temp_store_directory = '/tmp'", "42501", None),
        ("SELECT load_extension('x')", "42501", Some(8)),
    ] {
        check_error(&connection, sql, sqlstate, position).await;
    }
    // The session goes on, and what is harmless is allowed.
    for sql in [
        "PRAGMA table_info(p)",
        "PRAGMA journal_mode",
        "PRAGMA integrity_check",
        "VACUUM",
        "SELECT 1",
    ] {
        all(&connection, sql).await.unwrap();
    }
}

#[tokio::test]
async fn a_locked_file_is_a_retryable_error() {
    let options = Options {
        busy_timeout: Duration::from_millis(50),
        ..Options::default()
    };
    let (folder, database) = with_options("CREATE TABLE t (a);", options);
    let other = rusqlite::Connection::open(folder.path().join("test.sqlite")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let connection = database.connect().unwrap();
    check_error(&connection, "SELECT * FROM t", "55P03", None).await;
    other.execute_batch("COMMIT").unwrap();
    all(&connection, "SELECT * FROM t").await.unwrap();
}

#[tokio::test]
async fn a_read_only_database_refuses_writes() {
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let (_folder, database) = with_options("CREATE TABLE t (a);", options);
    let connection = database.connect().unwrap();
    check_error(&connection, "INSERT INTO t VALUES (1)", "25006", None).await;
    check_error(&connection, "PRAGMA query_only = 0", "42501", None).await;
    assert_eq!(
        all(&connection, "SELECT count(*) FROM t").await.unwrap(),
        [[Value::Integer(0)]]
    );
    assert_eq!(
        all(&connection, "SELECT pg_catalog.current_schema()")
            .await
            .unwrap(),
        [[text("public")]]
    );
}

#[tokio::test]
async fn pragmas_take_nothing_from_what_holds() {
    let (_folder, database) = with_options(
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p, n CHECK (n > 0));",
        Options::default(),
    );
    let connection = database.connect().unwrap();
    for pragma in [
        "foreign_keys = off",
        "foreign_keys(0)",
        "main.foreign_keys = 0",
        "defer_foreign_keys = off",
        "defer_foreign_keys = on",
        "ignore_check_constraints = 1",
        "recursive_triggers = 1",
        "case_sensitive_like = 1",
        "legacy_alter_table = 1",
        "query_only = 0",
        "read_uncommitted = 1",
        "reverse_unordered_selects = 1",
        "synchronous = off",
        "trusted_schema = 1",
        "writable_schema = 1",
        "journal_mode = off",
        "cell_size_check = 0",
        "made_up = 1",
    ] {
        check_error(&connection, &format!("PRAGMA {pragma}"), "42501", None).await;
    }
    for pragma in [
        "foreign_keys",
        "foreign_keys = ON",
        "user_version = 7",
        "synchronous",
    ] {
        all(&connection, &format!("PRAGMA {pragma}")).await.unwrap();
    }
    check_error(&connection, "INSERT INTO c VALUES (1, 1)", "23503", None).await;
    check_error(&connection, "INSERT INTO c VALUES (NULL, 0)", "23514", None).await;
}

#[tokio::test]
async fn triggers_write_no_values_that_nobody_has_checked() {
    let schema = "CREATE TABLE t (a INTEGER); CREATE TABLE log (n SMALLINT, w VARCHAR(3));";
    let (_folder, database) = with_options(schema, Options::default());
    let connection = database.connect().unwrap();
    for (head, body) in [
        (
            "TRIGGER r AFTER INSERT",
            "INSERT INTO log VALUES (99999, 'much too long')",
        ),
        (
            "TEMP TRIGGER r AFTER DELETE",
            "SELECT 1; UPDATE log SET n = 99999",
        ),
        (
            "TRIGGER IF NOT EXISTS r AFTER UPDATE OF a",
            "REPLACE INTO log VALUES (99999, 'x')",
        ),
        (
            "/* x */ TRIGGER r AFTER INSERT",
            "DELETE FROM log; insert into log VALUES (1, 'x')",
        ),
    ] {
        let sql = format!("CREATE {head} ON t BEGIN {body}; END");
        check_error(&connection, &sql, "0A000", None).await;
    }
    let sql = "CREATE TRIGGER r AFTER INSERT ON t WHEN NEW.a > 9 BEGIN DELETE FROM log WHERE w = 'insert'; \
               SELECT RAISE(ABORT, 'begin; update'); END";
    all(&connection, sql).await.unwrap();

    let options = Options {
        sqlite_dialect: true,
        ..Options::default()
    };
    let (_folder, database) = with_options(schema, options);
    let sql = "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1, 'x'); END";
    all(&database.connect().unwrap(), sql).await.unwrap();
}

/// What PostgreSQL refuses before it runs.
#[tokio::test]
async fn what_does_not_fit_together_is_refused() {
    let (_folder, database) = database("CREATE TABLE p (a INT, b TEXT); INSERT INTO p VALUES (1, 'x');");
    let connection = database.connect().unwrap();
    for (sql, sqlstate) in [
        ("SELECT count(unnest(ARRAY[1]))", "0A000"),
        ("SELECT sum(generate_series(1, 3)) FROM p", "0A000"),
        ("SELECT sum(unnest(ARRAY[1])) OVER () FROM p", "0A000"),
        ("SELECT max(unnest(ARRAY[1])) FROM p GROUP BY a", "0A000"),
        ("UPDATE p SET (a, b) = (1, 'y', 3)", "42601"),
    ] {
        check_error(&connection, sql, sqlstate, None).await;
    }
    let rows = all(&connection, "SELECT b FROM p").await.unwrap();
    assert_eq!(rows, [[text("x")]]);
}
