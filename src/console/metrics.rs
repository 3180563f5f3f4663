//! `GET /metrics`: Prometheus's text format.

use axum::{Router, http::header::CONTENT_TYPE, response::IntoResponse, routing::get};

use crate::telemetry::metrics;

pub(super) fn routes() -> Router {
    Router::new().route("/metrics", get(render))
}

async fn render() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], metrics::render())
}
