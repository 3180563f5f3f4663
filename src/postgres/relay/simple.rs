//! Simple queries that ask: the text goes on with SQL in the questions' places.

use std::{borrow::Cow, io, sync::Arc, time::Duration};

use bytes::{BufMut, BytesMut};

use super::{
    bounds::check_countable,
    by_name::{named, stores},
    exchange::{Answered, ByName, Disposition, Limit, Recorded, Reply, ReplyTo, Sent, StatementOrigin},
    guard::{BlockEffect, Guards, Wrapper},
    question::Texts,
    question_error::{QuestionError, not_encodable},
    readiness::Readiness,
    session::Session,
    side_query::put,
};
use crate::{
    service::conversation::ConversationError,
    statement::{self, ClientStatement, Context, Control, Question, Rewritten, SessionStatement, Statement},
    wire::{Fields, Severity},
};

/// Makes the transaction, or the part of it that follows, read-only.
const READ_ONLY: &str = "SET LOCAL transaction_read_only = on; ";

impl Session {
    /// How statements are read at this moment.
    pub(super) fn options(&self) -> statement::Options {
        let configured = self.shared.settings();
        statement::Options {
            standard_conforming_strings: self.exchange.standard_conforming_strings,
            ask_keyword: configured.ask_keyword,
            function_name: configured.function_name.clone(),
            allow_in_writes: configured.allow_in_writes,
            model_views: !configured.semantic.is_empty(),
        }
    }

    /// A Query message that may ask.
    pub(super) async fn query(&mut self, body: &[u8]) -> io::Result<()> {
        self.see_answers().await?;
        let text = text_of(body).and_then(|bytes| self.exchange.encoding.decode(bytes));
        let Some(text) = text.map(Cow::into_owned) else {
            self.exchange.pass(b'Q', body);
            return Ok(());
        };
        let statements = statement::read(&text, &self.options());
        let concerns = |one: &ClientStatement| {
            self.by_name(one, &text)
                .is_some_and(|by_name| self.is_of_question(&by_name))
        };
        if statements.iter().all(|one| self.is_plain(one) && !concerns(one)) {
            self.exchange.pass(b'Q', body);
            return Ok(());
        }
        let sent = match self.readiness().await {
            Ok(readiness) => self.sent(&text, &statements, readiness).await?,
            Err(QuestionError::Failed(reason)) => {
                let failing = self.exchange.failures.statement(*reason);
                self.send_query(failing.as_bytes(), Disposition::Forward);
                return Ok(());
            }
            Err(QuestionError::Lost(error)) => return Err(error),
        };
        let bytes = self.exchange.encoding.encode(sent.text()).map(Cow::into_owned);
        let Some(bytes) = bytes else {
            let failing = self.exchange.failures.statement(not_encodable());
            self.send_query(failing.as_bytes(), Disposition::Forward);
            return Ok(());
        };
        self.send_query(&bytes, Disposition::Asked(Arc::new(sent)));
        // What the client says next comes behind it, whether it fails or not.
        self.until_answered().await
    }

    fn send_query(&mut self, text: &[u8], disposition: Disposition) {
        let mut frame = BytesMut::new();
        put(&mut frame, b'Q', |body| {
            body.put_slice(text);
            body.put_u8(0);
        });
        let reply = Reply::new(ReplyTo::Query, disposition);
        self.exchange.send(b'Q', &frame, Some(reply));
    }

    /// True for a statement that goes on as it is.
    fn is_plain(&self, statement: &ClientStatement) -> bool {
        match &statement.statement {
            Ok(Statement::Question(_) | Statement::Control(Control::Show { .. })) | Err(_) => false,
            Ok(Statement::Control(control)) => self.check_control(control).is_ok(),
            Ok(_) => true,
        }
    }

    /// Whether a setting of Querent's may be set so. The server that keeps it takes any text.
    pub(super) fn check_control(&self, control: &Control) -> Result<(), ConversationError> {
        self.shared.service.config().check_control(control)
    }

