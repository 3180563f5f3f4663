//! Both legs with the same tables, and a scripted model behind each.

use std::{path::Path, time::Duration};

use querent::{
    config::Settings,
    server::{Handle, ServerError},
};
use serde_json::json;

use crate::{
    model::{server::ScriptedModel, turn::Turn},
    postgres::server::Options,
    relay::harness::Relay,
    server::{
        harness::{TestServer, create, settings},
        life::cancel_at,
        raw::Client,
    },
};

const PLANETS: &str = "
    CREATE TABLE planet(id INTEGER PRIMARY KEY, name TEXT NOT NULL, moons INTEGER);
    INSERT INTO planet VALUES (1, 'Mars', 2), (2, 'Venus', 0), (3, 'Saturn', 146);";

/// What no embedded agent understands.
pub(super) const ODD: &str = "-- nl: frobnicate the zorblax";
/// What they do.
pub(super) const COUNT: &str = "-- nl: how many planets are there?";

/// A running Querent.
pub(super) struct Leg {
    pub(super) name: &'static str,
    behind: Behind,
}

enum Behind {
    Sqlite(TestServer),
    Postgres(Box<Relay>),
}

impl Leg {
    pub(super) fn port(&self) -> u16 {
        match &self.behind {
            Behind::Sqlite(server) => server.port,
            Behind::Postgres(relay) => relay.front.port,
        }
    }

    pub(super) fn handle(&self) -> &Handle {
        match &self.behind {
            Behind::Sqlite(server) => &server.handle,
            Behind::Postgres(relay) => &relay.front.handle,
        }
    }

    /// A client that has logged in, and hears of no answer's SQL.
    pub(super) fn client(&self) -> Client {
        let mut client = match &self.behind {
            Behind::Sqlite(server) => server.client(),
            Behind::Postgres(relay) => relay.client(),
        };
        client.query("SET querent.notices = off");
        client
    }

    /// A client of the PostgreSQL server's own; `None` in front of SQLite.
    pub(super) fn direct(&self) -> Option<Client> {
        match &self.behind {
            Behind::Sqlite(_) => None,
            Behind::Postgres(relay) => Some(relay.direct()),
        }
    }

    /// A connection of the driver.
    pub(super) async fn driver(&self) -> tokio_postgres::Client {
        let who = match &self.behind {
            Behind::Sqlite(_) => "user=test dbname=test",
            Behind::Postgres(_) => "user=postgres dbname=postgres",
        };
        let config = format!("host=127.0.0.1 port={} {who}", self.port());
        let (client, connection) = tokio_postgres::connect(&config, tokio_postgres::NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        client
    }

    pub(super) fn cancel(&self, client: &Client) {
        cancel_at(self.port(), client, false);
    }

    /// Takes other lines of configuration, as SIGHUP does.
    pub(super) fn reload(&self, toml: &str) -> Result<(), ServerError> {
        self.handle().reload(self.settings(toml))
    }

    fn settings(&self, toml: &str) -> Settings {
        let folder: &Path = match &self.behind {
            Behind::Sqlite(server) => server.folder.path(),
            Behind::Postgres(relay) => relay.front.folder.path(),
        };
        settings(folder, toml)
    }
}

impl Leg {
    fn sqlite(toml: &str) -> Self {
        let server = TestServer::configured(toml);
        create(server.database.path(), PLANETS);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        assert!(runtime.block_on(server.database.values_ready(Duration::from_secs(20))));
        Self {
            name: "SQLite",
            behind: Behind::Sqlite(server),
        }
    }

    /// `None` where no PostgreSQL is installed.
    fn postgres(toml: &str) -> Option<Self> {
        let relay = Relay::with(&Options::default(), toml)?;
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(relay.postgres.run("postgres", PLANETS));
        Some(Self {
            name: "PostgreSQL",
            behind: Behind::Postgres(Box::new(relay)),
        })
    }
}

/// Runs a test on each leg with these lines of configuration.
pub(super) fn each(toml: &str, test: impl Fn(&Leg)) {
    test(&Leg::sqlite(toml));
    if let Some(leg) = Leg::postgres(toml) {
        test(&leg);
    }
}

/// The same with a model that takes these turns, all of which each leg must use.
pub(super) fn with_model(toml: &str, turns: &[Turn], test: impl Fn(&Leg, &ScriptedModel)) {
    let legs: [fn(&str) -> Option<Leg>; 2] = [|toml| Some(Leg::sqlite(toml)), Leg::postgres];
    for leg in legs {
        let model = ScriptedModel::start(turns.to_vec());
        if let Some(leg) = leg(&format!("{toml}{}", table(&model))) {
            test(&leg, &model);
            model.finish();
        }
    }
}

/// The lines that configure a scripted model.
pub(super) fn table(model: &ScriptedModel) -> String {
    format!(
        "\n[[model]]\nname = \"scripted\"\nbase_url = \"{}\"\nretries = 0\n",
        model.url()
    )
}

/// An answer in the form of the one call.
pub(super) fn says(sql: &str) -> Turn {
    Turn::answers(&json!({
        "reasoning": "as the script says",
        "sql": sql,
        "assumptions": [],
        "alternatives": [],
    }))
}
