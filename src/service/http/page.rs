//! The pages, written from the templates of `console/templates`. All text in them is escaped by the engine.

use std::sync::{Arc, LazyLock};

use axum::{
    Extension, Router,
    body::Bytes,
    extract::{Path, RawQuery, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CONTENT_TYPE, LOCATION},
    },
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use minijinja::{Environment, Value, context, value::Serde};
use tracing::error;

use super::{
    api::parameters,
    assets, history, reply,
    visits::{self, COOKIE_HEADER, Visit, Visits},
};
use crate::service::server::Handle;

/// A file of `console/templates`.
macro_rules! template {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../console/templates/", $name)))
    };
}

/// What all pages are made from.
static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    templates.add_filter("digits", |number: f64, digits: usize| {
        format!("{number:.digits$}")
    });
    for (name, text) in [
        template!("pipeline.html"),
        template!("benchmarks.html"),
        template!("benchmark.html"),
        template!("schema.html"),
        template!("system.html"),
        template!("layout.html"),
        template!("ask.html"),
        template!("questions.html"),
        template!("question.html"),
        template!("sign-in.html"),
        template!("missing.html"),
    ] {
        templates
            .add_template(name, text)
            .expect("the program's own templates are correct");
    }
    templates
});

/// What the pages are about.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) server: Handle,
    pub(super) visits: Arc<Visits>,
}

pub(super) fn routes(site: Site) -> Router {
    let visits = Arc::clone(&site.visits);
    let inner = Router::new()
        .route("/ask", get(ask))
        .route("/ask/{id}", get(answer))
        .route("/questions", get(questions))
        .route("/questions/{id}", get(question))
        .route("/pipeline", get(pipeline))
        .route("/benchmarks", get(benchmarks))
        .route("/benchmarks/{id}", get(benchmark))
        .route("/schema", get(schema))
        .route("/system", get(system))
        .route_layer(middleware::from_fn_with_state(visits, visits::page));
    Router::new()
        .route("/", get(first))
        .route("/sign-in", get(sign_in).post(enter))
        .route("/sign-out", post(leave))
        .merge(inner)
        .with_state(site)
}

