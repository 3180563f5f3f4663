//! `querent demo`: the sample shop, served and asked.

use std::process::ExitCode;

use super::Failure;
use crate::config::Settings;

/// Make a sample database, serve it and show what can be asked
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// HOST:PORT, or the path of a unix socket or its folder; may be repeated [default: 127.0.0.1:7432]
    #[arg(long, value_name = "ADDR")]
    listen: Vec<String>,
    /// The web console is not supported yet; only `off` is accepted
    #[arg(long, value_name = "ADDR", hide = true, value_parser = ["off"])]
    console: Option<String>,
    /// Print the questions with their answers, then end
    #[arg(long)]
    once: bool,
}

impl Arguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        super::listen_override(&self.listen)
    }
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    let _ = (arguments.once, settings);
    Err(Failure::new("not built yet"))
}
