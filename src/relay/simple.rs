//! Simple queries that ask: the text goes on with SQL in the questions' places.

use std::{borrow::Cow, io, sync::Arc};

use bytes::{BufMut, BytesMut};

use super::{
    exchange::{Answered, Asks, Fate, Kind, Limit, Own, Recorded, Reply, Sent, Whose},
    ground::Ground,
    guard::{Around, Guards, Step},
    injection::put,
    question::Texts,
    refused::Refused,
    session::Session,
};
use crate::{
    conversation::{ConversationError, Report},
    schema::Dialect,
    statement::{
        self, ClientStatement, Context, Control, Piece, Question, SessionStatement, Statement, pieces,
    },
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
        }
    }

    /// A Query message that may ask.
    pub(super) async fn query(&mut self, body: &[u8]) -> io::Result<()> {
        let text = text_of(body).and_then(|bytes| self.exchange.encoding.decode(bytes));
        let Some(text) = text.map(Cow::into_owned) else {
            self.exchange.pass(b'Q', body);
            return Ok(());
        };
        let statements = statement::read(&text, &self.options());
        let known: Vec<Option<Known>> = statements
            .iter()
            .map(|statement| self.known(statement, &text))
            .collect();
        if known.iter().all(Option::is_none) && statements.iter().all(|one| self.is_plain(one)) {
            self.exchange.pass(b'Q', body);
            return Ok(());
        }
        let sent = match self.ground().await {
            Ok(ground) => self.sent(&text, &statements, &known, ground).await?,
            Err(Refused::Told(reason)) => {
                let failing = self.exchange.failures.statement(*reason);
                self.send_query(failing.as_bytes(), Fate::Forward);
                return Ok(());
            }
            Err(Refused::Lost(error)) => return Err(error),
        };
        let bytes = self.exchange.encoding.encode(sent.text()).map(Cow::into_owned);
        let Some(bytes) = bytes else {
            let failing = self.exchange.failures.statement(not_encodable());
            self.send_query(failing.as_bytes(), Fate::Forward);
            return Ok(());
        };
        self.send_query(&bytes, Fate::Asked(Arc::new(sent)));
        Ok(())
    }

    fn send_query(&mut self, text: &[u8], fate: Fate) {
        let mut frame = BytesMut::new();
        put(&mut frame, b'Q', |body| {
            body.put_slice(text);
            body.put_u8(0);
        });
        let kind = Kind::Query;
        self.exchange.send(b'Q', &frame, Some(Reply { kind, fate }));
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
        self.shared.live.now().check_control(control)
    }

    /// The text with every question replaced.
    async fn sent(
        &mut self,
        text: &str,
        statements: &[ClientStatement],
        known: &[Option<Known>],
        mut ground: Ground,
    ) -> io::Result<Sent> {
        let mut sent = Sent::instead_of(text);
        let mut something = statements
            .iter()
            .filter(|one| !matches!(one.statement, Ok(Statement::Empty)));
        if ground == Ground::Failed && something.next().is_some_and(|first| self.is_plain(first)) {
            // It may be the ROLLBACK that ends the failed transaction.
            ground = Ground::Unsynced;
        }
        let mut guards = self.guards(text, statements, known, ground);
        for (at, statement) in statements.iter().enumerate() {
            let own = statement.span.of(text);
            let before = text[..statement.span.start].chars().count();
            let outcome = match &statement.statement {
                Ok(Statement::Question(_)) if ground == Ground::Failed => {
                    // The server tells that the transaction has failed, whatever it is asked.
                    Ok(Replaced::Own("SELECT 1".to_owned()))
                }
                Ok(Statement::Question(question)) => self.answers(own, before, question, ground).await,
                Ok(Statement::Control(Control::Show { name })) => {
                    let looked = self.look_around(ground).await;
                    looked.map(|()| Replaced::Own(self.show(name)))
                }
                Ok(Statement::Control(control)) => {
                    let checked = self.check_control(control).map_err(Refused::from);
                    checked.map(|()| Replaced::Client(None))
                }
                Ok(Statement::Sql) => {
                    // An earlier statement of the same string may have made the name.
                    let known = self.known(statement, text);
                    let answered = known.as_ref().and_then(|known| self.take_notice(known));
                    let checked = answered
                        .as_ref()
                        .map_or(Ok(()), |answered| self.check_prepared(answered));
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
                Ok(Replaced::Asked(texts, _)) => guards.asks(at).then_some(texts.runs_code),
                Ok(Replaced::Client(answered)) => answered.as_ref().map(|answered| answered.runs_code),
                _ => None,
            };
            let recorded: Recorded = match &outcome {
                Ok(Replaced::Asked(texts, _)) => texts.recorded.as_slice().into(),
                Ok(Replaced::Client(Some(answered))) => Arc::clone(&answered.recorded),
                _ => Recorded::default(),
            };
            let outcome = outcome.and_then(|replaced| self.check_room(replaced));
            let mut around = runs.map(|runs_code| (guards.around(at), runs_code));
            let mut outcome = outcome;
            if let (Some((None, runs_code @ false)), Ok(_)) = (&mut around, &outcome) {
                match self.judge_again(ground).await {
                    Ok(changed) => *runs_code = changed,
                    Err(refused) => outcome = Err(refused),
                }
            }
            guards.pass(at);
            let (outcome, around) = match around {
                None | Some((None, false)) => (outcome, Around::Nothing),
                Some((Some(around), _)) => (outcome, around),
                Some((None, true)) => (Err(Refused::Told(Box::new(unguarded()))), Around::Nothing),
            };
            match outcome {
                Ok(Replaced::Asked(texts, question)) => {
                    let borrowed: Vec<&str> = texts.sql.iter().map(String::as_str).collect();
                    let rewritten = statement::rewrite(own, question, &borrowed);
                    let answered = Answered {
                        limit: texts.limit,
                        recorded,
                        ..self.answered(texts.runs_code)
                    };
                    begin(&mut sent, around, &self.exchange.own);
                    sent.count(Whose::Asked);
                    if !matches!(question.context, Context::Prepare | Context::Cursor) {
                        sent.runs(&answered.recorded);
                    }
                    sent.push_asked(statement.span.start, rewritten, texts.sql);
                    end(&mut sent, around, &self.exchange.own);
                    sent.limit = answered.limit;
                    self.remember(own, question, answered);
                }
                Ok(Replaced::Own(sql)) => {
                    sent.count(Whose::Client);
                    sent.push_own(&format!("{sql};"));
                }
                Ok(Replaced::Client(answered)) => {
                    begin(&mut sent, around, &self.exchange.own);
                    sent.count(if answered.is_some() {
                        Whose::Asked
                    } else {
                        Whose::Client
                    });
                    sent.runs(&recorded);
                    sent.push_client(statement.span.start, statement.span.end);
                    end(&mut sent, around, &self.exchange.own);
                    if let Some(answered) = answered {
                        sent.limit = answered.limit;
                    }
                }
                Err(Refused::Told(reason)) => {
                    for asked in &*recorded {
                        asked.failed(&reason.sqlstate);
                    }
                    let failing = self.exchange.failures.statement(*reason);
                    sent.count(Whose::Client);
                    sent.push_own(&format!("{failing};"));
                }
                Err(Refused::Lost(error)) => return Err(error),
            }
        }
        Ok(sent)
    }

    /// What cannot be remembered could not be guarded when it runs.
    fn check_room<'q>(&self, replaced: Replaced<'q>) -> Result<Replaced<'q>, Refused> {
        if let Replaced::Asked(texts, question) = &replaced
            && texts.runs_code
            && matches!(question.context, Context::Prepare | Context::Cursor)
        {
            self.check_names()?;
        }
        Ok(replaced)
    }

    /// Fails if no more names of questions are remembered.
    pub(super) fn check_names(&self) -> Result<(), Refused> {
        if self.exchange.names.has_room() {
            return Ok(());
        }
        Err(Refused::told(
            "54000",
            "the session has too many prepared questions",
            "DEALLOCATE those that are not needed any more.",
        ))
    }

    /// What each statement does to the block around it.
    fn guards(
        &self,
        text: &str,
        statements: &[ClientStatement],
        known: &[Option<Known>],
        ground: Ground,
    ) -> Guards {
        // Names that statements of this string make for questions.
        let mut made: Vec<Vec<u8>> = vec![];
        let steps = statements.iter().zip(known).map(|(one, known)| {
            let own = one.span.of(text);
            let recognised = statement::recognise(own, &self.options()).ok();
            let Ok(statement) = &one.statement else {
                return Step::Reads;
            };
            let runs_made = named(own, recognised.as_ref()).is_some_and(|name| made.contains(&name));
            if let (Statement::Question(_), Some(recognised)) = (statement, &recognised) {
                match recognised {
                    SessionStatement::Prepare { name, .. } => made.push(name.clone().into_bytes()),
                    SessionStatement::Declare(cursor) => made.push(cursor.name.clone().into_bytes()),
                    _ => {}
                }
            }
            let runs = runs_made || matches!(known, Some(Known::Runs(_)));
            Step::of(statement, own, recognised.as_ref(), runs)
        });
        Guards::new(
            steps.collect(),
            (ground == Ground::Safe).then_some(self.exchange.status),
        )
    }

    /// Looks again whether a question that nothing guards still reads what it was judged to read: a model may have taken
    /// its time.
    pub(super) async fn judge_again(&mut self, ground: Ground) -> Result<bool, Refused> {
        if ground != Ground::Safe {
            // It cannot be looked at here: what is known has to do.
            return Ok(false);
        }
        let judged = self.seen.as_ref().map(|seen| seen.snapshot.fingerprint);
        self.look_around(ground).await?;
        Ok(judged != self.seen.as_ref().map(|seen| seen.snapshot.fingerprint))
    }

    async fn answers<'q>(
        &mut self,
        own: &str,
        before: usize,
        question: &'q Question,
        ground: Ground,
    ) -> Result<Replaced<'q>, Refused> {
        self.look_around(ground).await?;
        let texts = self.answer_all(own, before, question, ground).await?;
        Ok(Replaced::Asked(texts, question))
    }

    /// What `SHOW querent.name` returns, as a query.
    pub(super) fn show(&self, name: &str) -> String {
        let value = self
            .conversation
            .show(name)
            .or_else(|| self.shared.live.now().show(&self.settings, name))
            .unwrap_or_default();
        Report::of_text(&format!("querent.{name}"), &value).to_sql(Dialect::Postgres)
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
            policy: self.shared.live.now().policy,
            pipeline: self.exchange.pipelines,
            recorded: Recorded::default(),
        }
    }

    /// What was answered under another policy does not run any more.
    pub(super) fn check_prepared(&self, answered: &Answered) -> Result<(), Refused> {
        Ok(self.shared.live.check_prepared(answered.policy)?)
    }

    /// A cursor that outlives its transaction gets its rows at the end of that, where nothing can guard it, unless it
    /// is the only statement.
    pub(super) fn check_cursor(
        &self,
        own: &str,
        question: &Question,
        answered: &Answered,
    ) -> Result<(), Refused> {
        let holds = question.context == Context::Cursor
            && matches!(statement::recognise(own, &self.options()), Ok(SessionStatement::Declare(cursor)) if cursor.hold);
        if holds && answered.runs_code {
            return Err(Refused::Told(Box::new(unguarded())));
        }
        Ok(())
    }

    /// Remembers the names that a statement with questions makes.
    pub(super) fn remember(&mut self, own: &str, question: &Question, answered: Answered) {
        let asks = (question.context != Context::Write).then_some(Asks::Answered(answered));
        match statement::recognise(own, &self.options()) {
            Ok(SessionStatement::Prepare { name, .. }) => {
                self.exchange.names.prepare(name.as_bytes(), asks);
            }
            Ok(SessionStatement::Declare(cursor)) => self.exchange.names.open(cursor.name.as_bytes(), asks),
            _ => {}
        }
    }

    /// What a statement has to do with names that are a question's.
    pub(super) fn known(&self, statement: &ClientStatement, text: &str) -> Option<Known> {
        if !self.exchange.names.any() || !matches!(statement.statement, Ok(Statement::Sql)) {
            return None;
        }
        let own = statement.span.of(text);
        let recognised = statement::recognise(own, &self.options()).ok();
        if let Some(name) = named(own, recognised.as_ref()) {
            let names = &self.exchange.names;
            let asks = match recognised {
                Some(SessionStatement::Fetch { .. } | SessionStatement::Move { .. }) => names.portal(&name),
                _ => names.statement(&name),
            };
            return match asks {
                // What it reads may have become something else since.
                Some(Asks::Answered(answered)) => Some(Known::Runs(Answered {
                    runs_code: true,
                    ..answered.clone()
                })),
                _ => None,
            };
        }
        match recognised? {
            SessionStatement::Prepare { name, .. } | SessionStatement::Deallocate(Some(name)) => {
                Some(Known::Statement(name.into_bytes()))
            }
            SessionStatement::Declare(cursor) => Some(Known::Portal(cursor.name.into_bytes())),
            SessionStatement::Close(Some(name)) => Some(Known::Portal(name.into_bytes())),
            _ => None,
        }
    }

    /// Takes notice of it; what is known of the question if it runs one.
    pub(super) fn take_notice(&mut self, known: &Known) -> Option<Answered> {
        match known {
            Known::Runs(answered) => return Some(answered.clone()),
            Known::Statement(name) => self.exchange.names.prepare(name, None),
            Known::Portal(name) => self.exchange.names.open(name, None),
        }
        None
    }
}

