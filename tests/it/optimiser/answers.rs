//! Slow questions are answered with cheaper SQL where it pays, and told of indexes; quick ones are left alone.

use std::{sync::Arc, time::Duration};

use querent::{
    backend::Backend,
    config::{ModelApi, ModelSettings},
    question::{
        ask::{Answer, AskSettings, ModelRegistry, ask},
        model::{Models, connect},
    },
    statement::Mode,
};
use serde_json::json;

use super::{GREATEST, postgres, sqlite};
use crate::{
    conversation::legs::{self, over_with_model},
    model::{server::ScriptedModel, turn::Turn},
    postgres::server::{PostgresServer, SUPERUSER},
};

fn registry(servers: &[(&str, &ScriptedModel)]) -> Arc<ModelRegistry> {
    let models = servers.iter().map(|(name, server)| {
        let settings = ModelSettings {
            base_urls: vec![server.url()],
            retries: 0,
            ..ModelSettings::new(*name, ModelApi::OpenAi, *name)
        };
        connect(settings).unwrap()
    });
    Arc::new(ModelRegistry {
        models: Models::of(models.collect()),
        ..ModelRegistry::default()
    })
}

fn says(sql: &str) -> Vec<Turn> {
    vec![Turn::answers(
        &json!({"reasoning": "r", "sql": sql, "assumptions": [], "alternatives": []}),
    )]
}

/// What comes of a question that a model answers so.
async fn answered(database: &dyn Backend, sql: &str, from: Duration) -> Answer {
    let server = ScriptedModel::start(says(sql));
    let settings = AskSettings {
        registry: registry(&[("m", &server)]),
        mode: Mode::Single,
        optimise_from: from,
        ..AskSettings::default()
    };
    ask(database, "which orders are trustworthy?", &settings)
        .await
        .unwrap()
}

fn steps<'a>(answer: &'a Answer, wanted: &str) -> Vec<&'a str> {
    let steps = answer.steps.iter().filter(|(step, _)| step == wanted);
    steps.map(|(_, detail)| detail.as_str()).collect()
}

