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
        ensemble::{Chosen, Ensemble},
        prompt_context,
        work::Work,
    },
    embedded::is_plain,
    prompt::{Agent, PromptContext},
};

/// A reading of the embedded agents as likely as this is taken without asking a model. To measure it again: `querent eval SET
/// --mode embedded` on sets of both kinds, and see how many of the answers with this confidence are right, and which of the
/// others are wrong and not only told otherwise than by the reference; at least 0.97 should be right.
const EARLY: f64 = 0.975;
/// The same for a plain question that one table answers: there is little that a reading of it could miss.
const EARLY_WHERE_PLAIN: f64 = 0.955;
/// A result of models as likely as this is not asked about any further.
const ENOUGH: f64 = 0.9;
/// A result below this is worth a second proposal of the same model.
const DOUBTFUL: f64 = 0.4;
/// What a step is called that tells a result which was not taken.
const OTHER_READING: &str = "other reading";
/// How freely a second proposal is made.
const TEMPERATURE: f32 = 0.8;

/// Answers as cheaply as the question allows.
pub(in crate::question::ask) async fn adaptive(work: &Work<'_>) -> Result<Chosen, AskError> {
    let mut ensemble = Ensemble::default();
    let models = match (models(work), work.registry().agents.get(&Agent::Single)) {
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
        match embedded::propose(work, &mut ensemble).await {
            Ok(draft) => Some(draft),
            // What the embedded agents do not understand is for the models.
            Err(error @ AskError::NotUnderstood { .. }) if models.is_empty() => return Err(error),
            Err(AskError::NotUnderstood { .. } | AskError::Withheld { .. }) if !models.is_empty() => None,
            Err(error) => return Err(error),
        }
    } else {
        None
    };
    let mut answers = Vec::new();
    if !models.is_empty() && !is_clear(&ensemble, early(work.question, &ensemble)) {
        // They are not shown what the embedded agents wrote: a second opinion is worth something only if it is one.
        let context = prompt_context::gather(work).await;
        for model in &models {
            answers.extend(ask_model(work, model, &context, &mut ensemble).await?);
            if is_clear(&ensemble, ENOUGH) {
                break;
            }
        }
    }
    conclude(work, ensemble, draft, &answers)
}

/// How likely a reading of the embedded agents must be that no model is asked.
fn early(question: &str, ensemble: &Ensemble) -> f64 {
    match ensemble.last_of(EMBEDDED) {
        Some(sql) if sql.tables().len() == 1 && is_plain(question, sql.as_str()) => EARLY_WHERE_PLAIN,
        _ => EARLY,
    }
}

/// True once one result is likely enough.
fn is_clear(ensemble: &Ensemble, enough: f64) -> bool {
    ensemble
        .leader()
        .is_some_and(|leader| leader.confidence >= enough)
}

/// One model's part: a proposal; more of them from a model that makes several, until their results are clear; corrections
/// if none runs, and a second look if much is in doubt.
async fn ask_model(
    work: &Work<'_>,
    model: &str,
    context: &PromptContext,
    ensemble: &mut Ensemble,
) -> Result<Vec<Single>, AskError> {
    let first = Call::first(Agent::Single, model);
    let freely = |attempt: usize| Call {
        attempt,
        temperature: TEMPERATURE,
        ..first
    };
    let Some(answer) = single::propose(work, first, context, ensemble).await? else {
        return Ok(Vec::new());
    };
    let mut answers = vec![answer];
    let samples = work.registry().samples.get(model).copied().unwrap_or(1);
    for attempt in 2..=samples {
        if is_clear(ensemble, ENOUGH) {
            break;
        }
        let Some(another) = single::propose(work, freely(attempt), context, ensemble).await? else {
            break;
        };
        answers.push(another);
    }
    let doubtful = |ensemble: &Ensemble| ensemble.leader().is_none_or(|best| best.confidence < DOUBTFUL);
    for attempt in 1..=work.settings.max_attempts {
        if !doubtful(ensemble) || ensemble.last_failure(model).is_none() {
            break;
        }
        let correction = Correction {
            model,
            attempt,
            planned: false,
        };
        if !sot::correct(work, correction, context, ensemble).await? {
            break;
        }
    }
    if samples == 1 && doubtful(ensemble) && ensemble.leader().is_some() {
        let context = PromptContext {
            previous: ensemble
                .proposed_by(model)
                .map(|candidate| work.told.attempt(&work.snapshot, candidate))
                .collect(),
            ..context.clone()
        };
        answers.extend(single::propose(work, freely(2), &context, ensemble).await?);
    }
    Ok(answers)
}

fn conclude(
    work: &Work<'_>,
    ensemble: Ensemble,
    draft: Option<Draft>,
    answers: &[Single],
) -> Result<Chosen, AskError> {
    let leader = ensemble.leader();
    if let Some(leader) = leader
        && let Some(readings) = ensemble.readings(leader)
    {
        return Err(AskError::Ambiguous { readings });
    }
    for other in leader.map(|leader| ensemble.others(leader)).unwrap_or_default() {
        work.trace.step(OTHER_READING, other);
    }
    let proposals = ensemble.describe();
    for tried in &ensemble.failed {
        work.trace
            .step("no answer", format!("{}: {}", tried.model, tried.error));
    }
    let chosen = ensemble.conclude(work)?;
    // Where a correction or another reading was chosen, the first says how the question was read.
    let own = answers.iter().find(|answer| answer.sql == chosen.written);
    match (draft, own.or(answers.first())) {
        (Some(draft), _) if chosen.author == EMBEDDED => embedded::explain(work, &draft),
        (_, Some(answer)) => single::explain(work, answer),
        _ => {}
    }
    if proposals.len() > 1 {
        for proposal in proposals {
            work.trace.step("proposal", proposal);
        }
    }
    Ok(chosen)
}
