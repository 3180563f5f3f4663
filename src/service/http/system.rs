//! What runs here: connections, models and what they cost, the audit, the settings in effect with where each comes from.

use std::time::Instant;

use serde::Serialize;

use super::pipeline::{self, Figures};
use crate::service::{
    audit::verify,
    server::Handle,
    store::{StoreAddress, StoreError},
};

/// The server at this moment.
#[derive(Debug, Serialize)]
pub(super) struct System {
    version: &'static str,
    leg: &'static str,
    database: Option<String>,
    /// Whether the database answers.
    answers: bool,
    draining: bool,
    uptime_s: u64,
    sessions: usize,
    capacity: usize,
    connections: u64,
    addresses: Vec<String>,
    mode: &'static str,
    questions: bool,
    tiers: Vec<String>,
    models: Vec<ModelState>,
    budget: Budget,
    cache: Answers,
    audit: AuditState,
    settings: Vec<Setting>,
}

#[derive(Debug, Serialize)]
struct ModelState {
    name: String,
    model: String,
    /// Of today, in UTC.
    calls: u64,
    tokens: u64,
    cost_usd: f64,
    /// Of the questions that are remembered.
    seen: Option<Figures>,
}

/// What models may cost, and have cost today, in UTC.
#[derive(Debug, Serialize)]
struct Budget {
    spent_usd: f64,
    per_day_usd: Option<f64>,
    calls_per_question: Option<u64>,
    tokens_per_question: Option<u64>,
    tokens_per_session: Option<u64>,
}

/// Answers that are kept for the same question.
#[derive(Debug, Serialize)]
struct Answers {
    kept: u64,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct AuditState {
    enabled: bool,
    required: bool,
    store: Option<String>,
}

#[derive(Debug, Serialize)]
struct Setting {
    name: String,
    value: String,
    source: String,
    meaning: &'static str,
    is_default: bool,
}

/// What the audit's chain is like.
#[derive(Debug, Serialize)]
pub(super) struct Chain {
    holds: bool,
    events: u64,
    head: String,
    broken_at: Option<u64>,
    reason: Option<String>,
}

/// Looks at the server, which began at that moment.
pub(super) async fn look(server: &Handle, begun: Instant) -> System {
    let settings = server.settings();
    let spent = server.spent_by_model();
    let (kept, bytes) = server.answers_kept();
    let budget = Budget {
        spent_usd: spent.values().map(|spent| spent.cost).sum(),
        per_day_usd: settings.limits.spend_per_day,
        calls_per_question: settings.limits.model_calls,
        tokens_per_question: settings.limits.tokens,
        tokens_per_session: settings.limits.tokens_per_session,
    };
    let mut seen = pipeline::look(server).models;
    let models = settings.models.iter().map(|model| {
        let spent = spent.get(&model.name).copied().unwrap_or_default();
        ModelState {
            name: model.name.clone(),
            model: model.model.clone(),
            calls: spent.calls,
            tokens: spent.usage.prompt_tokens + spent.usage.completion_tokens,
            cost_usd: spent.cost,
            seen: seen.remove(&model.name),
        }
    });
    let shown = settings.entries().map(|entry| {
        let source = entry.source.to_string();
        Setting {
            name: entry.name.to_owned(),
            is_default: source == "default",
            value: entry.value,
            meaning: entry.meaning,
            source,
        }
    });
    System {
        version: env!("CARGO_PKG_VERSION"),
        leg: server.leg().name(),
        database: server.database(),
        answers: server.database_answers().await,
        draining: server.is_draining(),
        uptime_s: begun.elapsed().as_secs(),
        sessions: server.sessions(),
        capacity: server.capacity(),
        connections: server.connections(),
        addresses: server.addresses().to_vec(),
        mode: settings.mode.name(),
        questions: settings.questions,
        tiers: settings.tiers.clone(),
        models: models.collect(),
        budget,
        cache: Answers { kept, bytes },
        audit: AuditState {
            enabled: settings.audit.enabled,
            required: settings.audit.required,
            store: StoreAddress::of(&settings.store.location)
                .ok()
                .map(|place| place.to_string()),
        },
        settings: shown.collect(),
    }
}

/// Goes through the audit's chain of hashes.
pub(super) async fn check(server: &Handle) -> Result<Chain, StoreError> {
    let settings = server.settings();
    let runtime = tokio::runtime::Handle::current();
    // A file is read on the thread that asks for it.
    let checking = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            let mut journal = StoreAddress::of(&settings.store.location)?.reader().await?;
            verify(journal.as_mut()).await
        })
    });
    let verdict = match checking.await {
        Ok(verdict) => verdict?,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    };
    let (broken_at, reason) = verdict.broken.clone().unzip();
    Ok(Chain {
        holds: broken_at.is_none(),
        events: verdict.events,
        head: verdict.head(),
        broken_at,
        reason,
    })
}
