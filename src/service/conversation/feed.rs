//! What is told of questions while they are worked on, to those who watch: events as they happen, and the last questions
//! with the runs of their agents. Bounded in number and bytes; nobody ever waits for a watcher.

use std::{
    borrow::Cow,
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

use crate::{
    error::beginning,
    question::ask::{AgentRun, Answer},
    service::audit::{Lookup, Refusal, Who, shown},
};

/// Events that a watcher may be behind; beyond them it is told how many it missed.
const BEHIND: usize = 1_024;
/// Questions that are remembered at most.
const QUESTIONS: usize = 1_000;
/// What they may hold together, in bytes.
const BYTES: usize = 32 << 20;
/// What one text may hold, in bytes; longer ones are cut.
const LONGEST: usize = 64 << 10;
/// What one may hold in an event; all of it is remembered.
const BRIEF: usize = 2 << 10;
/// Runs that are kept of one question.
const RUNS: usize = 200;

/// Who watches, and what there was to see.
#[derive(Debug)]
pub struct Feed {
    /// Whether anybody can watch at all.
    open: AtomicBool,
    recent: Mutex<Recent>,
    events: broadcast::Sender<Arc<FeedEvent>>,
}

#[derive(Debug, Default)]
struct Recent {
    /// The oldest first.
    questions: VecDeque<Question>,
    bytes: usize,
}

/// What happened.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum FeedEvent {
    /// A question has come.
    Begun(Question),
    /// An agent has run for one.
    Ran {
        /// The question's number.
        id: String,
        /// The session that asks it.
        session: u64,
        /// Who has logged in.
        #[serde(skip)]
        user: Arc<str>,
        /// What the agent did.
        run: Run,
    },
    /// It has its answer, or has none. Its runs were told before.
    Ended(Question),
}

/// A question, as far as it has come.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Question {
    /// Its number, which is the audit's where it is recorded.
    pub id: String,
    /// When it came, as RFC 3339 in UTC.
    pub time: String,
    /// The session that asks it.
    pub session: u64,
    /// Who has logged in.
    pub user: String,
    /// The database.
    pub database: String,
    /// Where the client is.
    pub address: String,
    /// What the client calls itself.
    pub application: String,
    /// `run`, `sql`, `explain` and so on.
    pub action: String,
    /// The words; empty where texts are not to be shown.
    pub question: String,
    /// `working`, `answered` or `unanswered`.
    pub state: &'static str,
    /// The SQL that answers it.
    pub sql: Option<String>,
    /// From 0 to 1.
    pub confidence: Option<f64>,
    /// Who answered, or tried last.
    pub tier: String,
    /// Whether it had been answered before.
    pub cached: bool,
    /// Calls of models.
    pub model_calls: u64,
    /// Tokens that they read.
    pub prompt_tokens: u64,
    /// Tokens that they wrote.
    pub completion_tokens: u64,
    /// US dollars that they cost.
    pub cost_usd: f64,
    /// Milliseconds up to the SQL.
    pub answer_ms: f64,
    /// The code of why it has no answer.
    pub sqlstate: Option<String>,
    /// In words.
    pub reason: Option<String>,
    /// More words.
    pub detail: Option<String>,
    /// The steps that a person can check.
    pub steps: Vec<(String, String)>,
    /// What the agents did.
    pub runs: Vec<Run>,
}

/// One run of one agent, as far as it may be shown.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// The agent.
    pub agent: Cow<'static, str>,
    /// The model that served it, or `embedded`.
    pub model: String,
    /// Which attempt, from 1.
    pub attempt: usize,
    /// When it began, in milliseconds since the question came.
    pub start_ms: f64,
    /// Milliseconds that it took.
    pub milliseconds: f64,
    /// Tokens read by a language model.
    pub prompt_tokens: u64,
    /// Tokens written by a language model.
    pub completion_tokens: u64,
    /// `ok`, or what went wrong.
    pub outcome: String,
    /// What it was told; empty for an embedded agent.
    pub prompt: String,
    /// What it said.
    pub output: String,
}

impl Default for Feed {
    fn default() -> Self {
        Self {
            open: AtomicBool::new(false),
            recent: Mutex::default(),
            events: broadcast::Sender::new(BEHIND),
        }
    }
}

impl Feed {
    /// From now on what happens is kept and told.
    pub fn open(&self) {
        self.open.store(true, Ordering::Relaxed);
    }

    /// Hears of all that happens from now on.
    pub fn watch(&self) -> broadcast::Receiver<Arc<FeedEvent>> {
        self.events.subscribe()
    }

    /// The questions that are remembered, the newest first, without their runs.
    pub fn recent(&self) -> Vec<Question> {
        self.lock().questions.iter().rev().map(Question::head).collect()
    }

