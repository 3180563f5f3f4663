//! Questions: asked once, at Parse; what comes of them is SQL to run, or rows to show.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::sync::mpsc;
use tracing::Instrument;

use crate::{
    backend::{Backend, BackendError, FullScan, Trial, text, text_column},
    question::{
        ask::{AgentRun, Answer, AskError, AskSettings},
        schema::{Dialect, Snapshot},
        validator::ValidatedSql,
    },
    service::{
        access::Asker,
        audit::{self, Who},
        conversation::{
            self, CachePolicy, CacheRequest, CacheScope, Conversation, ConversationError, Host, Part,
            RUNS_UNTOLD, Recorder, Report,
        },
    },
    sqlite::engine::Connection,
    statement::{self, Action, Asked, Context, ModelView, Notices, Question, QuestionText},
    telemetry::SessionLog,
    wire::{Fields, Severity},
};

use super::{
    control::select_tag,
    error::SessionError,
    parameters,
    plan::{Detail, Plan, Prepared},
    portal::Outcome,
    run::Session,
    runs::Runs,
    sql::Sql,
    transaction::Block,
};

/// What comes next while a question is worked on.
enum AskEvent {
    Run(AgentRun),
    Ended(Box<Result<Answer, AskError>>),
}

/// The session's database, its trials limited as the answer will be.
struct Limited {
    connection: Arc<Connection>,
    /// The schema as the session saw it when the question came, and as its user may ask about it.
    snapshot: Snapshot,
    /// Zero means for ever.
    limit: Duration,
}

#[async_trait]
impl Backend for Limited {
    async fn snapshot(&self) -> Result<Snapshot, BackendError> {
        Ok(self.snapshot.clone())
    }

    async fn trial(&self, sql: &ValidatedSql, max_rows: usize) -> Result<Trial, BackendError> {
        let trial = self.connection.trial(sql, max_rows);
        if self.limit.is_zero() {
            return trial.await;
        }
        tokio::time::timeout(self.limit, trial).await.unwrap_or_else(|_| {
            Err(
                BackendError::new("57014", "canceling statement due to statement timeout")
                    .with_hint("Raise querent.statement_timeout, or ask for less."),
            )
        })
    }

    async fn full_scans(&self, sql: &ValidatedSql) -> Result<Vec<FullScan>, BackendError> {
        self.connection.full_scans(sql).await
    }
}

impl Session {
    /// Settles what a statement with questions will do. `own` stands behind `before` characters.
    pub(super) async fn plan_question(
        &mut self,
        own: &str,
        before: usize,
        question: Question,
        detail: Detail<'_>,
    ) -> Result<Prepared, SessionError> {
        let comes_later = |asked: &Asked| matches!(asked.text, QuestionText::Parameter(_));
        if question.asked.iter().any(comes_later) {
            return Ok(self.plan_late(own, before, question, detail).await);
        }
        self.ask_all(own, before, &question, detail).await
    }

