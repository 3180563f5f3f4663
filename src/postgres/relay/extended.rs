//! The extended protocol's messages that ask, or are about a question: Parse, Bind, Describe, Execute, Close.

use std::{borrow::Cow, io, sync::Arc};

use bytes::{Buf, BufMut, BytesMut};

use super::{
    bound::Prepared,
    exchange::{
        Answered, Asks, ByName, Change, Disposition, Passing, Ran, Reply, ReplyTo, Sent, ServerState,
        c_string,
    },
    late::{self, Shape},
    question_error::{QuestionError, not_encodable},
    readiness::Readiness,
    session::Session,
    side_query::{put, set_in_pipeline},
    simple::unguarded,
};
use crate::{
    statement::{self, ClientStatement, Context, Control, Question, QuestionText, Statement},
    wire::Fields,
};

/// The type `text`.
pub(super) const TEXT: u32 = 25;

/// What a Parse message says.
#[derive(Debug, Clone)]
pub(super) struct Parse {
    pub(super) name: Vec<u8>,
    pub(super) text: String,
    pub(super) types: Vec<u32>,
}

impl Session {
    /// A Parse message that may ask.
    pub(super) async fn parse(&mut self, body: &[u8]) -> io::Result<()> {
        let Some(parse) = self.read_parse(body) else {
            self.exchange.pass(b'P', body);
            return Ok(());
        };
        let statements = statement::read(&parse.text, &self.options());
        let mut something = statements
            .iter()
            .filter(|statement| !matches!(statement.statement, Ok(Statement::Empty)));
        if let (Some(one), None) = (something.next(), something.next()) {
            return self.parse_one(body, &parse, one).await;
        }
        // Nothing, or several statements, which the server refuses.
        self.pass_parse(body, &parse, None);
        Ok(())
    }

    /// Sends it on; once the server has it, its name is this.
    fn pass_parse(&mut self, body: &[u8], parse: &Parse, asks: Option<Asks>) {
        let change = self
            .exchange
            .names
            .expect(Change::Statement(parse.name.clone(), asks));
        self.exchange.pass_changing(b'P', body, change);
    }

    async fn parse_one(&mut self, body: &[u8], parse: &Parse, one: &ClientStatement) -> io::Result<()> {
        let outcome = match &one.statement {
            Ok(Statement::Question(question)) => match waits_for(question) {
                Some(_) => self.parse_late(parse, one, question).await,
                None => self.parse_question(parse, one, question).await,
            },
            Ok(Statement::Control(Control::Show { name })) => {
                let looked = match self.readiness().await {
                    Ok(readiness) => self.look_around(readiness).await,
                    Err(error) => Err(error),
                };
                looked.map(|()| {
                    let sql = self.show(name);
                    let reply = self.prepares(&parse.name, Some(Asks::Shown), Disposition::Forward);
                    self.send_parse(&parse.name, sql.as_bytes(), &parse.types, reply);
                })
            }
            Err(error) => Err(self.unread(one.span.of(&parse.text), error)),
            Ok(Statement::Control(control)) => {
                let checked = self.check_control(control).map_err(QuestionError::from);
                checked.map(|()| self.pass_parse(body, parse, None))
            }
            Ok(_) => {
                let by_name = self.by_name(one, &parse.text);
                self.pass_parse(
                    body,
                    parse,
                    by_name.map(|by_name| Asks::ByName(Arc::new(by_name))),
                );
                Ok(())
            }
        };
        match outcome {
            Ok(()) => Ok(()),
            Err(QuestionError::Failed(reason)) => {
                let failing = self.exchange.failures.statement(*reason);
                let reply = Reply::new(ReplyTo::Parse, Disposition::Forward);
                self.send_parse(&parse.name, failing.as_bytes(), &[], reply);
                Ok(())
            }
            Err(QuestionError::Lost(error)) => Err(error),
        }
    }