    /// The text with every question replaced.
    async fn sent(
        &mut self,
        text: &str,
        statements: &[ClientStatement],
        mut readiness: Readiness,
    ) -> io::Result<Sent> {
        let mut sent = Sent::instead_of(text);
        // Whether something that may have changed what questions are judged by stands before a statement.
        let mut behind = readiness == Readiness::Unsynced || self.exchange.is_behind_others();
        if behind {
            // The server has come to this text: how it has read it is looked at before anything of it runs.
            let check = self.check_reading();
            sent.push_hidden(&format!("{check}; "));
        }
        let mut something = statements
            .iter()
            .filter(|one| !matches!(one.statement, Ok(Statement::Empty)));
        if readiness == Readiness::Failed && something.next().is_some_and(|first| self.is_plain(first)) {
            // It may be the ROLLBACK that ends the failed transaction.
            readiness = Readiness::Unsynced;
        }
        let mut guards = self.guards(text, statements, readiness);
        let depends = guards.is_mixed() || readiness != Readiness::Safe;
        for (at, statement) in statements.iter().enumerate() {
            let own = statement.span.of(text);
            let before = text[..statement.span.start].chars().count();
            let mut change = None;
            let mut begun = false;
            let outcome = match &statement.statement {
                Ok(Statement::Question(_)) if readiness == Readiness::Failed => {
                    // The server tells that the transaction has failed, whatever it is asked.
                    Ok(Replaced::Own("SELECT 1".to_owned()))
                }
                Ok(Statement::Question(question)) => {
                    self.answers(own, before, question, readiness, depends).await
                }
                Ok(Statement::Control(Control::Show { name })) => {
                    let looked = self.look_around(readiness).await;
                    looked.map(|()| Replaced::Own(self.show(name)))
                }
                Ok(Statement::Control(control)) => {
                    let checked = self.check_control(control).map_err(QuestionError::from);
                    checked.map(|()| Replaced::Client(None))
                }
                Ok(Statement::Sql) => {
                    // An earlier statement of the same string may have made the name.
                    let by_name = self.by_name(statement, text);
                    let answered = by_name.as_ref().and_then(|by_name| self.runs(by_name));
                    // A cursor has its rows from where it was opened.
                    begun = matches!(by_name, Some(ByName::Fetch(_)));
                    let checked = answered.as_ref().map_or(Ok(()), |answered| {
                        if let Some(ByName::Stores(_)) = by_name {
                            return Err(QuestionError::Failed(Box::new(stores())));
                        }
                        self.check_prepared(answered)?;
                        check_countable(answered, depends)
                    });
                    if let (Some(ByName::Changes(made)), Ok(())) = (by_name, &checked) {
                        change = self.exchange.names.expect(made);
                    }
                    checked.map(|()| Replaced::Client(answered))
                }
                Ok(Statement::Empty) => {
                    sent.push_client(statement.span.start, statement.span.end);
                    continue;
                }
                Err(error) => Err(self.unread(own, error)),
            };
            // A question is asked only where it can be kept from writing, or where nothing it reads could write.
            let runs = match &outcome {
                Ok(Replaced::Asked(texts, ..)) => guards.asks(at).then_some(texts.runs_code),
                Ok(Replaced::Client(answered)) => answered.as_ref().map(|answered| answered.runs_code),
                _ => None,
            };
            let recorded: Recorded = match &outcome {
                Ok(Replaced::Asked(texts, ..)) => texts.recorded.as_slice().into(),
                Ok(Replaced::Client(Some(answered))) => Arc::clone(&answered.recorded),
                _ => Recorded::default(),
            };
            let outcome = outcome.and_then(|replaced| self.check_room(replaced));
            let limit = match &outcome {
                Ok(Replaced::Asked(texts, ..)) => Some(texts.limit),
                Ok(Replaced::Client(Some(answered))) => Some(answered.limit),
                _ => None,
            };
            let time = match limit.filter(|_| runs.is_some() && guards.is_mixed()) {
                Some(limit) => self.time_between(limit.time, text, readiness).await?,
                None => None,
            };
            let wrapper = match runs {
                None => Ok(Wrapper::Nothing),
                Some(runs_code) => match guards.wrapper(at) {
                    None if runs_code => Err(QuestionError::Failed(Box::new(unguarded()))),
                    wrapper => Ok(wrapper.unwrap_or(Wrapper::Checked)),
                },
            };
            guards.pass(at);
            let among = behind;
            behind |= guards.may_change(at);
            let (outcome, wrapper) = match wrapper {
                Ok(wrapper) => (outcome, wrapper),
                Err(error) => (Err(error), Wrapper::Nothing),
            };
            match outcome {
                Ok(Replaced::Asked(texts, rewritten, question)) => {
                    let answered = Answered {
                        limit: texts.limit,
                        recorded,
                        catalog: texts.catalog,
                        relations: texts.relations.into(),
                        policy: texts.policy,
                        ..self.answered(texts.runs_code)
                    };
                    self.begin_guard(&mut sent, (wrapper, answered.catalog.as_deref()), time.as_ref());
                    if question.context != Context::Cursor || !guards.is_alone(at) {
                        self.check_still(&mut sent, &answered, among);
                    }
                    let catalog = answered.catalog.clone();
                    sent.count(StatementOrigin::Asked);
                    if !matches!(question.context, Context::Prepare | Context::Cursor) {
                        sent.runs(&answered.recorded);
                    }
                    sent.push_asked(statement.span.start, rewritten, texts.sql);
                    sent.limits(answered.limit, Arc::clone(&answered.tally));
                    if let Some(ByName::Changes(made) | ByName::Holds(made)) =
                        self.made(own, question, answered)
                    {
                        sent.changes(self.exchange.names.expect(made));
                    }
                    self.end_guard(&mut sent, (wrapper, catalog.as_deref()), time.as_ref());
                }
                Ok(Replaced::Own(sql)) => {
                    sent.count(StatementOrigin::Shown);
                    sent.push_own(&format!("{sql};"));
                }
                Ok(Replaced::Client(answered)) => {
                    let catalog = answered.as_ref().and_then(|one| one.catalog.clone());
                    self.begin_guard(&mut sent, (wrapper, catalog.as_deref()), time.as_ref());
                    if let Some(answered) = &answered {
                        Self::lock_for(&mut sent, answered);
                    }
                    if let Some(check) = answered.as_ref().and_then(|answered| self.check_again(answered)) {
                        sent.push_hidden(&format!("{check}; "));
                    }
                    if let Some(answered) = answered.as_ref().filter(|_| among && !begun) {
                        let check = self.check_among(answered);
                        sent.push_hidden(&format!("{check}; "));
                    }
                    sent.count(if answered.is_some() {
                        StatementOrigin::Asked
                    } else {
                        StatementOrigin::Client
                    });
                    sent.runs(&recorded);
                    sent.changes(change);
                    if let Some(answered) = answered {
                        sent.limits(answered.limit, answered.tally);
                    }
                    sent.push_client(statement.span.start, statement.span.end);
                    self.end_guard(&mut sent, (wrapper, catalog.as_deref()), time.as_ref());
                }
                Err(QuestionError::Failed(reason)) => {
                    for asked in &*recorded {
                        asked.failed(&reason.sqlstate);
                    }
                    let failing = self.exchange.failures.statement(*reason);
                    sent.count(StatementOrigin::Client);
                    sent.push_own(&format!("{failing};"));
                }
                Err(QuestionError::Lost(error)) => return Err(error),
            }
        }
        Ok(sent)
    }

