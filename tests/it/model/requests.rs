//! What is sent, in every provider's format.

use querent::{
    config::{ModelApi, ModelKey, ModelSettings, Secret, StructuredOutput},
    question::model::Request,
};
use serde_json::{Value, json};

use super::{
    KEY, free, model,
    server::{ScriptedModel, Seen},
    settings, structured,
    turn::Turn,
};

/// The one request that an answer takes.
async fn sent(api: ModelApi, request: &Request, change: impl FnOnce(&mut ModelSettings)) -> Seen {
    let server = ScriptedModel::start(vec![Turn::says("{}")]);
    let mut settings = settings(api, &[&server]);
    change(&mut settings);
    model(settings).complete(request).await.unwrap();
    server.finish().remove(0)
}

async fn check(api: ModelApi, request: &Request, change: impl FnOnce(&mut ModelSettings), body: Value) {
    let seen = sent(api, request, change).await;
    // As text, because a model writes its fields in the order of the schema.
    let text = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    assert_eq!(text(&seen.body), text(&body), "{api:?}");
}

fn limited() -> Request {
    Request {
        temperature: 0.7,
        max_tokens: Some(900),
        ..structured()
    }
}

const WORDS: &str = "You write SQL.\n\nAnswer with one JSON object and nothing else. Its JSON schema:\n{\"type\":\"object\",\"properties\":{\"thought\":{\"type\":\"string\"},\"sql\":{\"type\":\"string\"}},\"required\":[\"thought\",\"sql\"],\"additionalProperties\":false}";

#[tokio::test]
async fn openai_and_its_kin() {
    let schema = structured().output.unwrap().schema;
    let user = json!({"role": "user", "content": "How many pets are there?"});
    for api in [ModelApi::OpenAi, ModelApi::Ollama] {
        check(
            api,
            &free(),
            |_| {},
            json!({
                "model": "model-1",
                "messages": [{"role": "system", "content": "You write SQL."}, user],
                "temperature": 0.0,
                "stream": true,
                "stream_options": {"include_usage": true},
            }),
        )
        .await;
        let everything = |settings: &mut ModelSettings| {
            settings.max_tokens = Some(1000);
            settings.reasoning_effort = Some("low".into());
        };
        check(api, &limited(), everything, json!({
            "model": "model-1",
            "messages": [{"role": "system", "content": "You write SQL."}, user],
            "temperature": 0.7,
            "max_tokens": 900,
            "reasoning_effort": "low",
            "stream": true,
            "stream_options": {"include_usage": true},
            "response_format": {
                "type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": schema},
            },
        }))
        .await;
        for (form, format) in [
            (StructuredOutput::Json, json!({"type": "json_object"})),
            (StructuredOutput::Off, Value::Null),
        ] {
            let seen = sent(api, &structured(), |settings| settings.structured_output = form).await;
            assert_eq!(
                seen.body["messages"][0],
                json!({"role": "system", "content": WORDS})
            );
            assert_eq!(seen.body["response_format"], format);
        }
    }
    let named = Request {
        names: vec!["orders".to_owned()],
        ..structured()
    };
    let grammar = |settings: &mut ModelSettings| settings.structured_output = StructuredOutput::Grammar;
    let seen = sent(ModelApi::OpenAi, &named, grammar).await;
    assert_eq!(seen.body["response_format"], Value::Null);
    let grammar = seen.body["grammar"].as_str().unwrap();
    assert!(grammar.contains("name ::= \"orders\" |"), "{grammar}");
    let bare = Request {
        system: String::new(),
        ..free()
    };
    let seen = sent(ModelApi::OpenAi, &bare, |_| {}).await;
    assert_eq!(seen.body["messages"], json!([user]));
    assert_eq!(seen.path, "/v1/chat/completions");
}

