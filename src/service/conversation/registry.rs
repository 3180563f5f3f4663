//! Who answers by the settings, and with which words they are asked.

use std::collections::BTreeMap;

use crate::{
    config::{ConfigError, ModelSettings, Settings, StructuredOutput, Terse},
    question::{
        ask::{self, ModelRegistry},
        model::{ModelSetupError, Models},
        prompt::{Agent, Prompts, Values},
    },
};

/// Proposals of a small model whose SQL is in doubt.
const OF_SMALL: usize = 5;

/// The models that the settings name. A model that lacks its key is refused, or logged where that may be right. Nothing
/// is sent to a model yet.
pub fn registry(settings: &Settings) -> Result<ModelRegistry, ConfigError> {
    for warning in settings.check_models()? {
        tracing::warn!("{warning}");
    }
    let skills: BTreeMap<String, f64> = settings
        .models
        .iter()
        .map(|model| {
            let skill = model.accuracy.unwrap_or_else(|| ask::prior(&model.model));
            (model.name.clone(), skill)
        })
        .collect();
    let is_terse = |model: &&ModelSettings| match model.terse {
        Terse::On => true,
        Terse::Off => false,
        Terse::Auto => ask::is_small(&model.model),
    };
    let terse = settings.models.iter().filter(is_terse);
    let samples = settings.models.iter().map(|model| {
        let usual = if ask::is_small(&model.model) { OF_SMALL } else { 1 };
        (model.name.clone(), model.samples.unwrap_or(usual))
    });
    let held = |model: &&ModelSettings| model.structured_output == StructuredOutput::Grammar;
    let named = settings.models.iter().filter(held);
    Ok(ModelRegistry {
        terse: terse.map(|model| model.name.clone()).collect(),
        samples: samples.filter(|(_, samples)| *samples > 1).collect(),
        named: named.map(|model| model.name.clone()).collect(),
        models: models(settings)?,
        tiers: settings.tiers.clone(),
        agents: settings
            .agents
            .iter()
            .filter_map(|(agent, model)| Some((Agent::named(agent)?, model.to_owned())))
            .collect(),
        skills,
        prompts: Prompts::new(settings.prompts.as_deref()).map_err(|error| ConfigError {
            message: error.to_string(),
            hint: Some("prompts names a folder with templates AGENT.md".into()),
        })?,
        conventions: settings.conventions.clone(),
        values: if settings.privacy.send_values {
            Values::Send
        } else {
            Values::Withhold
        },
        prompt_tokens: usize::try_from(settings.limits.prompt_tokens).unwrap_or(usize::MAX),
    })
}

/// The models alone, whether they have their keys or not.
pub fn models(settings: &Settings) -> Result<Models, ConfigError> {
    Models::connect(settings).map_err(|error| ConfigError {
        hint: Some(hint(&error).to_owned()),
        message: error.to_string(),
    })
}

fn hint(error: &ModelSetupError) -> &'static str {
    match error {
        ModelSetupError::Address { .. } => "write base_url as http://HOST[:PORT][/PATH] or https://…",
        ModelSetupError::Header { .. } => "see headers in its [[model]]",
        ModelSetupError::Certificates { .. } => {
            "let ca in its [[model]], or SSL_CERT_FILE, name a PEM file with certificates"
        }
        ModelSetupError::Setting { .. } => "`querent config` says what each setting of a [[model]] means",
        ModelSetupError::Recording { .. } => "see record and replay in `querent config`",
    }
}
