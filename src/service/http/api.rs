//! `/api/v1`: the same data as the pages', as JSON, for programs and for the pages themselves.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Extension, Router,
    extract::{Path, RawQuery, State},
    http::{StatusCode, header::CONTENT_TYPE},
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::json;
use tokio::sync::Mutex;

use super::{
    events::{self, Watched},
    guesses::Guesses,
    history::{self, Filter},
    pipeline, reply,
    roles::{self, Rights},
    system,
    visits::Visit,
};
use crate::{
    config::ConsoleRole,
    service::{audit::Timestamp, server::Handle},
};

/// How long figures of the pipeline are told to all who ask for the same. They are worked out of all that is kept of the runs.
const FRESH: Duration = Duration::from_secs(2);

/// Figures of each period that was asked for lately.
type Figures = BTreeMap<String, (Instant, Arc<str>)>;

/// What is told of.
#[derive(Clone)]
pub(super) struct Api {
    pub(super) server: Handle,
    begun: Instant,
    /// What happens, written once for all who watch.
    pub(super) watched: Watched,
    /// Held while figures of the pipeline are worked out, so that many consoles cost no more than one.
    figures: Arc<Mutex<Figures>>,
    /// Wrong passwords.
    pub(super) guesses: Arc<Guesses>,
}

impl Api {
    /// Of a server that begins now.
    pub(super) fn new(server: Handle) -> Self {
        Self {
            server,
            begun: Instant::now(),
            watched: events::watched(),
            figures: Arc::default(),
            guesses: Arc::default(),
        }
    }
}

pub(super) fn routes(api: Api) -> Router {
    let of_all = Router::new()
        .route("/api/v1/pipeline", get(pipeline))
        .route_layer(from_fn_with_state(ConsoleRole::SeeAll, roles::needed));
    let of_operators = Router::new()
        .route("/api/v1/system", get(system))
        .route("/api/v1/audit/check", post(check))
        .route_layer(from_fn_with_state(ConsoleRole::Operate, roles::needed));
    Router::new()
        .route("/api/v1/events", get(events::follow))
        .route("/api/v1/questions", get(questions))
        .route("/api/v1/questions/{id}", get(question))
        .route("/api/v1/openapi.json", get(description))
        .merge(of_all)
        .merge(of_operators)
        .with_state(api)
}

/// What this interface is, for programs that make clients of it.
async fn description() -> Response {
    let kind = [(CONTENT_TYPE, "application/json")];
    (kind, include_str!("../../../console/openapi.json")).into_response()
}

/// Parameters of an address.
pub(super) fn parameters(query: Option<&str>) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .into_owned()
        .collect()
}

async fn questions(
    State(Api { server, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(rights): Extension<Rights>,
    RawQuery(query): RawQuery,
) -> Response {
    match Filter::of(&parameters(query.as_deref())) {
        Ok(filter) => {
            let filter = filter.within(visit.sees_only(rights));
            reply::json(&history::list(&server, filter).await)
        }
        Err(reason) => reply::error(StatusCode::BAD_REQUEST, &reason, None),
    }
}

async fn question(
    State(Api { server, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(rights): Extension<Rights>,
    Path(id): Path<String>,
) -> Response {
    match history::one(&server, &id, visit.sees_only(rights).as_deref()).await {
        Some(item) => reply::json(&item),
        None => reply::error(
            StatusCode::NOT_FOUND,
            "there is no such question",
            Some("It may have been removed, or asked before this server started while nothing was recorded."),
        ),
    }
}

/// How the agents did lately, and what the questions of a period came to.
async fn pipeline(State(Api { server, figures, .. }): State<Api>, RawQuery(query): RawQuery) -> Response {
    let asked = parameters(query.as_deref()).remove("since").unwrap_or_default();
    let period = if asked.is_empty() { "7d" } else { &asked };
    let since = match period.parse::<Timestamp>() {
        Ok(since) => since.0,
        Err(reason) => return reply::error(StatusCode::BAD_REQUEST, &reason, None),
    };
    let mut known = figures.lock().await;
    known.retain(|_, (at, _)| at.elapsed() < FRESH);
    let text = if let Some((_, text)) = known.get(period) {
        Arc::clone(text)
    } else {
        let found = json!({
            "pipeline": pipeline::look_since(&server, since).await,
            "totals": history::totals(&server, Some(since)).await,
        });
        let text: Arc<str> = found.to_string().into();
        known.insert(period.to_owned(), (Instant::now(), Arc::clone(&text)));
        text
    };
    ([(CONTENT_TYPE, "application/json")], text.to_string()).into_response()
}

async fn system(State(Api { server, begun, .. }): State<Api>) -> Response {
    reply::json(&system::look(&server, begun).await)
}

/// Goes through the audit's chain of hashes.
async fn check(State(Api { server, .. }): State<Api>) -> Response {
    match system::check(&server).await {
        Ok(chain) => reply::json(&chain),
        Err(error) => reply::error(
            StatusCode::SERVICE_UNAVAILABLE,
            &error.to_string(),
            error.hint.as_deref(),
        ),
    }
}
