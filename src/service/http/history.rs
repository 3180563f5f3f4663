//! The questions that were asked: those that are remembered while the server runs, with what their agents did, and those of
//! the audit's store.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::{Duration, SystemTime},
};

use serde::Serialize;

use crate::service::{
    audit::{self, Entry, Moment},
    conversation::{Question, is_tellable},
    server::Handle,
    store::{Place, StoreError},
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
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(format!("{name} is not a number")),
            },
        };
        let since = match text("since").as_str() {
            "" => SystemTime::now().checked_sub(WEEK),
            since => Some(since.parse::<Moment>()?.0),
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
    let mut recent: BTreeMap<String, Item> = BTreeMap::new();
    for question in server.feed().recent() {
        recent.insert(question.id.clone(), question.into());
    }
    let mut stored = VecDeque::new();
    let filter = Arc::new(filter);
    if server.settings().audit.enabled {
        let since = filter.since;
        let collecting = Collecting::new(Some(Arc::clone(&filter)));
        match fold(server, since, collecting, Collecting::add).await {
            Ok(collected) => {
                listed.source = "store";
                listed.more = collected.more;
                stored = collected.items;
            }
            Err(error) => listed.problem = Some(error.to_string()),
        }
    }
    for item in stored {
        match recent.get_mut(&item.question.id) {
            // The store knows how it ended.
            Some(known) => *known = item,
            None => {
                recent.insert(item.question.id.clone(), item);
            }
        }
    }
    // Numbers begin with the time.
    let mut wanted = recent.into_values().rev().filter(|item| filter.wants(item));
    listed.questions = wanted.by_ref().take(MOST).collect();
    listed.more |= wanted.next().is_some();
    listed
}

/// One question, with what its agents did if that is remembered.
pub(super) async fn one(server: &Handle, id: &str) -> Option<Item> {
    let known = server.feed().question(id);
    let stored = if server.settings().audit.enabled {
        let mut collecting = Collecting::new(None);
        collecting.only = Some(id.to_owned());
        let found = fold(server, since(id), collecting, Collecting::add).await;
        found.ok().and_then(|mut found| found.items.pop_back())
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

/// When the question of this number came, or a little before.
fn since(id: &str) -> Option<SystemTime> {
    let microseconds = u64::from_str_radix(id.split('-').next()?, 16).ok()?;
    let moment = Duration::from_micros(microseconds).checked_sub(Duration::from_secs(1))?;
    SystemTime::UNIX_EPOCH.checked_add(moment)
}

/// The newest questions of those that are read.
struct Collecting {
    filter: Option<Arc<Filter>>,
    /// The number of the only one that counts.
    only: Option<String>,
    items: VecDeque<Item>,
    more: bool,
}

impl Collecting {
    fn new(filter: Option<Arc<Filter>>) -> Self {
        Self {
            filter,
            only: None,
            items: VecDeque::new(),
            more: false,
        }
    }

    fn add(&mut self, entry: Entry) {
        if entry.decision == "feedback" {
            let about = self.items.iter_mut().rev().find(|item| {
                item.question.user == entry.user
                    && item.question.question == entry.question
                    && item.question.sql == entry.sql
            });
            if let Some(item) = about {
                item.verdict = Some(entry.action);
            }
            return;
        }
        if self.only.as_ref().is_some_and(|only| *only != entry.id) {
            return;
        }
        let item = Item::from(entry);
        if self.filter.as_ref().is_some_and(|filter| !filter.wants(&item)) {
            return;
        }
        self.items.push_back(item);
        if self.items.len() > MOST {
            self.items.pop_front();
            self.more = true;
        }
    }
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
    fn add(&mut self, entry: Entry) {
        match (entry.decision.as_str(), entry.action.as_str()) {
            ("feedback", "good") => self.good += 1,
            ("feedback", _) => self.bad += 1,
            _ => self.count(&entry.into()),
        }
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
        && let Ok(totals) = fold(server, since, Totals::default(), Totals::add).await
    {
        return Totals {
            source: "store",
            ..totals
        };
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

/// Goes through the store's questions since then, the oldest first.
async fn fold<T: Send + 'static>(
    server: &Handle,
    since: Option<SystemTime>,
    mut into: T,
    each: fn(&mut T, Entry),
) -> Result<T, StoreError> {
    let settings = server.settings();
    let runtime = tokio::runtime::Handle::current();
    // A file is read on the thread that asks for it.
    let reading = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            let place = Place::of(&settings.store)?;
            let mut journal = place.reader().await?;
            let mut each = |entry| each(&mut into, entry);
            audit::entries(journal.as_mut(), since, None, &mut each).await?;
            Ok(into)
        })
    });
    match reading.await {
        Ok(read) => read,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
