//! Ollama, through its own chat completions, which are OpenAI's.

use reqwest::Url;
use serde_json::Value;

use super::{answer::Answer, attempt::Asked, openai::OpenAi, provider::Provider};

/// A server of Ollama's.
#[derive(Debug)]
pub(super) struct Ollama;

impl Provider for Ollama {
    fn own_address(&self) -> &'static str {
        "http://127.0.0.1:11434/v1"
    }

    fn missing_version(&self, path: &str) -> &'static str {
        if path.ends_with("/v1") { "" } else { "/v1" }
    }

    fn chat_address(&self, base: &Url, model: &str, streamed: bool) -> Url {
        OpenAi.chat_address(base, model, streamed)
    }

    fn body(&self, asked: &Asked<'_>) -> Value {
        OpenAi.body(asked)
    }

    fn read(&self, event: &Value, answer: &mut Answer) {
        OpenAi.read(event, answer);
    }
}
