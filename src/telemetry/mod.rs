//! Logs: `tracing` events to stderr, as text or as one JSON object per line.

use std::io::{self, IsTerminal, Write, stderr};

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
    let coloured = settings.format != LogFormat::Json && stderr().is_terminal();
    let builder = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::builder().parse(filter)?)
        .with_writer(move || Lines { coloured });
    let outcome = if settings.format == LogFormat::Json {
        builder.json().flatten_event(true).try_init()
    } else {
        builder.with_ansi(coloured).try_init()
    };
    // A second subscriber is refused; the first one goes on.
    drop(outcome);
    Ok(())
}

/// Writes each event to stderr as one line: what users, models and databases say in it could look like another one otherwise.
struct Lines {
    /// Colours are control characters too.
    coloured: bool,
}

impl Write for Lines {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        stderr().write_all(one_line(event, self.coloured).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        stderr().flush()
    }
}

fn one_line(event: &[u8], coloured: bool) -> String {
    let text = String::from_utf8_lossy(event);
    let (text, end) = match text.strip_suffix('\n') {
        Some(text) => (text, "\n"),
        None => (text.as_ref(), ""),
    };
    let mut line = String::with_capacity(event.len());
    for character in text.chars() {
        let is_colour = coloured && character == '\u{1b}';
        if character.is_control() && !is_colour {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line + end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_whatever_is_in_it() {
        let event = "asked question=\"which\n2026 INFO forged\u{1b}[31m\u{9b}\" Zoë\n".as_bytes();
        let line = "asked question=\"which\\n2026 INFO forged\\u{1b}[31m\\u{9b}\" Zoë\n";
        assert_eq!(one_line(event, false), line);
        assert_eq!(
            one_line(b"\x1b[2mDEBUG\x1b[0m a\r\nb\n", true),
            "\x1b[2mDEBUG\x1b[0m a\\r\\nb\n"
        );
    }
}