    /// Looks at each question that is remembered.
    pub fn each(&self, look: impl FnMut(&Question)) {
        self.lock().questions.iter().for_each(look);
    }

    /// A question, if it is remembered.
    pub fn question(&self, id: &str) -> Option<Question> {
        let recent = self.lock();
        recent
            .questions
            .iter()
            .rev()
            .find(|known| known.id == id)
            .cloned()
    }

    /// A question has come; `None` where nobody can watch.
    pub(super) fn begin(
        &self,
        (id, words): (&str, &str),
        who: &Who,
        action: &str,
        is_shown: bool,
    ) -> Option<Watched> {
        if !self.open.load(Ordering::Relaxed) {
            return None;
        }
        let question = Question {
            id: id.to_owned(),
            time: shown(SystemTime::now()),
            session: who.session,
            user: who.user.clone(),
            database: who.database.clone(),
            address: who.address.clone(),
            application: cut(&who.application),
            action: action.to_owned(),
            question: if is_shown { cut(words) } else { String::new() },
            state: "working",
            ..Question::default()
        };
        let mut recent = self.lock();
        recent.bytes += question.weight();
        recent.questions.push_back(question.clone());
        recent.bound();
        drop(recent);
        self.tell(FeedEvent::Begun(question));
        Some(Watched {
            id: id.to_owned(),
            session: who.session,
            user: who.user.as_str().into(),
            is_shown,
            has_private: false,
        })
    }

    fn tell(&self, event: FeedEvent) {
        // Nobody may be watching.
        let _ = self.events.send(Arc::new(event));
    }

    /// Changes a question that is still remembered; what comes back is how it is then, without its runs.
    fn change(&self, id: &str, change: impl FnOnce(&mut Question)) -> Option<Question> {
        let mut recent = self.lock();
        let recent = &mut *recent;
        let question = recent.questions.iter_mut().rev().find(|known| known.id == id)?;
        let before = question.weight();
        change(question);
        recent.bytes = recent.bytes + question.weight() - before;
        let without = Question {
            runs: Vec::new(),
            ..question.head()
        };
        recent.bound();
        Some(without)
    }

    fn lock(&self) -> MutexGuard<'_, Recent> {
        // Each change leaves it whole, but for the count of bytes at worst.
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recent {
    fn bound(&mut self) {
        while self.questions.len() > QUESTIONS || self.bytes > BYTES {
            let Some(oldest) = self.questions.pop_front() else {
                break;
            };
            self.bytes = self.bytes.saturating_sub(oldest.weight());
        }
    }
}

/// A question that is being told of.
#[derive(Debug)]
pub(super) struct Watched {
    id: String,
    session: u64,
    user: Arc<str>,
    is_shown: bool,
    has_private: bool,
}

impl Watched {
    /// An agent has run since the question came, so long ago.
    pub(super) fn ran(&mut self, feed: &Feed, run: &AgentRun, ago: Duration) {
        self.has_private |= run.private;
        let told = told(run, ago.saturating_sub(run.elapsed), self.is_shown);
        feed.change(&self.id, |question| {
            if question.runs.len() < RUNS {
                question.runs.push(told.clone());
            }
        });
        feed.tell(FeedEvent::Ran {
            id: self.id.clone(),
            session: self.session,
            user: Arc::clone(&self.user),
            run: told.brief(),
        });
    }

    /// It has its answer.
    pub(super) fn answered(self, feed: &Feed, answer: &Answer, lookup: Lookup<'_>) {
        let is_shown = self.is_shown;
        let steps = self.is_shown && !self.has_private && !answer.trace.iter().any(|run| run.private);
        self.end(feed, |question| {
            question.state = "answered";
            question.sql = Some(cut(answer.sql.as_str()));
            if question.runs.is_empty() {
                question.runs = found_before(answer, is_shown);
            }
            if steps {
                let told = answer.steps.iter();
                question.steps = told.map(|(step, detail)| (step.clone(), cut(detail))).collect();
            }
            question.spent(lookup);
        });
    }

    /// It has none.
    pub(super) fn unanswered(self, feed: &Feed, refusal: Refusal<'_>, sql: Option<&str>, lookup: Lookup<'_>) {
        let is_shown = self.is_shown && !self.has_private;
        let is_tellable = is_shown && is_tellable(Some(refusal.sqlstate));
        self.end(feed, |question| {
            question.state = "unanswered";
            question.sqlstate = Some(refusal.sqlstate.to_owned());
            if is_shown {
                question.sql = sql.map(cut);
            }
            if is_tellable {
                question.reason = Some(cut(refusal.message));
                question.detail = refusal.detail.map(cut);
            }
            question.spent(lookup);
        });
    }

