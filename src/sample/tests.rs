//! The sample is what it promises: the same every time, large enough, and it adds up.

use std::{path::PathBuf, sync::LazyLock};

use jiff::civil::date;
use rusqlite::Connection;

use super::*;

/// The day on which the history of these tests ends.
const TODAY: Date = date(2025, 12, 31);

struct Sample {
    folder: tempfile::TempDir,
    summary: Summary,
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let summary = create(&folder.path().join("shop.sqlite"), TODAY).unwrap();
    Sample { folder, summary }
});

fn file() -> PathBuf {
    SAMPLE.folder.path().join("shop.sqlite")
}

/// The first column of the first row.
fn number(sql: &str) -> i64 {
    let connection = Connection::open(file()).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Fails if the query, which looks for something that must not be, finds any row.
fn check_none(what: &str, sql: &str) {
    assert_eq!(number(&format!("SELECT count(*) FROM ({sql})")), 0, "{what}");
}

#[test]
fn it_is_large_enough() {
    let Summary { tables, rows, .. } = SAMPLE.summary;
    assert!(tables >= 10, "{tables} tables");
    assert!(rows >= 50_000, "{rows} rows");
}

#[test]
fn it_is_the_same_every_time() {
    let again = SAMPLE.folder.path().join("again.sqlite");
    assert_eq!(create(&again, TODAY).unwrap(), SAMPLE.summary);
    assert!(
        std::fs::read(again).unwrap() == std::fs::read(file()).unwrap(),
        "the files differ"
    );
}

#[test]
fn it_ends_on_the_day_that_is_asked_for() {
    let other = SAMPLE.folder.path().join("other.sqlite");
    let today = date(2028, 2, 29);
    let summary = create(&other, today).unwrap();
    assert_eq!(summary.first_day, date(2024, 3, 1));
    let connection = Connection::open(&other).unwrap();
    let (last, recent): (String, i64) = connection
        .query_row(
            "SELECT max(date(ordered_at)), sum(date(ordered_at) >= '2028-01-01') FROM orders",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    assert_eq!(last, "2028-02-29");
    assert!(recent > 300, "{recent}");
}

#[test]
fn an_existing_file_is_left_alone() {
    let there = SAMPLE.folder.path().join("there");
    std::fs::write(&there, "mine").unwrap();
    assert!(matches!(create(&there, TODAY), Err(SampleError::Exists(_))));
    assert_eq!(std::fs::read(&there).unwrap(), b"mine");
}

#[test]
fn keys_hold() {
    let connection = Connection::open(file()).unwrap();
    let mut statement = connection.prepare("PRAGMA foreign_key_check").unwrap();
    assert!(statement.query([]).unwrap().next().unwrap().is_none());
    check_none(
        "a foreign key without an index",
        "SELECT m.name, f.\"from\" FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
         WHERE m.type = 'table' AND f.seq = 0 AND NOT EXISTS (
             SELECT 1 FROM pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c WHERE c.seqno = 0 AND c.name = f.\"from\")",
    );
}

#[test]
fn money_adds_up() {
    check_none(
        "a total that differs from its lines",
        "SELECT 1 FROM orders o JOIN order_lines USING (order_id) GROUP BY order_id
         HAVING abs(o.total - sum(quantity * unit_price)) > 0.001",
    );
    check_none(
        "a fulfilled order that is not paid in full",
        "SELECT 1 FROM orders o LEFT JOIN payments p ON p.order_id = o.order_id AND p.status = 'completed'
         WHERE o.status IN ('shipped', 'delivered', 'returned')
         GROUP BY o.order_id HAVING abs(o.total - total(p.amount)) > 0.001",
    );
    check_none(
        "more returned than bought",
        "SELECT 1 FROM returns r JOIN order_lines l USING (order_id, line_number)
         WHERE r.quantity NOT BETWEEN 1 AND l.quantity OR abs(r.refund - r.quantity * l.unit_price) > 0.001",
    );
    check_none(
        "a product sold at a loss",
        "SELECT 1 FROM products WHERE cost >= price OR price <= 0",
    );
}

#[test]
fn time_goes_forward() {
    check_none(
        "an order out of its time",
        "SELECT 1 FROM orders o JOIN customers c USING (customer_id)
         WHERE date(ordered_at) < signed_up_on OR shipped_on < date(ordered_at) OR delivered_on < shipped_on
            OR date(ordered_at) NOT BETWEEN '2022-01-01' AND '2025-12-31' OR delivered_on > '2025-12-31'",
    );
    check_none(
        "a line of a product not yet on sale",
        "SELECT 1 FROM order_lines JOIN orders o USING (order_id) JOIN products p USING (product_id)
         WHERE date(o.ordered_at) < p.launched_on",
    );
    check_none(
        "a return before delivery",
        "SELECT 1 FROM returns r JOIN orders o USING (order_id) WHERE o.delivered_on IS NULL OR r.returned_on <= o.delivered_on",
    );
    check_none(
        "an employee who served elsewhere or at another time",
        "SELECT 1 FROM orders o JOIN employees e USING (employee_id)
         WHERE o.store_id <> e.store_id OR date(ordered_at) < hired_on OR date(ordered_at) > left_on",
    );
    check_none(
        "a job that ended before it began",
        "SELECT 1 FROM employees WHERE left_on < hired_on",
    );
    check_none(
        "a status that the dates contradict",
        "SELECT 1 FROM orders WHERE (status IN ('delivered', 'returned')) <> (delivered_on IS NOT NULL)
            OR (status IN ('pending', 'cancelled')) <> (shipped_on IS NULL)",
    );
}

#[test]
fn there_is_something_to_find() {
    for (what, sql) in [
        (
            "customers without orders",
            "SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)",
        ),
        (
            "products never ordered",
            "SELECT count(*) FROM products WHERE product_id NOT IN (SELECT product_id FROM order_lines)",
        ),
        (
            "customers without a phone",
            "SELECT count(*) FROM customers WHERE phone IS NULL",
        ),
        (
            "orders not yet shipped",
            "SELECT count(*) FROM orders WHERE shipped_on IS NULL",
        ),
        (
            "employees with a manager",
            "SELECT count(*) FROM employees WHERE manager_id IS NOT NULL",
        ),
        (
            "categories below others",
            "SELECT count(*) FROM categories WHERE parent_id IS NOT NULL",
        ),
        (
            "returned orders",
            "SELECT count(*) FROM orders WHERE status = 'returned'",
        ),
        ("months of sales", "SELECT count(*) FROM monthly_sales"),
    ] {
        assert!(number(sql) >= 10, "{what}");
    }
    assert!(number("SELECT count(DISTINCT country) FROM customers") >= 20);
    assert_eq!(
        number("SELECT count(DISTINCT price) FROM (SELECT price FROM products ORDER BY price DESC LIMIT 6)"),
        6
    );
}
