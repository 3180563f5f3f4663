//! The same statements on a real PostgreSQL and on a SQLite file: names, types, rows, notices, codes of errors and tags agree.

use std::{collections::BTreeMap, fs, path::Path};

use super::{
    postgres::server::PostgresServer,
    server::{harness::TestServer, raw::Client},
};

/// The least share of statements that must agree, in percent.
const LEAST: usize = 95;

/// Statements of a file, which blank lines part.
fn statements(file: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let parts = text.split("\n\n").map(|statement| statement.trim().to_owned());
    parts.filter(|statement| !statement.is_empty()).collect()
}

/// What a server says, as far as it must agree; rows without an order in any.
fn answer(client: &mut Client, sql: &str) -> Vec<String> {
    let mut said: Vec<String> = client
        .query(sql)
        .into_iter()
        .filter(|message| !message.starts_with(['Z', 'S']))
        // What is passed over is told alike; PostgreSQL has more to tell.
        .filter(|message| !message.starts_with('N') || message.ends_with(", skipping"))
        // Of an error, the code.
        .map(|message| match message.strip_prefix("E ") {
            Some(error) => error.split(' ').nth(1).unwrap_or_default().to_owned(),
            None => message,
        })
        .collect();
    if !sql.to_lowercase().contains("order by") {
        said.sort();
    }
    said
}

/// A real PostgreSQL and a SQLite file behind Querent, both empty.
pub(crate) struct Pair {
    pub(crate) postgres: PostgresServer,
    pub(crate) sqlite: TestServer,
}

impl Pair {
    /// Starts both. `None` where no PostgreSQL is installed.
    pub(crate) async fn start() -> Option<Self> {
        let postgres = PostgresServer::start()?;
        postgres.run("postgres", "CREATE ROLE test SUPERUSER LOGIN").await;
        let sqlite = TestServer::start();
        let mut pair = Self { postgres, sqlite };
        pair.empty().await;
        Some(pair)
    }

    /// Gives both a new database. Whoever was logged in to the old ones has left.
    pub(crate) async fn empty(&mut self) {
        self.postgres
            .run("postgres", "DROP DATABASE IF EXISTS test WITH (FORCE)")
            .await;
        self.postgres.run("postgres", "CREATE DATABASE test").await;
        self.sqlite = TestServer::start();
        // The harness has tables of its own.
        let mut ours = self.sqlite.client();
        for table in ["orders", "customer"] {
            ours.query(&format!("DROP TABLE {table}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_mean_what_they_mean_on_postgresql() {
    let Some(pair) = Pair::start().await else {
        return;
    };
    let mut theirs = Client::connect(pair.postgres.port);
    theirs.log_in();
    let mut ours = pair.sqlite.client();
    let known: BTreeMap<String, String> = statements("known.txt")
        .into_iter()
        .map(|entry| {
            let (reason, statement) = entry.split_once('\n').unwrap();
            (statement.to_owned(), reason.to_owned())
        })
        .collect();
    let mut files: Vec<String> =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|kind| kind == "sql") && !path.ends_with("setup.sql"))
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
    files.sort();
    files.insert(0, "setup.sql".into());
    let (mut agree, mut total) = (0, 0);
    let mut news = vec![];
    for file in files {
        let mut here = (0, 0);
        for statement in statements(&file) {
            let (expected, found) = (answer(&mut theirs, &statement), answer(&mut ours, &statement));
            here.1 += 1;
            let same = expected == found;
            here.0 += usize::from(same);
            if same == known.contains_key(&statement) {
                news.push(format!(
                    "{file}: {statement}\n  theirs {expected:?}\n  ours   {found:?}"
                ));
            }
        }
        eprintln!("{file}: {} of {}", here.0, here.1);
        agree += here.0;
        total += here.1;
    }
    assert!(
        news.is_empty(),
        "new differences, or old ones that are gone:\n{}",
        news.join("\n")
    );
    assert!(agree * 100 >= total * LEAST, "{agree} of {total} agree");
}
