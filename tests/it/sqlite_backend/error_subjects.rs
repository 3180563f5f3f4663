//! Which table an error is about, and where that is.

use super::{attached::attached, *};

/// An error tells where the table is that it is about.
#[tokio::test]
async fn errors_name_the_schema_of_their_table() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    for (schema, temporary) in [("public", ""), ("archive", ""), ("pg_temp", "TEMP")] {
        let table = if temporary.is_empty() {
            format!("{schema}.place")
        } else {
            "place".to_owned()
        };
        let made = format!(
            "CREATE {temporary} TABLE {table} (id int PRIMARY KEY, n int NOT NULL CHECK (n > 0), twice int)"
        );
        all(&connection, &made).await.unwrap();
        let filled = format!("INSERT INTO {table} VALUES (1, 1, 7), (2, 1, 7)");
        all(&connection, &filled).await.unwrap();
        for (sql, sqlstate) in [
            (format!("INSERT INTO {table} VALUES (3, NULL, 1)"), "23502"),
            (format!("UPDATE {table} SET n = 0"), "23514"),
            (format!("INSERT INTO {table} VALUES (1, 1, 1)"), "23505"),
            (format!("CREATE UNIQUE INDEX ON {table} (twice)"), "23505"),
            (format!("ALTER TABLE {table} ADD CHECK (twice < 7)"), "23514"),
        ] {
            let error = all(&connection, &sql).await.unwrap_err();
            let place = error.place.as_ref().map(|place| (&*place.schema, &*place.table));
            assert_eq!(
                (&*error.sqlstate, place),
                (sqlstate, Some((schema, "place"))),
                "{sql}"
            );
        }
    }
}

/// The row that is told is the one that would have been written, with what the statement leaves alone and what is computed.
#[tokio::test]
async fn failing_rows_are_told_whole() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    for sql in [
        "CREATE TABLE t (id int PRIMARY KEY, a text NOT NULL, b int CHECK (b > 0), c int GENERATED ALWAYS AS (b * 2) STORED, \
         d numeric(5,2) DEFAULT 1.5, e varchar(3))",
        "INSERT INTO t (id, a, b, e) VALUES (1, 'x', 5, 'abc'), (2, 'y', 6, 'd')",
        "CREATE TABLE k (a int, b int, c text CHECK (length(c) < 3), PRIMARY KEY (a, b))",
        "INSERT INTO k VALUES (1, 2, 'ab')",
    ] {
        all(&connection, sql).await.unwrap();
    }
    for (sql, row) in [
        ("UPDATE t SET a = NULL WHERE id = 1", "1, null, 5, 10, 1.50, abc"),
        ("UPDATE t SET b = -id WHERE id > 0", "1, x, -1, -2, 1.50, abc"),
        (
            "UPDATE t SET (a, b) = (SELECT NULL, 5) WHERE id = 2",
            "2, null, 5, 10, 1.50, d",
        ),
        (
            "UPDATE t AS x SET a = NULL FROM (VALUES (2)) v(i) WHERE v.i = x.id",
            "2, null, 6, 12, 1.50, d",
        ),
        (
            "UPDATE t SET b = DEFAULT, a = DEFAULT WHERE id = 2",
            "2, null, null, null, 1.50, d",
        ),
        (
            "INSERT INTO t (id, a, b) VALUES (3, 'q', -5)",
            "3, q, -5, -10, 1.50, null",
        ),
        (
            "INSERT INTO t (id, a, b) VALUES (1, 'q', 5) ON CONFLICT (id) DO UPDATE SET b = -excluded.b, a = excluded.a",
            "1, q, -5, -10, 1.50, abc",
        ),
        (
            "INSERT INTO t (id, a, b) VALUES (8, 'q', 5), (2, 'r', 7) \
             ON CONFLICT (id) DO UPDATE SET a = NULL, b = excluded.b + t.b",
            "2, null, 13, 26, 1.50, d",
        ),
        ("UPDATE k SET c = c || c", "1, 2, abab"),
        ("UPDATE k SET b = NULL", "1, null, ab"),
        (
            "UPDATE k SET b = (SELECT max(a) FROM k) + 3, c = 'lll'",
            "1, 4, lll",
        ),
    ] {
        let error = all(&connection, sql).await.unwrap_err();
        let told = format!("Failing row contains ({row}).");
        assert_eq!(error.detail.as_deref(), Some(&*told), "{sql}: {error:?}");
    }
}

