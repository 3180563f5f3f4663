//! `querent ask`: one question, its rows.

use std::{
    io::{self, Read, Write},
    process::ExitCode,
};

use serde_json::json;
use tokio::sync::mpsc;

use super::{
    Failure,
    database::Database,
    models::{Asking, CassetteArguments, MeaningArguments, ModeName, ModelArguments},
    output::{Format, Rows},
    runtime,
    target::{AttachArguments, Target},
};
use crate::{
    backend::{Backend, Value},
    config::Settings,
    error::visible,
    question::ask::{AgentRun, Answer, AskSettings, ask},
    service::conversation,
    statement::{Action, Notices},
};

/// Ask one question and print its rows
///
/// The SQL, the confidence and the tier go to stderr; rows go to stdout.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent ask shop.db the five most expensive products
  querent ask shop.db \"orders per month this year\" --format csv > orders.csv
  querent ask shop.db \"customers without any orders\" --sql | sqlite3 shop.db
  querent ask shop.db \"how many orders are there?\" --min-confidence 0.8 --format jsonl
  echo \"average price of the products\" | querent ask shop.db -
  querent ask postgres://ann@db.example/shop \"how many customers are there?\"
  querent ask \"host=db.example dbname=shop user=ann\" \"how many customers are there?\"
  querent ask shop.db \"our best month\" --model openai:gpt-4.1-mini

Exit codes: 0 an answer, 1 none, 2 wrong usage, 3 an answer less sure than --min-confidence.
A password that is not in the address is taken from PGPASSWORD.")]
pub(super) struct Arguments {
    /// The database: a SQLite file, or postgres://[user[:password]@]host[:port][/db], or "host=… dbname=…"
    backend: Target,
    /// The question in plain language, in quotes or not; - reads it from standard input
    #[arg(required = true, num_args = 1.., value_name = "QUESTION")]
    question: Vec<String>,
    /// The form of the rows
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Print the SQL instead of running it
    #[arg(long)]
    sql: bool,
    /// Print one row per agent run instead of the answer; as JSON, a line each, with what the agent was told
    #[arg(long, conflicts_with = "sql")]
    trace: bool,
    #[command(flatten)]
    attach: AttachArguments,
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    meaning: MeaningArguments,
    /// How the question is worked on; else as the configuration says, which is adaptive by default
    #[arg(long, value_enum)]
    mode: Option<ModeName>,
    #[command(flatten)]
    cassette: CassetteArguments,
    /// Print no answer that is less sure than this, 0 to 1, and exit with 3
    #[arg(long, value_name = "NUMBER", value_parser = confidence)]
    min_confidence: Option<f64>,
}

/// Bytes of a question on standard input at most; the pipeline takes far fewer characters.
const LONGEST: u64 = 64 << 10;

/// Runs of agents that are kept of a question that fails; no question has as many.
const RUNS: usize = 1_000;

impl Arguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        let mut overrides = self.attach.overrides();
        overrides.extend(self.model.overrides());
        overrides.extend(self.meaning.overrides());
        overrides.extend(self.mode.map(ModeName::overrides).unwrap_or_default());
        overrides.extend(self.cassette.overrides());
        let least = self.min_confidence.map(|least| least.to_string());
        overrides.extend(least.map(|least| ("min_confidence", least, "--min-confidence")));
        overrides
    }

    /// The words of the question.
    fn question(&self) -> Result<String, Failure> {
        if self.question != ["-"] {
            return Ok(self.question.join(" "));
        }
        let mut text = String::new();
        io::stdin().lock().take(LONGEST).read_to_string(&mut text)?;
        match text.trim() {
            "" => Err(Failure::usage("there is no question on standard input")),
            question => Ok(question.to_owned()),
        }
    }
}

/// How sure an answer is, as an argument.
pub(super) fn confidence(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a confidence is a number from 0 to 1".to_owned())
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    if !settings.questions {
        return Err(
            Failure::new("questions are switched off").hint("set questions = true in the configuration")
        );
    }
    let question = arguments.question()?;
    let asking = Asking::new(settings)?;
    runtime()?.block_on(async {
        let database = Database::open(&arguments.backend, settings).await?;
        let governed = database.governed(settings).await?;
        let asking = AskSettings {
            learned: conversation::learned(settings, governed.database_name()).await,
            ..asking.about(governed.meaning(settings).await?).question()
        };
        if arguments.trace {
            return trace(&governed, (&question, arguments.format), asking).await;
        }
        let answer = ask(&governed, &question, &asking)
            .await?
            .with_ties(&governed)
            .await;
        if arguments.sql {
            writeln!(io::stdout().lock(), "{};", answer.sql.as_str())?;
        } else {
            if settings.notices != Notices::Off {
                tell(&answer)?;
            }
            database.print(&answer.sql, arguments.format).await?;
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// What a client would get as a NOTICE.
fn tell(answer: &Answer) -> io::Result<()> {
    let remarks = answer.remarks().map(|told| format!("; {}", visible(told)));
    writeln!(
        io::stderr().lock(),
        "nl: {} (confidence {:.2}, {}, {} ms){}",
        visible(answer.sql.as_str()),
        answer.confidence,
        answer.tier,
        answer.elapsed.as_millis(),
        remarks.collect::<String>()
    )
}

/// Asks, and prints what the agents did, whether they found an answer or not.
async fn trace(
    database: &dyn Backend,
    (question, format): (&str, Format),
    asking: AskSettings,
) -> Result<ExitCode, Failure> {
    let (sender, mut receiver) = mpsc::channel(RUNS);
    let asking = AskSettings {
        progress: Some(sender),
        ..asking
    };
    let outcome = ask(database, question, &asking).await;
    let mut runs = Vec::new();
    while let Ok(run) = receiver.try_recv() {
        runs.push(run);
    }
    if let Ok(answer) = &outcome {
        runs.clone_from(&answer.trace);
    }
    match format {
        Format::Json | Format::Jsonl => print_lines(question, &runs)?,
        format => print_runs(&runs, format)?,
    }
    outcome?;
    Ok(ExitCode::SUCCESS)
}

/// The runs as lines of JSON, prompts included.
fn print_lines(question: &str, runs: &[AgentRun]) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for (run, seq) in runs.iter().zip(1..) {
        let line = json!({
            "seq": seq,
            "question": question,
            "agent": run.agent,
            "model": run.model,
            "attempt": run.attempt,
            "milliseconds": milliseconds(run),
            "prompt_tokens": run.prompt_tokens,
            "completion_tokens": run.completion_tokens,
            "outcome": run.outcome,
            "prompt": run.prompt,
            "output": run.output,
        });
        writeln!(out, "{line}")?;
    }
    out.flush()
}

fn milliseconds(run: &AgentRun) -> f64 {
    (run.elapsed.as_secs_f64() * 1e6).round() / 1e3
}

/// The rows of the `trace` action.
fn print_runs(runs: &[AgentRun], format: Format) -> io::Result<()> {
    let columns = conversation::columns(Action::Trace).unwrap_or_default();
    let text = |text: &str| Value::Text(text.into());
    let out = io::BufWriter::new(io::stdout().lock());
    let mut rows = Rows::begin(format, &columns, out)?;
    for (run, seq) in runs.iter().zip(1..) {
        rows.row(&[
            Value::Integer(seq),
            text(run.agent),
            text(&run.model),
            Value::Integer(run.attempt as i64),
            Value::Real(milliseconds(run)),
            Value::Integer(run.prompt_tokens as i64),
            Value::Integer(run.completion_tokens as i64),
            text(&run.outcome),
            text(&run.output),
        ])?;
    }
    rows.end()
}
