//! Who may answer: the embedded agents and the models behind them, cheapest first.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::question::{
    model::Models,
    prompt::{Agent, Prompts, Values},
};

/// The tier that needs no model.
pub const EMBEDDED: &str = "embedded";

/// What all questions share, until the configuration changes.
#[derive(Debug)]
pub struct ModelRegistry {
    /// The models by name.
    pub models: Models,
    /// [`EMBEDDED`] and names of models, cheapest first; empty for the embedded agents and then every model.
    pub tiers: Vec<String>,
    /// Which model serves an agent, where it is not the tier's.
    pub agents: BTreeMap<Agent, String>,
    /// How often a model's SQL is right, 0 to 1: as the configuration says, or as its name tells.
    pub skills: BTreeMap<String, f64>,
    /// Models that are asked for SQL alone.
    pub terse: BTreeSet<String>,
    /// Models that make several proposals where their SQL is in doubt, and how many.
    pub samples: BTreeMap<String, usize>,
    /// Models that are held to a grammar, which has the names of the schema.
    pub named: BTreeSet<String>,
    /// What models are told.
    pub prompts: Prompts,
    /// What models are told of what questions leave open.
    pub conventions: String,
    /// Whether models over HTTP may see stored values.
    pub values: Values,
    /// Tokens that a prompt may have.
    pub prompt_tokens: usize,
}

impl Default for ModelRegistry {
    fn default() -> Self {
        Self {
            models: Models::default(),
            tiers: Vec::new(),
            agents: BTreeMap::new(),
            skills: BTreeMap::new(),
            terse: BTreeSet::new(),
            samples: BTreeMap::new(),
            named: BTreeSet::new(),
            prompts: Prompts::default(),
            conventions: String::new(),
            values: Values::Send,
            prompt_tokens: 12_000,
        }
    }
}

impl ModelRegistry {
    /// The embedded agents alone.
    pub fn embedded() -> Arc<Self> {
        Arc::default()
    }

    /// The tiers that may answer, cheapest first: those of `wanted`, or all where it names none.
    pub(super) fn tiers(&self, wanted: &[String]) -> Vec<String> {
        let all = || -> Vec<String> {
            if self.tiers.is_empty() {
                let models = self.models.names().map(str::to_owned);
                std::iter::once(EMBEDDED.to_owned()).chain(models).collect()
            } else {
                self.tiers.clone()
            }
        };
        if wanted.is_empty() { all() } else { wanted.to_vec() }
    }
}
