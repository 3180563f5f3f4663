//! `querent check`: what Querent sees of a database, and what is wrong with it or with the settings.

use std::{
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use clap::ValueEnum;

use super::{
    Failure,
    database::with_password,
    output::{plain_table, write_table},
    progress, runtime,
    server::look_at_server,
    target::Target,
    try_models::try_models,
};
use crate::{
    config::{AuthMode, Certificate, Settings, StoreLocation},
    error::visible,
    question::schema::{ColumnRef, IndexProgress, Schema, Snapshot, Table},
    service::{access, store::StoreAddress},
};

mod meaning;
mod report;

use meaning::Meant;

/// How long to wait for the value index.
const INDEX_PATIENCE: Duration = Duration::from_secs(120);

/// Show what Querent sees of a database, and what is wrong
///
/// Opens the database, reads its tables, columns and keys (declared and inferred), fills the value index, and
/// looks over the settings. Exits with 1 if there is a problem.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent check sqlite:shop.db
  querent check sqlite:shop.db --config /etc/querent.toml
  querent check shop.db --format json | jq .problems
  querent check postgres://ann@db.example/shop      with the rights of ann

A password that is not in the address is taken from PGPASSWORD.")]
pub(super) struct Arguments {
    /// The database: a SQLite file, or postgres://[user[:password]@]host[:port][/db], or "host=… dbname=…"
    backend: Target,
    /// The form of what is told
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One object: backend, facts, tables, keys, `value_index`, models, problems
    Json,
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    let mut problems = settings_problems(&arguments.backend, settings);
    // The settings' problems are worth telling even where the database cannot be opened.
    let (seen, tried, store) = runtime()?.block_on(async {
        tokio::join!(
            look(&arguments.backend, settings),
            try_models(settings),
            store_problem(settings)
        )
    });
    problems.extend(store);
    if arguments.format == Format::Json {
        return report::print(&arguments.backend, settings, (seen, tried, problems));
    }
    let mut out = io::stdout().lock();
    match seen {
        Ok((mut seen, meant)) => {
            writeln!(out, "{}", arguments.backend)?;
            for (what, told) in &seen.facts {
                writeln!(out, "{what}: {}", visible(told))?;
            }
            print_schema(&seen.snapshot.schema, &mut out)?;
            writeln!(out, "value index: {}", index_line(seen.index))?;
            writeln!(out, "{}", meant.line())?;
            problems.extend(meant.problems);
            problems.append(&mut seen.problems);
            problems.extend(access::problems(settings, &seen.snapshot));
            if seen.snapshot.schema.tables.is_empty() {
                problems.push("there is no table that can be read: there is nothing to ask about".into());
            }
        }
        Err(failure) if problems.is_empty() && settings.models.is_empty() => return Err(failure),
        Err(failure) => {
            failure.report();
        }
    }
    match tried {
        Ok(tried) => {
            for told in &tried.told {
                writeln!(out, "{}", visible(told))?;
            }
            problems.extend(tried.problems);
        }
        Err(failure) => problems.push(failure.in_one_line()),
    }
    out.flush()?;
    if problems.is_empty() {
        writeln!(out, "no problems")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut err = io::stderr().lock();
    for problem in problems {
        writeln!(err, "problem: {}", visible(&problem))?;
    }
    Ok(ExitCode::FAILURE)
}

/// What was found, and what it means.
type Looked = Result<(Seen, Meant), Failure>;

/// What was found.
pub(super) struct Seen {
    /// What the database is called.
    pub(super) database: String,
    pub(super) snapshot: Snapshot,
    pub(super) index: IndexProgress,
    /// More about a server, each with its name.
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) problems: Vec<String>,
}

async fn look(target: &Target, settings: &Settings) -> Looked {
    let server = match target {
        Target::Postgres(server) => Some(with_password(server)),
        Target::Sqlite(_) => None,
    };
    let seen = match &server {
        Some(server) => look_at_server(server, settings).await?,
        None => look_at_file(target, settings).await?,
    };
    let meant = meaning::meant(&seen, settings, server.as_ref()).await;
    Ok((seen, meant))
}

async fn look_at_file(target: &Target, settings: &Settings) -> Result<Seen, Failure> {
    let database = target.open(settings, true)?;
    let index = progress::index_values(&database, INDEX_PATIENCE).await?;
    let snapshot = database.snapshot().await?;
    let unreadable = snapshot.schema.unreadable.iter();
    let problems = unreadable.map(|(name, reason)| format!("{name} is left out: {reason}"));
    Ok(Seen {
        database: database.name(),
        problems: problems.collect(),
        snapshot,
        index,
        facts: Vec::new(),
    })
}

/// What is wrong with the store of the audit.
async fn store_problem(settings: &Settings) -> Option<String> {
    let audit = settings.audit;
    let usable = match StoreAddress::of(&settings.store.location) {
        Ok(place) => place.probe().await,
        Err(error) => Err(error),
    };
    match usable {
        Err(error)
            if audit.enabled && (audit.required || settings.store.location != StoreLocation::Nowhere) =>
        {
            Some(Failure::from(error).in_one_line())
        }
        _ => None,
    }
}

fn settings_problems(backend: &Target, settings: &Settings) -> Vec<String> {
    let mut problems = Vec::new();
    let fits = match backend {
        Target::Sqlite(path) => settings.check_sqlite().and_then(|()| settings.check_store(path)),
        Target::Postgres(server) => settings.check_postgres(server.is_encrypted()),
    };
    if let Err(error) = fits {
        problems.push(format!("{}; {}", error.message, error.hint.unwrap_or_default()));
    }
    let mode = settings.auth.mode;
    if mode != AuthMode::Scram && !settings.auth.users.is_empty() {
        problems.push(format!(
            "auth.users is set, but auth.mode = \"{}\" does not look there; scram does",
            mode.name()
        ));
    }
    if mode != AuthMode::Scram && settings.auth.auth_query.is_some() {
        problems.push(format!(
            "auth.auth_query is set, but auth.mode = \"{}\" does not ask it; scram does",
            mode.name()
        ));
    }
    if let Some(Certificate::Files { cert, key }) = &settings.tls.certificate {
        for (name, path) in [("tls.cert", cert), ("tls.key", key)] {
            if let Err(error) = std::fs::File::open(path) {
                problems.push(format!("{name}: cannot read {}: {error}", path.display()));
            }
        }
    }
    if let Some(path) = &settings.tls.client_ca
        && let Err(error) = std::fs::File::open(path)
    {
        problems.push(format!("tls.client_ca: cannot read {}: {error}", path.display()));
    }
    problems
}

fn print_schema(schema: &Schema, out: &mut impl Write) -> io::Result<()> {
    let mut columns = plain_table();
    columns.set_header(["table", "rows", "column", "type", "holds", "key"]);
    for (at, table) in schema.tables.iter().enumerate() {
        for (position, column) in table.columns.iter().enumerate() {
            let place = ColumnRef {
                table: at,
                column: position,
            };
            let first = position == 0;
            let kind = if table.is_view { " (view)" } else { "" };
            let rows = match table.rows {
                None => "?".into(),
                Some(rows) if table.counted => rows.to_string(),
                Some(rows) => format!("about {rows}"),
            };
            columns.add_row([
                if first {
                    visible(&format!("{}{kind}", shown(table))).into_owned()
                } else {
                    String::new()
                },
                if first { rows } else { String::new() },
                visible(&column.name).into_owned(),
                visible(&column.declared_type).into_owned(),
                format!("{:?}", column.kind).to_lowercase(),
                keys_of(schema, table, place),
            ]);
        }
    }
    write_table(out, &columns)?;
    let views = schema.tables.iter().filter(|table| table.is_view).count();
    let declared = schema.foreign_keys.iter().filter(|key| key.declared).count();
    writeln!(
        out,
        "{} tables, {views} views, {} columns, {declared} declared foreign keys, {} inferred",
        schema.tables.len() - views,
        schema.columns().count(),
        schema.foreign_keys.len() - declared
    )
}

/// The name that SQL has to write.
fn shown(table: &Table) -> String {
    match &table.schema {
        Some(schema) if table.qualified => format!("{schema}.{}", table.name),
        _ => table.name.clone(),
    }
}

/// The part that a column has in keys, in a few words.
fn keys_of(schema: &Schema, table: &Table, place: ColumnRef) -> String {
    let mut words = Vec::new();
    if table.primary_key.contains(&place.column) {
        words.push("primary".to_owned());
    } else if schema.column(place).unique {
        words.push("unique".to_owned());
    }
    for key in &schema.foreign_keys {
        for (from, to) in key.from.iter().zip(&key.to) {
            if *from == place {
                let target = shown(&schema.tables[to.table]);
                let inferred = if key.declared { "" } else { " (inferred)" };
                words.push(
                    visible(&format!("-> {target}.{}{inferred}", schema.column(*to).name)).into_owned(),
                );
            }
        }
    }
    words.join(", ")
}

fn index_line(progress: IndexProgress) -> String {
    let complete = progress.columns_done == progress.columns_total;
    let state = match (complete, progress.truncated) {
        (false, _) => "not complete yet",
        (true, true) => "complete, cut short by its bounds",
        (true, false) => "complete",
    };
    format!(
        "{} values of {}/{} text columns, {state}",
        progress.values, progress.columns_done, progress.columns_total
    )
}
