//! Texts that the parser and a database would read in two ways: what was checked would not be what runs.

use querent::question::{
    schema::{Column, ColumnKind, Dialect, Schema, Shadowed, Table},
    validator::{Code, inspect, validate},
};

fn schema() -> Schema {
    let column = |name: &str, declared_type: &str, kind| Column {
        name: name.into(),
        declared_type: declared_type.into(),
        kind,
        ..Column::default()
    };
    let orders = Table {
        name: "orders".into(),
        columns: vec![
            column("id", "integer", ColumnKind::Integer),
            column("name", "text", ColumnKind::Text),
            column("mood", "\"Mood\"", ColumnKind::Enum),
            column("mail", "mail", ColumnKind::Text),
        ],
        ..Table::default()
    };
    Schema {
        tables: vec![orders],
        ..Schema::default()
    }
}

fn refused(sql: &str, dialect: Dialect) {
    assert!(
        validate(sql, &schema(), dialect).is_err(),
        "{sql:?} passes as {dialect:?}"
    );
}

fn accepted(sql: &str, dialect: Dialect) {
    let findings = inspect(sql, &schema(), dialect).findings;
    assert!(
        findings.iter().all(|finding| !finding.is_error()),
        "{sql:?}: {findings:?}"
    );
}

#[test]
fn what_postgresql_would_read_in_another_way_is_refused() {
    for sql in [
        // A string goes on on the next line by the rules of the first part: `\'` is a quote there.
        "SELECT E'a'\n'\\'', pg_sleep(1) --'",
        "SELECT E'a'\n'\\'' , lower('x') --'",
        "SELECT 'a'\n'b' FROM orders",
        "SELECT 'a' -- x\n 'b'",
        // Behind a name, a string makes a type of it.
        "SELECT name 'pg_class' FROM orders",
        "SELECT mail 'x' FROM (SELECT 1 AS mail) q",
        "SELECT regclass 'pg_authid' FROM (SELECT 1 AS regclass) q",
        "SELECT 1 AS 'x'",
        "SELECT q.a FROM (SELECT 1 AS a) 'q'",
        // With standard_conforming_strings off, a quote behind a backslash is none.
        "SELECT N'\\' || ', pg_sleep(1) --'",
        "SELECT N'\\d'",
        "SELECT EXTRACT('\\' FROM now()), ', pg_sleep(1) --'",
        "SELECT '\\', ' || pg_sleep(1) --'",
        "SELECT name FROM orders WHERE name LIKE '\\' || ' OR true --'",
        "SELECT DATE '\\', ', pg_sleep(1) --'",
        // Signs that are one operator.
        "SELECT 1 =@ -1",
        "SELECT id *@ id FROM orders",
        "SELECT 1 !=- 1",
        "SELECT 1 <=@ 1",
        // Letters that the parser folds and PostgreSQL does not, and signs that look like nothing.
        "\u{17f}ELECT 1",
        "SELECT lower\u{a0}(name) FROM orders",
        "SELECT\u{a0}1",
        "SELECT\u{3000}1",
        "SELECT \u{feff}id FROM orders",
        "SELECT l\u{200b}ower(name) FROM orders",
        // Other quotes.
        "SELECT $$a$$",
        "SELECT $a$b$a$",
        "SELECT U&'\\0061'",
        "SELECT U&\"\\0061\" FROM orders",
        "SELECT u & \"name\" FROM orders",
        "SELECT X'\\'",
        "SELECT X'\\', lower('x') --'",
        "SELECT `name` FROM orders",
        // Words that call something.
        "SELECT current_role FROM (SELECT 1 AS current_role) q",
        "SELECT current_schema",
        "SELECT system_user",
        // Types by names that are others with quotes.
        "SELECT 'x'::\"TEXT\"",
        "SELECT 'x'::\"text(evil\"",
        "SELECT 'x'::\"int(public.evil\"",
        "SELECT 'x'::mood",
        "SELECT 'x'::\"mood\"",
        "SELECT 'x'::_regclass",
    ] {
        refused(sql, Dialect::Postgres);
    }
    for sql in [
        "SELECT E'a\\'b', 'it''s', N'x', B'01', X'1f'",
        "SELECT 'a' || 'b', -id, +id, id - -1, 2 * -id FROM orders",
        "SELECT id FROM orders WHERE id=-1 OR id<-1 OR id >= -1 OR name!='a'",
        "SELECT id FROM orders WHERE name ~* 'a' AND id <> 3",
        "SELECT /* a ' b */ id -- it's\n FROM orders",
        "SELECT \"na\"\"me\" FROM (SELECT 1 AS \"na\"\"me\") q",
        "SELECT größe FROM (SELECT 1 AS größe) q",
        "SELECT 'x'::\"Mood\", mood::text FROM orders",
        "SELECT 'a@b.c'::mail",
        "SELECT DATE '2020-01-01', INTERVAL '1 day'",
        "SELECT o.user FROM (SELECT 1 AS \"user\") o",
    ] {
        accepted(sql, Dialect::Postgres);
    }
}

#[test]
fn text_with_backslashes_means_the_same_however_the_session_is_set() {
    for (sql, runs) in [
        (
            r"SELECT id FROM orders WHERE name ~ '\d''s'",
            r"SELECT id FROM orders WHERE name ~ E'\\d''s'",
        ),
        (
            r"SELECT id FROM orders WHERE name LIKE '50\%'",
            r"SELECT id FROM orders WHERE name LIKE E'50\\%'",
        ),
        (
            r"SELECT id FROM orders WHERE name ~ E'\\d'",
            r"SELECT id FROM orders WHERE name ~ E'\\d'",
        ),
    ] {
        let valid = validate(sql, &schema(), Dialect::Postgres).unwrap();
        assert_eq!(valid.as_str(), runs);
        // It is the same once it is judged anew.
        assert!(valid.judged_anew(&schema(), Dialect::Postgres).is_some(), "{sql}");
    }
}

