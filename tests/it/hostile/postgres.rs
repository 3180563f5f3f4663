//! The corpus through each single layer in front of a PostgreSQL database, to see what the others are for.

use std::time::Duration;

use tokio_postgres::SimpleQueryMessage;

use super::{
    corpus::{self, Text, Tongue},
    relayed::{SECRET, Scene},
    table::Table,
};
use crate::postgres::server::SUPERUSER;

/// How long a text may run where nothing else stops it, in milliseconds.
const PATIENCE: u32 = 100;

/// A layer: who asks, and what stands around the text.
struct Layer {
    name: &'static str,
    user: &'static str,
    before: &'static str,
    after: &'static str,
}

const LAYERS: [Layer; 4] = [
    Layer {
        name: "no layer",
        user: SUPERUSER,
        before: "",
        after: "",
    },
    Layer {
        name: "read-only transaction",
        user: SUPERUSER,
        before: "BEGIN; SET LOCAL transaction_read_only = on",
        after: "COMMIT",
    },
    Layer {
        name: "rights",
        user: "reader",
        before: "",
        after: "",
    },
    Layer {
        name: "rights and transaction",
        user: "reader",
        before: "BEGIN; SET LOCAL transaction_read_only = on",
        after: "COMMIT",
    },
];

/// A session of a layer's, made anew when a text has ended it.
struct Session<'s> {
    scene: &'s Scene,
    database: &'s str,
    layer: &'s Layer,
    client: Option<tokio_postgres::Client>,
}

impl Session<'_> {
    async fn client(&mut self) -> &tokio_postgres::Client {
        let alive = match &self.client {
            Some(client) => !client.is_closed(),
            None => false,
        };
        if !alive {
            let client = self.scene.server.client(self.layer.user, self.database).await;
            let patience = format!("SET statement_timeout = {PATIENCE}; SET lock_timeout = {PATIENCE}");
            client.batch_execute(&patience).await.unwrap();
            self.client = Some(client);
        }
        self.client.as_ref().unwrap()
    }

    /// Runs a text as a simple Query would: all statements of it. True if there was no error; and whether the secret
    /// was in what came.
    async fn run(&mut self, sql: &str) -> (bool, bool) {
        let (before, after) = (self.layer.before, self.layer.after);
        let client = self.client().await;
        if !before.is_empty() && client.batch_execute(before).await.is_err() {
            self.client = None;
            return (false, false);
        }
        let ran = tokio::time::timeout(Duration::from_secs(5), client.simple_query(sql)).await;
        let Ok(ran) = ran else {
            self.client = None;
            return (false, false);
        };
        let outcome = match &ran {
            Ok(messages) => (true, messages.iter().any(told_secret)),
            Err(_) => (false, false),
        };
        let lost = matches!(&ran, Err(error) if error.as_db_error().is_none());
        if lost
            || self
                .client()
                .await
                .batch_execute(if after.is_empty() { "ROLLBACK" } else { after })
                .await
                .is_err()
        {
            self.client = None;
        }
        outcome
    }

    /// What the session holds or has become.
    async fn effects(&mut self) -> Vec<&'static str> {
        let mut effects = vec![];
        let Some(client) = self.client.as_ref().filter(|client| !client.is_closed()) else {
            return effects;
        };
        let queries = [
            (
                "locks kept",
                "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory'",
            ),
            (
                "settings changed",
                "SELECT current_setting('work_mem') <> '4MB' OR current_setting('role') <> 'none'",
            ),
        ];
        for (effect, query) in queries {
            if let Ok(row) = client.query_one(query, &[]).await
                && row.get(0)
            {
                effects.push(effect);
            }
        }
        effects
    }
}

fn told_secret(message: &SimpleQueryMessage) -> bool {
    let SimpleQueryMessage::Row(row) = message else {
        return false;
    };
    let bytes: Vec<String> = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
    let bytes = bytes.concat();
    (0..row.len()).any(|at| {
        row.get(at)
            .is_some_and(|text| text.contains(SECRET) || text.contains(&bytes))
    })
}

