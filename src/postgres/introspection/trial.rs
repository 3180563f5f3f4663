//! A validated query on trial: what it would cost, and its first rows if that is little.

use std::time::{Duration, Instant};

use super::{Querier, Query, plan::explain, rows::odd, unchanged::Unchanged};
use crate::{
    backend::{BackendError, Effort, Trial},
    question::validator::ValidatedSql,
};

/// A plan that costs less is run for its first rows: some tenths of a second.
const CHEAP: f64 = 20_000.0;
/// How long the first rows of a cheap plan may take; estimates can be wrong.
const TRIAL_TIME: Duration = Duration::from_secs(1);

/// What a question may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The planner's estimate of the total cost, in its own units; `None` for no limit.
    pub cost: Option<u64>,
    /// Bytes that an aggregate which keeps all its values (`array_agg`) may come to, by the planner's estimate. It has them in
    /// memory; all others count, or write what they sort to disk.
    pub kept: Option<u64>,
    /// Time for the SQL of a question to run; zero for no limit.
    pub statement_timeout: Duration,
}

/// Plans a validated query, refuses it where it would cost too much, and runs it for its first `max_rows` rows
/// where it costs little. What is not run has no rows and is not complete. Parameters are NULL.
pub async fn trial(
    querier: &dyn Querier,
    sql: &ValidatedSql,
    max_rows: u32,
    limits: &Limits,
) -> Result<Trial, BackendError> {
    let begun = Instant::now();
    let querier = &Unchanged::judged(querier, sql);
    let plan = explain(querier, sql, limits.statement_timeout).await?;
    let cost = plan.total_cost;
    // The estimate is no whole number, and no such large one that this would matter.
    if let Some(allowed) = limits.cost.filter(|allowed| cost > *allowed as f64) {
        let message = "answering this would cost more than is allowed";
        return Err(BackendError::new("54000", message)
            .with_detail(format!("The estimated cost is {cost:.0}; allowed are {allowed}."))
            .with_hint("Ask a narrower question, or raise limits.cost."));
    }
    let kept = if keeps_values(sql) { plan.aggregated() } else { 0.0 };
    if let Some(allowed) = limits.kept.filter(|allowed| kept > *allowed as f64) {
        let message = "answering this would keep more in memory than is allowed";
        return Err(BackendError::new("54000", message)
            .with_detail(format!(
                "About {kept:.0} bytes are gathered into lists; allowed are {allowed}."
            ))
            .with_hint("Ask for fewer rows or for their number, or raise limits.bytes."));
    }
    let untried = Trial {
        columns: sql.columns().to_vec(),
        rows: Vec::new(),
        complete: false,
        effort: Effort {
            elapsed: begun.elapsed(),
            cost,
            run: false,
        },
    };
    if cost > CHEAP {
        return Ok(untried);
    }
    let time = match limits.statement_timeout {
        Duration::ZERO => TRIAL_TIME,
        limit => limit.min(TRIAL_TIME),
    };
    let query = Query {
        sql: sql.as_str(),
        parameters: sql.parameters(),
        max_rows,
    };
    let started = Instant::now();
    match querier.read(&[query], time).await {
        Ok(mut answers) => {
            let rows = answers.pop().ok_or_else(|| odd("no answer"))?;
            Ok(Trial {
                columns: rows.columns.iter().map(|(name, _)| name.clone()).collect(),
                rows: rows.values(),
                complete: rows.complete,
                effort: Effort {
                    elapsed: begun.elapsed(),
                    cost,
                    run: true,
                },
            })
        }
        Err(error) if is_timeout(&error, started.elapsed(), time) => Ok(untried),
        Err(error) => Err(error),
    }
}

/// True where an aggregate may stand that keeps its values: `array_agg`, `string_agg`, `jsonb_object_agg`, `xmlagg`.
fn keeps_values(sql: &ValidatedSql) -> bool {
    let text = sql.as_str().to_ascii_lowercase();
    ["_agg", "xmlagg"].iter().any(|name| text.contains(name))
}

/// True for a statement that was stopped by the clock and not by its user. Only the time tells: both have one
/// code, and the words are in the server's language.
pub(super) fn is_timeout(error: &BackendError, elapsed: Duration, limit: Duration) -> bool {
    error.sqlstate == "57014" && !limit.is_zero() && elapsed >= limit
}