#[tokio::test]
async fn what_is_violated_is_of_the_table_that_is_written() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    for sql in [
        "CREATE TABLE twin (id int PRIMARY KEY, f text UNIQUE)",
        "INSERT INTO twin VALUES (1, 'x'), (5, 'y')",
        "CREATE TABLE archive.twin (f text PRIMARY KEY, id int UNIQUE, g int NOT NULL)",
        "INSERT INTO archive.twin VALUES ('x', 7, 1)",
        "CREATE TEMP TABLE both (id int UNIQUE, v text)",
        "INSERT INTO both VALUES (5, 'a')",
        "CREATE TABLE public.both (v text UNIQUE, id int PRIMARY KEY)",
        "INSERT INTO public.both VALUES ('b', 6)",
    ] {
        all(&connection, sql).await.unwrap();
    }
    for (sql, constraint, detail) in [
        (
            "INSERT INTO twin VALUES (2, 'x')",
            "twin_f_key",
            "Key (f)=(x) already exists.",
        ),
        (
            "INSERT INTO archive.twin VALUES ('x', 8, 1)",
            "twin_pkey",
            "Key (f)=(x) already exists.",
        ),
        (
            "INSERT INTO archive.twin VALUES ('z', 7, 1)",
            "twin_id_key",
            "Key (id)=(7) already exists.",
        ),
        (
            "INSERT INTO archive.twin VALUES ('z', 9, NULL)",
            "",
            "Failing row contains (z, 9, null).",
        ),
        (
            "INSERT INTO both VALUES (5, 'b')",
            "both_id_key",
            "Key (id)=(5) already exists.",
        ),
        (
            "INSERT INTO public.both VALUES ('c', 6)",
            "both_pkey",
            "Key (id)=(6) already exists.",
        ),
    ] {
        let error = all(&connection, sql).await.unwrap_err();
        assert_eq!(error.detail.as_deref(), Some(detail), "{sql}: {error:?}");
        assert!(error.message.contains(constraint), "{sql}: {error:?}");
    }
}

/// Of several rows the one that violates a key is told, also where SQLite numbers them, and where ON CONFLICT names another key.
#[tokio::test]
async fn the_key_that_is_violated_is_told() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    for sql in [
        "CREATE TABLE t (id serial PRIMARY KEY, a int UNIQUE, b text CONSTRAINT bb UNIQUE)",
        "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y')",
        "CREATE TABLE l (id serial PRIMARY KEY, b text)",
        "CREATE UNIQUE INDEX low ON l (lower(b))",
        "INSERT INTO l (b) VALUES ('y')",
        "CREATE TABLE i (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a int, b text, UNIQUE (a, b))",
        "CREATE TABLE n (a int, b text)",
        "INSERT INTO n VALUES (1, 'x'), (1, 'x'), (2, NULL), (3, NULL)",
    ] {
        all(&connection, sql).await.unwrap();
    }
    for (sql, constraint, detail) in [
        (
            "INSERT INTO t (a, b) VALUES (3, 'z'), (1, 'w')",
            "t_a_key",
            "(a)=(1) already exists",
        ),
        (
            "INSERT INTO t (a, b) VALUES (3, 'z'), (4, 'y')",
            "bb",
            "(b)=(y) already exists",
        ),
        (
            "INSERT INTO t (a, b) VALUES (5, 'z'), (5, 'q')",
            "t_a_key",
            "(a)=(5) already exists",
        ),
        (
            "INSERT INTO l (b) VALUES ('z'), ('Y')",
            "low",
            "(lower(b))=(y) already exists",
        ),
        (
            "INSERT INTO i (a, b) VALUES (1, 'x'), (2, 'y'), (1, 'x')",
            "i_a_b_key",
            "(a, b)=(1, x) already exists",
        ),
        (
            "INSERT INTO t (a, b) VALUES (1, 'y'), (7, 'x') ON CONFLICT (a) DO NOTHING",
            "bb",
            "(b)=(x) already exists",
        ),
        (
            "INSERT INTO t (a, b) VALUES (1, 'x') ON CONFLICT (a) DO UPDATE SET b = 'y'",
            "bb",
            "(b)=(y) already exists",
        ),
        (
            "INSERT INTO t (a, b) VALUES (5, 'q'), (1, 'n') ON CONFLICT (a) DO UPDATE SET b = 'q'",
            "bb",
            "(b)=(q) already exists",
        ),
        (
            "ALTER TABLE n ADD COLUMN c text DEFAULT 'ab' UNIQUE",
            "n_c_key",
            "(c)=(ab) is duplicated",
        ),
        (
            "ALTER TABLE n ALTER b TYPE varchar(3), ADD COLUMN d int DEFAULT 4, ADD UNIQUE (d, a)",
            "n_d_a_key",
            "(d, a)=(4, 1) is duplicated",
        ),
    ] {
        let error = all(&connection, sql).await.unwrap_err();
        let told = format!("Key {detail}.");
        assert_eq!(error.detail.as_deref(), Some(&*told), "{sql}: {error:?}");
        let place = error.place.as_ref().and_then(|place| place.constraint.as_deref());
        assert_eq!((&*error.sqlstate, place), ("23505", Some(constraint)), "{sql}");
    }
}

