//! The console as a client of the server that it stands beside: a question asked here goes the way of every other, with the
//! rights, the limits and the audit that it has there.

use std::{
    future::Future,
    net::IpAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt, stream};
use serde::Serialize;
use tokio::{task::JoinHandle, time::timeout};
use tokio_postgres::{Client, Config, NoTls, SimpleQueryMessage};

use super::{longest_row::LongestRow, own_sql};
use crate::{
    config::Limits,
    error::{ClientError, length_of, visible},
    service::{
        audit::{Asked, Decision, End, Lookup, Refusal, Who},
        server::Handle,
    },
};

/// Rows that are shown of an answer at most.
const ROWS: usize = 10_000;
/// What they may hold, in bytes.
const BYTES: usize = 16 << 20;
/// What it calls itself to the server.
const APPLICATION: &str = "Querent console";
/// The longest message that it takes: a row, whose values stand in it as they come.
const LONGEST: usize = 2 * BYTES;
/// How long the end of a transaction may take.
const END: Duration = Duration::from_secs(20);
/// How long a login may take.
const LOGIN: Duration = Duration::from_secs(20);
/// Ends a transaction, and takes back what functions may do to its session besides: locks, names that are listened to,
/// settings. It is not `DISCARD ALL`, which would also take the statements with which the driver asks for types.
const ROLLBACK_AND_RESET: &str = "ROLLBACK; CLOSE ALL; RESET SESSION AUTHORIZATION; RESET ALL; UNLISTEN *; \
    SELECT pg_catalog.pg_advisory_unlock_all(); DISCARD SEQUENCES; DISCARD TEMP";

/// A connection to ask on.
pub(super) struct Asking {
    client: Client,
    server: Handle,
    peer: IpAddr,
    /// Its session's number.
    pub(super) session: u64,
    /// Who asks.
    pub(super) user: String,
    /// Of which database.
    database: String,
    /// The question that feedback is about.
    pub(super) last: Option<String>,
    /// Set when a row has come that is too long to be taken.
    had_long_row: Arc<AtomicBool>,
    driver: JoinHandle<()>,
}

/// Who wants to ask.
pub(super) struct Login<'a> {
    /// The user.
    pub(super) user: &'a str,
    /// The password, if one is needed.
    pub(super) password: &'a str,
    /// The database.
    pub(super) database: &'a str,
    /// Whether who the user is has been found out already; that counts in front of a file alone.
    pub(super) is_proven: bool,
}

impl Login<'_> {
    /// Refuses what nobody and nothing can be called. The protocol has no way to send it.
    fn check(&self) -> Result<(), Failed> {
        let failed = |sqlstate: &str, message: String| Failed {
            sqlstate: sqlstate.to_owned(),
            message,
            ..Failed::default()
        };
        if self.user.contains('\0') || self.password.contains('\0') {
            let user = visible(self.user);
            return Err(failed(
                "28P01",
                format!("password authentication failed for user \"{user}\""),
            ));
        }
        if self.database.contains('\0') {
            let database = visible(self.database);
            return Err(failed("3D000", format!("database \"{database}\" does not exist")));
        }
        Ok(())
    }
}

/// The rows of a statement.
#[derive(Debug, Default, Serialize)]
pub(super) struct ResultTable {
    /// The names of the columns.
    pub(super) columns: Vec<String>,
    /// The values as PostgreSQL writes them.
    pub(super) rows: Vec<Vec<Option<String>>>,
    /// True if there are more than are shown.
    pub(super) more: bool,
}

/// What the rows of a statement may come to, by the configuration.
#[derive(Debug, Clone, Copy, Default)]
struct Bounds {
    rows: Option<u64>,
    bytes: Option<u64>,
}

impl Bounds {
    fn of(limits: &Limits) -> Self {
        Self {
            rows: limits.rows,
            bytes: limits.bytes,
        }
    }

    /// The error of rows that have become too many.
    fn passed(self, rows: usize, bytes: usize) -> Option<Failed> {
        let over = |most: Option<u64>, count: usize| most.filter(|most| count as u64 > *most);
        let (most, what) = over(self.rows, rows)
            .map(|most| (most, "rows"))
            .or_else(|| over(self.bytes, bytes).map(|most| (most, "bytes")))?;
        Some(Failed {
            sqlstate: "54000".to_owned(),
            message: format!("the result has more than {most} {what}"),
            hint: Some(format!(
                "Ask for less, with LIMIT for example, or raise limits.{what}."
            )),
            ..Failed::default()
        })
    }
}

/// What the server said instead of an answer.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Failed {
    /// The code.
    pub(super) sqlstate: String,
    /// The words.
    pub(super) message: String,
    /// More of them.
    pub(super) detail: Option<String>,
    /// What to do.
    pub(super) hint: Option<String>,
}