const AT_ONCE: Duration = Duration::from_micros(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_answer_becomes_a_cheaper_one() {
    let (_folder, connection) = sqlite(3_000);
    let slow = answered(&connection, GREATEST, AT_ONCE).await;
    assert!(
        slow.sql.as_str().contains("figures_by_key"),
        "{}",
        slow.sql.as_str()
    );
    let told = steps(&slow, "optimised").join("\n");
    assert!(
        told.contains("worked out once for each") && told.contains("steps"),
        "{told}"
    );
    assert!(
        slow.trace
            .iter()
            .any(|run| run.agent == "optimiser" && run.outcome == "ok")
    );
    // What is quick, or may take its time, is left as it is, and nobody works on it.
    for from in [Duration::from_secs(3_600), Duration::ZERO] {
        let left = answered(&connection, GREATEST, from).await;
        assert_eq!(left.sql.as_str(), GREATEST);
        assert!(left.trace.iter().all(|run| run.agent != "optimiser"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cheaper_of_two_proposals_with_the_same_rows_wins() {
    let (_folder, connection) = sqlite(3_000);
    // No rule turns one into the other.
    let dear =
        "SELECT o.id FROM orders AS o WHERE NOT EXISTS (SELECT 1 FROM orders AS i WHERE i.weight < o.weight)";
    let cheap = "SELECT id FROM orders WHERE weight = (SELECT MIN(weight) FROM orders)";
    for (from, tier) in [(AT_ONCE, "other-nano"), (Duration::ZERO, "one-nano")] {
        let (one, other) = (
            ScriptedModel::start(says(dear)),
            ScriptedModel::start(says(cheap)),
        );
        let settings = AskSettings {
            registry: registry(&[("one-nano", &one), ("other-nano", &other)]),
            mode: Mode::Adaptive,
            tiers: vec!["one-nano".into(), "other-nano".into()],
            optimise_from: from,
            ..AskSettings::default()
        };
        let question = "which orders are trustworthy?";
        let answer = ask(&connection, question, &settings).await.unwrap();
        assert_eq!(answer.tier, tier, "{:?}", answer.steps);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_advised_where_it_would_serve_on_sqlite() {
    let (_folder, connection) = sqlite(20_000);
    let database = Arc::clone(connection.database());
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(60)).await);
    for (sql, expected) in [
        (
            "SELECT id FROM orders WHERE customer_id = 7",
            "CREATE INDEX orders_customer_id ON orders (customer_id): about 67 of 20000 rows",
        ),
        (
            "SELECT o.id FROM orders AS o WHERE o.customer_id = 7 AND o.total > 20",
            "ON orders (customer_id, total)",
        ),
        ("SELECT id FROM orders WHERE id = 7", ""),
        // Every row is wanted.
        ("SELECT id FROM orders", ""),
        ("SELECT id FROM orders WHERE total <> 7", ""),
        // Too few rows to matter.
        ("SELECT id FROM notes WHERE words = 'w3'", ""),
    ] {
        let answer = answered(&connection, sql, AT_ONCE).await;
        let told = steps(&answer, "index advice").join("\n");
        assert!(
            told.contains(expected) && (told.is_empty() == expected.is_empty()),
            "{sql}: {told}"
        );
        // It is a word, and nothing is made.
        assert_eq!(answer.sql.as_str(), sql);
    }
    let answer = answered(
        &connection,
        "SELECT COUNT(*) FROM notes AS n JOIN orders AS o ON o.customer_id = n.customer_id",
        AT_ONCE,
    )
    .await;
    let told = steps(&answer, "index advice").join("\n");
    assert!(told.contains("each time it answers"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_advised_where_it_would_serve_on_postgres() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let client = postgres(&server, 20_000).await;
    let sql = "SELECT id FROM orders WHERE customer_id = 7";
    let answer = answered(&client, sql, AT_ONCE).await;
    let told = steps(&answer, "index advice").join("\n");
    assert!(
        told.starts_with("CREATE INDEX orders_customer_id ON orders (customer_id): about "),
        "{told}"
    );
    let all = answered(&client, "SELECT id FROM orders", AT_ONCE).await;
    assert_eq!(steps(&all, "index advice"), Vec::<&str>::new());
    let slow = answered(&client, GREATEST, AT_ONCE).await;
    let told = [steps(&slow, "optimised"), steps(&slow, "cheaper SQL")]
        .concat()
        .join("\n");
    assert!(
        told.contains("worked out once for each") && told.contains("estimated cost"),
        "{told}"
    );
    // With the extension the planner itself says what it would gain.
    if server
        .client(SUPERUSER, "postgres")
        .await
        .batch_execute("CREATE EXTENSION hypopg")
        .await
        .is_err()
    {
        eprintln!("SKIPPED in part: the extension hypopg is not installed (Debian: postgresql-15-hypopg)");
        return;
    }
    let answer = answered(&client, sql, AT_ONCE).await;
    let told = steps(&answer, "index advice").join("\n");
    assert!(
        told.contains("an estimated cost of") && told.contains("instead of"),
        "{told}"
    );
    // Nothing is left of what was imagined.
    let again = answered(&client, sql, AT_ONCE).await;
    assert_eq!(steps(&again, "index advice").join("\n"), told);
    let made = server.client(SUPERUSER, "postgres").await;
    let indexes = made
        .query_one("SELECT count(*) FROM pg_indexes WHERE tablename = 'orders'", &[])
        .await;
    assert_eq!(indexes.unwrap().get::<_, i64>(0), 1);
}

/// As many orders of as few customers as take a moment.
const SERVED: &str = "
    CREATE TABLE parcels (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, total INTEGER);
    INSERT INTO parcels WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 600)
        SELECT n, n % 40, (n * 37) % 501 FROM n;";

#[test]
fn sessions_get_it_before_both_databases() {
    let toml = "[limits]\noptimise_from = \"1ms\"\n";
    let greatest = &GREATEST.replace("orders", "parcels");
    let turns = [(); 3].map(|()| legs::says(greatest));
    over_with_model(SERVED, toml, &turns, |leg, _| {
        let mut client = leg.client();
        let plain = client.query(greatest);
        let rows = |lines: &[String]| -> Vec<String> {
            lines
                .iter()
                .filter(|line| line.starts_with("D "))
                .cloned()
                .collect()
        };
        let told = client.query("-- nl explain: first frobnicated zorblax");
        assert!(
            told.iter().any(|line| line.contains("worked out once for each")),
            "{}: {told:?}",
            leg.name
        );
        let answered = client.query("-- nl: third frobnicated zorblax");
        assert_eq!(rows(&answered), rows(&plain), "{}", leg.name);
        // A cursor that is open meanwhile goes on behind it.
        client.query(&format!("BEGIN; DECLARE k CURSOR FOR {greatest}"));
        let first = client.query("FETCH 1 FROM k");
        let answered = client.query("-- nl: fifth frobnicated zorblax");
        let others = client.query("FETCH ALL FROM k");
        client.query("COMMIT");
        assert_eq!(rows(&answered), rows(&plain), "{}: {answered:?}", leg.name);
        assert_eq!(
            [rows(&first), rows(&others)].concat(),
            rows(&plain),
            "{}",
            leg.name
        );
    });
}

#[test]
fn what_is_slow_and_asked_often_is_told_with_a_view_that_keeps_it() {
    let toml = "[limits]\noptimise_from = \"0.001ms\"\n";
    let turns = [legs::says(
        "SELECT customer_id, SUM(total) FROM parcels GROUP BY customer_id",
    )];
    over_with_model(SERVED, toml, &turns, |leg, _| {
        let mut client = leg.client();
        let told: Vec<bool> = [(); 6]
            .map(|()| {
                let lines = client.query("-- nl explain: first frobnicated zorblax");
                let advice = "CREATE MATERIALIZED VIEW first_frobnicated_zorblax AS SELECT customer_id";
                lines.iter().any(|line| line.contains(advice))
            })
            .to_vec();
        // SQLite has no such views.
        let expected = match leg.name {
            "PostgreSQL" => [false, false, false, false, true, true],
            _ => [false; 6],
        };
        assert_eq!(told, expected, "{}", leg.name);
    });
}