/// Writes a page.
pub(super) fn page(status: StatusCode, name: &str, values: Value) -> Response {
    let frame = context! {
        assets => assets::base(),
        version => env!("CARGO_PKG_VERSION"),
    };
    let written = TEMPLATES
        .get_template(name)
        .and_then(|template| template.render(context! { ..values, ..frame }));
    match written {
        Ok(html) => (status, [(CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response(),
        Err(failure) => {
            error!(page = name, error = %failure, "a page cannot be written");
            reply::error(
                StatusCode::INTERNAL_SERVER_ERROR,
                "this page cannot be written",
                Some("The server's log has the reason."),
            )
        }
    }
}

/// What every page inside knows.
fn inside(site: &Site, visit: &Visit, active: &str) -> Value {
    let server = &site.server;
    let addresses: Vec<String> = server
        .addresses()
        .iter()
        .map(|address| psql_options(address))
        .collect();
    context! {
        active,
        csrf => visit.csrf.as_str(),
        leg => server.leg().name(),
        database => server.database(),
        trusts => server.trusts(),
        addresses,
    }
}

/// The first page: to ask on for whoever may, else to sign in on. The address that is printed at the start has the token.
async fn first(State(site): State<Site>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let token = parameters(query.as_deref()).remove("token");
    match token {
        Some(token) => entered(&site, &token),
        None if site.visits.of(&headers).is_some() => Redirect::to("/ask").into_response(),
        None => Redirect::to("/sign-in").into_response(),
    }
}

async fn sign_in(State(site): State<Site>) -> Response {
    asked_for_token(&site, StatusCode::OK, None)
}

/// A stranger reads no more than `/healthz` tells.
fn asked_for_token(site: &Site, status: StatusCode, problem: Option<&str>) -> Response {
    page(
        status,
        "sign-in.html",
        context! { leg => site.server.leg().name(), problem },
    )
}

async fn enter(State(site): State<Site>, body: Bytes) -> Response {
    let form = std::str::from_utf8(&body).ok();
    let token = parameters(form).remove("token").unwrap_or_default();
    entered(&site, token.trim())
}

fn entered(site: &Site, token: &str) -> Response {
    match site.visits.enter(token) {
        Ok(cookie) => (
            StatusCode::SEE_OTHER,
            [
                (COOKIE_HEADER, cookie),
                (LOCATION, HeaderValue::from_static("/ask")),
            ],
        )
            .into_response(),
        Err(status) => asked_for_token(
            site,
            status,
            Some(if status == StatusCode::TOO_MANY_REQUESTS {
                "Too many wrong tokens. Wait a minute."
            } else {
                "That is not the token."
            }),
        ),
    }
}

async fn leave(State(site): State<Site>, headers: HeaderMap) -> Response {
    let cookie = site.visits.leave(&headers);
    (
        StatusCode::SEE_OTHER,
        [
            (COOKIE_HEADER, cookie),
            (LOCATION, HeaderValue::from_static("/sign-in")),
        ],
    )
        .into_response()
}

async fn ask(State(site): State<Site>, Extension(visit): Extension<Arc<Visit>>) -> Response {
    page(StatusCode::OK, "ask.html", inside(&site, &visit, "ask"))
}

/// The page of an answer of before, which it fetches itself.
async fn answer(
    State(site): State<Site>,
    Extension(visit): Extension<Arc<Visit>>,
    Path(answer): Path<String>,
) -> Response {
    let frame = inside(&site, &visit, "ask");
    page(StatusCode::OK, "ask.html", context! { answer, ..frame })
}

async fn questions(State(site): State<Site>, Extension(visit): Extension<Arc<Visit>>) -> Response {
    page(
        StatusCode::OK,
        "questions.html",
        inside(&site, &visit, "questions"),
    )
}

async fn question(
    State(site): State<Site>,
    Extension(visit): Extension<Arc<Visit>>,
    Path(id): Path<String>,
) -> Response {
    let frame = inside(&site, &visit, "questions");
    match history::one(&site.server, &id).await {
        Some(item) => {
            let total = item
                .question
                .runs
                .iter()
                .map(|run| run.start_ms + run.milliseconds)
                .fold(1e-3, f64::max);
            let item = Value::from(Serde(&item));
            page(StatusCode::OK, "question.html", context! { item, total, ..frame })
        }
        None => page(StatusCode::NOT_FOUND, "missing.html", frame),
    }
}

async fn pipeline(State(site): State<Site>, Extension(visit): Extension<Arc<Visit>>) -> Response {
    page(StatusCode::OK, "pipeline.html", inside(&site, &visit, "pipeline"))
}

async fn benchmarks(State(site): State<Site>, Extension(visit): Extension<Arc<Visit>>) -> Response {
    let frame = inside(&site, &visit, "benchmarks");
    page(StatusCode::OK, "benchmarks.html", frame)
}

async fn benchmark(
    State(site): State<Site>,
    Extension(visit): Extension<Arc<Visit>>,
    Path(run): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let other = parameters(query.as_deref()).remove("with");
    let frame = inside(&site, &visit, "benchmarks");
    page(StatusCode::OK, "benchmark.html", context! { run, other, ..frame })
}

async fn schema(State(site): State<Site>, Extension(visit): Extension<Arc<Visit>>) -> Response {
    page(StatusCode::OK, "schema.html", inside(&site, &visit, "schema"))
}

async fn system(State(site): State<Site>, Extension(visit): Extension<Arc<Visit>>) -> Response {
    page(StatusCode::OK, "system.html", inside(&site, &visit, "system"))
}

/// How psql is told to connect to an address that a server listens on.
pub fn psql_options(address: &str) -> String {
    if let Some((folder, port)) = address.rsplit_once("/.s.PGSQL.") {
        return format!("-h {folder} -p {port}");
    }
    let (host, port) = address.rsplit_once(':').unwrap_or((address, "5432"));
    let host = match host.trim_start_matches('[').trim_end_matches(']') {
        "0.0.0.0" => "127.0.0.1",
        "::" => "::1",
        host => host,
    };
    format!("-h {host} -p {port}")
}

#[cfg(test)]
mod tests {
    use super::psql_options;

    #[test]
    fn psql_is_told_where_to_connect() {
        for (address, expected) in [
            ("127.0.0.1:7432", "-h 127.0.0.1 -p 7432"),
            ("0.0.0.0:5433", "-h 127.0.0.1 -p 5433"),
            ("[::1]:7432", "-h ::1 -p 7432"),
            ("/tmp/.s.PGSQL.7432", "-h /tmp -p 7432"),
        ] {
            assert_eq!(psql_options(address), expected);
        }
    }
}
