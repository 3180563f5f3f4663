//! PostgreSQL's statements: `tests/sql/postgres_validator.txt`, on the tables of `tests/sql/postgres_clinic.sql`.

use std::{collections::HashMap, fmt::Write, sync::Arc};

use querent::question::{
    schema::{
        Column, ColumnKind as Kind, ColumnRef, Dialect, ForeignKey, JoinGraph, Schema, Snapshot, Spelling,
        Table,
    },
    validator::{Asked, Code, Finding, inspect, repair, validate},
};

use crate::postgres::server::{PostgresServer, SUPERUSER};

const STATEMENTS: &str = include_str!("../../sql/postgres_validator.txt");

/// A table with its columns as `name type, …`; the first is the primary key unless it is a view.
fn table(schema: &str, name: &str, columns: &[(&str, &str, Kind)]) -> Table {
    let is_view = name == "heavy";
    Table {
        name: name.to_owned(),
        schema: Some(schema.to_owned()),
        qualified: schema != "public",
        columns: columns
            .iter()
            .enumerate()
            .map(|(at, (name, declared_type, kind))| Column {
                name: (*name).to_owned(),
                declared_type: (*declared_type).to_owned(),
                kind: *kind,
                not_null: at == 0,
                may_be_other: false,
                exceeds: false,
                spelling: Spelling::default(),
                null_in_key: false,
                unique: (at == 0 && !is_view) || *kind == Kind::Uuid,
                comment: None,
                shows: None,
                computed_from: Vec::new(),
                private: false,
                denied: false,
            })
            .collect(),
        primary_key: if is_view { vec![] } else { vec![0] },
        is_view,
        ..Table::default()
    }
}

/// The clinic as introspection reports it.
fn clinic() -> Schema {
    let id = ("id", "integer", Kind::Integer);
    let name = ("name", "text", Kind::Text);
    let tables = vec![
        table(
            "public",
            "department",
            &[
                id,
                name,
                ("floor", "integer", Kind::Integer),
                ("kind", "ward", Kind::Enum),
            ],
        ),
        table(
            "public",
            "doctor",
            &[
                id,
                name,
                ("department_id", "integer", Kind::Integer),
                ("salary", "numeric(10,2)", Kind::Number),
                ("chief_id", "integer", Kind::Integer),
                ("active", "boolean", Kind::Boolean),
            ],
        ),
        table(
            "public",
            "patient",
            &[
                id,
                name,
                ("born", "date", Kind::Date),
                ("city", "character varying(40)", Kind::Text),
                ("phone number", "text", Kind::Text),
                ("weight", "double precision", Kind::Number),
                ("tags", "text[]", Kind::Other),
                ("notes", "jsonb", Kind::Other),
                ("token", "uuid", Kind::Uuid),
            ],
        ),
        table(
            "public",
            "visit",
            &[
                id,
                ("patient_id", "integer", Kind::Integer),
                ("doctor_id", "integer", Kind::Integer),
                ("at", "timestamp with time zone", Kind::Timestamp),
                ("fee", "numeric(8,2)", Kind::Number),
                ("length", "interval", Kind::Interval),
            ],
        ),
        table(
            "public",
            "Order",
            &[
                id,
                ("group", "text", Kind::Text),
                ("Total", "numeric", Kind::Number),
                ("user", "text", Kind::Text),
            ],
        ),
        table("public", "heavy", &[id, name]),
        table(
            "archive",
            "visit_log",
            &[
                id,
                ("visit_id", "integer", Kind::Integer),
                ("note", "text", Kind::Text),
            ],
        ),
    ];
    let key = |from: (usize, usize), to: usize| ForeignKey {
        from: vec![ColumnRef {
            table: from.0,
            column: from.1,
        }],
        to: vec![ColumnRef { table: to, column: 0 }],
        declared: true,
        enforced: false,
    };
    let foreign_keys = vec![
        key((1, 2), 0),
        key((1, 4), 1),
        key((3, 1), 2),
        key((3, 2), 1),
        key((6, 1), 3),
    ];
    Schema {
        tables,
        foreign_keys,
        ..Schema::default()
    }
}

/// The lines of one section of the file.
fn section(name: &str) -> Vec<&'static str> {
    let mut lines = STATEMENTS
        .lines()
        .skip_while(|line| *line != format!("== {name}"));
    lines.next().unwrap();
    let lines: Vec<_> = lines
        .take_while(|line| !line.starts_with("== "))
        .filter(|line| !line.is_empty())
        .collect();
    assert!(lines.len() > 15, "{name}");
    lines
}

/// Checks every line of a section and tells all that are wrong.
fn check(name: &str, wrong: impl Fn(&str, &Schema) -> Option<String>) {
    let schema = clinic();
    let mut told = String::new();
    for line in section(name) {
        if let Some(why) = wrong(line, &schema) {
            writeln!(told, "{line}\n    {why}").unwrap();
        }
    }
    assert!(told.is_empty(), "{told}");
}

