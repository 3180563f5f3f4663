//! `querent eval`: how well questions are answered, on a data set.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use clap::ValueEnum;

use super::{
    Failure, compare,
    database::{limits, with_password},
    models::{self, Asking, CassetteArguments, MeaningArguments, ModelArguments},
    mutations, progress, readings, runtime, scores,
};
use crate::{
    config::Settings,
    eval::{
        self, DatabaseLocation, Observer, Plan, Record, Report,
        dataset::{Dataset, Selection},
        mode::{Mode, Pipeline, Plain},
        predictions::Predictions,
    },
    postgres::upstream::{AddressError, Server},
    question::{
        model::{DailySpend, Spent},
        ossie::Meanings,
    },
    service::conversation::meanings,
};

/// Measure how well questions are answered, on a data set
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Measure how well questions are answered, on a data set

A data set is a folder with questions.json, a list of {\"db_id\", \"question\", \"query\"}, and
database/DB_ID/DB_ID.sqlite. A question may have \"alternatives\", further queries that are right, \"ordered\",
whether the order of the rows counts, and a \"kind\". Spider, Spider-Realistic, Spider-Syn, Spider-DK, BIRD, KaggleDBQA,
SParC and CoSQL are read as they are published, and CSV with the columns question, query and db (docs/evaluation.md).
The gold queries are read by the scorer alone.",
    after_help = "Examples:
  querent eval data/spider --split data/spider/split.json:validate --out results/today
  querent eval data/spider --out results/today --resume       go on after Ctrl-C
  querent eval data/spider --mode single --model openai:gpt-4.1-mini --record calls.jsonl --replay calls.jsonl
  querent eval data/spider-realistic.json --databases data/spider/database
  querent eval data/spider --predictions mine.sql             score somebody's SQL instead
  querent eval data/spider --mutate                           break the gold, and see what is noticed
  querent eval --compare results/before results/after         what changed, and whether it may be chance
  querent eval data/spider-pg --backend postgres://localhost/ databases on a PostgreSQL server

With --out, report.json, predictions.csv and predicted.sql are written there; with --mutate, mutations.json and
mutations.csv."
)]
pub(super) struct Arguments {
    /// The folder of the data set, or its file with the questions
    #[arg(required_unless_present = "compare")]
    dataset: Option<PathBuf>,
    /// Who answers; else as the configuration says, which is adaptive by default
    #[arg(long, value_enum, conflicts_with = "predictions")]
    mode: Option<ModeName>,
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    meaning: MeaningArguments,
    #[command(flatten)]
    cassette: CassetteArguments,
    /// The PostgreSQL server that has each `db_id` as a database, with the gold in its dialect: postgres://host:port/
    #[arg(long, value_name = "BACKEND", value_parser = server)]
    backend: Option<Box<Server>>,
    /// Ask the first N of the selected questions; of a set of conversations, N of those
    #[arg(long, value_name = "N", value_parser = positive)]
    limit: Option<usize>,
    /// Only the databases of this list: a JSON file of named lists, and the name
    #[arg(long, value_name = "FILE:NAME", value_parser = split)]
    split: Option<(PathBuf, String)>,
    /// A further folder with databases, as `DB_ID/DB_ID.sqlite`; may be repeated
    #[arg(long, value_name = "DIR")]
    databases: Vec<PathBuf>,
    /// The field to ask; by default the one that the set calls its question
    #[arg(long, value_name = "NAME")]
    question_field: Option<String>,
    /// Ask N questions at random; of a set of conversations, N of those
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
    /// Tell too how many answers have the reference's columns among others
    #[arg(long, conflicts_with = "mutate")]
    further_columns: bool,
    /// After each attempt of --mode sot, tell it whether its rows are the gold's, as the papers' protocol has it
    #[arg(long)]
    oracle: bool,
    /// Score the SQL of this file, one statement a line or a JSON list, instead of asking
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    /// Repair the predictions first, where that needs no understanding
    #[arg(long, requires = "predictions")]
    repair: bool,
    /// Ask nothing; break the gold queries on purpose and measure how well the validator notices and repairs it
    #[arg(long, conflicts_with_all = ["mode", "predictions", "resume", "oracle"])]
    mutate: bool,
    /// Ask nobody; tell what changed from the first evaluation to the second, by the folders of their --out
    #[arg(long, value_names = ["RUN", "RUN"], num_args = 2, conflicts_with_all = OF_ASKING)]
    compare: Option<Vec<PathBuf>>,
    /// With --compare, write each question with both answers to FILE
    #[arg(long, value_name = "FILE", requires = "compare")]
    csv: Option<PathBuf>,
    /// Ask nobody; write all ways in which the embedded agents read each question, and which are right, to FILE
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mode", "predictions", "resume", "oracle", "mutate"])]
    readings: Option<PathBuf>,
}

