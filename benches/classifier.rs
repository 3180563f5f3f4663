//! What reading a statement costs. Every statement of every client goes this way: under 20 µs for plain SQL.
#![allow(missing_docs, reason = "criterion's macro makes a public function")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use querent::statement::{Options, read, recognise};

/// An ORM's query of some hundred bytes, with the letters of a marker in it.
const ORM: &str = r#"SELECT "orders"."id", "orders"."customer_id", "orders"."ordered_at", "orders"."is_online", "customers"."name" AS "customer_name", COUNT("order_lines"."id") AS "lines", SUM("order_lines"."quantity" * "order_lines"."unit_price") AS "total" FROM "orders" INNER JOIN "customers" ON ("orders"."customer_id" = "customers"."id") LEFT OUTER JOIN "order_lines" ON ("order_lines"."order_id" = "orders"."id") WHERE ("orders"."ordered_at" >= $1 AND "customers"."country" = 'FI' /* only */) GROUP BY 1, 2, 3, 4, 5 ORDER BY "orders"."ordered_at" DESC LIMIT 21 -- the newest"#;

fn classifier(criterion: &mut Criterion) {
    let options = Options {
        ask_keyword: true,
        ..Options::default()
    };
    let statements = [
        ("short", "SELECT 1".to_owned()),
        (
            "no letters of a marker",
            ORM.replace("online", "paid").replace("only", "all"),
        ),
        ("orm", ORM.to_owned()),
        ("setting", "SET search_path = public, pg_catalog".to_owned()),
        (
            "question",
            "-- nl: how many customers are there in each country?".to_owned(),
        ),
        (
            "function",
            "SELECT count(*) FROM nl('customers in Finland') AS t JOIN orders o ON o.id = t.id".to_owned(),
        ),
        (
            "insert of 1 MB",
            format!("INSERT INTO t VALUES {}(0)", "(1, 'only', 2.5),".repeat(61_000)),
        ),
    ];
    let mut group = criterion.benchmark_group("classifier");
    for (name, statement) in &statements {
        group.throughput(Throughput::Bytes(statement.len() as u64));
        group.bench_with_input(BenchmarkId::new("read", name), statement, |bencher, statement| {
            bencher.iter(|| read(black_box(statement), &options));
        });
    }
    group.bench_function("recognise/orm", |bencher| {
        bencher.iter(|| recognise(black_box(ORM), &options));
    });
    group.finish();
}

criterion_group!(benches, classifier);
criterion_main!(benches);
