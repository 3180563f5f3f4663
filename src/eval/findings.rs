//! What the validator finds in answers, and how often it is right to do so; what repairs make of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{databases::Open, dataset::Question, record::Record, report::Group};
use crate::{
    backend,
    question::validator::{self, Finding},
};

/// What the validator finds in a statement that answers a question, whoever wrote it.
pub(super) async fn findings(open: &Open, question: &Question, sql: &str) -> Vec<Finding> {
    let Ok(snapshot) = open.database.snapshot().await else {
        return Vec::new();
    };
    let understood = open.meaning.of(&snapshot);
    let asked = validator::Asked::now(&question.text, &snapshot).with_model(&understood.model);
    match backend::review(open.database.as_ref(), sql, &asked).await {
        Ok(findings) => findings,
        // It takes too long to be tried; what was seen without that remains.
        Err(_) => validator::review(sql, &asked).findings,
    }
}

/// How one code of the taxonomy did on the answers of an evaluation.
#[derive(Debug, Serialize)]
pub struct ByCode {
    /// The answers in which it was found.
    #[serde(flatten)]
    pub found: Group,
    /// How many of them are wrong.
    pub wrong: usize,
    /// What repairs did to the answers in which it was found first.
    pub repairs: Repairs,
}

/// How one rule of the validator did on the answers of an evaluation.
#[derive(Debug, Default, Serialize)]
pub struct ByRule {
    /// Right answers in which it found something, perhaps with further columns.
    pub right: usize,
    /// Wrong answers in which it did.
    pub wrong: usize,
}

/// By the rules that found something, notes included.
pub(super) fn by_rule(records: &[Record]) -> BTreeMap<String, ByRule> {
    let mut rules: BTreeMap<String, ByRule> = BTreeMap::new();
    for record in records.iter().filter(|record| record.answered()) {
        let found: BTreeSet<&String> = record.rules.iter().collect();
        for rule in found {
            let counts = rules.entry(rule.clone()).or_default();
            if record.correct || record.wider {
                counts.right += 1;
            } else {
                counts.wrong += 1;
            }
        }
    }
    rules
}

/// What repairs did.
#[derive(Debug, Default, Serialize)]
pub struct Repairs {
    /// Answers that were to be repaired.
    pub tried: usize,
    /// Answers that a repair changed.
    pub kept: usize,
    /// Wrong answers that became right.
    pub made_right: usize,
    /// Right answers that became wrong.
    pub made_wrong: usize,
}

/// How well findings tell wrong answers from right ones.
#[derive(Debug, Default, Serialize)]
pub struct Flagged {
    /// Wrong answers.
    pub wrong: usize,
    /// Wrong answers in which anything was found.
    pub wrong_flagged: usize,
    /// Wrong answers in which an error was found.
    pub wrong_flagged_at_error: usize,
    /// Right answers.
    pub right: usize,
    /// Right answers in which nothing worse than a warning was found.
    pub right_flagged_at_warning: usize,
    /// Right answers in which an error was found.
    pub right_flagged_at_error: usize,
}

impl Flagged {
    /// Over the answered questions.
    pub(super) fn of(records: &[Record]) -> Self {
        let mut flagged = Self::default();
        for record in records.iter().filter(|record| record.answered()) {
            let any = !record.findings.is_empty();
            let error = record.flagged_at_error;
            if record.correct {
                flagged.right += 1;
                flagged.right_flagged_at_warning += usize::from(any && !error);
                flagged.right_flagged_at_error += usize::from(error);
            } else {
                flagged.wrong += 1;
                flagged.wrong_flagged += usize::from(any);
                flagged.wrong_flagged_at_error += usize::from(error);
            }
        }
        flagged
    }
}

impl Repairs {
    /// Over the records that were to be repaired. `removed` says whether the repair removed what is counted.
    pub(super) fn of<'a>(
        records: impl Iterator<Item = &'a Record>,
        removed: impl Fn(&[String]) -> bool,
    ) -> Self {
        let mut repairs = Self::default();
        for record in records {
            let Some(repair) = &record.repair else {
                continue;
            };
            repairs.tried += 1;
            if removed(&repair.gone) {
                repairs.kept += 1;
                repairs.made_right += usize::from(record.correct && !repair.was_correct);
                repairs.made_wrong += usize::from(!record.correct && repair.was_correct);
            }
        }
        repairs
    }
}

/// By the codes that were found, in answers as they are or as they were before a repair.
pub(super) fn by_code(records: &[Record]) -> BTreeMap<String, ByCode> {
    let first = |record: &Record| {
        record
            .repair
            .as_ref()
            .map_or(&[][..], |repair| &repair.found)
            .to_vec()
    };
    let mut codes: Vec<String> = records
        .iter()
        .flat_map(|record| record.findings.iter().cloned().chain(first(record)))
        .collect();
    codes.sort();
    codes.dedup();
    let one = |code: &String| {
        let found = || records.iter().filter(|record| record.findings.contains(code));
        let repaired = records.iter().filter(|record| first(record).contains(code));
        ByCode {
            found: Group::of(found()),
            wrong: found().filter(|record| !record.correct).count(),
            repairs: Repairs::of(repaired, |gone| gone.contains(code)),
        }
    };
    codes.iter().map(|code| (code.clone(), one(code))).collect()
}
