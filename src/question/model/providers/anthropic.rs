//! Anthropic's messages.

use reqwest::Url;
use serde_json::{Map, Value, json};

use super::{
    address::below,
    answer::{Answer, End},
    attempt::Asked,
    capabilities::Form,
    provider::Provider,
};

/// Tokens of an answer where nothing is configured; the interface demands a number.
const TOKENS: u64 = 8192;
/// The least that may be thought.
const LEAST_THOUGHT: u64 = 1024;

/// Anthropic.
#[derive(Debug)]
pub(super) struct Anthropic;

impl Provider for Anthropic {
    fn own_address(&self) -> &'static str {
        "https://api.anthropic.com/v1"
    }

    fn missing_version(&self, path: &str) -> &'static str {
        if path.ends_with("/v1") { "" } else { "/v1" }
    }

    fn chat_address(&self, base: &Url, _model: &str, _streamed: bool) -> Url {
        below(base, &["messages"])
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-api-key", key.to_owned())
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    fn embeds(&self) -> bool {
        false
    }

    fn body(&self, asked: &Asked<'_>) -> Value {
        let most = asked.most_tokens.unwrap_or(TOKENS);
        let budget = asked.effort.and_then(|effort| effort.parse::<u64>().ok());
        // Thoughts are a part of the answer's tokens, and something must be left for the rest.
        let budget = budget
            .map(|budget| budget.min(most.saturating_sub(LEAST_THOUGHT)))
            .filter(|budget| *budget >= LEAST_THOUGHT);
        let word = asked.effort.filter(|effort| effort.parse::<u64>().is_err());
        let mut body = Map::new();
        let mut add = |name: &str, value: Value| body.insert(name.to_owned(), value);
        add("model", asked.model.into());
        add("max_tokens", most.into());
        let system = asked.system();
        if !system.is_empty() {
            add("system", system.into());
        }
        add(
            "messages",
            json!([{"role": "user", "content": asked.request.user}]),
        );
        match (budget, asked.temperature()) {
            (Some(budget), _) => {
                add("thinking", json!({"type": "enabled", "budget_tokens": budget}));
            }
            (None, Some(temperature)) => {
                add("temperature", temperature.into());
            }
            (None, None) => {}
        }
        let mut config = Map::new();
        if let Some(word) = word {
            config.insert("effort".into(), word.into());
        }
        match (&asked.request.output, asked.capabilities.form) {
            // A tool cannot be forced on a model that thinks.
            (Some(output), Form::Grammar | Form::Schema) if budget.is_none() => {
                let tool = json!({
                    "name": output.name, "description": "Takes the answer.", "input_schema": output.schema,
                });
                add("tools", json!([tool]));
                add("tool_choice", json!({"type": "tool", "name": output.name}));
            }
            (Some(output), Form::Grammar | Form::Schema | Form::Object) => {
                config.insert(
                    "format".into(),
                    json!({"type": "json_schema", "schema": output.schema}),
                );
            }
            (Some(_), Form::Prompt) | (None, _) => {}
        }
        if !config.is_empty() {
            add("output_config", config.into());
        }
        if asked.capabilities.stream {
            add("stream", true.into());
        }
        Value::Object(body)
    }

    fn read(&self, event: &Value, answer: &mut Answer) {
        match event["type"].as_str() {
            Some("message_start") => usage(&event["message"]["usage"], answer),
            Some("content_block_start") => block(&event["content_block"], answer),
            Some("content_block_delta") => delta(&event["delta"], answer),
            Some("message_delta") => {
                usage(&event["usage"], answer);
                ended(&event["delta"], answer);
            }
            Some("message_stop") => answer.complete = true,
            Some("message") => {
                usage(&event["usage"], answer);
                for part in event["content"].as_array().into_iter().flatten() {
                    block(part, answer);
                    if part["type"] == "tool_use" {
                        answer.say(&part["input"].to_string());
                    }
                }
                ended(event, answer);
                answer.complete = true;
            }
            _ => {}
        }
    }
}

fn block(block: &Value, answer: &mut Answer) {
    match block["type"].as_str() {
        Some("text") => answer.say(block["text"].as_str().unwrap_or_default()),
        Some("thinking") => answer.think(block["thinking"].as_str().unwrap_or_default()),
        // What it says before it calls the tool is no part of the answer.
        Some("tool_use") => answer.begin_again(),
        _ => {}
    }
}

fn delta(delta: &Value, answer: &mut Answer) {
    match delta["type"].as_str() {
        Some("text_delta") => answer.say(delta["text"].as_str().unwrap_or_default()),
        Some("input_json_delta") => answer.say(delta["partial_json"].as_str().unwrap_or_default()),
        Some("thinking_delta") => answer.think(delta["thinking"].as_str().unwrap_or_default()),
        _ => {}
    }
}

fn ended(message: &Value, answer: &mut Answer) {
    match message["stop_reason"].as_str() {
        None => {}
        Some("max_tokens" | "model_context_window_exceeded") => answer.end(End::Length),
        Some("refusal") => answer.end(End::Declined("its safety classifiers stopped the answer".into())),
        Some(_) => answer.end(End::Stop),
    }
}

/// What was read from a cache and written to it was read all the same.
fn usage(usage: &Value, answer: &mut Answer) {
    let read = [
        "input_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
    ];
    let read: Vec<_> = read.iter().filter_map(|name| usage[name].as_u64()).collect();
    if !read.is_empty() {
        answer.prompt_tokens = Some(read.into_iter().fold(0, u64::saturating_add));
    }
    answer.completion_tokens = usage["output_tokens"].as_u64().or(answer.completion_tokens);
}
