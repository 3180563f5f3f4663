//! The agents that call a model: what each is told, and how its answer is read.

use std::{iter, time::Instant};

use super::{trace::AgentRun, work::Work};
use crate::question::{
    model::{ModelError, OutputSchema, Request},
    prompt::{Agent, PromptContext},
    schema::Schema,
};

mod correction;
mod drafting;
mod single;

pub(super) use correction::{correction_plan, correction_sql};
pub(super) use drafting::{query_plan, schema_linking, sql, subproblems};
pub(super) use single::{Single, single};

/// Tokens that an agent may write, by agent: several times what a good answer has, so that one without end is cut.
fn longest_answer(agent: Agent) -> u64 {
    match agent {
        Agent::SchemaLinking | Agent::Subproblems | Agent::QueryPlan | Agent::CorrectionPlan => 600,
        Agent::Plain | Agent::Single | Agent::Sql | Agent::CorrectionSql => 1_200,
    }
}

/// Who is asked, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) agent: Agent,
    /// The model's name.
    pub(super) model: &'a str,
    /// Which attempt at the question's SQL, from 1.
    pub(super) attempt: usize,
    /// 0 for the likeliest answer.
    pub(super) temperature: f32,
}

impl<'a> Call<'a> {
    pub(super) fn first(agent: Agent, model: &'a str) -> Self {
        Self {
            agent,
            model,
            attempt: 1,
            temperature: 0.0,
        }
    }
}

/// Calls a model with an agent's prompt, reads its answer, and notes both.
/// Dropping the future ends the call.
async fn call<T>(
    work: &Work<'_>,
    call: Call<'_>,
    context: &PromptContext,
    output: Option<OutputSchema>,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<T, ModelError> {
    let started = Instant::now();
    let registry = work.registry();
    let prompt = registry
        .prompts
        .render(call.agent, context)
        .map_err(|error| ModelError::Malformed(format!("the prompt: {error}")))?;
    let request = Request {
        agent: call.agent.name(),
        system: prompt.system,
        user: prompt.user,
        output,
        names: if registry.named.contains(call.model) {
            names(&work.told.snapshot.schema, &context.schema)
        } else {
            Vec::new()
        },
        temperature: call.temperature,
        max_tokens: Some(longest_answer(call.agent)),
    };
    let outcome = registry
        .models
        .call(call.model, &request, &work.settings.budget)
        .await;
    let (usage, text, read) = match outcome {
        Ok(reply) => {
            let read = read(&reply.text).ok_or_else(|| {
                ModelError::Malformed(if reply.cut {
                    "the answer was cut at the limit of tokens".to_owned()
                } else {
                    "the answer has not the form that was asked for".to_owned()
                })
            });
            (reply.usage, reply.text, read)
        }
        Err(error) => (
            crate::question::model::Usage::default(),
            String::new(),
            Err(error),
        ),
    };
    work.trace.ran(AgentRun {
        agent: call.agent.name(),
        model: call.model.to_owned(),
        attempt: call.attempt,
        elapsed: started.elapsed(),
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        outcome: match &read {
            Ok(_) => "ok".to_owned(),
            Err(error) => error.to_string(),
        },
        prompt: format!("{}\n\n{}", request.system, request.user),
        output: text,
        private: false,
    });
    read
}

/// The tables and columns that a prompt shows.
fn names(schema: &Schema, shown: &str) -> Vec<String> {
    let mut names: Vec<String> = schema
        .tables
        .iter()
        .flat_map(|table| {
            let columns = table.columns.iter().map(|column| &column.name);
            iter::once(&table.name).chain(&table.schema).chain(columns)
        })
        .filter(|name| shown.contains(name.as_str()))
        .cloned()
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Text as it stands; nothing is no answer.
fn text(answer: &str) -> Option<String> {
    Some(answer.trim().to_owned()).filter(|text| !text.is_empty())
}
