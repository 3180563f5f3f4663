//! `querent semantic`: what a database is about, as it is inferred and as people have corrected it.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

use clap::Subcommand;
use jiff::civil::Date;

use super::{Failure, database::Database, models::MeaningArguments, output, runtime, target::Target};
use crate::{
    backend::Backend,
    config::Settings,
    question::{
        analytic,
        ossie::{self, Meaning, MetricQuery, Understood},
        schema::Snapshot,
        validator::validate,
    },
};

mod show;

/// The semantic model: what tables and columns mean, and what can be measured
///
/// Querent infers it from the schema, its comments, and samples of the rows. A file (Apache Ossie) corrects it.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Show(Show),
    Init(Init),
    Check(Check),
    Diff(Diff),
    Query(Query),
}

/// Print the model of a database
///
/// Nothing is written.
#[derive(Debug, clap::Args)]
struct Show {
    #[command(flatten)]
    of: Of,
    /// The form of the output
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Write the inferred model into a new file, to be corrected
#[derive(Debug, clap::Args)]
struct Init {
    /// The database: sqlite:PATH or postgres://[user[:password]@]host[:port][/db]
    backend: Target,
    /// Where to write it; an existing file is left alone
    #[arg(long, default_value = "semantic.yaml")]
    output: PathBuf,
}

/// Check a file against a database, and list what it changes
#[derive(Debug, clap::Args)]
struct Check {
    #[command(flatten)]
    of: Of,
}

/// Say what has changed in a database since a file was written
#[derive(Debug, clap::Args)]
struct Diff {
    #[command(flatten)]
    of: Of,
}

/// Measure: metrics by dimensions, each row counted once
#[derive(Debug, clap::Args)]
struct Query {
    #[command(flatten)]
    of: Of,
    /// Metrics by name; may be given several times
    #[arg(long = "metric", required = true)]
    metrics: Vec<String>,
    /// DATASET.FIELD, DATASET.FIELD:GRAIN, or time:GRAIN for when it happened (day, week, month, quarter, year)
    #[arg(long = "by")]
    by: Vec<String>,
    /// A condition in SQL over DATASET.FIELD
    #[arg(long = "where")]
    filters: Vec<String>,
    /// Only what happened on this day or later: YYYY-MM-DD
    #[arg(long, value_name = "DAY", value_parser = super::demo::day)]
    from: Option<Date>,
    /// Only what happened before this day
    #[arg(long, value_name = "DAY", value_parser = super::demo::day)]
    to: Option<Date>,
    /// A metric or what it is by; with - before it the highest comes first
    #[arg(long = "order", allow_hyphen_values = true)]
    order: Vec<String>,
    /// How many rows at most
    #[arg(long)]
    limit: Option<u64>,
    /// Print the SQL and do not run it
    #[arg(long)]
    sql: bool,
    /// The form of the output
    #[arg(long, value_enum, default_value = "table")]
    format: output::Format,
}

#[derive(Debug, clap::Args)]
struct Of {
    /// The database: sqlite:PATH or postgres://[user[:password]@]host[:port][/db]
    backend: Target,
    #[command(flatten)]
    meaning: MeaningArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Table,
    /// Apache Ossie, as YAML
    Yaml,
    /// Apache Ossie, as JSON
    Json,
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    runtime()?.block_on(async {
        match &arguments.command {
            Command::Show(show) => {
                let read = Read::new(&show.of.backend, settings).await?;
                print(&read.understood(), show.format)
            }
            Command::Init(init) => self::init(init, settings).await,
            Command::Check(check) => self::check(&check.of, settings).await,
            Command::Diff(diff) => self::diff(&diff.of, settings).await,
            Command::Query(query) => self::query(query, settings).await,
        }
    })
}

impl Arguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        match &self.command {
            Command::Show(Show { of, .. })
            | Command::Check(Check { of })
            | Command::Diff(Diff { of })
            | Command::Query(Query { of, .. }) => of.meaning.overrides(),
            Command::Init(_) => Vec::new(),
        }
    }
}

/// A database, and what it means.
struct Read {
    database: Database,
    snapshot: Snapshot,
    meaning: Arc<Meaning>,
}

impl Read {
    async fn new(backend: &Target, settings: &Settings) -> Result<Self, Failure> {
        let database = Database::open(backend, settings).await?;
        let governed = database.governed(settings).await?;
        let snapshot = governed.snapshot().await?;
        let meaning = governed.meaning(settings).await?;
        Ok(Self {
            database,
            snapshot,
            meaning,
        })
    }

