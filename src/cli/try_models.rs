//! What `querent check` tells of the configured models: each is asked for a word.

use std::time::{Duration, Instant};

use futures_util::future::join_all;

use super::Failure;
use crate::{
    config::{ModelKey, ModelSettings, Settings},
    error::length_of,
    question::model::{Budget, ModelError, Models, Reply, Request},
    service::conversation,
};

/// Time for the word.
const PATIENCE: Duration = Duration::from_secs(60);

/// What was found: a line for each model that answered, and a problem for each that did not.
#[derive(Debug, Default)]
pub(super) struct Tried {
    pub(super) told: Vec<String>,
    pub(super) problems: Vec<String>,
}

/// Asks each model for a word, all at once. Where calls are only played from a file, none is asked.
pub(super) async fn try_models(settings: &Settings) -> Result<Tried, Failure> {
    let mut tried = Tried::default();
    if settings.models.is_empty() {
        return Ok(tried);
    }
    if let (Some(file), None) = (&settings.replay, &settings.record) {
        tried.told.push(format!(
            "models: calls are played from {}; none is made",
            file.display()
        ));
        return Ok(tried);
    }
    // No recording: that a model works today is nothing to play tomorrow.
    let mut live = settings.clone();
    (live.record, live.replay) = (None, None);
    let models = conversation::models(&live)?;
    let calls = settings
        .models
        .iter()
        .map(|model| try_model(model, settings, &models));
    for (model, outcome) in settings.models.iter().zip(join_all(calls).await) {
        match outcome {
            Ok(told) => tried.told.push(format!("model {}: {told}", described(model))),
            Err(problem) => tried
                .problems
                .push(format!("model {}: {problem}", described(model))),
        }
    }
    Ok(tried)
}

fn described(model: &ModelSettings) -> String {
    let place = match model.base_urls.as_slice() {
        [] => model.api.name().to_owned(),
        addresses => addresses.join(", "),
    };
    format!("{} ({} at {place})", model.name, model.model)
}

async fn try_model(model: &ModelSettings, settings: &Settings, models: &Models) -> Result<String, String> {
    if let ModelKey::Missing { reason, hint } = &model.key
        && !model.is_local()
    {
        return Err(format!("{reason}; {hint}"));
    }
    if settings.embeddings.as_ref() == Some(&model.name) && !settings.answers(&model.name) {
        return try_embedder(model, models).await;
    }
    let request = Request {
        agent: "check",
        system: "Answer with one word.".into(),
        user: "Say: ready".into(),
        output: None,
        names: Vec::new(),
        temperature: 0.0,
        // Some models think before they say a word.
        max_tokens: Some(64),
    };
    let budget = Budget::default();
    let call = models.call(&model.name, &request, &budget);
    match tokio::time::timeout(PATIENCE, call).await {
        Ok(Ok(Reply { usage, elapsed, .. })) => Ok(format!(
            "answers, {} ms, {} tokens read, {} written",
            elapsed.as_millis(),
            usage.prompt_tokens,
            usage.completion_tokens
        )),
        Ok(Err(error)) => Err(format!("{error}; {}", hint(&error, model))),
        Err(_) => Err(format!(
            "no answer within {}; is it loading, or overloaded?",
            length_of(PATIENCE)
        )),
    }
}

async fn try_embedder(model: &ModelSettings, models: &Models) -> Result<String, String> {
    let Some(embedder) = models.embedder() else {
        return Ok("not tried".into());
    };
    let begun = Instant::now();
    let text = ["ready".to_owned()];
    match tokio::time::timeout(PATIENCE, embedder.embed(&text)).await {
        Ok(Ok(vectors)) => Ok(format!(
            "embeds, {} ms, {} dimensions",
            begun.elapsed().as_millis(),
            vectors.first().map_or(0, Vec::len)
        )),
        Ok(Err(error)) => Err(format!("{error}; {}", hint(&error, model))),
        Err(_) => Err(format!("no answer within {}", length_of(PATIENCE))),
    }
}

/// What to do about an error.
fn hint(error: &ModelError, model: &ModelSettings) -> String {
    match error {
        ModelError::Unreachable(_) if model.is_local() => "start its server, or mend base_url".into(),
        ModelError::Unreachable(_) => {
            "see base_url, and proxy and ca where a proxy or a certificate of your own stands in the way"
                .into()
        }
        ModelError::Refused {
            status: 401 | 403, ..
        } => match model.key {
            ModelKey::Known(_) => "the provider does not take the key".into(),
            _ => "it needs a key: set api_key_env or api_key_file".into(),
        },
        ModelError::Refused { status: 404, .. } => {
            format!(
                "see whether it has a model {:?}, and whether base_url is right",
                model.model
            )
        }
        ModelError::Refused { .. } => "see the settings in its [[model]]".into(),
        ModelError::Overloaded { .. } => "try again later, or see the limits of your account".into(),
        ModelError::Timeout(_) => "raise timeout or first_byte_timeout if it is slow".into(),
        ModelError::Declined(_) | ModelError::Malformed(_) => {
            "see api, and whether this is a model for chats".into()
        }
        ModelError::Budget(_) | ModelError::Unknown => "see limits in the configuration".into(),
    }
}
