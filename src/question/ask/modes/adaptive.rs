//! As much as it takes: the embedded agents, then one call of each model from the cheapest on, then a correction or
//! a second proposal, until the proposals speak clearly enough for one result.

use super::{
    embedded, models, single,
    sot::{self, Correction},
};
use crate::question::{
    ask::{
        AskError, EMBEDDED,
        agents::{Call, Single},
        embedded::Draft,
        material,
        panel::{Chosen, Panel},
        work::Work,
    },
    prompt::Brief,
};

/// A reading of the embedded agents as likely as this is taken without asking a model. Of those on tuning questions 185 of 190
/// academic ones and 40 of 41 of business were right. To measure it again: `querent eval SET --mode embedded` on sets of both
/// kinds, and see how many of the answers with this confidence are right; at least 0.97 should be.
const EARLY: f64 = 0.975;
/// A result of models as likely as this is not asked about any further.
const ENOUGH: f64 = 0.9;
/// A result below this is worth a second proposal of the same model.
const DOUBTFUL: f64 = 0.4;
/// How freely a second proposal is made.
const TEMPERATURE: f32 = 0.8;

/// Answers as cheaply as the question allows.
pub(in crate::question::ask) async fn adaptive(work: &Work<'_>) -> Result<Chosen, AskError> {
    let mut panel = Panel::default();
    let models = match (models(work), work.registry().agents.get("single")) {
        // A model of its own makes the call in place of every tier's.
        (models, Some(own)) if !models.is_empty() => vec![own.clone()],
        (models, _) => models,
    };
    let draft = if work
        .registry()
        .tiers(&work.settings.tiers)
        .iter()
        .any(|tier| tier == EMBEDDED)
    {
        match embedded::propose(work, &mut panel).await {
            Ok(draft) => Some(draft),
            // What the embedded agents do not understand is for the models.
            Err(error @ AskError::NotUnderstood { .. }) if models.is_empty() => return Err(error),
            Err(AskError::NotUnderstood { .. } | AskError::Withheld { .. }) if !models.is_empty() => None,
            Err(error) => return Err(error),
        }
    } else {
        None
    };
    let mut answer = None;
    if !models.is_empty() && !is_clear(&panel, EARLY) {
        // They are not shown what the embedded agents wrote: a second opinion is worth something only if it is one.
        let brief = material::brief(work).await;
        for model in &models {
            answer = ask_model(work, model, &brief, &mut panel).await?.or(answer);
            if is_clear(&panel, ENOUGH) {
                break;
            }
        }
    }
    conclude(work, panel, draft, answer)
}

/// True once one result is likely enough.
fn is_clear(panel: &Panel, enough: f64) -> bool {
    panel
        .standing()
        .is_some_and(|standing| standing.confidence >= enough)
}

/// One model's part: a proposal, corrections if it does not run, a second one if much is in doubt.
async fn ask_model(
    work: &Work<'_>,
    model: &str,
    brief: &Brief,
    panel: &mut Panel,
) -> Result<Option<Single>, AskError> {
    let first = Call::first("single", model);
    let answer = single::propose(work, first, brief, panel).await?;
    if answer.is_none() {
        return Ok(None);
    }
    let doubtful = |panel: &Panel| panel.standing().is_none_or(|best| best.confidence < DOUBTFUL);
    for attempt in 1..=work.settings.max_attempts {
        if !doubtful(panel) || panel.last_failure(model).is_none() {
            break;
        }
        let correction = Correction {
            model,
            attempt,
            planned: false,
        };
        if !sot::correct(work, correction, brief, panel).await? {
            break;
        }
    }
    if doubtful(panel) && panel.standing().is_some() {
        let second = Call {
            attempt: 2,
            temperature: TEMPERATURE,
            ..first
        };
        let brief = Brief {
            previous: panel
                .proposed_by(model)
                .map(|candidate| work.told.attempt(&work.snapshot, candidate))
                .collect(),
            ..brief.clone()
        };
        single::propose(work, second, &brief, panel).await?;
    }
    Ok(answer)
}

fn conclude(
    work: &Work<'_>,
    panel: Panel,
    draft: Option<Draft>,
    answer: Option<Single>,
) -> Result<Chosen, AskError> {
    if let Some(standing) = panel.standing()
        && let Some(readings) = panel.readings(standing)
    {
        return Err(AskError::Ambiguous { readings });
    }
    let proposals = panel.describe();
    for tried in &panel.failed {
        work.trace
            .step("no answer", format!("{}: {}", tried.model, tried.error));
    }
    let chosen = panel.conclude(work)?;
    match (draft, answer) {
        (Some(draft), _) if chosen.author == EMBEDDED => embedded::explain(work, &draft),
        (_, Some(answer)) => single::explain(work, &answer),
        _ => {}
    }
    if proposals.len() > 1 {
        for proposal in proposals {
            work.trace.step("proposal", proposal);
        }
    }
    Ok(chosen)
}
