//! Questions that come with Bind: what is described before they are there is what comes then.

use std::{io, sync::Arc};

use super::{
    bound::asked_in,
    exchange::{Answered, Asks, Described, Disposition, Late, LateState, Reply, ReplyTo, c_string},
    extended::{Parse, TEXT, types},
    question_error::QuestionError,
    readiness::Readiness,
    session::Session,
};
use crate::{
    postgres::introspection::{Querier, Query},
    question::schema::Dialect,
    service::conversation::{self, Report},
    statement::{self, Action, ClientStatement, Context, Question, QuestionText, Rewritten},
    wire::{Fields, Severity},
};
use bytes::Buf;

/// How a statement that asks returns its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// In its own columns.
    Own,
    /// Each as one value of JSON in a column `nl`.
    ByRow,
}

/// A Bind message that brings a question.
pub(super) struct Bound<'a> {
    /// The statement's name.
    pub(super) name: &'a [u8],
    /// What follows the names.
    pub(super) values: &'a [u8],
    /// Whether the client asks next what the portal returns.
    pub(super) described: bool,
}

/// What the server has until a question is there.
struct StandIn {
    sql: String,
    by_row: bool,
}

/// The statement with each row as one value.
pub(super) fn by_row(rewritten: Rewritten) -> Rewritten {
    // With its star it is the row, even where a column has the same name.
    rewritten.within("SELECT pg_catalog.row_to_json(nl.*) AS nl FROM (", "\n) AS nl")
}

impl Session {
    /// A statement whose question comes with Bind: until then another one with the same parameters stands in.
    pub(super) async fn parse_late(
        &mut self,
        parse: &Parse,
        one: &ClientStatement,
        question: &Question,
    ) -> Result<(), QuestionError> {
        let readiness = self.readiness().await?;
        // The question may come in the middle of a pipeline, where the schema cannot be read.
        self.look_around(readiness).await?;
        let own = one.span.of(&parse.text);
        let count = usize::from(question.parameters).max(parse.types.len());
        let stand_in = self.stand_in(own, question, readiness, count).await?;
        let mut types = types(parse, question, &stand_in.sql);
        if stand_in.by_row {
            // Nothing tells what they are.
            types.iter_mut().filter(|ty| **ty == 0).for_each(|ty| *ty = TEXT);
        }
        let sent = self
            .exchange
            .encoding
            .encode(&stand_in.sql)
            .map(std::borrow::Cow::into_owned);
        let sent =
            sent.ok_or_else(|| QuestionError::Failed(Box::new(super::question_error::not_encodable())))?;
        let late = Arc::new(Late {
            text: parse.text.clone(),
            types,
            stand_in: sent,
            by_row: stand_in.by_row,
            state: LateState::default().into(),
        });
        let asks = Asks::AtBind(Arc::clone(&late));
        let reply = self.prepares(&parse.name, Some(asks), Disposition::Forward);
        self.send_parse(&parse.name, &late.stand_in, &late.types, reply);
        Ok(())
    }

    async fn stand_in(
        &mut self,
        own: &str,
        question: &Question,
        readiness: Readiness,
        parameters: usize,
    ) -> Result<StandIn, QuestionError> {
        let fixed = |sql: String| StandIn { sql, by_row: false };
        if let Some(report) = Report::stand_in(question.asked[0].action).filter(|_| question.direct) {
            return Ok(fixed(report.to_sql(Dialect::Postgres)));
        }
        if question.context != Context::Query {
            // It is not run, and returns nothing.
            return Ok(fixed("SET LOCAL querent.notices = off".to_owned()));
        }
        let texts = conversation::stand_ins(question, Dialect::Postgres).map(|answers| {
            let borrowed: Vec<&str> = answers.iter().map(String::as_str).collect();
            statement::rewrite(own, question, &borrowed)
        });
        if readiness == Readiness::Safe {
            let [first, second] = &texts;
            if self.return_the_same([first, second]).await? {
                return Ok(fixed(first.text().to_owned()));
            }
        }
        let conditions: Vec<String> = (1..=parameters)
            .map(|number| format!("${number} IS NULL"))
            .collect();
        Ok(StandIn {
            sql: format!(
                "SELECT NULL::pg_catalog.json AS nl WHERE {}",
                conditions.join(" AND ")
            ),
            by_row: true,
        })
    }

    /// True if the server can run both statements, and they return the same columns.
    pub(super) async fn return_the_same(&mut self, texts: [&Rewritten; 2]) -> Result<bool, QuestionError> {
        let limit = self.time_limit();
        let nothing = texts.map(without_rows);
        let outcome = self
            .side_query(async |querier| {
                let queries = nothing.each_ref().map(|(sql, parameters)| Query {
                    sql,
                    parameters: *parameters,
                    max_rows: 0,
                });
                Ok(querier.read(&queries, limit).await)
            })
            .await?;
        Ok(outcome.is_ok_and(|rows| matches!(&*rows, [one, other] if one.columns == other.columns)))
    }

