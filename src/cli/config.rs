//! `querent config`: the effective settings with where each came from.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use super::Failure;
use crate::config::{Entry, Settings, Source};

/// Print the effective settings, and where each came from
///
/// What is printed is a configuration file itself; secrets are masked.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent config
  QUERENT_LIMITS__ROWS=500 querent config --config /etc/querent.toml

Every key can stand in the file or in the environment: limits.rows as QUERENT_LIMITS__ROWS.")]
pub(super) struct Arguments {}

pub(super) fn run(_arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let mut section = "";
    for Entry {
        name,
        value,
        source,
        meaning,
    } in settings.entries()
    {
        let (in_section, key) = name.rsplit_once('.').unwrap_or(("", name));
        if in_section != section {
            section = in_section;
            writeln!(out, "\n[{section}]")?;
        }
        let source = match source {
            Source::Default => String::new(),
            other => format!("  (from {other})"),
        };
        writeln!(out, "# {meaning}")?;
        writeln!(out, "{key} = {value}{}", source.replace("  (", "  # ("))?;
    }
    Ok(ExitCode::SUCCESS)
}
