//! Questions against tables as PostgreSQL has them, and the SQL that answers them.

use std::{fmt::Write, sync::Arc};

use jiff::civil::date;

use crate::question::{
    embedded::{link, plan, sql, subproblems},
    schema::{
        Column, ColumnKind, ColumnRef, Dialect, ForeignKey, JoinGraph, Schema, Snapshot, Spelling, Table,
        ValueIndex,
    },
};

/// `schema.table`: columns as `name type`, the key first; `!` behind a type is NOT NULL.
const TABLES: &[(&str, &[&str])] = &[
    (
        "public.customers",
        &[
            "customer_id integer!",
            "name text!",
            "country text",
            "birth_date date",
            "newsletter boolean",
            "segment segment",
            "loyalty_points integer",
        ],
    ),
    (
        "sales.orders",
        &[
            "order_id integer!",
            "customer_id integer!",
            "placed_at timestamp with time zone!",
            "total numeric(10,2)",
            "status order_status!",
        ],
    ),
    (
        "public.Employees",
        &[
            "EmployeeID integer!",
            "LastName text!",
            "Salary numeric",
            "user text",
            "hired date",
        ],
    ),
    ("public.invoices", &["invoice_id integer!", "amount numeric!"]),
    ("archive.invoices", &["invoice_id integer!", "reason text"]),
    (
        "public.rooms",
        &[
            "number text!",
            "capacity integer",
            "details json",
            "price_class text",
        ],
    ),
];

/// Stored values that a question may name.
const VALUES: &[(&str, &str, &str)] = &[
    ("customers", "country", "France"),
    ("customers", "country", "Italy"),
    ("customers", "segment", "wholesale"),
    ("customers", "segment", "retail"),
    ("orders", "status", "shipped"),
    ("orders", "status", "cancelled"),
    ("Employees", "LastName", "O'Hara"),
    ("rooms", "number", "12"),
    ("rooms", "number", "14"),
    ("rooms", "price_class", "3"),
];

fn kind(declared: &str) -> ColumnKind {
    match declared.split(['(', ' ']).next().unwrap_or_default() {
        "integer" => ColumnKind::Integer,
        "numeric" => ColumnKind::Number,
        "text" => ColumnKind::Text,
        "boolean" => ColumnKind::Boolean,
        "date" => ColumnKind::Date,
        "timestamp" => ColumnKind::Timestamp,
        "json" => ColumnKind::Other,
        _ => ColumnKind::Enum,
    }
}

fn snapshot() -> Snapshot {
    let mut schema = Schema::default();
    for (name, columns) in TABLES {
        let (namespace, name) = name.split_once('.').unwrap();
        let columns = columns.iter().enumerate().map(|(at, column)| {
            let (name, declared) = column.split_once(' ').unwrap();
            Column {
                name: name.to_owned(),
                declared_type: declared.trim_end_matches('!').to_owned(),
                kind: kind(declared.trim_end_matches('!')),
                may_be_other: false,
                exceeds: false,
                spelling: Spelling::default(),
                not_null: declared.ends_with('!'),
                null_in_key: false,
                unique: at == 0,
                comment: None,
                shows: None,
                computed_from: Vec::new(),
                private: false,
                denied: false,
            }
        });
        schema.tables.push(Table {
            name: name.to_owned(),
            schema: Some(namespace.to_owned()),
            qualified: namespace != "public",
            columns: columns.collect(),
            primary_key: vec![0],
            ..Table::default()
        });
    }
    schema.foreign_keys.push(ForeignKey {
        from: vec![ColumnRef { table: 1, column: 1 }],
        to: vec![ColumnRef { table: 0, column: 0 }],
        declared: true,
        enforced: false,
    });
    let values = ValueIndex::default();
    for (table, column, value) in VALUES {
        let table = schema.table_named(table).unwrap();
        let column = schema.tables[table].column_named(column).unwrap();
        assert!(values.insert(ColumnRef { table, column }, value));
    }
    Snapshot {
        joins: Arc::new(JoinGraph::new(&schema)),
        schema: Arc::new(schema),
        values: Arc::new(values),
        profile: Arc::default(),
        fingerprint: 1,
        dialect: Dialect::Postgres,
    }
}

