//! `querent eval`: how well questions are answered, on a data set.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use clap::ValueEnum;

use super::{
    Failure,
    ask::ask_settings,
    database::{limits, with_password},
    output::{plain_table, write_table},
    progress, runtime,
    target::ModelSpec,
};
use crate::{
    backend::postgres::{AddressError, Server},
    config::Settings,
    eval::{
        self, Group, Observer, Place, Plan, Record, Report,
        dataset::{Dataset, Selection},
        mode::{Mode, Pipeline},
        predictions::Predictions,
    },
    model::Purse,
};

/// Measure how well questions are answered, on a data set
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Measure how well questions are answered, on a data set

A data set is a folder with questions.json, a list of {\"db_id\", \"question\", \"query\"}, and
database/DB_ID/DB_ID.sqlite. The gold queries are read by the scorer alone.",
    after_help = "Examples:
  querent eval data/spider --split data/spider/split.json:validate --out results/today
  querent eval data/spider --out results/today --resume       go on after Ctrl-C
  querent eval data/spider --predictions mine.sql             score somebody's SQL instead
  querent eval data/spider-pg --backend postgres://localhost/ databases on a PostgreSQL server

With --out, report.json, predictions.csv and predicted.sql are written there."
)]
pub(super) struct Arguments {
    /// The folder of the data set
    dataset: PathBuf,
    /// Who answers
    #[arg(long, value_enum, default_value = "embedded", conflicts_with = "predictions")]
    mode: ModeName,
    /// The models, cheapest first; this version has `embedded`
    #[arg(long, value_name = "SPEC", conflicts_with = "predictions")]
    model: Vec<ModelSpec>,
    /// The PostgreSQL server that has each `db_id` as a database, with the gold in its dialect: postgres://host:port/
    #[arg(long, value_name = "BACKEND", value_parser = server)]
    backend: Option<Box<Server>>,
    /// Ask the first N of the selected questions
    #[arg(long, value_name = "N", value_parser = positive)]
    limit: Option<usize>,
    /// Only the databases of this list: a JSON file of named lists, and the name
    #[arg(long, value_name = "FILE:NAME", value_parser = split)]
    split: Option<(PathBuf, String)>,
    /// The field of questions.json to ask
    #[arg(long, value_name = "NAME", default_value = "question")]
    question_field: String,
    /// Ask N questions at random
    #[arg(long, value_name = "N", value_parser = positive)]
    sample: Option<usize>,
    /// Chooses the sample
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Only this database; may be repeated
    #[arg(long, value_name = "NAME")]
    db: Vec<String>,
    /// Questions at once; as many as there are processors by default
    #[arg(long, value_name = "N", value_parser = positive)]
    jobs: Option<usize>,
    /// Write the report and the predictions into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the evaluation whose state is in --out
    #[arg(long, requires = "out")]
    resume: bool,
    /// Let models see the gold, as some papers do
    #[arg(long)]
    oracle: bool,
    /// Score the SQL of this file, one statement a line or a JSON list, instead of asking
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    /// Repair the predictions first, where that needs no understanding
    #[arg(long, requires = "predictions")]
    repair: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeName {
    /// The deterministic agents; no model, no network
    Embedded,
    /// One bare model call (not supported yet)
    Plain,
    /// One call of ours (not supported yet)
    Single,
    /// All agents by a model (not supported yet)
    Sot,
    /// From cheap to dear (not supported yet)
    Adaptive,
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    if arguments.mode != ModeName::Embedded {
        return Err(
            Failure::usage("this mode needs a language model, which is not supported yet")
                .hint("use --mode embedded"),
        );
    }
    if arguments.oracle {
        let message = "--oracle shows the gold to a model's correction loop; no such mode is supported yet";
        return Err(Failure::usage(message)
            .hint("leave it out: --mode embedded and --predictions have no use for it"));
    }
    let selection = Selection {
        question_field: Some(arguments.question_field.clone()),
        split: arguments.split.clone(),
        databases: arguments.db.clone(),
        sample: arguments.sample.map(|size| (size, arguments.seed)),
        limit: arguments.limit,
        elsewhere: arguments.backend.is_some(),
    };
    let (dataset, gold) = Dataset::read(&arguments.dataset, &selection)?;
    let mode: Box<dyn Mode> = match &arguments.predictions {
        Some(file) => Box::new(Predictions::read(file, &dataset, arguments.repair)?),
        None => Box::new(Pipeline {
            settings: ask_settings(settings),
            purse: Box::new(Purse::default),
        }),
    };
    let plan = Plan {
        jobs: arguments.jobs.unwrap_or_else(processors),
        place: match &arguments.backend {
            None => Place::Files,
            Some(server) => Place::Server {
                server: Box::new(with_password(server)),
                limits: limits(settings),
            },
        },
        out: arguments.out.clone(),
        resume: arguments.resume,
        identity: arguments.identity(mode.as_ref()),
    };

    let stop = Arc::new(AtomicBool::new(false));
    let runtime = runtime()?;
    runtime.spawn(stop_on_interrupt(Arc::clone(&stop)));
    let watcher = Watcher::new(dataset.questions.len());
    let records = eval::run(&dataset, &gold, mode.as_ref(), &plan, (&watcher, &stop));
    watcher.bar.finish_and_clear();
    let records = records?;
    if records.len() < dataset.questions.len() {
        let failure = Failure::new(format!(
            "stopped after {} of {} questions",
            records.len(),
            dataset.questions.len()
        ));
        return Err(match arguments.out {
            Some(_) => failure.hint("the same command with --resume goes on"),
            None => failure.hint("with --out DIR, an evaluation can be resumed"),
        });
    }
    let report = Report::new(&dataset, mode.as_ref(), &records);
    if let Some(out) = &arguments.out {
        eval::write_files(out, &report, &records)?;
    }
    print(&report, arguments.out.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// What must be the same when an evaluation is resumed.
    fn identity(&self, mode: &dyn Mode) -> Vec<(String, String)> {
        let path = |path: &Path| {
            path.canonicalize()
                .unwrap_or_else(|_| path.to_path_buf())
                .display()
                .to_string()
        };
        vec![
            ("dataset".into(), path(&self.dataset)),
            (
                "backend".into(),
                self.backend
                    .as_ref()
                    .map_or_else(|| "files".into(), ToString::to_string),
            ),
            ("mode".into(), mode.name().into()),
            ("question-field".into(), self.question_field.clone()),
            (
                "predictions".into(),
                self.predictions.as_deref().map(path).unwrap_or_default(),
            ),
            ("repair".into(), self.repair.to_string()),
            ("version".into(), env!("CARGO_PKG_VERSION").into()),
        ]
    }
}

/// Shows how far it is, and how well it goes.
struct Watcher {
    bar: indicatif::ProgressBar,
    answered: AtomicUsize,
    correct: AtomicUsize,
}

impl Watcher {
    fn new(questions: usize) -> Self {
        let template = "{bar:30} {pos}/{len} {msg} {eta_precise}";
        Self {
            bar: progress::bar(questions as u64, template),
            answered: AtomicUsize::new(0),
            correct: AtomicUsize::new(0),
        }
    }
}

impl Observer for Watcher {
    fn done(&self, record: &Record) {
        self.bar.inc(1);
        let count = |counter: &AtomicUsize, yes: bool| {
            counter.fetch_add(usize::from(yes), Ordering::Relaxed) + usize::from(yes)
        };
        let answered = count(&self.answered, record.answered());
        let correct = count(&self.correct, record.correct);
        let done = self.bar.position().max(1) as f64;
        let precision = correct as f64 / answered.max(1) as f64;
        self.bar.set_message(format!(
            "ex {:.3} precision {precision:.3}",
            correct as f64 / done
        ));
    }
}

/// The first Ctrl-C lets the running questions finish; the second ends the process.
async fn stop_on_interrupt(stop: Arc<AtomicBool>) {
    if tokio::signal::ctrl_c().await.is_ok() {
        stop.store(true, Ordering::Relaxed);
        tracing::warn!("finishing the questions at hand; Ctrl-C again ends at once");
    }
    if tokio::signal::ctrl_c().await.is_ok() {
        std::process::exit(1);
    }
}

fn print(report: &Report, out: Option<&Path>) -> io::Result<()> {
    let rate = |rate: f64| format!("{rate:.3}");
    let maybe = |number: Option<f64>| number.map_or_else(|| "-".into(), rate);
    let mut table = plain_table();
    table.set_header(["", "n", "answered", "ex", "precision"]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    let mut row = |name: &str, group: &Group| {
        table.add_row([
            name.to_owned(),
            group.n.to_string(),
            rate(group.answered),
            rate(group.ex),
            maybe(group.precision_when_answered),
        ]);
    };
    let whole = Group {
        n: report.n,
        answered: report.answered,
        ex: report.ex,
        precision_when_answered: report.precision_when_answered,
    };
    row("all", &whole);
    for (level, group) in &report.by_difficulty {
        row(level, group);
    }
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{} by {}", report.dataset, report.mode)?;
    write_table(&mut stdout, &table)?;
    writeln!(
        stdout,
        "valid {}, ex_nonempty {} (n {}), em {}, ves {}",
        rate(report.valid),
        maybe(report.ex_nonempty),
        report.n_nonempty,
        rate(report.em),
        rate(report.ves)
    )?;
    let latency = &report.latency_ms;
    writeln!(
        stdout,
        "latency p50 {:.2} ms, p95 {:.2} ms, max {:.2} ms",
        latency.p50, latency.p95, latency.max
    )?;
    if !report.errors.is_empty() {
        let mut errors: Vec<(&String, &usize)> = report.errors.iter().collect();
        errors.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let errors: Vec<String> = errors
            .iter()
            .map(|(code, count)| format!("{code} {count}"))
            .collect();
        writeln!(stdout, "errors: {}", errors.join(", "))?;
    }
    if let Some(out) = out {
        writeln!(stdout, "written to {}", out.display())?;
    }
    Ok(())
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("must be a whole number above 0".into()),
    }
}

/// A server; its address must not name a database, since each of the data set's has its own.
fn server(text: &str) -> Result<Box<Server>, String> {
    let server: Server = text.parse().map_err(|error: AddressError| error.to_string())?;
    match &server.database {
        None => Ok(Box::new(server)),
        Some(name) => Err(format!(
            "leave out /{name}: every db_id is a database of the server"
        )),
    }
}

fn split(text: &str) -> Result<(PathBuf, String), String> {
    match text.rsplit_once(':') {
        Some((file, name)) if !file.is_empty() && !name.is_empty() => Ok((file.into(), name.into())),
        _ => Err("write FILE:NAME, such as split.json:validate".into()),
    }
}
