//! Both legs with the same tables, and a scripted model behind each.

use std::{path::Path, time::Duration};

use querent::{
    config::Settings,
    service::server::{Handle, ServerError},
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
pub(crate) const ODD: &str = "-- nl: frobnicate the zorblax";
/// What they do.
pub(crate) const COUNT: &str = "-- nl: how many planets are there?";

/// A running Querent.
pub(crate) struct Leg {
    pub(crate) name: &'static str,
    behind: Behind,
}

enum Behind {
    Sqlite(TestServer),
    Postgres(Box<Relay>),
}

impl Leg {
    pub(crate) fn port(&self) -> u16 {
        match &self.behind {
            Behind::Sqlite(server) => server.port,
            Behind::Postgres(relay) => relay.front.port,
        }
    }

    pub(crate) fn handle(&self) -> &Handle {
        match &self.behind {
            Behind::Sqlite(server) => &server.handle,
            Behind::Postgres(relay) => &relay.front.handle,
        }
    }

    /// A client that has logged in, and hears of no answer's SQL.
    pub(crate) fn client(&self) -> Client {
        let mut client = match &self.behind {
            Behind::Sqlite(server) => server.client(),
            Behind::Postgres(relay) => relay.client(),
        };
        client.query("SET querent.notices = off");
        client
    }

    /// A client of the PostgreSQL server's own; `None` in front of SQLite.
    pub(crate) fn direct(&self) -> Option<Client> {
        match &self.behind {
            Behind::Sqlite(_) => None,
            Behind::Postgres(relay) => Some(relay.direct()),
        }
    }

    /// A connection of the driver.
    pub(crate) async fn driver(&self) -> tokio_postgres::Client {
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

    pub(crate) fn cancel(&self, client: &Client) {
        cancel_at(self.port(), client, false);
    }

    /// Changes the database as another program does.
    pub(crate) fn change(&self, sql: &str) {
        match &self.behind {
            Behind::Sqlite(server) => create(server.database.path(), sql),
            Behind::Postgres(relay) => {
                let told = relay.direct().query(sql);
                assert_eq!(told.last().unwrap(), "Z I", "{told:?}");
                assert!(told.iter().all(|line| !line.starts_with("E ")), "{told:?}");
            }
        }
    }

    /// Takes other lines of configuration, as SIGHUP does.
    pub(crate) fn reload(&self, toml: &str) -> Result<(), ServerError> {
        self.handle().reload(self.settings(toml))
    }

    /// Where its configuration is.
    pub(crate) fn folder(&self) -> &Path {
        match &self.behind {
            Behind::Sqlite(server) => server.folder.path(),
            Behind::Postgres(relay) => relay.front.folder.path(),
        }
    }

    fn settings(&self, toml: &str) -> Settings {
        settings(self.folder(), toml)
    }
}

impl Leg {
    pub(crate) fn sqlite(toml: &str, tables: &str) -> Self {
        let server = TestServer::configured(toml);
        // The tables of the test are all that there is, as before PostgreSQL.
        create(server.database.path(), "DROP TABLE orders; DROP TABLE customer");
        create(server.database.path(), tables);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        assert!(runtime.block_on(server.database.values_ready(Duration::from_secs(20))));
        Self {
            name: "SQLite",
            behind: Behind::Sqlite(server),
        }
    }

    /// `None` where no PostgreSQL is installed.
    pub(crate) fn postgres(toml: &str, tables: &str) -> Option<Self> {
        let relay = Relay::with(&Options::default(), toml)?;
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(relay.postgres.run("postgres", tables));
        Some(Self {
            name: "PostgreSQL",
            behind: Behind::Postgres(Box::new(relay)),
        })
    }
}

/// Runs a test on each leg with these lines of configuration.
pub(crate) fn each(toml: &str, test: impl Fn(&Leg)) {
    over(PLANETS, toml, test);
}

/// The same over other tables.
pub(crate) fn over(tables: &str, toml: &str, test: impl Fn(&Leg)) {
    test(&Leg::sqlite(toml, tables));
    if let Some(leg) = Leg::postgres(toml, tables) {
        test(&leg);
    }
}

/// Runs a test with a model that takes these turns, all of which each leg must use.
pub(crate) fn with_model(toml: &str, turns: &[Turn], test: impl Fn(&Leg, &ScriptedModel)) {
    over_with_model(PLANETS, toml, turns, test);
}

/// The same over other tables.
pub(crate) fn over_with_model(tables: &str, toml: &str, turns: &[Turn], test: impl Fn(&Leg, &ScriptedModel)) {
    let legs: [fn(&str, &str) -> Option<Leg>; 2] =
        [|toml, tables| Some(Leg::sqlite(toml, tables)), Leg::postgres];
    for leg in legs {
        let model = ScriptedModel::start(turns.to_vec());
        if let Some(leg) = leg(&format!("{toml}{}", table(&model)), tables) {
            test(&leg, &model);
            model.finish();
        }
    }
}

/// The lines that configure a scripted model.
pub(crate) fn table(model: &ScriptedModel) -> String {
    format!(
        "\n[[model]]\nname = \"scripted\"\nbase_url = \"{}\"\nretries = 0\n",
        model.url()
    )
}

/// An answer in the form of the one call.
pub(crate) fn says(sql: &str) -> Turn {
    Turn::answers(&json!({
        "reasoning": "as the script says",
        "sql": sql,
        "assumptions": [],
        "alternatives": [],
    }))
}