/// The SQL of a question on the fifteenth of May 2024.
fn answer(question: &str, snapshot: &Snapshot) -> String {
    let today = date(2024, 5, 15);
    let linked = link(question, today, snapshot).unwrap();
    let planned = subproblems(&linked, snapshot).and_then(|subproblems| plan(&subproblems, snapshot));
    match planned.and_then(|plan| sql(&plan, snapshot)) {
        Ok(sql) => sql,
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn questions_become_sql_of_postgres() {
    let snapshot = snapshot();
    let mut wrong = String::new();
    for (question, expected) in [
        (
            "how many customers are from France",
            "SELECT COUNT(*) FROM customers WHERE country = 'France'",
        ),
        (
            "customers whose name starts with 'An'",
            "SELECT name FROM customers WHERE name ILIKE 'An%'",
        ),
        (
            "customers whose segment contains 'whole'",
            "SELECT name FROM customers WHERE segment::text ILIKE '%whole%'",
        ),
        (
            "wholesale customers in Italy",
            "SELECT name FROM customers WHERE segment = 'wholesale' AND country = 'Italy'",
        ),
        (
            "customers with newsletter 1",
            "SELECT name FROM customers WHERE newsletter = true",
        ),
        (
            "how many orders were placed in 2023",
            "SELECT COUNT(*) FROM sales.orders WHERE (placed_at >= '2023-01-01' AND placed_at < '2024-01-01')",
        ),
        (
            "how many orders were placed last year",
            "SELECT COUNT(*) FROM sales.orders WHERE (placed_at >= '2023-01-01' AND placed_at < '2024-01-01')",
        ),
        (
            "orders placed before March 2024",
            "SELECT order_id FROM sales.orders WHERE placed_at < '2024-03-01'",
        ),
        (
            "orders placed since 2024-03-01",
            "SELECT order_id FROM sales.orders WHERE placed_at >= '2024-03-01'",
        ),
        (
            "orders placed between 2022 and 2023",
            "SELECT order_id FROM sales.orders WHERE (placed_at >= '2022-01-01' AND placed_at < '2024-01-01')",
        ),
        (
            "customers born in 1990",
            "SELECT name FROM customers WHERE (birth_date >= '1990-01-01' AND birth_date < '1991-01-01')",
        ),
        (
            "customers born on 1990-05-01",
            "SELECT name FROM customers WHERE birth_date = '1990-05-01'",
        ),
        (
            "number of orders per year",
            "SELECT to_char(placed_at, 'YYYY'), COUNT(*) FROM sales.orders GROUP BY to_char(placed_at, 'YYYY') ORDER BY to_char(placed_at, 'YYYY')",
        ),
        (
            "total of orders by month",
            "SELECT to_char(placed_at, 'YYYY-MM'), SUM(total) FROM sales.orders GROUP BY to_char(placed_at, 'YYYY-MM') ORDER BY to_char(placed_at, 'YYYY-MM')",
        ),
        (
            "number of orders of each status",
            "SELECT status, COUNT(*) FROM sales.orders GROUP BY status",
        ),
        (
            "how many different statuses do the orders have",
            "SELECT COUNT(DISTINCT status) FROM sales.orders",
        ),
        (
            r#"employees called "a\\b""#,
            r#"SELECT "LastName" FROM "Employees" WHERE "LastName" = E'a\\\\b'"#,
        ),
        (
            "Which customer has the most orders?",
            "SELECT customers.name FROM customers JOIN sales.orders ON orders.customer_id = customers.customer_id GROUP BY customers.customer_id, customers.name ORDER BY COUNT(*) DESC LIMIT 1",
        ),
        (
            "names of customers with cancelled orders ordered by total descending",
            "SELECT customers.name FROM customers JOIN sales.orders ON orders.customer_id = customers.customer_id WHERE orders.status = 'cancelled' ORDER BY orders.total DESC NULLS LAST",
        ),
        (
            "show the different countries of customers ordered by loyalty points",
            "SELECT country FROM customers GROUP BY country ORDER BY MIN(loyalty_points)",
        ),
        (
            "Please show the different countries, ordered by the number of customers that have each.",
            "SELECT country FROM customers GROUP BY country ORDER BY COUNT(*)",
        ),
        (
            "what is the average price class of rooms",
            "SELECT AVG(NULLIF(price_class, '')::numeric) FROM rooms",
        ),
        (
            "employees by salary from high to low",
            r#"SELECT "LastName" FROM "Employees" ORDER BY "Salary" DESC NULLS LAST"#,
        ),
        (
            "What is the highest salary of the employees?",
            r#"SELECT MAX("Salary") FROM "Employees""#,
        ),
        (
            r#"employees called "O'Hara""#,
            r#"SELECT "LastName" FROM "Employees" WHERE "LastName" = 'O''Hara'"#,
        ),
        ("user of employees", r#"SELECT "user" FROM "Employees""#),
        (
            "customers without orders",
            "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM sales.orders WHERE customer_id IS NOT NULL)",
        ),
        (
            "rooms with number 12",
            "SELECT number FROM rooms WHERE number = '12'",
        ),
        ("show all details of orders", "SELECT * FROM sales.orders"),
        (
            "reason of invoices",
            "SELECT reason FROM archive.invoices AS archive_invoices",
        ),
        (
            "countries with more than 5 customers",
            "SELECT country FROM customers GROUP BY country HAVING COUNT(*) > 5",
        ),
        (
            "customers who have placed both shipped and cancelled orders",
            "SELECT customers.name FROM customers JOIN sales.orders ON orders.customer_id = customers.customer_id WHERE orders.status = 'shipped' INTERSECT SELECT customers.name FROM customers JOIN sales.orders ON orders.customer_id = customers.customer_id WHERE orders.status = 'cancelled'",
        ),
        (
            "customers older than 1990-01-01",
            "SELECT name FROM customers WHERE birth_date < '1990-01-01'",
        ),
        (
            "the different details of rooms",
            "SELECT DISTINCT details::text FROM rooms",
        ),
        (
            "average loyalty points of customers with status 'lost'",
            "SELECT AVG(customers.loyalty_points) FROM customers JOIN sales.orders ON orders.customer_id = customers.customer_id WHERE orders.status::text = 'lost'",
        ),
    ] {
        let given = answer(question, &snapshot);
        if given != expected {
            writeln!(wrong, "{question}\n    {given}\n    {expected}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