/// Texts that speak a protocol of their own with the client, or take it away.
fn is_runnable(text: &Text) -> bool {
    let upper = text.sql.to_uppercase();
    let copies = upper.contains("COPY") && (upper.contains("STDIN") || upper.contains("STDOUT"));
    // These end the server's work for everybody, so that nothing more could be seen.
    let ends_all = ["PG_PROMOTE", "PG_BACKUP_START", "ALTER SYSTEM", "EVENT TRIGGER"]
        .iter()
        .any(|word| upper.contains(word));
    !copies && !ends_all
}

/// The database as it was, and what all databases share.
async fn renew(scene: &Scene, database: &str) {
    let shared = scene.server.client(SUPERUSER, "postgres").await;
    for sql in [
        "DROP ROLE IF EXISTS stolen",
        "DROP DATABASE IF EXISTS stolen WITH (FORCE)",
        "ALTER ROLE postgres RESET ALL",
        "ALTER ROLE postgres PASSWORD NULL",
        "ALTER DATABASE postgres RESET ALL",
        "DROP TABLESPACE IF EXISTS stolen",
        "REVOKE pg_read_server_files FROM PUBLIC",
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots",
        "SELECT pg_replication_origin_drop(roname) FROM pg_replication_origin",
        &format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)"),
    ] {
        drop(shared.batch_execute(sql).await);
    }
    let create = format!("CREATE DATABASE {database}");
    shared.batch_execute(&create).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_other_layer_alone_lets_some_through() {
    let Some(scene) = Scene::start() else { return };
    scene.fill("template1").await;
    let texts: Vec<Text> = corpus::sample(&corpus::texts(Tongue::Postgres, &scene.places()), 700)
        .into_iter()
        .filter(is_runnable)
        .collect();
    let mut table = Table::default();
    for (number, layer) in LAYERS.iter().enumerate() {
        let database = format!("layer_{number}");
        let mut fresh = false;
        for (group, _) in corpus::counts(&texts) {
            if !fresh {
                renew(&scene, &database).await;
            }
            let admin = scene.server.client(SUPERUSER, &database).await;
            let before = scene.state(&admin).await;
            let mut session = Session {
                scene: &scene,
                database: &database,
                layer,
                client: None,
            };
            let cell = table.cell(group, layer.name);
            let mut read = false;
            for text in texts.iter().filter(|text| text.group == group) {
                let (ran, told) = session.run(&text.sql).await;
                cell.texts += 1;
                cell.passed += usize::from(ran);
                read |= told;
            }
            let mut effects = session.effects().await;
            drop(session);
            // Somebody may have ended this one.
            let admin = if admin.is_closed() {
                effects.push("sessions ended");
                scene.server.client(SUPERUSER, &database).await
            } else {
                admin
            };
            fresh = scene.state(&admin).await == before;
            effects.extend((!fresh).then_some("data changed"));
            effects.extend(scene.effects());
            effects.extend(read.then_some("file read"));
            cell.effects.extend(effects);
        }
    }
    table.write("postgres.md");
    // Without a layer the corpus is what it claims to be.
    assert!(
        table.passed("no layer") * 4 > texts.len(),
        "{}",
        table.passed("no layer")
    );
    for effect in [
        "data changed",
        "file read",
        "file made",
        "network reached",
        "locks kept",
        "settings changed",
    ] {
        assert!(table.effects("no layer").contains(&effect), "{effect}");
    }
    for layer in &LAYERS[1..] {
        assert!(
            table.passed(layer.name) < table.passed("no layer"),
            "{}",
            layer.name
        );
        // None of them would do alone.
        assert!(table.passed(layer.name) > 0, "{}", layer.name);
    }
    assert!(table.effects("read-only transaction").contains(&"file read"));
}
