//! `GET /healthz`: whether this server should get new clients. 200 if so, 503 if not.

use axum::{
    Router,
    extract::State,
    http::{
        StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE},
    },
    response::IntoResponse,
    routing::get,
};
use serde_json::json;

use crate::service::server::Handle;

pub(super) fn routes(server: Handle) -> Router {
    Router::new().route("/healthz", get(health)).with_state(server)
}

/// Nothing here that a stranger may not know: no names, no errors, no numbers.
async fn health(State(server): State<Handle>) -> impl IntoResponse {
    let draining = server.is_draining();
    let database = server.database_answers().await;
    let (room, stuck) = (server.has_room(), server.has_stuck_sessions());
    let (code, status) = match (draining, database, room) {
        (true, _, _) => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
        (false, false, _) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        (false, true, false) => (StatusCode::SERVICE_UNAVAILABLE, "full"),
        // It serves, with fewer sessions than it may have.
        (false, true, true) if stuck => (StatusCode::OK, "degraded"),
        (false, true, true) => (StatusCode::OK, "ok"),
    };
    let body = json!({
        "status": status,
        "version": env!("CARGO_PKG_VERSION"),
        "leg": server.leg().name(),
        "draining": draining,
        "database": database,
        "room": room,
        "stuck": stuck,
    });
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    (code, headers, format!("{body}\n"))
}
