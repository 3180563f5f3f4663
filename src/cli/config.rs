//! `querent config`: the effective settings with where each came from.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use super::Failure;
use crate::config::{Entry, SettingSource, Settings};

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
    for entry in settings.entries() {
        let (in_section, key) = entry.name.rsplit_once('.').unwrap_or(("", entry.name));
        if in_section != section {
            section = in_section;
            writeln!(out, "\n[{section}]")?;
        }
        write_entry(&mut out, key, &entry)?;
    }
    let models = settings.model_entries().map(|entries| ("model", entries));
    let rules = settings.rule_entries().map(|entries| ("policy.rule", entries));
    for (name, entries) in models.chain(rules) {
        writeln!(out, "\n[[{name}]]")?;
        for entry in entries {
            write_entry(&mut out, entry.name, &entry)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write_entry(out: &mut impl Write, key: &str, entry: &Entry) -> io::Result<()> {
    let source = match &entry.source {
        SettingSource::Default => String::new(),
        implied @ SettingSource::Implied(_) => format!("  # ({implied})"),
        other => format!("  # (from {other})"),
    };
    writeln!(out, "# {}", entry.meaning)?;
    writeln!(out, "{key} = {}{source}", entry.value)
}
