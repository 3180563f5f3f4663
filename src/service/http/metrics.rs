//! `GET /metrics`: Prometheus's text format.

use axum::{Router, extract::State, http::header::CONTENT_TYPE, response::IntoResponse, routing::get};

use crate::{service::server::Handle, telemetry::metrics};

pub(super) fn routes(server: Handle) -> Router {
    Router::new().route("/metrics", get(render)).with_state(server)
}

async fn render(State(server): State<Handle>) -> impl IntoResponse {
    // It is looked for, and the gauge set.
    server.has_stuck_sessions();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], metrics::render())
}
