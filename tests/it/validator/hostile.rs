//! Statements that must never run for a question, however they are dressed up.

use std::collections::HashMap;

use querent::question::{
    schema::Dialect,
    validator::{Code, validate},
};

use super::{clinic, sqlite};

fn codes(sql: &str) -> Vec<Code> {
    let findings = validate(sql, clinic(), Dialect::Sqlite).expect_err(sql);
    findings.into_iter().map(|finding| finding.code).collect()
}

#[test]
fn what_writes_or_reaches_beyond_the_data_is_forbidden() {
    for sql in [
        // writes
        "DROP TABLE patient",
        "DELETE FROM patient",
        "DELETE FROM patient WHERE id IN (SELECT id FROM patient)",
        "UPDATE patient SET name = 'x'",
        "INSERT INTO patient (name) VALUES ('x')",
        "INSERT INTO patient (name) SELECT name FROM doctor RETURNING name",
        "INSERT OR REPLACE INTO patient (id) VALUES (1)",
        "REPLACE INTO patient (id) VALUES (1)",
        "CREATE TABLE t (a)",
        "CREATE TABLE t AS SELECT * FROM patient",
        "CREATE TEMP TABLE t AS SELECT 1",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON patient BEGIN DELETE FROM doctor; END",
        "CREATE VIRTUAL TABLE t USING fts5(a)",
        "CREATE INDEX i ON patient (name)",
        "ALTER TABLE patient RENAME TO p",
        "DROP VIEW heavy",
        "TRUNCATE patient",
        "REINDEX",
        "ANALYZE",
        "VACUUM",
        "VACUUM INTO '/tmp/stolen.sqlite'",
        "MERGE INTO patient USING doctor ON true WHEN MATCHED THEN DELETE",
        // other databases and files
        "ATTACH DATABASE '/etc/passwd' AS p",
        "ATTACH '/tmp/x' AS x",
        "DETACH main",
        "COPY patient TO '/tmp/x'",
        "COPY patient FROM PROGRAM 'id'",
        // settings, transactions
        "PRAGMA writable_schema = 1",
        "PRAGMA table_info(patient)",
        "pragma query_only = 0",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT s",
        "RELEASE s",
        "SET querent.mode = 'x'",
        "EXPLAIN SELECT 1",
        "EXPLAIN QUERY PLAN SELECT 1",
        "CALL something()",
        "DO $$ BEGIN END $$",
        "EXECUTE s",
        "PREPARE s AS SELECT 1",
        "DECLARE c CURSOR FOR SELECT 1",
        "TABLE patient",
        "FROM patient",
        ".shell id",
        "\\! id",
        // more than one statement
        "SELECT 1; DROP TABLE patient",
        "SELECT 1; SELECT 2",
        "SELECT 1;;DELETE FROM patient;",
        "SELECT 1 /* ; */ ; -- x\nDROP TABLE patient",
        "SELECT 1; /* nothing */ PRAGMA writable_schema = 1",
        "WITH a AS (SELECT 1) SELECT * FROM a; DELETE FROM patient",
        // comments in front
        "/* SELECT */ DELETE FROM patient",
        "-- SELECT\nDELETE FROM patient",
        "/**/DROP/**/TABLE/**/patient",
        "\u{feff}DROP TABLE patient",
        // writes inside a query
        "WITH x AS (INSERT INTO patient (name) VALUES ('x') RETURNING id) SELECT * FROM x",
        "WITH x AS (DELETE FROM patient RETURNING id) SELECT * FROM x",
        "WITH x AS (UPDATE patient SET name = 'x' RETURNING id) SELECT * FROM x",
        "WITH x AS (SELECT 1) INSERT INTO patient (id) SELECT * FROM x",
        "WITH x AS (SELECT 1) DELETE FROM patient",
        "WITH x AS (SELECT 1) UPDATE patient SET name = 'x'",
        "SELECT * INTO copy FROM patient",
        "SELECT * INTO TEMP copy FROM patient",
        "SELECT * FROM patient FOR UPDATE",
        "SELECT * FROM patient FOR SHARE",
        // SQLite's own tables and the catalogue
        "SELECT * FROM sqlite_master",
        "SELECT sql FROM SQLITE_MASTER",
        "SELECT * FROM main.sqlite_schema",
        "SELECT * FROM \"sqlite_master\"",
        "SELECT * FROM [sqlite_temp_master]",
        "SELECT * FROM sqlite_sequence",
        "SELECT * FROM sqlite_dbpage",
        "SELECT name FROM patient UNION SELECT sql FROM sqlite_master",
        "SELECT name FROM patient WHERE name IN (SELECT sql FROM sqlite_master)",
        "SELECT (SELECT sql FROM sqlite_master LIMIT 1)",
        "WITH a AS (SELECT * FROM sqlite_master) SELECT * FROM a",
        "SELECT 1 FROM patient JOIN sqlite_master ON 1",
        "SELECT * FROM temp.patient",
        "SELECT * FROM pg_catalog.pg_class",
        "SELECT * FROM pg_class",
        "SELECT * FROM pg_shadow",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM pragma_table_info('patient')",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM pragma_database_list()",
        "SELECT name FROM patient WHERE EXISTS (SELECT 1 FROM pragma_function_list)",
        "SELECT * FROM dbstat",
        "SELECT * FROM fsdir('/')",
        "SELECT * FROM zipfile('/tmp/x.zip')",
        // functions
        "SELECT load_extension('/tmp/evil.so')",
        "SELECT LOAD_EXTENSION('/tmp/evil.so', 'init')",
        "SELECT \"load_extension\"('/tmp/evil.so')",
        "SELECT load_extension /* x */ ('/tmp/evil.so')",
        "SELECT readfile('/etc/passwd')",
        "SELECT writefile('/tmp/x', 'x')",
        "SELECT edit('x')",
        "SELECT fts3_tokenizer('simple')",
        "SELECT hex(randomblob(1000000000))",
        "SELECT zeroblob(2000000000)",
        "SELECT count(*) FROM patient WHERE load_extension('x') IS NULL",
        "SELECT name FROM patient ORDER BY load_extension('x')",
        "SELECT name FROM patient GROUP BY readfile(name)",
        "SELECT name FROM patient LIMIT writefile('a', 'b')",
        "SELECT p.name FROM patient p JOIN doctor d ON readfile(d.name)",
        "SELECT sum(id) OVER (PARTITION BY readfile('x')) FROM patient",
        "SELECT CASE WHEN readfile('x') THEN 1 END",
        "SELECT count(*) FILTER (WHERE readfile('x')) FROM patient",
        "VALUES (readfile('/etc/passwd'))",
        "SELECT printf('%1000000000d', 1)",
        "SELECT printf('%*d', 1000000000, 1)",
        "SELECT format(name, 1) FROM patient",
        "SELECT last_insert_rowid()",
        "SELECT sqlite_version()",
        "SELECT sqlite_compileoption_get(1)",
        "SELECT changes()",
    ] {
        let codes = codes(sql);
        let other = [Code::Forbidden, Code::SqlSyntaxError];
        assert!(codes.iter().any(|code| other.contains(code)), "{sql}: {codes:?}");
        // Where it reads as a statement at all, the answer is that it is not allowed.
        let unreadable = [
            ".shell id",
            "\\! id",
            "\u{feff}DROP TABLE patient",
            "SELECT * INTO TEMP copy FROM patient",
        ];
        if !unreadable.contains(&sql) {
            assert_eq!(codes[0], Code::Forbidden, "{sql}: {codes:?}");
        }
    }
}

