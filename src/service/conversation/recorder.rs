//! What is told of a question beside its answer: log, metrics, traces and the audit.

use std::{sync::Arc, time::Instant};

use super::{Corrected, ServiceState, feed::Watched};
use crate::{
    error::ClientError,
    question::{
        ask::{AgentRun, Answer, EMBEDDED},
        model::Budget,
    },
    service::audit::{Asked, AuditError, Decision, Lookup, Refusal, Who},
    statement::{self, Action},
    telemetry::{Answered, Ending, QuestionTrace, Run, SessionLog, metrics::Outcome},
};

/// A question that is being worked on.
pub struct Recorder<'a> {
    service: &'a ServiceState,
    /// The question's number.
    id: String,
    who: Who,
    action: Action,
    words: &'a str,
    begun: Instant,
    trace: Option<QuestionTrace<'a>>,
    watched: Option<Watched>,
    /// Who wrote last.
    last: String,
    /// Runs of models.
    model_runs: u64,
    /// What it spends on them.
    budget: Option<Arc<Budget>>,
}

impl<'a> Recorder<'a> {
    /// A question that has just come.
    pub fn new(service: &'a ServiceState, who: Who, action: Action, words: &'a str) -> Self {
        let id = service.audit.number();
        let is_shown = !service.traces.redact();
        Self {
            watched: service.feed.begin((&id, words), &who, action.name(), is_shown),
            id,
            trace: service
                .traces
                .question(who.session, if service.traces.redact() { "" } else { words }),
            service,
            who,
            action,
            words,
            begun: Instant::now(),
            last: EMBEDDED.to_owned(),
            model_runs: 0,
            budget: None,
        }
    }

    /// It is worked on with this budget.
    pub fn spends(&mut self, budget: &Arc<Budget>) {
        self.budget = Some(Arc::clone(budget));
    }

    /// An agent has run.
    pub fn ran(&mut self, run: &AgentRun) {
        let model = (run.model != EMBEDDED).then_some(run.model.as_str());
        self.model_runs += u64::from(model.is_some());
        if self.last != run.model && !run.is_about_another() {
            self.last.clone_from(&run.model);
        }
        if let Some(watched) = &mut self.watched {
            watched.ran(&self.service.feed, run, self.begun.elapsed());
        }
        if let Some(trace) = &self.trace {
            let told = Run {
                agent: run.agent,
                model,
                attempt: run.attempt,
                elapsed: run.elapsed,
                prompt_tokens: run.prompt_tokens,
                completion_tokens: run.completion_tokens,
                outcome: run.public(&run.outcome),
                prompt: &run.prompt,
                output: run.public(&run.output),
            };
            if self.service.traces.redact() {
                let sql = model.is_none().then(|| sql_of(told.output)).flatten();
                trace.ran(&Run {
                    outcome: match (told.outcome, model) {
                        ("ok", _) => "ok",
                        // What stands behind the kind of a failure may quote anything.
                        (outcome, Some(_)) => outcome.split(':').next().unwrap_or_default(),
                        _ => "failed",
                    },
                    prompt: "",
                    output: sql.as_deref().unwrap_or_default(),
                    ..told
                });
            } else {
                trace.ran(&told);
            }
        }
    }

