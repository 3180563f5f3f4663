//! What stands in a SQLite file, or is bound by a client, is a value or a name: it never says what is done.

use tokio_postgres::{Client, SimpleQueryMessage, error::SqlState};

use super::harness::{TestServer, create};

pub(super) fn with(sql: &str) -> TestServer {
    let server = TestServer::start();
    create(&server.folder.path().join("test.db"), sql);
    server
}

pub(super) async fn rows(client: &Client, sql: &str) -> Vec<Vec<Option<String>>> {
    let messages = client.simple_query(sql).await.unwrap();
    let rows = messages.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    rows.map(|row| (0..row.len()).map(|at| row.get(at).map(str::to_owned)).collect())
        .collect()
}

pub(super) async fn refused(client: &Client, sql: &str) -> (SqlState, String) {
    let error = client.simple_query(sql).await.unwrap_err();
    let error = error.as_db_error().unwrap();
    (error.code().clone(), error.message().to_owned())
}

pub(super) fn some(values: &[&str]) -> Vec<Option<String>> {
    values.iter().map(|value| Some((*value).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_writing_part_stay_values() {
    let server =
        with("CREATE TABLE t(n TEXT); CREATE TABLE secret(v TEXT); INSERT INTO secret VALUES ('hidden')");
    let client = server.driver().await;
    let sql = "WITH a AS (INSERT INTO t VALUES ($1) RETURNING n), \
               b AS (INSERT INTO t SELECT $2 FROM a RETURNING n) SELECT a.n, b.n FROM a, b";
    for marker in ["\u{1}pg:1\u{1}", "\u{1}pg:4\u{1}", "@rows0", "$1", "{r}"] {
        let crafted = "x'), ((SELECT v FROM secret)) --";
        let found = client.query_one(sql, &[&marker, &crafted]).await.unwrap();
        assert_eq!(found.get::<_, &str>(0), marker);
        assert_eq!(found.get::<_, &str>(1), crafted);
    }
    // What a client may call, it cannot learn anything by.
    let (code, _) = refused(&client, "SELECT pg_kept(1, 0, 0)").await;
    assert_eq!(code.code(), "55000");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_writing_part_keep_their_kinds() {
    let server = with(
        "CREATE TABLE any(id INTEGER PRIMARY KEY, v); INSERT INTO any(v) VALUES \
         (9007199254740993), (-9223372036854775808), (0.1), (9e999), (-9e999), (5e-324), (1.0), \
         ('a' || char(0) || 'b'), (x'00ff27'), (NULL), (''), ('it''s'), (CAST(x'ff' AS TEXT)); \
         CREATE TABLE kept(id INTEGER PRIMARY KEY, v); CREATE TABLE kinds(id INTEGER, kind, bytes)",
    );
    let client = server.driver().await;
    let sql = "WITH moved AS (INSERT INTO kept SELECT id, v FROM any RETURNING id, v) \
               INSERT INTO kinds SELECT id, typeof(v), quote(v) FROM moved";
    client.simple_query(sql).await.unwrap();
    let file = rusqlite::Connection::open(server.folder.path().join("test.db")).unwrap();
    let mut other = file
        .prepare(
            "SELECT any.id, bytes IS quote(any.v), kind = typeof(any.v) FROM any JOIN kinds ON kinds.id = any.id",
        )
        .unwrap();
    let mut rows = other.query([]).unwrap();
    let mut seen = 0;
    while let Some(row) = rows.next().unwrap() {
        let told: (i64, bool, bool) = (row.get(0).unwrap(), row.get(1).unwrap(), row.get(2).unwrap());
        assert!(told.1 && told.2, "{told:?}");
        seen += 1;
    }
    assert_eq!(seen, 13);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_the_file_are_names() {
    let server = with(
        "CREATE TABLE secret(v TEXT); INSERT INTO secret VALUES ('hidden'); \
         CREATE TABLE odd(\"=(select v from secret)\" TEXT, \"{r}\" TEXT, \"pg:2\" INTEGER, \"pg:3\" INTEGER, \
         \"default:{r}\" TEXT, value TEXT); \
         INSERT INTO odd VALUES ('a', 'b', 7, 8, 'c', 'd'), ('a', 'b', 7, 8, 'c', 'd')",
    );
    let client = server.driver().await;
    let row = some(&["a", "b", "7", "8", "c", "d"]);
    assert_eq!(
        rows(&client, "SELECT * FROM odd").await,
        [row.clone(), row.clone()]
    );
    assert_eq!(
        rows(&client, "SELECT DISTINCT ON (\"{r}\") * FROM odd").await,
        std::slice::from_ref(&row)
    );
    let found = rows(&client, "SELECT * FROM odd EXCEPT ALL SELECT * FROM odd LIMIT 1").await;
    assert!(found.is_empty());
    let sql = "SELECT * FROM odd ORDER BY value FETCH FIRST 1 ROW WITH TIES";
    assert_eq!(rows(&client, sql).await.len(), 2);
    let sql =
        "INSERT INTO odd(value, \"{r}\") VALUES (DEFAULT, '1'), ('2', DEFAULT) RETURNING value, \"{r}\"";
    let found = rows(&client, sql).await;
    assert_eq!(
        found,
        [vec![None, Some("1".into())], vec![Some("2".into()), None]]
    );
    let (code, _) = refused(
        &client,
        "INSERT INTO odd(value) VALUES (DEFAULT), (\"default:value\")",
    )
    .await;
    assert_eq!(code, SqlState::UNDEFINED_COLUMN);
    let sql = "SELECT * FROM jsonb_to_recordset('[{\"{r}\": 1}]') AS x(\"{r}\" int)";
    assert_eq!(rows(&client, sql).await, [some(&["1"])]);
    let sql = "SELECT d.\"{r}\" FROM secret, LATERAL (SELECT v AS \"{r}\") AS d";
    assert_eq!(rows(&client, sql).await, [some(&["hidden"])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_defaults_alone_are_all_written() {
    let server = with("CREATE TABLE d(id INTEGER PRIMARY KEY, n INTEGER DEFAULT 3)");
    let client = server.driver().await;
    let sql = "INSERT INTO d VALUES (DEFAULT, DEFAULT), (DEFAULT, DEFAULT) RETURNING id, n";
    assert_eq!(rows(&client, sql).await, [some(&["1", "3"]), some(&["2", "3"])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trigger_of_the_file_cannot_choose_an_errors_code() {
    let server = with(
        "CREATE TABLE t(n INTEGER); CREATE TRIGGER r BEFORE INSERT ON t BEGIN \
         SELECT CASE NEW.n WHEN 1 THEN RAISE(ABORT, '\u{1}28P01no password') \
                           WHEN 2 THEN RAISE(ABORT, 'division by zero') END; END",
    );
    let client = server.driver().await;
    let raised = SqlState::RAISE_EXCEPTION;
    let told = refused(&client, "INSERT INTO t VALUES (1)").await;
    assert_eq!(told, (raised.clone(), "\\u{1}28P01no password".into()));
    let (code, _) = refused(&client, "SELECT 1 / 0").await;
    assert_eq!(code, SqlState::DIVISION_BY_ZERO);
    let told = refused(&client, "INSERT INTO t VALUES (2)").await;
    assert_eq!(told, (raised, "division by zero".into()));
    let told = refused(&client, "SELECT ('a' || chr(1) || 'b')::int").await;
    assert_eq!(told.0, SqlState::INVALID_TEXT_REPRESENTATION);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_with_dots_are_told_whole() {
    let server = with(
        "CREATE TABLE \"a.b\"(\"c.d\" INTEGER NOT NULL UNIQUE, e TEXT); CREATE TABLE a(\"b.c.d\" INTEGER UNIQUE); \
         CREATE TABLE \"x, y.z\"(k INTEGER UNIQUE)",
    );
    let client = server.driver().await;
    let (code, message) = refused(&client, "SELECT \"a.b\".\"c.d\", count(*) FROM \"a.b\"").await;
    assert_eq!(code, SqlState::GROUPING_ERROR);
    assert!(message.starts_with("column \"a.b.c.d\" must appear"), "{message}");
    let error = client
        .simple_query("INSERT INTO \"a.b\" VALUES (NULL)")
        .await
        .unwrap_err();
    let error = error.as_db_error().unwrap();
    assert_eq!((error.table(), error.column()), (Some("a.b"), Some("c.d")));
    for (insert, table, constraint) in [
        ("INSERT INTO \"a.b\" VALUES (1), (1)", "a.b", "a.b_c.d_key"),
        ("INSERT INTO a VALUES (1), (1)", "a", "a_b.c.d_key"),
        ("INSERT INTO \"x, y.z\" VALUES (1), (1)", "x, y.z", "x, y.z_k_key"),
    ] {
        let error = client.simple_query(insert).await.unwrap_err();
        let error = error.as_db_error().unwrap();
        assert_eq!(error.code(), &SqlState::UNIQUE_VIOLATION);
        assert_eq!(
            (error.table(), error.constraint()),
            (Some(table), Some(constraint))
        );
    }
    // It is read as it was before it was written.
    let sql = "WITH w AS (INSERT INTO \"a.b\" VALUES (5) RETURNING e) SELECT count(*) FROM \"a.b\", w";
    assert_eq!(rows(&client, sql).await, [some(&["0"])]);
    let sql = "WITH w AS (INSERT INTO \"a.b\" VALUES (6) RETURNING e) SELECT count(*) FROM a, w";
    assert_eq!(rows(&client, sql).await, [some(&["0"])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_star_means_the_columns_of_the_catalogue() {
    let server = with("CREATE VIRTUAL TABLE ft USING fts5(title, body)");
    let client = server.driver().await;
    client
        .batch_execute("INSERT INTO ft VALUES ('hello', 'world')")
        .await
        .unwrap();
    for sql in ["SELECT * FROM ft", "SELECT ft.* FROM ft", "TABLE ft"] {
        let columns = client.prepare(sql).await.unwrap();
        let columns: Vec<&str> = columns
            .columns()
            .iter()
            .map(tokio_postgres::Column::name)
            .collect();
        assert_eq!(columns, ["title", "body"], "{sql}");
        assert_eq!(rows(&client, sql).await, [some(&["hello", "world"])], "{sql}");
    }
    let names =
        "SELECT attname FROM pg_attribute WHERE attrelid = 'ft'::regclass AND attnum > 0 ORDER BY attnum";
    assert_eq!(rows(&client, names).await, [some(&["title"]), some(&["body"])]);
    // What is hidden can be asked by all the same.
    let found = rows(&client, "SELECT title FROM ft WHERE rank IS NULL").await;
    assert_eq!(found, [some(&["hello"])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_numbers_do_not_become_others() {
    let server = with("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (9223372036854775807)");
    let client = server.driver().await;
    for dialect in ["postgresql", "sqlite"] {
        client
            .batch_execute(&format!("SET querent.dialect = {dialect}"))
            .await
            .unwrap();
        for sql in [
            "SELECT a + 1 FROM t",
            "SELECT a * 2 FROM t",
            "SELECT 9223372036854775807 + 1",
            "SELECT -a - 2 FROM t",
        ] {
            let (code, message) = refused(&client, sql).await;
            let expected = ("22003", "bigint out of range");
            assert_eq!((code.code(), message.as_str()), expected, "{dialect}: {sql}");
            // In binary too.
            let error = client.query(sql, &[]).await.unwrap_err();
            assert_eq!(
                error.as_db_error().unwrap().code().code(),
                "22003",
                "{dialect}: {sql}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn extensions_are_created_whose_functions_are_there() {
    let server = TestServer::start();
    let client = server.driver().await;
    let created = "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY extname";
    for name in ["uuid-ossp", "pgcrypto"] {
        let create = format!("CREATE EXTENSION \"{name}\"");
        client.batch_execute(&create).await.unwrap();
        let again = format!("CREATE EXTENSION IF NOT EXISTS \"{name}\"");
        client.batch_execute(&again).await.unwrap();
        let (code, message) = refused(&client, &create).await;
        let expected = format!("extension \"{name}\" already exists");
        assert_eq!((code.code(), message), ("42710", expected));
    }
    let names = rows(&client, created).await;
    assert_eq!(names, [some(&["pgcrypto"]), some(&["uuid-ossp"])]);
    let found = rows(
        &client,
        "SELECT length(uuid_generate_v4()::text), length(gen_random_uuid()::text), \
         left(encode(digest('abc', 'sha256'), 'hex'), 8), left(encode(hmac('a', 'k', 'sha1'), 'hex'), 8)",
    );
    assert_eq!(found.await, [some(&["36", "36", "ba7816bf", "40e7d441"])]);
    // What is not there is refused by its name, and so is its type.
    for sql in ["CREATE EXTENSION citext", "CREATE EXTENSION IF NOT EXISTS citext"] {
        let (code, message) = refused(&client, sql).await;
        let expected = "extension \"citext\" is not available";
        assert_eq!((code.code(), message.as_str()), ("0A000", expected), "{sql}");
    }
    let (code, message) = refused(&client, "CREATE TABLE t (a citext)").await;
    let expected = ("42704", "type \"citext\" does not exist");
    assert_eq!((code.code(), message.as_str()), expected);
    let (code, _) = refused(&client, "DROP EXTENSION citext").await;
    assert_eq!(code.code(), "42704");
    client.batch_execute("DROP EXTENSION pgcrypto").await.unwrap();
    assert_eq!(rows(&client, created).await, [some(&["uuid-ossp"])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_tells_the_table_and_the_number_of_each_column() {
    let server = TestServer::start();
    let client = server.driver().await;
    let table = client
        .query_one("SELECT 'orders'::regclass::oid", &[])
        .await
        .unwrap()
        .get::<_, u32>(0);
    for (sql, expected) in [
        ("SELECT * FROM orders", vec![Some(1), Some(2), Some(3)]),
        (
            "SELECT total, id AS number FROM orders AS o",
            vec![Some(3), Some(1)],
        ),
        (
            "SELECT total + 1, o.id FROM (SELECT * FROM orders) AS o",
            vec![None, Some(1)],
        ),
        ("SELECT count(*), max(total) FROM orders", vec![None, None]),
        (
            "INSERT INTO orders VALUES (9, 1, 2) RETURNING total",
            vec![Some(3)],
        ),
    ] {
        let statement = client.prepare(sql).await.unwrap();
        let columns = statement.columns().iter();
        let told: Vec<_> = columns
            .map(|column| {
                assert_eq!(
                    column.table_oid().is_some(),
                    column.column_id().is_some(),
                    "{sql}"
                );
                assert!(column.table_oid().is_none_or(|found| found == table), "{sql}");
                column.column_id()
            })
            .collect();
        assert_eq!(told, expected, "{sql}");
    }
}
