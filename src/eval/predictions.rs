//! Somebody else's SQL in place of an answer: read from a file, judged by the validator, perhaps repaired.

use std::{collections::HashMap, path::Path, time::Instant};

use async_trait::async_trait;

use super::{
    EvalError,
    dataset::Dataset,
    mode::{Asked, Mode, Prediction, Problem, Repair},
};
use crate::question::{
    schema::Snapshot,
    validator::{self, Finding},
};

/// What a line says where there is no SQL: a syntax error to every evaluator, so that it never scores.
pub(super) const NO_SQL: &str = "SELECT";

/// Predicted SQL by the question's position in the set.
pub struct Predictions {
    sql: HashMap<usize, String>,
    /// Whether the deterministic repairs run first.
    repair: bool,
}

impl Predictions {
    /// Reads one statement a line, or a JSON list of texts and nulls, in the order of the set's questions or of
    /// the selected ones.
    pub fn read(file: &Path, dataset: &Dataset, repair: bool) -> Result<Self, EvalError> {
        let text = std::fs::read_to_string(file).map_err(|error| {
            EvalError::new(format!("cannot read the predictions {}: {error}", file.display()))
        })?;
        let statements: Vec<Option<String>> = if text.trim_start().starts_with('[') {
            serde_json::from_str(&text).map_err(|error| {
                EvalError::new(format!("{}: {error}", file.display()))
                    .hint("a JSON list of predictions holds texts, and null where there is none")
            })?
        } else {
            text.lines().map(|line| Some(line.to_owned())).collect()
        };
        // The form of SParC and CoSQL: an empty line between conversations.
        let apart = |statements: &[Option<String>]| -> Vec<Option<String>> {
            let is_there =
                |statement: &&Option<String>| statement.as_deref().is_none_or(|text| !text.trim().is_empty());
            statements.iter().filter(is_there).cloned().collect()
        };
        let fits = |n: usize| n == dataset.total || n == dataset.questions.len();
        let has_turns = dataset.questions.iter().any(|question| question.turn.is_some());
        let statements = if has_turns && !fits(statements.len()) {
            apart(&statements)
        } else {
            statements
        };
        let positions: Vec<usize> = if statements.len() == dataset.total {
            (0..dataset.total).collect()
        } else if statements.len() == dataset.questions.len() {
            dataset.questions.iter().map(|question| question.index).collect()
        } else {
            let message = format!(
                "{} has {} predictions for {} questions",
                file.display(),
                statements.len(),
                dataset.total
            );
            let hint = "give one per question of the set, or one per selected question, in that order; \
                        an empty line where there is none";
            return Err(EvalError::new(message).hint(hint));
        };
        let databases: HashMap<usize, &str> = dataset
            .questions
            .iter()
            .map(|question| (question.index, question.db_id.as_str()))
            .collect();
        let sql = positions
            .into_iter()
            .zip(statements)
            .filter_map(|(index, statement)| {
                let statement = statement?;
                let statement = statement.trim();
                // The sets' own evaluators write the database behind a tab.
                let database = databases.get(&index).copied().unwrap_or_default();
                let statement = match statement.rsplit_once('\t') {
                    Some((sql, name)) if name.trim() == database => sql.trim(),
                    _ => statement,
                };
                let answered = !statement.is_empty() && statement != NO_SQL;
                answered.then(|| (index, statement.to_owned()))
            })
            .collect();
        Ok(Self { sql, repair })
    }
}

#[async_trait]
impl Mode for Predictions {
    fn name(&self) -> &'static str {
        "predictions"
    }

    fn models(&self) -> Vec<String> {
        Vec::new()
    }

    async fn predict(&self, asked: &Asked<'_>) -> Prediction {
        let nothing = |code: &str, message: &str| Prediction {
            error: Some(Problem {
                code: code.into(),
                message: message.into(),
            }),
            ..Prediction::default()
        };
        let Some(sql) = self.sql.get(&asked.question.index) else {
            return nothing("no_prediction", "the file has no SQL for this question");
        };
        let snapshot = match asked.database.snapshot().await {
            Ok(snapshot) => snapshot,
            Err(error) => return nothing(&error.sqlstate, &error.message),
        };
        let started = Instant::now();
        let repair = self
            .repair
            .then(|| repaired(sql, &asked.question.text, &snapshot));
        let (sql, repair) = match repair {
            Some((sql, repair)) => (sql, Some(repair)),
            None => (sql.clone(), None),
        };
        let changed = repair.as_ref().is_some_and(|repair| !repair.gone.is_empty());
        Prediction {
            sql: Some(sql),
            tier: if changed { "repaired" } else { "predictions" }.into(),
            elapsed: started.elapsed(),
            repair,
            ..Prediction::default()
        }
    }
}

/// What the repairs make of a statement, and what was wrong with it.
fn repaired(sql: &str, question: &str, snapshot: &Snapshot) -> (String, Repair) {
    let asked = validator::Asked::now(question, snapshot);
    let codes = |findings: &[Finding]| findings.iter().map(|finding| finding.code).collect();
    let findings = validator::review(sql, &asked).findings;
    let found = codes(&findings);
    // As with an answer: what runs is left as it is.
    let fails = findings.iter().any(Finding::is_error);
    let (text, gone) = match fails.then(|| validator::repair_only(sql, &asked)).flatten() {
        Some(repaired) => (repaired.sql, codes(&repaired.fixed)),
        None => (sql.to_owned(), Vec::new()),
    };
    let repair = Repair {
        before: sql.to_owned(),
        found,
        gone,
    };
    (text, repair)
}
