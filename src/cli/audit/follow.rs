//! `querent audit --follow`: questions as they end.

use std::{
    collections::HashSet,
    io::{self, Write},
    ops::ControlFlow,
    process::ExitCode,
    time::{Duration, SystemTime},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::time::sleep;

use super::{Arguments, Failure, columns, row};
use crate::{
    backend::{ResultColumn, column},
    cli::output::{Format, Rows},
    error::visible,
    service::{
        audit::{Entry, Timestamp, entries},
        store::Journal,
    },
};

/// How often the store is looked at.
const PAUSE: Duration = Duration::from_millis(500);
/// How far back it is looked for questions that have ended since, and for those of servers whose clocks are behind.
const WINDOW: Duration = Duration::from_secs(120);
/// How long a question is waited for; one that runs on is told of as it is.
const PATIENCE: Duration = Duration::from_secs(60);

/// Prints entries until somebody ends it.
pub(super) async fn follow(journal: &mut dyn Journal, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.format == Format::Json {
        return Err(Failure::usage("an array of JSON has no end here").hint("use --format jsonl"));
    }
    let columns = columns(arguments.format);
    let described: Vec<ResultColumn> = columns.iter().map(|(name, ty, _)| column(name, *ty)).collect();
    let mut rows = match arguments.format {
        // A table is drawn once all of it is there.
        Format::Table => None,
        format => Some(Rows::begin(format, &described, io::stdout().lock())?),
    };
    let begun = SystemTime::now();
    let first = arguments.since.map_or(begun, |moment| moment.0);
    let mut from = first;
    let mut told: HashSet<String> = HashSet::new();
    loop {
        let now = SystemTime::now();
        let mut found: Vec<Entry> = Vec::new();
        let mut each = |entry| {
            found.push(entry);
            ControlFlow::Continue(())
        };
        entries(journal, Some(from), arguments.user.as_deref(), &mut each).await?;
        let mut known = HashSet::new();
        let mut oldest = None;
        for entry in found {
            let asked = entry.time.parse::<Timestamp>().map_or(now, |moment| moment.0);
            if told.contains(&entry.id) {
                known.insert(entry.id);
                continue;
            }
            let open = entry.decision == "allowed" && entry.outcome.is_none();
            if open && now.duration_since(asked).is_ok_and(|age| age < PATIENCE) {
                oldest.get_or_insert(asked);
                continue;
            }
            if arguments.wants(&entry) {
                match &mut rows {
                    Some(rows) => rows.row(&row(&columns, &entry, arguments.format))?,
                    None => writeln!(io::stdout().lock(), "{}", line(&entry))?,
                }
            }
            known.insert(entry.id);
        }
        match &mut rows {
            Some(rows) => rows.flush()?,
            None => io::stdout().lock().flush()?,
        }
        told = known;
        let window = now.checked_sub(WINDOW).unwrap_or(now).max(first);
        from = oldest.map_or(window, |oldest| window.min(oldest)).max(first);
        if nobody_reads() {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
        }
        sleep(PAUSE).await;
    }
}

/// Whether stdout is a pipe whose other end is closed, which is else noticed with the next question alone.
fn nobody_reads() -> bool {
    let stdout = io::stdout();
    let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
    let at_once = Timespec::default();
    poll(&mut watched, Some(&at_once)).is_ok() && watched[0].revents().contains(PollFlags::ERR)
}

/// An entry for a person who watches.
fn line(entry: &Entry) -> String {
    let outcome = entry.outcome.as_deref().unwrap_or("open");
    let state = entry.sqlstate.as_deref().map(|state| format!(" {state}"));
    let sure = entry.confidence.map(|sure| format!(" {sure:.2}"));
    let rest = match (&entry.sql, &entry.reason) {
        (_, Some(reason)) => format!(" -- {reason}"),
        (Some(sql), None) => format!(" -> {sql}"),
        (None, None) => String::new(),
    };
    let line = format!(
        "{} {} {outcome}{}{} \"{}\"{rest}",
        entry.time,
        entry.user,
        state.unwrap_or_default(),
        sure.unwrap_or_default(),
        entry.question
    );
    visible(&line).replace('\n', " ")
}