    /// How the server keeps the time of a question among statements of the client's. `None` where it cannot be asked
    /// how long the client's own may take, or these change that.
    async fn time_between(
        &mut self,
        limit: Duration,
        text: &str,
        readiness: Readiness,
    ) -> io::Result<Option<TimeBetween>> {
        let own = text.to_ascii_lowercase().replace("querent.statement_timeout", "");
        if limit.is_zero() || readiness != Readiness::Safe || own.contains("statement_timeout") {
            return Ok(None);
        }
        match self.look_around(readiness).await {
            Err(QuestionError::Lost(error)) => return Err(error),
            Err(QuestionError::Failed(_)) => return Ok(None),
            Ok(()) => {}
        }
        let seen = self.seen.as_ref();
        let client = seen.and_then(|seen| seen.state.setting("statement_timeout"));
        Ok(client.map(|client| TimeBetween {
            question: limit,
            client: client.to_owned(),
        }))
    }

    /// What cannot be remembered could not be guarded when it runs.
    fn check_room<'q>(&self, replaced: Replaced<'q>) -> Result<Replaced<'q>, QuestionError> {
        if let Replaced::Asked(texts, _, question) = &replaced
            && texts.runs_code
            && matches!(question.context, Context::Prepare | Context::Cursor)
        {
            self.check_names()?;
        }
        Ok(replaced)
    }

    /// What each statement does to the block around it.
    fn guards(&self, text: &str, statements: &[ClientStatement], readiness: Readiness) -> Guards {
        // Names that statements of this string make for questions.
        let mut made: Vec<Vec<u8>> = vec![];
        let steps = statements.iter().map(|one| {
            let own = one.span.of(text);
            let Ok(statement) = &one.statement else {
                return BlockEffect::Reads;
            };
            let recognised = match statement {
                Statement::Question(question) => self.recognise_asking(own, question),
                _ => statement::recognise(own, &self.options()).ok(),
            };
            let runs_made = named(own, recognised.as_ref()).is_some_and(|name| made.contains(&name));
            if let (Statement::Question(_), Some(recognised)) = (statement, &recognised) {
                match recognised {
                    SessionStatement::Prepare { name, .. } => made.push(name.clone().into_bytes()),
                    SessionStatement::Declare(cursor) => made.push(cursor.name.clone().into_bytes()),
                    _ => {}
                }
            }
            let by_name = self.by_name(one, text);
            let runs = runs_made || by_name.is_some_and(|by_name| self.runs(&by_name).is_some());
            BlockEffect::of(statement, own, recognised.as_ref(), runs)
        });
        Guards::new(
            steps.collect(),
            (readiness == Readiness::Safe).then_some(self.exchange.status),
        )
    }

    fn begin_guard(
        &mut self,
        sent: &mut Sent,
        (wrapper, catalog): (Wrapper, Option<&str>),
        time: Option<&TimeBetween>,
    ) {
        match wrapper {
            Wrapper::Nothing => {}
            Wrapper::ReadOnly | Wrapper::Apart => sent.push_hidden(READ_ONLY),
            Wrapper::Savepoint => {
                sent.push_hidden(&format!("{}; ", self.exchange.own.savepoint()));
                sent.push_hidden(READ_ONLY);
            }
            Wrapper::Checked => {
                sent.push_hidden(&format!("{}; ", self.check_unguarded(catalog)));
            }
        }
        if let Some(time) = time {
            let milliseconds = time.question.as_millis().clamp(1, i32::MAX as u128);
            sent.push_hidden(&format!("SET LOCAL statement_timeout = {milliseconds}; "));
        }
    }

    fn end_guard(
        &mut self,
        sent: &mut Sent,
        (wrapper, catalog): (Wrapper, Option<&str>),
        time: Option<&TimeBetween>,
    ) {
        match wrapper {
            Wrapper::Nothing | Wrapper::ReadOnly => {}
            // There is a warning that no transaction is in progress, and the implicit one ends.
            Wrapper::Apart => sent.push_hidden("\n; COMMIT; "),
            Wrapper::Savepoint => sent.push_hidden(&format!("\n; {}; ", self.exchange.own.release())),
            Wrapper::Checked => {
                sent.push_hidden(&format!("\n; {}; ", self.check_unguarded(catalog)));
            }
        }
        // Else it ends with the block.
        if let (Wrapper::Savepoint | Wrapper::Checked, Some(time)) = (wrapper, time) {
            sent.push_hidden(&format!("\n; SET LOCAL statement_timeout = '{}'; ", time.client));
        }
    }

    async fn answers<'q>(
        &mut self,
        own: &str,
        before: usize,
        question: &'q Question,
        readiness: Readiness,
        depends: bool,
    ) -> Result<Replaced<'q>, QuestionError> {
        self.look_around(readiness).await?;
        let mut texts = self.answer_all(own, before, question, readiness).await?;
        let borrowed: Vec<&str> = texts.sql.iter().map(String::as_str).collect();
        let rewritten = statement::rewrite(own, question, &borrowed);
        let bounded = self.bounded(rewritten, question.context, texts.limit, depends);
        let (rewritten, limit) = bounded
            .await
            .inspect_err(|error| error.keeps_from_running(&texts.recorded))?;
        texts.limit = limit;
        Ok(Replaced::Asked(texts, rewritten, question))
    }

    /// The bounds of an answer.
    pub(super) fn limit(&self) -> Limit {
        Limit {
            rows: self.settings.row_limit,
            bytes: self.shared.settings().limits.bytes.unwrap_or(0),
            time: self.time_limit(),
            recursive: false,
        }
    }

    /// What is to be known of an answered question when it runs.
    pub(super) fn answered(&self, runs_code: bool) -> Answered {
        Answered {
            limit: self.limit(),
            runs_code,
            policy: self.shared.service.config().policy,
            catalog: Some(self.catalog()),
            relations: Arc::default(),
            judged_in: self.exchange.pipelines,
            tally: Arc::default(),
            recorded: Recorded::default(),
            prepared: None,
        }
    }

    /// What was answered under another policy does not run any more.
    pub(super) fn check_prepared(&self, answered: &Answered) -> Result<(), QuestionError> {
        Ok(self.shared.service.check_prepared(answered.policy)?)
    }

    /// A cursor that outlives its transaction gets its rows at the end of that, where nothing can guard it, unless it
    /// is the only statement.
    pub(super) fn check_cursor(
        &self,
        own: &str,
        question: &Question,
        answered: &Answered,
    ) -> Result<(), QuestionError> {
        let holds = question.context == Context::Cursor
            && matches!(self.recognise_asking(own, question), Some(SessionStatement::Declare(cursor)) if cursor.hold);
        if holds && answered.runs_code {
            return Err(QuestionError::Failed(Box::new(unguarded())));
        }
        Ok(())
    }
}

/// A question's SQL runs code of the database's own, and there is no way to keep that from writing here.
pub(super) fn unguarded() -> Fields {
    Fields::new(
        Severity::Error,
        "0A000",
        "this question reads a view or a table with row-level security, and cannot be kept from writing here",
    )
    .with_hint("Send it as a statement of its own, or in a transaction that BEGIN has begun.")
}

/// What a statement is replaced by.
enum Replaced<'q> {
    /// Its questions by these texts, as the server gets it.
    Asked(Texts, Rewritten, &'q Question),
    /// All of it by this.
    Own(String),
    /// Nothing; it may run a question that was prepared.
    Client(Option<Answered>),
}

/// The time of a question between statements of the client's in one Query, which the server has to keep: it does not say
/// which of them it works on.
struct TimeBetween {
    question: Duration,
    /// The client's `statement_timeout`, as the server writes it.
    client: String,
}

/// A string that ends with the message.
pub(super) fn text_of(body: &[u8]) -> Option<&[u8]> {
    let (last, text) = body.split_last()?;
    (*last == 0 && memchr::memchr(0, text).is_none()).then_some(text)
}
