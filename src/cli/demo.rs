//! `querent demo`: the sample shop, asked and served.

use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use comfy_table::{ContentArrangement, Table, presets::UTF8_FULL};
use jiff::{civil::Date, tz::TimeZone};
use tempfile::TempDir;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{
    Failure, console,
    models::Asking,
    output::{plain_table, text},
    progress, runtime,
    target::Target,
};
use crate::{
    config::{ListenAddress, Settings},
    error::visible,
    question::{
        ask::{Answer, ask},
        today,
    },
    sample,
    service::{
        audit::Timestamp,
        http::psql_options,
        server::{Server, ServerError},
    },
    sqlite::engine::{Connection, Database},
};

/// What the demo asks, to show the range of what can be asked.
const QUESTIONS: [&str; 5] = [
    "how many customers are there in each country?",
    "the five most expensive products",
    "which products were never ordered?",
    "average rating of the reviews per category",
    "customers in Germany who signed up last year without a phone",
];

/// Rows shown of each answer.
const ROWS_SHOWN: usize = 5;

/// Width of the table where there is no terminal to fit into.
const WIDTH: u16 = 100;

/// How long the questions wait for the value index at most.
const INDEX_PATIENCE: Duration = Duration::from_secs(60);

/// Make a sample database, serve it and show what can be asked
///
/// The database is a shop with customers, products, orders and more, made anew in a temporary folder, which is
/// removed at the end. Its orders end today, so that "last month" has some. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent demo
  querent demo --once                               only print the questions and answers
  querent demo --save shop.db                       only write the database: the shop.db of other examples
  querent demo --listen 127.0.0.1:5433")]
pub(super) struct Arguments {
    /// HOST:PORT, or the path of a unix socket or its folder; may be repeated [default: 127.0.0.1:7432]
    #[arg(long, value_name = "ADDR")]
    listen: Vec<String>,
    /// HOST:PORT of /healthz and /metrics, or off [default: 127.0.0.1:7433]
    #[arg(long, value_name = "ADDR")]
    console: Option<String>,
    /// Print the questions with their answers, then end
    #[arg(long)]
    once: bool,
    /// Write the database to a new file, then end
    #[arg(long, value_name = "FILE", conflicts_with_all = ["listen", "console", "once"])]
    save: Option<PathBuf>,
    /// The day on which the shop's history ends, such as 2026-03-01; the shop of a day is always the same [default: today]
    #[arg(long, value_name = "DATE", value_parser = day)]
    today: Option<Date>,
}

pub(super) fn day(text: &str) -> Result<Date, String> {
    let moment = text.parse::<Timestamp>()?;
    let moment = jiff::Timestamp::try_from(moment.0).map_err(|error| error.to_string())?;
    Ok(TimeZone::UTC.to_datetime(moment).date())
}