#[tokio::test]
async fn the_row_whose_key_is_null_is_told() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    for sql in [
        "CREATE TABLE s (id serial PRIMARY KEY, a text NOT NULL, b int DEFAULT 7, g int GENERATED ALWAYS AS (b * 2) STORED)",
        "CREATE TABLE i (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, a text)",
        "CREATE TABLE c (a int, b int, PRIMARY KEY (a, b))",
        "INSERT INTO s (a) VALUES ('one')",
        "INSERT INTO i (a) VALUES ('one')",
    ] {
        all(&connection, sql).await.unwrap();
    }
    for (sql, row) in [
        ("INSERT INTO s VALUES (NULL, 'x')", "null, x, 7, 14"),
        ("INSERT INTO s (a, id, b) VALUES ('x', NULL, 1)", "null, x, 1, 2"),
        ("INSERT INTO s (id, a) SELECT NULL, 'z'", "null, z, 7, 14"),
        (
            "INSERT INTO s (id, a) VALUES (DEFAULT, 'two'), (NULL, 'three')",
            "null, three, 7, 14",
        ),
        ("UPDATE s SET id = NULL", "null, one, 7, 14"),
        (
            "INSERT INTO s (id, a) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET id = NULL",
            "null, one, 7, 14",
        ),
        ("INSERT INTO i VALUES (NULL, 'x')", "null, x"),
        ("UPDATE i SET id = NULL, a = 'y'", "null, y"),
        ("INSERT INTO c VALUES (NULL, 1)", "null, 1"),
    ] {
        let error = all(&connection, sql).await.unwrap_err();
        let told = format!("Failing row contains ({row}).");
        assert_eq!(error.detail.as_deref(), Some(&*told), "{sql}: {error:?}");
        let place = error.place.unwrap();
        let column = if place.table == "c" { "a" } else { "id" };
        assert_eq!(place.column.as_deref(), Some(column), "{sql}");
    }
    // A number that the row would have got is not known.
    let error = all(&connection, "INSERT INTO s (id, a) VALUES (DEFAULT, NULL)").await;
    assert_eq!(error.unwrap_err().detail, None);
}

/// A check is found by what it says, however another program quoted it.
#[tokio::test]
async fn the_check_that_fails_is_named() {
    let (_folder, database) = database(
        "CREATE TABLE k (m text CHECK ((JSON_VALID(\"m\") OR \"m\" IS NULL)), \"age\" int CHECK (\"age\" >= 0))",
    );
    let connection = database.connect().unwrap();
    for (sql, constraint) in [
        ("INSERT INTO k (age) VALUES (-1)", "k_age_check"),
        ("INSERT INTO k (m, age) VALUES ('{', 1)", "k_m_check"),
    ] {
        let error = all(&connection, sql).await.unwrap_err();
        assert_eq!(error.sqlstate, "23514", "{error:?}");
        assert!(error.message.contains(constraint), "{sql}: {error:?}");
    }
}

/// A condition on a number is asked of the number that would be kept, and not of its digits as a text.
#[tokio::test]
async fn the_row_that_breaks_a_condition_on_a_numeric_is_told() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    let made =
        "CREATE TABLE n (id int PRIMARY KEY, d numeric(6, 2) CHECK (d > 0), e numeric CHECK (e > 0), g date)";
    all(&connection, made).await.unwrap();
    for (sql, detail) in [
        (
            "INSERT INTO n VALUES (1, -1, 1, '2024-01-02')",
            "(1, -1.00, 1, 2024-01-02)",
        ),
        (
            "INSERT INTO n VALUES (1, 1, 1, NULL), (2, 2.5, -1.50, NULL)",
            "(2, 2.50, -1.50, null)",
        ),
    ] {
        let error = all(&connection, sql).await.unwrap_err();
        let expected = format!("Failing row contains {detail}.");
        assert_eq!(error.detail, Some(expected), "{sql}: {error:?}");
    }
}
