//! Gemini's `generateContent` and `streamGenerateContent`.

use reqwest::Url;
use serde_json::{Map, Value, json};

use super::{
    address::below,
    answer::{Answer, End},
    attempt::Asked,
    capabilities::Form,
    gemini_schema,
    provider::Provider,
};

/// Gemini.
#[derive(Debug)]
pub(super) struct Gemini;

impl Gemini {
    fn method(base: &Url, model: &str, method: &str) -> Url {
        below(base, &["models", &format!("{}:{method}", bare(model))])
    }
}

/// The name of a model without what the interface puts before it.
fn bare(model: &str) -> &str {
    model.trim_start_matches("models/")
}

impl Provider for Gemini {
    fn own_address(&self) -> &'static str {
        "https://generativelanguage.googleapis.com/v1beta"
    }

    fn missing_version(&self, path: &str) -> &'static str {
        if path.contains("/v1") { "" } else { "/v1beta" }
    }

    fn chat_address(&self, base: &Url, model: &str, streamed: bool) -> Url {
        if !streamed {
            return Self::method(base, model, "generateContent");
        }
        let mut address = Self::method(base, model, "streamGenerateContent");
        address.query_pairs_mut().append_pair("alt", "sse");
        address
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-goog-api-key", key.to_owned())
    }

    fn embeddings_address(&self, base: &Url, model: &str) -> Url {
        Self::method(base, model, "batchEmbedContents")
    }

    fn embeddings_body(&self, model: &str, texts: &[&str]) -> Value {
        let model = format!("models/{}", bare(model));
        let request = |text: &&str| json!({"model": model, "content": {"parts": [{"text": text}]}});
        json!({"requests": texts.iter().map(request).collect::<Vec<_>>()})
    }

    fn embeddings_list<'a>(&self, answer: &'a Value) -> &'a Value {
        &answer["embeddings"]
    }

    fn body(&self, asked: &Asked<'_>) -> Value {
        let mut config = Map::new();
        if let Some(temperature) = asked.temperature() {
            config.insert("temperature".into(), temperature.into());
        }
        if let Some(most) = asked.most_tokens {
            config.insert("maxOutputTokens".into(), most.into());
        }
        if let Some(effort) = asked.effort {
            let thinking = match effort.parse::<i64>() {
                Ok(budget) => json!({"thinkingBudget": budget}),
                Err(_) => json!({"thinkingLevel": effort}),
            };
            config.insert("thinkingConfig".into(), thinking);
        }
        if let Some(output) = &asked.request.output {
            if asked.capabilities.form != Form::Prompt {
                config.insert("responseMimeType".into(), "application/json".into());
            }
            if matches!(asked.capabilities.form, Form::Grammar | Form::Schema) {
                config.insert("responseSchema".into(), gemini_schema::from(&output.schema));
            }
        }
        let mut body = Map::new();
        let system = asked.system();
        if !system.is_empty() {
            body.insert("systemInstruction".into(), json!({"parts": [{"text": system}]}));
        }
        let user = json!([{"role": "user", "parts": [{"text": asked.request.user}]}]);
        body.insert("contents".into(), user);
        body.insert("generationConfig".into(), config.into());
        Value::Object(body)
    }

    fn read(&self, event: &Value, answer: &mut Answer) {
        let usage = &event["usageMetadata"];
        answer.prompt_tokens = usage["promptTokenCount"].as_u64().or(answer.prompt_tokens);
        let written = ["candidatesTokenCount", "thoughtsTokenCount"];
        let written: Vec<_> = written.iter().filter_map(|name| usage[name].as_u64()).collect();
        if !written.is_empty() {
            answer.completion_tokens = Some(written.into_iter().fold(0, u64::saturating_add));
        }
        if let Some(reason) = event["promptFeedback"]["blockReason"].as_str() {
            answer.end(End::Declined(format!("the prompt was blocked ({reason})")));
        }
        let candidate = &event["candidates"][0];
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            let text = part["text"].as_str().unwrap_or_default();
            match part["thought"].as_bool() {
                Some(true) => answer.think(text),
                _ => answer.say(text),
            }
        }
        match candidate["finishReason"].as_str() {
            None | Some("FINISH_REASON_UNSPECIFIED") => {}
            Some("STOP") => answer.end(End::Stop),
            Some("MAX_TOKENS") => answer.end(End::Length),
            Some(reason) => answer.end(End::Declined(format!("the answer was stopped ({reason})"))),
        }
    }
}
