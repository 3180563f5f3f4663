//! `querent lint`: what speaks against one statement as the answer to a question.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use super::{
    Failure,
    database::Database,
    models::MeaningArguments,
    output::{Format, Rows},
    runtime,
    target::Target,
};
use crate::{
    backend::{self, Value, text, text_column},
    config::Settings,
    error::visible,
    question::validator::{self, Asked, Finding, Repaired},
    service::conversation,
};

/// Tell what speaks against SQL as the answer to a question
///
/// The statement is checked against the grammar, the policy, the schema, the stored values and the words of the
/// question; if it may run, its first rows are looked at too. Nothing is written. Exits with 1 if an error is found.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent lint sqlite:shop.db \"how many orders are there?\" \"SELECT COUNT(*) FROM order_lines\"
  querent lint postgres://ann@db.example/shop \"customers in Berlin\" \"$(cat draft.sql)\" --format json
  querent lint sqlite:shop.db \"\" \"SELECT name FROM product\"     the statement alone, whatever was asked

A finding that can be repaired without a model has the repaired statement in its last column, and on stderr.
A password that is not in the address is taken from PGPASSWORD.")]
pub(super) struct Arguments {
    /// The database: a SQLite file, or postgres://[user[:password]@]host[:port][/db], or "host=… dbname=…"
    backend: Target,
    /// The question in plain language; empty where there is none
    question: String,
    /// One statement
    sql: String,
    #[command(flatten)]
    meaning: MeaningArguments,
    /// The form of the findings
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

impl Arguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        self.meaning.overrides()
    }
}

const COLUMNS: [&str; 6] = ["code", "category", "severity", "message", "hint", "repair"];

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    let (findings, repaired) = runtime()?.block_on(async {
        let database = Database::open(&arguments.backend, settings).await?;
        let snapshot = database.backend().snapshot().await?;
        let governed = database.governed(settings).await?;
        let learned = conversation::learned(settings, governed.database_name()).await;
        let meaning = governed.meaning(settings).await?;
        let understood = meaning.of(&snapshot);
        let asked = Asked::now(&arguments.question, &understood.snapshot)
            .with_model(&understood.model)
            .with_learned(&learned);
        let findings = backend::review(database.backend(), &arguments.sql, &asked).await?;
        Ok::<_, Failure>((findings, validator::repair(&arguments.sql, &asked)))
    })?;
    let columns = COLUMNS.map(text_column);
    let mut rows = Rows::begin(
        arguments.format,
        &columns,
        io::BufWriter::new(io::stdout().lock()),
    )?;
    for finding in &findings {
        rows.row(&row(finding, repaired.as_ref()))?;
    }
    rows.end()?;
    if let Some(repaired) = &repaired {
        writeln!(io::stderr().lock(), "repaired: {}", visible(&repaired.sql))?;
    }
    Ok(if findings.iter().any(Finding::is_error) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn row(finding: &Finding, repaired: Option<&Repaired>) -> [Value; COLUMNS.len()] {
    let removed = repaired.filter(|repaired| repaired.fixed.contains(finding));
    let optional = |told: Option<&str>| told.map_or(Value::Null, text);
    [
        text(finding.code.name()),
        text(finding.code.category().name()),
        text(finding.severity.name()),
        text(&finding.message),
        optional(finding.hint.as_deref()),
        optional(removed.map(|repaired| repaired.sql.as_str())),
    ]
}
