//! All agents by models, one after the other, as in SQL-of-Thought (2025): schema linking, subproblems, query plan,
//! SQL, then a correction plan and corrected SQL as long as something is wrong and attempts are left.

use super::{model_of, skill};
use crate::question::{
    ask::{
        AskError,
        agents::{self, Call},
        candidate::{self, Candidate},
        ensemble::{Chosen, Ensemble},
        prompt_context,
        work::Work,
    },
    model::ModelError,
    prompt::{Agent, FindingNote, PromptContext, TaxonomyEntry},
};

/// Answers with all agents.
pub(in crate::question::ask) async fn sot(work: &Work<'_>) -> Result<Chosen, AskError> {
    let mut ensemble = Ensemble::default();
    let mut context = prompt_context::gather(work).await;
    let author = model_of(work, Agent::Sql)?;
    let text = match draft(work, &mut context).await? {
        Ok(text) => text,
        Err((model, error)) => {
            ensemble.failed(&model, &error);
            return ensemble.conclude(work);
        }
    };
    let candidate = candidate::examine(work, &author, text, 1).await?;
    ensemble.propose(candidate, skill(work, &author), None);
    for attempt in 1..=work.settings.max_attempts {
        if let Some(oracle) = work.oracle
            && let Some(sql) = ensemble.last_of(&author)
            && !oracle.is_right(sql).await
        {
            ensemble.reject_last();
        }
        if ensemble.last_failure(&author).is_none() {
            break;
        }
        let correction = Correction {
            model: &author,
            attempt,
            planned: true,
        };
        if !correct(work, correction, &context, &mut ensemble).await? {
            break;
        }
    }
    ensemble.conclude(work)
}

/// The first four agents. An agent whose answer has not the form that was asked for is left out, as long as SQL comes
/// in the end; the model that gave none comes back with its error.
async fn draft(
    work: &Work<'_>,
    context: &mut PromptContext,
) -> Result<Result<String, (String, ModelError)>, AskError> {
    let model = model_of(work, Agent::SchemaLinking)?;
    match agents::schema_linking(work, Call::first(Agent::SchemaLinking, &model), context).await {
        Ok(linked) => {
            context.linked = work.describe_linked(&linked);
            for line in context.linked.lines() {
                work.trace.step("linked", line);
            }
        }
        Err(ModelError::Malformed(_)) => {}
        Err(error) => return Ok(Err((model, error))),
    }
    let model = model_of(work, Agent::Subproblems)?;
    match agents::subproblems(work, Call::first(Agent::Subproblems, &model), context).await {
        Ok(subproblems) => {
            work.trace.step("clauses", subproblems.clone());
            context.subproblems = subproblems;
        }
        Err(ModelError::Malformed(_)) => {}
        Err(error) => return Ok(Err((model, error))),
    }
    let model = model_of(work, Agent::QueryPlan)?;
    match agents::query_plan(work, Call::first(Agent::QueryPlan, &model), context).await {
        Ok(plan) => {
            for line in plan.lines().filter(|line| !line.trim().is_empty()) {
                work.trace.step("plan", line.trim());
            }
            context.plan = plan;
        }
        Err(ModelError::Malformed(_)) => {}
        Err(error) => return Ok(Err((model, error))),
    }
    let model = model_of(work, Agent::Sql)?;
    match agents::sql(work, Call::first(Agent::Sql, &model), context).await {
        Ok(sql) => Ok(Ok(sql)),
        Err(error) => Ok(Err((model, error))),
    }
}

/// How a failed statement is corrected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Correction<'a> {
    /// The model whose last statement failed.
    pub(super) model: &'a str,
    /// Which correction, from 1.
    pub(super) attempt: usize,
    /// Whether the changes are planned before they are made, in a call of their own.
    pub(super) planned: bool,
}

impl Correction<'_> {
    fn call(self, agent: Agent, model: &str) -> Call<'_> {
        Call {
            attempt: self.attempt,
            ..Call::first(agent, model)
        }
    }
}

/// Lets the correction agents at the last statement of a model, which failed. False if there is nothing new to look at.
pub(super) async fn correct(
    work: &Work<'_>,
    correction: Correction<'_>,
    context: &PromptContext,
    ensemble: &mut Ensemble,
) -> Result<bool, AskError> {
    let Some(failed) = ensemble.last_failure(correction.model) else {
        return Ok(false);
    };
    let before = failed.text.clone();
    let mut context = told_of_failure(work, context, failed);
    if correction.planned {
        let model = model_of(work, Agent::CorrectionPlan)?;
        context.taxonomy = TaxonomyEntry::all();
        match agents::correction_plan(work, correction.call(Agent::CorrectionPlan, &model), &context).await {
            Ok(plan) => context.correction = plan,
            Err(ModelError::Malformed(_)) => {}
            Err(error) => {
                ensemble.failed(&model, &error);
                return Ok(false);
            }
        }
    }
    let own = work.registry().agents.get(&Agent::CorrectionSql);
    let model = own.map_or(correction.model, String::as_str);
    let text =
        match agents::correction_sql(work, correction.call(Agent::CorrectionSql, model), &context).await {
            Ok(text) => text,
            Err(error) => {
                ensemble.failed(model, &error);
                return Ok(false);
            }
        };
    if text.trim() == before.trim() {
        return Ok(false);
    }
    work.trace.step("correction", text.clone());
    let candidate = candidate::examine(work, correction.model, text, correction.attempt + 1).await?;
    ensemble.propose(candidate, skill(work, correction.model), None);
    Ok(true)
}

/// The context with what is wrong with a statement. Where stored values or private columns must stay here, the words of the
/// database and of the validator do too, since they may quote one, and so does what a repair has made of the statement.
fn told_of_failure(work: &Work<'_>, context: &PromptContext, failed: &Candidate) -> PromptContext {
    let Some(failure) = failed.failure() else {
        return context.clone();
    };
    if !work.told.is_open(&work.snapshot, failed) {
        let codes = failure.findings.iter().map(|finding| finding.code);
        return PromptContext {
            sql: failed.written.clone(),
            error: failure.code.meaning().to_owned(),
            findings: codes
                .chain([failure.code])
                .map(|code| FindingNote::of_code(code, ""))
                .collect(),
            ..context.clone()
        };
    }
    let mut findings: Vec<FindingNote> = failure.findings.iter().map(FindingNote::of).collect();
    if findings.iter().all(|note| note.code != failure.code.name()) {
        findings.push(FindingNote::of_code(failure.code, &failure.message));
    }
    let mut previous = context.previous.clone();
    previous.push(work.told.attempt(&work.snapshot, failed));
    PromptContext {
        sql: failed.text.clone(),
        error: failure.message.clone(),
        findings,
        previous,
        ..context.clone()
    }
}
