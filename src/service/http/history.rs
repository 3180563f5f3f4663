//! The questions that were asked: those that are remembered while the server runs, with what their agents did, and those of
//! the audit's store.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use serde::Serialize;

use super::recorder::Kept;
use crate::service::{
    audit::{self, Entry, Timestamp, shown},
    conversation::{Question, is_tellable},
    server::Handle,
    store::{History, Past, Sought, StoreAddress, StoreError, Sum},
};

/// Questions that a list has at most.
const MOST: usize = 500;
/// How far back a list goes if nothing else is wanted.
const WEEK: Duration = Duration::from_secs(7 * 86_400);

/// What a list shall have.
#[derive(Debug, Default)]
pub(super) struct Filter {
    since: Option<SystemTime>,
    user: String,
    database: String,
    state: String,
    tier: String,
    text: String,
    least: Option<f64>,
    most: Option<f64>,
}

/// A question of a list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Item {
    #[serde(flatten)]
    pub(super) question: Question,
    /// How its SQL ended, where that is recorded.
    pub(super) outcome: Option<String>,
    /// Rows of all runs.
    pub(super) rows: Option<u64>,
    /// Milliseconds of all runs.
    pub(super) run_ms: Option<f64>,
    /// `good`, `bad` or `fix`, if somebody said so.
    pub(super) verdict: Option<String>,
}

/// A list, the newest first.
#[derive(Debug, Default, Serialize)]
pub(super) struct Listed {
    pub(super) questions: Vec<Item>,
    /// True if older ones were left out.
    pub(super) more: bool,
    /// Where they come from: `store`, or `memory` while nothing is recorded.
    pub(super) source: &'static str,
    /// Why the store could not be read.
    pub(super) problem: Option<String>,
}

impl Filter {
    /// From the parameters of an address; unknown ones and empty values do not count.
    pub(super) fn of(pairs: &BTreeMap<String, String>) -> Result<Self, String> {
        let text = |name: &str| {
            pairs
                .get(name)
                .map(|text| text.trim().to_owned())
                .unwrap_or_default()
        };
        let number = |name: &str| match text(name).as_str() {
            "" => Ok(None),
            number => match number.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Some(number)),
                _ => Err(format!("{name} is not a number")),
            },
        };
        let since = match text("since").as_str() {
            "" => SystemTime::now().checked_sub(WEEK),
            since => Some(since.parse::<Timestamp>()?.0),
        };
        Ok(Self {
            since,
            user: text("user"),
            database: text("database"),
            state: text("state"),
            tier: text("tier"),
            text: text("text").to_lowercase(),
            least: number("min_confidence")?,
            most: number("max_confidence")?,
        })
    }

    /// The same for somebody who sees the questions of one user alone.
    pub(super) fn within(self, own: Option<String>) -> Self {
        Self {
            user: own.unwrap_or(self.user),
            ..self
        }
    }

    /// The same as the store is asked.
    fn sought(&self) -> Sought {
        Sought {
            since: self.since,
            user: self.user.clone(),
            database: self.database.clone(),
            state: self.state.clone(),
            tier: self.tier.clone(),
            text: self.text.clone(),
            least: self.least,
            most: self.most,
            ..Sought::default()
        }
    }

    fn wants(&self, item: &Item) -> bool {
        let known = &item.question;
        let same = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
        let holds = |text: &str| text.to_lowercase().contains(&self.text);
        let sure = known.confidence;
        same(&self.user, &known.user)
            && same(&self.database, &known.database)
            && same(&self.state, item.state())
            && same(&self.tier, &known.tier)
            && (self.text.is_empty()
                || holds(&known.question)
                || known.sql.as_deref().is_some_and(holds)
                || known.reason.as_deref().is_some_and(holds))
            && self
                .least
                .is_none_or(|least| sure.is_some_and(|sure| sure >= least))
            && self.most.is_none_or(|most| sure.is_some_and(|sure| sure <= most))
    }
}

impl Item {
    fn brief(self) -> Self {
        Self {
            question: self.question.brief(),
            ..self
        }
    }

    /// What it came to, in one word.
    fn state(&self) -> &str {
        match self.outcome.as_deref() {
            Some("failed" | "cancelled") => "failed",
            _ => self.question.state,
        }
    }
}

