//! What a file computes: fields, figures over rows that belong to a row, metrics made of metrics. As the embedded agents ask
//! for it, on both backends.

use super::served::teach;
use crate::conversation::legs::over;

const TABLES: &str = "
    CREATE TABLE clients(client_id INTEGER PRIMARY KEY, name TEXT NOT NULL, staff INTEGER);
    CREATE TABLE tickets(
        ticket_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients(client_id), bought_on DATE NOT NULL,
        price INTEGER NOT NULL, discount INTEGER NOT NULL, cost INTEGER NOT NULL
    );
    INSERT INTO clients VALUES (1, 'Abel', 4), (2, 'Burr', 40), (3, 'Cole', 400), (4, 'Dorn', NULL);
    INSERT INTO tickets VALUES
        (1, 1, '2024-01-05', 100, 10, 60), (2, 1, '2024-02-01', 40, 0, 10), (3, 2, '2024-03-01', 200, 50, 70),
        (4, 3, '2025-01-10', 60, 0, 20), (5, NULL, '2025-02-10', 20, 50, 5);";

const FILE: &str = "\
version: 0.2.0.dev0
semantic_model:
- name: shop
  datasets:
  - name: clients
    source: clients
    fields:
    - name: size_band
      expression: {dialects: [{dialect: ANSI_SQL, expression: \"CASE WHEN staff < 10 THEN 'small' WHEN staff < 100 THEN 'medium' WHEN staff IS NULL THEN 'unknown' ELSE 'large' END\"}]}
      ai_context: {synonyms: [segment]}
    - name: ticket_value
      expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(tickets.net_price)}]}
    custom_extensions:
    - vendor_name: QUERENT
      data: {filters: [{name: loyal, expression: COUNT(tickets.ticket_id) >= 2}, {name: sleeping, expression: 'COUNT(*) FILTER (WHERE tickets.price > 0) = 0'}]}
  - name: tickets
    source: tickets
    fields:
    - name: net_price
      expression: {dialects: [{dialect: ANSI_SQL, expression: price * (100 - discount) / 100}]}
    - name: is_reduced
      expression: {dialects: [{dialect: ANSI_SQL, expression: discount > 0}]}
  metrics:
  - name: margin
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(tickets.net_price) - SUM(tickets.cost)}]}
  - name: double margin
    expression: {dialects: [{dialect: ANSI_SQL, expression: 2 * margin}]}
  - name: loyal clients count
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(clients.client_id) FILTER (WHERE clients.ticket_value > 90)}]}
";

fn check(questions: &[(&str, &[&str])]) {
    over(TABLES, "", |leg| {
        teach(leg, "min_confidence = 0.0", FILE).unwrap();
        let mut client = leg.client();
        for (question, expected) in questions {
            let answer = client.query(&format!("-- nl: {question}"));
            let mut rows: Vec<&String> = answer.iter().filter(|line| line.starts_with("D ")).collect();
            rows.sort();
            assert_eq!(rows, *expected, "{}: {question}: {answer:?}", leg.name);
        }
    });
}

#[test]
fn a_computed_field_is_used_like_a_column() {
    check(&[
        // A dimension, here and over a reference: whoever is unknown is in no segment.
        (
            "number of clients by size band",
            &["D large | 1", "D medium | 1", "D small | 1", "D unknown | 1"],
        ),
        (
            "number of tickets by segment",
            &["D NULL | 1", "D large | 1", "D medium | 1", "D small | 2"],
        ),
        // A measure.
        ("highest net price", &["D 100"]),
        ("total net price in 2024", &["D 230"]),
        // What its expression may come to is named like a stored value.
        ("how many medium clients are there", &["D 1"]),
        // A condition.
        ("how many tickets have a net price over 80", &["D 2"]),
        ("how many reduced tickets", &["D 3"]),
        // What is shown.
        (
            "clients with their size band",
            &[
                "D Abel | small",
                "D Burr | medium",
                "D Cole | large",
                "D Dorn | unknown",
            ],
        ),
    ]);
}

#[test]
fn rows_that_belong_to_a_row_are_added_up() {
    check(&[
        ("how many loyal clients", &["D 1"]),
        ("loyal clients", &["D Abel"]),
        ("sleeping clients", &["D Dorn"]),
        ("loyal clients count", &["D 2"]),
        (
            "clients with their ticket value",
            &["D Abel | 130", "D Burr | 100", "D Cole | 60", "D Dorn | NULL"],
        ),
    ]);
}

#[test]
fn a_metric_inside_another_is_reckoned_first() {
    check(&[("double margin", &["D 270"]), ("margin", &["D 135"])]);
}
