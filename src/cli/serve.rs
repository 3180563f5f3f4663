//! `querent serve`: a PostgreSQL server in front of a database.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use super::{
    Failure, runtime,
    target::{ModelSpec, Target},
};
use crate::{
    config::{ConfigError, Settings},
    server::Server,
};

/// Serve a database to every PostgreSQL client
///
/// Ordinary SQL passes through; a question is answered with rows. SIGTERM and Ctrl-C let running statements end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent serve sqlite:shop.db
  querent serve sqlite:shop.db --listen 127.0.0.1:5433 --listen /tmp
  psql -h 127.0.0.1 -p 7432 -c \"-- nl: how many customers are there in each country?\"")]
pub(super) struct Arguments {
    /// The database: sqlite:PATH
    backend: Target,
    /// HOST:PORT, or the path of a unix socket or its folder; may be repeated [default: 127.0.0.1:7432]
    #[arg(long, value_name = "ADDR")]
    listen: Vec<String>,
    /// The web console is not supported yet; only `off` is accepted
    #[arg(long, value_name = "ADDR", hide = true, value_parser = ["off"])]
    console: Option<String>,
    /// Who answers; this version has `embedded`
    #[arg(long, value_name = "SPEC")]
    model: Vec<ModelSpec>,
}

impl Arguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        super::listen_override(&self.listen)
    }
}

pub(super) fn run(
    arguments: &Arguments,
    settings: &Settings,
    reload: impl Fn() -> Result<Settings, ConfigError> + Send + 'static,
) -> Result<ExitCode, Failure> {
    settings.check_trust()?;
    let database = arguments.backend.open(settings, false)?;
    runtime()?.block_on(async {
        database.index_values();
        let server = Server::bind(database, settings.clone()).await?;
        for address in server.addresses() {
            writeln!(io::stderr().lock(), "listening on {address}")?;
        }
        server.run_until_signal(reload).await?;
        Ok(ExitCode::SUCCESS)
    })
}