impl Asking {
    /// Logs in.
    pub(super) async fn open(server: &Handle, peer: IpAddr, login: Login<'_>) -> Result<Self, Failed> {
        login.check()?;
        let proven = login.is_proven.then(|| login.user.to_owned());
        let inside = server.connect(peer, proven);
        let had_long_row = Arc::new(AtomicBool::new(false));
        let stream = LongestRow::new(inside.stream, LONGEST, Arc::clone(&had_long_row));
        let mut config = Config::new();
        config
            .user(login.user)
            .password(login.password)
            .dbname(login.database)
            .application_name(APPLICATION);
        let connecting = timeout(LOGIN, config.connect_raw(stream, NoTls)).await;
        let (client, connection) = connecting.map_err(|_| Failed {
            sqlstate: "08006".into(),
            message: "the login took too long".into(),
            ..Failed::default()
        })??;
        let driver = tokio::spawn(async move {
            // The driver would log notices, which hold SQL. The connection's end is seen by whoever asks next.
            let mut connection = connection;
            let mut messages = pin!(stream::poll_fn(move |context| connection.poll_message(context)));
            while let Some(Ok(_)) = messages.next().await {}
        });
        Ok(Self {
            client,
            server: server.clone(),
            peer,
            session: inside.session,
            user: login.user.to_owned(),
            database: login.database.to_owned(),
            last: None,
            had_long_row,
            driver,
        })
    }

    /// Whether it can be asked on.
    pub(super) fn is_open(&self) -> bool {
        !self.client.is_closed()
    }

    /// Says what is right for the last question, line by line: no statement can leave comments of that form.
    pub(super) async fn fix(&self, sql: &str) -> Result<ResultTable, Failed> {
        let lines = sql.lines().map(|line| line.replace(['\0', '\r'], " "));
        let lines: Vec<String> = lines.map(|line| format!("-- {line}")).collect();
        let told = lines.join("\n");
        self.run(&format!("-- nl fix: {}\n;", told.trim_start_matches("-- ")))
            .await
    }

    /// Runs one statement of somebody's own, which can only read. It is in the audit before it runs, and how it ended after.
    pub(super) async fn query(&self, sql: &str, is_file: bool) -> Result<ResultTable, Failed> {
        let audit = self.server.audit();
        let who = Who {
            session: self.session,
            user: self.user.clone(),
            role: self.user.clone(),
            database: self.database.clone(),
            address: self.peer.to_string(),
            application: APPLICATION.to_owned(),
        };
        let id = audit.number();
        let decision = Decision {
            id: &id,
            who: &who,
            action: "query",
            question: sql,
            sql: Some(sql),
            refusal: None,
            lookup: Lookup::default(),
        };
        if let Some(refused) = own_sql::refused(sql, is_file) {
            audit.refused(Decision {
                refusal: Some(Refusal {
                    sqlstate: &refused.sqlstate,
                    message: &refused.message,
                    detail: None,
                }),
                ..decision
            });
            return Err(refused);
        }
        let recorded = audit.decided(decision).await.map_err(|error| Failed {
            sqlstate: error.sqlstate().to_string(),
            message: error.message(),
            detail: error.detail(),
            hint: error.hint(),
        })?;
        let run = recorded.as_ref().map(Asked::begin);
        let found = self.read(sql, is_file).await;
        if let Some(mut run) = run {
            match &found {
                Ok(rows) => {
                    run.rows(rows.rows.len() as u64);
                    run.end(if rows.more { End::Left } else { End::Done });
                }
                Err(failed) => run.end(End::Failed(&failed.sqlstate)),
            }
        }
        found
    }

    /// In a transaction that does not write, and ends with it; within the limits that questions have.
    async fn read(&self, sql: &str, is_file: bool) -> Result<ResultTable, Failed> {
        let limits = self.server.settings().limits.clone();
        self.run("BEGIN READ ONLY").await?;
        let found = async {
            if is_file {
                // An answer's SQL is in the file's own dialect.
                self.run("SET LOCAL querent.dialect = sqlite").await?;
            }
            // What can be prepared is one statement.
            self.client.prepare(sql).await?;
            self.run_within(sql, Bounds::of(&limits)).await
        };
        let found = self.in_time(limits.statement_timeout, found).await;
        self.end().await;
        found
    }

    /// Stops what takes longer than this; zero is no limit.
    async fn in_time(
        &self,
        most: Duration,
        work: impl Future<Output = Result<ResultTable, Failed>>,
    ) -> Result<ResultTable, Failed> {
        if most.is_zero() {
            return work.await;
        }
        if let Ok(found) = timeout(most, work).await {
            return found;
        }
        self.cancel().await;
        Err(Failed {
            sqlstate: "57014".to_owned(),
            message: "canceling statement due to statement timeout".to_owned(),
            detail: Some(format!("It took longer than {}.", length_of(most))),
            hint: Some("Ask for less, or raise limits.statement_timeout.".to_owned()),
        })
    }

    /// Ends the transaction of a statement. A connection on which it does not end is of no further use.
    async fn end(&self) {
        // What was to stop the statement may come late and stop this.
        for _ in 0..2 {
            if let Ok(Ok(())) = timeout(END, self.client.batch_execute(ROLLBACK_AND_RESET)).await {
                return;
            }
        }
        self.driver.abort();
    }

