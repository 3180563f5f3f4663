//! Coming in and leaving: by the token, by a user's password, or by what a proxy says.

use axum::{
    Extension, Router,
    body::Bytes,
    extract::{RawQuery, State},
    http::{HeaderMap, HeaderValue, StatusCode, header::LOCATION},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use minijinja::context;

use super::{
    access::{Peer, Wire},
    api::parameters,
    page::{Site, page},
    visits::{COOKIE_HEADER, Credentials, Refusal, csrf_of},
};
use crate::config::ConsoleAuth;

pub(super) fn routes(site: Site) -> Router {
    Router::new()
        .route("/", get(first))
        .route("/sign-in", get(sign_in).post(enter))
        .route("/sign-out", post(leave))
        .with_state(site)
}

/// The first page: to ask on for whoever may, else to sign in on. The address that is printed at the start has the token.
async fn first(
    State(site): State<Site>,
    Extension(wire): Extension<Wire>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let token = parameters(query.as_deref()).remove("token");
    match token {
        Some(token) => entered(&site, site.visits.enter(&token).await),
        None if site.visits.is_here(&headers, wire) => Redirect::to("/ask").into_response(),
        None => Redirect::to("/sign-in").into_response(),
    }
}

async fn sign_in(State(site): State<Site>) -> Response {
    asked(&site, StatusCode::OK, None)
}

/// A stranger reads no more than `/healthz` tells.
fn asked(site: &Site, status: StatusCode, problem: Option<&str>) -> Response {
    let (auth, has_token) = site.visits.ways_in();
    let values = context! {
        leg => site.server.leg().name(),
        users => auth == ConsoleAuth::Users,
        proxy => auth == ConsoleAuth::Proxy,
        token => has_token || auth == ConsoleAuth::Token,
        several => site.server.database().is_none(),
        problem,
    };
    page(status, "sign-in.html", values)
}

async fn enter(
    State(site): State<Site>,
    Extension(peer): Extension<Peer>,
    Extension(wire): Extension<Wire>,
    body: Bytes,
) -> Response {
    let form = parameters(std::str::from_utf8(&body).ok());
    let given = |name: &str| form.get(name).map_or("", String::as_str);
    let outcome = if given("user").is_empty() {
        site.visits.enter(given("token").trim()).await
    } else {
        let credentials = Credentials {
            user: given("user"),
            password: given("password"),
            database: given("database").trim(),
        };
        site.visits.enter_as(&credentials, (peer, wire)).await
    };
    entered(&site, outcome)
}

fn entered(site: &Site, outcome: Result<HeaderValue, Refusal>) -> Response {
    match outcome {
        Ok(cookie) => (
            StatusCode::SEE_OTHER,
            [
                (COOKIE_HEADER, cookie),
                (LOCATION, HeaderValue::from_static("/ask")),
            ],
        )
            .into_response(),
        Err(refusal) => asked(site, refusal.status, Some(&refusal.message)),
    }
}

async fn leave(State(site): State<Site>, headers: HeaderMap, body: Bytes) -> Response {
    let form = parameters(std::str::from_utf8(&body).ok());
    let csrf = csrf_of(&headers).or_else(|| form.get("csrf").map(String::as_str));
    let cookie = match site.visits.leave(&headers, csrf) {
        Ok(cookie) => cookie,
        Err(response) => return *response,
    };
    (
        StatusCode::SEE_OTHER,
        [
            (COOKIE_HEADER, cookie),
            (LOCATION, HeaderValue::from_static("/sign-in")),
        ],
    )
        .into_response()
}
