//! The corpus as a model's answer in front of a PostgreSQL server, through all layers.

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::PermissionsExt,
    sync::{Arc, Mutex},
};

use tempfile::TempDir;

use super::{
    canary::Canary,
    corpus::{self, Places, Tongue},
    obedient::reply_to,
};
use crate::{
    model::{server::ScriptedModel, turn::Turn},
    postgres::server::{Options, PostgresServer, SUPERUSER},
    relay::front::Front,
};

pub(super) const SECRET: &str = "nobody reads this";

/// A server with the database of the corpus, and what must not be touched outside of it.
pub(super) struct Scene {
    pub(super) server: PostgresServer,
    folder: TempDir,
    canary: Canary,
}

impl Scene {
    /// `None` where no PostgreSQL is installed.
    pub(super) fn start() -> Option<Self> {
        let server = PostgresServer::with(&Options {
            settings: "max_prepared_transactions = 5\nwal_level = logical\n",
            ..Options::default()
        })?;
        let folder = tempfile::Builder::new()
            .prefix("querent-hostile")
            .tempdir()
            .unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let scene = Self {
            server,
            folder,
            canary: Canary::start(),
        };
        fs::write(&scene.places().file, SECRET).unwrap();
        fs::set_permissions(scene.places().file, fs::Permissions::from_mode(0o666)).unwrap();
        Some(scene)
    }

    pub(super) fn places(&self) -> Places {
        let path = |name: &str| self.folder.path().join(name).display().to_string();
        Places {
            file: path("canary"),
            out: path("made"),
            port: self.canary.port,
        }
    }

    /// The database of the corpus, made in this one.
    pub(super) async fn fill(&self, database: &str) {
        let places = self.places();
        let shop = include_str!("../../hostile/postgres.sql");
        let shop = shop
            .replace("{file}", &places.file)
            .replace("{port}", &places.port.to_string());
        self.server.run(database, &shop).await;
    }

    /// All of a database that could have changed, and what all databases share.
    pub(super) async fn state(&self, client: &tokio_postgres::Client) -> String {
        let mut told = vec![];
        let tables = [
            "customers",
            "orders",
            "notes",
            "policed",
            "pairs",
            "marks_made",
            "totals",
        ];
        let rows = tables.map(|table| {
            format!("SELECT md5(coalesce(string_agg(x::text, '|' ORDER BY x::text), '')) FROM (SELECT t.*::text AS x FROM {table} t) t")
        });
        let rest = [
            "SELECT md5(string_agg(concat_ws(' ', relname, relkind, relacl::text, relrowsecurity), '|' ORDER BY relname)) \
             FROM pg_class WHERE oid >= 16384 AND relnamespace = 'public'::regnamespace",
            "SELECT md5(string_agg(concat_ws(' ', proname, provolatile), '|' ORDER BY oid)) FROM pg_proc WHERE oid >= 16384",
            "SELECT md5(string_agg(concat_ws(' ', attname, attrelid), '|' ORDER BY attrelid, attnum)) FROM pg_attribute WHERE attrelid >= 16384",
            "SELECT md5(string_agg(r::text, '|' ORDER BY rolname)) FROM pg_roles r",
            "SELECT md5(string_agg(concat_ws(' ', rolname, rolpassword), '|' ORDER BY rolname)) FROM pg_authid",
            "SELECT string_agg(datname, '|' ORDER BY datname) FROM pg_database WHERE datname !~ '^layer_'",
            "SELECT coalesce(string_agg(setconfig::text, '|'), '-') FROM pg_db_role_setting",
            "SELECT count(*)::text FROM pg_largeobject_metadata",
            "SELECT concat_ws(' ', (SELECT count(*) FROM pg_prepared_xacts), (SELECT count(*) FROM pg_replication_slots), \
             (SELECT count(*) FROM pg_publication), (SELECT count(*) FROM pg_subscription), (SELECT count(*) FROM pg_namespace WHERE nspname !~ '^pg_'), \
             (SELECT count(*) FROM pg_type), (SELECT count(*) FROM pg_policy), (SELECT count(*) FROM pg_event_trigger), \
             (SELECT count(*) FROM pg_extension), (SELECT count(*) FROM pg_description), (SELECT count(*) FROM pg_tablespace), \
             (SELECT count(*) FROM pg_rewrite), (SELECT count(*) FROM pg_cast), (SELECT count(*) FROM pg_collation), \
             (SELECT count(*) FROM pg_replication_origin), (SELECT count(*) FROM pg_foreign_server), (SELECT count(*) FROM pg_seclabel))",
            "SELECT coalesce(string_agg(concat_ws(' ', sequencename, last_value), '|'), '-') FROM pg_sequences",
            "SELECT md5(pg_read_file('postgresql.auto.conf'))",
        ];
        for query in rows.iter().map(String::as_str).chain(rest) {
            let line = match client.query_one(query, &[]).await {
                Ok(row) => row.get::<_, Option<String>>(0).unwrap_or_default(),
                Err(error) => format!("{error:?}"),
            };
            told.push(line);
        }
        told.push(fs::read_to_string(self.places().file).unwrap_or_default());
        told.join("\n")
    }

