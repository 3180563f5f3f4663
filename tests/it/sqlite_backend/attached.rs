//! Files beside the one that is served.

use std::{collections::BTreeMap, path::PathBuf};

use super::*;

const OWN: &str = "CREATE TABLE t (a); INSERT INTO t VALUES ('own');";
const OTHER: &str =
    "CREATE TABLE t (a); CREATE TABLE u (id INTEGER PRIMARY KEY, d DATE); INSERT INTO t VALUES ('other');";

/// A database with a file attached as `archive`.
pub(super) fn attached() -> (TempDir, Arc<Database>) {
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

/// What a name without a schema, or with the file's, must never reach: what only the attached file has.
#[tokio::test]
async fn names_without_a_schema_mean_the_file_alone() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    for sql in [
        "CREATE TABLE archive.alone(id int PRIMARY KEY, t text)",
        "INSERT INTO archive.alone VALUES (1, 'a'), (2, 'b')",
        "CREATE VIEW archive.seen AS SELECT t FROM archive.alone",
        "CREATE INDEX alone_t ON archive.alone (t)",
    ] {
        all(&connection, sql).await.unwrap();
    }
    for name in ["alone", "public.alone", "main.alone"] {
        for sql in [
            format!("SELECT * FROM {name}"),
            format!("SELECT count(*) FROM {name}"),
            format!("TABLE {name}"),
            format!("SELECT 1 FROM t, {name}"),
            format!("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM {name})"),
            format!("INSERT INTO {name} VALUES (3, 'c')"),
            format!("INSERT INTO t SELECT t FROM {name}"),
            format!("UPDATE {name} SET t = 'x'"),
            format!("DELETE FROM {name}"),
            format!("TRUNCATE {name}"),
            format!("DROP TABLE {name}"),
            format!("DROP TABLE {name} CASCADE"),
            format!("ALTER TABLE {name} ADD COLUMN more int"),
            format!("ALTER TABLE {name} RENAME TO other"),
            format!("CREATE INDEX made ON {name} (t)"),
            format!("CREATE VIEW made AS SELECT * FROM {name}"),
            format!("CREATE TABLE made AS SELECT * FROM {name}"),
            format!("CREATE TABLE made(a int REFERENCES {name})"),
            format!("CREATE TABLE made(LIKE {name})"),
            format!("LOCK TABLE {name}"),
            format!("COMMENT ON TABLE {name} IS 'x'"),
            // What is not translated.
            format!("SELECT a FROM t NATURAL JOIN {name} WHERE a GLOB 'x' AND sqlite_version() <> ''"),
            format!("SELECT count(*) FROM {name} WHERE sqlite_version() <> ''"),
        ] {
            let error = all(&connection, &sql).await.unwrap_err();
            assert_eq!(error.sqlstate, "42P01", "{sql}: {error:?}");
        }
        for sql in [
            format!("DROP TABLE IF EXISTS {name}"),
            format!("DROP TABLE IF EXISTS {name} CASCADE"),
            format!("ALTER TABLE IF EXISTS {name} ADD COLUMN more int"),
        ] {
            all(&connection, &sql).await.unwrap();
        }
    }
    for sql in [
        "DROP VIEW IF EXISTS seen",
        "DROP VIEW IF EXISTS public.seen",
        "DROP INDEX IF EXISTS alone_t",
        "DROP INDEX IF EXISTS public.alone_t",
        "ALTER INDEX IF EXISTS alone_t RENAME TO other",
        "ALTER VIEW IF EXISTS seen RENAME TO other",
        "ALTER VIEW IF EXISTS public.seen RENAME TO other",
        // These are the file's own, beside the other's.
        "CREATE OR REPLACE VIEW seen AS SELECT a FROM t",
        "CREATE TABLE IF NOT EXISTS alone(x int)",
        "INSERT INTO public.alone VALUES (7)",
        "CREATE TABLE u AS SELECT 5 AS five",
        "SELECT 1 / count(five) FROM u",
        "DROP TABLE alone",
        "DROP VIEW public.seen",
    ] {
        all(&connection, sql).await.unwrap();
    }
    let kept = all(&connection, "SELECT id, t FROM archive.alone ORDER BY id");
    assert_eq!(
        kept.await.unwrap(),
        [[Value::Integer(1), text("a")], [Value::Integer(2), text("b")]]
    );
    assert_eq!(
        all(&connection, "SELECT t FROM archive.seen ORDER BY t")
            .await
            .unwrap(),
        [[text("a")], [text("b")]]
    );
    all(&connection, "ALTER INDEX archive.alone_t RENAME TO alone_other")
        .await
        .unwrap();
}

