//! The pages, written from the templates of `console/templates`. All text in them is escaped by the engine.

use std::sync::{Arc, LazyLock};

use axum::{
    Extension, Router,
    extract::{Path, RawQuery, State},
    http::{StatusCode, header::CONTENT_TYPE},
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use minijinja::{Environment, Value, context, value::Serde};
use tracing::error;

use super::{
    api::parameters,
    assets, history, reply,
    roles::{Rights, Who},
    visits::{self, Visit, Visits},
};
use crate::{config::ConsoleAuth, service::server::Handle};

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
        template!("diagram.html"),
        template!("ask.html"),
        template!("questions.html"),
        template!("question.html"),
        template!("sign-in.html"),
        template!("missing.html"),
        template!("refused.html"),
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

pub(super) fn routes(site: &Site) -> Router {
    let visits = Arc::clone(&site.visits);
    let inner = Router::new()
        .route("/ask", get(ask))
        .route("/ask/{id}", get(answer))
        .route("/questions/{id}", get(question))
        .route("/benchmarks/{id}", get(benchmark))
        .with_state(site.clone());
    let pages = ["questions", "pipeline", "benchmarks", "schema", "system"];
    let inner = pages.into_iter().fold(inner, |inner, name| {
        let page = get(fetching).with_state((site.clone(), name));
        inner.route(&format!("/{name}"), page)
    });
    inner.route_layer(middleware::from_fn_with_state(visits, visits::page))
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
fn inside(site: &Site, (visit, rights): (&Visit, Rights), active: &str) -> Value {
    let server = &site.server;
    let addresses: Vec<String> = server
        .addresses()
        .iter()
        .map(|address| psql_options(address))
        .collect();
    context! {
        active,
        csrf => visit.csrf.as_str(),
        user => match &visit.who {
            Who::User(user) => Some(user.as_str()),
            Who::Token => None,
        },
        may => Value::from(Serde(rights)),
        sees_benchmarks => rights.sees_benchmarks(),
        is_led_out => site.visits.ways_in().0 == ConsoleAuth::Proxy && visit.who != Who::Token,
        leg => server.leg().name(),
        database => server.database(),
        trusts => server.trusts(),
        addresses,
    }
}

async fn ask(
    State(site): State<Site>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(rights): Extension<Rights>,
) -> Response {
    page(StatusCode::OK, "ask.html", inside(&site, (&visit, rights), "ask"))
}

/// The page of an answer of before, which it fetches itself.
async fn answer(
    State(site): State<Site>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(rights): Extension<Rights>,
    Path(answer): Path<String>,
) -> Response {
    let frame = inside(&site, (&visit, rights), "ask");
    page(StatusCode::OK, "ask.html", context! { answer, ..frame })
}

async fn question(
    State(site): State<Site>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(rights): Extension<Rights>,
    Path(id): Path<String>,
) -> Response {
    let frame = inside(&site, (&visit, rights), "questions");
    match history::one(&site.server, &id, visit.sees_only(rights).as_deref()).await {
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

async fn benchmark(
    State(site): State<Site>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(rights): Extension<Rights>,
    Path(run): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let other = parameters(query.as_deref()).remove("with");
    let frame = inside(&site, (&visit, rights), "benchmarks");
    if !rights.sees_benchmarks() {
        return page(StatusCode::FORBIDDEN, "refused.html", frame);
    }
    page(StatusCode::OK, "benchmark.html", context! { run, other, ..frame })
}

/// A page that fetches all that is on it.
async fn fetching(
    State((site, name)): State<(Site, &'static str)>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(rights): Extension<Rights>,
) -> Response {
    let frame = inside(&site, (&visit, rights), name);
    let may = match name {
        "pipeline" => rights.see_all,
        "benchmarks" => rights.sees_benchmarks(),
        "system" => rights.operate,
        _ => true,
    };
    if may {
        page(StatusCode::OK, &format!("{name}.html"), frame)
    } else {
        page(StatusCode::FORBIDDEN, "refused.html", frame)
    }
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
