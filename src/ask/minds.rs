//! Who may answer: the embedded agents and the models behind them, cheapest first.

use std::{collections::BTreeMap, sync::Arc};

use crate::model::Models;

/// The tier that needs no model.
pub const EMBEDDED: &str = "embedded";

/// What all questions share, until the configuration changes.
#[derive(Debug, Clone, Default)]
pub struct Minds {
    /// The models by name.
    pub models: Models,
    /// [`EMBEDDED`] and names of models, cheapest first; empty for the embedded agents and then every model.
    pub tiers: Vec<String>,
    /// Which model serves an agent, where it is not the tier's.
    pub agents: BTreeMap<String, String>,
}

impl Minds {
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