    /// Asks what came with Bind, and prepares the answer under the statement's name.
    pub(super) async fn bind_late(
        &mut self,
        bound: &Bound<'_>,
        late: &Late,
    ) -> Result<Answered, QuestionError> {
        let statements = statement::read(&late.text, &self.options());
        let Some((one, question)) = asked_in(&statements) else {
            return Err(QuestionError::failed(
                "0A000",
                "the statement asks nothing any more",
                "Prepare it again.",
            ));
        };
        let mut question = question.clone();
        for asked in &mut question.asked {
            if let QuestionText::Parameter(number) = asked.text {
                let value = value(bound.values, usize::from(number) - 1)?;
                let words = match value {
                    Some(bytes) => Some(self.exchange.encoding.decode(bytes).ok_or_else(not_text)?),
                    None => None,
                };
                asked.text = QuestionText::Literal(words_of(words.as_deref(), asked.action)?);
            }
        }
        let readiness = self.readiness().await?;
        if readiness == Readiness::Failed {
            return Ok(self.answered(false));
        }
        let told = late.state().told.clone();
        let shape = if late.by_row && !bound.described && matches!(told, Described::StandIn) {
            Shape::ByRow
        } else {
            Shape::Own
        };
        let (sent, answered) = self
            .answer_statement(&late.text, one, &question, readiness, shape)
            .await?;
        if let (Described::Answer(before), false) = (&told, bound.described) {
            let texts = [before.as_str(), sent.text()].map(Rewritten::answer);
            let the_same = readiness == Readiness::Safe && self.return_the_same(texts.each_ref()).await?;
            if before != sent.text() && !the_same {
                let error = QuestionError::Failed(Box::new(changed_result()));
                error.keeps_from_running(&answered.recorded);
                return Err(error);
            }
        }
        let bytes = self
            .encoded(&sent)
            .inspect_err(|error| error.keeps_from_running(&answered.recorded))?;
        {
            let mut state = late.state();
            state.answered = true;
            if bound.described {
                state.told = Described::Answer(sent.text().to_owned());
            }
        }
        if readiness == Readiness::Unsynced || self.exchange.is_behind_others() {
            // Before the server reads the question's SQL: it may read it as something else.
            let check = self.check_behind(answered.catalog.as_deref());
            self.command(&check);
        }
        self.replace(bound.name, &bytes, &late.types);
        Ok(answered)
    }

    /// Describe of a statement: one that waits for its question is described by what stands in for it.
    pub(super) async fn describe(&mut self, body: &[u8]) -> io::Result<()> {
        if self.settle().await?
            && let Some((b'S', name)) = body.split_first()
            && let Some((name, _)) = c_string(name)
            && let Some(Asks::AtBind(late)) = self.exchange.names.statement(name).cloned()
        {
            let answered = std::mem::take(&mut *late.state()).answered;
            late.state().told = Described::StandIn;
            if answered {
                self.replace(name, &late.stand_in, &late.types);
            }
        }
        self.exchange.pass(b'D', body);
        Ok(())
    }

    /// The server gets something else under the name of a statement.
    pub(super) fn replace(&mut self, name: &[u8], sql: &[u8], types: &[u32]) {
        if !name.is_empty() {
            self.send_close(name);
        }
        self.send_parse(name, sql, types, Reply::new(ReplyTo::Parse, Disposition::Swallow));
    }
}

/// A statement that returns the same columns and runs nothing, and how many parameters it has.
pub(super) fn without_rows(text: &Rewritten) -> (String, usize) {
    let used = statement::parameters(text.text());
    let count = used.last().copied().unwrap_or(0);
    // The server has to know the type of every parameter up to the last one.
    let unused = (1..count).filter(|number| used.binary_search(number).is_err());
    let typed: Vec<String> = unused
        .map(|number| format!(" AND ${number}::pg_catalog.text IS NULL"))
        .collect();
    let typed = typed.concat();
    let whole = text
        .clone()
        .within("SELECT * FROM (", &format!("\n) AS nl WHERE true{typed} LIMIT 0"));
    (whole.text().to_owned(), usize::from(count))
}

/// Drivers know this error by where PostgreSQL has it from, and prepare the statement again.
pub(super) fn changed_result() -> Fields {
    Fields::new(
        Severity::Error,
        "0A000",
        "cached plan must not change result type",
    )
    .with_hint("The answer to this question has other columns: prepare it again.")
    .with_routine("RevalidateCachedQuery")
}

/// The error of a question whose bytes are no text in the client's encoding.
fn not_text() -> QuestionError {
    QuestionError::failed(
        "22021",
        "the question has bytes that are no characters in the client's encoding",
        "Send it in the encoding that client_encoding tells.",
    )
}

/// The words of a question out of a bound value.
fn words_of(value: Option<&str>, action: Action) -> Result<String, QuestionError> {
    let words = value.map(|words| words.trim().to_owned());
    match words {
        Some(words) if !words.is_empty() || action.allows_empty() => Ok(words),
        Some(_) => Err(QuestionError::failed(
            "NL001",
            "the question is empty",
            "Bind the question's text to the parameter.",
        )),
        None => Err(QuestionError::failed(
            "22004",
            "the question is NULL",
            "Bind the question's text to the parameter.",
        )),
    }
}

/// A Bind message without the value that the question should be.
fn malformed() -> QuestionError {
    QuestionError::failed(
        "08P01",
        "the Bind message has no value for the parameter that the question comes in",
        "Bind a value to each parameter.",
    )
}

/// A value of Bind, behind its names; `None` for NULL. Fails where the message does not have it.
fn value(mut rest: &[u8], at: usize) -> Result<Option<&[u8]>, QuestionError> {
    let formats = usize::from(rest.try_get_u16().map_err(|_| malformed())?);
    rest = rest.get(formats * 2..).ok_or_else(malformed)?;
    let count = usize::from(rest.try_get_u16().map_err(|_| malformed())?);
    for number in 0..count {
        let length = rest.try_get_i32().map_err(|_| malformed())?;
        let bytes = usize::try_from(length).ok();
        let value = match bytes {
            Some(length) => Some(rest.get(..length).ok_or_else(malformed)?),
            None => None,
        };
        if number == at {
            return Ok(value);
        }
        rest = &rest[bytes.unwrap_or(0)..];
    }
    Err(malformed())
}