#[tokio::test]
async fn anthropic() {
    let schema = structured().output.unwrap().schema;
    let messages = json!([{"role": "user", "content": "How many pets are there?"}]);
    check(
        ModelApi::Anthropic,
        &free(),
        |_| {},
        json!({
            "model": "model-1", "max_tokens": 8192, "system": "You write SQL.", "messages": messages,
            "temperature": 0.0, "stream": true,
        }),
    )
    .await;
    check(ModelApi::Anthropic, &limited(), |settings| settings.reasoning_effort = Some("medium".into()), json!({
        "model": "model-1", "max_tokens": 900, "system": "You write SQL.", "messages": messages, "temperature": 0.7,
        "tools": [{"name": "answer", "description": "Takes the answer.", "input_schema": schema}],
        "tool_choice": {"type": "tool", "name": "answer"},
        "output_config": {"effort": "medium"},
        "stream": true,
    }))
    .await;
    let thinks = |settings: &mut ModelSettings| {
        settings.reasoning_effort = Some("100000".into());
        settings.max_tokens = Some(4096);
    };
    check(
        ModelApi::Anthropic,
        &structured(),
        thinks,
        json!({
            "model": "model-1", "max_tokens": 4096, "system": "You write SQL.", "messages": messages,
            "thinking": {"type": "enabled", "budget_tokens": 3072},
            "output_config": {"format": {"type": "json_schema", "schema": schema}},
            "stream": true,
        }),
    )
    .await;
    let seen = sent(ModelApi::Anthropic, &structured(), |settings| {
        settings.structured_output = StructuredOutput::Off;
    })
    .await;
    assert_eq!(seen.body["system"], WORDS);
    assert!(seen.body["tools"].is_null() && seen.body["output_config"].is_null());
    assert_eq!(seen.path, "/v1/messages");
}

#[tokio::test]
async fn gemini() {
    let system = json!({"parts": [{"text": "You write SQL."}]});
    let contents = json!([{"role": "user", "parts": [{"text": "How many pets are there?"}]}]);
    check(
        ModelApi::Gemini,
        &free(),
        |_| {},
        json!({
            "systemInstruction": system, "contents": contents, "generationConfig": {"temperature": 0.0},
        }),
    )
    .await;
    for (effort, thinking) in [
        ("512", json!({"thinkingBudget": 512})),
        ("-1", json!({"thinkingBudget": -1})),
        ("low", json!({"thinkingLevel": "low"})),
    ] {
        check(
            ModelApi::Gemini,
            &limited(),
            |settings| settings.reasoning_effort = Some(effort.into()),
            json!({
                "systemInstruction": system,
                "contents": contents,
                "generationConfig": {
                    "temperature": 0.7,
                    "maxOutputTokens": 900,
                    "thinkingConfig": thinking,
                    "responseMimeType": "application/json",
                    "responseSchema": {
                        "required": ["thought", "sql"],
                        "type": "object",
                        "propertyOrdering": ["thought", "sql"],
                        "properties": {"thought": {"type": "string"}, "sql": {"type": "string"}},
                    },
                },
            }),
        )
        .await;
    }
    let seen = sent(ModelApi::Gemini, &structured(), |settings| {
        settings.structured_output = StructuredOutput::Json;
    })
    .await;
    assert_eq!(
        seen.body["generationConfig"]["responseMimeType"],
        "application/json"
    );
    assert!(seen.body["generationConfig"]["responseSchema"].is_null());
    assert_eq!(seen.path, "/v1beta/models/model-1:streamGenerateContent?alt=sse");
}

#[tokio::test]
async fn keys_and_headers_are_sent_as_each_provider_wants_them() {
    for (api, header, value) in [
        (ModelApi::OpenAi, "authorization", format!("Bearer {KEY}")),
        (ModelApi::Ollama, "authorization", format!("Bearer {KEY}")),
        (ModelApi::Anthropic, "x-api-key", KEY.to_owned()),
        (ModelApi::Gemini, "x-goog-api-key", KEY.to_owned()),
    ] {
        let more = |settings: &mut ModelSettings| {
            settings.headers.insert("X-Team".into(), Secret::new("blue"));
        };
        let seen = sent(api, &free(), more).await;
        assert_eq!(seen.header(header), Some(value.as_str()), "{api:?}");
        assert_eq!(seen.header("x-team"), Some("blue"));
        let version = seen.header("anthropic-version");
        assert_eq!(version, (api == ModelApi::Anthropic).then_some("2023-06-01"));
        let agent = seen.header("user-agent").unwrap();
        assert!(agent.starts_with("querent/"), "{agent}");
        let seen = sent(api, &free(), |settings| settings.key = ModelKey::None).await;
        assert_eq!(seen.header(header), None, "{api:?}");
    }
}
