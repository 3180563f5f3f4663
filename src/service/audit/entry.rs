//! The journal as people read it: one entry a question.

use std::{ops::ControlFlow, time::SystemTime};

use super::event::{Body, Decided, Ended, Line, Origin, Said};
use crate::{
    service::store::{Event, Journal, StoreError, Wanted},
    telemetry::metrics::Outcome,
};

/// A question, or what somebody said of an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    /// When it came, as RFC 3339 in UTC.
    pub time: String,
    /// Its number.
    pub id: String,
    /// The machine and the process.
    pub server: String,
    /// The session in that process.
    pub session: u64,
    /// Who had logged in.
    pub user: String,
    /// Whose rights counted, if they were another's.
    pub role: String,
    /// The database.
    pub database: String,
    /// Where the client was.
    pub address: String,
    /// What the client called itself.
    pub application: String,
    /// `run`, `sql`, `explain` and so on; `good`, `bad` or `fix`.
    pub action: String,
    /// The words.
    pub question: String,
    /// What was said of the answer.
    pub text: Option<String>,
    /// `allowed`, `refused`, `none`; `feedback` for what was said.
    pub decision: String,
    /// The SQL.
    pub sql: Option<String>,
    /// The code of what went wrong.
    pub sqlstate: Option<String>,
    /// In words.
    pub reason: Option<String>,
    /// More words.
    pub detail: Option<String>,
    /// Who answered.
    pub tier: Option<String>,
    /// How surely.
    pub confidence: Option<f64>,
    /// Whether it had been answered before.
    pub cached: Option<bool>,
    /// Calls of models.
    pub model_calls: Option<u64>,
    /// Tokens that they read.
    pub prompt_tokens: Option<u64>,
    /// Tokens that they wrote.
    pub completion_tokens: Option<u64>,
    /// US dollars that they cost.
    pub cost_usd: Option<f64>,
    /// Milliseconds up to the SQL.
    pub answer_ms: Option<f64>,
    /// How the last run ended: `ok`, `failed`, `cancelled`, `left`, `shown`; `refused` where there was none to be.
    /// `None` for SQL that has not run, or whose end is not known.
    pub outcome: Option<String>,
    /// How often the SQL ran.
    pub runs: u64,
    /// Rows of all runs.
    pub rows: Option<u64>,
    /// Milliseconds of all runs.
    pub run_ms: Option<f64>,
}

/// Hands over the questions that were asked since then by this user, the oldest first, until one breaks it off.
pub async fn entries(
    journal: &mut dyn Journal,
    since: Option<SystemTime>,
    user: Option<&str>,
    each: &mut (dyn FnMut(Entry) -> ControlFlow<()> + Send),
) -> Result<(), StoreError> {
    read_entries(journal, Wanted::Questions { since, user }, each).await
}

/// The question of this number, if it was asked.
pub async fn entry(journal: &mut dyn Journal, id: &str) -> Result<Option<Entry>, StoreError> {
    let mut found = None;
    let mut each = |entry| {
        found = Some(entry);
        ControlFlow::Continue(())
    };
    read_entries(journal, Wanted::Question(id), &mut each).await?;
    Ok(found)
}

async fn read_entries(
    journal: &mut dyn Journal,
    wanted: Wanted<'_>,
    each: &mut (dyn FnMut(Entry) -> ControlFlow<()> + Send),
) -> Result<(), StoreError> {
    let mut present: Option<Entry> = None;
    journal
        .read(wanted, &mut |event| match read(event) {
            Some((line, Body::Ended(ended))) => {
                if let Some(entry) = present
                    .as_mut()
                    .filter(|entry| line.id.as_ref() == Some(&entry.id))
                {
                    entry.ended(ended);
                }
                ControlFlow::Continue(())
            }
            Some((line, body)) => match present.replace(Entry::begin(line, body)) {
                Some(before) => {
                    let next = each(before);
                    if next.is_break() {
                        present = None;
                    }
                    next
                }
                None => ControlFlow::Continue(()),
            },
            None => ControlFlow::Continue(()),
        })
        .await?;
    // Nothing is wanted after the last, whatever it says.
    let _ = present.map(each);
    Ok(())
}

/// The event's body; `None` for one that makes no sense, which the verification tells of.
fn read(event: &Event) -> Option<(Line, Body)> {
    let line: Line = serde_json::from_str(&event.body).ok()?;
    let body = line.body.clone();
    Some((line, body))
}

impl Entry {
    fn begin(line: Line, body: Body) -> Self {
        let known = Self {
            time: line.time,
            id: line.id.unwrap_or_default(),
            ..Self::default()
        };
        match body {
            Body::Decided(decided) => known.decided(decided),
            Body::Feedback(said) => known.said(said),
            _ => known,
        }
    }

    fn of(self, origin: Origin) -> Self {
        Self {
            server: origin.server,
            session: origin.session,
            user: origin.user,
            role: origin.role,
            database: origin.database,
            address: origin.address,
            application: origin.application,
            ..self
        }
    }

    fn decided(self, decided: Decided) -> Self {
        let outcome = decided
            .sqlstate
            .as_deref()
            .map(|state| Outcome::of_error(state).name().to_owned());
        Self {
            action: decided.action,
            question: decided.question,
            decision: decided.decision,
            sql: decided.sql,
            sqlstate: decided.sqlstate,
            reason: decided.reason,
            detail: decided.detail,
            tier: Some(decided.tier),
            confidence: decided.confidence,
            cached: Some(decided.cached),
            model_calls: Some(decided.model_calls),
            prompt_tokens: Some(decided.prompt_tokens),
            completion_tokens: Some(decided.completion_tokens),
            cost_usd: Some(decided.cost_usd),
            answer_ms: Some(decided.answer_ms),
            outcome,
            ..self.of(decided.origin)
        }
    }

    fn said(self, said: Said) -> Self {
        Self {
            action: said.action,
            question: said.question,
            text: Some(said.text),
            decision: "feedback".to_owned(),
            sql: Some(said.sql),
            ..self.of(said.origin)
        }
    }

    fn ended(&mut self, ended: Ended) {
        self.runs += u64::from(ended.outcome != "shown");
        *self.rows.get_or_insert(0) += ended.rows;
        *self.run_ms.get_or_insert(0.0) += ended.run_ms;
        self.outcome = Some(ended.outcome);
        if ended.sqlstate.is_some() {
            self.sqlstate = ended.sqlstate;
        }
    }
}
