//! What happens to questions, as server-sent events for all who watch. It is written once, and what comes close together goes
//! out together: what a watcher costs is the waking, not the words.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension,
    extract::{RawQuery, State},
    response::Response,
};
use serde_json::json;
use tokio::{
    sync::broadcast::{
        self,
        error::{RecvError, TryRecvError},
    },
    time::sleep,
};

use super::{
    api::{Api, parameters},
    reply::{self, Outbox},
    roles::Rights,
    visits::Visit,
};
use crate::service::conversation::FeedEvent;

/// Times of `TOGETHER` that a watcher may be behind.
const BEHIND: usize = 64;
/// How long what happens waits for more. The first after a while goes at once.
const TOGETHER: Duration = Duration::from_millis(40);

/// Bytes that wait for no more.
const ENOUGH: usize = 64 << 10;

/// What happens, for all who watch.
pub(super) type Watched = broadcast::Sender<Arc<Happened>>;

/// What happened within a while.
pub(super) struct Happened {
    /// Events before these, by which a watcher knows how many it missed.
    before: u64,
    told: Vec<SentEvent>,
}

/// What those who watch are told.
pub(super) struct SentEvent {
    /// Whether it is an agent's run.
    is_run: bool,
    /// Whose question it is about; none where all are told.
    user: Option<Box<str>>,
    text: String,
}

/// For so many watchers that are behind.
pub(super) fn watched() -> Watched {
    broadcast::Sender::new(BEHIND)
}

/// Writes what happens for those who watch, while there are any.
pub(super) async fn tell(api: Api) {
    let mut watching = api.server.feed().watch();
    let mut before = 0;
    loop {
        let mut next = match watching.recv().await {
            Ok(event) => Ok(event),
            Err(RecvError::Lagged(missed)) => Err(TryRecvError::Lagged(missed)),
            Err(RecvError::Closed) => return,
        };
        if api.watched.receiver_count() == 0 {
            continue;
        }
        let (mut told, mut bytes) = (Vec::new(), 0);
        loop {
            let event = match next {
                Ok(event) => SentEvent {
                    is_run: matches!(&*event, FeedEvent::Ran { .. }),
                    user: Some(event.user().into()),
                    text: reply::event(name(&event), &*event),
                },
                Err(TryRecvError::Lagged(missed)) => SentEvent {
                    is_run: false,
                    user: None,
                    text: missing(missed),
                },
                Err(_) => break,
            };
            bytes += event.text.len();
            told.push(event);
            if bytes >= ENOUGH {
                break;
            }
            next = watching.try_recv();
        }
        let count = told.len() as u64;
        // Nobody may watch any more.
        let _ = api.watched.send(Arc::new(Happened { before, told }));
        before += count;
        if bytes < ENOUGH {
            sleep(TOGETHER).await;
        }
    }
}

fn missing(events: u64) -> String {
    reply::event("missed", &json!({ "events": events }))
}

/// What happens, as it happens, until the browser leaves.
pub(super) async fn follow(
    State(api): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(rights): Extension<Rights>,
    RawQuery(query): RawQuery,
) -> Response {
    let runs = parameters(query.as_deref())
        .get("runs")
        .is_none_or(|runs| runs != "no");
    let mut watching = api.watched.subscribe();
    let (outbox, response) = Outbox::new();
    let mut known = None;
    tokio::spawn(async move {
        loop {
            let happened = tokio::select! {
                happened = watching.recv() => happened,
                () = outbox.closed() => return,
            };
            let happened = match happened {
                Ok(happened) => happened,
                // How many events that were is told by what is next.
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return,
            };
            let mut text = match happened.before - known.unwrap_or(happened.before) {
                0 => String::new(),
                missed => missing(missed),
            };
            known = Some(happened.before + happened.told.len() as u64);
            let own = visit.sees_only(rights);
            for told in &happened.told {
                let of_others = own
                    .as_deref()
                    .zip(told.user.as_deref())
                    .is_some_and(|(own, user)| own != user);
                if (runs || !told.is_run) && !of_others {
                    text.push_str(&told.text);
                }
            }
            if !text.is_empty() && outbox.send(text.into()).await.is_err() {
                return;
            }
        }
    });
    response
}

/// What an event is called.
pub(super) fn name(event: &FeedEvent) -> &'static str {
    match event {
        FeedEvent::Begun(_) => "begun",
        FeedEvent::Ran { .. } => "ran",
        FeedEvent::Ended(_) => "ended",
    }
}
