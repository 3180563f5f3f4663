//! The models that are configured, by name.

use std::sync::Arc;

use super::{
    Budget, Cassette, ModelError, ModelSetupError, Reply, Request, SharedEmbedder, SharedModel, connect,
    connect_embedder, replay::CassetteModel, vectors::Remembering,
};
use crate::{
    config::{self, ModelSettings},
    telemetry::metrics,
};

/// The models that may be called, cheapest first.
#[derive(Debug, Default, Clone)]
pub struct Models {
    all: Vec<SharedModel>,
    embedder: Option<SharedEmbedder>,
}

impl Models {
    /// These models, cheapest first.
    pub fn of(all: Vec<SharedModel>) -> Self {
        Self { all, embedder: None }
    }

    /// Those of the configuration: over HTTP, recorded or played as it says. Nothing is sent yet.
    pub fn connect(settings: &config::Settings) -> Result<Self, ModelSetupError> {
        let cassette = Cassette::open(settings.record.as_deref(), settings.replay.as_deref())?;
        let of = |model: &ModelSettings| -> Result<SharedModel, ModelSetupError> {
            Ok(match &cassette {
                None => connect(model.clone())?,
                Some(cassette) if cassette.calls_models() => Arc::new(CassetteModel::around(
                    connect(model.clone())?,
                    Arc::clone(cassette),
                )),
                Some(cassette) => {
                    let prices = (model.price_in, model.price_out);
                    Arc::new(CassetteModel::of_name(&model.name, prices, Arc::clone(cassette)))
                }
            })
        };
        let embeds = |model: &&ModelSettings| settings.embeddings.as_ref() == Some(&model.name);
        let answers = |model: &&ModelSettings| !embeds(model) || settings.answers(&model.name);
        let embedder = settings.models.iter().find(embeds);
        let remembering = |embedder| Arc::new(Remembering::new(embedder)) as SharedEmbedder;
        // What is played needs no network, and vectors are not recorded.
        let embedder = embedder.filter(|_| settings.replay.is_none() || settings.record.is_some());
        Ok(Self {
            all: settings
                .models
                .iter()
                .filter(answers)
                .map(of)
                .collect::<Result<_, _>>()?,
            embedder: embedder
                .map(|model| connect_embedder(model.clone()))
                .transpose()?
                .map(remembering),
        })
    }

    /// What turns texts into vectors, if anything is configured for it.
    pub fn embedder(&self) -> Option<&SharedEmbedder> {
        self.embedder.as_ref()
    }

    /// Their names, cheapest first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|model| model.name())
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// True if there is one of this name.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// Calls a model and takes what it costs out of the budget. Dropping the future ends the call.
    pub async fn call(&self, name: &str, request: &Request, budget: &Budget) -> Result<Reply, ModelError> {
        let model = self
            .all
            .iter()
            .find(|model| model.name() == name)
            .ok_or(ModelError::Unknown)?;
        let reserved = budget.reserve(model.as_ref(), request);
        let reservation = reserved.inspect_err(|error| metrics::model_error(name, error.kind()))?;
        let within_limits = Request {
            max_tokens: reservation.max_tokens,
            ..request.clone()
        };
        let counted = metrics::model_call(name);
        let (outcome, usage) = model.complete_counted(&within_limits).await;
        match &outcome {
            Ok(_) => counted.answered(),
            Err(error) => counted.failed(error.kind()),
        }
        reservation.settle(&outcome, usage);
        outcome
    }
}
