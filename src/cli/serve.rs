//! `querent serve`: a PostgreSQL server in front of a database.

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use tracing::{info, warn};

use super::{
    Failure, console,
    models::{MeaningArguments, ModelArguments},
    notify::Notify,
    progress, runtime,
    target::{AttachArguments, Target},
};
use crate::{
    config::{ConfigError, Settings},
    service::{
        access,
        server::{Handle, Leg, Server},
    },
    sqlite::engine::Database,
};

/// How long the progress of the value index is shown at most; it goes on beyond that.
const INDEX_PATIENCE: Duration = Duration::from_secs(3600);

/// Serve a database to every PostgreSQL client
///
/// Ordinary SQL passes through; a question is answered with rows. SIGTERM and Ctrl-C let running statements end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent serve sqlite:shop.db
  querent serve sqlite:shop.db --listen 127.0.0.1:5433 --listen /tmp
  querent serve sqlite:shop.db --attach archive=shop-2023.db
  querent serve postgres://db.example/shop --model ollama:qwen2.5-coder:7b --model openai:gpt-4.1
  psql -h 127.0.0.1 -p 7432 -c \"-- nl: how many customers are there in each country?\"")]
pub(super) struct Arguments {
    /// The database: a SQLite file, or postgres://[user[:password]@]host[:port][/db], or "host=… dbname=…"
    backend: Target,
    /// HOST:PORT, or the path of a unix socket or its folder; may be repeated [default: 127.0.0.1:7432]
    #[arg(long, value_name = "ADDR")]
    listen: Vec<String>,
    /// HOST:PORT of /healthz and /metrics, or off [default: 127.0.0.1:7433]
    #[arg(long, value_name = "ADDR")]
    console: Option<String>,
    #[command(flatten)]
    attach: AttachArguments,
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    meaning: MeaningArguments,
}

impl Arguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        let mut overrides = super::address_overrides(&self.listen, self.console.as_deref());
        overrides.extend(self.attach.overrides());
        overrides.extend(self.model.overrides());
        overrides.extend(self.meaning.overrides());
        overrides
    }
}

pub(super) fn run(
    arguments: &Arguments,
    settings: &Settings,
    notify: Notify,
    reload: impl Fn() -> Result<Settings, ConfigError> + Send + Sync + 'static,
) -> Result<ExitCode, Failure> {
    let (leg, database) = match &arguments.backend {
        Target::Postgres(server) => (Leg::Postgres((**server).clone()), None),
        backend @ Target::Sqlite(_) => {
            settings.check_sqlite()?;
            let database = backend.open(settings, false)?;
            (Leg::Sqlite(Arc::clone(&database)), Some(database))
        }
    };
    runtime()?.block_on(async {
        let server = Server::bind(leg, settings.clone()).await?;
        let handle = server.handle();
        let prepared = handle.clone();
        let console = console::bind(&settings.console, handle.clone(), &arguments.backend).await?;
        let addresses = server.addresses();
        let told = notify.clone();
        let governed = database.clone();
        let running = server.run_until_signal(move || {
            told.reloading();
            let settings = reload();
            if let Ok(settings) = &settings {
                tell_of_policy(governed.as_ref(), settings);
            }
            told.ready();
            settings
        });
        let console = console::start(console)?;
        for address in addresses {
            writeln!(io::stderr().lock(), "listening on {address}")?;
        }
        tell_of_policy(database.as_ref(), settings);
        notify.ready();
        let stopping = tokio::spawn(async move {
            handle.drained().await;
            notify.stopping();
        });
        let index = database.map(|database| tokio::spawn(tell_index(database, prepared)));
        running.await?;
        // It answers up to here, so that it can be seen how the server drains.
        drop(console);
        // It ends with draining, which has begun.
        drop(stopping.await);
        if let Some(index) = index {
            index.abort();
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// Warns of a policy that does not fit the file: a rule that denies what is not there denies nothing. In front of a server
/// each user has a schema of its own, and `querent check` tells.
fn tell_of_policy(database: Option<&Arc<Database>>, settings: &Settings) {
    let (Some(database), settings) = (database.map(Arc::clone), settings.clone()) else {
        return;
    };
    tokio::spawn(async move {
        // Clients are told of it with their next question.
        let Ok(snapshot) = database.snapshot().await else {
            return;
        };
        for problem in access::problems(&settings, &snapshot) {
            warn!(%problem, "the access policy does not fit the database");
        }
    });
}

/// Fills the value index, with a bar on a terminal, and logs how it went; then what it all means is worked out.
async fn tell_index(database: Arc<Database>, server: Handle) {
    match progress::index_values(&database, INDEX_PATIENCE).await {
        Ok(progress) => info!(
            columns = progress.columns_done,
            of = progress.columns_total,
            values = progress.values,
            truncated = progress.truncated,
            "stored values read"
        ),
        // Clients get the same error with their next question.
        Err(error) => warn!(%error, "stored values cannot be read"),
    }
    server.prepare_meanings().await;
}
