//! `querent audit`: what was asked, by whom, and what came of it.

use std::{
    io::{self, Write},
    ops::ControlFlow,
    process::ExitCode,
    sync::mpsc::sync_channel,
    thread,
};

use clap::ValueEnum;

use super::{
    Failure,
    ask::confidence,
    output::{Format, Rows},
    runtime,
};
use crate::{
    backend::{ResultColumn, column},
    config::Settings,
    service::{
        audit::{Entry, Timestamp, Verdict, entries, verify},
        store::StoreAddress,
    },
};

mod columns;
mod follow;

use columns::{columns, row};

/// Entries that wait to be written at most.
const WAITING: usize = 256;

/// Tell what was asked, by whom, and what came of it
///
/// Reads the store that the configuration names (store.path, store.url), also while a server writes to it. The table
/// has the columns that matter most; csv, json and jsonl have all. In csv, text that a spreadsheet would take for a formula
/// begins with an apostrophe.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent audit --since 2h
  querent audit --since 2026-03-01 --user ann --format csv > march.csv
  querent audit --format json | jq '.[] | select(.decision == \"refused\")'
  querent audit --outcome refused,failed --since 7d
  querent audit --max-confidence 0.6 --format markdown
  querent audit --follow --format jsonl             each question as it ends, until Ctrl-C
  querent audit --verify                            whether nobody has changed or removed anything")]
pub(super) struct Arguments {
    /// Questions from then on: 2026-03-01T12:00:00Z, 2026-03-01, or how long ago, such as 2h or 7d
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Questions of this user
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// Questions that came to this; several with commas
    #[arg(long, value_enum, value_name = "OUTCOME", value_delimiter = ',')]
    outcome: Vec<Outcome>,
    /// Answers that are at least so sure, 0 to 1
    #[arg(long, value_name = "NUMBER", value_parser = confidence)]
    min_confidence: Option<f64>,
    /// Answers that are at most so sure, 0 to 1
    #[arg(long, value_name = "NUMBER", value_parser = confidence)]
    max_confidence: Option<f64>,
    /// Print questions as they end, those from now on unless --since says otherwise; Ctrl-C ends it
    #[arg(long, conflicts_with = "verify")]
    follow: bool,
    /// The form of the output
    #[arg(long, value_enum, default_value = "table", conflicts_with = "verify")]
    format: Format,
    /// Check the chain of hashes instead; exits with 1 if it is broken
    #[arg(long, conflicts_with_all = ["since", "user", "outcome", "min_confidence", "max_confidence"])]
    verify: bool,
}

/// What a question came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Outcome {
    /// Its SQL ran to its end
    Ok,
    /// It, or its SQL, broke
    Failed,
    /// It was stopped
    Cancelled,
    /// Its rows were not taken to the end
    Left,
    /// Its SQL was shown and not run
    Shown,
    /// It has no answer, or none that may be given
    Refused,
    /// Its SQL has not run, or still does
    Open,
}

impl Arguments {
    /// Whether an entry is asked for.
    fn wants(&self, entry: &Entry) -> bool {
        let named = |outcome: &Outcome| match (outcome, entry.outcome.as_deref()) {
            (Outcome::Open, told) => told.is_none(),
            (outcome, Some(told)) => outcome
                .to_possible_value()
                .is_some_and(|value| value.get_name() == told),
            _ => false,
        };
        let sure = entry.confidence;
        (self.outcome.is_empty() || self.outcome.iter().any(named))
            && self
                .min_confidence
                .is_none_or(|least| sure.is_some_and(|sure| sure >= least))
            && self
                .max_confidence
                .is_none_or(|most| sure.is_some_and(|sure| sure <= most))
    }
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    let runtime = runtime()?;
    let place = StoreAddress::of(&settings.store.location)?;
    let mut journal = runtime.block_on(place.reader())?;
    if arguments.verify {
        return tell(&runtime.block_on(verify(journal.as_mut()))?);
    }
    if arguments.follow {
        return runtime.block_on(follow::follow(journal.as_mut(), arguments));
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
            let mut each = |entry| match sender.send(entry) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            };
            let read = runtime.block_on(entries(journal.as_mut(), since, user, &mut each));
            drop(sender);
            read
        });
        // The receiver goes with an error: nobody waits then until there is room for one more.
        for entry in receiver.into_iter().filter(|entry| arguments.wants(entry)) {
            rows.row(&row(&columns, &entry, arguments.format))?;
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