    async fn parse_question(
        &mut self,
        parse: &Parse,
        one: &ClientStatement,
        question: &Question,
    ) -> Result<(), QuestionError> {
        let readiness = self.readiness().await?;
        if readiness == Readiness::Failed {
            // The server tells that the transaction has failed, whatever it is asked.
            let reply = Reply::new(ReplyTo::Parse, Disposition::Forward);
            self.send_parse(&parse.name, b"SELECT 1", &[], reply);
            return Ok(());
        }
        let (sent, answered) = self
            .answer_statement(&parse.text, one, question, readiness, Shape::Own)
            .await?;
        let room = if answered.runs_code {
            self.check_names()
        } else {
            Ok(())
        };
        let encoded = room.and_then(|()| self.encoded(&sent));
        let bytes = encoded.inspect_err(|error| error.keeps_from_running(&answered.recorded))?;
        let types = types(parse, question, sent.text());
        if readiness == Readiness::Unsynced || self.exchange.is_behind_others() {
            // Before the server reads the question's SQL: it may read it as something else.
            let check = self.check_behind(answered.catalog.as_deref());
            self.command(&check);
        }
        let asks = match question.context {
            Context::Query | Context::Explain | Context::Copy => Some(Asks::Answered(Answered {
                prepared: Some(Prepared::new(parse, sent.text())),
                ..answered
            })),
            Context::Prepare | Context::Cursor | Context::Write => {
                let made = self.made(one.span.of(&parse.text), question, answered.clone());
                let writes = || (question.context == Context::Write).then_some(ByName::Writes(answered));
                made.or_else(writes).map(|made| Asks::ByName(Arc::new(made)))
            }
        };
        let reply = self.prepares(&parse.name, asks, Disposition::Asked(Arc::new(sent)));
        self.send_parse(&parse.name, &bytes, &types, reply);
        Ok(())
    }

    /// The reply to a Parse that makes a name.
    pub(super) fn prepares(&mut self, name: &[u8], asks: Option<Asks>, disposition: Disposition) -> Reply {
        let change = self
            .exchange
            .names
            .expect(Change::Statement(name.to_owned(), asks));
        Reply::new(ReplyTo::Parse, disposition).changing(change)
    }

    pub(super) async fn answer_statement(
        &mut self,
        text: &str,
        one: &ClientStatement,
        question: &Question,
        readiness: Readiness,
        shape: Shape,
    ) -> Result<(Sent, Answered), QuestionError> {
        self.look_around(readiness).await?;
        let own = one.span.of(text);
        let before = text[..one.span.start].chars().count();
        let texts = self.answer_all(own, before, question, readiness).await?;
        let borrowed: Vec<&str> = texts.sql.iter().map(String::as_str).collect();
        let rewritten = statement::rewrite(own, question, &borrowed);
        let rewritten = match shape {
            Shape::Own => rewritten,
            Shape::ByRow => late::by_row(rewritten),
        };
        // Where it runs is known later, and can be waited for.
        let bounded = self.bounded(rewritten, question.context, texts.limit, false);
        let (rewritten, limit) = bounded
            .await
            .inspect_err(|error| error.keeps_from_running(&texts.recorded))?;
        let mut sent = Sent::instead_of(text);
        sent.push_asked(one.span.start, rewritten, texts.sql);
        let answered = Answered {
            limit,
            recorded: texts.recorded.into(),
            catalog: texts.catalog,
            relations: texts.relations.into(),
            policy: texts.policy,
            ..self.answered(texts.runs_code)
        };
        sent.prepares(&answered.recorded);
        self.check_cursor(own, question, &answered)
            .inspect_err(|error| error.keeps_from_running(&answered.recorded))?;
        Ok((sent, answered))
    }

    pub(super) fn encoded(&self, sent: &Sent) -> Result<Vec<u8>, QuestionError> {
        let bytes = self.exchange.encoding.encode(sent.text()).map(Cow::into_owned);
        bytes.ok_or_else(|| QuestionError::Failed(Box::new(not_encodable())))
    }

    /// Bind of a question's statement.
    pub(super) async fn bind(&mut self, body: &[u8]) -> io::Result<()> {
        let names = c_string(body).and_then(|(portal, rest)| Some((portal, c_string(rest)?)));
        let Some((portal, (name, rest))) = names else {
            self.exchange.pass(b'B', body);
            return Ok(());
        };
        if !self.settle().await? {
            self.exchange.pass(b'B', body);
            return Ok(());
        }
        let asks = self.stands_for(portal, name, rest).await?;
        let touched = self.exchange.is_behind_others();
        if let Some(asks) = &asks {
            // Whoever holds a lock on what it reads takes of its time.
            self.part();
            if let Some(answered) = asks.question() {
                // Planning may run functions already.
                self.check_bound(answered, touched);
            }
        }
        let asked = asks.is_some();
        let opened = Change::Portal(portal.to_owned(), asks.map(Asks::opened));
        let change = self.exchange.names.expect(opened);
        self.exchange.pass_changing(b'B', body, change);
        if asked {
            // What it does, it does for itself.
            self.exchange.touch(touched);
        }
        Ok(())
    }