fn codes(findings: &[Finding]) -> String {
    let mark = |finding: &Finding| if finding.is_error() { "!" } else { "" };
    let codes = findings
        .iter()
        .map(|finding| format!("{}{}", finding.code, mark(finding)));
    codes.collect::<Vec<_>>().join(" ")
}

#[test]
fn usual_queries_pass() {
    check("accepted", |sql, schema| {
        let findings = inspect(sql, schema, Dialect::Postgres).findings;
        (!findings.is_empty()).then(|| format!("{findings:?}"))
    });
}

#[test]
fn each_error_has_its_code() {
    check("findings", |line, schema| {
        let (expected, sql) = line.split_once(" | ").unwrap();
        let findings = inspect(sql, schema, Dialect::Postgres).findings;
        (codes(&findings) != expected).then(|| format!("{findings:?}"))
    });
}

#[test]
fn what_writes_or_reaches_beyond_the_data_is_forbidden() {
    check("forbidden", |sql, schema| {
        match validate(sql, schema, Dialect::Postgres) {
            Ok(_) => Some("passes".into()),
            Err(findings) => (findings[0].code != Code::Forbidden).then(|| format!("{findings:?}")),
        }
    });
}

#[test]
fn what_nobody_needs_is_refused() {
    check("refused", |sql, schema| {
        let valid = validate(sql, schema, Dialect::Postgres).ok()?;
        Some(format!("passes as {}", valid.as_str()))
    });
}

#[test]
fn near_misses_are_corrected() {
    check("repaired", |line, schema| {
        let (sql, expected) = line.split_once(" => ").unwrap();
        let snapshot = Snapshot {
            schema: Arc::new(schema.clone()),
            joins: Arc::new(JoinGraph::new(schema)),
            values: Arc::default(),
            profile: Arc::default(),
            fingerprint: 0,
            dialect: Dialect::Postgres,
        };
        let repaired = repair(sql, &Asked::now("", &snapshot));
        let given = repaired.map_or("-".to_owned(), |repaired| repaired.sql);
        if given != expected {
            return Some(given);
        }
        let again = validate(&given, schema, Dialect::Postgres);
        (given != "-" && again.is_err()).then(|| format!("{again:?}"))
    });
}

/// What passes here, and what the repairs make, a server takes too; and it has every function of the allow-list.
#[tokio::test]
async fn a_server_agrees() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let tables = include_str!("../../sql/postgres_clinic.sql");
    server.run("postgres", tables).await;
    let client = server.client(SUPERUSER, "postgres").await;
    let repaired = section("repaired")
        .into_iter()
        .filter_map(|line| line.split_once(" => "))
        .map(|(_, repaired)| repaired)
        .filter(|repaired| *repaired != "-");
    let mut told = String::new();
    for sql in section("accepted").into_iter().chain(repaired) {
        if let Err(error) = client.prepare(sql).await {
            writeln!(told, "{sql}\n    {error:?}").unwrap();
        }
    }
    assert!(told.is_empty(), "{told}");

    let listed: HashMap<String, HashMap<String, toml::Value>> =
        toml::from_str(include_str!("../../../dialects/postgres/functions.toml")).unwrap();
    // The grammar knows these, the catalogue does not.
    let listed = listed.into_iter().filter(|(kind, _)| kind != "syntax");
    let names: Vec<String> = listed.flat_map(|(_, functions)| functions.into_keys()).collect();
    assert!(names.len() > 250);
    let unknown = client
        .query(
            "SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (SELECT FROM pg_proc AS p \
             WHERE p.proname = name AND p.pronamespace = 'pg_catalog'::regnamespace)",
            &[&names],
        )
        .await
        .unwrap();
    let unknown: Vec<String> = unknown.iter().map(|row| row.get(0)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// Wherever a value or a name stands in a usual query, somebody's own function is refused there.
#[test]
fn no_place_hides_a_call() {
    check("accepted", |sql, schema| {
        let is_part = |character: char| character.is_alphanumeric() || "_'\"".contains(character);
        let mut at = 0;
        while let Some(start) = sql[at..].find(is_part).map(|found| at + found) {
            let end = sql[start..]
                .find(|character| !is_part(character))
                .map_or(sql.len(), |length| start + length);
            // What stands in text or in a comment is no call.
            let in_text = sql[..start].matches('\'').count() % 2 == 1;
            at = end;
            if in_text || ["--", "/*", "\\'"].iter().any(|sign| sql.contains(sign)) {
                continue;
            }
            for call in ["evil(1)", "public.evil()", "pg_sleep(1)"] {
                let hostile = format!("{}{call}{}", &sql[..start], &sql[end..]);
                if validate(&hostile, schema, Dialect::Postgres).is_ok() {
                    return Some(hostile);
                }
            }
        }
        None
    });
}
