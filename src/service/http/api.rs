//! `/api/v1`: the same data as the pages', as JSON and server-sent events, for programs and for the pages themselves.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Extension, Router,
    body::Bytes,
    extract::{Path, RawQuery, State},
    http::StatusCode,
    response::Response,
    routing::{get, post},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{
    sync::{OwnedMutexGuard, broadcast::error::RecvError, mpsc},
    time::timeout,
};

use super::{
    asking::{Asking, Failed, Login},
    examples,
    history::{self, Filter},
    pipeline, reply, schema, system,
    visits::Visit,
};
use crate::service::{audit::Moment, conversation::FeedEvent, server::Handle};

/// Events that wait for a browser.
const WAITING: usize = 256;
/// How long a request waits for another one of its browser.
const TURN: Duration = Duration::from_secs(3);
/// What the console is called as a user of a server that asks nobody for a name.
const USER: &str = "console";

/// Where a request comes from.
#[derive(Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// What is told of.
#[derive(Clone)]
pub(super) struct Api {
    server: Handle,
    begun: Instant,
}

impl Api {
    /// Of a server that begins now.
    pub(super) fn new(server: Handle) -> Self {
        Self {
            server,
            begun: Instant::now(),
        }
    }
}

pub(super) fn routes(api: Api) -> Router {
    Router::new()
        .route("/api/v1/ask", post(ask))
        .route("/api/v1/login", post(login))
        .route("/api/v1/feedback", post(feedback))
        .route("/api/v1/examples", get(example))
        .route("/api/v1/events", get(events))
        .route("/api/v1/questions", get(questions))
        .route("/api/v1/questions/{id}", get(question))
        .route("/api/v1/pipeline", get(pipeline))
        .route("/api/v1/schema", get(schema))
        .route("/api/v1/system", get(system))
        .route("/api/v1/audit/check", post(check))
        .with_state(api)
}

/// Parameters of an address.
pub(super) fn parameters(query: Option<&str>) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .into_owned()
        .collect()
}

async fn questions(State(Api { server, .. }): State<Api>, RawQuery(query): RawQuery) -> Response {
    match Filter::of(&parameters(query.as_deref())) {
        Ok(filter) => reply::json(&history::list(&server, filter).await),
        Err(reason) => reply::error(StatusCode::BAD_REQUEST, &reason, None),
    }
}

async fn question(State(Api { server, .. }): State<Api>, Path(id): Path<String>) -> Response {
    match history::one(&server, &id).await {
        Some(item) => reply::json(&item),
        None => reply::error(
            StatusCode::NOT_FOUND,
            "there is no such question",
            Some("It may have been removed, or asked before this server started while nothing was recorded."),
        ),
    }
}

/// What happens, as it happens, until the browser leaves.
async fn events(State(Api { server, .. }): State<Api>) -> Response {
    let mut watching = server.feed().watch();
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        loop {
            let told = tokio::select! {
                told = watching.recv() => told,
                () = sender.closed() => return,
            };
            let event = match told {
                Ok(event) => reply::event(name(&event), &*event),
                Err(RecvError::Lagged(missed)) => reply::event("missed", &json!({ "events": missed })),
                Err(RecvError::Closed) => return,
            };
            if sender.send(event).await.is_err() {
                return;
            }
        }
    });
    reply::events(receiver)
}

fn name(event: &FeedEvent) -> &'static str {
    match event {
        FeedEvent::Begun(_) => "begun",
        FeedEvent::Ran { .. } => "ran",
        FeedEvent::Ended(_) => "ended",
    }
}

/// The body of a request that asks.
#[derive(Deserialize)]
struct Asked {
    question: String,
}

