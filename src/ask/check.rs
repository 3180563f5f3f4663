//! Execution and validation, and correction on what they find: the last three agents.

use std::time::Instant;

use super::{AskError, draft::Draft, trace::Trace};
use crate::{
    backend::{Backend, BackendError, Trial, Value},
    schema::Snapshot,
    validator::{self, Code, Finding, ValidatedSql},
};

/// Rows that a trial run reads at most; enough to see whether there are any.
const TRIAL_ROWS: usize = 2;
/// What a warning leaves of the confidence.
const WARNING: f64 = 0.9;
/// What an empty result leaves of it.
const EMPTY_RESULT: f64 = 0.85;

/// SQL that was validated and tried.
pub(super) struct Checked {
    pub(super) sql: ValidatedSql,
    /// 0 to 1.
    pub(super) confidence: f64,
}

/// What stands in the way of some SQL.
struct Failure {
    message: String,
    code: Code,
    position: Option<usize>,
}

/// Validates and tries the SQL, and corrects it at most `max_attempts` times.
pub(super) async fn check(
    database: &dyn Backend,
    snapshot: &Snapshot,
    draft: Draft,
    max_attempts: usize,
    trace: &mut Trace,
) -> Result<Checked, AskError> {
    let Draft { mut sql, confidence } = draft;
    let mut attempt = 1;
    loop {
        let started = Instant::now();
        let failure = match validate_and_try(database, snapshot, &sql).await? {
            Ok((validated, trial)) => {
                let confidence = confidence * evidence(&validated, &trial);
                trace.embedded("validation", attempt, started, Ok(describe(&validated, &trial)));
                return Ok(Checked {
                    sql: validated,
                    confidence,
                });
            }
            Err(failure) => failure,
        };
        trace.embedded("validation", attempt, started, Err(failure.message.clone()));
        if failure.code == Code::Forbidden {
            return Err(AskError::Forbidden {
                message: failure.message,
                sql,
            });
        }
        let corrected = if attempt > max_attempts {
            None
        } else {
            correct(&sql, snapshot, &failure, attempt, trace)
        };
        match corrected {
            Some(corrected) => sql = corrected,
            None => {
                return Err(AskError::Failed {
                    sql,
                    message: failure.message,
                    code: failure.code.name().into(),
                    position: failure.position,
                });
            }
        }
        attempt += 1;
    }
}

/// The SQL checked against grammar, policy and schema, and its first rows.
async fn validate_and_try(
    database: &dyn Backend,
    snapshot: &Snapshot,
    sql: &str,
) -> Result<Result<(ValidatedSql, Trial), Failure>, AskError> {
    let validated = match validator::validate(sql, &snapshot.schema, snapshot.dialect) {
        Ok(validated) => validated,
        Err(findings) => return Ok(Err(first_error(&findings))),
    };
    match database.trial(&validated, TRIAL_ROWS).await {
        Ok(trial) => Ok(Ok((validated, trial))),
        Err(error) => match code_of(&error) {
            Some(code) => {
                let (message, position) = (error.message, error.position);
                Ok(Err(Failure {
                    message,
                    code,
                    position,
                }))
            }
            None => Err(error.into()),
        },
    }
}

fn first_error(findings: &[Finding]) -> Failure {
    match findings.iter().find(|finding| finding.is_error()) {
        Some(finding) => Failure {
            message: finding.message.clone(),
            code: finding.code,
            position: finding.position,
        },
        None => Failure {
            message: "not valid".into(),
            code: Code::SqlSyntaxError,
            position: None,
        },
    }
}

/// The taxonomy code of a database error that is the SQL's own fault; `None` for every other error.
fn code_of(error: &BackendError) -> Option<Code> {
    Some(match error.sqlstate.as_str() {
        "42601" | "42P10" => Code::SqlSyntaxError,
        "42P01" | "3F000" => Code::TableMissing,
        "42703" => Code::ColMissing,
        "42702" => Code::AmbiguousCol,
        "42712" => Code::InvalidAlias,
        "42883" | "42725" => Code::UnsupportedFunction,
        "42803" => Code::AggNoGroupby,
        "42P20" => Code::SubqueryMissing,
        "42804" | "42846" | "42P18" => Code::ConditionTypeMismatch,
        "22P02" | "22007" | "22008" => Code::ValueFormatWrong,
        "21000" => Code::SubqueryCorrelationError,
        "42501" => Code::Forbidden,
        _ => return None,
    })
}

/// The correction agents: what to change, and the changed SQL.
fn correct(
    sql: &str,
    snapshot: &Snapshot,
    failure: &Failure,
    attempt: usize,
    trace: &mut Trace,
) -> Option<String> {
    let started = Instant::now();
    let repaired = validator::repair(sql, &snapshot.schema, snapshot.dialect);
    let plan = match &repaired {
        Some((_, gone)) => {
            let gone: Vec<&str> = gone.iter().map(|finding| finding.message.as_str()).collect();
            Ok(format!("repair: {}", gone.join("; ")))
        }
        None => Err(format!("no repair is known for {}", failure.code)),
    };
    trace.embedded("correction_plan", attempt, started, plan);
    let (corrected, _) = repaired?;
    trace.embedded("correction_sql", attempt, started, Ok(corrected.clone()));
    trace.step("correction", corrected.clone());
    Some(corrected)
}

/// What warnings and the trial run leave of the confidence.
fn evidence(sql: &ValidatedSql, trial: &Trial) -> f64 {
    let warned = if sql.findings().is_empty() { 1.0 } else { WARNING };
    // Parameters are bound to NULL in a trial, so that an empty result says nothing; what was not tried
    // has no rows and is not complete.
    let empty = sql.parameters() == 0
        && trial.complete
        && trial
            .rows
            .iter()
            .all(|row| row.iter().all(|value| *value == Value::Null));
    warned * if empty { EMPTY_RESULT } else { 1.0 }
}

fn describe(sql: &ValidatedSql, trial: &Trial) -> String {
    let mut lines: Vec<String> = sql
        .findings()
        .iter()
        .map(|finding| finding.message.clone())
        .collect();
    let more = if trial.complete { "" } else { " or more" };
    if trial.rows.is_empty() && !trial.complete {
        lines.push("not tried".into());
    } else {
        lines.push(format!(
            "{} rows{more}, {} columns",
            trial.rows.len(),
            trial.columns.len()
        ));
    }
    lines.join("\n")
}
