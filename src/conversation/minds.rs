//! Who answers by the settings.

use crate::{
    ask::Minds,
    config::{ConfigError, Settings},
    model::{ModelSetupError, Models},
};

/// The minds that the settings name. Nothing is sent to a model yet.
pub fn minds(settings: &Settings) -> Result<Minds, ConfigError> {
    let models = Models::connect(settings).map_err(|error| ConfigError {
        hint: Some(hint(&error).to_owned()),
        message: error.to_string(),
    })?;
    Ok(Minds {
        models,
        tiers: settings.tiers.clone(),
        agents: settings.agents.clone(),
        ..Minds::default()
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
