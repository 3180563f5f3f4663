//! The first four agents in their embedded form: schema linking, subproblems, query plan, SQL.

use std::{sync::Arc, time::Instant};

use time::OffsetDateTime;

use super::{
    AskError, confidence,
    rights::{self, Meant},
    trace::Trace,
    work::Work,
};
use crate::{
    embedded::{self, AnalyticReading, NotUnderstood},
    ossie::Understood,
    prompt,
    schema::Snapshot,
    semantic::SemanticModel,
};

/// Tables from which on the agents look at a part of the schema: their work grows with its names.
const MANY_TABLES: usize = 300;
/// How likely a reading must be right to be offered where there is no other, 0 to 1.
const LIKELY: f64 = 0.46;
/// How far the two ways of telling how likely clauses are may lie apart.
const CLOSE: f64 = 0.2;
/// How large that part is, in tokens of its text.
const PART_TOKENS: usize = 16_000;

/// What the embedded agents made of a question, not yet validated.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) sql: String,
    /// How likely it is right, 0 to 1.
    pub(super) confidence: f64,
    /// How sure its clauses are, 0 to 1.
    sure: f64,
    /// What the other way of reading makes of the question, and how likely that is right.
    pub(super) other: Option<(String, f64)>,
    /// What was assumed, linked and planned, as steps for a person.
    pub(super) steps: Vec<(&'static str, String)>,
}

/// Runs the agents on a blocking thread: they compute without waiting for anything.
pub(super) async fn draft(work: &Work<'_>) -> Result<Draft, AskError> {
    if let Some(Meant::Withheld(refused)) = &work.meant {
        return Err(rights::refusal(work, refused.clone()));
    }
    let (question, understood, trace) = (
        work.question.to_owned(),
        Arc::clone(&work.understood),
        Arc::clone(&work.trace),
    );
    let draft = super::work::off_the_runtime(move || {
        let part = near(&question, &understood.snapshot).map(|part| understood.of_part(&part));
        let Understood { snapshot, model, .. } = part.as_ref().unwrap_or(&understood);
        let by_clauses = stages(&question, snapshot, &trace);
        likelier(by_clauses, reading(&question, snapshot, model, &trace))
    })
    .await;
    match (&work.meant, draft) {
        (Some(Meant::Open(meant)), Ok(draft)) if meant.sql == draft.sql => Ok(Draft {
            confidence: draft.confidence.min(meant.confidence),
            ..draft
        }),
        // What it means does not hang on what is left. The steps may name what is kept back.
        (Some(Meant::Open(meant)), _) => Ok(Draft {
            steps: Vec::new(),
            ..meant.clone()
        }),
        (Some(_), Ok(_)) => Err(AskError::NotUnderstood {
            words: Vec::new(),
            reason: "the best reading is only a guess".to_owned(),
            help: None,
        }),
        (_, draft) => draft,
    }
}

/// What to tell whoever asked a question that has no answer.
pub(super) async fn help(work: &Work<'_>) -> Option<embedded::Suggestion> {
    let (question, snapshot) = (work.question.to_owned(), work.snapshot.clone());
    super::work::off_the_runtime(move || {
        let snapshot = near(&question, &snapshot).unwrap_or(snapshot);
        embedded::suggestion(&question, OffsetDateTime::now_utc().date(), &snapshot)
    })
    .await
}

/// What the agents make of a question, without a word of how.
pub(super) fn silently(question: &str, understood: &Understood) -> Result<Draft, NotUnderstood> {
    let Understood { snapshot, model, .. } = understood;
    let today = OffsetDateTime::now_utc().date();
    let by_clauses = || -> Result<Draft, NotUnderstood> {
        let linked = embedded::link(question, today, snapshot)?;
        let subproblems = embedded::subproblems(&linked, snapshot)?;
        let plan = embedded::plan(&subproblems, snapshot)?;
        Ok(Draft {
            sql: embedded::sql(&plan, snapshot)?,
            confidence: confidence::of_embedded(plan.confidence()),
            sure: plan.confidence(),
            other: None,
            steps: Vec::new(),
        })
    };
    let best = embedded::readings(question, today, snapshot, model)
        .into_iter()
        .next();
    likelier(by_clauses(), best)
}