#[tokio::test]
async fn a_key_refers_to_its_own_schema() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    for sql in [
        "CREATE TABLE parent(id int PRIMARY KEY)",
        "CREATE TABLE archive.parent(id int PRIMARY KEY)",
        "CREATE TABLE archive.child(a int REFERENCES archive.parent (id), b int)",
        "ALTER TABLE archive.child ADD FOREIGN KEY (b) REFERENCES archive.parent (id)",
        "CREATE TABLE child(a int REFERENCES parent, b int REFERENCES public.parent)",
        "INSERT INTO archive.parent VALUES (1)",
        "INSERT INTO archive.child VALUES (1, 1)",
    ] {
        all(&connection, sql).await.unwrap();
    }
    for (sql, code) in [
        (
            "CREATE TABLE other(a int REFERENCES archive.parent (id))",
            "0A000",
        ),
        (
            "CREATE TABLE archive.other(a int REFERENCES public.parent (id))",
            "0A000",
        ),
        ("CREATE TABLE archive.other(a int REFERENCES parent)", "0A000"),
        (
            "ALTER TABLE child ADD FOREIGN KEY (b) REFERENCES archive.parent (id)",
            "0A000",
        ),
        ("INSERT INTO archive.child VALUES (2, 1)", "23503"),
        (
            "CREATE TABLE full_key(a int, b int, UNIQUE (a, b), c int, d int, \
             FOREIGN KEY (c, d) REFERENCES full_key (a, b) MATCH FULL)",
            "0A000",
        ),
    ] {
        let error = all(&connection, sql).await.unwrap_err();
        assert_eq!(error.sqlstate, code, "{sql}: {error:?}");
    }
}

/// What an attached file keeps is read wherever the file is: by itself, and under other names.
#[tokio::test]
async fn views_of_an_attached_file_stand_alone() {
    let (folder, database) = attached();
    let connection = database.connect().unwrap();
    for sql in [
        "CREATE TABLE only_here(a int)",
        "CREATE VIEW archive.plain AS SELECT * FROM archive.t",
        "CREATE VIEW archive.deeper AS WITH q AS (SELECT * FROM archive.t) SELECT q.a, (SELECT max(a) FROM archive.t) AS most \
         FROM q JOIN archive.plain AS p ON p.a = q.a",
        "CREATE VIEW archive.named_alike AS WITH t AS (SELECT 1 AS a) SELECT t.a FROM t, archive.t AS u",
        "CREATE VIEW archive.in_column AS SELECT archive.t.a FROM archive.t WHERE archive.t.a <> ''",
        "CREATE VIEW archive.drawn AS SELECT random() AS r FROM archive.t",
        "CREATE VIEW archive.of_drawn AS SELECT r FROM archive.drawn",
        "CREATE OR REPLACE VIEW archive.plain AS SELECT a FROM archive.t UNION ALL SELECT a FROM archive.t",
        "ALTER VIEW archive.in_column RENAME TO renamed",
        "CREATE TABLE archive.copied AS SELECT a FROM t",
        "CREATE INDEX part ON archive.t (a) WHERE archive.t.a > 'a'",
        "CREATE TABLE archive.checked(a int CHECK (archive.checked.a > 0), b int GENERATED ALWAYS AS (a * 2) STORED)",
        "CREATE TEMP TABLE t(a text)",
        "CREATE VIEW hidden AS SELECT a FROM public.t",
        "CREATE TEMP VIEW both AS SELECT a FROM archive.t UNION ALL SELECT a FROM public.t",
    ] {
        if let Err(error) = all(&connection, sql).await {
            panic!("{sql}: {error:?}");
        }
    }
    for query in [
        "SELECT * FROM public.t",
        "SELECT * FROM t",
        "SELECT * FROM only_here",
        "SELECT a FROM archive.t UNION ALL SELECT a FROM public.t",
        "SELECT 1 WHERE EXISTS (SELECT 1 FROM only_here)",
        "SELECT relname FROM pg_class",
    ] {
        let sql = format!("CREATE VIEW archive.refused AS {query}");
        let error = all(&connection, &sql).await.unwrap_err();
        assert_eq!(error.sqlstate, "0A000", "{sql}: {error:?}");
    }
    let rows = all(&connection, "SELECT a FROM archive.renamed").await.unwrap();
    assert_eq!(rows, [[text("other")]]);
    let rows = all(&connection, "SELECT a FROM both").await.unwrap();
    assert_eq!(rows, [[text("other")], [text("own")]]);
    for (file, views) in [
        (
            "other.sqlite",
            vec!["renamed", "deeper", "plain", "named_alike", "drawn", "of_drawn"],
        ),
        ("own.sqlite", vec!["hidden"]),
    ] {
        let path = folder.path().join(file);
        let alone = rusqlite::Connection::open(&path).unwrap();
        let elsewhere = rusqlite::Connection::open_in_memory().unwrap();
        elsewhere
            .execute("ATTACH ?1 AS elsewhere", [path.to_str().unwrap()])
            .unwrap();
        for view in views {
            // What calls functions of ours is compiled by nobody else, but nothing is said of schemas.
            for (file, schema) in [(&alone, "main"), (&elsewhere, "elsewhere")] {
                let read = file.prepare(&format!("SELECT * FROM {schema}.{view}"));
                if let Err(error) = read {
                    let error = error.to_string();
                    assert!(error.contains("no such function"), "{view}: {error}");
                }
            }
        }
    }
}

