//! What is read and told of the schema: types, keys, stored values, the catalogue.

use std::time::Duration;

use super::*;

#[tokio::test]
async fn odd_names_and_wide_tables_work() {
    let columns: Vec<String> = (0..2000).map(|number| format!("c{number} INTEGER")).collect();
    let (_folder, database) = database(&format!(
        "CREATE TABLE wide ({});
         INSERT INTO wide (c0, c1999) VALUES (1, 2);
         CREATE TABLE \"select\" (\"a \"\"quoted\"\" name\" TEXT, \"group\" INTEGER, [from] REAL, `ü` DATE);
         INSERT INTO \"select\" VALUES ('x', 1, 0.5, '2024-01-31');
         CREATE VIEW broken AS SELECT * FROM gone;
         CREATE VIRTUAL TABLE notes USING fts5(body);",
        columns.join(", ")
    ));
    let connection = database.connect().unwrap();
    assert_eq!(
        connection
            .run("SELECT * FROM wide", vec![])
            .await
            .unwrap()
            .columns()
            .len(),
        2000
    );
    let schema = connection.snapshot().await.unwrap().schema;
    let names: Vec<_> = schema.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["wide", "select", "notes"]);
    assert_eq!(schema.tables[0].columns.len(), 2000);
    let odd: Vec<_> = schema.tables[1]
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(odd, ["a \"quoted\" name", "group", "from", "ü"]);
}

#[tokio::test]
async fn columns_and_parameters_have_types() {
    let (_folder, database) = database(
        "CREATE TABLE t (a INTEGER, b DECIMAL(10,2), c DATE, d DATE, e, f BOOLEAN, g VARCHAR(20));
         INSERT INTO t VALUES (1, 9.99, '2024-01-31', 'last May', 'x', 1, NULL);
         CREATE VIEW v AS SELECT a, count(*) AS n, sum(b) AS s FROM t GROUP BY a;",
    );
    let connection = database.connect().unwrap();
    for (sql, expected) in [
        ("SELECT * FROM t", "int8 numeric date text text bool varchar"),
        ("SELECT * FROM v", "int8 int8 float8"),
        ("SELECT n + 1, s FROM v", "int8 float8"),
        (
            "SELECT count(*), avg(b), max(c), min(e) FROM t",
            "int8 numeric date text",
        ),
        ("SELECT NULL UNION ALL SELECT 1", "int4"),
        // Nothing but the rows can tell.
        ("SELECT json_extract('{\"a\": 1.5}', '$.a'), NULL", "float8 text"),
        ("PRAGMA table_info(t)", "int8 text text int8 text int8"),
    ] {
        let shown = |columns: &[querent::backend::ResultColumn]| {
            columns
                .iter()
                .map(|column| column.ty.name())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let prepared = connection.prepare(sql, &[]).await.unwrap();
        assert_eq!(shown(&prepared.columns), expected, "{sql}");
        let cursor = connection.run(sql, vec![]).await.unwrap();
        assert_eq!(shown(cursor.columns()), expected, "{sql}");
    }
    let prepared = connection
        .prepare("SELECT * FROM t WHERE a = $1 AND c < $2 LIMIT $3", &[])
        .await
        .unwrap();
    assert_eq!(
        prepared.parameter_types,
        [Some(SqlType::Int8), Some(SqlType::Date), Some(SqlType::Int8)]
    );
}

#[tokio::test]
async fn columns_without_a_type_are_told_as_one_everywhere() {
    let tables = "CREATE TABLE t (mixed, whole, late, blank, day, wrong, large, part, bytes, empty, a any);
         WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300)
         INSERT INTO t SELECT iif(x % 3, x, 'x'), x, iif(x = 299, 'late', x), iif(x = 150, '', x),
             date('2024-01-01', '+' || x || ' days'), iif(x = 1, '2024-02-30', '2024-01-01'),
             iif(x = 2, 2.5, 9007199254740993), iif(x = 200, 2.5, x), x'00ff', NULL, iif(x = 1, x'00ff', 2.5) FROM n;
         CREATE VIEW v AS SELECT * FROM t;";
    let expected = [
        "text", "int8", "text", "text", "date", "text", "text", "float8", "bytea", "text", "text",
    ];
    for sqlite_dialect in [false, true] {
        let options = Options {
            sqlite_dialect,
            ..Options::default()
        };
        let (_folder, database) = with_options(tables, options);
        let connection = database.connect().unwrap();
        for table in ["t", "v"] {
            let sql = format!("SELECT * FROM {table}");
            let prepared = connection.prepare(&sql, &[]).await.unwrap();
            let cursor = connection.run(&sql, vec![]).await.unwrap();
            for columns in [&prepared.columns[..], cursor.columns()] {
                let types: Vec<&str> = columns.iter().map(|column| column.ty.name()).collect();
                assert_eq!(types, expected, "{table}, {sqlite_dialect}");
            }
            drop(cursor);
            let told = format!(
                "SELECT t.typname FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid \
                 WHERE a.attrelid = '{table}'::regclass AND a.attnum > 0 ORDER BY a.attnum"
            );
            let catalogue = all(&connection, &told).await.unwrap().concat();
            assert_eq!(catalogue, expected.map(text), "{table}");
        }
    }
    let (_folder, database) = database(tables);
    let connection = database.connect().unwrap();
    // They are compared as the texts that they are shown as.
    for (condition, expected) in [
        ("mixed = '1'", 1),
        ("mixed <> 'x'", 200),
        ("mixed IN ('1', 'x')", 101),
        ("mixed = ANY (ARRAY['2', 'x'])", 101),
        ("mixed BETWEEN '1' AND '2'", 76),
        ("mixed LIKE '1%'", 75),
        ("mixed = 1", 1),
        ("mixed::text = '1'", 1),
        ("length(mixed) = 3", 134),
        ("a = '2.5'", 299),
        ("a::text = '\\x00ff'", 1),
    ] {
        let sql = format!("SELECT count(*) FROM t WHERE {condition}");
        assert_eq!(
            all(&connection, &sql).await.unwrap(),
            [[Value::Integer(expected)]],
            "{condition}"
        );
    }
}

