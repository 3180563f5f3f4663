//! How a question's result is kept within its limits, and the server's transaction with what the client was told. A
//! question alone runs as it is: its rows are counted as they pass, and the server is stopped. By then it may have
//! completed the statement, so that nothing more is said to it before that is known. Where that cannot be waited for,
//! as within one Query, the server counts the rows itself.

use std::io;

use super::{
    exchange::{Answered, Limit, Ran},
    late::without_rows,
    question_error::QuestionError,
    session::{Event, Reading, Session},
};
use crate::{
    postgres::introspection::{Querier, Query},
    statement::{Context, Rewritten},
    wire::{Fields, Severity},
};

impl Session {
    /// A statement with its questions replaced as the server gets it, and what is left to count of its rows. `depends`
    /// is true if the server has work of the client's that stands or falls with it before it is answered.
    pub(super) async fn bounded(
        &mut self,
        rewritten: Rewritten,
        context: Context,
        limit: Limit,
        depends: bool,
    ) -> Result<(Rewritten, Limit), QuestionError> {
        let by_server = match context {
            // A plan is no answer, and what a client's own statement writes and returns is its own.
            Context::Explain | Context::Write => return Ok((rewritten, limit.uncounted())),
            Context::Query => depends,
            // What is copied is not told apart in rows, and where a name runs nobody knows yet.
            Context::Copy | Context::Cursor | Context::Prepare => true,
        };
        if !by_server || !limit.counts() {
            return Ok((rewritten, limit));
        }
        let query = rewritten
            .query(self.exchange.standard_conforming_strings)
            .ok_or_else(uncountable)?;
        let columns = if context == Context::Copy {
            vec![]
        } else {
            self.columns(query.of(rewritten.text())).await?
        };
        let (before, after) = self.exchange.own.counting(limit, &columns);
        Ok((rewritten.query_within(query, &before, &after), limit.uncounted()))
    }

    /// The names of a query's columns; none if the server cannot be asked, or will tell itself what is wrong.
    async fn columns(&mut self, query: &str) -> Result<Vec<String>, QuestionError> {
        if !self.exchange.is_safe() || self.exchange.status == b'E' {
            return Ok(vec![]);
        }
        let (sql, parameters) = without_rows(&Rewritten::answer(query));
        let limit = self.time_limit();
        let read = self
            .side_query(async |querier| {
                let query = Query {
                    sql: &sql,
                    parameters,
                    max_rows: 0,
                };
                Ok(querier.read(&[query], limit).await)
            })
            .await?;
        let columns = read.ok().and_then(|mut rows| rows.pop()).map(|rows| rows.columns);
        let columns = columns.unwrap_or_default();
        Ok(columns.into_iter().map(|(name, _)| name).collect())
    }

    /// Before something of the client's runs, or its pipeline ends, behind questions whose rows are counted: their answers
    /// are waited for. If one was too large, the server fails as well.
    pub(super) async fn see_answers(&mut self) -> io::Result<()> {
        if !self.exchange.take_counting() {
            return Ok(());
        }
        self.exchange.release();
        self.until_answered().await?;
        if self.exchange.hides_failure() {
            // The client has been told why.
            self.fail(Fields::new(Severity::Error, "54000", "the answer is too large"));
        }
        Ok(())
    }

    /// Sync behind questions whose rows are counted.
    pub(super) async fn sync(&mut self, body: &[u8]) -> io::Result<()> {
        // Where nothing of the client's ends with the pipeline, what it was told is seen to with ReadyForQuery.
        let harmless = match self.exchange.status {
            b'T' => self.exchange.ran_before() == Ran::Nothing,
            _ => self.exchange.ran_before() != Ran::Something,
        };
        if !harmless {
            self.see_answers().await?;
        }
        self.exchange.pass(b'S', body);
        self.until_answered().await
    }

    /// Waits until the server has answered the questions that it has. The client's bytes are read ahead meanwhile.
    pub(super) async fn until_answered(&mut self) -> io::Result<()> {
        loop {
            match self.relay(Reading::AheadUntilAnswered).await? {
                Event::Over => self.stop_server().await?,
                Event::Timer if self.is_stuck() => return Err(self.give_up()),
                Event::Timer => {}
                // That the server has ended is seen again by who goes on.
                Event::Settled | Event::Ended | Event::ClientFrame(_) => return Ok(()),
            }
        }
    }
}

/// Refuses what runs a question by its name where rows cannot be counted in time: a statement of the extended protocol
/// among others in a Query.
pub(super) fn check_countable(answered: &Answered, depends: bool) -> Result<(), QuestionError> {
    if depends && answered.limit.counts() {
        return Err(uncountable());
    }
    Ok(())
}

fn uncountable() -> QuestionError {
    QuestionError::failed(
        "0A000",
        "the rows of this question cannot be counted here",
        "Send it as a statement of its own.",
    )
}
