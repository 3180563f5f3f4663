//! SQL that somebody proposes: validated, repaired where that needs no understanding, and tried.

use std::time::Instant;

use super::{
    AskError, EMBEDDED,
    rights::{self, WithheldNames},
    work::Work,
};
use crate::{
    backend::{self, BackendError, ResultSet, Trial, Value, same_rows},
    question::{
        embedded::Claim,
        validator::{self, Code, EQUAL_ROWS_MERGED, Finding, Repaired, ValidatedSql},
    },
};

/// Rows that a trial run reads at most: enough to tell results apart.
const TRIAL_ROWS: usize = 100;
/// Of results that were cut off so many rows at least must be the same to tell that they agree.
const FEW_ROWS: usize = 4;

/// Proposed SQL that was looked at.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The tier that wrote it.
    pub(super) author: String,
    /// The text as its author wrote it.
    pub(super) written: String,
    /// The text as it stands after repairs.
    pub(super) text: String,
    /// What repairs did to it, where something was to be repaired.
    pub(super) repair_report: Option<RepairReport>,
    pub(super) verdict: Verdict,
}

/// What repairs did to an answer on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairReport {
    /// The SQL as its author wrote it.
    pub before: String,
    /// What was found in it.
    pub found: Vec<Code>,
    /// What the repairs removed; empty where they changed nothing.
    pub fixed: Vec<Code>,
}

#[derive(Debug)]
pub(super) enum Verdict {
    /// It passed every check and its trial run, which told this.
    Runs {
        sql: ValidatedSql,
        trial: Trial,
        told: Vec<Finding>,
    },
    /// Something stands in its way.
    Fails(Failure),
}

/// What stands in the way of some SQL.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    pub(super) code: Code,
    pub(super) position: Option<usize>,
    /// All that the validator found.
    pub(super) findings: Vec<Finding>,
    /// The database's own refusal, where it is one that better SQL could avoid: a limit on cost or time.
    refusal: Option<BackendError>,
    /// What it names that its user may not read; the name of each only where the user may know it.
    withheld: Option<WithheldNames>,
}

impl Candidate {
    /// The SQL, if it runs.
    pub(super) fn runs(&self) -> Option<(&ValidatedSql, &Trial)> {
        match &self.verdict {
            Verdict::Runs { sql, trial, .. } => Some((sql, trial)),
            Verdict::Fails(_) => None,
        }
    }

    /// What stands in its way.
    pub(super) fn failure(&self) -> Option<&Failure> {
        match &self.verdict {
            Verdict::Runs { .. } => None,
            Verdict::Fails(failure) => Some(failure),
        }
    }

    /// True if both give the same rows, as far as they were tried; in the same order, if both ask for one.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        let (Some((sql, trial)), Some((other_sql, other_trial))) = (self.runs(), other.runs()) else {
            return false;
        };
        sql.as_str() == other_sql.as_str() || same_result((sql, trial), (other_sql, other_trial))
    }

    /// True if both give the same rows, however often each comes, as far as they were tried.
    pub(super) fn agrees_but_for_repeats(&self, other: &Self) -> bool {
        let (Some((_, trial)), Some((_, other))) = (self.runs(), other.runs()) else {
            return false;
        };
        let once = |trial: &Trial| {
            let mut result = result(trial);
            let mut rows: Vec<Vec<Value>> = Vec::with_capacity(result.rows.len());
            for row in result.rows {
                if !rows.contains(&row) {
                    rows.push(row);
                }
            }
            result.rows = rows;
            result
        };
        let whole = trial.complete && other.complete;
        let (one, other) = (once(trial), once(other));
        if whole {
            return same_rows(&one, &other, false);
        }
        // Of what was cut off the same rows come first, in the order in which both read them.
        let both = one.rows.len().min(other.rows.len());
        both >= FEW_ROWS && one.columns == other.columns && one.rows[..both] == other.rows[..both]
    }

    /// True if it leaves out rows of the other that come twice, and nobody asked for that.
    pub(super) fn merges_equal_rows_of(&self, other: &Self) -> bool {
        self.findings().any(|finding| finding.rule == EQUAL_ROWS_MERGED)
            && !self.agrees_with(other)
            && self.agrees_but_for_repeats(other)
    }

    /// What was found in it although it runs, notes included.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let (read, told) = match &self.verdict {
            Verdict::Runs { sql, told, .. } => (sql.findings(), told.as_slice()),
            Verdict::Fails(_) => (&[][..], &[][..]),
        };
        read.iter().chain(told)
    }

    /// What speaks against it although it runs.
    pub(super) fn reservation(&self) -> Option<&Finding> {
        self.findings().find(|finding| finding.counts())
    }

    /// What a model is told against it.
    pub(super) fn doubt(&self) -> String {
        match &self.verdict {
            Verdict::Fails(failure) => failure.message.clone(),
            Verdict::Runs { .. } => self.reservation().map_or_else(
                || "another way to write it gives other rows".to_owned(),
                |finding| finding.message.clone(),
            ),
        }
    }

    /// It runs and is wrong, says somebody who knows.
    pub(super) fn reject(&mut self) {
        if let Verdict::Runs { sql, .. } = &self.verdict {
            self.verdict = Verdict::Fails(Failure {
                message: "its rows are not the right ones".to_owned(),
                code: Code::IncorrectCol,
                position: None,
                findings: sql.findings().to_vec(),
                refusal: None,
                withheld: None,
            });
        }
    }

    /// The same without a word of the database's or of the statement's.
    pub(super) fn doubt_in_general(&self) -> &'static str {
        match &self.verdict {
            Verdict::Fails(failure) => failure.code.meaning(),
            Verdict::Runs { .. } => self
                .reservation()
                .map_or("it may not answer the question", |finding| finding.code.meaning()),
        }
    }

    /// All that is said of it.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let (message, findings) = match &self.verdict {
            Verdict::Fails(failure) => (Some(failure.message.as_str()), failure.findings.as_slice()),
            Verdict::Runs { .. } => (None, &[][..]),
        };
        let found = findings
            .iter()
            .chain(self.findings())
            .flat_map(|finding| [Some(finding.message.as_str()), finding.hint.as_deref()]);
        found.flatten().chain(message)
    }

    /// Why there is no answer, where this is the best that there is.
    pub(super) fn into_error(self, work: &Work<'_>) -> Option<AskError> {
        let Verdict::Fails(failure) = self.verdict else {
            return None;
        };
        if let Some(refusal) = failure.refusal {
            return Some(refusal.into());
        }
        if let Some(refused) = failure.withheld {
            return Some(rights::refusal(work, refused));
        }
        let (sql, message) = (self.text, failure.message);
        let refused = failure.findings.iter().find(|finding| finding.is_error());
        let hint = refused.and_then(|finding| finding.hint.clone());
        Some(match failure.code {
            Code::Forbidden => AskError::Forbidden { message, sql, hint },
            Code::OverLimit => AskError::OverLimit { message, sql },
            code => AskError::Failed {
                sql,
                message,
                code: code.name().into(),
                position: failure.position,
                help: None,
            },
        })
    }
}

