//! The views of the semantic model, as a client's own SQL reads them. On both backends.

use super::served::{FILE, TABLES, teach};
use crate::conversation::legs::{Leg, over};

/// The rows of a statement.
fn rows(leg: &Leg, sql: &str) -> Vec<String> {
    let told = leg.client().query(sql);
    assert!(
        !told.iter().any(|word| word.starts_with('E')),
        "{}: {sql}: {told:?}",
        leg.name
    );
    let rows = told.iter().filter_map(|word| word.strip_prefix("D "));
    rows.map(str::to_owned).collect()
}

#[test]
fn views_tell_what_the_database_means() {
    over(TABLES, "", |leg| {
        teach(leg, "", FILE).unwrap();
        let revenue = rows(
            leg,
            "SELECT expression, description, source FROM semantic.metrics WHERE name = 'revenue'",
        );
        let [revenue] = revenue.as_slice() else {
            panic!("{}: {revenue:?}", leg.name)
        };
        for words in [
            "SUM",
            "cancelled",
            "what is left after cancellations",
            "shop.yaml:",
        ] {
            assert!(revenue.contains(words), "{}: {words}: {revenue}", leg.name);
        }
        for (sql, expected) in [
            (
                "SELECT s.kind, s.synonym FROM semantic.synonyms AS s JOIN Semantic.\"datasets\" ON datasets.name = s.dataset \
                 WHERE s.name IN ('sales', 'revenue') ORDER BY 1, 2",
                &["dataset | purchases", "metric | turnover"][..],
            ),
            (
                "SELECT labels, additivity IS NULL FROM semantic.fields f WHERE f.dataset = 'sales' AND f.name = 'state'",
                &["paid = settled | t"],
            ),
            (
                "SELECT lower(type) FROM semantic.fields WHERE dataset = 'sales' AND name IN ('total', 'state') ORDER BY 1",
                &["integer", "text"],
            ),
            (
                "SELECT columns, source FROM semantic.keys WHERE dataset = 'buyers' AND kind = 'primary'",
                &["id | declared"],
            ),
            (
                "SELECT count(*) FROM buyers, semantic.datasets WHERE datasets.name = 'buyers'",
                &["2"],
            ),
            (
                "WITH m AS (SELECT * FROM semantic.metrics) SELECT name FROM m WHERE name = 'revenue'",
                &["revenue"],
            ),
            (
                "SELECT 'semantic.metrics' AS text, 1 AS semantic",
                &["semantic.metrics | 1"],
            ),
        ] {
            assert_eq!(rows(leg, sql), expected, "{}: {sql}", leg.name);
        }
        assert!(
            rows(leg, "SELECT * FROM semantic.metrics").len() > 3,
            "{}",
            leg.name
        );
        rows(leg, "CREATE TABLE kept AS SELECT name FROM semantic.metrics");
        let kept = rows(leg, "SELECT name FROM kept WHERE name = 'revenue'");
        assert_eq!(kept, ["revenue"], "{}", leg.name);
        let copied = leg
            .client()
            .query("COPY (SELECT name FROM semantic.datasets ORDER BY 1) TO STDOUT");
        assert!(copied.join("\n").contains("buyers"), "{}: {copied:?}", leg.name);
        // Drivers prepare what they send.
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let found = runtime.block_on(async {
            let client = leg.driver().await;
            let sql = "SELECT name FROM semantic.metrics WHERE name = $1";
            client.query(sql, &[&"revenue"]).await.unwrap().len()
        });
        assert_eq!(found, 1, "{}", leg.name);
    });
}

#[test]
fn views_hold_what_their_reader_may_read() {
    over(TABLES, "", |leg| {
        let denied = "[[policy.rule]]\ndeny = [\"sales.total\", \"parts\"]\n";
        teach(leg, denied, FILE).unwrap();
        for sql in [
            "SELECT name FROM semantic.metrics WHERE name = 'revenue' OR expression LIKE '%sales.total%'",
            "SELECT name FROM semantic.fields WHERE dataset = 'sales' AND name = 'total'",
            "SELECT name FROM semantic.datasets WHERE name = 'parts'",
            "SELECT name FROM semantic.synonyms WHERE synonym = 'turnover'",
        ] {
            assert!(rows(leg, sql).is_empty(), "{}: {sql}", leg.name);
        }
        let names = rows(
            leg,
            "SELECT name FROM semantic.datasets WHERE name IN ('buyers', 'sales', 'parts') ORDER BY name",
        );
        assert_eq!(names, ["buyers", "sales"], "{}", leg.name);
    });
}

#[test]
fn a_servers_own_schema_of_that_name_is_its_own() {
    let own = "CREATE SCHEMA semantic; CREATE TABLE semantic.metrics(x int); INSERT INTO semantic.metrics VALUES (7); \
               CREATE TABLE semantic.other(y int); INSERT INTO semantic.other VALUES (8)";
    let Some(leg) = Leg::postgres("", &format!("{TABLES}; {own}")) else {
        return;
    };
    // Without a model nobody looks for the views.
    let missing = leg.client().query("SELECT * FROM semantic.datasets");
    assert!(missing[0].contains(" 42P01 "), "{missing:?}");
    teach(&leg, "", FILE).unwrap();
    assert_eq!(rows(&leg, "SELECT x FROM semantic.metrics"), ["7"]);
    assert_eq!(rows(&leg, "SELECT y FROM semantic.other"), ["8"]);
    let sales = "SELECT name FROM semantic.datasets WHERE name = 'sales'";
    assert_eq!(rows(&leg, sales), ["sales"]);
}
