//! A server in this process, with a small database.

use std::{path::Path, sync::Arc, thread::JoinHandle};

use querent::{
    config::{Environment, Settings},
    service::server::{Handle, Server},
    sqlite::engine::{Database, Options},
};
use tempfile::TempDir;

use super::raw::Client;

/// A running server; dropping it ends it and takes its folder along.
pub(crate) struct TestServer {
    pub(crate) handle: Handle,
    pub(crate) port: u16,
    pub(crate) folder: TempDir,
    pub(crate) database: Arc<Database>,
    thread: Option<JoinHandle<()>>,
}

const TABLES: &str = "
    CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, born DATE, vip BOOLEAN);
    INSERT INTO customer VALUES
        (1, 'Ann', 'Spain', '1990-01-02', 1), (2, 'Bob', 'France', NULL, 0), (3, 'Zoë', 'Spain', NULL, NULL);
    CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), total REAL);
    INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 20), (3, 2, 30);";

impl TestServer {
    /// With the settings of a development machine.
    pub(crate) fn start() -> Self {
        Self::configured("")
    }

    /// With these lines of configuration. `FOLDER` in them is the server's own folder.
    pub(crate) fn configured(toml: &str) -> Self {
        Self::with(toml, Options::default())
    }

    /// With settings and options.
    pub(crate) fn with(toml: &str, options: Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        create(&file, TABLES);
        let settings = settings(folder.path(), toml);
        let database = Database::open(&file, options).unwrap();
        database.index_values();
        let (sender, receiver) = std::sync::mpsc::channel();
        let shared = Arc::clone(&database);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let server = Server::bind(shared, settings).await.unwrap();
                sender.send((server.handle(), server.addresses())).unwrap();
                server.run().await;
            });
        });
        let (handle, addresses) = receiver.recv().unwrap();
        let port = addresses
            .iter()
            .find_map(|address| address.rsplit_once(':')?.1.parse().ok())
            .unwrap_or(0);
        Self {
            handle,
            port,
            folder,
            database,
            thread: Some(thread),
        }
    }

    /// A client that has logged in.
    pub(crate) fn client(&self) -> Client {
        let mut client = self.stranger();
        client.log_in();
        client
    }

    /// A client that has said nothing yet.
    pub(crate) fn stranger(&self) -> Client {
        Client::connect(self.port)
    }

    /// A connection of the driver.
    pub(crate) async fn driver(&self) -> tokio_postgres::Client {
        let config = format!("host=127.0.0.1 port={} user=test dbname=test", self.port);
        let (client, connection) = tokio_postgres::connect(&config, tokio_postgres::NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        client
    }

    /// Waits until the server has ended.
    pub(crate) fn join(&mut self) {
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.handle.drain();
    }
}

/// Writes a database, or more into one.
pub(crate) fn create(file: &Path, sql: &str) {
    rusqlite::Connection::open(file)
        .unwrap()
        .execute_batch(sql)
        .unwrap();
}

/// Settings as a configuration file gives them; without a `listen` line, any free port.
pub(crate) fn settings(folder: &Path, toml: &str) -> Settings {
    let file = folder.join("querent.toml");
    let listen = if toml.contains("listen") {
        ""
    } else {
        "listen = [\"127.0.0.1:0\"]\n"
    };
    let toml = toml.replace("FOLDER", folder.to_str().unwrap());
    std::fs::write(&file, format!("{listen}{toml}")).unwrap();
    Settings::load(Some(&file), &Environment::default(), &[]).unwrap()
}