/// True if two statements give the same rows, as far as they were tried; in the same order, if both ask for one.
pub(super) fn same_result(
    (sql, trial): (&ValidatedSql, &Trial),
    (other_sql, other_trial): (&ValidatedSql, &Trial),
) -> bool {
    // Parameters were bound to NULL, so that rows say nothing.
    if sql.parameters() + other_sql.parameters() > 0 {
        return false;
    }
    let told = |trial: &Trial| trial.complete || !trial.rows.is_empty();
    told(trial)
        && told(other_trial)
        && trial.complete == other_trial.complete
        && same_rows(
            &result(trial),
            &result(other_trial),
            sql.is_ordered() && other_sql.is_ordered(),
        )
}

fn result(trial: &Trial) -> ResultSet {
    ResultSet {
        columns: trial.columns.len(),
        rows: trial.rows.clone(),
    }
}

/// Validates and tries the SQL, and repairs it as often as corrections are allowed. `attempt` counts from 1. What repairs do not
/// bring to run stays as its author wrote it, with what is wrong with that: nobody else is to answer for a text between the two.
pub(super) async fn examine(
    work: &Work<'_>,
    author: &str,
    text: String,
    mut attempt: usize,
) -> Result<Candidate, AskError> {
    let written = text.clone();
    let mut text = text;
    let mut repairs = 0;
    let mut report: Option<RepairReport> = None;
    let mut first: Option<Verdict> = None;
    loop {
        let started = Instant::now();
        let verdict = validate_and_try(work, author, &text).await?;
        let told = match &verdict {
            Verdict::Runs { sql, trial, told } => Ok(describe(sql, trial, told)),
            Verdict::Fails(failure) => Err(failure.message.clone()),
        };
        let private = work.told.reads_private(&work.snapshot, &text);
        work.trace
            .embedded("validation", (attempt, started), told, private);
        let candidate = |text: String, report: Option<RepairReport>, verdict: Verdict| Candidate {
            author: author.to_owned(),
            written: written.clone(),
            text,
            repair_report: report,
            verdict,
        };
        let failure = match verdict {
            Verdict::Fails(failure) => failure,
            runs @ Verdict::Runs { .. } => return Ok(candidate(text, report, runs)),
        };
        // What runs out of time is told so: a repair that ends sooner would answer something else.
        let late = failure
            .refusal
            .as_ref()
            .is_some_and(|refusal| refusal.sqlstate == "57014");
        let is_final = late || matches!(failure.code, Code::Forbidden | Code::OverLimit);
        let repaired = if repairs < work.settings.max_attempts && !is_final {
            report.get_or_insert_with(|| RepairReport {
                before: written.clone(),
                found: codes(&failure.findings),
                fixed: Vec::new(),
            });
            repair(work, (&text, private), &failure, attempt)
        } else {
            None
        };
        // What is refused is refused under its corrected name too, and at no place of the text as it was written.
        let verdict = match first.take() {
            Some(_) if is_final => Verdict::Fails(Failure {
                position: None,
                ..failure
            }),
            Some(first) => first,
            None => Verdict::Fails(failure),
        };
        let Some(repaired) = repaired else {
            if let Some(report) = &mut report {
                report.fixed.clear();
            }
            return Ok(candidate(written.clone(), report, verdict));
        };
        if let Some(report) = &mut report {
            report.fixed.extend(codes(&repaired.fixed));
        }
        first = Some(verdict);
        text = repaired.sql;
        repairs += 1;
        attempt += 1;
    }
}