    /// Bind of more than is read: of a question that would come with it nothing would be known.
    pub(super) async fn bind_unread(&mut self, name: &[u8]) -> io::Result<()> {
        if self.settle().await? && matches!(self.exchange.names.statement(name), Some(Asks::AtBind(_))) {
            let error = QuestionError::failed(
                "54000",
                "the message that brings the question is too long",
                "Ask in fewer words, and bind less beside the question: together at most 1 MiB.",
            );
            if let QuestionError::Failed(reason) = error {
                self.fail(*reason);
            }
        }
        Ok(())
    }

    /// Lets the server say that it is through with what the client has run in this pipeline. The time of a question begins
    /// behind that.
    fn part(&mut self) {
        if self.exchange.ran_before() != Ran::Nothing {
            self.exchange.flush();
        }
    }

    /// Waits until the server has answered the pipelines before this one: what a name stands for, and whether there is a
    /// transaction, is known then. False if the server passes over what comes here.
    pub(super) async fn settle(&mut self) -> io::Result<bool> {
        match self.readiness().await {
            Ok(_) => Ok(true),
            Err(QuestionError::Failed(_))
                if self.exchange.server_state() == ServerState::Passing(Passing::ToSync) =>
            {
                Ok(false)
            }
            Err(QuestionError::Failed(reason)) => {
                self.fail(*reason);
                Ok(true)
            }
            Err(QuestionError::Lost(error)) => Err(error),
        }
    }

    /// Execute of a question's portal: read-only, where that can be undone or ends with the pipeline.
    pub(super) async fn execute(&mut self, body: &[u8]) -> io::Result<()> {
        let hears = self.settle().await?;
        let portal = c_string(body)
            .map(|(name, _)| name.to_owned())
            .unwrap_or_default();
        let answered = match self.exchange.names.portal(&portal).cloned() {
            Some(Asks::Answered(answered)) if hears => answered,
            Some(Asks::ByName(by_name)) if hears => {
                let Some(answered) = self.runs(&by_name) else {
                    self.see_answers().await?;
                    self.execute_change(body, &by_name);
                    return Ok(());
                };
                self.refuse_to_store(&by_name);
                answered
            }
            Some(Asks::Shown) if hears => return self.execute_shown(body).await,
            _ => {
                self.see_answers().await?;
                self.exchange.pass(b'E', body);
                return Ok(());
            }
        };
        if let Err(QuestionError::Failed(reason)) = self.check_prepared(&answered) {
            self.fail(*reason);
        }
        let ran = self.exchange.ran_before();
        let own = self.exchange.own.clone();
        let read_only = || "SET LOCAL transaction_read_only = on".to_owned();
        let (before, after) = match (self.exchange.status, ran) {
            (b'T', Ran::Nothing) | (b'I', Ran::Begin) => {
                (vec![own.savepoint(), read_only()], Some(own.release()))
            }
            (b'I', Ran::Nothing) if self.exchange.only_questions_follow() => {
                self.exchange.guarded = Some(self.exchange.pipelines);
                (vec![set_in_pipeline("transaction_read_only", "on")], None)
            }
            (b'I', _) if self.exchange.guarded == Some(self.exchange.pipelines) => (vec![], None),
            _ if answered.runs_code => {
                self.fail(unguarded());
                (vec![], None)
            }
            // What it reads may have become something else since. Bind has locked it, so that it stays what is seen here.
            _ => (vec![self.check_unguarded(answered.catalog.as_deref())], None),
        };
        for sql in before.iter().chain(&self.checks(&answered)) {
            self.command(sql);
        }
        self.exchange.touch(true);
        let mut sent = Sent::default();
        sent.limits(answered.limit, answered.tally);
        sent.runs(&answered.recorded);
        let mut frame = BytesMut::new();
        put(&mut frame, b'E', |out| out.put_slice(body));
        let reply = Reply::new(ReplyTo::Execute, Disposition::Asked(Arc::new(sent)));
        self.part();
        self.exchange.send(b'E', &frame, Some(reply));
        // What comes behind it has a time of its own.
        self.exchange.flush();
        if let Some(sql) = after {
            self.command(&sql);
        }
        if answered.limit.counts() {
            self.exchange.counts_rows();
        }
        Ok(())
    }

    /// Execute of a statement that makes or forgets a name.
    fn execute_change(&mut self, body: &[u8], by_name: &ByName) {
        if let Some(answered) = by_name.question() {
            for sql in self.checks(answered) {
                self.command(&sql);
            }
        }
        let change = match by_name {
            ByName::Changes(change) => Some(change),
            ByName::Holds(change) => {
                if let Change::Portal(_, Some(Asks::Answered(answered))) = change {
                    let check = self.check_unguarded(answered.catalog.as_deref());
                    self.command(&check);
                }
                Some(change)
            }
            ByName::Execute(_) | ByName::Stores(_) | ByName::Fetch(_) | ByName::Writes(_) => None,
        };
        let change = change.and_then(|change| self.exchange.names.expect(change.clone()));
        self.exchange.pass_changing(b'E', body, change);
    }