#[test]
fn what_nobody_knows_is_refused() {
    for sql in [
        "SELECT unknown_function(1)",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_sleep(100)",
        "SELECT set_config('a', 'b', false)",
        "SELECT nl('how many patients?')",
        "SELECT * FROM nl('how many patients?')",
        "SELECT main.lower('x')",
        "SELECT xp_cmdshell('id')",
        "SELECT * FROM patient, LATERAL (SELECT 1) AS x",
        "SELECT * FROM patient TABLESAMPLE BERNOULLI (1)",
        "SELECT * FROM patient WHERE name MATCH 'x'",
        "SELECT $$text$$",
        "SELECT E'text'",
        "SELECT N'text'",
        "SELECT 1 AS a\0; DROP TABLE patient",
        "SELECT @@version",
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "SELECT raise(ABORT, 'x')",
        "SELECT * FROM patient WHERE id = 1 OR 1 = 1 --'; DROP TABLE patient; SELECT ('",
        "SELECT 1 UNION SELECT * FROM patient",
        "SELECT ${x}",
        "SELECT {{name}} FROM patient",
        "SELECT name FROM patient INDEXED BY nothing WHERE",
    ] {
        if sql.starts_with("SELECT * FROM patient WHERE id = 1 OR") {
            // An injection into a comment is only a comment.
            let valid = validate(sql, clinic(), Dialect::Sqlite).unwrap();
            assert_eq!(valid.as_str(), "SELECT * FROM patient WHERE id = 1 OR 1 = 1");
        } else {
            codes(sql);
        }
    }
}

#[test]
fn the_allow_list_names_functions_that_sqlite_has() {
    type Kinds = HashMap<String, HashMap<String, toml::Value>>;
    let listed: Kinds = toml::from_str(include_str!("../../../dialects/sqlite/functions.toml")).unwrap();
    let database = sqlite();
    let mut statement = database
        .prepare("SELECT DISTINCT name FROM pragma_function_list")
        .unwrap();
    let known: Vec<String> = statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (kind, functions) in listed {
        for name in functions.keys().filter(|_| kind != "table") {
            assert!(known.contains(name), "{name}");
        }
    }
}
