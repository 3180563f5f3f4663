//! Files of other programs: values in spellings of their own, values of other types, clauses of their tables.

use super::*;

/// The first column of what a query gives, as it is shown.
async fn shown(connection: &Connection, sql: &str) -> Vec<String> {
    let rows = all(connection, sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    let one = |row: Vec<Value>| match row.into_iter().next() {
        Some(Value::Integer(number)) => number.to_string(),
        Some(Value::Real(number)) => number.to_string(),
        Some(Value::Text(text)) => String::from_utf8(text).unwrap(),
        other => format!("{other:?}"),
    };
    rows.into_iter().map(one).collect()
}

/// What is spelled in two ways is one value, wherever it is compared.
#[tokio::test]
async fn spellings_of_a_value_are_one_value() {
    let (_folder, database) = database(
        "CREATE TABLE e (id INTEGER PRIMARY KEY, at DATETIME, tz TIMESTAMPTZ, t TIME, b BOOLEAN, u UUID, n INTEGER);
         INSERT INTO e VALUES
         (1, '2024-01-02T03:04:05', '2024-01-02T03:04:05Z', '03:04', 'true', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 5),
         (2, '2024-01-02 03:04:05.120000', '2024-01-02 05:04:05+02:00', '03:04:00', 1,
          'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', ''),
         (3, '2024-01-02', '2024-01-02', '07:00', 'f', '{a0eebc999c0b4ef8bb6d6bb9bd380a12}', 7),
         (4, '2024-01-02 03:04:05', '2024-01-02 03:04:05+00', '03:04:00', 0, '', NULL);
         CREATE TABLE f (at TIMESTAMP);
         INSERT INTO f VALUES ('2024-01-02 03:04:05');",
    );
    let connection = database.connect().unwrap();
    for (sql, expected) in [
        (
            "SELECT id FROM e WHERE at = '2024-01-02 03:04:05' ORDER BY 1",
            "1 4",
        ),
        ("SELECT id FROM e WHERE at > '2024-01-02 03:04:05'", "2"),
        (
            "SELECT id FROM e WHERE at BETWEEN '2024-01-02' AND '2024-01-02 01:00:00'",
            "3",
        ),
        ("SELECT id FROM e ORDER BY at, id", "3 1 4 2"),
        ("SELECT max(at)::text FROM e", "2024-01-02 03:04:05.12"),
        ("SELECT count(DISTINCT tz) FROM e", "2"),
        (
            "SELECT id FROM e WHERE tz = '2024-01-02 03:04:05+00' ORDER BY id",
            "1 2 4",
        ),
        ("SELECT count(*) FROM e GROUP BY t ORDER BY t", "3 1"),
        ("SELECT count(*) FROM e GROUP BY b ORDER BY b", "2 2"),
        ("SELECT id FROM e WHERE b ORDER BY id", "1 2"),
        (
            "SELECT id FROM e WHERE u = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' ORDER BY id",
            "1 2",
        ),
        ("SELECT id FROM e WHERE u IS NULL", "4"),
        ("SELECT id FROM e WHERE n IS NULL ORDER BY id", "2 4"),
        ("SELECT sum(n) FROM e", "12"),
        ("SELECT e.id FROM e JOIN f USING (at) ORDER BY id", "1 4"),
        (
            "SELECT id FROM e WHERE at IN (SELECT at FROM f) ORDER BY id",
            "1 4",
        ),
        (
            "UPDATE e SET id = id RETURNING CASE WHEN b THEN 'y' ELSE 'n' END",
            "y y n n",
        ),
        ("UPDATE e SET t = t WHERE id = 1 RETURNING t", "03:04:00"),
        (
            "DELETE FROM e WHERE at = '2024-01-02 03:04:05' RETURNING id",
            "1 4",
        ),
    ] {
        assert_eq!(shown(&connection, sql).await.join(" "), expected, "{sql}");
    }
    // What another program writes into a table that was empty.
    let path = database.path().to_owned();
    create(&path, "CREATE TABLE late (at DATETIME)");
    assert_eq!(shown(&connection, "SELECT count(*) FROM late").await, ["0"]);
    create(&path, "INSERT INTO late VALUES ('2024-01-02T03:04:05')");
    assert_eq!(
        shown(
            &connection,
            "SELECT count(*) FROM late WHERE at = '2024-01-02 03:04:05'"
        )
        .await,
        ["1"]
    );
}

/// A word among numbers is none: it is told as text, and not reckoned with as nothing.
#[tokio::test]
async fn words_among_numbers_are_not_reckoned_with() {
    let (_folder, database) = database(
        "CREATE TABLE e (id INTEGER PRIMARY KEY, n INTEGER, x DECIMAL(10,2), r REAL, plain);
         INSERT INTO e VALUES (1, 5, 1.5, 2.5, 1), (2, 'none', '2.50', 'none', 'none'), (3, 7, 'none', 1, 3);",
    );
    let connection = database.connect().unwrap();
    for column in ["n", "x", "r", "plain"] {
        for sql in [
            format!("SELECT {column} + 1 FROM e"),
            format!("SELECT -{column} FROM e"),
            format!("SELECT sum({column}) FROM e"),
            format!("SELECT avg({column}) FROM e"),
            format!("SELECT round({column}) FROM e"),
            format!("SELECT id FROM e WHERE {column} > 6"),
        ] {
            let error = all(&connection, &sql).await.unwrap_err();
            assert_eq!(error.sqlstate, "22P02", "{sql}: {error:?}");
        }
    }
    for (sql, expected) in [
        ("SELECT n FROM e", "5 none 7"),
        ("SELECT n + 1 FROM e WHERE n <> 'none'", "6 8"),
        ("SELECT sum(n) FROM e WHERE id <> 2", "12"),
        ("SELECT id FROM e WHERE n = '5'", "1"),
        ("SELECT id FROM e WHERE n = 5", "1"),
        ("SELECT coalesce(nullif(n, 'none')::int, 0) FROM e", "5 0 7"),
        ("SELECT n || '!' FROM e", "5! none! 7!"),
    ] {
        assert_eq!(shown(&connection, sql).await.join(" "), expected, "{sql}");
    }
}

/// PostgreSQL has no table that drops or replaces rows by itself.
#[tokio::test]
async fn a_broken_constraint_is_an_error_whatever_the_table_says() {
    let (_folder, database) = database(
        "CREATE TABLE replaces (id INTEGER PRIMARY KEY, u TEXT UNIQUE ON CONFLICT REPLACE);
         CREATE TABLE ignores (id INTEGER PRIMARY KEY, u TEXT NOT NULL ON CONFLICT IGNORE UNIQUE ON CONFLICT IGNORE);
         CREATE TABLE fails (id INTEGER PRIMARY KEY, u TEXT UNIQUE ON CONFLICT FAIL);
         CREATE TABLE rolls (id INTEGER PRIMARY KEY, u TEXT UNIQUE ON CONFLICT ROLLBACK);
         INSERT INTO replaces VALUES (1, 'a'); INSERT INTO ignores VALUES (1, 'a');
         INSERT INTO fails VALUES (1, 'a'); INSERT INTO rolls VALUES (1, 'a');
         CREATE TABLE plain (id INTEGER PRIMARY KEY, n INT);
         CREATE TABLE log (id INTEGER PRIMARY KEY);
         CREATE TRIGGER kept AFTER INSERT ON plain BEGIN INSERT OR IGNORE INTO log VALUES (NEW.n); END;",
    );
    let connection = database.connect().unwrap();
    for table in ["replaces", "ignores", "fails", "rolls"] {
        for (sql, sqlstate) in [
            (format!("INSERT INTO {table} VALUES (2, 'b'), (3, 'a')"), "23505"),
            (
                format!("INSERT INTO {table} SELECT 2, 'b' UNION ALL SELECT 3, 'a'"),
                "23505",
            ),
            (
                format!("INSERT INTO {table} VALUES (2, 'b') ON CONFLICT (id) DO NOTHING"),
                "",
            ),
            (format!("UPDATE {table} SET u = 'a' WHERE id = 2"), "23505"),
            (format!("UPDATE {table} SET u = 'c'"), "23505"),
            (
                format!("INSERT INTO {table} VALUES (4, 'a') ON CONFLICT DO NOTHING"),
                "",
            ),
            (format!("DELETE FROM {table} WHERE id = 2"), ""),
        ] {
            match all(&connection, &sql).await {
                Ok(_) => assert_eq!(sqlstate, "", "{sql}"),
                Err(error) => assert_eq!(error.sqlstate, sqlstate, "{sql}: {error:?}"),
            }
        }
        let left = shown(&connection, &format!("SELECT id || u FROM {table}")).await;
        assert_eq!(left, ["1a"], "{table}");
    }
    let error = all(&connection, "INSERT INTO ignores VALUES (5, NULL)").await;
    assert_eq!(error.unwrap_err().sqlstate, "23502");
    // In a transaction too, which goes on to its end.
    all(&connection, "BEGIN").await.unwrap();
    all(&connection, "INSERT INTO rolls VALUES (2, 'b')")
        .await
        .unwrap();
    all(&connection, "SAVEPOINT s").await.unwrap();
    check_error(&connection, "INSERT INTO rolls VALUES (3, 'a')", "23505", None).await;
    all(&connection, "ROLLBACK TO s").await.unwrap();
    all(&connection, "COMMIT").await.unwrap();
    assert_eq!(shown(&connection, "SELECT id FROM rolls").await, ["1", "2"]);
    // What a trigger of the file does with its own rows is its own affair.
    all(&connection, "INSERT INTO plain VALUES (1, 1), (2, 1)")
        .await
        .unwrap();
    assert_eq!(shown(&connection, "SELECT id FROM log").await, ["1"]);
}

/// One value among many is found wherever it stands, and a table that another program has just made is known to a statement
/// that writes.
#[tokio::test]
async fn all_rows_tell_how_values_are_spelled() {
    let (_folder, database) = database(
        "CREATE TABLE e (id INTEGER PRIMARY KEY, b BOOLEAN, n INT, at TIMESTAMP);
         WITH RECURSIVE s (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM s WHERE x < 1000)
         INSERT INTO e SELECT x, iif(x = 500, 'true', 1), iif(x = 501, '12 apples', x),
         iif(x = 502, '2024-01-02T03:04:05', '2024-01-02 03:04:05') FROM s;",
    );
    let connection = database.connect().unwrap();
    for (sql, expected) in [
        ("DELETE FROM e WHERE NOT b RETURNING id", ""),
        ("SELECT count(*) FROM e WHERE at = '2024-01-02 03:04:05'", "1000"),
        ("SELECT n FROM e WHERE id = 501", "12 apples"),
    ] {
        assert_eq!(shown(&connection, sql).await.join(" "), expected, "{sql}");
    }
    check_error(&connection, "UPDATE e SET n = n + 1", "22P02", None).await;
    create(
        database.path(),
        "CREATE TABLE late (u UUID, n INT); INSERT INTO late VALUES ('0123456789ABCDEF0123456789ABCDEF', 1)",
    );
    all(&connection, "UPDATE late SET n = 2").await.unwrap();
    let sql = "SELECT n FROM late WHERE u = '01234567-89ab-cdef-0123-456789abcdef'";
    assert_eq!(shown(&connection, sql).await, ["2"]);
}

/// What a type of PostgreSQL's would hold: the digits that it declares, amounts, spans, whole numbers of its width.
#[tokio::test]
async fn other_types_are_read_as_they_are_declared() {
    let (_folder, database) = database(
        "CREATE TABLE e (d DECIMAL(10,2), p MONEY, s SMALLINT, iv INTERVAL, mac MACADDR);
         INSERT INTO e VALUES (1.01 * 3, 12.5, 70000, '24 hours', '08-00-2B-01-02-03');
         CREATE TABLE u (a TEXT, b DECIMAL(10,2)); INSERT INTO u VALUES ('x', 1.5);
         CREATE VIEW both AS SELECT a AS c FROM u UNION ALL SELECT b FROM u;",
    );
    let connection = database.connect().unwrap();
    for (sql, expected) in [
        ("SELECT d = 3.03 FROM e", "1"),
        ("SELECT (d * 2)::text FROM e", "6.06"),
        ("SELECT sum(p)::text FROM e", "12.5"),
        ("SELECT pg_typeof(p)::text FROM e", "numeric"),
        ("SELECT pg_typeof(s)::text FROM e", "bigint"),
        ("SELECT iv = '24:00:00'::interval FROM e", "1"),
        ("SELECT mac = '08:00:2b:01:02:03'::macaddr FROM e", "1"),
        ("SELECT c || '!' FROM both", "x! 1.5!"),
    ] {
        assert_eq!(shown(&connection, sql).await.join(" "), expected, "{sql}");
    }
}

#[tokio::test]
async fn what_other_programs_spelled_in_an_attached_file_is_read_as_in_the_own_one() {
    let (folder, database) = attached::attached();
    create(
        &folder.path().join("other.sqlite"),
        "CREATE TABLE e (id INTEGER PRIMARY KEY, at DATETIME, b BOOLEAN);
         INSERT INTO e VALUES (1, '2024-01-02T03:04:05', 'true'), (2, '2024-01-02 03:04:05', 1);",
    );
    let connection = database.connect().unwrap();
    let sql = "SELECT id FROM archive.e WHERE at = '2024-01-02 03:04:05' AND b ORDER BY id";
    let expected = [[Value::Integer(1)], [Value::Integer(2)]];
    assert_eq!(all(&connection, sql).await.unwrap(), expected);
}

/// What another program writes between two statements is not lost by the second.
#[tokio::test]
async fn a_late_word_is_not_written_over() {
    let (_folder, database) = database(
        "CREATE TABLE e (id INTEGER PRIMARY KEY, n INTEGER, r REAL); INSERT INTO e VALUES (1, 1, 1.5);",
    );
    let connection = database.connect().unwrap();
    assert_eq!(shown(&connection, "SELECT n + 1 FROM e").await, ["2"]);
    create(database.path(), "INSERT INTO e VALUES (2, 'many', 'some')");
    for sql in [
        "UPDATE e SET n = n + 1",
        "UPDATE e SET r = -r",
        "UPDATE e SET (id, n) = (id, n * 2)",
        "UPDATE e SET n = (SELECT e.n + 1)",
        "INSERT INTO e VALUES (2, 0, 0) ON CONFLICT (id) DO UPDATE SET n = e.n + excluded.n",
    ] {
        check_error(&connection, sql, "22P02", None).await;
    }
    all(&connection, "UPDATE e SET n = n + 1, r = r * 2 WHERE id = 1")
        .await
        .unwrap();
    all(&connection, "UPDATE e SET n = 7 WHERE n = 2").await.unwrap();
    assert_eq!(shown(&connection, "SELECT n FROM e").await, ["7", "many"]);
    assert_eq!(shown(&connection, "SELECT r FROM e").await, ["3", "some"]);
}
