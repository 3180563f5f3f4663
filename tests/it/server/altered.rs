//! ALTER TABLE on what only a SQLite file has: its triggers, its hidden numbers of rows, texts of other programs.

use tokio_postgres::error::SqlState;

use super::data::{refused, rows, some, with};

async fn run(client: &tokio_postgres::Client, sql: &str) {
    client.batch_execute(sql).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_column_that_a_trigger_needs_goes_with_it_or_not_at_all() {
    let server = with(
        "CREATE TABLE t(a TEXT, b TEXT, c TEXT, d TEXT); CREATE TABLE log(a TEXT, what TEXT); \
         CREATE TRIGGER reads AFTER INSERT ON t BEGIN INSERT INTO log VALUES (NEW.a, 'in'); END; \
         CREATE TRIGGER waits AFTER UPDATE OF b ON t BEGIN INSERT INTO log VALUES (OLD.c, 'up'); END; \
         CREATE TRIGGER elsewhere AFTER DELETE ON log BEGIN UPDATE t SET \"d\" = 'x'; END; \
         CREATE TRIGGER other AFTER DELETE ON t BEGIN INSERT INTO log(a, what) VALUES ('a', 'd'); END;",
    );
    let client = server.driver().await;
    for (column, trigger) in [("a", "reads"), ("b", "waits"), ("c", "waits"), ("d", "elsewhere")] {
        let error = client
            .batch_execute(&format!("ALTER TABLE t DROP COLUMN {column}"))
            .await
            .unwrap_err();
        let error = error.as_db_error().unwrap();
        assert_eq!(error.code().code(), "2BP01", "{column}: {error}");
        let detail = error.detail().unwrap();
        assert!(
            detail.starts_with(&format!("trigger {trigger} on table")),
            "{detail}"
        );
    }
    run(&client, "ALTER TABLE t DROP COLUMN a CASCADE").await;
    run(
        &client,
        "INSERT INTO t VALUES ('b', 'c', 'd'); UPDATE t SET b = 'e'; DELETE FROM t",
    )
    .await;
    let found = rows(&client, "SELECT what FROM log ORDER BY what").await;
    assert_eq!(found, [some(&["d"]), some(&["up"])]);
    run(
        &client,
        "ALTER TABLE t DROP COLUMN b CASCADE, DROP COLUMN d CASCADE",
    )
    .await;
    run(&client, "INSERT INTO t VALUES ('c'); DELETE FROM log").await;
    let left = rows(&client, "SELECT count(*) FROM t WHERE c = 'c'").await;
    assert_eq!(left, [some(&["1"])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_name_of_a_column_that_is_gone_becomes_a_string() {
    let server = with(
        "CREATE TABLE t(a INTEGER, b INTEGER, g INTEGER AS (\"b\" * 2) STORED, h TEXT AS (\"a\" || 'x')); \
         INSERT INTO t(a, b) VALUES (1, 2); CREATE INDEX by_a ON t(\"b\", upper(\"a\")); \
         CREATE VIEW v AS SELECT \"a\", b FROM t",
    );
    let client = server.driver().await;
    let (code, message) = refused(&client, "ALTER TABLE t DROP COLUMN a").await;
    assert_eq!(code.code(), "2BP01", "{message}");
    run(&client, "ALTER TABLE t DROP COLUMN a CASCADE").await;
    assert_eq!(rows(&client, "SELECT * FROM t").await, [some(&["2", "4"])]);
    let (code, _) = refused(&client, "SELECT * FROM v").await;
    assert_eq!(code, SqlState::UNDEFINED_TABLE);
    let (code, _) = refused(&client, "ALTER TABLE t DROP COLUMN b").await;
    assert_eq!(code.code(), "2BP01");
    assert_eq!(rows(&client, "SELECT * FROM t").await, [some(&["2", "4"])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuild_keeps_the_numbers_of_rows() {
    let server = with(
        "CREATE TABLE t(a TEXT, body TEXT, gone TEXT); INSERT INTO t VALUES ('x', 'first', ''), ('y', 'second', ''), ('z', 'third', ''); \
         DELETE FROM t WHERE a = 'x'; CREATE VIRTUAL TABLE words USING fts5(body, content='t'); \
         INSERT INTO words(words) VALUES ('rebuild'); \
         CREATE TABLE u(\"rowid\" TEXT, n INTEGER); INSERT INTO u VALUES ('a', 1), ('b', 2); DELETE FROM u WHERE n = 1",
    );
    let client = server.driver().await;
    run(&client, "ALTER TABLE t DROP COLUMN gone").await;
    run(&client, "ALTER TABLE t ADD COLUMN n int DEFAULT 5 CHECK (n > 1)").await;
    run(
        &client,
        "ALTER TABLE t ALTER COLUMN n TYPE bigint, ALTER COLUMN a TYPE varchar(3)",
    )
    .await;
    run(&client, "ALTER TABLE u ALTER COLUMN n TYPE text").await;
    let file = rusqlite::Connection::open(server.folder.path().join("test.db")).unwrap();
    let one = |sql: &str| file.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(one("SELECT group_concat(rowid || a || n) FROM t"), "2y5,3z5");
    assert_eq!(
        one("SELECT group_concat(body) FROM words WHERE words MATCH 'second'"),
        "second"
    );
    assert_eq!(one("SELECT group_concat(_rowid_ || n) FROM u"), "22");
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_any_name_stand_beside_one_that_is_rebuilt() {
    let server = with(
        "CREATE TABLE \"querent:new\"(a TEXT); CREATE TABLE \"querent:old\"(a TEXT, b TEXT); \
         CREATE VIEW \"querent:new 2\" AS SELECT 1; CREATE TABLE t(a TEXT, b TEXT)",
    );
    let client = server.driver().await;
    run(&client, "ALTER TABLE t DROP COLUMN b").await;
    run(&client, "ALTER TABLE \"querent:old\" DROP COLUMN b").await;
    run(&client, "ALTER TABLE \"querent:new\" ADD COLUMN b int DEFAULT 1").await;
    run(&client, "COMMENT ON TABLE t IS 'told'").await;
    run(&client, "INSERT INTO \"querent:new\" VALUES ('x')").await;
    let sql = "SELECT a, b FROM \"querent:new\"";
    assert_eq!(rows(&client, sql).await, [some(&["x", "1"])]);
    let found = rows(
        &client,
        "SELECT relname FROM pg_class WHERE relname LIKE 'querent:%' ORDER BY 1",
    )
    .await;
    assert_eq!(found.len(), 3, "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_stay_as_they_are() {
    let server = with(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b TEXT); \
         INSERT INTO t VALUES (1, CAST(x'41ff42' AS TEXT), 'x'), (2, '\u{fffd}', 'y'); CREATE TABLE u(a TEXT)",
    );
    let bytes = || -> Vec<Vec<u8>> {
        let file = rusqlite::Connection::open(server.database.path()).unwrap();
        let mut statement = file.prepare("SELECT CAST(a AS BLOB) FROM t ORDER BY id").unwrap();
        let found = statement.query_map([], |row| row.get(0)).unwrap();
        found.collect::<rusqlite::Result<_>>().unwrap()
    };
    let before = bytes();
    let client = server.driver().await;
    for sql in [
        "ALTER TABLE t ALTER COLUMN a TYPE varchar(20)",
        "ALTER TABLE t ALTER COLUMN a TYPE text USING upper(a)",
        "ALTER TABLE t ALTER COLUMN a TYPE bytea USING a::bytea",
        "UPDATE t SET a = initcap(a)",
        "UPDATE t SET b = left(a, 3)",
        "INSERT INTO u SELECT lpad(a, 9) FROM t",
        "INSERT INTO t(id, a) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET a = lower(t.a)",
    ] {
        let (code, message) = refused(&client, sql).await;
        let expected = ("22021", "invalid byte sequence for encoding \"UTF8\": 0xff");
        assert_eq!((code.code(), message.as_str()), expected, "{sql}");
        assert_eq!(bytes(), before, "{sql}");
    }
    // What leaves them alone is done, and what is UTF-8 is any text.
    for sql in [
        "ALTER TABLE t ALTER COLUMN b TYPE varchar(20)",
        "ALTER TABLE t ADD COLUMN c integer",
        "UPDATE t SET c = length(upper(a))",
        "ALTER TABLE t ADD COLUMN d text",
        "UPDATE t SET d = a",
        "UPDATE t SET a = upper(a) WHERE id = 2",
    ] {
        run(&client, sql).await;
        assert_eq!(bytes(), before, "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strict_table_says_which_types_it_takes() {
    let server = with("CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT) STRICT");
    let client = server.driver().await;
    for sql in [
        "ALTER TABLE t ALTER COLUMN a TYPE varchar(5)",
        "ALTER TABLE t ADD COLUMN b varchar(5)",
    ] {
        let (code, message) = refused(&client, sql).await;
        let words = "of a STRICT table cannot be of type varchar(5)";
        assert_eq!(code.code(), "0A000", "{sql}: {message}");
        assert!(message.ends_with(words), "{sql}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_may_say_anything() {
    let server = with("CREATE TABLE t(a TEXT)");
    let client = server.driver().await;
    for comment in ["a */ b", "/* **/ *\\/ --", "*/ */"] {
        let told = format!(
            "COMMENT ON TABLE t IS '{comment}'; COMMENT ON COLUMN t.a IS '{comment}'; \
             SELECT obj_description('t'::regclass), col_description('t'::regclass, 1)"
        );
        assert_eq!(rows(&client, &told).await, [some(&[comment, comment])]);
    }
    let left = "COMMENT ON TABLE t IS NULL; COMMENT ON COLUMN t.a IS NULL; \
                SELECT obj_description('t'::regclass), col_description('t'::regclass, 1)";
    assert_eq!(rows(&client, left).await, [vec![None, None]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_our_own_are_read_and_not_changed() {
    let server =
        with("CREATE TABLE counted(a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO counted VALUES (4);");
    let client = server.driver().await;
    run(&client, "CREATE SEQUENCE s").await;
    for sql in [
        "DELETE FROM querent_sequences",
        "UPDATE querent_sequences SET last_value = 9",
        "INSERT INTO querent_sequences SELECT * FROM querent_sequences",
        "ALTER TABLE querent_sequences ADD COLUMN x int",
        "TRUNCATE querent_sequences",
        "CREATE INDEX i ON querent_sequences (name)",
        "UPDATE sqlite_sequence SET seq = 1",
    ] {
        let error = client.batch_execute(sql).await.unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{sql}");
    }
    // What is meant to change them does.
    let found = rows(&client, "SELECT nextval('s')::text, setval('s', 7)::text").await;
    assert_eq!(found, [some(&["1", "7"])]);
    run(
        &client,
        "ALTER SEQUENCE s RESTART WITH 3; DROP SEQUENCE s; DROP TABLE counted",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_on_an_expression_is_told_with_its_key() {
    let server = with("CREATE TABLE other(a TEXT)");
    let client = server.driver().await;
    run(
        &client,
        "CREATE TABLE p(id int, code text); CREATE UNIQUE INDEX pl ON p(lower(code)); \
         CREATE UNIQUE INDEX pm ON p(id, upper(code)); INSERT INTO p VALUES (1, 'A')",
    )
    .await;
    let error = client
        .batch_execute("INSERT INTO p VALUES (2, 'a')")
        .await
        .unwrap_err();
    let error = error.as_db_error().unwrap();
    assert_eq!(
        error.message(),
        "duplicate key value violates unique constraint \"pl\""
    );
    assert_eq!(error.detail(), Some("Key (lower(code))=(a) already exists."));
    assert_eq!((error.table(), error.constraint()), (Some("p"), Some("pl")));
    run(&client, "DROP INDEX pl").await;
    let error = client
        .batch_execute("INSERT INTO p VALUES (1, 'a')")
        .await
        .unwrap_err();
    let error = error.as_db_error().unwrap();
    assert_eq!(
        error.detail(),
        Some("Key (id, upper(code))=(1, A) already exists.")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_value_that_stands_twice_is_told_whatever_the_key_is_made_of() {
    let server = with("");
    let client = server.driver().await;
    run(
        &client,
        "CREATE TABLE u(id int PRIMARY KEY, n numeric(5,2) DEFAULT 1, c char(4) DEFAULT 'a', \"D\" date, UNIQUE (c)); \
         CREATE UNIQUE INDEX un ON u((n + 1)); CREATE UNIQUE INDEX ul ON u(lower(c), (n * 2)) WHERE n > 0; \
         CREATE UNIQUE INDEX ud ON u(\"D\"); INSERT INTO u VALUES (1, 1, 'a', '2024-01-01')",
    )
    .await;
    for (statement, constraint, detail) in [
        ("INSERT INTO u(id) VALUES (2)", "u_c_key", "(c)=(a   )"),
        ("INSERT INTO u(id) VALUES (1)", "u_pkey", "(id)=(1)"),
        (
            "INSERT INTO u(id, c) VALUES (2, 'b')",
            "un",
            "((n + 1::numeric))=(2.00)",
        ),
        (
            "INSERT INTO u(id, n, c) VALUES (7, 9, 'k'), (8, 9, 'l')",
            "un",
            "((n + 1::numeric))=(10.00)",
        ),
        (
            "INSERT INTO u(id, n, c) VALUES (7, 9, 'k'), (7, 10, 'k')",
            "u_pkey",
            "(id)=(7)",
        ),
        (
            "INSERT INTO u VALUES (3, 5, 'q', '2024-01-01')",
            "ud",
            "(\"D\")=(2024-01-01)",
        ),
    ] {
        let error = client.batch_execute(statement).await.unwrap_err();
        let error = error.as_db_error().unwrap();
        assert_eq!(error.constraint(), Some(constraint), "{statement}");
        assert_eq!(
            error.detail(),
            Some(format!("Key {detail} already exists.").as_str()),
            "{statement}"
        );
    }
}
