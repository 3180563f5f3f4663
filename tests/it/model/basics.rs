//! A question and its answer in every provider's format.

use std::time::Duration;

use querent::model::{Api, ModelError, ModelSettings, OutputSchema, Reply, Request, Secret, SharedModel};
use serde_json::json;

use super::{server::ScriptedModel, turn::Turn};

/// A model behind these servers that nothing slows down.
pub(super) fn settings(api: Api, servers: &[&ScriptedModel]) -> ModelSettings {
    ModelSettings {
        base_urls: servers.iter().map(|server| server.url()).collect(),
        api_key: Some(Secret::new("sk-secret-0123456789")),
        ..ModelSettings::new("tested", api, "model-1")
    }
}

pub(super) fn model(settings: ModelSettings) -> SharedModel {
    querent::model::connect(settings).unwrap()
}

/// A request for free text.
pub(super) fn free() -> Request {
    Request {
        agent: "sql",
        system: "You write SQL.".into(),
        user: "How many pets are there?".into(),
        output: None,
        temperature: 0.0,
        max_tokens: None,
    }
}

/// A request for JSON.
pub(super) fn structured() -> Request {
    let schema = json!({
        "type": "object",
        "properties": {"thought": {"type": "string"}, "sql": {"type": "string"}},
        "required": ["thought", "sql"],
        "additionalProperties": false,
    });
    Request {
        output: Some(OutputSchema {
            name: "answer",
            schema,
        }),
        ..free()
    }
}

pub(super) const ALL: [Api; 4] = [Api::OpenAi, Api::Anthropic, Api::Gemini, Api::Ollama];

/// Asks a model of this provider that takes these turns, all of which it must use.
pub(super) async fn ask(api: Api, request: &Request, turns: Vec<Turn>) -> Result<Reply, ModelError> {
    let server = ScriptedModel::start(turns);
    let settings = ModelSettings {
        timeout: Duration::from_secs(60),
        ..settings(api, &[&server])
    };
    let reply = model(settings).complete(request).await;
    server.finish();
    reply
}

#[tokio::test]
async fn every_provider_answers() {
    let answer = json!({"thought": "count — ünïcode", "sql": "SELECT count(*)\nFROM pet"}).to_string();
    for api in ALL {
        for request in [free(), structured()] {
            for whole in [false, true] {
                let turn = Turn::says(&answer).took(120, 34);
                let turn = if whole { turn.whole() } else { turn };
                let reply = ask(api, &request, vec![turn]).await.unwrap();
                assert_eq!(reply.text, answer, "{api:?} {whole}");
                assert_eq!(
                    (reply.usage.prompt_tokens, reply.usage.completion_tokens),
                    (120, 34)
                );
                assert!(!reply.cut);
            }
        }
    }
}