    pub(super) async fn ask_all(
        &mut self,
        own: &str,
        before: usize,
        question: &Question,
        detail: Detail<'_>,
    ) -> Result<Prepared, SessionError> {
        // The one that they are answered under: what comes meanwhile is another.
        let policy = self.shared.service.config().policy;
        let mut parts = vec![];
        let mut recorded = vec![];
        for asked in &question.asked {
            let at = before + own[..asked.span.start].chars().count() + 1;
            let words = match &asked.text {
                QuestionText::Literal(words) => words,
                QuestionText::View(view) => {
                    parts.push(Part::Report(self.model_view(view).await?));
                    continue;
                }
                QuestionText::Parameter(_) => {
                    unreachable!("questions that come as parameters are asked at Bind")
                }
            };
            if asked.action.is_feedback() {
                if question.direct {
                    return Ok(Prepared {
                        plan: Plan::Feedback {
                            action: asked.action,
                            text: words.clone(),
                        },
                        types: vec![],
                        columns: vec![text_column("status")],
                    });
                }
                return Err(ConversationError::NotAlone(asked.action).into());
            }
            let (part, record) = match self.ask_one(asked.action, words).await {
                Ok(asked) => asked,
                Err(error) => {
                    // The others in the statement do not come to run either.
                    Runs::begin(&recorded).failed(&error);
                    return Err(error.at(at));
                }
            };
            parts.push(part);
            recorded.extend(record);
        }
        // Parameters that the SQL leaves unused are there for the client all the same, as text.
        let count = usize::from(question.parameters).max(detail.declared().len());
        let mut padded = detail.declared().to_vec();
        padded.resize(count, 0);
        let detail = match detail {
            Detail::Nothing => Detail::Nothing,
            Detail::Described(_) => Detail::Described(&padded),
        };
        if question.direct
            && let [part] = parts.as_slice()
        {
            return match part {
                Part::Answer(sql) => {
                    let sql = Sql::of_answer(sql.clone());
                    self.plan_recorded(sql, (recorded, policy), detail).await
                }
                Part::Report(report) => Ok(Prepared {
                    types: parameters::types(detail.declared(), &[], false),
                    columns: report.columns.clone(),
                    plan: Plan::Report {
                        columns: report.columns.clone(),
                        rows: report.rows.clone(),
                    },
                }),
            };
        }
        let texts: Vec<String> = parts
            .iter()
            .map(|part| match part {
                Part::Answer(sql) => sql.as_str().to_owned(),
                Part::Report(report) => report.to_sql(Dialect::Sqlite),
            })
            .collect();
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let rewritten = statement::rewrite(own, question, &borrowed);
        let answers = parts.iter().filter_map(|part| match part {
            Part::Answer(sql) => Some(sql.clone()),
            Part::Report(_) => None,
        });
        let answers: Vec<ValidatedSql> = answers.collect();
        // A statement that writes runs with the user's own rights; its answers have been tried under the guard.
        let guard = answers.first().filter(|_| question.context != Context::Write);
        let sql = Sql::around(own, before, rewritten, texts, guard.cloned()).with_answers(answers);
        self.plan_recorded(sql, (recorded, policy), detail).await
    }

    /// Settles what SQL with answers in it will do. If that fails, it does not come to run.
    async fn plan_recorded(
        &mut self,
        sql: Sql,
        (recorded, policy): (Vec<Arc<audit::Asked>>, u64),
        detail: Detail<'_>,
    ) -> Result<Prepared, SessionError> {
        let planned = Box::pin(self.plan_sql(sql.with_asked(recorded.clone(), policy), detail)).await;
        if let Err(error) = &planned {
            Runs::begin(&recorded).failed(error);
        }
        planned
    }

    /// What a question has become, and what its runs are told to.
    async fn ask_one(
        &mut self,
        action: Action,
        words: &str,
    ) -> Result<(Part, Option<Arc<audit::Asked>>), SessionError> {
        let shared = Arc::clone(&self.shared);
        conversation::ask(self, &shared.service, action, words).await
    }

    /// The rows of a view of the semantic model, of what the user may read.
    async fn model_view(&mut self, view: &ModelView) -> Result<Report, SessionError> {
        let config = self.shared.service.config();
        let connection = Arc::clone(&self.connection);
        let snapshot = self.work_or_drop(connection.snapshot()).await?;
        let snapshot = config.view(&self.asker(), &snapshot)?;
        let meaning = config.meanings.of_database(&self.shared.database.name());
        Ok(conversation::model_view(meaning, snapshot, view).await)
    }

    /// Judges the answers in a statement by what there is now.
    pub(super) async fn judge_anew(&mut self, sql: &Sql) -> Result<bool, SessionError> {
        let config = self.shared.service.config();
        let connection = Arc::clone(&self.connection);
        let snapshot = self.work_or_drop(connection.snapshot()).await?;
        let view = config.view(&self.asker(), &snapshot)?;
        Ok(sql.judge_anew(&view))
    }

