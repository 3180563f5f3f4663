//! The command line: one file per subcommand. Data goes to stdout, everything else to stderr.

use std::{path::PathBuf, process::ExitCode};

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    config::{Environment, Settings},
    telemetry,
};

mod ask;
mod audit;
mod check;
mod compare;
mod completions;
mod config;
mod console;
mod database;
mod demo;
mod eval;
mod failure;
mod lint;
mod mcp;
mod models;
mod mutations;
mod notify;
mod output;
mod progress;
mod readings;
mod scores;
mod semantic;
mod serve;
mod server;
mod target;
mod taxonomy;
mod try_models;

use failure::Failure;
use notify::Notify;

/// Answers questions in plain language with ordinary rows, for every client that speaks PostgreSQL.
#[derive(Debug, Parser)]
#[command(
    name = "querent",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "Examples:
  querent demo                                      a sample database to try it on
  querent serve shop.db                             then: psql -h 127.0.0.1 -p 7432
  querent ask shop.db \"how many customers are there in each country?\"
  querent check shop.db                             what Querent sees of a database
  querent audit --since 2h                          who asked what, and what came of it

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 an answer less sure than --min-confidence. Settings: querent.toml, QUERENT_SECTION__KEY; see querent config."
)]
struct Arguments {
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        help = "The configuration; else $QUERENT_CONFIG, ./querent.toml, $XDG_CONFIG_HOME/querent/querent.toml"
    )]
    config: Option<PathBuf>,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Arguments),
    Serve(Box<serve::Arguments>),
    Ask(Box<ask::Arguments>),
    Eval(Box<eval::Arguments>),
    Lint(lint::Arguments),
    Mcp(Box<mcp::Arguments>),
    Check(check::Arguments),
    Semantic(semantic::Arguments),
    Audit(audit::Arguments),
    Taxonomy(taxonomy::Arguments),
    Config(config::Arguments),
    Completions(completions::Arguments),
    Man(completions::ManArguments),
}

/// Parses the arguments, runs the subcommand, and turns its outcome into an exit code.
pub fn main() -> ExitCode {
    // Before anything else uses SQLite.
    crate::sqlite::engine::count_memory();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help asked for goes to stdout and is no failure.
            return match error.print() {
                _ if error.use_stderr() => ExitCode::from(2),
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => Failure::from(error).report(),
            };
        }
    };
    match run(arguments) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn run(mut arguments: Arguments) -> Result<ExitCode, Failure> {
    // These tell of the program alone, whatever is configured.
    match &arguments.command {
        Command::Completions(wanted) => return completions::run(wanted, &mut Arguments::command()),
        Command::Man(wanted) => return completions::man(wanted, Arguments::command()),
        _ => {}
    }
    let overrides = match &arguments.command {
        Command::Serve(serve) => serve.overrides(),
        Command::Demo(demo) => demo.overrides(),
        Command::Ask(ask) => ask.overrides(),
        Command::Eval(eval) => eval.overrides(),
        Command::Lint(lint) => lint.overrides(),
        Command::Mcp(mcp) => mcp.overrides(),
        Command::Semantic(semantic) => semantic.overrides(),
        _ => Vec::new(),
    };
    let environment = Environment::of_process();
    // A variable that is empty says nothing, as for the other settings.
    let named = environment.variables.get("QUERENT_CONFIG");
    let named = named.filter(|path| !path.is_empty()).map(PathBuf::from);
    arguments.config = arguments.config.or(named);
    let settings = Settings::load(arguments.config.as_deref(), &environment, &overrides)?;
    let default_filter = match arguments.command {
        Command::Serve(_) => "info",
        _ => "warn",
    };
    telemetry::start(&settings.log, default_filter).map_err(|error| {
        Failure::new(format!("the log filter cannot be read: {error}"))
            .hint("a filter is a level, such as info, or target=level pairs, such as querent=debug")
    })?;
    match arguments.command {
        Command::Demo(arguments) => demo::run(&arguments, &settings),
        Command::Serve(serve) => {
            let config = arguments.config;
            let reload = move || Settings::load(config.as_deref(), &Environment::of_process(), &overrides);
            serve::run(&serve, &settings, Notify::new(&environment), reload)
        }
        Command::Ask(arguments) => ask::run(&arguments, &settings),
        Command::Eval(arguments) => eval::run(&arguments, &settings),
        Command::Lint(arguments) => lint::run(&arguments, &settings),
        Command::Mcp(arguments) => mcp::run(&arguments, &settings),
        Command::Check(arguments) => check::run(&arguments, &settings),
        Command::Semantic(arguments) => semantic::run(&arguments, &settings),
        Command::Audit(arguments) => audit::run(&arguments, &settings),
        Command::Taxonomy(arguments) => taxonomy::run(&arguments, &settings),
        Command::Config(arguments) => config::run(&arguments, &settings),
        Command::Completions(_) | Command::Man(_) => Ok(ExitCode::SUCCESS),
    }
}

/// A runtime for commands that talk to a database.
fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| Failure::new(format!("cannot start threads: {error}")))
}

/// The settings that `--listen` and `--console` override, where they are given.
fn address_overrides(listen: &[String], console: Option<&str>) -> Vec<(&'static str, String, &'static str)> {
    let mut overrides = Vec::new();
    if !listen.is_empty() {
        overrides.push(("listen", listen.join(","), "--listen"));
    }
    overrides.extend(console.map(|console| ("console", console.to_owned(), "--console")));
    overrides
}