    fn understood(&self) -> Arc<Understood> {
        self.meaning.of(&self.snapshot)
    }
}

/// The names of the files; an error where there is none.
fn files(meaning: &Meaning) -> Result<String, Failure> {
    let files: Vec<&str> = meaning.models().map(|(file, _)| &**file).collect();
    if files.is_empty() {
        return Err(Failure::usage("it needs a file to look at")
            .hint("name it with --model-file FILE; querent semantic init writes one"));
    }
    Ok(files.join(", "))
}

fn print(of: &Understood, format: Format) -> Result<ExitCode, Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match format {
        Format::Table => show::print(of, &mut out)?,
        Format::Yaml => out.write_all(yaml(of, "database")?.as_bytes())?,
        Format::Json => {
            let document = ossie::document(of, "database").map_err(io::Error::from)?;
            serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn yaml(of: &Understood, name: &str) -> Result<String, Failure> {
    let document = ossie::document(of, name).map_err(io::Error::from)?;
    ossie::text(&document).map_err(|error| Failure::new(error.to_string()))
}

async fn init(init: &Init, settings: &Settings) -> Result<ExitCode, Failure> {
    let database = Database::open(&init.backend, settings).await?;
    let understood = ossie::inferred(&database.governed(settings).await?.snapshot().await?);
    let text = yaml(&understood, "database")?;
    let file = OpenOptions::new().write(true).create_new(true).open(&init.output);
    let mut file = file.map_err(|error| Failure::new(format!("{}: {error}", init.output.display())))?;
    file.write_all(text.as_bytes())?;
    let schema = &understood.snapshot.schema;
    writeln!(
        io::stderr().lock(),
        "{}: {} datasets, {} relationships, {} metrics; correct it, then: querent semantic check {} --model-file {}",
        init.output.display(),
        schema.tables.len(),
        schema.foreign_keys.len(),
        understood.model.metrics.len(),
        in_shell(&init.backend.to_string()),
        in_shell(&init.output.display().to_string()),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// An argument as a shell takes it.
fn in_shell(argument: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "@%+=:,./_-".contains(character);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

async fn check(of: &Of, settings: &Settings) -> Result<ExitCode, Failure> {
    let read = Read::new(&of.backend, settings).await?;
    let files = files(&read.meaning)?;
    let changes = ossie::changes(&ossie::inferred(&read.snapshot), &read.understood());
    let mut out = io::stdout().lock();
    if changes.is_empty() {
        writeln!(out, "{files}: changes nothing of what is inferred")?;
    }
    for change in changes {
        writeln!(out, "{change}")?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn diff(of: &Of, settings: &Settings) -> Result<ExitCode, Failure> {
    let database = Database::open(&of.backend, settings).await?;
    let governed = database.governed(settings).await?;
    // What is gone is what is asked for, and no mistake.
    let meaning = governed.meaning_unchecked(settings).await?;
    files(&meaning)?;
    let now = ossie::inferred(&governed.snapshot().await?);
    let mut out = io::stdout().lock();
    for (_, model) in meaning.models() {
        for line in ossie::since(model, &now) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn query(query: &Query, settings: &Settings) -> Result<ExitCode, Failure> {
    let read = Read::new(&query.of.backend, settings).await?;
    let understood = read.understood();
    let asked = MetricQuery {
        metrics: query.metrics.clone(),
        by: query.by.clone(),
        filters: query.filters.clone(),
        from: query.from,
        to: query.to,
        order: query.order.clone(),
        limit: query.limit,
    };
    let asked = ossie::analytic(&asked, &understood).map_err(Failure::new)?;
    let snapshot = &understood.snapshot;
    let sql = analytic::compile(&asked, snapshot, &understood.model)
        .map_err(|error| Failure::new(error.to_string()))?;
    let sql = validate(&sql, &snapshot.schema, snapshot.dialect).map_err(|findings| {
        let first = findings.into_iter().next();
        Failure::new(first.map_or_else(String::new, |finding| finding.message))
            .hint(format!("the SQL was {sql}"))
    })?;
    if query.sql {
        writeln!(io::stdout().lock(), "{};", sql.as_str())?;
    } else {
        read.database.print(&sql, query.format).await?;
    }
    Ok(ExitCode::SUCCESS)
}