#[tokio::test]
async fn the_schema_is_read_with_keys_kinds_and_comments() {
    let (_folder, database) = database(
        "CREATE TABLE customers ( -- who buys
           id INTEGER PRIMARY KEY,
           email TEXT NOT NULL UNIQUE, -- how to reach them
           born TEXT, joined DATETIME, zip TEXT, score INT, x);
         CREATE TABLE lines (a INT, b INT, customer INT REFERENCES customers, PRIMARY KEY (b, a)) WITHOUT ROWID;
         CREATE TABLE c (a INT, b INT, FOREIGN KEY (b, a) REFERENCES lines (b, a));
         INSERT INTO customers VALUES (7, 'a@b', '1990-05-01', '2020-01-01 10:00:00', '01234', 'n/a', 1.5);",
    );
    let before = database.snapshot().await.unwrap();
    let schema = &before.schema;
    let customers = &schema.tables[0];
    assert_eq!(customers.comment.as_deref(), Some("who buys"));
    assert_eq!((customers.rows, customers.counted), (Some(1), true));
    assert_eq!(customers.primary_key, [0]);
    let kinds: Vec<String> = customers
        .columns
        .iter()
        .map(|column| format!("{:?}", column.kind))
        .collect();
    assert_eq!(
        kinds,
        ["Integer", "Text", "Date", "Timestamp", "Text", "Text", "Number"]
    );
    assert_eq!(customers.columns[1].comment.as_deref(), Some("how to reach them"));
    assert!(customers.columns[1].unique && customers.columns[1].not_null && customers.columns[0].unique);
    assert_eq!(schema.tables[1].primary_key, [1, 0]);
    assert!(!schema.tables[1].columns[0].unique);
    let declared: Vec<_> = schema.foreign_keys.iter().filter(|key| key.declared).collect();
    assert_eq!(declared.len(), 2);
    assert_eq!((declared[0].from[0].table, declared[0].to[0].column), (1, 0));
    assert_eq!(
        declared[1].from.iter().map(|at| at.column).collect::<Vec<_>>(),
        [1, 0]
    );
    // It is the same snapshot until the schema changes.
    let again = database.snapshot().await.unwrap();
    assert!(Arc::ptr_eq(&before.schema, &again.schema));
    let connection = database.connect().unwrap();
    all(&connection, "CREATE TABLE more (a)").await.unwrap();
    let after = connection.snapshot().await.unwrap();
    assert_ne!(before.fingerprint, after.fingerprint);
    assert_eq!(after.schema.tables.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_values_are_indexed_in_the_background() {
    let (_folder, database) = database(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, city TEXT);
         INSERT INTO t (city) VALUES ('Rome'), ('Rome'), (NULL), (7), (CAST(x'ff' AS TEXT)), ('New York');",
    );
    assert!(!database.values_ready(Duration::ZERO).await);
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(10)).await);
    let snapshot = database.snapshot().await.unwrap();
    assert!(snapshot.values.progress().is_done());
    assert_eq!(snapshot.values.find(&["new".into(), "york".into()]).len(), 1);
    // Another schema has another index.
    let connection = database.connect().unwrap();
    // In one transaction, so that nobody looks at the table before it has its row.
    for sql in [
        "BEGIN",
        "CREATE TABLE u (name TEXT)",
        "INSERT INTO u VALUES ('Paris')",
        "COMMIT",
    ] {
        all(&connection, sql).await.unwrap();
    }
    assert!(database.values_ready(Duration::from_secs(10)).await);
    assert_eq!(
        database
            .snapshot()
            .await
            .unwrap()
            .values
            .find(&["paris".into()])
            .len(),
        1
    );
    let weak = Arc::downgrade(&database);
    drop((connection, database));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(weak.upgrade().is_none());
}

