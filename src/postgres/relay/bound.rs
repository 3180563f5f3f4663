//! What a statement with a question stands for when it is bound. Where the database has changed since it was prepared, it is judged
//! anew, so that it outlives what has nothing to do with it.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    exchange::{Answered, Asks},
    extended::{Parse, types},
    late::{self, Shape, changed_result},
    question_error::QuestionError,
    readiness::Readiness,
    session::Session,
};
use crate::statement::{self, ClientStatement, Question, Rewritten, Statement};

/// A statement with a question, as the client prepared it.
#[derive(Debug)]
pub(super) struct Prepared {
    parse: Parse,
    latest: Mutex<Latest>,
}

/// What the server has in its place, and what is known of that where it was judged anew.
#[derive(Debug, Clone)]
struct Latest {
    sql: String,
    answered: Option<Answered>,
}

impl Prepared {
    pub(super) fn new(parse: &Parse, sql: &str) -> Arc<Self> {
        let latest = Latest {
            sql: sql.to_owned(),
            answered: None,
        };
        Arc::new(Self {
            parse: parse.clone(),
            latest: Mutex::new(latest),
        })
    }

    fn latest(&self) -> Latest {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_now(&self, sql: &str, answered: &Answered) {
        let latest = Latest {
            sql: sql.to_owned(),
            answered: Some(answered.clone()),
        };
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = latest;
    }
}

/// The question among the statements of a text.
pub(super) fn asked_in(statements: &[ClientStatement]) -> Option<(&ClientStatement, &Question)> {
    statements.iter().find_map(|one| match &one.statement {
        Ok(Statement::Question(question)) => Some((one, question)),
        _ => None,
    })
}

impl Session {
    /// What a statement asks, with the values that are bound to it for a portal.
    pub(super) async fn stands_for(
        &mut self,
        portal: &[u8],
        name: &[u8],
        values: &[u8],
    ) -> io::Result<Option<Asks>> {
        let outcome = match self.exchange.names.statement(name).cloned() {
            Some(Asks::AtBind(late)) => {
                let described = self.exchange.describes_next(portal);
                let bound = late::Bound {
                    name,
                    values,
                    described,
                };
                self.bind_late(&bound, &late).await
            }
            Some(Asks::Answered(answered)) => self.judged_anew(name, answered).await,
            asks => return Ok(asks),
        };
        match outcome {
            Ok(answered) => Ok(Some(Asks::Answered(answered))),
            Err(QuestionError::Failed(reason)) => {
                self.fail(*reason);
                Ok(Some(Asks::Answered(self.answered(true))))
            }
            Err(QuestionError::Lost(error)) => Err(error),
        }
    }

    /// The answer that a prepared statement stands for now. Where it cannot be looked at here, the check before it sees to that.
    async fn judged_anew(&mut self, name: &[u8], first: Answered) -> Result<Answered, QuestionError> {
        let Some(prepared) = first.prepared.clone() else {
            return Ok(first);
        };
        let latest = prepared.latest();
        let answered = latest.answered.map_or(first, |answered| Answered {
            prepared: Some(Arc::clone(&prepared)),
            ..answered
        });
        if answered.judged_in == self.exchange.pipelines
            || answered.catalog.is_none()
            || self.exchange.is_behind_others()
            || self.check_prepared(&answered).is_err()
        {
            return Ok(answered);
        }
        let readiness = self.readiness().await?;
        if readiness != Readiness::Safe {
            return Ok(answered);
        }
        self.look_around(readiness).await?;
        if answered.catalog == Some(self.catalog()) {
            return Ok(answered);
        }
        let parse = &prepared.parse;
        let statements = statement::read(&parse.text, &self.options());
        let Some((one, question)) = asked_in(&statements) else {
            return Ok(answered);
        };
        let (sent, anew) = self
            .answer_statement(&parse.text, one, question, readiness, Shape::Own)
            .await?;
        if anew.runs_code {
            self.check_names()
                .inspect_err(|error| error.keeps_from_running(&anew.recorded))?;
        }
        if sent.text() != latest.sql {
            let texts = [latest.sql.as_str(), sent.text()].map(Rewritten::answer);
            if !self.return_the_same(texts.each_ref()).await? {
                let error = QuestionError::Failed(Box::new(changed_result()));
                error.keeps_from_running(&anew.recorded);
                return Err(error);
            }
            let bytes = self
                .encoded(&sent)
                .inspect_err(|error| error.keeps_from_running(&anew.recorded))?;
            self.replace(name, &bytes, &types(parse, question, sent.text()));
        }
        prepared.is_now(sent.text(), &anew);
        Ok(Answered {
            prepared: Some(prepared),
            ..anew
        })
    }
}
