//! `querent taxonomy`: kinds of errors that corrections teach, to accept or drop.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use super::{
    Failure,
    output::{Format, Rows},
    runtime,
};
use crate::{
    backend::{SqlType, Value, column, text},
    config::Settings,
    service::{
        conversation::{number, read_change},
        store::{Collected, StoreAddress},
    },
};

/// Tell what corrections teach, and accept it or not
///
/// Each time that a statement is corrected, by `nl fix` or by a model after an error, the one thing that was changed is kept
/// in the store (store.path, store.url), unless the statement reads a private column. Changes that are alike are one subtype.
/// A subtype that is accepted is found, hinted at and repaired as the errors of the built-in taxonomy are, in the
/// database that it was learned from: at once by ask and lint, by a server from its next start or SIGHUP on.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent taxonomy                                  what was learned, the most frequent first
  querent taxonomy accept 3fa2b1c9                  from now on this is an error
  querent taxonomy drop 3fa2b1c9                    it is none
  querent taxonomy list --format json")]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Print what was learned, the most frequent first
    List {
        /// The form of the output
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
    /// Take a subtype for an error from now on
    Accept {
        /// Its number in the list
        id: String,
    },
    /// Take a subtype for no error
    Drop {
        /// Its number in the list
        id: String,
    },
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    let place = StoreAddress::of(&settings.store.location)?;
    let (id, accepted) = match &arguments.action {
        None => return list(&place, Format::Table),
        Some(Action::List { format }) => return list(&place, *format),
        Some(Action::Accept { id }) => (id, true),
        Some(Action::Drop { id }) => (id, false),
    };
    let told = runtime()?.block_on(async {
        let known = place.learned().await?;
        let Some(chosen) = known.iter().find(|one| number(one) == *id) else {
            return Err(Failure::new(format!("nothing with the number {id} was learned"))
                .hint("querent taxonomy lists the numbers"));
        };
        let mut store = place.lessons().await?;
        store.decide(&chosen.database, &chosen.change, accepted).await?;
        Ok::<_, Failure>(described(chosen))
    })?;
    let done = if accepted { "accepted" } else { "dropped" };
    writeln!(io::stdout(), "{done}: {told}")?;
    Ok(ExitCode::SUCCESS)
}

fn list(place: &StoreAddress, format: Format) -> Result<ExitCode, Failure> {
    let known = runtime()?.block_on(place.learned())?;
    let columns = [
        column("id", SqlType::Text),
        column("status", SqlType::Text),
        column("code", SqlType::Text),
        column("database", SqlType::Text),
        column("corrections", SqlType::Int8),
        column("change", SqlType::Text),
        column("before", SqlType::Text),
        column("after", SqlType::Text),
    ];
    let mut rows = Rows::begin(format, &columns, io::BufWriter::new(io::stdout().lock()))?;
    for one in &known {
        let status = match one.accepted {
            None => "proposed",
            Some(true) => "accepted",
            Some(false) => "dropped",
        };
        rows.row(&[
            text(&number(one)),
            text(status),
            text(&one.code),
            text(&one.database),
            Value::Integer(i64::try_from(one.lessons).unwrap_or(i64::MAX)),
            text(&described(one)),
            text(&one.example.0),
            text(&one.example.1),
        ])?;
    }
    rows.end()?;
    Ok(ExitCode::SUCCESS)
}

fn described(one: &Collected) -> String {
    read_change(one).map_or_else(
        || "made by a later version".to_owned(),
        |change| change.describe(),
    )
}
