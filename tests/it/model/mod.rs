//! Models over HTTP, against a scripted server that answers and fails as a list says.

use std::time::Duration;

use querent::{
    config::{ModelApi, ModelKey, ModelSettings, Secret},
    question::model::{ModelError, OutputSchema, Reply, Request, SharedModel},
};
use serde_json::json;

use server::ScriptedModel;
use turn::Turn;

mod answers;
mod embeddings;
mod faults;
mod limits;
mod logs;
mod network;
mod parameters;
mod requests;
pub(crate) mod server;
pub(crate) mod turn;

/// Every kind of provider.
const ALL: &[ModelApi] = ModelApi::ALL;
const KEY: &str = "sk-secret-0123456789";

/// A model behind these servers.
fn settings(api: ModelApi, servers: &[&ScriptedModel]) -> ModelSettings {
    ModelSettings {
        base_urls: servers.iter().map(|server| server.url()).collect(),
        key: ModelKey::Known(Secret::new(KEY)),
        timeout: Duration::from_secs(60),
        ..ModelSettings::new("tested", api, "model-1")
    }
}

fn model(settings: ModelSettings) -> SharedModel {
    querent::question::model::connect(settings).unwrap()
}

/// A request for free text.
fn free() -> Request {
    Request {
        agent: "sql",
        system: "You write SQL.".into(),
        user: "How many pets are there?".into(),
        output: None,
        names: Vec::new(),
        temperature: 0.0,
        max_tokens: None,
    }
}

/// A request for JSON.
fn structured() -> Request {
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

/// Asks a model of this provider that takes these turns, all of which it must use.
async fn ask(api: ModelApi, request: &Request, turns: Vec<Turn>) -> Result<Reply, ModelError> {
    let server = ScriptedModel::start(turns);
    let reply = model(settings(api, &[&server])).complete(request).await;
    server.finish();
    reply
}
