//! One question's gold query and its mutants, judged and repaired by the validator, and run to see what has changed.

use super::{
    super::{
        databases::Open,
        dataset::{Question, mix},
        findings::findings,
        score::{Agreement, Scorer},
    },
    mutants, requoted,
};
use crate::question::validator::{self, Code, Finding};

/// What came of one gold query.
#[derive(Debug, Clone)]
pub struct Examined {
    /// Position in `questions.json`.
    pub index: usize,
    /// The database.
    pub db_id: String,
    /// The query as it is written, the same with its text in single quotes, and then its mutants.
    pub cases: Vec<Case>,
    /// Why the query was left out, where it was.
    pub skipped: Option<String>,
}

/// One statement: the gold query, or one that was made of it.
#[derive(Debug, Clone)]
pub struct Case {
    /// What was done to the gold query.
    pub made: Made,
    /// The statement.
    pub sql: String,
    /// Its result is not the gold's, or it does not run.
    pub changed: bool,
    /// What the validator found.
    pub findings: Vec<Noted>,
    /// What the repair made of it, and whether that gives the gold's result.
    pub repaired: Option<(String, bool)>,
}

/// What was done to a gold query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// Nothing at all.
    AsWritten,
    /// Its text stands in single quotes. SQLite takes `"x"` for text where there is no such column, but that is a flaw
    /// of its own.
    Requoted,
    /// This error was made, in this way.
    Broken(Code, &'static str),
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// Which error.
    pub code: Code,
    /// Whether it is more than a warning.
    pub is_error: bool,
    /// In words.
    pub message: String,
}

impl From<&Finding> for Noted {
    fn from(finding: &Finding) -> Self {
        Self {
            code: finding.code,
            is_error: finding.is_error(),
            message: finding.message.clone(),
        }
    }
}

impl Examined {
    fn skipped(question: &Question, why: String) -> Self {
        Self {
            index: question.index,
            db_id: question.db_id.clone(),
            cases: Vec::new(),
            skipped: Some(why),
        }
    }
}

/// Breaks the gold query of one question in every way, and looks at what becomes of that.
pub(in crate::eval) async fn examine(
    open: Result<&mut Open, String>,
    scorer: &Scorer<'_>,
    question: &Question,
    seed: u64,
) -> Examined {
    let open = match open {
        Ok(open) => open,
        Err(why) => return Examined::skipped(question, why),
    };
    let snapshot = match open.database.snapshot().await {
        Ok(snapshot) => snapshot,
        Err(error) => return Examined::skipped(question, error.message),
    };
    let gold = scorer.gold_text(question);
    let mut statements = vec![
        (Made::AsWritten, gold.to_owned()),
        (Made::Requoted, requoted(gold, &snapshot)),
    ];
    let seed = mix(seed.wrapping_add(mix(question.index as u64)));
    statements.extend(
        mutants(gold, &snapshot, seed)
            .into_iter()
            .map(|mutant| (Made::Broken(mutant.code, mutant.kind), mutant.sql)),
    );
    let mut cases = Vec::new();
    for (made, sql) in statements {
        // What the validator says: it sees the statement, the question and the database, and no more.
        let found = findings(open, question, &sql).await;
        let repaired = validator::repair(&sql, &validator::Asked::now(&question.text, &snapshot));
        let agrees = match made {
            // The gold agrees with itself; but whether it runs has to be seen.
            Made::AsWritten => {
                let runs = scorer.gold_runs(&mut open.bench, question).await;
                runs.map(|()| true).map_err(|problem| problem.message)
            }
            _ => same(scorer, open, question, &sql).await,
        };
        let changed = match agrees {
            Ok(same) => !same,
            Err(why) => return Examined::skipped(question, why),
        };
        let repaired = match repaired {
            Some(repaired) => {
                let right = same(scorer, open, question, &repaired.sql).await.unwrap_or(false);
                Some((repaired.sql, right))
            }
            None => None,
        };
        cases.push(Case {
            made,
            sql,
            changed,
            findings: found
                .iter()
                .filter(|finding| finding.counts())
                .map(Noted::from)
                .collect(),
            repaired,
        });
    }
    Examined {
        index: question.index,
        db_id: question.db_id.clone(),
        cases,
        skipped: None,
    }
}

/// Whether the results are the same; `Err` if the gold's own does not come.
async fn same(scorer: &Scorer<'_>, open: &mut Open, question: &Question, sql: &str) -> Result<bool, String> {
    match scorer.agreement(&mut open.bench, question, sql).await {
        Ok(agreement) => Ok(agreement == Agreement::Same),
        Err(problem) => Err(problem.message),
    }
}
