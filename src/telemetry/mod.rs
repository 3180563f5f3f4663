//! Logs: `tracing` events to stderr, as text or as one JSON object per line.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::{EnvFilter, filter::ParseError};

use crate::config::{LogFormat, LogSettings};

mod lines;
pub mod metrics;
mod outage;
mod session;
mod traces;

pub use lines::append_lines;
pub use outage::Outage;
pub use session::{Answered, SessionLog};
pub use traces::{Ending, QuestionTrace, Run, TraceError, Traces};

/// Sends events from now on to stderr. `default_filter` counts where the settings name none. Calling it again
/// in the same process changes nothing.
pub fn start(settings: &LogSettings, default_filter: &str) -> Result<(), ParseError> {
    let filter = settings.filter.as_deref().unwrap_or(default_filter);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::builder().parse(filter)?)
        .with_writer(stderr);
    let outcome = if settings.format == LogFormat::Json {
        builder.json().flatten_event(true).try_init()
    } else {
        builder.with_ansi(stderr().is_terminal()).try_init()
    };
    // A second subscriber is refused; the first one goes on.
    drop(outcome);
    Ok(())
}