#[tokio::test]
async fn drivers_find_what_they_ask_when_they_connect() {
    let (_folder, database) = database("");
    let connection = database.connect_as("ann", 42, Box::new(())).unwrap();
    for (sql, expected) in [
        (
            "SELECT current_user, session_user",
            vec![text("ann"), text("ann")],
        ),
        ("select pg_catalog.current_schema()", vec![text("public")]),
        ("SELECT current_database()", vec![text("test")]),
        (
            "SELECT pg_backend_pid(), pg_is_in_recovery()",
            vec![Value::Integer(42), Value::Integer(0)],
        ),
        (
            "SELECT current_setting('server_version_num')",
            vec![text("150014")],
        ),
        ("SELECT set_config('search_path', 'x', false)", vec![text("x")]),
        ("SELECT pg_advisory_unlock_all()", vec![text("")]),
        (
            "SELECT t.typname, n.nspname FROM pg_catalog.pg_type t JOIN pg_namespace n ON t.typnamespace = n.oid \
             WHERE t.oid = 23",
            vec![text("int4"), text("pg_catalog")],
        ),
        ("SELECT format_type(20, -1)", vec![text("bigint")]),
    ] {
        assert_eq!(all(&connection, sql).await.unwrap(), [expected], "{sql}");
    }
    let version = all(&connection, "select pg_catalog.version()").await.unwrap();
    assert!(matches!(&version[0][0], Value::Text(text) if text.starts_with(b"PostgreSQL 15.")));
    let hstore = "SELECT typname AS name, oid, typarray AS array_oid, oid::regtype::text AS regtype, \
                  typdelim AS delimiter FROM pg_type t WHERE t.oid = to_regtype($1) ORDER BY t.oid";
    assert!(
        with_parameters(&connection, hstore, vec![text("hstore")])
            .await
            .unwrap()
            .is_empty()
    );
    check_error(&connection, "SELECT current_user, z", "42703", Some(22)).await;
    check_error(&connection, "DELETE FROM pg_catalog.pg_type", "42501", None).await;
    check_error(&connection, "SELECT current_setting('no.such')", "42704", None).await;
}