    /// What has happened outside of the database; what was made is taken away.
    pub(super) fn effects(&self) -> Vec<&'static str> {
        let mut effects = vec![];
        let made = self.places().out;
        if fs::symlink_metadata(&made).is_ok() {
            effects.push("file made");
            drop(fs::remove_file(&made));
        }
        if self.canary.was_reached() {
            effects.push("network reached");
        }
        let file = self.places().file;
        if fs::read_to_string(&file).ok().as_deref() != Some(SECRET) {
            effects.push("file changed");
            fs::write(&file, SECRET).unwrap();
        }
        effects
    }
}

/// What others hold in the server: locks that outlive a statement, and sessions.
const HELD: &str = "SELECT concat_ws(' ', \
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), \
    (SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE c.oid >= 16384 AND l.pid <> pg_backend_pid()), \
    (SELECT count(*) FROM pg_stat_activity WHERE application_name = 'canary'), \
    (SELECT count(*) FROM pg_stat_activity WHERE state ~ '^idle in transaction'))";

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_answers_with_it_changes_nothing() {
    let Some(scene) = Scene::start() else { return };
    scene.fill("postgres").await;
    let texts = corpus::sample(&corpus::texts(Tongue::Postgres, &scene.places()), 1_200);
    assert!(texts.len() >= 1_000, "{}", texts.len());
    let answers: HashMap<String, String> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| (format!("zq{number}z"), text.sql.clone()))
        .collect();
    let asked = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&asked);
    let model = ScriptedModel::answering(move |seen| {
        *counted.lock().unwrap() += 1;
        Turn::says(reply_to(&answers, &seen.body.to_string()))
    });
    let toml = format!(
        "mode = \"single\"\n[limits]\nattempts = 0\n[[model]]\nname = \"m\"\napi = \"openai\"\nmodel = \"m\"\nbase_url = \"{}/v1\"\n",
        model.url()
    );
    let front = Front::start(&scene.server.address(SUPERUSER, "postgres"), &toml);
    let admin = scene.server.client(SUPERUSER, "postgres").await;
    let canary = scene.server.client(SUPERUSER, "postgres").await;
    canary
        .batch_execute("SET application_name = 'canary'; LISTEN canary")
        .await
        .unwrap();
    let before = scene.state(&admin).await;
    let held: String = admin.query_one(HELD, &[]).await.unwrap().get(0);
    let port = front.port;
    let count = texts.len();
    let told = tokio::task::spawn_blocking(move || {
        let mut client = crate::relay::harness::log_in(port);
        let settings = "SELECT concat_ws(' ', current_setting('work_mem'), current_setting('role'), current_setting('search_path'), current_setting('transaction_read_only'))";
        let own = client.query(settings);
        let mut wrong = vec![];
        for (number, text) in texts.iter().enumerate() {
            // Every third stands in a transaction, every fifth is prepared.
            let question = format!("-- nl: which zq{number}z suppliers are trustworthy?");
            if number % 3 == 0 {
                client.query("BEGIN");
            }
            let lines = if number % 5 == 0 {
                for message in [&format!("Parse | {question}"), "Bind | |", "Execute", "Sync"] {
                    client.send(&crate::server::raw::client_message(message));
                }
                client.until_ready()
            } else {
                client.query(&question)
            };
            let refused = lines
                .iter()
                .any(|line| ["E ERROR 42501", "E ERROR NL005", "E ERROR NL001"].iter().any(|state| line.starts_with(state)));
            if !refused && !corpus::is_defused(&text.sql) || lines.iter().any(|line| line.starts_with("D ") && line.contains(SECRET)) {
                wrong.push(format!("{}: {lines:?}", text.sql));
            }
            if number % 3 == 0 {
                client.query("ROLLBACK");
            }
        }
        assert_eq!(client.query(settings), own);
        wrong
    })
    .await
    .unwrap();
    assert!(told.is_empty(), "{} of {count}: {told:#?}", told.len());
    assert!(*asked.lock().unwrap() >= count, "{}", asked.lock().unwrap());
    let held_after: String = admin.query_one(HELD, &[]).await.unwrap().get(0);
    assert_eq!(held_after, held);
    assert_eq!(scene.state(&admin).await, before);
    assert_eq!(scene.effects(), Vec::<&str>::new());
    drop((canary, front));
    model.finish();
}
