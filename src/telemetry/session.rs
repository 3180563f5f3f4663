//! What is told of one session: a span that names it, a line when it begins and one when it ends, and its
//! numbers for the metrics. Lines name the span as their parent, so that nothing is entered and left again
//! each time a byte goes through.

use std::{
    net::IpAddr,
    time::{Duration, Instant},
};

use tracing::{Span, debug, error_span, field::Empty, info};

use super::metrics::{self, Direction, End, Leg, OpenSession, Outcome};

/// An answer, as far as it is told of.
#[derive(Debug, Clone, Copy)]
pub struct Answered<'a> {
    /// The question's words: logged for debugging only, as they may hold values.
    pub question: &'a str,
    /// Its SQL; likewise.
    pub sql: &'a str,
    /// From 0 to 1.
    pub confidence: f64,
    /// Who answered.
    pub tier: &'a str,
    /// Calls of language models.
    pub model_calls: u64,
    /// From the question to its SQL.
    pub elapsed: Duration,
}

/// The record of one session, from its startup message to its end.
#[derive(Debug)]
pub struct SessionLog {
    span: Span,
    number: u64,
    user: String,
    database: String,
    peer: Option<IpAddr>,
    leg: Leg,
    begun: Instant,
    /// Once the client has been let in.
    open: Option<OpenSession>,
    bytes: [u64; Direction::ALL.len()],
    statements: u64,
}

impl SessionLog {
    /// A client that has said who it wants to be. `number` is the connection's; `peer` is `None` on a unix socket.
    pub fn new(
        leg: Leg,
        number: u64,
        user: Option<&str>,
        database: Option<&str>,
        peer: Option<IpAddr>,
    ) -> Self {
        let user = user.unwrap_or_default();
        // An error's span is there whatever the filter lets through, so that a warning has it too.
        let span = error_span!(
            "session",
            id = number,
            user,
            database = database.unwrap_or(user),
            peer = Empty,
        );
        match peer {
            Some(peer) => span.record("peer", tracing::field::display(peer)),
            None => span.record("peer", "local"),
        };
        Self {
            span,
            number,
            user: user.to_owned(),
            database: database.unwrap_or(user).to_owned(),
            peer,
            leg,
            begun: Instant::now(),
            open: None,
            bytes: [0; Direction::ALL.len()],
            statements: 0,
        }
    }

    /// The parent of the session's lines: `info!(parent: log.span(), …)`. Rare work that logs deeper down can be
    /// instrumented with a clone of it.
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// The connection's number.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Who the client said it is.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The database that it asked for.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// Where it is; `local` on a unix socket.
    pub fn address(&self) -> String {
        self.peer
            .map_or_else(|| "local".to_owned(), |peer| peer.to_string())
    }

    /// The client has been let in.
    pub fn logged_in(&mut self, encrypted: bool) {
        self.open = Some(metrics::session(self.leg));
        info!(parent: &self.span, encrypted, "logged in");
    }

    /// Bytes that went this way.
    pub fn bytes(&mut self, direction: Direction, count: usize) {
        let count = count as u64;
        self.bytes[direction as usize] += count;
        metrics::bytes(self.leg, direction, count);
    }

    /// Statements that asked nothing.
    pub fn statements(&mut self, count: u64) {
        self.statements += count;
        metrics::statements(self.leg, count);
    }

    /// A question has its SQL.
    pub fn answered(&self, answer: &Answered<'_>) {
        metrics::question(Outcome::Answered, answer.tier, answer.elapsed);
        info!(
            parent: &self.span,
            outcome = Outcome::Answered.name(),
            tier = answer.tier,
            confidence = answer.confidence,
            model_calls = answer.model_calls,
            milliseconds = milliseconds(answer.elapsed),
            "question"
        );
        debug!(parent: &self.span, question = answer.question, sql = answer.sql, "answered");
    }

    /// A question has no SQL. The client is told of it with this SQLSTATE; [`SessionLog::told_error`] is for that.
    pub fn unanswered(&self, question: &str, sqlstate: &str, tier: &str, elapsed: Duration) {
        let outcome = Outcome::of_error(sqlstate);
        metrics::question(outcome, tier, elapsed);
        info!(
            parent: &self.span,
            outcome = outcome.name(),
            sqlstate,
            tier,
            milliseconds = milliseconds(elapsed),
            "question"
        );
        debug!(parent: &self.span, question, "not answered");
    }

    /// The client was told of an error, in these words as far as they are known. It is logged for debugging only: it is the client's, who knows of it.
    /// An internal error is everybody's.
    pub fn told_error(&self, sqlstate: &str, message: &str) {
        metrics::error(sqlstate);
        let message = (!message.is_empty()).then_some(message);
        if sqlstate.starts_with("XX") {
            // Its words may quote a statement; those of a damaged file do not.
            let told = message.filter(|_| sqlstate != "XX000");
            tracing::warn!(parent: &self.span, sqlstate, error = told, "internal error");
        }
        debug!(parent: &self.span, sqlstate, error = message, "error");
    }

    /// The client was not let in, and told why.
    pub fn refused(&self, sqlstate: &str, message: &str) {
        metrics::login_refused(sqlstate);
        metrics::error(sqlstate);
        info!(parent: &self.span, sqlstate, error = message, "login refused");
    }

    /// It is over. `detail` is what is known beside the reason, such as the last error; it may be empty.
    pub fn ended(self, reason: End, detail: &str) {
        let span = &self.span;
        let reason_name = reason.name();
        let Some(open) = self.open else {
            debug!(parent: span, reason = reason_name, detail, "left before it had logged in");
            return;
        };
        info!(
            parent: span,
            reason = reason_name,
            detail = (!detail.is_empty()).then_some(detail),
            milliseconds = milliseconds(self.begun.elapsed()),
            bytes_in = self.bytes[Direction::FromClient as usize],
            bytes_out = self.bytes[Direction::ToClient as usize],
            statements = self.statements,
            "session ended"
        );
        open.end(reason);
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
