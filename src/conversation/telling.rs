//! What is told of a question beside its answer: log, metrics and traces.

use std::time::Instant;

use crate::{
    ask::{AgentRun, Answer, EMBEDDED},
    telemetry::{Answered, Ending, QuestionTrace, Run, SessionLog, metrics::Outcome},
};

/// A question that is being worked on.
pub struct Telling<'a> {
    words: &'a str,
    begun: Instant,
    trace: Option<QuestionTrace<'a>>,
    /// Who ran last.
    last: String,
    /// Runs of models.
    model_runs: u64,
}

impl<'a> Telling<'a> {
    /// A question that has just come.
    pub fn new(words: &'a str, trace: Option<QuestionTrace<'a>>) -> Self {
        Self {
            words,
            begun: Instant::now(),
            trace,
            last: EMBEDDED.to_owned(),
            model_runs: 0,
        }
    }

    /// An agent has run.
    pub fn ran(&mut self, run: &AgentRun) {
        let model = (run.model != EMBEDDED).then_some(run.model.as_str());
        self.model_runs += u64::from(model.is_some());
        if self.last != run.model {
            self.last.clone_from(&run.model);
        }
        if let Some(trace) = &self.trace {
            trace.ran(&Run {
                agent: run.agent,
                model,
                attempt: run.attempt,
                elapsed: run.elapsed,
                prompt_tokens: run.prompt_tokens,
                completion_tokens: run.completion_tokens,
                outcome: run.public(&run.outcome),
                prompt: &run.prompt,
                output: run.public(&run.output),
            });
        }
    }

    /// It has its answer.
    pub fn answered(self, log: &SessionLog, answer: &Answer) {
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
    }

    /// It has none, and the client is told so with this SQLSTATE.
    pub fn unanswered(self, log: &SessionLog, sqlstate: &str) {
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
