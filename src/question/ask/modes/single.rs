//! One call of a model: reasoning, assumptions, SQL and alternatives at once.

use super::{model_of, skill};
use crate::question::{
    ask::{
        AskError,
        agents::{self, Call, Single},
        candidate,
        ensemble::{Chosen, Ensemble},
        prompt_context,
        work::Work,
    },
    prompt::{Agent, PromptContext},
};

/// What an alternative reading keeps of its author's skill: the model itself prefers another.
const ALTERNATIVE: f64 = 0.5;

/// Answers with one call.
pub(in crate::question::ask) async fn single(work: &Work<'_>) -> Result<Chosen, AskError> {
    let model = model_of(work, Agent::Single)?;
    let context = prompt_context::gather(work).await;
    let mut ensemble = Ensemble::default();
    let answer = propose(work, Call::first(Agent::Single, &model), &context, &mut ensemble).await?;
    let chosen = ensemble.conclude(work)?;
    if let Some(answer) = answer {
        explain(work, &answer);
    }
    Ok(chosen)
}

/// Lets a model propose SQL, and other readings where it sees any. `None` if it gave no answer, which the ensemble knows.
pub(super) async fn propose(
    work: &Work<'_>,
    who: Call<'_>,
    context: &PromptContext,
    ensemble: &mut Ensemble,
) -> Result<Option<Single>, AskError> {
    let answer = match agents::single(work, who, context).await {
        Ok(answer) => answer,
        Err(error) => {
            ensemble.failed(who.model, &error);
            return Ok(None);
        }
    };
    if answer.sql.trim().is_empty() {
        ensemble.declined = Some(match answer.reasoning.trim() {
            "" => "the model found no answer in this database".to_owned(),
            reason => reason.to_owned(),
        });
        return Ok(None);
    }
    let skill = skill(work, who.model)
        .assuming(!answer.assumptions.is_empty())
        .sampled(who.temperature > 0.0);
    for alternative in &answer.alternatives {
        let sql = alternative.sql.clone();
        let other = candidate::examine(work, who.model, sql, who.attempt).await?;
        // A reading that does not run is none.
        if other.runs().is_some() {
            let reading = match alternative.reading.trim() {
                "" => "another reading".to_owned(),
                reading => reading.to_owned(),
            };
            ensemble.propose(other, skill.times(ALTERNATIVE), Some(reading));
        }
    }
    // The one that counts comes last, so that its failure is the one that is told.
    let candidate = candidate::examine(work, who.model, answer.sql.clone(), who.attempt).await?;
    ensemble.propose(candidate, skill, None);
    Ok(Some(answer))
}

/// Tells how a model read the question.
pub(super) fn explain(work: &Work<'_>, answer: &Single) {
    if !answer.reasoning.trim().is_empty() {
        work.trace.step("reasoning", answer.reasoning.trim());
    }
    for assumption in &answer.assumptions {
        work.trace.step("assumption", assumption.clone());
    }
    for other in &answer.alternatives {
        work.trace
            .step("other reading", format!("{}: {}", other.reading, other.sql));
    }
}
