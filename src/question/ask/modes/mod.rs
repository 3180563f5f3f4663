//! How the agents work together: the embedded agents alone, one call of a model, all agents by models, or as much
//! as it takes.

mod adaptive;
mod embedded;
mod single;
mod sot;

pub(super) use adaptive::adaptive;
pub(super) use embedded::embedded;
pub(super) use single::single;
pub(super) use sot::sot;

use super::{AskError, EMBEDDED, confidence::Expected, prior, work::Work};
use crate::question::prompt::Agent;

/// The models among the tiers that may answer, cheapest first.
fn models(work: &Work<'_>) -> Vec<String> {
    let tiers = work.registry().tiers(&work.settings.tiers);
    tiers.into_iter().filter(|tier| tier != EMBEDDED).collect()
}

/// The model that serves an agent: its own, else the cheapest of the tiers.
fn model_of(work: &Work<'_>, agent: Agent) -> Result<String, AskError> {
    let own = work.registry().agents.get(&agent).cloned();
    own.or_else(|| models(work).into_iter().next())
        .ok_or_else(|| AskError::NoModel { tried: Vec::new() })
}

/// How likely a model's SQL is right before anything is known of it.
fn skill(work: &Work<'_>, model: &str) -> Expected {
    let known = work.registry().skills.get(model).copied();
    expected(work, model, known.unwrap_or_else(|| prior(model)))
}

/// How likely an author's SQL is right, by how good it has turned out to be on this database.
fn expected(work: &Work<'_>, author: &str, claimed: f64) -> Expected {
    let settings = work.settings;
    let asked = (settings.database.as_str(), work.question);
    Expected {
        claimed,
        likely: settings.skills.skill(asked, &settings.user, (author, claimed)),
        assumes: false,
        sampled: false,
    }
}
