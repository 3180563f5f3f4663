//! What could be said in the semantic model besides, to be accepted with a click: answers that somebody found right, and
//! references that were inferred.

use std::{collections::BTreeSet, sync::Arc};

use axum::{Extension, body::Bytes, extract::State, http::StatusCode, response::Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{history, modelling, reply, roles::Rights, visits::Visit};
use crate::{
    question::ossie::Addition,
    service::{
        server::{Handle, ModelState},
        store::{Past, Sought},
    },
};

/// Answers of the store that are looked at.
const LOOKED_AT: u64 = 200;
/// Suggestions of a kind at most.
const MOST: usize = 50;
/// Texts of the history are cut at this length, and SQL that was cut is none.
const CUT: usize = 2000;

pub(super) async fn list(
    State(server): State<Handle>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(rights): Extension<Rights>,
) -> Response {
    let state = match server.model_state().await {
        Ok(state) => state,
        Err(error) => return modelling::refused(&error),
    };
    let sought = Sought {
        verdict: "good".to_owned(),
        state: "answered".to_owned(),
        database: state.database.clone().unwrap_or_default(),
        user: visit.sees_only(rights).unwrap_or_default(),
        ..Sought::default()
    };
    let found_right = if server.settings().audit.enabled {
        let found = history::in_store(&server, async move |history| {
            history.find(&sought, LOOKED_AT).await
        });
        // Without a store there is nothing to suggest of it; the page of questions says why.
        found.await.unwrap_or_default()
    } else {
        Vec::new()
    };
    let told = tokio::task::spawn_blocking(move || told(&state, found_right)).await;
    match told {
        Ok(told) => reply::json(&told),
        Err(error) => reply::error(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string(), None),
    }
}

fn told(state: &ModelState, found_right: Vec<Past>) -> Value {
    let verified = state.verified.iter().map(|query| {
        json!({
            "question": query.question, "sql": query.sql, "file": &*query.file, "problem": query.problem,
        })
    });
    let folded = |question: &str| question.trim().to_lowercase();
    let mut known: BTreeSet<String> = state
        .verified
        .iter()
        .map(|query| folded(&query.question))
        .collect();
    let mut queries = Vec::new();
    for past in found_right {
        let Some(sql) = past.sql.filter(|sql| sql.chars().nth(CUT - 1).is_none()) else {
            continue;
        };
        // What refines another question says nothing by itself.
        let is_whole = !past.words.is_empty() && past.action != "refine";
        if queries.len() < MOST && is_whole && state.would_run(&sql) && known.insert(folded(&past.words)) {
            queries.push(json!({ "id": past.id, "question": past.words, "sql": sql }));
        }
    }
    let references = state
        .references()
        .into_iter()
        .take(MOST)
        .filter_map(|addition| match addition {
            Addition::Relationship {
                from,
                to,
                from_columns,
                to_columns,
                ..
            } => Some(json!({
                "from": from.1, "from_columns": from_columns, "to": to.1, "to_columns": to_columns,
            })),
            Addition::VerifiedQuery { .. } => None,
        });
    json!({
        "verified": verified.collect::<Value>(),
        "queries": queries,
        "references": references.collect::<Value>(),
    })
}

/// What is accepted, and the file that shall say it with the text that it had.
#[derive(Deserialize)]
struct Accepted {
    path: String,
    before: String,
    #[serde(flatten)]
    what: What,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum What {
    Query {
        question: String,
        sql: String,
    },
    Reference {
        from: String,
        from_columns: Vec<String>,
        to: String,
        to_columns: Vec<String>,
    },
}

pub(super) async fn accept(State(server): State<Handle>, body: Bytes) -> Response {
    let Ok(accepted) = serde_json::from_slice::<Accepted>(&body) else {
        return reply::error(
            StatusCode::BAD_REQUEST,
            "path, before, and a question with its sql or a reference are missing",
            None,
        );
    };
    let addition = match accepted.what {
        What::Query { question, sql } => Addition::VerifiedQuery { question, sql },
        What::Reference {
            from,
            from_columns,
            to,
            to_columns,
        } => {
            let state = match server.model_state().await {
                Ok(state) => state,
                Err(error) => return modelling::refused(&error),
            };
            let is_meant = |known: &Addition| match known {
                Addition::Relationship {
                    from: f,
                    to: t,
                    from_columns: fc,
                    to_columns: tc,
                    ..
                } => f.1 == from && t.1 == to && *fc == from_columns && *tc == to_columns,
                Addition::VerifiedQuery { .. } => false,
            };
            match state.references().into_iter().find(is_meant) {
                Some(addition) => addition,
                None => {
                    return reply::error(
                        StatusCode::CONFLICT,
                        "this reference is not inferred any more",
                        Some("Reload the page."),
                    );
                }
            }
        }
    };
    match server
        .add_to_model(&accepted.path, &accepted.before, &addition)
        .await
    {
        Ok(text) => reply::json(&json!({ "text": text })),
        Err(error) => modelling::refused(&error),
    }
}