/// Asks, and tells what the agents do meanwhile; the rows come last.
async fn ask(
    State(Api { server, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(Peer(peer)): Extension<Peer>,
    body: Bytes,
) -> Response {
    let question = match serde_json::from_slice::<Asked>(&body) {
        Ok(asked) if !asked.question.trim().is_empty() => asked.question,
        _ => return reply::error(StatusCode::BAD_REQUEST, "there is no question", None),
    };
    let asking = match connected(&server, &visit, peer).await {
        Ok(asking) => asking,
        Err(response) => return *response,
    };
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::spawn(answer(server, asking, question, sender));
    reply::events(receiver)
}

async fn answer(
    server: Handle,
    mut asking: OwnedMutexGuard<Option<Asking>>,
    question: String,
    sender: mpsc::Sender<String>,
) {
    let Some(asking) = asking.as_mut() else { return };
    let mut watching = server.feed().watch();
    let session = asking.session;
    asking.last = None;
    let mut last = None;
    let answer = {
        let answer = asking.ask("", &question);
        tokio::pin!(answer);
        let mut gone = false;
        loop {
            tokio::select! {
                biased;
                told = watching.recv() => match told {
                    Ok(event) if event.session() == session => {
                        if let FeedEvent::Begun(question) = &*event {
                            last = Some(question.id.clone());
                        }
                        // Who does not read hears less.
                        let _ = sender.try_send(reply::event(name(&event), &*event));
                    }
                    Ok(_) => {}
                    Err(RecvError::Lagged(missed)) => {
                        let _ = sender.try_send(reply::event("missed", &json!({ "events": missed })));
                    }
                    Err(RecvError::Closed) => break answer.await,
                },
                answer = &mut answer => break answer,
                () = sender.closed(), if !gone => {
                    gone = true;
                    asking.cancel().await;
                }
            }
        }
    };
    // What was told last may have come with the answer.
    while let Ok(event) = watching.try_recv() {
        if event.session() == session {
            let _ = sender.try_send(reply::event(name(&event), &*event));
        }
    }
    let event = match &answer {
        Ok(rows) => reply::event("rows", rows),
        Err(failed) => reply::event("failed", failed),
    };
    asking.last = last;
    // The browser may have gone.
    let _ = sender.send(event).await;
}

/// The connection of this browser, which is made if nobody has to say who they are.
async fn connected(
    server: &Handle,
    visit: &Visit,
    peer: IpAddr,
) -> Result<OwnedMutexGuard<Option<Asking>>, Box<Response>> {
    let turn = timeout(TURN, Arc::clone(&visit.asking).lock_owned());
    let Ok(mut asking) = turn.await else {
        return Err(Box::new(reply::error(
            StatusCode::CONFLICT,
            "another question of this browser is being worked on",
            Some("Wait for its answer, or stop it."),
        )));
    };
    if asking.as_ref().is_some_and(Asking::is_open) {
        return Ok(asking);
    }
    *asking = None;
    if !server.trusts() {
        return Err(Box::new(reply::error(
            StatusCode::FORBIDDEN,
            "the database wants to know who asks",
            Some("Log in with a user of the database."),
        )));
    }
    let database = server.database().unwrap_or_default();
    let login = Login {
        user: USER,
        password: "",
        database: &database,
    };
    match Asking::open(server, peer, login).await {
        Ok(open) => {
            *asking = Some(open);
            Ok(asking)
        }
        Err(failed) => Err(Box::new(refused(&failed))),
    }
}

fn refused(failed: &Failed) -> Response {
    reply::error(StatusCode::FORBIDDEN, &failed.message, failed.hint.as_deref())
}

/// Who wants to ask.
#[derive(Deserialize)]
struct Credentials {
    user: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    database: String,
}

async fn login(
    State(Api { server, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(Peer(peer)): Extension<Peer>,
    body: Bytes,
) -> Response {
    let Ok(given) = serde_json::from_slice::<Credentials>(&body) else {
        return reply::error(StatusCode::BAD_REQUEST, "user and password are missing", None);
    };
    if visit.is_program() {
        return reply::error(
            StatusCode::FORBIDDEN,
            "only a browser can log in here",
            Some("Sign in with the token, and ask on the page; programs ask by PostgreSQL's protocol."),
        );
    }
    let own = server.database().unwrap_or_else(|| given.user.clone());
    let login = Login {
        user: &given.user,
        password: &given.password,
        database: if given.database.is_empty() {
            &own
        } else {
            &given.database
        },
    };
    match Asking::open(&server, peer, login).await {
        Ok(open) => {
            let user = open.user.clone();
            *visit.asking.lock().await = Some(open);
            reply::json(&json!({ "user": user }))
        }
        Err(failed) => refused(&failed),
    }
}

/// What somebody says of an answer.
#[derive(Deserialize)]
struct Verdict {
    id: String,
    verdict: String,
}

#[derive(Serialize)]
struct Status {
    status: String,
}

async fn feedback(
    State(Api { server, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(Peer(peer)): Extension<Peer>,
    body: Bytes,
) -> Response {
    let verdict = match serde_json::from_slice::<Verdict>(&body) {
        Ok(verdict) if ["good", "bad"].contains(&verdict.verdict.as_str()) => verdict,
        _ => return reply::error(StatusCode::BAD_REQUEST, "the verdict is good or bad", None),
    };
    let asking = match connected(&server, &visit, peer).await {
        Ok(asking) => asking,
        Err(response) => return *response,
    };
    let Some(asking) = asking
        .as_ref()
        .filter(|asking| asking.last.as_ref() == Some(&verdict.id))
    else {
        return reply::error(
            StatusCode::CONFLICT,
            "that is not the last question of this browser",
            Some("Ask it again, then say what you think of the answer."),
        );
    };
    match asking.ask(&verdict.verdict, "").await {
        Ok(rows) => {
            let status = rows.rows.into_iter().flatten().flatten().next();
            reply::json(&Status {
                status: status.unwrap_or_default(),
            })
        }
        Err(failed) => refused(&failed),
    }
}

/// Questions that this database could be asked.
async fn example(
    State(Api { server, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(Peer(peer)): Extension<Peer>,
) -> Response {
    let asking = match connected(&server, &visit, peer).await {
        Ok(asking) => asking,
        Err(response) => return *response,
    };
    let found: Value = match asking.as_ref() {
        Some(asking) => match examples::find(asking).await {
            Ok(questions) => json!({ "user": asking.user, "questions": questions }),
            // In front of a server there are views of the semantic model where a file has one.
            Err(failed) if failed.is_missing() => json!({ "user": asking.user, "questions": [] }),
            Err(failed) => return refused(&failed),
        },
        None => json!({ "questions": [] }),
    };
    reply::json(&found)
}

/// The schema and the semantic model, as this user may see them.
async fn schema(
    State(Api { server, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(Peer(peer)): Extension<Peer>,
) -> Response {
    let asking = match connected(&server, &visit, peer).await {
        Ok(asking) => asking,
        Err(response) => return *response,
    };
    match asking.as_ref() {
        Some(asking) => match schema::read(asking).await {
            Ok(schema) => reply::json(&schema),
            Err(failed) if failed.is_missing() => reply::error(
                StatusCode::NOT_FOUND,
                "in front of this server there are no views of the semantic model",
                Some("Name a file with one in semantic.file; querent semantic init writes a first one."),
            ),
            Err(failed) => refused(&failed),
        },
        None => reply::error(StatusCode::SERVICE_UNAVAILABLE, "the connection is lost", None),
    }
}

/// How the agents did lately, and what the questions of a period came to.
async fn pipeline(State(Api { server, .. }): State<Api>, RawQuery(query): RawQuery) -> Response {
    let since = match parameters(query.as_deref()).get("since").map(String::as_str) {
        None | Some("") => "7d",
        Some(since) => since,
    }
    .parse::<Moment>();
    match since {
        Ok(since) => reply::json(&json!({
            "pipeline": pipeline::look(&server),
            "totals": history::totals(&server, Some(since.0)).await,
        })),
        Err(reason) => reply::error(StatusCode::BAD_REQUEST, &reason, None),
    }
}

async fn system(State(Api { server, begun }): State<Api>) -> Response {
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
