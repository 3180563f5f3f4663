//! `querent ask`: one question, its rows.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use super::{
    Failure,
    database::Database,
    output::{Format, Rows, printable},
    runtime,
    target::{ModelSpec, Target},
};
use crate::{
    ask::{Answer, AskSettings, ask},
    backend::{ResultColumn, SqlType, Value},
    config::{Notices, Settings},
};

/// Ask one question and print its rows
///
/// The SQL, the confidence and the tier go to stderr; rows go to stdout.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent ask sqlite:shop.db \"the five most expensive products\"
  querent ask sqlite:shop.db \"orders per month in 2024\" --format csv > orders.csv
  querent ask sqlite:shop.db \"customers without any orders\" --sql | sqlite3 shop.db
  querent ask postgres://ann@db.example/shop \"how many customers are there?\"

A password that is not in the address is taken from PGPASSWORD.")]
pub(super) struct Arguments {
    /// The database: sqlite:PATH or postgres://[user[:password]@]host[:port][/db]
    backend: Target,
    /// The question in plain language
    question: String,
    /// The form of the rows
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Print the SQL instead of running it
    #[arg(long)]
    sql: bool,
    /// Print one row per agent run instead of the answer
    #[arg(long, conflicts_with = "sql")]
    trace: bool,
    /// Who answers; this version has `embedded`
    #[arg(long, value_name = "SPEC")]
    model: Vec<ModelSpec>,
}

/// What the pipeline is asked with.
pub(super) fn ask_settings(settings: &Settings) -> AskSettings {
    AskSettings {
        max_attempts: settings.limits.attempts,
        min_confidence: settings.min_confidence,
        question_timeout: settings.limits.question_timeout,
        ..AskSettings::default()
    }
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    if !settings.questions {
        return Err(
            Failure::new("questions are switched off").hint("set questions = true in the configuration")
        );
    }
    runtime()?.block_on(async {
        let database = Database::open(&arguments.backend, settings).await?;
        let answer = ask(database.backend(), &arguments.question, &ask_settings(settings)).await?;
        if arguments.sql {
            writeln!(io::stdout().lock(), "{};", answer.sql.as_str())?;
        } else if arguments.trace {
            print_trace(&answer, arguments.format)?;
        } else {
            if settings.notices != Notices::Off {
                tell(&answer)?;
            }
            print_rows(&database, &answer, arguments.format).await?;
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// What a client would get as a NOTICE.
fn tell(answer: &Answer) -> io::Result<()> {
    writeln!(
        io::stderr().lock(),
        "nl: {} (confidence {:.2}, {}, {} ms)",
        printable(answer.sql.as_str()),
        answer.confidence,
        answer.tier,
        answer.elapsed.as_millis()
    )
}

async fn print_rows(database: &Database, answer: &Answer, format: Format) -> Result<(), Failure> {
    let mut found = database.run(&answer.sql).await?;
    let out = io::BufWriter::new(io::stdout().lock());
    let mut rows = Rows::begin(format, found.columns(), out)?;
    loop {
        let (chunk, done) = found.next().await?;
        for row in &chunk {
            rows.row(row)?;
        }
        if done {
            return Ok(rows.end()?);
        }
    }
}

/// The rows of the `trace` action.
fn print_trace(answer: &Answer, format: Format) -> io::Result<()> {
    const COLUMNS: &[(&str, SqlType)] = &[
        ("seq", SqlType::Int8),
        ("agent", SqlType::Text),
        ("model", SqlType::Text),
        ("attempt", SqlType::Int8),
        ("milliseconds", SqlType::Float8),
        ("prompt_tokens", SqlType::Int8),
        ("completion_tokens", SqlType::Int8),
        ("outcome", SqlType::Text),
        ("output", SqlType::Text),
    ];
    let columns: Vec<ResultColumn> = COLUMNS
        .iter()
        .map(|(name, ty)| ResultColumn {
            name: (*name).into(),
            ty: *ty,
        })
        .collect();
    let text = |text: &str| Value::Text(text.into());
    let out = io::BufWriter::new(io::stdout().lock());
    let mut rows = Rows::begin(format, &columns, out)?;
    for (seq, run) in answer.trace.iter().enumerate() {
        rows.row(&[
            Value::Integer(seq as i64 + 1),
            text(run.agent),
            text(&run.model),
            Value::Integer(run.attempt as i64),
            Value::Real((run.elapsed.as_secs_f64() * 1e6).round() / 1e3),
            Value::Integer(run.prompt_tokens as i64),
            Value::Integer(run.completion_tokens as i64),
            text(&run.outcome),
            text(&run.output),
        ])?;
    }
    rows.end()
}