impl Arguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        super::address_overrides(&self.listen, self.console.as_deref())
    }

    fn today(&self) -> Date {
        self.today.unwrap_or_else(today)
    }
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    if let Some(path) = &arguments.save {
        return save(path, arguments.today()).map(|()| ExitCode::SUCCESS);
    }
    runtime()?.block_on(async {
        let mut stop = EndSignals::listen()?;
        let prepared = tokio::select! {
            prepared = prepare(arguments, settings) => prepared?,
            () = stop.requested() => None,
        };
        // The folder goes when everything else has ended.
        if let Some((server, _console, _folder)) = prepared {
            let handle = server.handle();
            tokio::spawn(async move {
                stop.requested().await;
                handle.drain();
            });
            server.run().await;
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// Refuses addresses where nothing can listen before anything is made for them.
async fn check_addresses(settings: &Settings) -> Result<(), Failure> {
    for address in &settings.listen {
        if let ListenAddress::Tcp { host, port } = address {
            let found = tokio::net::lookup_host((host.as_str(), *port)).await;
            found.map(drop).map_err(|reason| ServerError::Listen {
                address: address.to_string(),
                reason,
            })?;
        }
    }
    Ok(settings.check_sqlite()?)
}

/// Makes the shop, asks the questions, and returns the server to run unless that was all.
/// Cancel safe: the temporary folder goes with the future.
async fn prepare(
    arguments: &Arguments,
    settings: &Settings,
) -> Result<Option<(Server, Option<console::Running>, TempDir)>, Failure> {
    if !arguments.once {
        check_addresses(settings).await?;
    }
    let folder = tempfile::Builder::new()
        .prefix("querent-demo-")
        .tempdir()
        .map_err(|error| {
            Failure::new(format!("cannot make a temporary folder: {error}"))
                .hint("set TMPDIR to a folder that you may write to")
        })?;
    let path = folder.path().join("shop.sqlite");
    let asking = Asking::new(settings)?;
    let database = make(&path, arguments.today(), settings).await?;
    // An address that is taken is told before anything else.
    let bound = if arguments.once {
        None
    } else {
        let server = Server::bind(Arc::clone(&database), of_demo(settings)).await?;
        let console =
            console::bind(&settings.console, server.handle(), &Target::Sqlite(path.clone())).await?;
        Some((server, console))
    };
    progress::index_values(&database, INDEX_PATIENCE).await?;
    let table = answers(&database, &asking).await?;
    writeln!(io::stdout().lock(), "{table}")?;
    let Some((server, console)) = bound else {
        return Ok(None);
    };
    let console = console::start(console)?;
    invite(&server.addresses())?;
    Ok(Some((server, console, folder)))
}

/// What is asked of a sample is nobody's business, unless somebody says so.
fn of_demo(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.audit.enabled &= settings.audit.chosen;
    settings
}

/// Writes the shop to a file that is not there yet.
fn save(path: &Path, today: Date) -> Result<(), Failure> {
    if path.exists() {
        return Err(Failure::new(format!("{} is there already", path.display()))
            .hint("name a new file, or remove that one first"));
    }
    let summary = sample::create(path, today).map_err(|error| Failure::new(error.to_string()))?;
    tell(&summary, today, path)?;
    let path = path.display();
    writeln!(
        io::stderr().lock(),
        "ask it: querent ask {path} \"{}\"\nserve it: querent serve {path}",
        QUESTIONS[0]
    )?;
    Ok(())
}

async fn make(path: &Path, today: Date, settings: &Settings) -> Result<Arc<Database>, Failure> {
    let file = path.to_owned();
    let making = tokio::task::spawn_blocking(move || sample::create(&file, today));
    let summary = making
        .await
        .map_err(|error| Failure::new(format!("the sample could not be made: {error}")))?
        .map_err(|error| Failure::new(error.to_string()))?;
    tell(&summary, today, path)?;
    Ok(Target::Sqlite(path.to_owned()).open(settings, false)?)
}

/// What was made.
fn tell(summary: &sample::Summary, today: Date, path: &Path) -> io::Result<()> {
    writeln!(
        io::stderr().lock(),
        "sample shop: {} tables, {} rows, orders from {} to {today}, in {}",
        summary.tables,
        summary.rows,
        summary.first_day,
        path.display()
    )
}

/// All questions with their SQL and rows.
async fn answers(database: &Arc<Database>, asking: &Asking) -> Result<Table, Failure> {
    let connection = database.connect()?;
    let mut table = Table::new();
    table.load_preset(UTF8_FULL);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if !io::stdout().is_terminal() {
        table.set_width(WIDTH);
    }
    for (question, number) in QUESTIONS.iter().zip(1..) {
        let answer = ask(&connection, question, &asking.question()).await?;
        let rows = rows(&connection, &answer).await?;
        table.add_row([
            number.to_string(),
            format!("{question}\n\n{}\n\n{rows}", answer.sql.as_str()),
        ]);
    }
    Ok(table)
}

/// The first rows of an answer, and how many more there are.
async fn rows(connection: &Connection, answer: &Answer) -> Result<String, Failure> {
    let mut cursor = connection.run_generated(&answer.sql, None, Vec::new()).await?;
    let columns = cursor.columns().to_vec();
    let mut table = plain_table();
    table.set_header(columns.iter().map(|column| visible(&column.name).into_owned()));
    let mut count = 0;
    loop {
        let chunk = cursor.next(0).await?;
        for row in chunk.rows.iter().take(ROWS_SHOWN.saturating_sub(count)) {
            table.add_row(
                row.iter()
                    .zip(&columns)
                    .map(|(value, column)| visible(&text(value, column.ty)).into_owned()),
            );
        }
        count += chunk.rows.len();
        if chunk.done {
            break;
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    let more = count.saturating_sub(ROWS_SHOWN);
    let rest = if more > 0 {
        format!("\n… and {more} more")
    } else {
        String::new()
    };
    Ok(lines.join("\n") + &rest)
}

/// Tells where the server listens and how to go on.
fn invite(addresses: &[String]) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    for address in addresses {
        writeln!(stderr, "listening on {address}")?;
    }
    if let Some(address) = addresses.first() {
        writeln!(stderr, "\nGo on with psql, or with any PostgreSQL client:\n")?;
        writeln!(
            stderr,
            "    psql {} -c \"-- nl: {}\"",
            psql_options(address),
            QUESTIONS[0]
        )?;
        writeln!(stderr, "\nCtrl-C ends the demo and removes its database.")?;
    }
    Ok(())
}

/// The signals that end the demo. One that comes at any time after [`EndSignals::listen`] is seen.
struct EndSignals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl EndSignals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Returns at the first signal. Cancel safe.
    async fn requested(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}
