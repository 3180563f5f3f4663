//! What differs between the HTTP interfaces of providers.

use std::fmt::Debug;

use reqwest::Url;
use serde_json::{Value, json};

use super::{address::below, answer::Answer, attempt::Asked};

/// How one kind of provider is spoken to. Failures are read alike for all: gateways pass on each other's forms.
pub(super) trait Provider: Debug + Send + Sync {
    /// Its own address, with the version.
    fn own_address(&self) -> &'static str;

    /// The version that is missing behind this path of a base URL; empty if none is.
    fn missing_version(&self, path: &str) -> &'static str;

    /// Where questions go, by whether the answer is streamed.
    fn chat_address(&self, base: &Url, model: &str, streamed: bool) -> Url;

    /// The header that carries the key.
    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("authorization", format!("Bearer {key}"))
    }

    /// Headers of each request, beside the key's.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// What the limit of tokens is called at first, where that is learned from refusals.
    fn limit_name(&self, _host: Option<&str>) -> &'static str {
        "max_tokens"
    }

    /// The body of a question.
    fn body(&self, asked: &Asked<'_>) -> Value;

    /// Takes an event of a stream, or the whole answer.
    fn read(&self, event: &Value, answer: &mut Answer);

    /// Whether it turns texts into vectors.
    fn embeds(&self) -> bool {
        true
    }

    /// Where texts go that become vectors.
    fn embeddings_address(&self, base: &Url, _model: &str) -> Url {
        below(base, &["embeddings"])
    }

    /// The body that asks for the vectors of texts.
    fn embeddings_body(&self, model: &str, texts: &[&str]) -> Value {
        json!({"model": model, "input": texts})
    }

    /// The list of vectors in an answer.
    fn embeddings_list<'a>(&self, answer: &'a Value) -> &'a Value {
        &answer["data"]
    }
}