    /// Whose rights the access policy looks at.
    fn asker(&self) -> Asker {
        Asker {
            user: self.user.clone(),
            database: self.shared.database.name(),
            roles: Vec::new(),
        }
    }

    fn tell_run(&mut self, run: &AgentRun) {
        Host::notice(self, conversation::notice_of_run(run));
    }

    /// `good`, `bad`, `fix`, `reset`.
    pub(super) fn feedback(&mut self, action: Action, words: &str) -> Result<Outcome, SessionError> {
        let (who, shared) = (self.who(), Arc::clone(&self.shared));
        let span = self.client.log.span();
        let status = span.in_scope(|| self.conversation.feedback(action, words, &who, &shared.service))?;
        Ok(Outcome::known(
            vec![text_column("status")],
            vec![vec![text(&status)]],
            select_tag(),
        ))
    }
}

#[async_trait]
impl Host for Session {
    type Error = SessionError;

    fn who(&self) -> Who {
        Who {
            session: self.client.log.number(),
            user: self.user.clone(),
            role: self.user.clone(),
            database: self.shared.database.name(),
            address: self.client.log.address(),
            application: self.settings.value("application_name").to_owned(),
        }
    }

    fn log(&self) -> &SessionLog {
        &self.client.log
    }

    fn conversation(&mut self) -> &mut Conversation {
        &mut self.conversation
    }

    fn notices(&self) -> Notices {
        self.settings.querent().notices
    }

    fn notice(&mut self, message: String) {
        self.notice(&Fields::new(Severity::Notice, "00000", message));
    }

    async fn answer(&mut self, words: &str, recorder: &mut Recorder<'_>) -> Result<Answer, SessionError> {
        let shared = Arc::clone(&self.shared);
        let (service, config) = (&shared.service, shared.service.config());
        let own = self.settings.querent().clone();
        let (sender, mut runs) = mpsc::channel(RUNS_UNTOLD);
        let progress = own.notices == Notices::Progress;
        let budget = service.budget(&config, &self.budget);
        recorder.spends(&budget);
        let settings = AskSettings {
            user: self.user.clone(),
            progress: Some(sender),
            ..config.ask_settings(&own, budget, &shared.database.name())?
        };
        let connection = Arc::clone(&self.connection);
        let snapshot = self.work_or_drop(connection.snapshot()).await?;
        let asker = self.asker();
        let view = config.view(&asker, &snapshot)?;
        // What only this session sees is nobody else's.
        let cache_request = shared.database.is_shared(&snapshot).then(|| CacheRequest {
            scope: CacheScope::new("", (&asker.user, &asker.user), &[], &view),
            generation: config.generation,
            policy: match self.transaction.block() {
                Block::None => CachePolicy::Wholly,
                _ => CachePolicy::WithoutWaiting,
            },
        });
        let database = Limited {
            connection,
            snapshot: view,
            limit: own.statement_timeout,
        };
        let work = service.answers.ask(&database, words, &settings, cache_request);
        let mut work = std::pin::pin!(work.instrument(self.client.log.span().clone()));
        loop {
            let step = self.work_or_drop(async {
                tokio::select! {
                    biased;
                    Some(run) = runs.recv() => Ok(AskEvent::Run(run)),
                    answer = &mut work => Ok::<_, SessionError>(AskEvent::Ended(Box::new(answer))),
                }
            });
            match step.await? {
                AskEvent::Run(run) => {
                    recorder.ran(&run);
                    // Who does not read is not waited for, and hears less.
                    if progress && self.client.keeps_up() {
                        self.tell_run(&run);
                        self.client.hand_over();
                    }
                }
                AskEvent::Ended(answer) => {
                    while let Ok(run) = runs.try_recv() {
                        recorder.ran(&run);
                        if progress {
                            self.tell_run(&run);
                        }
                    }
                    self.client.is_answered();
                    return Ok((*answer)?);
                }
            }
        }
    }
}