/// What a plain statement does with the names of questions.
pub(super) enum Known {
    /// It runs one.
    Runs(Answered),
    /// It makes or forgets a prepared statement.
    Statement(Vec<u8>),
    /// It makes or forgets a portal.
    Portal(Vec<u8>),
}

/// The name of the prepared statement or of the cursor that a statement runs: EXECUTE may stand in EXPLAIN and in
/// CREATE TABLE … AS, too.
fn named(own: &str, recognised: Option<&SessionStatement>) -> Option<Vec<u8>> {
    match recognised {
        Some(SessionStatement::Execute { name, .. }) => return Some(name.clone().into_bytes()),
        Some(SessionStatement::Fetch { cursor, .. } | SessionStatement::Move { cursor, .. }) => {
            return Some(cursor.clone().into_bytes());
        }
        Some(SessionStatement::Explain(_) | SessionStatement::Ordinary(_)) | None => {}
        Some(_) => return None,
    }
    let mut words = pieces(own, true)
        .filter(|(piece, _)| *piece == Piece::Whole)
        .map(|(_, span)| span.of(own));
    words.find(|word| word.eq_ignore_ascii_case("execute"))?;
    let name = words.next()?;
    Some(
        match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
            Some(quoted) => quoted.replace("\"\"", "\"").into_bytes(),
            None => name.to_ascii_lowercase().into_bytes(),
        },
    )
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
    /// Its questions by these texts.
    Asked(Texts, &'q Question),
    /// All of it by this.
    Own(String),
    /// Nothing; it may run a question that was prepared.
    Client(Option<Answered>),
}

fn begin(sent: &mut Sent, around: Around, own: &Own) {
    if around == Around::Savepoint {
        sent.push_hidden(&format!("{}; ", own.savepoint()));
    }
    if around != Around::Nothing {
        sent.push_hidden(READ_ONLY);
    }
}

fn end(sent: &mut Sent, around: Around, own: &Own) {
    match around {
        Around::Nothing | Around::ReadOnly => {}
        // There is a warning that no transaction is in progress, and the implicit one ends.
        Around::Apart => sent.push_hidden("\n; COMMIT; "),
        Around::Savepoint => sent.push_hidden(&format!("\n; {}; ", own.release())),
    }
}

/// A string that ends with the message.
pub(super) fn text_of(body: &[u8]) -> Option<&[u8]> {
    let (last, text) = body.split_last()?;
    (*last == 0 && memchr::memchr(0, text).is_none()).then_some(text)
}

pub(super) fn not_encodable() -> Fields {
    Fields::new(
        Severity::Error,
        "22P05",
        "the SQL has characters that the client's encoding does not have",
    )
    .with_hint("SET client_encoding = 'UTF8'.")
}
