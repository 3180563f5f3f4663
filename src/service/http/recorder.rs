//! Keeps in the store what the agents did, behind the questions: whoever asks waits for nothing of it, and what comes too
//! fast is not kept.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};
use tokio::{
    sync::broadcast::error::RecvError,
    time::{Instant, timeout_at},
};
use tracing::{debug, warn};

use crate::service::{
    conversation::{FeedEvent, Run},
    server::Handle,
    store::{StoreAddress, StoreError, Worked},
};

/// What is kept of all questions together, in bytes.
const BYTES: u64 = 256 << 20;
/// What is kept of one.
const BYTES_OF_ONE: usize = 512 << 10;
/// How long questions are gathered before they are written together, and how many.
const GATHER: Duration = Duration::from_secs(1);
const TOGETHER: usize = 200;

/// What is kept of a question.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Whether it had been answered before.
    #[serde(default)]
    pub(super) cached: bool,
    /// Milliseconds up to the SQL.
    #[serde(default)]
    pub(super) answer_ms: f64,
    pub(super) runs: Vec<Run>,
    pub(super) steps: Vec<(String, String)>,
}

/// Keeps what happens from now on. Ends when it is dropped, and loses what it has gathered.
pub(super) async fn record(server: Handle) {
    let mut watching = server.feed().watch();
    let mut failing = false;
    loop {
        let Some(gathered) = gather(&server, &mut watching).await else {
            return;
        };
        if gathered.is_empty() {
            continue;
        }
        match keep(&server, gathered).await {
            Ok(()) => failing = false,
            Err(error) => {
                if !failing {
                    warn!(%error, "what the agents did is not kept");
                }
                failing = true;
            }
        }
    }
}

/// The questions that end within a while; `None` where no more will.
async fn gather(
    server: &Handle,
    watching: &mut tokio::sync::broadcast::Receiver<std::sync::Arc<FeedEvent>>,
) -> Option<Vec<Worked>> {
    let mut gathered = BTreeMap::new();
    let mut until = None;
    while gathered.len() < TOGETHER {
        let event = match until {
            None => watching.recv().await,
            Some(until) => match timeout_at(until, watching.recv()).await {
                Ok(event) => event,
                Err(_) => break,
            },
        };
        match event {
            Ok(event) => {
                if let FeedEvent::Ended(ended) = &*event
                    && let Some(worked) = worked(server, &ended.id)
                {
                    until.get_or_insert_with(|| Instant::now() + GATHER);
                    gathered.insert(worked.id.clone(), worked);
                }
            }
            Err(RecvError::Lagged(missed)) => debug!(missed, "events of agents are not kept"),
            Err(RecvError::Closed) => return None,
        }
    }
    Some(gathered.into_values().collect())
}

fn worked(server: &Handle, id: &str) -> Option<Worked> {
    let settings = server.settings();
    if !settings.audit.enabled || settings.console.runs == 0 {
        return None;
    }
    let question = server.feed().question(id)?;
    if question.runs.is_empty() {
        return None;
    }
    let kept = Kept {
        cached: question.cached,
        answer_ms: question.answer_ms,
        runs: question.runs,
        steps: question.steps,
    };
    let body = serde_json::to_string(&kept).ok()?;
    (body.len() <= BYTES_OF_ONE).then(|| Worked {
        id: question.id,
        time: SystemTime::now(),
        body,
    })
}

async fn keep(server: &Handle, worked: Vec<Worked>) -> Result<(), StoreError> {
    let settings = server.settings();
    let most = (settings.console.runs, BYTES);
    let runtime = tokio::runtime::Handle::current();
    // A file is written on the thread that asks for it.
    let keeping = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            let mut history = StoreAddress::of(&settings.store.location)?
                .history_keeper()
                .await?;
            history.keep(&worked, most).await
        })
    });
    match keeping.await {
        Ok(kept) => kept,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
