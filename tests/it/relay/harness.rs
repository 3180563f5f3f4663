//! A PostgreSQL server with a small shop, and Querent in front of it.

use super::front::Front;
use crate::{
    postgres::server::{Options, PostgresServer, SUPERUSER},
    server::raw::{Client, show, startup},
};

/// Both servers; dropping it ends them.
pub(crate) struct Relay {
    pub(crate) postgres: PostgresServer,
    pub(crate) front: Front,
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
        let front = Front::start(&address, toml);
        Some(Self { postgres, front })
    }

    /// A client of Querent's that has logged in.
    pub(crate) fn client(&self) -> Client {
        log_in(self.front.port)
    }

    /// A client of the server's own.
    pub(crate) fn direct(&self) -> Client {
        log_in(self.postgres.port)
    }
}

pub(crate) fn log_in(port: u16) -> Client {
    log_in_as(port, SUPERUSER)
}

/// A client that has logged in as somebody.
pub(crate) fn log_in_as(port: u16, user: &str) -> Client {
    let mut client = Client::connect(port);
    client.send(&startup(
        3 << 16,
        &[
            ("user", user),
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