    fn end(self, feed: &Feed, change: impl FnOnce(&mut Question)) {
        if let Some(question) = feed.change(&self.id, change) {
            feed.tell(FeedEvent::Ended(question));
        }
    }
}

impl FeedEvent {
    /// The session that asks.
    pub fn session(&self) -> u64 {
        match self {
            Self::Begun(question) | Self::Ended(question) => question.session,
            Self::Ran { session, .. } => *session,
        }
    }

    /// The user who asks.
    pub fn user(&self) -> &str {
        match self {
            Self::Begun(question) | Self::Ended(question) => &question.user,
            Self::Ran { user, .. } => user,
        }
    }
}

impl Question {
    fn spent(&mut self, lookup: Lookup<'_>) {
        lookup.tier.clone_into(&mut self.tier);
        self.confidence = lookup.confidence;
        self.cached = lookup.cached;
        self.model_calls = lookup.model_calls;
        self.prompt_tokens = lookup.prompt_tokens;
        self.completion_tokens = lookup.completion_tokens;
        self.cost_usd = lookup.cost;
        self.answer_ms = milliseconds(lookup.elapsed);
    }

    /// The same with the beginnings of its texts, without runs and steps: for a list.
    #[must_use]
    pub fn brief(self) -> Self {
        let brief = |text: String| cut_at(&text, BRIEF);
        Self {
            question: brief(self.question),
            application: brief(self.application),
            sql: self.sql.map(brief),
            reason: self.reason.map(brief),
            detail: None,
            steps: Vec::new(),
            runs: Vec::new(),
            ..self
        }
    }

    /// The same without the runs.
    fn head(&self) -> Self {
        Self {
            id: self.id.clone(),
            time: self.time.clone(),
            user: self.user.clone(),
            database: self.database.clone(),
            address: self.address.clone(),
            application: self.application.clone(),
            action: self.action.clone(),
            question: self.question.clone(),
            sql: self.sql.clone(),
            tier: self.tier.clone(),
            sqlstate: self.sqlstate.clone(),
            reason: self.reason.clone(),
            detail: self.detail.clone(),
            steps: self.steps.clone(),
            runs: Vec::new(),
            ..*self
        }
    }

    /// About what it holds, in bytes.
    fn weight(&self) -> usize {
        let texts = [&self.id, &self.time, &self.user, &self.database, &self.address];
        let more = [&self.application, &self.action, &self.question, &self.tier];
        let optional = [&self.sql, &self.sqlstate, &self.reason, &self.detail];
        let steps = self.steps.iter().map(|(step, detail)| step.len() + detail.len());
        let runs = self.runs.iter().map(|run| {
            size_of::<Run>() + run.model.len() + run.outcome.len() + run.prompt.len() + run.output.len()
        });
        size_of::<Self>()
            + texts.into_iter().chain(more).map(String::len).sum::<usize>()
            + optional.into_iter().flatten().map(String::len).sum::<usize>()
            + steps.sum::<usize>()
            + runs.sum::<usize>()
    }
}

/// The runs of an answer that was found before, one behind the other.
fn found_before(answer: &Answer, is_shown: bool) -> Vec<Run> {
    let mut start = Duration::ZERO;
    let runs = answer.trace.iter().take(RUNS).map(|run| {
        let told = told(run, start, is_shown);
        start += run.elapsed;
        told
    });
    runs.collect()
}

/// A run that began so long after its question.
fn told(run: &AgentRun, start: Duration, is_shown: bool) -> Run {
    let shown = |text: &str| if is_shown { cut(text) } else { String::new() };
    Run {
        agent: Cow::Borrowed(run.agent),
        model: run.model.clone(),
        attempt: run.attempt,
        start_ms: milliseconds(start),
        milliseconds: milliseconds(run.elapsed),
        prompt_tokens: run.prompt_tokens,
        completion_tokens: run.completion_tokens,
        outcome: match run.outcome.as_str() {
            "ok" => "ok".to_owned(),
            outcome if is_shown => cut(run.public(outcome)),
            _ => "failed".to_owned(),
        },
        prompt: shown(&run.prompt),
        output: shown(run.public(&run.output)),
    }
}

/// The text, or its beginning.
fn cut(text: &str) -> String {
    cut_at(text, LONGEST)
}

fn cut_at(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}…", beginning(text, most))
}

impl Run {
    /// The same with the beginnings of its texts, and without what it was told.
    fn brief(self) -> Self {
        Self {
            output: cut_at(&self.output, BRIEF),
            outcome: cut_at(&self.outcome, BRIEF),
            prompt: String::new(),
            ..self
        }
    }
}

/// To three decimals.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// True where a refusal is in Querent's own words. What a database says of SQL that failed may have values of rows in it.
pub fn is_tellable(sqlstate: Option<&str>) -> bool {
    sqlstate.is_none_or(|code| code.starts_with("NL") && code != "NL005")
}

#[cfg(test)]
mod tests;
