//! Questions over a model that a file corrects, as the embedded agents answer them. On both backends.

use super::served::teach;
use crate::conversation::legs::over;

const TABLES: &str = "
    CREATE TABLE contracts(
        contract_id INTEGER PRIMARY KEY, signed_on DATE NOT NULL, ended_on DATE, state TEXT NOT NULL
    );
    CREATE TABLE stock(
        stock_id INTEGER PRIMARY KEY, shop TEXT NOT NULL, counted_on DATE NOT NULL, quantity INTEGER NOT NULL
    );
    INSERT INTO contracts VALUES
        (1, '2023-01-05', '2024-02-01', 'ended'), (2, '2023-03-01', '2024-06-30', 'ended'), (3, '2023-04-01', NULL, 'open'),
        (4, '2024-01-10', '2025-01-02', 'ended'), (5, '2024-05-20', NULL, 'open'), (6, '2024-07-01', NULL, 'open');
    INSERT INTO stock VALUES
        (1, 'North', '2023-06-30', 5), (2, 'South', '2023-06-30', 7), (3, 'North', '2023-12-31', 4),
        (4, 'North', '2024-06-30', 9), (5, 'South', '2024-06-30', 2);";

const FILE: &str = "\
version: 0.2.0.dev0
semantic_model:
- name: shop
  datasets:
  - {name: contracts, source: contracts}
  - {name: stock, source: stock}
  metrics:
  - name: churn
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(contracts.contract_id) FILTER (WHERE contracts.state = 'ended')}]}
    custom_extensions: [{vendor_name: QUERENT, data: {time: ended_on}}]
  - name: goods
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(stock.quantity)}]}
    custom_extensions: [{vendor_name: QUERENT, data: {time: counted_on, at: last}}]
  - name: inventory
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(stock.quantity)}]}
    custom_extensions: [{vendor_name: QUERENT, data: {time: counted_on, at: last, each: [shop]}}]
";

fn check(questions: &[(&str, &[&str])]) {
    over(TABLES, "", |leg| {
        teach(leg, "min_confidence = 0.0", FILE).unwrap();
        let mut client = leg.client();
        for (question, expected) in questions {
            let answer = client.query(&format!("-- nl: {question}"));
            let rows: Vec<&String> = answer.iter().filter(|line| line.starts_with("D ")).collect();
            assert_eq!(rows, *expected, "{}: {question}: {answer:?}", leg.name);
        }
    });
}

#[test]
fn a_metric_has_its_own_time() {
    check(&[
        // By the day they were signed it would be one.
        ("churn in 2024", &["D 2"]),
        ("churn per year", &["D 2024 | 2", "D 2025 | 1"]),
    ]);
}

#[test]
fn what_there_is_at_an_end_is_not_added_up_over_time() {
    check(&[
        ("goods in 2023", &["D 4"]),
        ("goods per year", &["D 2023 | 4", "D 2024 | 11"]),
        ("inventory per year", &["D 2023 | 11", "D 2024 | 11"]),
    ]);
}