/// SQLite keeps the text as it stands, so that what names the schema is refused in its dialect too.
#[tokio::test]
async fn no_schema_is_named_in_what_an_attached_file_keeps() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    for (sql, refused) in [
        (
            "CREATE VIEW archive.v AS SELECT a FROM archive.t NOT INDEXED",
            true,
        ),
        (
            "CREATE VIEW archive.v AS SELECT archive.t.a FROM t NOT INDEXED",
            true,
        ),
        (
            "CREATE TRIGGER archive.r AFTER INSERT ON t BEGIN DELETE FROM t WHERE a IN (SELECT a FROM archive.t); END",
            true,
        ),
        (
            "CREATE TRIGGER archive.r AFTER INSERT ON t BEGIN DELETE FROM t WHERE a IN (SELECT 'x' FROM u); END",
            false,
        ),
        (
            "CREATE VIEW archive.v AS SELECT archive.a FROM t AS archive NOT INDEXED",
            false,
        ),
    ] {
        let done = all(&connection, sql).await;
        let found = done.as_ref().err().map(|error| error.sqlstate == "0A000");
        assert_eq!(found.unwrap_or(false), refused, "{sql}: {done:?}");
        assert!(refused || done.is_ok(), "{sql}: {done:?}");
    }
}

#[tokio::test]
async fn a_key_that_is_referred_to_is_told() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    for sql in [
        "CREATE TABLE p (id int PRIMARY KEY, code text UNIQUE)",
        "CREATE TABLE c (pid int REFERENCES p ON UPDATE CASCADE, pc text REFERENCES p(code))",
        "CREATE TABLE c2 (pid int REFERENCES p, pc text REFERENCES p(code))",
        "INSERT INTO p VALUES (1, 'a'), (2, 'b')",
        "INSERT INTO c VALUES (1, 'a')",
        "INSERT INTO c2 VALUES (2, NULL)",
    ] {
        all(&connection, sql).await.unwrap();
    }
    for (sql, constraint, detail) in [
        (
            "UPDATE p SET id = 7, code = 'z' WHERE id = 1",
            "\"c_pc_fkey\" on table \"c\"",
            "Key (code)=(a) is still referenced from table \"c\".",
        ),
        (
            "UPDATE p SET id = 7, code = 'b' WHERE id = 2",
            "\"c2_pid_fkey\" on table \"c2\"",
            "Key (id)=(2) is still referenced from table \"c2\".",
        ),
        (
            "DELETE FROM p WHERE id = 2",
            "\"c2_pid_fkey\" on table \"c2\"",
            "Key (id)=(2) is still referenced from table \"c2\".",
        ),
    ] {
        let error = all(&connection, sql).await.unwrap_err();
        assert_eq!(error.detail.as_deref(), Some(detail), "{sql}: {error:?}");
        assert!(error.message.ends_with(constraint), "{sql}: {error:?}");
    }
}
