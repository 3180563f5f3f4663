//! The baseline of comparisons: one bare call, as anybody would make it. Nothing of ours helps it.

use super::{AskError, ModelRegistry, Tried};
use crate::{
    backend::Backend,
    question::{
        model::{Budget, ModelError, Request, json},
        prompt::{self, Agent, PromptContext},
    },
};

/// Tokens that the answer may have.
const LONGEST_ANSWER: u64 = 1_024;

/// The first model's SQL as it wrote it, neither checked nor run: one call with the full `CREATE TABLE` text and the
/// question.
pub async fn plain(
    database: &dyn Backend,
    question: &str,
    registry: &ModelRegistry,
    budget: &Budget,
) -> Result<String, AskError> {
    let no_model = |model: &str, error: ModelError| AskError::NoModel {
        tried: vec![Tried {
            model: model.to_owned(),
            error: error.to_string(),
        }],
    };
    let Some(model) = registry.models.names().next() else {
        return Err(AskError::NoModel { tried: Vec::new() });
    };
    let snapshot = database.snapshot().await?;
    let context = PromptContext {
        dialect: snapshot.dialect.name(),
        schema: prompt::plain_schema(&snapshot),
        question: question.to_owned(),
        ..PromptContext::default()
    };
    let prompt = registry
        .prompts
        .render(Agent::Plain, &context)
        .map_err(|error| no_model(model, ModelError::Malformed(error.to_string())))?;
    let request = Request {
        agent: Agent::Plain.name(),
        system: prompt.system,
        user: prompt.user,
        output: None,
        names: Vec::new(),
        temperature: 0.0,
        max_tokens: Some(LONGEST_ANSWER),
    };
    let reply = registry.models.call(model, &request, budget).await;
    let reply = reply.map_err(|error| no_model(model, error))?;
    // A fence around it is how a model answers; what is in it is its statement.
    json::sql_in(&reply.text)
        .ok_or_else(|| no_model(model, ModelError::Malformed("no SQL in the answer".into())))
}
