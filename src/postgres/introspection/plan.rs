//! PostgreSQL's plan of a query, and what it would be with one more index.

use std::time::Duration;

use serde::Deserialize;

use super::{Querier, Query, rows::odd, unchanged::Unchanged};
use crate::{
    backend::{BackendError, FullScan, IndexIdea},
    question::{
        schema::{Dialect, identifier, literal},
        validator::ValidatedSql,
    },
};

/// What stands in front of a query whose plan is wanted.
const EXPLAIN: &str = "EXPLAIN (FORMAT JSON) ";
/// What a value that an aggregate keeps takes beside its own bytes.
const PER_VALUE: f64 = 16.0;
/// Where the extension that imagines indexes is, and how many the session imagines already.
const IMAGINES: &str = "SELECT n.nspname FROM pg_catalog.pg_extension AS e \
     JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) e.extnamespace \
     WHERE e.extname OPERATOR(pg_catalog.=) 'hypopg'::pg_catalog.name \
     AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')";

#[derive(Deserialize)]
struct Explained {
    #[serde(rename = "Plan")]
    plan: Plan,
}

/// A node of a plan.
#[derive(Deserialize)]
pub(super) struct Plan {
    #[serde(rename = "Node Type", default)]
    node: String,
    #[serde(rename = "Total Cost")]
    pub(super) total_cost: f64,
    #[serde(rename = "Plan Rows", default)]
    rows: f64,
    #[serde(rename = "Plan Width", default)]
    width: f64,
    #[serde(rename = "Alias")]
    alias: Option<String>,
    #[serde(rename = "Filter")]
    filter: Option<String>,
    #[serde(rename = "Plans", default)]
    below: Vec<Plan>,
}

impl Plan {
    /// Bytes of all rows that come into one aggregate, the largest of the plan.
    pub(super) fn aggregated(&self) -> f64 {
        let below = self.below.iter();
        let own = match self.node.as_str() {
            "Aggregate" | "WindowAgg" => below
                .clone()
                .map(|node| node.rows * (node.width + PER_VALUE))
                .sum(),
            _ => 0.0,
        };
        below.map(Self::aggregated).fold(own, f64::max)
    }
}

/// The plan of a validated query.
pub(super) async fn explain(
    querier: &dyn Querier,
    sql: &ValidatedSql,
    time_limit: Duration,
) -> Result<Plan, BackendError> {
    let explain = format!("{EXPLAIN}{}", sql.as_str());
    let query = Query {
        sql: &explain,
        parameters: sql.parameters(),
        max_rows: 0,
    };
    let answer = querier.read(&[query], time_limit).await;
    let rows = answer.map_err(|error| in_query(error, EXPLAIN.len()))?;
    read(rows.first().ok_or_else(|| odd("no plan"))?)
}

fn read(rows: &super::Rows) -> Result<Plan, BackendError> {
    let explained: Vec<Explained> = rows.only()?.json(0)?;
    let plan = explained.into_iter().next().map(|explained| explained.plan);
    plan.ok_or_else(|| odd("an empty plan"))
}

/// The tables that a validated query reads from end to end to keep some of their rows.
pub async fn full_scans(
    querier: &dyn Querier,
    sql: &ValidatedSql,
    time_limit: Duration,
) -> Result<Vec<FullScan>, BackendError> {
    let mut found = Vec::new();
    let querier = Unchanged::judged(querier, sql);
    let mut open = vec![explain(&querier, sql, time_limit).await?];
    while let Some(node) = open.pop() {
        if node.node == "Seq Scan"
            && node.filter.is_some()
            && let Some(name) = node.alias
        {
            found.push(FullScan {
                name,
                left: Some(node.rows),
                indexed_by: Vec::new(),
            });
        }
        open.extend(node.below);
    }
    Ok(found)
}

/// The planner's estimate for a validated query if there were this index, where the extension hypopg is installed. The index
/// is imagined in this session alone, and forgotten with the same message.
pub async fn cost_with(
    querier: &dyn Querier,
    sql: &ValidatedSql,
    index: &IndexIdea,
    time_limit: Duration,
) -> Result<Option<f64>, BackendError> {
    // Sessions may read a backslash in two ways.
    if index.ddl.contains('\\') {
        return Ok(None);
    }
    let found = querier.read(&[Query::all(IMAGINES)], time_limit).await?;
    let Some(schema) = found
        .first()
        .and_then(|rows| rows.iter().next())
        .and_then(|row| row.text(0))
    else {
        return Ok(None);
    };
    let schema = identifier(&schema, Dialect::Postgres);
    let known = format!("SELECT 1 FROM {schema}.hypopg() LIMIT 1");
    let known = querier.read(&[Query::all(&known)], time_limit).await?;
    // What the session imagines itself is its own affair.
    if known.first().is_none_or(|rows| rows.iter().next().is_some()) {
        return Ok(None);
    }
    // With the type, nothing else of that name can be meant.
    let create = format!(
        "SELECT {schema}.hypopg_create_index({}::pg_catalog.text)",
        literal(&index.ddl)
    );
    let explain = format!("{EXPLAIN}{}", sql.as_str());
    let forget = format!("SELECT {schema}.hypopg_reset()");
    let statements = [
        Query::all(&create),
        Query {
            sql: &explain,
            parameters: sql.parameters(),
            max_rows: 0,
        },
        Query::all(&forget),
    ];
    let querier = Unchanged::judged(querier, sql);
    let answers = querier.read(&statements, time_limit).await?;
    let plan = answers.get(1).ok_or_else(|| odd("no plan"))?;
    Ok(Some(read(plan)?.total_cost))
}

/// The error with its position in the query behind a prefix of this length.
fn in_query(error: BackendError, prefix: usize) -> BackendError {
    let position = error
        .position
        .and_then(|position| position.checked_sub(prefix))
        .filter(|at| *at > 0);
    BackendError { position, ..error }
}
