//! OpenAI's chat completions, as its compatible servers speak them too.

use reqwest::Url;
use serde_json::{Map, Value, json};

use super::{
    address::below,
    answer::{Answer, End},
    attempt::Asked,
    capabilities::{Form, LIMIT_NAMES},
    provider::Provider,
};
use crate::question::model::grammar::grammar;

/// OpenAI, and every server that is compatible with it.
#[derive(Debug)]
pub(super) struct OpenAi;

impl Provider for OpenAi {
    fn own_address(&self) -> &'static str {
        "https://api.openai.com/v1"
    }

    // Gateways have paths of their own.
    fn missing_version(&self, path: &str) -> &'static str {
        if path.is_empty() { "/v1" } else { "" }
    }

    fn chat_address(&self, base: &Url, _model: &str, _streamed: bool) -> Url {
        below(base, &["chat", "completions"])
    }

    // Compatible servers know the older name.
    fn limit_name(&self, host: Option<&str>) -> &'static str {
        LIMIT_NAMES[usize::from(host == Some("api.openai.com"))]
    }

    fn body(&self, asked: &Asked<'_>) -> Value {
        let mut messages = vec![];
        let system = asked.system();
        if !system.is_empty() {
            messages.push(json!({"role": "system", "content": system}));
        }
        messages.push(json!({"role": "user", "content": asked.request.user}));
        let mut body = Map::new();
        let mut add = |name: &str, value: Value| body.insert(name.to_owned(), value);
        add("model", asked.model.into());
        add("messages", messages.into());
        if let Some(temperature) = asked.temperature() {
            add("temperature", temperature.into());
        }
        if let (Some(name), Some(most)) = (asked.capabilities.limit, asked.most_tokens) {
            add(name, most.into());
        }
        if let Some(effort) = asked.effort {
            add("reasoning_effort", effort.into());
        }
        if asked.capabilities.stream {
            add("stream", true.into());
        }
        if asked.capabilities.stream && asked.capabilities.usage {
            add("stream_options", json!({"include_usage": true}));
        }
        match (&asked.request.output, asked.capabilities.form) {
            (Some(output), Form::Schema) => {
                let schema = json!({"name": output.name, "strict": true, "schema": output.schema});
                add(
                    "response_format",
                    json!({"type": "json_schema", "json_schema": schema}),
                );
            }
            (Some(output), Form::Grammar) => {
                add("grammar", grammar(output, &asked.request.names).into());
            }
            (Some(_), Form::Object) => {
                add("response_format", json!({"type": "json_object"}));
            }
            (Some(_), Form::Prompt) | (None, _) => {}
        }
        Value::Object(body)
    }

    fn read(&self, event: &Value, answer: &mut Answer) {
        // Groq tells its usage in a place of its own.
        for usage in [&event["usage"], &event["x_groq"]["usage"]] {
            answer.prompt_tokens = usage["prompt_tokens"].as_u64().or(answer.prompt_tokens);
            answer.completion_tokens = usage["completion_tokens"].as_u64().or(answer.completion_tokens);
        }
        let choice = &event["choices"][0];
        let message = match &choice["message"] {
            Value::Null => &choice["delta"],
            message => message,
        };
        for thought in ["reasoning_content", "reasoning"] {
            answer.think(message[thought].as_str().unwrap_or_default());
        }
        match &message["content"] {
            Value::String(text) => answer.say(text),
            Value::Array(parts) => parts.iter().for_each(|part| read_part(part, answer)),
            _ => {}
        }
        answer.refuse(message["refusal"].as_str().unwrap_or_default());
        match choice["finish_reason"].as_str() {
            None if message.is_object() && !choice["message"].is_null() => answer.end(End::Stop),
            None => {}
            Some("length" | "max_tokens") => answer.end(End::Length),
            Some("content_filter") => {
                answer.end(End::Declined("its content filter stopped the answer".into()));
            }
            Some(_) => answer.end(End::Stop),
        }
    }
}

/// A part of a message that is a list, as Mistral's thinking models write it.
fn read_part(part: &Value, answer: &mut Answer) {
    match part["type"].as_str() {
        Some("thinking" | "reasoning") => answer.think(&part["thinking"].to_string()),
        _ => answer.say(part["text"].as_str().unwrap_or_default()),
    }
}