/// What is likelier right: what was read clause by clause, or over what the tables are about.
fn likelier<E>(by_clauses: Result<Draft, E>, reading: Option<AnalyticReading>) -> Result<Draft, E> {
    let Some(reading) = reading else {
        return by_clauses;
    };
    let other = match by_clauses {
        Ok(draft) => {
            let of_clauses = reading.of_clauses(draft.sure);
            if reading.probability <= of_clauses {
                return Ok(Draft {
                    confidence: draft.confidence.min(of_clauses + CLOSE),
                    other: Some((reading.sql, reading.probability)),
                    ..draft
                });
            }
            Some((draft.sql, draft.confidence.min(of_clauses + CLOSE)))
        }
        Err(error) if reading.probability < LIKELY => return Err(error),
        Err(_) => None,
    };
    Ok(Draft {
        sql: reading.sql,
        confidence: reading.probability,
        sure: reading.probability,
        other,
        steps: reading.told.into_iter().map(|line| ("read", line)).collect(),
    })
}

/// The likeliest reading over what the tables are about.
fn reading(
    question: &str,
    snapshot: &Snapshot,
    model: &SemanticModel,
    trace: &Trace,
) -> Option<AnalyticReading> {
    let started = Instant::now();
    let today = OffsetDateTime::now_utc().date();
    let best = embedded::readings(question, today, snapshot, model)
        .into_iter()
        .next();
    let output = match &best {
        Some(reading) => Ok(reading.told.join("\n")),
        None => Err("nothing in the question can be read over the tables".to_owned()),
    };
    trace.embedded("reading", (1, started), output, false);
    best
}

/// The part of a large schema that the question is about; `None` for a schema that is not large.
pub(super) fn near(question: &str, snapshot: &Snapshot) -> Option<Snapshot> {
    if snapshot.schema.tables.len() <= MANY_TABLES {
        return None;
    }
    let excerpt = prompt::excerpt(question, snapshot, PART_TOKENS, None);
    (!excerpt.is_whole()).then(|| snapshot.part(&excerpt.tables))
}

/// Runs the agents one after the other; each sees what the one before found.
fn stages(question: &str, snapshot: &Snapshot, trace: &Trace) -> Result<Draft, AskError> {
    let mut steps = Vec::new();
    let today = OffsetDateTime::now_utc().date();
    let linked = run(
        "schema_linking",
        trace,
        || embedded::link(question, today, snapshot),
        |linked| linked.describe(snapshot).join("\n"),
    )?;
    steps.extend(linked.describe(snapshot).into_iter().map(|line| ("linked", line)));
    let subproblems = run(
        "subproblems",
        trace,
        || embedded::subproblems(&linked, snapshot),
        |subproblems| subproblems.describe(snapshot),
    )?;
    steps.push(("clauses", subproblems.describe(snapshot)));
    if !subproblems.unexplained().is_empty() {
        steps.push(("not understood", subproblems.unexplained().join(", ")));
    }
    let plan = run(
        "query_plan",
        trace,
        || embedded::plan(&subproblems, snapshot),
        |plan| plan.describe(snapshot).join("\n"),
    )?;
    for (number, line) in plan.describe(snapshot).into_iter().enumerate() {
        steps.push(("plan", format!("{}. {line}", number + 1)));
    }
    steps.extend(plan.assumptions().iter().map(|line| ("assumption", line.clone())));
    let sql = run("sql", trace, || embedded::sql(&plan, snapshot), Clone::clone)?;
    Ok(Draft {
        sql,
        confidence: confidence::of_embedded(plan.confidence()),
        sure: plan.confidence(),
        other: None,
        steps,
    })
}

fn run<T>(
    agent: &'static str,
    trace: &Trace,
    work: impl FnOnce() -> Result<T, NotUnderstood>,
    describe: impl FnOnce(&T) -> String,
) -> Result<T, AskError> {
    let started = Instant::now();
    let result = work();
    trace.embedded(
        agent,
        (1, started),
        result
            .as_ref()
            .map(describe)
            .map_err(|error| error.reason.clone()),
        false,
    );
    result.map_err(AskError::from)
}

impl From<NotUnderstood> for AskError {
    fn from(NotUnderstood { words, reason }: NotUnderstood) -> Self {
        Self::NotUnderstood {
            words,
            reason,
            help: None,
        }
    }
}