    /// It has its answer, which may be run, or shown, once this returns: an error means that it must not be, and is
    /// told to the client. What comes back, if anything does, is to be told how it ends.
    /// Takes no longer than `audit.timeout`.
    pub async fn answered(
        mut self,
        log: &SessionLog,
        answer: &Answer,
    ) -> Result<Option<Arc<Asked>>, AuditError> {
        let watched = self.watched.take();
        let lookup = Lookup {
            tier: &answer.tier,
            confidence: Some(answer.confidence),
            cached: answer.cached,
            elapsed: answer.elapsed,
            ..self.lookup()
        };
        let decided = self
            .service
            .audit
            .decided(Decision {
                id: &self.id,
                who: &self.who,
                action: self.action.name(),
                question: self.words,
                sql: Some(answer.sql.as_str()),
                refusal: None,
                lookup,
            })
            .await;
        let asked = match decided {
            Ok(asked) => asked,
            Err(error) => {
                if let Some(watched) = watched {
                    let (state, message) = (error.sqlstate(), error.message());
                    let refusal = Refusal {
                        sqlstate: &state,
                        message: &message,
                        detail: None,
                    };
                    watched.unanswered(&self.service.feed, refusal, None, lookup);
                }
                self.ended(log, &error.sqlstate());
                return Err(error);
            }
        };
        if let Some(watched) = watched {
            watched.answered(&self.service.feed, answer, lookup);
        }
        if !answer.cached {
            self.service
                .config()
                .skills
                .agreed(&self.who.database, self.words, &answer.votes);
        }
        self.learn(answer);
        log.answered(&Answered {
            question: self.words,
            sql: answer.sql.as_str(),
            confidence: answer.confidence,
            tier: &answer.tier,
            model_calls: answer.model_calls,
            elapsed: answer.elapsed,
        });
        if let Some(trace) = self.trace {
            trace.end(&Ending {
                outcome: Outcome::Answered.name(),
                sqlstate: "",
                tier: &answer.tier,
                confidence: Some(answer.confidence),
                model_calls: answer.model_calls,
            });
        }
        Ok(asked)
    }

    /// What its author wrote before was corrected.
    fn learn(&self, answer: &Answer) {
        if answer.cached {
            return;
        }
        let (schema, dialect) = &answer.schema;
        for (before, code) in &answer.failed {
            self.service.config().lessons.note(Corrected {
                database: &self.who.database,
                source: "correction",
                code: Some(*code),
                before,
                after: answer.sql.as_str(),
                schema,
                dialect: *dialect,
            });
        }
    }

    /// It has none, and the client is told so. `sql` is what was found and may not run.
    pub fn unanswered(mut self, log: &SessionLog, refusal: Refusal<'_>, sql: Option<&str>) {
        let watched = self.watched.take();
        let lookup = Lookup {
            tier: &self.last,
            elapsed: self.begun.elapsed(),
            ..self.lookup()
        };
        if let Some(watched) = watched {
            watched.unanswered(&self.service.feed, refusal, sql, lookup);
        }
        self.service.audit.refused(Decision {
            id: &self.id,
            who: &self.who,
            action: self.action.name(),
            question: self.words,
            sql,
            refusal: Some(refusal),
            lookup,
        });
        self.ended(log, refusal.sqlstate);
    }

    /// What it has spent so far.
    fn lookup(&self) -> Lookup<'_> {
        let spent = self
            .budget
            .as_ref()
            .map(|budget| budget.spent())
            .unwrap_or_default();
        Lookup {
            model_calls: spent.calls,
            prompt_tokens: spent.usage.prompt_tokens,
            completion_tokens: spent.usage.completion_tokens,
            cost: spent.cost,
            ..Lookup::default()
        }
    }

    fn ended(self, log: &SessionLog, sqlstate: &str) {
        log.unanswered(self.words, sqlstate, &self.last, self.begun.elapsed());
        if let Some(trace) = self.trace {
            trace.end(&Ending {
                outcome: Outcome::of_error(sqlstate).name(),
                sqlstate,
                tier: &self.last,
                confidence: None,
                model_calls: self.model_runs,
            });
        }
    }
}

/// The SQL of an embedded agent without its literals. What a model says may hold anything anywhere.
fn sql_of(output: &str) -> Option<String> {
    let first = output.split_whitespace().next()?;
    let is_query = ["SELECT", "WITH"]
        .iter()
        .any(|word| first.eq_ignore_ascii_case(word));
    is_query.then(|| statement::masked(output))
}

impl ServiceState {
    /// Records a statement whose question was refused before anybody looked at it.
    pub fn refused_unread(&self, who: &Who, statement: &str, error: &dyn ClientError) {
        let (state, message, detail) = (error.sqlstate(), error.message(), error.detail());
        self.audit.refused(Decision {
            id: &self.audit.number(),
            who,
            action: "statement",
            question: statement,
            sql: None,
            refusal: Some(Refusal {
                sqlstate: &state,
                message: &message,
                detail: detail.as_deref(),
            }),
            lookup: Lookup::default(),
        });
    }
}