    /// Asks; `action` is empty for the rows of the answer.
    pub(super) async fn ask(&self, action: &str, words: &str) -> Result<ResultTable, Failed> {
        self.run(&format!("/* nl {action}: {} */;", plain(words))).await
    }

    /// Runs a statement, and stops it when there are more rows than can be shown.
    pub(super) async fn run(&self, statement: &str) -> Result<ResultTable, Failed> {
        self.run_within(statement, Bounds::default()).await
    }

    async fn run_within(&self, statement: &str, bounds: Bounds) -> Result<ResultTable, Failed> {
        self.had_long_row.store(false, Ordering::Relaxed);
        let found = self.gather(statement, bounds).await;
        match found {
            Ok(found) if found.more => Ok(found),
            _ if self.had_long_row.load(Ordering::Relaxed) => Err(Failed {
                sqlstate: "54000".to_owned(),
                message: "a row of the result is too large to be shown".to_owned(),
                detail: Some(format!("It has more than {} MiB.", LONGEST >> 20)),
                hint: Some("Ask for fewer columns, or for a part of the values.".to_owned()),
            }),
            found => found,
        }
    }

    async fn gather(&self, statement: &str, bounds: Bounds) -> Result<ResultTable, Failed> {
        let messages = self.client.simple_query_raw(statement).await?;
        let mut messages = pin!(messages);
        let mut found = ResultTable::default();
        let (mut bytes, mut is_stopped) = (0, false);
        while let Some(message) = messages.next().await {
            match message {
                Ok(SimpleQueryMessage::RowDescription(columns)) => {
                    found.columns = columns.iter().map(|column| column.name().to_owned()).collect();
                }
                Ok(SimpleQueryMessage::Row(_)) if is_stopped => {}
                Ok(SimpleQueryMessage::Row(row)) => {
                    let row = (0..row.len()).map(|at| row.try_get(at).map(|value| value.map(str::to_owned)));
                    let row: Vec<Option<String>> = row.collect::<Result<_, _>>()?;
                    bytes += row.iter().flatten().map(String::len).sum::<usize>();
                    found.rows.push(row);
                    if let Some(passed) = bounds.passed(found.rows.len(), bytes) {
                        self.cancel().await;
                        return Err(passed);
                    }
                    if found.rows.len() >= ROWS || bytes >= BYTES {
                        (found.more, is_stopped) = (true, true);
                        self.cancel().await;
                    }
                }
                Ok(_) => {}
                // It was told to stop.
                Err(_) if is_stopped => break,
                // It has come without its values, which the driver takes for a mistake.
                Err(_) if self.had_long_row.load(Ordering::Relaxed) => {
                    is_stopped = true;
                    self.cancel().await;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(found)
    }

    /// Stops what is at work.
    pub(super) async fn cancel(&self) {
        let inside = self.server.connect(self.peer, None);
        // If it cannot be stopped, it ends by its own limits.
        let _ = self
            .client
            .cancel_token()
            .cancel_query_raw(inside.stream, NoTls)
            .await;
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Failed {
    /// Whoever logs in is not who they say.
    pub(super) fn is_stranger(&self) -> bool {
        self.sqlstate.starts_with("28")
    }

    /// A table, a function or a schema that is named is not there.
    pub(super) fn is_missing(&self) -> bool {
        ["42P01", "42883", "3F000"].contains(&self.sqlstate.as_str())
    }
}

impl From<tokio_postgres::Error> for Failed {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.as_db_error() {
            Some(told) => Self {
                sqlstate: told.code().code().to_owned(),
                message: told.message().to_owned(),
                detail: told.detail().map(str::to_owned),
                hint: told.hint().map(str::to_owned),
            },
            None => Self {
                sqlstate: "08006".to_owned(),
                message: error.to_string(),
                ..Self::default()
            },
        }
    }
}

/// Words that cannot leave the comment in which they stand.
fn plain(words: &str) -> String {
    let mut plain = words.replace(['\0', '\r', '\n'], " ");
    // What is left of `**//` after one turn is `*/` again.
    while plain.contains("*/") || plain.contains("/*") {
        plain = plain.replace("*/", "* ").replace("/*", " *");
    }
    // The comment's own end must not join a last star or slash.
    plain.trim_end_matches(['*', '/']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn words_stay_in_their_comment() {
        for (given, written) in [
            ("how many customers?", "how many customers?"),
            ("a */ DROP TABLE t; /* b", "a *  DROP TABLE t;  * b"),
            ("**//", "**"),
            ("/*/", "*"),
            ("two\nlines", "two lines"),
            ("a/b * c", "a/b * c"),
        ] {
            let words = plain(given);
            assert!(!words.contains("*/") && !words.contains("/*"), "{words:?}");
            assert_eq!(words.trim(), written.trim(), "{given}");
        }
    }
}
