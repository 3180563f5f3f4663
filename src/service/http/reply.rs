//! What every answer of the pages and of the interface for programs has: its headers, and the form of its errors.

use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{
        HeaderName, HeaderValue, StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use serde::Serialize;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::asking::Failed;

/// Nothing but what this server itself sends is loaded, run, shown or sent to.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The middleware that adds what keeps a browser from being used against us.
pub(super) async fn guarded(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let fixed = HeaderValue::from_static;
    headers.insert(CONTENT_SECURITY_POLICY, fixed(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    // With none at all, forms of our own pages would come from an Origin of null.
    headers.insert(REFERRER_POLICY, fixed("same-origin"));
    for name in ["cross-origin-opener-policy", "cross-origin-resource-policy"] {
        headers.insert(HeaderName::from_static(name), fixed("same-origin"));
    }
    headers.entry(CACHE_CONTROL).or_insert(fixed("no-store"));
    response
}

/// A value as JSON.
pub(super) fn json(value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Err(failure) => error(StatusCode::INTERNAL_SERVER_ERROR, &failure.to_string(), None),
    }
}

/// Why something cannot be had.
pub(super) fn error(status: StatusCode, message: &str, hint: Option<&str>) -> Response {
    let body = json!({ "error": { "message": message, "hint": hint } });
    (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

/// What a database said instead of an answer.
pub(super) fn failed(status: StatusCode, failed: &Failed) -> Response {
    let body = json!({ "error": failed });
    (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

/// A server-sent event.
pub(super) fn event(name: &str, data: &impl Serialize) -> String {
    // JSON has its line feeds escaped.
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}

/// Events that wait for a reader, and what they may hold together, in bytes.
const WAITING: usize = 256;
const WAITING_BYTES: u32 = 1 << 20;

/// Where events for a reader are put. Nothing is kept beyond the bounds, whatever it reads.
pub(super) struct Outbox {
    sender: mpsc::Sender<(Arc<str>, OwnedSemaphorePermit)>,
    room: Arc<Semaphore>,
}

impl Outbox {
    /// With the answer that its events go into.
    pub(super) fn new() -> (Self, Response) {
        let (sender, receiver) = mpsc::channel(WAITING);
        let outbox = Self {
            sender,
            room: Arc::new(Semaphore::new(WAITING_BYTES as usize)),
        };
        (outbox, events(receiver))
    }

    /// Waits until there is room; an error where the reader has gone.
    pub(super) async fn send(&self, event: Arc<str>) -> Result<(), Gone> {
        let room = Arc::clone(&self.room).acquire_many_owned(weight(&event));
        let room = tokio::select! {
            room = room => room.map_err(|_| Gone)?,
            () = self.sender.closed() => return Err(Gone),
        };
        self.sender.send((event, room)).await.map_err(|_| Gone)
    }

    /// Tells it if there is room; false if there is none.
    pub(super) fn offer(&self, event: String) -> bool {
        let room = Arc::clone(&self.room).try_acquire_many_owned(weight(&event));
        room.is_ok_and(|room| self.sender.try_send((event.into(), room)).is_ok())
    }

    /// Returns when the reader has gone.
    pub(super) async fn closed(&self) {
        self.sender.closed().await;
    }
}

/// A text that several answers share.
struct Text(Arc<str>);

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// The reader has gone.
pub(super) struct Gone;

/// One that is larger than all the room takes all of it.
fn weight(event: &str) -> u32 {
    u32::try_from(event.len()).map_or(WAITING_BYTES, |length| length.min(WAITING_BYTES))
}

/// Server-sent events, as they come.
fn events(receiver: mpsc::Receiver<(Arc<str>, OwnedSemaphorePermit)>) -> Response {
    let events = stream::unfold(receiver, |mut receiver| async move {
        let (event, _) = receiver.recv().await?;
        let event = Bytes::from_owner(Text(event));
        Some((Ok::<_, std::convert::Infallible>(event), receiver))
    });
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response()
}
