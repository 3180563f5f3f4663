//! Files that cannot be opened or change under us.

use super::{attached::attached, *};

#[test]
fn what_cannot_be_opened_is_told_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(
        path("notes.txt"),
        "these are notes, not a database, and there are many of them",
    )
    .unwrap();
    create(
        &path("damaged"),
        "CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1);",
    );
    let mut bytes = std::fs::read(path("damaged")).unwrap();
    bytes[100..2000].fill(0xAB);
    std::fs::write(path("damaged"), bytes).unwrap();
    for (name, sqlstate) in [
        ("missing", "58P01"),
        ("", "58P01"),
        ("notes.txt", "58030"),
        ("damaged", "XX001"),
    ] {
        let error = Database::open(&path(name), Options::default()).unwrap_err();
        assert_eq!(error.sqlstate, sqlstate, "{name}: {error:?}");
        assert!(error.hint.is_some(), "{name}: {error:?}");
    }
    std::fs::write(path("empty"), "").unwrap();
    Database::open(&path("empty"), Options::default()).unwrap();
}

#[tokio::test]
async fn a_replaced_file_is_opened_anew() {
    let (folder, database) = database("CREATE TABLE t (a); INSERT INTO t VALUES ('old');");
    let connection = database.connect().unwrap();
    let path = folder.path().join("test.sqlite");
    let replace = |value: &str| {
        let new = folder.path().join("new.sqlite");
        create(
            &new,
            &format!("CREATE TABLE t (a); CREATE TABLE u (b); INSERT INTO t VALUES ('{value}');"),
        );
        std::fs::rename(&new, &path).unwrap();
    };
    assert_eq!(
        all(&connection, "SELECT a FROM t").await.unwrap(),
        [[text("old")]]
    );
    let before = database.snapshot().await.unwrap();
    replace("new");
    assert_eq!(
        all(&connection, "SELECT a FROM t").await.unwrap(),
        [[text("new")]]
    );
    let after = database.snapshot().await.unwrap();
    assert_ne!(before.fingerprint, after.fingerprint);
    assert_eq!(after.schema.tables.len(), 2);
    // In a transaction it cannot be done silently.
    all(&connection, "BEGIN").await.unwrap();
    all(&connection, "INSERT INTO t VALUES ('lost')").await.unwrap();
    replace("newer");
    check_error(&connection, "SELECT a FROM t", "55000", None).await;
    assert!(!connection.in_transaction());
    assert_eq!(
        all(&connection, "SELECT a FROM t").await.unwrap(),
        [[text("newer")]]
    );
    std::fs::remove_file(&path).unwrap();
    check_error(&connection, "SELECT a FROM t", "58P01", None).await;
    replace("newest");
    assert_eq!(
        all(&connection, "SELECT a FROM t").await.unwrap(),
        [[text("newest")]]
    );
}

/// What another program has stored and a column would not take is in the way of no change of another column.
#[tokio::test]
async fn values_that_do_not_fit_stay_as_they_are() {
    let (_folder, database) = database(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(3), n NUMERIC(4, 2), w VARCHAR(5));
         INSERT INTO t VALUES (1, 'toolong', 12345.678, 'x'), (2, 'ok', 1.5, 'y');",
    );
    let connection = database.connect().unwrap();
    for sql in [
        "ALTER TABLE t ADD COLUMN c int NOT NULL DEFAULT 7",
        "ALTER TABLE t ADD COLUMN d timestamptz DEFAULT now()",
        "ALTER TABLE t ADD COLUMN e serial",
        "ALTER TABLE t ALTER w TYPE varchar(9) USING w || '!'",
    ] {
        all(&connection, sql).await.unwrap();
    }
    assert_eq!(
        all(&connection, "SELECT v, n::text, w, c, e FROM t WHERE id = 1")
            .await
            .unwrap(),
        [[
            text("toolong"),
            text("12345.678"),
            text("x!"),
            Value::Integer(7),
            Value::Integer(1)
        ]]
    );
    check_error(
        &connection,
        "ALTER TABLE t ALTER v TYPE varchar(4)",
        "22001",
        None,
    )
    .await;
}

#[tokio::test]
async fn sequences_of_an_attached_file_are_read() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    all(&connection, "INSERT INTO archive.u VALUES (7, NULL)")
        .await
        .unwrap();
    assert_eq!(
        all(&connection, "SELECT last_value, is_called FROM archive.u_id_seq")
            .await
            .unwrap(),
        [[Value::Integer(7), Value::Integer(1)]]
    );
    // One of the file itself is not meant.
    all(&connection, "CREATE SEQUENCE own_seq").await.unwrap();
    for sql in ["SELECT * FROM archive.own_seq", "DROP SEQUENCE archive.own_seq"] {
        let error = all(&connection, sql).await.unwrap_err();
        assert_eq!(error.sqlstate, "42P01", "{sql}: {error:?}");
    }
}
