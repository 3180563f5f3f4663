//! What speaks against a statement, its trial run included.

use super::{Backend, BackendError, Trial, Value};
use crate::question::validator::{self, Asked, Code, Finding, ResultShape, Severity};

/// Rows that the trial run reads: enough to see whether there is anything but NULL.
const TRIAL_ROWS: usize = 100;

/// All that [`validator::review`] finds and, if that lets the statement run, what comes of running it; errors first.
/// `Err` if the database fails in a way that says nothing of the statement.
pub async fn review(
    database: &dyn Backend,
    sql: &str,
    asked: &Asked<'_>,
) -> Result<Vec<Finding>, BackendError> {
    let mut findings = validator::review(sql, asked).findings;
    let snapshot = asked.snapshot;
    let Ok(validated) = validator::validate(sql, &snapshot.schema, snapshot.dialect) else {
        return Ok(findings);
    };
    match database.trial(&validated, TRIAL_ROWS).await {
        Ok(trial) => findings.extend(review_trial(database, sql, &trial, asked).await),
        Err(error) => match Code::of_database_error(&error.sqlstate, &error.message) {
            Some(code) => findings.push(Finding {
                code,
                severity: Severity::Error,
                hint: error.hint.or_else(|| Some(code.hint().to_owned())),
                message: error.message,
                repair: None,
                position: error.position,
                rule: code.name(),
            }),
            None => return Err(error),
        },
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(findings)
}

/// What the rows of a trial run tell of the statement that gave them.
pub async fn review_trial(
    database: &dyn Backend,
    sql: &str,
    trial: &Trial,
    asked: &Asked<'_>,
) -> Vec<Finding> {
    let values = || trial.rows.iter().flatten();
    let shape = ResultShape {
        rows: trial.rows.len(),
        complete: trial.complete,
        all_null: values().all(|value| *value == Value::Null),
        merged: match validator::with_equal_rows(sql, asked) {
            Some(plain) => has_more(database, &plain, trial, asked).await,
            None => false,
        },
    };
    validator::review_result(sql, shape, asked)
}

/// True if a statement gives more rows than a trial run has.
async fn has_more(database: &dyn Backend, sql: &str, trial: &Trial, asked: &Asked<'_>) -> bool {
    let snapshot = asked.snapshot;
    let Ok(validated) = validator::validate(sql, &snapshot.schema, snapshot.dialect) else {
        return false;
    };
    let Ok(all) = database.trial(&validated, TRIAL_ROWS).await else {
        return false;
    };
    (all.rows.len(), !all.complete) > (trial.rows.len(), !trial.complete)
}
