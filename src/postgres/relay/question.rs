//! Questions: asked with the rights, the transaction and the settings of the session, on its own connection.

use std::{future::pending, sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::BytesMut;
use tokio::{sync::mpsc, time::timeout};
use tracing::Instrument;

use super::{
    asking::Asking,
    attend::{self, attend},
    exchange::{Limit, put_fields},
    question_error::QuestionError,
    readiness::Readiness,
    seen::asker,
    session::Session,
    side_query::{Line, SideQuerier},
};
use crate::{
    backend::{Backend, BackendError, Effort, FullScan, IndexIdea, Trial},
    postgres::introspection::{self, LookedAt, SessionSnapshot},
    question::{
        ask::{AgentRun, Answer, AskSettings},
        schema::{Dialect, Snapshot},
        validator::ValidatedSql,
    },
    service::{
        access::AccessError,
        audit::Asked,
        conversation::{
            self, CachePolicy, CacheRequest, CacheScope, ConversationError, Part, RUNS_UNTOLD, Recorder,
        },
    },
    statement::{Action, Notices, Question, QuestionText},
    wire::{Encoding, Fields, Severity},
};

/// Bytes of progress that a client may leave unread before it is told less.
const MOST_TOLD: usize = 64 << 10;
/// The part of the server's patience with an idle transaction that a question may use.
const PATIENCE: f64 = 0.8;
/// The part of its patience with an idle session after which it hears that this one is at work.
const SIGN_OF_LIFE: f64 = 0.5;
/// How often it hears so at most.
const MOST_OFTEN: Duration = Duration::from_millis(20);

/// The state of an error where the database is not what it was.
const CHANGED: &str = "40001";
/// How often a question is asked while others go on changing the database.
const MOST_TIMES: usize = 3;

/// What the questions of a statement have become.
pub(super) struct Texts {
    /// One SQL text for each.
    pub(super) sql: Vec<String>,
    /// What the rows may come to.
    pub(super) limit: Limit,
    /// Whether an answer reads what runs expressions of the database's own.
    pub(super) runs_code: bool,
    /// The questions whose answers these are, as the audit knows them.
    pub(super) recorded: Vec<Arc<Asked>>,
    /// The catalogue that they were judged by; none of what is the same whatever the database holds.
    pub(super) catalog: Option<Arc<str>>,
    /// The tables and views that they read, as SQL names them.
    pub(super) relations: Vec<String>,
    /// The policy that they were answered under.
    pub(super) policy: u64,
}

impl Session {
    /// Does something over the server's connection while the client waits.
    pub(super) async fn side_query<T>(
        &mut self,
        work: impl AsyncFnOnce(&SideQuerier<'_>) -> Result<T, BackendError>,
    ) -> Result<T, QuestionError> {
        let limit = self.shared.settings().limits.question_timeout;
        self.write_out(limit).await?;
        let (mut ahead, mut told) = (BytesMut::new(), BytesMut::new());
        let probe = attend::probe(&self.exchange);
        let outcome = {
            let querier = SideQuerier::new(Line {
                server: &mut self.server,
                exchange: &mut self.exchange,
                unfinished: &mut self.unfinished,
                most: limit,
            });
            tokio::select! {
                biased;
                outcome = work(&querier) => outcome.map_err(QuestionError::from),
                error = attend(&mut self.client, (&mut told, &probe), &mut ahead) => Err(QuestionError::Lost(error)),
                () = self.cancellation.requested() => Err(cancelled()),
            }
        };
        told.unsplit(self.exchange.to_client.split());
        self.exchange.to_client = told;
        self.exchange.keep(&ahead);
        self.recover().await?;
        outcome
    }

    /// Hands the client what it is owed, so that it reads notices of a question in their order.
    async fn write_out(&mut self, most: Duration) -> Result<(), QuestionError> {
        let written = timeout(most, self.client.write(&mut self.exchange.to_client));
        let written = tokio::select! {
            biased;
            written = written => written,
            () = self.cancellation.requested() => return Err(cancelled()),
        };
        match written {
            Ok(written) => Ok(written?),
            Err(_) => Err(QuestionError::failed(
                "57014",
                "the client has not read what it was owed before the question",
                "Read the results of the statements before it.",
            )),
        }
    }

    /// One SQL text for each question of a statement. `own` stands behind `before` characters of the client's text.
    pub(super) async fn answer_all(
        &mut self,
        own: &str,
        before: usize,
        question: &Question,
        readiness: Readiness,
    ) -> Result<Texts, QuestionError> {
        let mut texts = Texts {
            sql: vec![],
            limit: Limit::default(),
            runs_code: false,
            recorded: vec![],
            catalog: (!question.asked.iter().all(|asked| asked.action.is_feedback())).then(|| self.catalog()),
            relations: vec![],
            policy: self.shared.service.config().policy,
        };
        for asked in &question.asked {
            let at = before + own[..asked.span.start].chars().count() + 1;
            let words = match &asked.text {
                QuestionText::Literal(words) => words,
                QuestionText::View(view) => {
                    let rows = self.model_view(view).await;
                    texts.sql.push(rows.map_err(|error| error.at(at))?);
                    continue;
                }
                QuestionText::Parameter(_) => return Err(by_parameter().at(at)),
            };
            if asked.action.is_feedback() && !question.direct {
                return Err(QuestionError::from(ConversationError::NotAlone(asked.action)).at(at));
            }
            let (part, recorded) = match self.answer_one(asked.action, words, readiness).await {
                Ok(answered) => answered,
                Err(error) => {
                    error.keeps_from_running(&texts.recorded);
                    return Err(error.at(at));
                }
            };
            texts.recorded.extend(recorded);
            texts.sql.push(match part {
                Part::Answer(sql) => {
                    let recursive = texts.limit.recursive || sql.is_recursive();
                    texts.limit = Limit {
                        recursive,
                        ..self.limit()
                    };
                    texts.runs_code |= self.runs_code(&sql);
                    let new = sql.relations().iter();
                    let new: Vec<String> = new
                        .filter(|name| !texts.relations.contains(name))
                        .cloned()
                        .collect();
                    texts.relations.extend(new);
                    sql.as_str().to_owned()
                }
                Part::Report(report) => report.to_sql(Dialect::Postgres),
            });
        }
        // What one of several questions was judged by is not what the others were judged by.
        let now = texts.catalog.is_some().then(|| self.catalog());
        if now != texts.catalog {
            if question.asked.len() > 1 {
                let error = QuestionError::from(introspection::changed_meanwhile());
                error.keeps_from_running(&texts.recorded);
                return Err(error);
            }
            texts.catalog = now;
        }
        Ok(texts)
    }

    /// The catalogue that questions are judged by now.
    pub(super) fn catalog(&self) -> Arc<str> {
        let seen = self.seen.as_ref();
        seen.map_or_else(|| "".into(), |seen| Arc::clone(&seen.catalog))
    }

    /// True for SQL that reads what runs expressions of the database's own, as far as is known.
    fn runs_code(&self, sql: &ValidatedSql) -> bool {
        let Some(seen) = &self.seen else { return true };
        let tables = &seen.snapshot.schema.tables;
        let runs = |at: &usize| tables.get(*at).is_none_or(|table| table.runs_code);
        sql.tables().iter().any(runs)
    }

    /// What a question has become, and what its runs are told to.
    async fn answer_one(
        &mut self,
        action: Action,
        words: &str,
        readiness: Readiness,
    ) -> Result<(Part, Option<Arc<Asked>>), QuestionError> {
        if action.is_feedback() {
            let who = self.who();
            let span = self.record.log.span();
            let service = &self.shared.service;
            let status = span.in_scope(|| self.conversation.feedback(action, words, &who, service))?;
            let report = conversation::Report::of_text("status", &status);
            return Ok((Part::Report(report), None));
        }
        let shared = Arc::clone(&self.shared);
        let mut host = Asking {
            session: self,
            readiness,
        };
        conversation::ask(&mut host, &shared.service, action, words).await
    }

    /// Asks the agents, or remembers what they said to the same question. Where others have changed the database meanwhile, which
    /// seldom has to do with the question, it is asked anew by what there is now, a few times.
    pub(super) async fn answer(
        &mut self,
        words: &str,
        readiness: Readiness,
        recorder: &mut Recorder<'_>,
    ) -> Result<Answer, QuestionError> {
        let mut times = 1;
        loop {
            let outcome = self.answer_by_what_is_seen(words, readiness, recorder).await;
            let changed = outcome.as_ref().is_err_and(|error| error.is_of(CHANGED));
            // A transaction of the client's goes on seeing what it saw.
            let apart = readiness == Readiness::Safe && self.exchange.status == b'I';
            if !changed || !apart || times >= MOST_TIMES {
                return outcome;
            }
            times += 1;
            self.look_around(readiness).await?;
        }
    }

    async fn answer_by_what_is_seen(
        &mut self,
        words: &str,
        readiness: Readiness,
        recorder: &mut Recorder<'_>,
    ) -> Result<Answer, QuestionError> {
        let shared = self.shared.clone();
        let config = shared.service.config();
        if !config.settings.questions {
            return Err(AccessError::Off.into());
        }
        let Some(seen) = self.seen.clone() else {
            return Err(QuestionError::failed(
                "0A000",
                "the database's schema cannot be read in the middle of a pipeline",
                "Send Sync before the first question of a session.",
            ));
        };
        let snapshot = config.view(&asker(&seen), &seen.snapshot)?;
        let (sender, mut runs) = mpsc::channel(RUNS_UNTOLD);
        // In the middle of a pipeline the server may have begun a message, which must end first.
        let safe = readiness == Readiness::Safe;
        let progress = safe && self.settings.notices == Notices::Progress && self.wants_notices();
        let budget = shared.service.budget(&config, &self.budget);
        recorder.spends(&budget);
        let settings = config.ask_settings(&self.settings, budget, &seen.state.database)?;
        let settings = AskSettings {
            user: seen.state.session_user.clone(),
            question_timeout: self.patience(&seen, settings.question_timeout),
            progress: Some(sender),
            ..settings
        };
        let state = &seen.state;
        let cache_request = CacheRequest {
            scope: CacheScope::new(
                &state.database,
                (&state.session_user, &state.user),
                &state.search_path,
                &snapshot,
            ),
            generation: config.generation,
            policy: match readiness {
                Readiness::Safe if self.exchange.status == b'T' => CachePolicy::WithoutWaiting,
                Readiness::Safe => CachePolicy::Wholly,
                _ => CachePolicy::Reading,
            },
        };
        let limits = introspection::Limits {
            cost: config.settings.limits.cost,
            kept: config.settings.limits.bytes,
            statement_timeout: self.time_limit(),
        };
        self.write_out(settings.question_timeout).await?;
        let most = settings.question_timeout;
        let encoding = self.exchange.encoding;
        let (mut ahead, mut told) = (BytesMut::new(), BytesMut::new());
        let probe = attend::probe(&self.exchange);
        let signs_of_life = (safe && self.exchange.status == b'I')
            .then(|| seen.state.time_setting("idle_session_timeout"))
            .flatten()
            .map(|limit| limit.mul_f64(SIGN_OF_LIFE).max(MOST_OFTEN));
        let span = self.record.log.span().clone();
        let mut server_ended = None;
        let outcome = {
            let querier = SideQuerier::new(Line {
                server: &mut self.server,
                exchange: &mut self.exchange,
                unfinished: &mut self.unfinished,
                most,
            });
            let looked_at = LookedAt {
                querier: &querier,
                sees: seen.state.sees(),
            };
            let database = InSession {
                querier: safe.then_some(&looked_at),
                snapshot: &snapshot,
                limits,
            };
            let work = shared
                .service
                .answers
                .ask(&database, words, &settings, Some(cache_request));
            let mut work = std::pin::pin!(work.instrument(span));
            let mut keep_up = Box::pin(async {
                match signs_of_life {
                    Some(every) => querier.keep_up(every).await,
                    None => pending().await,
                }
            });
            loop {
                tokio::select! {
                    biased;
                    Some(run) = runs.recv() => {
                        recorder.ran(&run);
                        // Who does not read hears less.
                        if progress && told.len() < MOST_TOLD {
                            tell_run(&run, encoding, &mut told);
                        }
                    }
                    answer = &mut work => break answer.map_err(QuestionError::from),
                    error = attend(&mut self.client, (&mut told, &probe), &mut ahead) => break Err(QuestionError::Lost(error)),
                    () = self.cancellation.requested() => break Err(cancelled()),
                    // Before it is seen to whether the server has ended, which waits while this speaks to it.
                    () = &mut keep_up => {}
                    error = querier.ended(safe) => {
                        server_ended = Some(error);
                        break Err(cancelled());
                    }
                }
            }
        };
        while let Ok(run) = runs.try_recv() {
            recorder.ran(&run);
            if progress && told.len() < MOST_TOLD {
                tell_run(&run, encoding, &mut told);
            }
        }
        // What the client has not read yet stands before what the server has said meanwhile.
        told.unsplit(self.exchange.to_client.split());
        self.exchange.to_client = told;
        if let Some(error) = server_ended {
            return Err(QuestionError::Lost(self.server_gone(error)));
        }
        self.exchange.keep(&ahead);
        self.recover().await?;
        outcome
    }

    /// The time for a question: not so long that the server would end the session meanwhile.
    fn patience(&self, seen: &SessionSnapshot, most: Duration) -> Duration {
        let in_transaction = (self.exchange.status == b'T')
            .then(|| seen.state.time_setting("idle_in_transaction_session_timeout"))
            .flatten()
            .map(|limit| limit.mul_f64(PATIENCE));
        [in_transaction, seen.state.time_setting("statement_timeout")]
            .into_iter()
            .flatten()
            .fold(most, Duration::min)
    }

    /// The time for the SQL of a question; zero for no limit.
    pub(super) fn time_limit(&self) -> Duration {
        let own = self.settings.statement_timeout;
        let servers = self
            .seen
            .as_ref()
            .and_then(|seen| seen.state.time_setting("statement_timeout"));
        match servers {
            Some(limit) if own.is_zero() || limit < own => limit,
            _ => own,
        }
    }

    /// Tells the client something of a question.
    pub(super) fn notice(&mut self, message: String, readiness: Readiness) {
        if self.wants_notices() {
            let told = Fields::new(Severity::Notice, "00000", message);
            self.exchange.tell_of_question(told, readiness == Readiness::Safe);
        }
    }

    fn wants_notices(&self) -> bool {
        let least = self
            .seen
            .as_ref()
            .and_then(|seen| seen.state.setting("client_min_messages"));
        !matches!(least, Some("warning" | "error"))
    }
}

/// Of a question whose words are not known yet.
fn by_parameter() -> QuestionError {
    QuestionError::failed(
        "0A000",
        "a question that comes as a parameter cannot be asked here",
        "Write the question into the statement.",
    )
}

fn tell_run(run: &AgentRun, encoding: Encoding, out: &mut BytesMut) {
    let fields = Fields::new(Severity::Notice, "00000", conversation::notice_of_run(run));
    put_fields(&fields, encoding, out);
}

pub(super) fn cancelled() -> QuestionError {
    QuestionError::Failed(Box::new(Fields::new(
        Severity::Error,
        "57014",
        "canceling statement due to user request",
    )))
}

/// The session's own connection as the pipeline's database.
struct InSession<'a> {
    /// `None` where nothing can be said between the client's messages.
    querier: Option<&'a LookedAt<'a>>,
    /// The schema as the asking user may see it.
    snapshot: &'a Snapshot,
    limits: introspection::Limits,
}

#[async_trait]
impl Backend for InSession<'_> {
    async fn snapshot(&self) -> Result<Snapshot, BackendError> {
        Ok(self.snapshot.clone())
    }

    async fn trial(&self, sql: &ValidatedSql, max_rows: usize) -> Result<Trial, BackendError> {
        match self.querier {
            Some(querier) => introspection::trial(querier, sql, max_rows as u32, &self.limits).await,
            None => Ok(Trial {
                columns: sql.columns().to_vec(),
                rows: vec![],
                complete: false,
                effort: Effort::default(),
            }),
        }
    }

    async fn full_scans(&self, sql: &ValidatedSql) -> Result<Vec<FullScan>, BackendError> {
        match self.querier {
            Some(querier) => introspection::full_scans(querier, sql, self.limits.statement_timeout).await,
            None => Ok(vec![]),
        }
    }

    async fn cost_with(&self, sql: &ValidatedSql, index: &IndexIdea) -> Result<Option<f64>, BackendError> {
        match self.querier {
            Some(querier) => {
                introspection::cost_with(querier, sql, index, self.limits.statement_timeout).await
            }
            None => Ok(None),
        }
    }
}
