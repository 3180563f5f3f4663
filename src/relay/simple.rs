//! Simple queries that ask: the text goes on with SQL in the questions' places.

use std::{borrow::Cow, io, sync::Arc};

use bytes::{BufMut, BytesMut};

use super::{
    exchange::{Asks, Fate, Guard, Kind, Limit, Reply, Sent},
    injection::put,
    question::{Ground, Refused, Texts},
    session::Session,
};
use crate::{
    conversation::{ConversationError, Report},
    schema::Dialect,
    statement::{self, ClientStatement, Context, Control, Question, SessionStatement, Statement},
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
        let sent = self.sent(&text, &statements, &known).await?;
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
    ) -> io::Result<Sent> {
        let mut sent = Sent::instead_of(text);
        let something: Vec<usize> = (0..statements.len())
            .filter(|at| !matches!(statements[*at].statement, Ok(Statement::Empty)))
            .collect();
        let alone = something.len() == 1;
        let mut ground = self.ground().await?;
        if ground == Ground::Failed
            && something
                .first()
                .is_some_and(|first| self.is_plain(&statements[*first]))
        {
            // It may be the ROLLBACK that ends the failed transaction.
            ground = Ground::Unsynced;
        }
        for (at, statement) in statements.iter().enumerate() {
            let own = statement.span.of(text);
            let before = text[..statement.span.start].chars().count();
            let outcome = match &statement.statement {
                Ok(Statement::Question(question)) if ground == Ground::Failed => {
                    let _ = question;
                    // The server tells that the transaction has failed, whatever it is asked.
                    sent.push_own("SELECT 1;");
                    continue;
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
                Ok(Statement::Sql | Statement::Empty) => {
                    let guard = match &known[at] {
                        Some(known) => self
                            .take_notice(known)
                            .filter(|_| alone && ground == Ground::Safe),
                        _ => None,
                    };
                    Ok(Replaced::Client(guard))
                }
                Err(error) => Err(Refused::from(error.clone())),
            };
            match outcome {
                Ok(Replaced::Asked(texts, question)) => {
                    let guard = self.guard_of(own, question, alone, ground);
                    let borrowed: Vec<&str> = texts.sql.iter().map(String::as_str).collect();
                    let rewritten = statement::rewrite(own, question, &borrowed);
                    begin(&mut sent, guard);
                    sent.push_asked(statement.span.start, rewritten, texts.sql);
                    end(&mut sent, guard);
                    sent.limit = texts.limit;
                    self.remember(own, question);
                }
                Ok(Replaced::Own(sql)) => sent.push_own(&format!("{sql};")),
                Ok(Replaced::Client(guard)) => {
                    begin(&mut sent, guard.unwrap_or_default());
                    sent.push_client(statement.span.start, statement.span.end);
                    end(&mut sent, guard.unwrap_or_default());
                    if guard.is_some() {
                        sent.limit = self.limit();
                    }
                }
                Err(Refused::Told(reason)) => {
                    let failing = self.exchange.failures.statement(*reason);
                    sent.push_own(&format!("{failing};"));
                }
                Err(Refused::Lost(error)) => return Err(error),
            }
        }
        Ok(sent)
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

    /// How a statement with questions is kept from writing: where it is alone, the transaction is read-only for it.
    fn guard_of(&self, own: &str, question: &Question, alone: bool, ground: Ground) -> Guard {
        let runs = match question.context {
            Context::Query | Context::Explain | Context::Copy => true,
            // Declared, a cursor has not run yet, unless it has to outlive the transaction.
            Context::Cursor => {
                matches!(statement::recognise(own, &self.options()), Ok(SessionStatement::Declare(cursor)) if cursor.hold)
            }
            Context::Prepare | Context::Write => false,
        };
        if runs && alone && ground == Ground::Safe {
            self.guard()
        } else {
            Guard::default()
        }
    }

    /// The statements around a question that is alone.
    fn guard(&self) -> Guard {
        match self.exchange.status {
            b'T' => Guard { before: 2, after: 1 },
            _ => Guard { before: 1, after: 0 },
        }
    }

    /// The bounds of an answer.
    pub(super) fn limit(&self) -> Limit {
        Limit {
            rows: self.settings.row_limit,
            bytes: self.shared.settings().limits.bytes.unwrap_or(0),
            time: self.time_limit(),
        }
    }

    /// Remembers the names that a statement with questions makes.
    pub(super) fn remember(&mut self, own: &str, question: &Question) {
        let asks = (question.context != Context::Write).then(|| Asks::Answered(self.limit()));
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
        let names = &self.exchange.names;
        let name = |name: String| name.into_bytes();
        match statement::recognise(statement.span.of(text), &self.options()).ok()? {
            SessionStatement::Execute { name: known, .. } => {
                let known = name(known);
                names.statement(&known).is_some().then_some(Known::Runs)
            }
            SessionStatement::Fetch { cursor, .. } | SessionStatement::Move { cursor, .. } => {
                let known = name(cursor);
                names.portal(&known).is_some().then_some(Known::Runs)
            }
            SessionStatement::Prepare { name: known, .. } | SessionStatement::Deallocate(Some(known)) => {
                Some(Known::Statement(name(known)))
            }
            SessionStatement::Declare(cursor) => Some(Known::Portal(name(cursor.name))),
            SessionStatement::Close(Some(known)) => Some(Known::Portal(name(known))),
            _ => None,
        }
    }

    /// Takes notice of it; the guard if it runs a question.
    pub(super) fn take_notice(&mut self, known: &Known) -> Option<Guard> {
        match known {
            Known::Runs => return Some(self.guard()),
            Known::Statement(name) => self.exchange.names.prepare(name, None),
            Known::Portal(name) => self.exchange.names.open(name, None),
        }
        None
    }
}

/// What a plain statement does with the names of questions.
pub(super) enum Known {
    /// It runs one.
    Runs,
    /// It makes or forgets a prepared statement.
    Statement(Vec<u8>),
    /// It makes or forgets a portal.
    Portal(Vec<u8>),
}

/// What a statement is replaced by.
enum Replaced<'q> {
    /// Its questions by these texts.
    Asked(Texts, &'q Question),
    /// All of it by this.
    Own(String),
    /// Nothing, but it may be guarded.
    Client(Option<Guard>),
}

fn begin(sent: &mut Sent, guard: Guard) {
    if guard.before == 2 {
        sent.push_own("SAVEPOINT querent_own; ");
    }
    if guard.before > 0 {
        sent.push_own(READ_ONLY);
        sent.guard = guard;
    }
}

fn end(sent: &mut Sent, guard: Guard) {
    if guard.after > 0 {
        sent.push_own("\n; RELEASE SAVEPOINT querent_own");
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