/// The SQL checked against grammar, policy and schema, and its first rows.
async fn validate_and_try(work: &Work<'_>, author: &str, text: &str) -> Result<Verdict, AskError> {
    let asked = work.asked();
    let sql = match validator::validate_answer(text, &asked) {
        Ok(sql) => sql,
        Err(findings) => {
            let failure = first_error(findings);
            let forbidden = failure.code == Code::Forbidden;
            return Ok(Verdict::Fails(Failure {
                withheld: forbidden.then(|| withheld(work, text)).flatten(),
                ..failure
            }));
        }
    };
    if misses_private(work, author, &sql) {
        let words = work.private.iter().map(|claim| claim.words.clone());
        let message = "no model is told of what the question asks for".to_owned();
        return Ok(Verdict::Fails(Failure {
            message,
            code: Code::Forbidden,
            position: None,
            findings: Vec::new(),
            refusal: None,
            withheld: Some(WithheldNames {
                words: words.collect(),
                names: Vec::new(),
                whom: Some("language models"),
            }),
        }));
    }
    match work.database.trial(&sql, TRIAL_ROWS).await {
        Ok(trial) => {
            let told = backend::review_trial(work.database, text, &trial, &asked).await;
            Ok(Verdict::Runs { sql, trial, told })
        }
        Err(error) => match Code::of_database_error(&error.sqlstate, &error.message) {
            Some(code) => Ok(Verdict::Fails(Failure {
                message: error.message.clone(),
                code,
                // It counts in what was made of the text.
                position: error.position.and_then(|at| sql.position(at)),
                findings: sql.findings().to_vec(),
                refusal: is_limit(&error).then_some(error),
                withheld: None,
            })),
            None => Err(error.into()),
        },
    }
}

fn first_error(findings: Vec<Finding>) -> Failure {
    let first = findings.iter().find(|finding| finding.is_error());
    Failure {
        message: first.map_or_else(|| "not valid".into(), |finding| finding.message.clone()),
        code: first.map_or(Code::SqlSyntaxError, |finding| finding.code),
        position: first.and_then(|finding| finding.position),
        findings,
        refusal: None,
        withheld: None,
    }
}

/// What stands in the way of SQL that names what its user may not read.
fn withheld(work: &Work<'_>, text: &str) -> Option<WithheldNames> {
    let names = validator::withheld(text, &work.snapshot.schema, work.snapshot.dialect);
    let told: Option<Vec<String>> = names.iter().cloned().collect();
    (!names.is_empty()).then(|| WithheldNames {
        names: told.unwrap_or_default(),
        ..WithheldNames::default()
    })
}

/// True for SQL that reads none of what models have not heard of, where the question asks for that.
fn misses_private(work: &Work<'_>, author: &str, sql: &ValidatedSql) -> bool {
    let reads = |claim: &Claim| {
        sql.columns_read()
            .iter()
            .any(|read| read.table == claim.table && claim.column.is_none_or(|column| column == read.column))
    };
    author != EMBEDDED && !work.private.iter().all(reads)
}

/// True for a limit that other SQL for the same question may keep.
fn is_limit(error: &BackendError) -> bool {
    matches!(error.sqlstate.as_str(), "54000" | "57014")
}

/// The correction agents in their embedded form: what to change, and the changed SQL. What runs is left as
/// it is: of right statements that a repair changes, most are wrong afterwards.
fn repair(
    work: &Work<'_>,
    (text, private): (&str, bool),
    failure: &Failure,
    attempt: usize,
) -> Option<Repaired> {
    let now = (attempt, Instant::now());
    let asked = work.asked();
    let repaired = validator::repair_only(text, &asked);
    let plan = match &repaired {
        Some(repaired) => {
            let fixed: Vec<&str> = repaired
                .fixed
                .iter()
                .map(|finding| finding.message.as_str())
                .collect();
            Ok(format!("repair: {}", fixed.join("; ")))
        }
        None => Err(format!("no repair is known for {}", failure.code)),
    };
    work.trace.embedded("correction_plan", now, plan, private);
    let repaired = repaired?;
    let private = private || work.told.reads_private(&work.snapshot, &repaired.sql);
    work.trace
        .embedded("correction_sql", now, Ok(repaired.sql.clone()), private);
    work.trace.step("correction", repaired.sql.clone());
    Some(repaired)
}

fn codes(findings: &[Finding]) -> Vec<Code> {
    findings.iter().map(|finding| finding.code).collect()
}

fn describe(sql: &ValidatedSql, trial: &Trial, told: &[Finding]) -> String {
    let mut lines: Vec<String> = sql
        .findings()
        .iter()
        .chain(told)
        .filter(|finding| finding.counts())
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
