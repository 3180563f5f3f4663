//! The types of expressions and parameters, statement by statement.

use super::*;
use crate::question::schema::{ColumnKind, Table};

fn schema() -> Schema {
    let column = |name: &str, declared: &str, kind| Column {
        name: name.into(),
        declared_type: declared.into(),
        kind,
        ..Column::default()
    };
    Schema {
        tables: vec![
            Table {
                name: "orders".into(),
                columns: vec![
                    column("id", "INTEGER", ColumnKind::Integer),
                    column("total", "DECIMAL(10,2)", ColumnKind::Number),
                    column("placed", "DATE", ColumnKind::Date),
                    column("weird", "DATE", ColumnKind::Text),
                    column("note", "VARCHAR(20)", ColumnKind::Text),
                    column("bare", "", ColumnKind::Text),
                ],
                ..Table::default()
            },
            Table {
                name: "people".into(),
                columns: vec![
                    column("id", "INTEGER", ColumnKind::Integer),
                    column("name", "TEXT", ColumnKind::Text),
                    column("height", "REAL", ColumnKind::Number),
                ],
                ..Table::default()
            },
        ],
        ..Schema::default()
    }
}

/// The types of a statement's columns, `?` where unknown.
fn check(sql: &str, expected: &str) {
    let inferred = infer(sql, &schema(), &[]);
    let shown = inferred.columns.map_or("none".into(), |columns| {
        columns
            .into_iter()
            .map(|ty| ty.map_or("?", SqlType::name))
            .collect::<Vec<_>>()
            .join(" ")
    });
    assert_eq!(shown, expected, "{sql}");
}

fn check_parameters(sql: &str, expected: &str) {
    let parameters = infer(sql, &schema(), &[]).parameters;
    let shown: Vec<String> = parameters
        .iter()
        .map(|(number, ty)| format!("{number}:{}", ty.name()))
        .collect();
    assert_eq!(shown.join(" "), expected, "{sql}");
}

#[test]
fn columns() {
    check("SELECT * FROM orders", "int8 numeric date text varchar ?");
    check(
        "SELECT o.*, p.name FROM orders o JOIN people p ON p.id = o.id",
        "int8 numeric date text varchar ? text",
    );
    check(
        "SELECT count(*), sum(total), avg(id), max(placed), sum(id) FROM orders",
        "int8 numeric float8 date int8",
    );
    check(
        "SELECT total * 2, height / 2, id + 1, id || 'x' FROM orders, people",
        "numeric float8 int8 text",
    );
    check(
        "SELECT 1, 2.5, 'x', NULL, x'00', 1 = 1, TRUE",
        "int8 float8 text ? bytea bool bool",
    );
    check(
        "SELECT CASE WHEN id > 1 THEN total END, coalesce(note, 'none') FROM orders",
        "numeric text",
    );
    check(
        "SELECT CAST(note AS INTEGER), CAST(placed AS DATE) FROM orders",
        "int8 ?",
    );
    check(
        "SELECT strftime('%Y', placed), date(placed), julianday('now') FROM orders",
        "text date float8",
    );
    check(
        "SELECT x, n FROM (SELECT sum(height) AS x, count(*) AS n FROM people) AS s",
        "float8 int8",
    );
    check(
        "WITH t(a, b) AS (SELECT id, name FROM people) SELECT b, a + 1 FROM t",
        "text int8",
    );
    check(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "int8",
    );
    check("SELECT id FROM orders UNION SELECT height FROM people", "float8");
    check(
        "SELECT (SELECT max(total) FROM orders), EXISTS (SELECT 1)",
        "numeric bool",
    );
    check("VALUES (1, 'a'), (2.5, 'b')", "float8 text");
    check(
        "SELECT rank() OVER (ORDER BY id), lag(name) OVER (ORDER BY id) FROM people",
        "int8 text",
    );
    check(
        "INSERT INTO people (name) VALUES ('x') RETURNING id, upper(name)",
        "int8 text",
    );
    check("SELECT * FROM unknown", "none");
    check("SELECT nonsense(1), id FROM people", "? int8");
    check("this is not SQL", "none");
}

#[test]
fn parameters() {
    check_parameters(
        "SELECT * FROM people WHERE id = $1 AND $2 > height AND name LIKE $3",
        "1:int8 2:float8 3:text",
    );
    check_parameters("SELECT * FROM people LIMIT $1 OFFSET $2", "1:int8 2:int8");
    check_parameters(
        "INSERT INTO orders (note, placed, id) VALUES ($1, $2, $3)",
        "1:varchar 2:date 3:int8",
    );
    check_parameters(
        "UPDATE people SET name = $1 WHERE id IN ($2, $3)",
        "1:text 2:int8 3:int8",
    );
    check_parameters(
        "SELECT $1 || name, CAST($2 AS INTEGER), $3 FROM people",
        "1:text 2:int8",
    );
    check_parameters(
        "SELECT * FROM orders WHERE total BETWEEN $1 AND $2",
        "1:numeric 2:numeric",
    );
    check_parameters(
        "SELECT count(*) FROM people p WHERE EXISTS (SELECT 1 FROM orders o WHERE o.id = p.id + $1)",
        "1:int8",
    );
    check_parameters(
        "DELETE FROM people WHERE id = (SELECT max(id) FROM orders WHERE note = $1)",
        "1:varchar",
    );
}

#[test]
fn deep_statements_are_survived() {
    let deep = format!("SELECT {}1{}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(infer(&deep, &schema(), &[]).columns.is_none());
    let long = format!("SELECT 1{}", " + 1".repeat(900));
    check(&long, "?");
}

#[test]
fn declared_parameters_have_their_types() {
    use SqlType::{Bool, Date, Float8, Int4, Int8, Text, Varchar};
    let check = |sql: &str, declared: &[Option<SqlType>], expected: &[Option<SqlType>]| {
        let found = infer(sql, &schema(), declared).columns.unwrap();
        assert_eq!(found, expected, "{sql}");
    };
    check("SELECT $1, $2", &[Some(Int4), None], &[Some(Int8), None]);
    check(
        "SELECT $1 + 1, $2 || 'x'",
        &[Some(Int4), Some(Varchar)],
        &[Some(Int8), Some(Text)],
    );
    check(
        "SELECT coalesce($1, total, $2) FROM orders",
        &[Some(Float8), None],
        &[Some(Float8)],
    );
    check(
        "WITH v(a) AS (VALUES ($1), ($2)) SELECT a FROM v",
        &[Some(Date), Some(Date)],
        &[Some(Date)],
    );
    check("SELECT CASE WHEN $1 THEN $1 END", &[Some(Bool)], &[Some(Bool)]);
}