/// What means nothing where nobody is asked.
const OF_ASKING: [&str; 14] = [
    "dataset",
    "mode",
    "backend",
    "limit",
    "split",
    "sample",
    "db",
    "out",
    "predictions",
    "mutate",
    "readings",
    "oracle",
    "further_columns",
    "databases",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeName {
    /// The deterministic agents; no model, no network
    Embedded,
    /// The baseline: one bare call of the first model, with nothing of ours to help it
    Plain,
    /// One call of a model
    Single,
    /// All agents by models
    Sot,
    /// As little as a question needs, the deterministic agents first
    Adaptive,
}

/// Time for a question at least: it is measured how well models answer, not how patient somebody is.
const PATIENCE: Duration = Duration::from_secs(900);

impl Arguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        let mut overrides = self.model.overrides();
        overrides.extend(self.meaning.overrides());
        overrides.extend(self.cassette.overrides());
        let mode = self.mode.and_then(|mode| match mode {
            ModeName::Plain => None,
            ModeName::Embedded => Some(models::ModeName::Embedded),
            ModeName::Single => Some(models::ModeName::Single),
            ModeName::Sot => Some(models::ModeName::Sot),
            ModeName::Adaptive => Some(models::ModeName::Adaptive),
        });
        overrides.extend(mode.map(models::ModeName::overrides).unwrap_or_default());
        overrides
    }
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    if let Some([first, second]) = arguments.compare.as_deref() {
        return compare::run((first, second), arguments.csv.as_deref());
    }
    let Some(folder) = &arguments.dataset else {
        return Err(Failure::usage("name the folder of a data set"));
    };
    if arguments.oracle && arguments.mode != Some(ModeName::Sot) {
        let message = "--oracle tells the correction loop of mode sot whether it is right, and no other mode";
        return Err(Failure::usage(message).hint("add --mode sot, or leave it out"));
    }
    for (asks_nobody, name) in [
        (arguments.predictions.is_some(), "--predictions"),
        (arguments.mutate, "--mutate"),
        (arguments.readings.is_some(), "--readings"),
    ] {
        if asks_nobody && !arguments.model.overrides().is_empty() {
            return Err(Failure::usage(format!("{name} asks nobody")).hint("leave out --model"));
        }
    }
    let selection = Selection {
        question_field: arguments.question_field.clone(),
        split: arguments.split.clone(),
        databases: arguments.db.clone(),
        sample: arguments.sample.map(|size| (size, arguments.seed)),
        limit: arguments.limit,
        folders: arguments.databases.clone(),
        elsewhere: arguments.backend.is_some(),
    };
    let (dataset, gold) = Dataset::read(folder, &selection)?;
    let mut plan = Plan {
        jobs: arguments.jobs.unwrap_or_else(processors),
        place: match &arguments.backend {
            None => DatabaseLocation::Files,
            Some(server) => DatabaseLocation::Server {
                server: Box::new(with_password(server)),
                limits: limits(settings),
            },
        },
        out: arguments.out.clone(),
        resume: arguments.resume,
        oracle: arguments.oracle,
        identity: Vec::new(),
    };
    let runtime = runtime()?;
    if let Some(out) = &arguments.readings {
        let meanings = runtime.block_on(meanings(settings, arguments.backend.as_deref()))?;
        return readings::run(&dataset, &gold, &plan, (&meanings, out));
    }
    if arguments.mutate {
        return mutations::run(&dataset, &gold, &plan, arguments.seed);
    }
    let mut daily_spend = None;
    let mode: Box<dyn Mode> = if let Some(file) = &arguments.predictions {
        Box::new(Predictions::read(file, &dataset, arguments.repair)?)
    } else {
        let asking = Asking::new(settings)?.patient(PATIENCE);
        daily_spend = Some(asking.daily_spend());
        let meanings = meanings(settings, arguments.backend.as_deref());
        mode(arguments.mode, &asking, runtime.block_on(meanings)?)?
    };
    plan.identity = arguments.identity(mode.as_ref());

    let stop = Arc::new(AtomicBool::new(false));
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
    let report = Report::new(
        &dataset,
        mode.as_ref(),
        &records,
        (arguments.oracle, arguments.further_columns),
    );
    if let Some(out) = &arguments.out {
        eval::write_files(out, &report, &records)?;
    }
    scores::print(&report, arguments.out.as_deref())?;
    if let Some(daily_spend) = daily_spend {
        print_spending(&daily_spend)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What this run has spent on each model, in so far as it was today.
fn print_spending(daily_spend: &DailySpend) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for (model, Spent { calls, usage, cost }) in daily_spend.by_model() {
        writeln!(
            stdout,
            "{model}: {calls} calls, {} tokens read, {} written, {cost:.4} US dollars",
            usage.prompt_tokens, usage.completion_tokens
        )?;
    }
    Ok(())
}

/// Who answers.
fn mode(name: Option<ModeName>, asking: &Asking, meanings: Meanings) -> Result<Box<dyn Mode>, Failure> {
    let settings = asking.question();
    if name != Some(ModeName::Plain) {
        return Ok(Box::new(Pipeline {
            settings,
            meanings: Arc::new(meanings),
            budget: Box::new(asking.budgets()),
        }));
    }
    let registry = settings.registry;
    if registry.models.is_empty() {
        return Err(models::no_model("plain"));
    }
    Ok(Box::new(Plain {
        registry,
        budget: Box::new(asking.budgets()),
    }))
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
            (
                "dataset".into(),
                self.dataset.as_deref().map(path).unwrap_or_default(),
            ),
            (
                "backend".into(),
                self.backend
                    .as_ref()
                    .map_or_else(|| "files".into(), ToString::to_string),
            ),
            ("mode".into(), mode.name().into()),
            ("models".into(), mode.models().join(", ")),
            (
                "question-field".into(),
                self.question_field.clone().unwrap_or_default(),
            ),
            (
                "predictions".into(),
                self.predictions.as_deref().map(path).unwrap_or_default(),
            ),
            ("repair".into(), self.repair.to_string()),
            ("oracle".into(), self.oracle.to_string()),
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
pub(super) async fn stop_on_interrupt(stop: Arc<AtomicBool>) {
    if tokio::signal::ctrl_c().await.is_ok() {
        stop.store(true, Ordering::Relaxed);
        tracing::warn!("finishing the questions at hand; Ctrl-C again ends at once");
    }
    if tokio::signal::ctrl_c().await.is_ok() {
        std::process::exit(1);
    }
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