impl From<Question> for Item {
    fn from(question: Question) -> Self {
        Self {
            question,
            outcome: None,
            rows: None,
            run_ms: None,
            verdict: None,
        }
    }
}

impl From<Past> for Item {
    fn from(past: Past) -> Self {
        let is_tellable = is_tellable(past.sqlstate.as_deref());
        Self {
            question: Question {
                id: past.id,
                time: past.time.map(shown).unwrap_or_default(),
                session: past.session,
                user: past.user,
                database: past.database,
                address: past.address,
                application: past.application,
                action: past.action,
                question: past.words,
                state: if past.state == "unanswered" {
                    "unanswered"
                } else {
                    "answered"
                },
                sql: past.sql,
                confidence: past.confidence,
                tier: past.tier,
                cached: past.cached,
                model_calls: past.model_calls,
                prompt_tokens: past.prompt_tokens,
                completion_tokens: past.completion_tokens,
                cost_usd: past.cost_usd,
                answer_ms: past.answer_ms,
                sqlstate: past.sqlstate,
                reason: past.reason.filter(|_| is_tellable),
                ..Question::default()
            },
            outcome: past.outcome,
            rows: past.rows,
            run_ms: past.run_ms,
            verdict: past.verdict,
        }
    }
}

impl From<Entry> for Item {
    fn from(entry: Entry) -> Self {
        let is_allowed = entry.decision == "allowed";
        Self {
            question: Question {
                id: entry.id,
                time: entry.time,
                session: entry.session,
                user: entry.user,
                database: entry.database,
                address: entry.address,
                application: entry.application,
                action: entry.action,
                question: entry.question,
                state: if is_allowed { "answered" } else { "unanswered" },
                sql: entry.sql,
                confidence: entry.confidence,
                tier: entry.tier.unwrap_or_default(),
                cached: entry.cached.unwrap_or_default(),
                model_calls: entry.model_calls.unwrap_or_default(),
                prompt_tokens: entry.prompt_tokens.unwrap_or_default(),
                completion_tokens: entry.completion_tokens.unwrap_or_default(),
                cost_usd: entry.cost_usd.unwrap_or_default(),
                answer_ms: entry.answer_ms.unwrap_or_default(),
                reason: entry.reason.filter(|_| is_tellable(entry.sqlstate.as_deref())),
                detail: entry.detail.filter(|_| is_tellable(entry.sqlstate.as_deref())),
                sqlstate: entry.sqlstate,
                ..Question::default()
            },
            outcome: entry.outcome.filter(|_| is_allowed),
            rows: entry.rows,
            run_ms: entry.run_ms,
            verdict: None,
        }
    }
}

/// The questions that a filter lets through, the newest first.
pub(super) async fn list(server: &Handle, filter: Filter) -> Listed {
    let mut listed = Listed {
        source: "memory",
        ..Listed::default()
    };
    let mut found: BTreeMap<String, Item> = BTreeMap::new();
    let remembered = server.feed().recent().into_iter().map(Item::from);
    for item in remembered.filter(|item| filter.wants(item)) {
        found.insert(item.question.id.clone(), item);
    }
    // What is being worked on is not in the store.
    if server.settings().audit.enabled {
        let sought = filter.sought();
        let past = in_store(server, async move |history| {
            history.find(&sought, MOST as u64 + 1).await
        });
        match past.await {
            Ok(past) => {
                listed.source = "store";
                listed.more = past.len() > MOST;
                for item in past.into_iter().map(Item::from) {
                    // The store knows how it ended.
                    found.insert(item.question.id.clone(), item);
                }
            }
            Err(error) => listed.problem = Some(error.to_string()),
        }
    }
    // Numbers begin with the time.
    let mut wanted = found.into_values().rev().filter(|item| filter.wants(item));
    listed.questions = wanted.by_ref().take(MOST).map(Item::brief).collect();
    listed.more |= wanted.next().is_some();
    listed
}

/// One question, with what its agents did if that is known; `own` is the user whose questions alone may be seen.
pub(super) async fn one(server: &Handle, id: &str, own: Option<&str>) -> Option<Item> {
    let found = anybodys(server, id).await;
    found.filter(|item| own.is_none_or(|own| own == item.question.user))
}