    /// Close: the name is free again.
    pub(super) fn close(&mut self, body: &[u8]) {
        let change = match body.split_first() {
            Some((b'S', name)) => c_string(name).map(|(name, _)| Change::Statement(name.to_owned(), None)),
            Some((_, name)) => c_string(name).map(|(name, _)| Change::Portal(name.to_owned(), None)),
            None => None,
        };
        let change = change.and_then(|change| self.exchange.names.expect(change));
        self.exchange.pass_changing(b'C', body, change);
    }

    /// Lets the server fail at this place of the pipeline, for this reason.
    pub(super) fn fail(&mut self, reason: Fields) {
        let failing = self.exchange.failures.statement(reason);
        let own = self.exchange.own.clone();
        let reply = Reply::new(ReplyTo::Parse, Disposition::Swallow);
        self.send_parse(own.as_str().as_bytes(), failing.as_bytes(), &[], reply);
    }

    /// A statement of Querent's between the client's messages.
    pub(super) fn command(&mut self, sql: &str) {
        // One that failed has been prepared, and was not closed.
        let own = self.exchange.own.clone();
        let name = own.as_str().as_bytes();
        self.send_close(name);
        self.send_parse(
            name,
            sql.as_bytes(),
            &[],
            Reply::new(ReplyTo::Parse, Disposition::Swallow),
        );
        self.send_own(b'B', ReplyTo::Bind, |body| {
            own.put(body);
            own.put(body);
            body.put_slice(&[0; 6]);
        });
        self.send_own(b'E', ReplyTo::Execute, |body| {
            own.put(body);
            body.put_u32(0);
        });
        for kind in [b'P', b'S'] {
            self.send_own(b'C', ReplyTo::Close, |body| {
                body.put_u8(kind);
                own.put(body);
            });
        }
    }

    fn send_own(&mut self, tag: u8, kind: ReplyTo, fill: impl FnOnce(&mut BytesMut)) {
        let mut frame = BytesMut::new();
        put(&mut frame, tag, fill);
        let reply = Reply::new(kind, Disposition::Swallow);
        self.exchange.send(tag, &frame, Some(reply));
    }

    pub(super) fn send_close(&mut self, name: &[u8]) {
        self.send_own(b'C', ReplyTo::Close, |body| {
            body.put_u8(b'S');
            body.put_slice(name);
            body.put_u8(0);
        });
    }

    pub(super) fn send_parse(&mut self, name: &[u8], sql: &[u8], types: &[u32], reply: Reply) {
        let mut frame = BytesMut::new();
        put(&mut frame, b'P', |body| {
            body.put_slice(name);
            body.put_u8(0);
            body.put_slice(sql);
            body.put_u8(0);
            body.put_u16(types.len() as u16);
            for ty in types {
                body.put_u32(*ty);
            }
        });
        self.exchange.send(b'P', &frame, Some(reply));
    }

    fn read_parse(&self, body: &[u8]) -> Option<Parse> {
        let (name, rest) = c_string(body)?;
        let (text, mut rest) = c_string(rest)?;
        let text = self.exchange.encoding.decode(text)?.into_owned();
        let count = rest.try_get_u16().ok()?;
        let types = (0..count)
            .map(|_| rest.try_get_u32())
            .collect::<Result<_, _>>()
            .ok()?;
        Some(Parse {
            name: name.to_owned(),
            text,
            types,
        })
    }
}

/// The parameter that a question comes in.
fn waits_for(question: &Question) -> Option<u16> {
    question.asked.iter().find_map(|asked| match asked.text {
        QuestionText::Parameter(number) => Some(number),
        QuestionText::Literal(_) | QuestionText::View(_) => None,
    })
}

/// The types to declare: parameters that the SQL leaves unused are there for the client all the same, as text.
pub(super) fn types(parse: &Parse, question: &Question, sql: &str) -> Vec<u32> {
    let used = statement::parameters(sql);
    let count = usize::from(question.parameters).max(parse.types.len());
    let mut types = parse.types.clone();
    types.resize(count, 0);
    for (ty, number) in types.iter_mut().zip(1..=u16::MAX) {
        if *ty == 0 && used.binary_search(&number).is_err() {
            *ty = TEXT;
        }
    }
    types
}
