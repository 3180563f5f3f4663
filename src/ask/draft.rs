//! The first four agents in their embedded form: schema linking, subproblems, query plan, SQL.

use std::time::Instant;

use time::OffsetDateTime;

use super::{AskError, trace::Trace};
use crate::{
    embedded::{self, NotUnderstood},
    schema::Snapshot,
};

/// SQL as the agents wrote it, not yet validated.
pub(super) struct Draft {
    pub(super) sql: String,
    /// 0 to 1.
    pub(super) confidence: f64,
}

/// Runs the agents one after the other; each sees what the one before found.
pub(super) fn draft(question: &str, snapshot: &Snapshot, trace: &mut Trace) -> Result<Draft, AskError> {
    let today = OffsetDateTime::now_utc().date();
    let linked = run(
        "schema_linking",
        trace,
        || embedded::link(question, today, snapshot),
        |linked| linked.describe(snapshot).join("\n"),
    )?;
    for line in linked.describe(snapshot) {
        trace.step("linked", line);
    }
    let subproblems = run(
        "subproblems",
        trace,
        || embedded::subproblems(&linked, snapshot),
        |subproblems| subproblems.describe(snapshot),
    )?;
    trace.step("clauses", subproblems.describe(snapshot));
    if !subproblems.unexplained().is_empty() {
        trace.step("not understood", subproblems.unexplained().join(", "));
    }
    let plan = run(
        "query_plan",
        trace,
        || embedded::plan(&subproblems, snapshot),
        |plan| plan.describe(snapshot).join("\n"),
    )?;
    for (number, line) in plan.describe(snapshot).into_iter().enumerate() {
        trace.step("plan", format!("{}. {line}", number + 1));
    }
    for assumption in plan.assumptions() {
        trace.step("assumption", assumption.clone());
    }
    let sql = run("sql", trace, || embedded::sql(&plan, snapshot), Clone::clone)?;
    Ok(Draft {
        sql,
        confidence: plan.confidence(),
    })
}

fn run<T>(
    agent: &'static str,
    trace: &mut Trace,
    work: impl FnOnce() -> Result<T, NotUnderstood>,
    describe: impl FnOnce(&T) -> String,
) -> Result<T, AskError> {
    let started = Instant::now();
    let result = work();
    trace.embedded(
        agent,
        1,
        started,
        result
            .as_ref()
            .map(describe)
            .map_err(|error| error.reason.clone()),
    );
    result.map_err(|NotUnderstood { words, reason }| AskError::NotUnderstood { words, reason })
}
