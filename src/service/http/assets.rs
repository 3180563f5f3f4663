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

/// A file of `console/assets` with its type.
macro_rules! file {
    ($name:literal, $kind:expr) => {
        (
            $name,
            $kind,
            include_str!(concat!("../../../console/assets/", $name)),
        )
    };
}

/// Every file with its type.
const FILES: &[(&str, &str, &str)] = &[
    file!("console.css", "text/css; charset=utf-8"),
    file!("mark.svg", "image/svg+xml"),
    file!("common.js", SCRIPT),
    file!("chart.js", SCRIPT),
    file!("diagram.js", SCRIPT),
    file!("ask.js", SCRIPT),
    file!("questions.js", SCRIPT),
    file!("pipeline.js", SCRIPT),
    file!("benchmarks.js", SCRIPT),
    file!("benchmark.js", SCRIPT),
    file!("schema.js", SCRIPT),
    file!("model.js", SCRIPT),
    file!("suggestions.js", SCRIPT),
    file!("system.js", SCRIPT),
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
