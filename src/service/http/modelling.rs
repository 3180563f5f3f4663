//! The semantic model's files: shown, checked while they are changed, saved so that they count at once, and exported.

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{
        StatusCode,
        header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    reply, roles,
    suggestions::{accept, list},
};
use crate::{
    config::ConsoleRole,
    service::server::{Handle, ModelError},
};

pub(super) fn routes(server: Handle) -> Router {
    Router::new()
        .route("/api/v1/semantic-model", get(files).put(save))
        .route("/api/v1/semantic-model/check", post(check))
        .route("/api/v1/semantic-model/export", get(export))
        .route("/api/v1/semantic-model/suggestions", get(list).post(accept))
        .route_layer(from_fn_with_state(ConsoleRole::Teach, roles::needed))
        .with_state(server)
}

async fn files(State(server): State<Handle>) -> Response {
    let files = server
        .model_files()
        .into_iter()
        .map(|path| match server.model_text(&path) {
            Ok(text) => json!({ "path": path, "text": text }),
            Err(error) => json!({ "path": path, "problem": error.to_string() }),
        });
    let files: Value = files.collect();
    reply::json(&json!({ "files": files }))
}

/// A file with the text that it shall have.
#[derive(Deserialize)]
struct Changed {
    path: String,
    text: String,
    /// The text that it had when the change was begun.
    #[serde(default)]
    before: String,
}

async fn check(State(server): State<Handle>, body: Bytes) -> Response {
    let Ok(changed) = serde_json::from_slice::<Changed>(&body) else {
        return reply::error(StatusCode::BAD_REQUEST, "path and text are missing", None);
    };
    match server.check_model(&changed.path, &changed.text).await {
        Ok(checked) => {
            let metrics = checked.metrics.iter().map(|(name, sql)| match sql {
                Ok(sql) => json!({ "name": name, "sql": sql }),
                Err(problem) => json!({ "name": name, "problem": problem }),
            });
            reply::json(&json!({
                "problems": problems(&checked.problems),
                "metrics": metrics.collect::<Value>(),
                "changes": checked.changes,
            }))
        }
        Err(error) => refused(&error),
    }
}

async fn save(State(server): State<Handle>, body: Bytes) -> Response {
    let Ok(changed) = serde_json::from_slice::<Changed>(&body) else {
        return reply::error(StatusCode::BAD_REQUEST, "path, text and before are missing", None);
    };
    let saved = server.save_model(&changed.path, &changed.before, &changed.text);
    match saved.await {
        Ok(()) => reply::json(&json!({ "saved": changed.path })),
        Err(error) => refused(&error),
    }
}

async fn export(State(server): State<Handle>) -> Response {
    match server.export_model().await {
        Ok(text) => {
            let headers = [
                (CONTENT_TYPE, "application/yaml; charset=utf-8"),
                (CONTENT_DISPOSITION, "attachment; filename=\"semantic.yaml\""),
            ];
            (headers, text).into_response()
        }
        Err(error) => refused(&error),
    }
}

fn problems(found: &[crate::question::ossie::Problem]) -> Value {
    let told = found.iter().map(|problem| {
        json!({
            "file": problem.file.as_deref(),
            "line": problem.line,
            "column": problem.column,
            "message": problem.message,
        })
    });
    told.collect()
}

pub(super) fn refused(error: &ModelError) -> Response {
    let message = error.to_string();
    match error {
        ModelError::Wrong(found) => {
            let body = json!({ "error": { "message": message, "problems": problems(found) } });
            let kind = [(CONTENT_TYPE, "application/json")];
            (StatusCode::UNPROCESSABLE_ENTITY, kind, body.to_string()).into_response()
        }
        ModelError::Unknown => reply::error(
            StatusCode::FORBIDDEN,
            &message,
            Some("Name it in semantic.file; querent semantic init writes a first one."),
        ),
        ModelError::Changed => reply::error(
            StatusCode::CONFLICT,
            &message,
            Some("Reload the page, and make your change again."),
        ),
        ModelError::NoPlace => reply::error(
            StatusCode::UNPROCESSABLE_ENTITY,
            &message,
            Some("Write it where it belongs, with Edit."),
        ),
        ModelError::File(..) | ModelError::Database(_) | ModelError::Reload(_) => {
            reply::error(StatusCode::SERVICE_UNAVAILABLE, &message, None)
        }
    }
}
