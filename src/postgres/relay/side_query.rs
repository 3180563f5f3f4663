//! Querent's own statements on a session's connection, between the client's: read-only, and without a trace.
//!
//! They go as messages of the extended protocol with names of their own, since a simple Query would destroy the
//! client's unnamed statement. Outside a transaction the messages up to Sync are one that ends with them; in a
//! transaction they stand between a savepoint and the way back to it.

use std::{
    future::poll_fn,
    io,
    task::{Context, Poll, ready},
    time::Duration,
};

use async_trait::async_trait;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio::{sync::Mutex, time::timeout};

use super::{
    end::End,
    exchange::{Exchange, Own, header},
};
use crate::{
    backend::BackendError,
    error::SqlState,
    postgres::introspection::{Querier, Query, Rows},
    wire::Encoding,
};

/// How much longer than its statements may run a conversation may take. A server that plans or computes a constant
/// does not look at its clock.
const GRACE: Duration = Duration::from_secs(2);
/// Bytes that wait for the client at most before the server is not read any more.
const FULL: usize = 64 << 10;
/// The longest answer to a statement of Querent's that is taken, in bytes.
const LONGEST_FRAME: usize = 64 << 20;

/// What an interrupted conversation has left behind on the server's connection.
#[derive(Debug, Default)]
pub(super) struct Unfinished {
    /// The server has not answered the last Sync yet.
    synced: bool,
    /// The transaction has a savepoint of Querent's.
    savepoint: bool,
    /// The server has not answered in time, and is asked no more.
    late: bool,
}

/// A session's connection while the client waits.
pub(super) struct SideQuerier<'a>(Mutex<Line<'a>>);

/// The connection itself.
pub(super) struct Line<'a> {
    pub(super) server: &'a mut End,
    pub(super) exchange: &'a mut Exchange,
    pub(super) unfinished: &'a mut Unfinished,
    /// How long any of its conversations may take, beside a grace.
    pub(super) most: Duration,
}

impl<'a> SideQuerier<'a> {
    /// Only at a safe point, see [`Exchange::is_safe`].
    pub(super) fn new(line: Line<'a>) -> Self {
        Self(Mutex::new(line))
    }

    /// Tells the server so often that the session is not idle: it is at work for its client. Does not resolve. Cancel safe, as
    /// [`Querier::read`] is.
    pub(super) async fn keep_up(&self, every: Duration) {
        loop {
            tokio::time::sleep(every).await;
            // Where a conversation is held, it is not idle.
            if let Ok(mut line) = self.0.try_lock() {
                line.sign_of_life().await;
            }
        }
    }

    /// Resolves once the server has ended the session, while nothing is asked of it; what it says meanwhile is for the
    /// client. `safe` tells whether conversations are held. Cancel safe.
    pub(super) async fn ended(&self, safe: bool) -> io::Error {
        poll_fn(|task| match self.0.try_lock() {
            Ok(mut line) => line.poll_ended(task, safe),
            // A conversation reads what the server says, and wakes this task when it goes on.
            Err(_) => Poll::Pending,
        })
        .await
    }
}

#[async_trait]
impl Querier for SideQuerier<'_> {
    /// Dropping the future leaves an [`Unfinished`] conversation.
    async fn read(&self, statements: &[Query<'_>], time_limit: Duration) -> Result<Vec<Rows>, BackendError> {
        self.0.lock().await.read(statements, time_limit).await
    }
}

impl Unfinished {
    /// True if there is something to bring to an end.
    pub(super) fn is_any(&self) -> bool {
        self.synced || self.savepoint
    }
}

/// The server has not answered in time.
fn late() -> BackendError {
    BackendError::new("57014", "the server did not answer in time")
        .with_detail("It went on with a statement of the question beyond the time for that.")
        .with_hint("Ask for less, or raise limits.statement_timeout.")
}

/// SET LOCAL where no block is: a pipeline is a transaction as well, but the server's log would have a warning for each.
pub(super) fn set_in_pipeline(name: &str, value: &str) -> String {
    format!("SELECT pg_catalog.set_config('{name}', '{value}', true)")
}

