//! Gemini's `generateContent` and `streamGenerateContent`.

use serde_json::{Map, Value, json};

use super::{
    answer::{Answer, End},
    attempt::Asked,
    dialect::Form,
    gemini_schema,
};

/// The request.
pub(super) fn body(asked: &Asked<'_>) -> Value {
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
        if asked.dialect.form != Form::Prompt {
            config.insert("responseMimeType".into(), "application/json".into());
        }
        if asked.dialect.form == Form::Schema {
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

/// A chunk of a stream, or the whole answer.
pub(super) fn read(event: &Value, answer: &mut Answer) {
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
