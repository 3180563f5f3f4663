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

use crate::server::Handle;

pub(super) fn routes(server: Handle) -> Router {
    Router::new().route("/healthz", get(health)).with_state(server)
}

/// Nothing here that a stranger may not know: no names, no errors, no numbers.
async fn health(State(server): State<Handle>) -> impl IntoResponse {
    let draining = server.is_draining();
    let database = server.database_answers().await;
    let stuck = server.is_stuck();
    let (code, status) = match (draining, database) {
        (true, _) => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
        (false, false) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        // It serves, with fewer sessions than it may have.
        (false, true) if stuck => (StatusCode::OK, "degraded"),
        (false, true) => (StatusCode::OK, "ok"),
    };
    let body = json!({
        "status": status,
        "version": env!("CARGO_PKG_VERSION"),
        "leg": server.leg().name(),
        "draining": draining,
        "database": database,
        "stuck": stuck,
    });
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    (code, headers, format!("{body}\n"))
}
