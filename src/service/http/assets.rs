//! What pages are made of beside HTML: style, scripts and pictures, in the program itself. The hash of each stands in its
//! address, so that a browser keeps it for ever and never keeps an old one.

use std::sync::LazyLock;

use axum::{
    Router,
    extract::Path,
    http::{
        StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
    routing::get,
};
use ring::digest;

/// Every file with its type.
const FILES: &[(&str, &str, &str)] = &[
    (
        "console.css",
        "text/css; charset=utf-8",
        include_str!("../../../console/assets/console.css"),
    ),
    (
        "mark.svg",
        "image/svg+xml",
        include_str!("../../../console/assets/mark.svg"),
    ),
    (
        "common.js",
        SCRIPT,
        include_str!("../../../console/assets/common.js"),
    ),
    ("ask.js", SCRIPT, include_str!("../../../console/assets/ask.js")),
    (
        "questions.js",
        SCRIPT,
        include_str!("../../../console/assets/questions.js"),
    ),
    (
        "pipeline.js",
        SCRIPT,
        include_str!("../../../console/assets/pipeline.js"),
    ),
    (
        "schema.js",
        SCRIPT,
        include_str!("../../../console/assets/schema.js"),
    ),
    (
        "system.js",
        SCRIPT,
        include_str!("../../../console/assets/system.js"),
    ),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The hash of all files: modules name each other by their plain names, so each address has the hash of all.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut context = digest::Context::new(&digest::SHA256);
    for (name, _, text) in FILES {
        context.update(name.as_bytes());
        context.update(text.as_bytes());
    }
    let hash = context.finish();
    hash.as_ref()[..8]
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
});

/// Where a browser finds the files.
pub(super) fn base() -> String {
    format!("/assets/{}", *VERSION)
}

pub(super) fn routes() -> Router {
    Router::new().route("/assets/{version}/{name}", get(file))
}

async fn file(Path((version, name)): Path<(String, String)>) -> Response {
    let found = FILES.iter().find(|(known, ..)| *known == name);
    match found {
        Some((_, kind, text)) if version == *VERSION => {
            let headers = [
                (CONTENT_TYPE, *kind),
                (CACHE_CONTROL, "public, max-age=31536000, immutable"),
            ];
            (headers, *text).into_response()
        }
        _ => (StatusCode::NOT_FOUND, "not found\n").into_response(),
    }
}