#[test]
fn what_sqlite_would_read_in_another_way_is_refused() {
    for sql in [
        "SELECT X'\\', load_extension('x') --'",
        "SELECT N'x'",
        "SELECT $$a$$",
        "\u{17f}ELECT 1",
        "SELECT lower\u{a0}(name) FROM orders",
        "SELECT\u{a0}1",
        "SELECT id \u{feff}FROM orders",
        "SELECT id FROM orders \u{feff}WHERE 1",
        "SELECT [a]]b] FROM orders",
    ] {
        refused(sql, Dialect::Sqlite);
    }
    for sql in [
        "SELECT X'1f', `name`, [id] FROM orders",
        "SELECT name 'alias', id AS 'other' FROM orders",
        "SELECT größe FROM (SELECT 1 AS größe)",
    ] {
        accepted(sql, Dialect::Sqlite);
    }
}

#[test]
fn what_has_no_near_end_is_refused() {
    for dialect in [Dialect::Sqlite, Dialect::Postgres] {
        for sql in [
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + 1 FROM t WHERE 1 = 1) SELECT n FROM t LIMIT 3",
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT t.n + 1 FROM t CROSS JOIN orders) SELECT n FROM t",
            "SELECT * FROM (WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n FROM t) SELECT n FROM t) x",
        ] {
            let findings = validate(sql, &schema(), dialect).expect_err(sql);
            assert!(findings[0].message.contains("no end"), "{sql}: {findings:?}");
        }
        let tables = |count: usize| {
            let parts: Vec<String> = (1..=count)
                .map(|at| format!("t{at} AS (SELECT id FROM orders)"))
                .collect();
            format!("WITH {} SELECT id FROM t1", parts.join(", "))
        };
        accepted(&tables(200), dialect);
        let findings = validate(&tables(201), &schema(), dialect).unwrap_err();
        assert!(findings[0].message.contains("more than 200"), "{findings:?}");
        for sql in [
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t",
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT o.id FROM t JOIN orders o ON o.id = t.n) SELECT n FROM t",
        ] {
            let valid =
                validate(sql, &schema(), dialect).unwrap_or_else(|findings| panic!("{sql}: {findings:?}"));
            assert!(valid.is_recursive());
        }
    }
    refused(
        "SELECT count(*) FROM generate_series(1, 1000000000)",
        Dialect::Postgres,
    );
    refused(
        "SELECT generate_series(1, 1000000::bigint * 1000)",
        Dialect::Postgres,
    );
    refused("SELECT generate_series(1, 5, 0.0000001)", Dialect::Postgres);
    refused(
        "SELECT generate_series('-infinity'::numeric, 1)",
        Dialect::Postgres,
    );
    accepted("SELECT generate_series(1, 1000)", Dialect::Postgres);
}

#[test]
fn what_the_database_forbids_or_shadows_is_not_named() {
    let mut schema = schema();
    schema.tables[0].forbidden = Some("calls the volatile function spy".into());
    let findings = validate("SELECT id FROM orders", &schema, Dialect::Postgres).unwrap_err();
    assert_eq!(findings[0].code, Code::Forbidden);
    assert!(
        findings[0].message.contains("it calls the volatile function spy"),
        "{findings:?}"
    );
    schema.tables[0].forbidden = None;
    let names = |names: &[&str]| {
        names
            .iter()
            .map(|name| ((*name).to_owned(), "mine".to_owned()))
            .collect()
    };
    schema.shadowed = Shadowed {
        functions: names(&["lower", "substring", "floor", "generate_series"]),
        operators: names(&["=", "~~", "<="]),
        types: names(&["mail"]),
        ..Shadowed::default()
    };
    for sql in [
        "SELECT lower(name) FROM orders",
        "SELECT max(lower(name)) FROM orders",
        "SELECT substring(name, 1, 2) FROM orders",
        "SELECT floor(id) FROM orders",
        "SELECT * FROM generate_series(1, 2)",
        "SELECT id FROM orders WHERE id = 1",
        "SELECT id FROM orders WHERE id IN (1, 2)",
        "SELECT id FROM orders WHERE name LIKE 'a'",
        "SELECT id FROM orders WHERE id BETWEEN 1 AND 2",
        "SELECT CASE id WHEN 1 THEN 2 END FROM orders",
        "SELECT nullif(id, 1) FROM orders",
        "SELECT id FROM orders WHERE id = ANY (ARRAY[1])",
        "SELECT a.id FROM orders a JOIN orders b USING (id)",
        "SELECT 'x'::mail",
        "SELECT 'x'::mail[]",
    ] {
        let findings = validate(sql, &schema, Dialect::Postgres).expect_err(sql);
        assert!(
            findings.iter().any(|finding| finding.code == Code::Forbidden),
            "{sql}: {findings:?}"
        );
    }
    for sql in [
        "SELECT pg_catalog.lower(name) FROM orders WHERE id > 1",
        "SELECT upper(name) FROM orders ORDER BY id",
    ] {
        validate(sql, &schema, Dialect::Postgres).unwrap_or_else(|findings| panic!("{sql}: {findings:?}"));
    }
}
