//! `querent audit`: what was asked, by whom, and what came of it.

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::mpsc::sync_channel,
    thread,
};

use super::{
    Failure,
    output::{Format, Rows},
    runtime,
};
use crate::{
    audit::{Entry, Moment, Verdict, entries, verify},
    backend::{ResultColumn, SqlType, Value, column, text},
    config::Settings,
    store::Place,
};

/// Entries that wait to be written at most.
const WAITING: usize = 256;

/// Tell what was asked, by whom, and what came of it
///
/// Reads the store that the configuration names (store.path, store.url), also while a server writes to it. The table
/// has the columns that matter most; csv and json have all.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent audit --since 2h
  querent audit --since 2026-03-01 --user ann --format csv > march.csv
  querent audit --format json | jq '.[] | select(.decision == \"refused\")'
  querent audit --verify                            whether nobody has changed or removed anything")]
pub(super) struct Arguments {
    /// Questions from then on: 2026-03-01T12:00:00Z, 2026-03-01, or how long ago, such as 2h or 7d
    #[arg(long, value_name = "TIME")]
    since: Option<Moment>,
    /// Questions of this user
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// The form of the output
    #[arg(long, value_enum, default_value = "table", conflicts_with = "verify")]
    format: Format,
    /// Check the chain of hashes instead; exits with 1 if it is broken
    #[arg(long, conflicts_with_all = ["since", "user"])]
    verify: bool,
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    let runtime = runtime()?;
    let place = Place::of(&settings.store)?;
    let mut journal = runtime.block_on(place.reader())?;
    if arguments.verify {
        return tell(&runtime.block_on(verify(journal.as_mut()))?);
    }
    let columns = columns(arguments.format);
    let described: Vec<ResultColumn> = columns.iter().map(|(name, ty, _)| column(name, *ty)).collect();
    let out = io::BufWriter::new(io::stdout().lock());
    let mut rows = Rows::begin(arguments.format, &described, out)?;
    // Entries are written as they are read, since there may be more than fit into memory.
    let (sender, receiver) = sync_channel(WAITING);
    thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let (since, user) = (arguments.since.map(|moment| moment.0), arguments.user.as_deref());
            // Who does not want them any more has failed, and tells why.
            let mut each = |entry| drop(sender.send(entry));
            let read = runtime.block_on(entries(journal.as_mut(), since, user, &mut each));
            drop(sender);
            read
        });
        for entry in &receiver {
            let row: Vec<Value> = columns.iter().map(|(_, _, value)| value(&entry)).collect();
            rows.row(&row)?;
        }
        let read = reading.join();
        read.map_err(|_| Failure::new("reading the audit has failed"))??;
        rows.end()?;
        Ok(ExitCode::SUCCESS)
    })
}

fn tell(verdict: &Verdict) -> Result<ExitCode, Failure> {
    match &verdict.broken {
        None if verdict.events == 0 => writeln!(io::stdout(), "the audit is empty")?,
        None => writeln!(
            io::stdout(),
            "the chain holds: {} events, from {} to {}, the last with the hash {}",
            verdict.events,
            verdict.first,
            verdict.tail.seq,
            verdict.head()
        )?,
        Some((at, how)) => {
            return Err(Failure::new(format!("the chain is broken at event {at}: {how}"))
                .hint("somebody changed the store: compare it with a copy"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

type Column = (&'static str, SqlType, fn(&Entry) -> Value);

/// All columns, or those that a person sees.
fn columns(format: Format) -> Vec<Column> {
    let all = COLUMNS.iter().copied();
    match format {
        Format::Table => all.filter(|(name, ..)| SHORT.contains(name)).collect(),
        Format::Csv | Format::Json => all.collect(),
    }
}

const SHORT: [&str; 10] = [
    "time", "user", "address", "action", "question", "decision", "sqlstate", "outcome", "rows", "sql",
];

const COLUMNS: [Column; 29] = [
    ("time", SqlType::Text, |entry| text(&entry.time)),
    ("id", SqlType::Text, |entry| text(&entry.id)),
    ("server", SqlType::Text, |entry| text(&entry.server)),
    ("session", SqlType::Int8, |entry| count(Some(entry.session))),
    ("user", SqlType::Text, |entry| text(&entry.user)),
    ("role", SqlType::Text, |entry| filled(&entry.role)),
    ("database", SqlType::Text, |entry| text(&entry.database)),
    ("address", SqlType::Text, |entry| text(&entry.address)),
    ("application", SqlType::Text, |entry| filled(&entry.application)),
    ("action", SqlType::Text, |entry| text(&entry.action)),
    ("question", SqlType::Text, |entry| text(&entry.question)),
    ("decision", SqlType::Text, |entry| text(&entry.decision)),
    ("outcome", SqlType::Text, |entry| words(entry.outcome.as_ref())),
    ("sqlstate", SqlType::Text, |entry| words(entry.sqlstate.as_ref())),
    ("reason", SqlType::Text, |entry| words(entry.reason.as_ref())),
    ("detail", SqlType::Text, |entry| words(entry.detail.as_ref())),
    ("tier", SqlType::Text, |entry| words(entry.tier.as_ref())),
    ("confidence", SqlType::Float8, |entry| number(entry.confidence)),
    ("cached", SqlType::Bool, |entry| {
        count(entry.cached.map(u64::from))
    }),
    ("model_calls", SqlType::Int8, |entry| count(entry.model_calls)),
    ("prompt_tokens", SqlType::Int8, |entry| count(entry.prompt_tokens)),
    ("completion_tokens", SqlType::Int8, |entry| {
        count(entry.completion_tokens)
    }),
    ("cost_usd", SqlType::Float8, |entry| number(entry.cost_usd)),
    ("answer_ms", SqlType::Float8, |entry| number(entry.answer_ms)),
    ("runs", SqlType::Int8, |entry| count(Some(entry.runs))),
    ("rows", SqlType::Int8, |entry| count(entry.rows)),
    ("run_ms", SqlType::Float8, |entry| number(entry.run_ms)),
    // The longest come last, where a table is wide.
    ("sql", SqlType::Text, |entry| words(entry.sql.as_ref())),
    ("text", SqlType::Text, |entry| words(entry.text.as_ref())),
];

fn words(text: Option<&String>) -> Value {
    text.map_or(Value::Null, |text| crate::backend::text(text))
}

fn filled(value: &str) -> Value {
    if value.is_empty() {
        Value::Null
    } else {
        text(value)
    }
}

fn count(number: Option<u64>) -> Value {
    number.map_or(Value::Null, |number| {
        Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    })
}

fn number(number: Option<f64>) -> Value {
    number.map_or(Value::Null, Value::Real)
}
