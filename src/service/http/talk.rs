//! What is asked and said on a connection of one's own: questions, statements, what one thinks of an answer.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension, Router,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    middleware::from_fn_with_state,
    response::Response,
    routing::{delete, get, post},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{
    sync::{OwnedMutexGuard, broadcast::error::RecvError, oneshot},
    time::timeout,
};

use super::{
    access::Peer,
    api::Api,
    asking::{Asking, Failed, Login},
    events, examples, reply,
    reply::Outbox,
    roles::{self, Who},
    visits::{Entry, Visit, Visits},
};
use crate::{
    config::ConsoleRole,
    service::{conversation::FeedEvent, server::Handle},
    telemetry::metrics::Leg,
};

/// How long a request waits for another one of its browser.
const TURN: Duration = Duration::from_secs(3);
/// What the console is called as a user of a server that asks nobody for a name.
const USER: &str = "console";
/// What a program does that wants to be remembered.
const CONVERSATION: &str =
    "POST /api/v1/conversations, and send its id as Querent-Conversation with each request.";

pub(super) fn routes(api: Api) -> Router {
    let taught = Router::new()
        .route("/api/v1/feedback", post(feedback))
        .route_layer(from_fn_with_state(ConsoleRole::Teach, roles::needed));
    Router::new()
        .route("/api/v1/ask", post(ask))
        .route("/api/v1/query", post(query))
        .route("/api/v1/login", post(login))
        .merge(taught)
        .route("/api/v1/examples", get(example))
        .with_state(api)
}

/// Conversations of programs: what one is remembered by from request to request.
pub(super) fn conversations(visits: Arc<Visits>) -> Router {
    Router::new()
        .route("/api/v1/conversations", post(begin))
        .route("/api/v1/conversations/{id}", delete(end))
        .with_state(visits)
}

async fn begin(State(visits): State<Arc<Visits>>, Extension(visit): Extension<Arc<Visit>>) -> Response {
    if !visit.is_program() {
        return reply::error(StatusCode::CONFLICT, "a browser has its conversation", None);
    }
    reply::json(&json!({ "id": visits.converse(&visit.who) }))
}

async fn end(
    State(visits): State<Arc<Visits>>,
    Extension(visit): Extension<Arc<Visit>>,
    Path(id): Path<String>,
) -> Response {
    visits.end(&id, &visit.who);
    reply::json(&json!({}))
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
    Extension(entry): Extension<Entry>,
    body: Bytes,
) -> Response {
    let question = match serde_json::from_slice::<Asked>(&body) {
        Ok(asked) if !asked.question.trim().is_empty() => asked.question,
        _ => return reply::error(StatusCode::BAD_REQUEST, "there is no question", None),
    };
    let asking = match connected(&server, &visit, &entry).await {
        Ok(asking) => asking,
        Err(response) => return *response,
    };
    let (outbox, response) = Outbox::new();
    tokio::spawn(answer(server, asking, question, outbox));
    response
}

async fn answer(
    server: Handle,
    mut asking: OwnedMutexGuard<Option<Asking>>,
    question: String,
    outbox: Outbox,
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
                        outbox.offer(reply::event(events::name(&event), &*event));
                    }
                    Ok(_) => {}
                    Err(RecvError::Lagged(missed)) => {
                        outbox.offer(reply::event("missed", &json!({ "events": missed })));
                    }
                    Err(RecvError::Closed) => break answer.await,
                },
                answer = &mut answer => break answer,
                () = outbox.closed(), if !gone => {
                    gone = true;
                    asking.cancel().await;
                }
            }
        }
    };
    // What was told last may have come with the answer.
    while let Ok(event) = watching.try_recv() {
        if event.session() == session {
            outbox.offer(reply::event(events::name(&event), &*event));
        }
    }
    let event = match &answer {
        Ok(rows) => reply::event("rows", rows),
        Err(failed) => reply::event("failed", failed),
    };
    asking.last = last;
    // The browser may have gone.
    let _ = outbox.send(event.into()).await;
}

/// Somebody's own statement.
#[derive(Deserialize)]
struct Statement {
    sql: String,
}