async fn anybodys(server: &Handle, id: &str) -> Option<Item> {
    let known = server.feed().question(id);
    let stored = if server.settings().audit.enabled {
        of_store(server, id).await
    } else {
        None
    };
    match (known, stored) {
        (Some(known), Some(stored)) => Some(Item {
            question: Question {
                runs: known.runs,
                steps: known.steps,
                ..stored.question
            },
            ..stored
        }),
        (Some(known), None) => Some(known.into()),
        (None, stored) => stored,
    }
}

/// The same as the store has it: texts from the audit, the rest from the history.
async fn of_store(server: &Handle, id: &str) -> Option<Item> {
    let sought = Sought {
        id: id.to_owned(),
        ..Sought::default()
    };
    let (number, place) = (id.to_owned(), server.settings());
    let found = in_store(server, async move |history| {
        let past = history.find(&sought, 1).await?.pop();
        let worked = history.worked(&number).await?;
        let mut journal = StoreAddress::of(&place.store.location)?.reader().await?;
        Ok((past, worked, audit::entry(journal.as_mut(), &number).await?))
    });
    let (past, worked, entry) = found.await.ok()?;
    let mut item = Item::from(entry?);
    item.verdict = past.and_then(|past| past.verdict);
    if let Some(kept) = worked.and_then(|body| serde_json::from_str::<Kept>(&body).ok()) {
        item.question.runs = kept.runs;
        item.question.steps = kept.steps;
    }
    Some(item)
}

/// What the questions of a period came to.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Totals {
    pub(super) questions: u64,
    pub(super) answered: u64,
    pub(super) unanswered: u64,
    /// Their SQL broke or was stopped.
    pub(super) failed: u64,
    /// They had been answered before.
    pub(super) cached: u64,
    pub(super) good: u64,
    pub(super) bad: u64,
    pub(super) model_calls: u64,
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
    pub(super) cost_usd: f64,
    /// How many each tier answered.
    pub(super) tiers: BTreeMap<String, u64>,
    /// Where they come from: `store` or `memory`.
    pub(super) source: &'static str,
}

impl Totals {
    fn add(&mut self, sum: &Sum) {
        self.questions += sum.questions;
        match sum.state.as_str() {
            "answered" => self.answered += sum.questions,
            "failed" => self.failed += sum.questions,
            _ => self.unanswered += sum.questions,
        }
        if sum.state != "unanswered" {
            *self.tiers.entry(sum.tier.clone()).or_default() += sum.questions;
        }
        self.cached += sum.cached;
        self.good += sum.good;
        self.bad += sum.bad;
        self.model_calls += sum.model_calls;
        self.prompt_tokens += sum.prompt_tokens;
        self.completion_tokens += sum.completion_tokens;
        self.cost_usd += sum.cost_usd;
    }

    fn count(&mut self, item: &Item) {
        let question = &item.question;
        self.questions += 1;
        match item.state() {
            "answered" => self.answered += 1,
            "failed" => self.failed += 1,
            "unanswered" => self.unanswered += 1,
            _ => {}
        }
        if question.state == "answered" {
            *self.tiers.entry(question.tier.clone()).or_default() += 1;
        }
        self.cached += u64::from(question.cached);
        self.model_calls += question.model_calls;
        self.prompt_tokens += question.prompt_tokens;
        self.completion_tokens += question.completion_tokens;
        self.cost_usd += question.cost_usd;
    }
}

/// What the questions since then came to.
pub(super) async fn totals(server: &Handle, since: Option<SystemTime>) -> Totals {
    if server.settings().audit.enabled
        && let Ok(sums) = in_store(server, async move |history| history.sums(since, "").await).await
    {
        let mut totals = Totals {
            source: "store",
            ..Totals::default()
        };
        for sum in &sums {
            totals.add(sum);
        }
        return totals;
    }
    let mut totals = Totals {
        source: "memory",
        ..Totals::default()
    };
    for question in server.feed().recent() {
        totals.count(&question.into());
    }
    totals
}

/// Reads in the history of the store.
pub(super) async fn in_store<T: Send + 'static>(
    server: &Handle,
    read: impl AsyncFnOnce(&mut dyn History) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let settings = server.settings();
    let runtime = tokio::runtime::Handle::current();
    // A file is read on the thread that asks for it.
    let reading = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            let mut history = StoreAddress::of(&settings.store.location)?.history().await?;
            read(history.as_mut()).await
        })
    });
    match reading.await {
        Ok(read) => read,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
