//! A PostgreSQL server with a small shop, and Querent in front of it.

use std::{path::Path, thread::JoinHandle};

use querent::{
    backend::postgres,
    config::{Environment, Settings},
    server::{Handle, Server},
};

use crate::{
    postgres::server::{Options, PostgresServer, SUPERUSER},
    server::raw::{Client, show, startup},
};

/// Both servers; dropping it ends them.
pub(crate) struct Relay {
    pub(crate) postgres: PostgresServer,
    pub(crate) handle: Handle,
    /// Where Querent listens.
    pub(crate) port: u16,
    thread: Option<JoinHandle<()>>,
}

const SHOP: &str = "
    CREATE TABLE customers(id int PRIMARY KEY, name text NOT NULL, country text, born date);
    INSERT INTO customers VALUES
        (1, 'Ann', 'Spain', '1990-01-02'), (2, 'Bob', 'France', NULL), (3, 'Zoë', 'Spain', NULL);
    CREATE TABLE orders(id int PRIMARY KEY, customer_id int REFERENCES customers(id), total numeric);
    INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 20), (3, 2, 30);
    CREATE TABLE notes(id serial PRIMARY KEY, body text);
    CREATE FUNCTION say(what text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE '%', what; RETURN 1; END $$;";

impl Relay {
    /// `None`, and a line that says so, where no PostgreSQL is installed.
    pub(crate) fn start() -> Option<Self> {
        Self::with(&Options::default(), "")
    }

    /// With a server that is set up like this, and lines of Querent's configuration.
    pub(crate) fn with(options: &Options, toml: &str) -> Option<Self> {
        let postgres = PostgresServer::with(options)?;
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(postgres.run("postgres", SHOP));
        let address = postgres.address(SUPERUSER, "postgres");
        let (handle, port, thread) = serve(&address, toml);
        Some(Self {
            postgres,
            handle,
            port,
            thread: Some(thread),
        })
    }

    /// A client of Querent's that has logged in.
    pub(crate) fn client(&self) -> Client {
        log_in(self.port)
    }

    /// A client of the server's own.
    pub(crate) fn direct(&self) -> Client {
        log_in(self.postgres.port)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.handle.drain();
        if let Some(thread) = self.thread.take() {
            // A panic of the server has been told already.
            let _ = thread.join();
        }
    }
}

/// Serves in a thread of its own.
fn serve(address: &str, toml: &str) -> (Handle, u16, JoinHandle<()>) {
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(folder.path(), toml);
    let server: postgres::Server = address.parse().unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let server = Server::bind(server, settings).await.unwrap();
            sender.send((server.handle(), server.addresses())).unwrap();
            server.run().await;
        });
    });
    let (handle, addresses) = receiver.recv().unwrap();
    let port = addresses[0].rsplit_once(':').unwrap().1.parse().unwrap();
    (handle, port, thread)
}

fn settings(folder: &Path, toml: &str) -> Settings {
    let file = folder.join("querent.toml");
    let listen = if toml.contains("listen =") {
        ""
    } else {
        "listen = [\"127.0.0.1:0\"]\n"
    };
    std::fs::write(&file, format!("{listen}{toml}")).unwrap();
    Settings::load(Some(&file), &Environment::default(), &[]).unwrap()
}

fn log_in(port: u16) -> Client {
    let mut client = Client::connect(port);
    client.send(&startup(
        3 << 16,
        &[
            ("user", SUPERUSER),
            ("database", "postgres"),
            ("client_encoding", "UTF8"),
        ],
    ));
    loop {
        let (tag, body) = client.message().expect("the server lets us in");
        match tag {
            b'K' => {
                client.process = u32::from_be_bytes(body[..4].try_into().unwrap());
                client.secret = body[4..].to_vec();
            }
            b'Z' => return client,
            b'E' => panic!("{}", show(tag, &body)),
            _ => {}
        }
    }
}