/// Runs a statement that can only read.
async fn query(
    State(Api { server, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(entry): Extension<Entry>,
    body: Bytes,
) -> Response {
    let Ok(Statement { sql }) = serde_json::from_slice::<Statement>(&body) else {
        return reply::error(StatusCode::BAD_REQUEST, "there is no sql", None);
    };
    let is_file = matches!(server.leg(), Leg::Sqlite);
    if is_file && !server.settings().policy.rules.is_empty() {
        return reply::error(
            StatusCode::FORBIDDEN,
            "there is an access policy, and it governs questions alone",
            Some("Ask, or run the statement in another client of the file."),
        );
    }
    let asking = match connected(&server, &visit, &entry).await {
        Ok(asking) => asking,
        Err(response) => return *response,
    };
    // Goes on to its end, so that the transaction has one, but not for nobody.
    let (mut sender, receiver) = oneshot::channel();
    tokio::spawn(async move {
        let Some(asking) = asking.as_ref() else { return };
        let running = asking.query(&sql, is_file);
        tokio::pin!(running);
        let found = tokio::select! {
            found = &mut running => found,
            () = sender.closed() => {
                asking.cancel().await;
                running.await
            }
        };
        // Whoever asked may have gone.
        let _ = sender.send(found);
    });
    match receiver.await {
        Ok(Ok(rows)) => reply::json(&rows),
        Ok(Err(failed)) => reply::failed(StatusCode::UNPROCESSABLE_ENTITY, &failed),
        Err(_) => reply::error(StatusCode::SERVICE_UNAVAILABLE, "the connection is lost", None),
    }
}

/// The connection of this browser, which is made if nobody has to say who they are.
pub(super) async fn connected(
    server: &Handle,
    visit: &Visit,
    entry: &Entry,
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
    let user = match &visit.who {
        Who::User(user) if server.is_file() => Some(user.as_str()),
        Who::Token if server.trusts() => Some(USER),
        _ => None,
    };
    let Some(user) = user else {
        let open = match entry.log_in(visit).await {
            Some(Ok(open)) => open,
            Some(Err(refusal)) => {
                return Err(Box::new(reply::error(refusal.status, &refusal.message, None)));
            }
            None => {
                return Err(Box::new(reply::error(
                    StatusCode::FORBIDDEN,
                    "the database wants to know who asks",
                    Some("Log in with a user of the database."),
                )));
            }
        };
        *asking = Some(open);
        return Ok(asking);
    };
    let database = server.database().unwrap_or_default();
    let login = Login {
        user,
        password: "",
        database: &database,
        is_proven: visit.who != Who::Token,
    };
    match Asking::open(server, entry.peer.0, login).await {
        Ok(open) => {
            *asking = Some(open);
            Ok(asking)
        }
        Err(failed) => Err(Box::new(refused(&failed))),
    }
}

pub(super) fn refused(failed: &Failed) -> Response {
    reply::failed(StatusCode::FORBIDDEN, failed)
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
    State(Api { server, guesses, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(Peer(peer)): Extension<Peer>,
    body: Bytes,
) -> Response {
    let Ok(given) = serde_json::from_slice::<Credentials>(&body) else {
        return reply::error(StatusCode::BAD_REQUEST, "user and password are missing", None);
    };
    if server.is_file() && visit.who != Who::Token {
        let message = format!("you ask as {} here", visit.name());
        return reply::error(StatusCode::FORBIDDEN, &message, None);
    }
    // Who sends a name with each request is nobody else in the next one.
    if let Who::User(user) = &visit.who
        && visit.is_program()
        && *user != given.user
    {
        let message = format!("you ask as {user} here");
        return reply::error(StatusCode::FORBIDDEN, &message, None);
    }
    if visit.is_single() {
        return reply::error(
            StatusCode::FORBIDDEN,
            "a program can log in within a conversation alone",
            Some(CONVERSATION),
        );
    }
    let Some(attempt) = guesses.attempt(peer, &given.user) else {
        let message = "too many wrong passwords come from this address";
        return reply::error(StatusCode::TOO_MANY_REQUESTS, message, Some("Wait a minute."));
    };
    let own = server.database().unwrap_or_else(|| given.user.clone());
    let login = Login {
        user: &given.user,
        password: &given.password,
        database: if given.database.is_empty() {
            &own
        } else {
            &given.database
        },
        is_proven: false,
    };
    match Asking::open(&server, peer, login).await {
        Ok(open) => {
            attempt.take_back();
            let user = open.user.clone();
            visit.logged_in(&open);
            *visit.asking.lock().await = Some(open);
            reply::json(&json!({ "user": user }))
        }
        Err(failed) => {
            if !failed.is_stranger() {
                attempt.take_back();
            }
            refused(&failed)
        }
    }
}

/// What somebody says of an answer.
#[derive(Deserialize)]
struct Judged {
    id: String,
    verdict: String,
    /// What is right, with `fix`.
    #[serde(default)]
    sql: String,
}

#[derive(Serialize)]
struct Status {
    status: String,
}

async fn feedback(
    State(Api { server, .. }): State<Api>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(entry): Extension<Entry>,
    body: Bytes,
) -> Response {
    let verdict = match serde_json::from_slice::<Judged>(&body) {
        Ok(verdict) if ["good", "bad"].contains(&verdict.verdict.as_str()) => verdict,
        Ok(verdict) if verdict.verdict == "fix" && !verdict.sql.trim().is_empty() => verdict,
        _ => {
            return reply::error(
                StatusCode::BAD_REQUEST,
                "the verdict is good, bad, or fix with the sql that is right",
                None,
            );
        }
    };
    if visit.is_single() {
        return reply::error(
            StatusCode::CONFLICT,
            "a program can judge answers within a conversation alone",
            Some(CONVERSATION),
        );
    }
    let asking = match connected(&server, &visit, &entry).await {
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
    // Who came here has the role.
    let _teaching = server.teaching(asking.session);
    let said = match verdict.verdict.as_str() {
        "fix" => asking.fix(&verdict.sql).await,
        verdict => asking.ask(verdict, "").await,
    };
    match said {
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
    Extension(entry): Extension<Entry>,
) -> Response {
    let asking = match connected(&server, &visit, &entry).await {
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