impl Line<'_> {
    /// Within the time for the statements, whatever the server does.
    async fn read(
        &mut self,
        statements: &[Query<'_>],
        time_limit: Duration,
    ) -> Result<Vec<Rows>, BackendError> {
        if self.unfinished.late {
            return Err(late());
        }
        let all = time_limit.saturating_mul(statements.len() as u32);
        let limit = if all.is_zero() {
            self.most
        } else {
            all.min(self.most)
        };
        let read = self.read_all(statements, time_limit);
        if let Ok(outcome) = timeout(limit + GRACE, read).await {
            outcome
        } else {
            self.unfinished.late = true;
            Err(late())
        }
    }

    async fn read_all(
        &mut self,
        statements: &[Query<'_>],
        time_limit: Duration,
    ) -> Result<Vec<Rows>, BackendError> {
        self.finish().await.map_err(|error| gone(&error))?;
        let in_transaction = self.exchange.status == b'T';
        let own = self.exchange.own.clone();
        let mut batch = Batch::new(self.exchange);
        if in_transaction {
            batch.command(&own.savepoint())?;
        }
        let set = |name, value: &str| {
            if in_transaction {
                format!("SET LOCAL {name} = {value}")
            } else {
                set_in_pipeline(name, value)
            }
        };
        batch.command(&set("transaction_read_only", "on"))?;
        if !time_limit.is_zero() {
            let milliseconds = time_limit.as_millis().clamp(1, i32::MAX as u128);
            batch.command(&set("statement_timeout", &milliseconds.to_string()))?;
        }
        let first = batch.statements;
        for statement in statements {
            batch.query(statement)?;
        }
        let behind = batch.statements;
        if in_transaction {
            batch.command(&own.roll_back())?;
            batch.command(&own.release())?;
        }
        let outcome = self
            .converse(batch, in_transaction)
            .await
            .map_err(|error| gone(&error))?;
        self.roll_back().await.map_err(|error| gone(&error))?;
        let mut rows = outcome?;
        rows.truncate(behind);
        rows.drain(..first.min(rows.len()));
        Ok(rows)
    }

    /// Messages up to Sync that do nothing, outside a transaction. That the connection breaks is seen by who waits for its end.
    async fn sign_of_life(&mut self) {
        let nothing = async {
            self.finish().await?;
            let batch = Batch::new(self.exchange);
            self.converse(batch, false).await
        };
        self.unfinished.late |= timeout(GRACE, nothing).await.is_err();
    }

    /// Brings to an end what was interrupted.
    pub(super) async fn finish(&mut self) -> io::Result<()> {
        if self.unfinished.synced {
            // Whatever it says, nobody waits for it any more.
            let _ = self.answers().await?;
        }
        self.roll_back().await
    }

    /// Back to how the transaction was, if a statement of Querent's has failed in it.
    async fn roll_back(&mut self) -> io::Result<()> {
        if self.unfinished.savepoint && self.exchange.status == b'E' {
            let mut batch = Batch::new(self.exchange);
            let own = self.exchange.own.clone();
            let built = batch
                .command(&own.roll_back())
                .and_then(|()| batch.command(&own.release()));
            built.map_err(io::Error::other)?;
            self.converse(batch, true).await?.map_err(io::Error::other)?;
        }
        self.unfinished.savepoint = false;
        self.unfinished.late = false;
        Ok(())
    }

    /// Sends the messages and reads what the server says to them; an `Err` inside is the server's.
    async fn converse(
        &mut self,
        batch: Batch,
        savepoint: bool,
    ) -> io::Result<Result<Vec<Rows>, BackendError>> {
        self.unfinished.synced = true;
        self.unfinished.savepoint = savepoint;
        let bytes = batch.finish();
        self.exchange.to_server.extend_from_slice(&bytes);
        self.server.write(&mut self.exchange.to_server).await?;
        self.answers().await
    }

    /// Everything up to `ReadyForQuery`.
    async fn answers(&mut self) -> io::Result<Result<Vec<Rows>, BackendError>> {
        // An interrupted conversation may not even have been sent.
        self.server.write(&mut self.exchange.to_server).await?;
        let encoding = self.exchange.encoding;
        let (mut results, mut rows, mut failed) = (vec![], Rows::default(), None);
        loop {
            let (tag, frame) = self.frame().await?;
            let body = &frame[5..];
            match tag {
                b'T' => rows.columns = columns(body, encoding),
                b'D' => rows.rows.push(values(body, encoding)),
                b'C' | b's' | b'I' => {
                    rows.complete = tag != b's';
                    results.push(std::mem::take(&mut rows));
                }
                b'E' => {
                    let error = error(body, encoding);
                    if matches!(error.severity, Severity::Fatal) {
                        // The connection ends, and the client is told why.
                        self.exchange.aside(&frame);
                    }
                    failed.get_or_insert(error.told);
                }
                b'A' | b'S' => self.exchange.aside(&frame),
                b'Z' => {
                    self.exchange.status = body.first().copied().unwrap_or(b'I');
                    self.unfinished.synced = false;
                    return Ok(failed.map_or(Ok(results), Err));
                }
                // Completions of Parse, Bind and Close, and notices about Querent's own doing.
                _ => {}
            }
        }
    }

    async fn frame(&mut self) -> io::Result<(u8, Bytes)> {
        loop {
            let carry = self.exchange.server_carry();
            if let Some(frame) = whole(carry)? {
                return Ok(frame);
            }
            if self.server.read(carry).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Ready once the server has ended the session. `safe` tells whether all it can say is nobody's answer.
    fn poll_ended(&mut self, task: &mut Context<'_>, safe: bool) -> Poll<io::Error> {
        // What was interrupted is read by whoever brings it to an end.
        while !self.unfinished.is_any() && self.exchange.to_client.len() < FULL {
            let exchange = &mut *self.exchange;
            let read = self.server.poll_read(task, |bytes| {
                if safe {
                    exchange.server_carry().extend_from_slice(bytes);
                } else {
                    exchange.server_bytes(bytes);
                }
                bytes.len()
            });
            match ready!(read) {
                Ok(0) => return Poll::Ready(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) if safe => {
                    if let Err(error) = self.asides() {
                        return Poll::Ready(error);
                    }
                }
                Ok(_) => {}
                Err(error) => return Poll::Ready(error),
            }
        }
        Poll::Pending
    }

    /// What the server has said without being asked goes on.
    fn asides(&mut self) -> io::Result<()> {
        while let Some((_, frame)) = whole(self.exchange.server_carry())? {
            self.exchange.aside(&frame);
        }
        Ok(())
    }
}

/// Takes a frame that is there as a whole.
fn whole(carry: &mut BytesMut) -> io::Result<Option<(u8, Bytes)>> {
    let Some((tag, length)) = header(carry) else {
        return Ok(None);
    };
    if !(5..=LONGEST_FRAME).contains(&length) {
        return Err(io::Error::other("the server's message has an impossible length"));
    }
    Ok((carry.len() >= length).then(|| (tag, carry.split_to(length).freeze())))
}

/// Messages up to Sync.
struct Batch {
    bytes: BytesMut,
    encoding: Encoding,
    own: Own,
    statements: usize,
}

impl Batch {
    fn new(exchange: &Exchange) -> Self {
        let mut batch = Self {
            bytes: BytesMut::new(),
            encoding: exchange.encoding,
            own: exchange.own.clone(),
            statements: 0,
        };
        // A statement that failed has been prepared, and was not closed.
        batch.close();
        batch
    }

    fn close(&mut self) {
        let own = self.own.clone();
        for kind in [b'P', b'S'] {
            put(&mut self.bytes, b'C', |body| {
                body.put_u8(kind);
                own.put(body);
            });
        }
    }

    fn command(&mut self, sql: &str) -> Result<(), BackendError> {
        self.query(&Query::all(sql))
    }

    fn query(&mut self, query: &Query<'_>) -> Result<(), BackendError> {
        let sql = self.encoding.encode(query.sql).ok_or_else(|| {
            BackendError::new(
                "22P05",
                "the SQL has characters that the client's encoding does not have",
            )
            .with_hint("SET client_encoding = 'UTF8'.")
        })?;
        self.statements += 1;
        let own = self.own.clone();
        put(&mut self.bytes, b'P', |body| {
            own.put(body);
            body.put_slice(&sql);
            body.put_u8(0);
            body.put_u16(0);
        });
        put(&mut self.bytes, b'B', |body| {
            own.put(body);
            own.put(body);
            body.put_u16(0);
            body.put_u16(query.parameters as u16);
            for _ in 0..query.parameters {
                body.put_i32(-1);
            }
            body.put_u16(0);
        });
        put(&mut self.bytes, b'D', |body| {
            body.put_u8(b'P');
            own.put(body);
        });
        put(&mut self.bytes, b'E', |body| {
            own.put(body);
            body.put_u32(query.max_rows);
        });
        self.close();
        Ok(())
    }

    fn finish(mut self) -> BytesMut {
        put(&mut self.bytes, b'S', |_| ());
        self.bytes
    }
}

/// Appends a frame.
pub(super) fn put(bytes: &mut BytesMut, tag: u8, fill: impl FnOnce(&mut BytesMut)) {
    let start = bytes.len();
    bytes.put_u8(tag);
    bytes.put_u32(0);
    fill(bytes);
    let length = (bytes.len() - start - 1) as u32;
    bytes[start + 1..start + 5].copy_from_slice(&length.to_be_bytes());
}

/// `RowDescription`: names and type numbers.
fn columns(mut body: &[u8], encoding: Encoding) -> Vec<(String, u32)> {
    let count = body.try_get_u16().unwrap_or(0);
    let mut columns = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let Some(end) = memchr::memchr(0, body) else { break };
        let name = text(&body[..end], encoding);
        body.advance(end + 1);
        if body.len() < 18 {
            break;
        }
        columns.push((name, u32::from_be_bytes([body[6], body[7], body[8], body[9]])));
        body.advance(18);
    }
    columns
}

/// `DataRow`: the values in UTF-8.
fn values(mut body: &[u8], encoding: Encoding) -> Vec<Option<Bytes>> {
    let count = body.try_get_u16().unwrap_or(0);
    let mut values = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let length = body.try_get_i32().unwrap_or(-1);
        let value = usize::try_from(length)
            .ok()
            .filter(|length| *length <= body.len())
            .map(|length| {
                let value = &body[..length];
                body = &body[length..];
                if encoding.is_utf8() {
                    Bytes::copy_from_slice(value)
                } else {
                    Bytes::from(text(value, encoding))
                }
            });
        values.push(value);
    }
    values
}

fn text(bytes: &[u8], encoding: Encoding) -> String {
    encoding.decode(bytes).map_or_else(
        || String::from_utf8_lossy(bytes).into_owned(),
        std::borrow::Cow::into_owned,
    )
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Severity {
    Error,
    Fatal,
}

struct ServerError {
    severity: Severity,
    told: BackendError,
}

fn error(body: &[u8], encoding: Encoding) -> ServerError {
    let mut error = ServerError {
        severity: Severity::Error,
        told: BackendError::new("XX000", "the server reported an error"),
    };
    for (code, value) in super::exchange::fields(body) {
        let value = text(value, encoding);
        match code {
            b'V' if value != "ERROR" => error.severity = Severity::Fatal,
            b'C' => error.told.sqlstate = SqlState::new(&value),
            b'M' => error.told.message = value,
            b'D' => error.told.detail = Some(value),
            b'H' => error.told.hint = Some(value),
            b'P' => error.told.position = value.parse().ok(),
            _ => {}
        }
    }
    error
}

fn gone(error: &io::Error) -> BackendError {
    BackendError::new("08006", "the connection to the server broke").with_detail(error.to_string())
}
