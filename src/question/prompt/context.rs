//! What a template may use: everything that is known of one question, as plain data.

use serde::Serialize;

use super::data;
use crate::question::validator::{Code, Finding};

/// Characters that are told of a database's error or of a finding.
const LONGEST_MESSAGE: usize = 400;
/// Characters of a statement that is shown to a model.
const LONGEST_SQL: usize = 8_000;

/// Everything that a template may use. What is empty is left out of the prompt.
#[derive(Debug, Default, Clone, Serialize)]
pub struct PromptContext {
    /// [`crate::question::schema::Dialect::name`].
    pub dialect: &'static str,
    /// What the dialect asks for: [`super::dialect_rules`].
    pub rules: String,
    /// What is meant where a question leaves it open: shares, ties, zeros.
    pub conventions: String,
    /// The schema, or the excerpt of it that a question needs: [`super::schema_text`].
    pub schema: String,
    /// The part of the schema that was linked to the question.
    pub linked: String,
    /// What the words of the question stand for: [`super::evidence`].
    pub evidence: Vec<String>,
    /// The day that `last year` is counted from, `YYYY-MM-DD`.
    pub today: String,
    /// The question.
    pub question: String,
    /// What came with the question to explain it.
    pub hint: Option<String>,
    /// What people have told about this database.
    pub knowledge: Vec<String>,
    /// Questions that were answered well.
    pub examples: Vec<Example>,
    /// The clauses that the question poses.
    pub subproblems: String,
    /// The query plan.
    pub plan: String,
    /// The statement to correct.
    pub sql: String,
    /// What the database said of it.
    pub error: String,
    /// What the validator found in it.
    pub findings: Vec<FindingNote>,
    /// The errors that there are: [`TaxonomyEntry::all`].
    pub taxonomy: Vec<TaxonomyEntry>,
    /// Statements that did not do, oldest first.
    pub previous: Vec<Attempt>,
    /// Whether SQL alone is asked for.
    pub terse: bool,
    /// How to correct the statement.
    pub correction: String,
}

/// A question with its answer.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The question.
    pub question: String,
    /// Its SQL.
    pub sql: String,
}

/// A finding with what the taxonomy says of it.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct FindingNote {
    /// The code as the papers spell it.
    pub code: &'static str,
    /// Its group.
    pub category: &'static str,
    /// What the code stands for.
    pub meaning: &'static str,
    /// What was found here.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// A statement over invented tables with this error; empty where the taxonomy has none.
    pub bad: &'static str,
    /// The same without it.
    pub good: &'static str,
}

/// One code of the taxonomy.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct TaxonomyEntry {
    /// The code as the papers spell it.
    pub code: &'static str,
    /// Its group.
    pub category: &'static str,
    /// What it stands for.
    pub meaning: &'static str,
}

/// A statement that did not do.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// The statement.
    pub sql: String,
    /// What was wrong with it.
    pub problem: String,
}

impl FindingNote {
    /// A finding, with the taxonomy's hint where it has none of its own.
    pub fn of(finding: &Finding) -> Self {
        Self {
            message: finding.message.clone(),
            hint: finding
                .hint
                .clone()
                .unwrap_or_else(|| finding.code.hint().to_owned()),
            ..Self::of_code(finding.code, "")
        }
    }

    /// What the taxonomy says of an error that the database reported.
    pub fn of_code(code: Code, message: &str) -> Self {
        Self {
            code: code.name(),
            category: code.category().name(),
            meaning: code.meaning(),
            message: message.to_owned(),
            hint: code.hint().to_owned(),
            bad: code.entry().map_or("", |entry| &entry.bad),
            good: code.entry().map_or("", |entry| &entry.good),
        }
    }
}

impl TaxonomyEntry {
    /// All codes, group by group.
    pub fn all() -> Vec<Self> {
        Code::TAXONOMY
            .iter()
            .map(|code| Self {
                code: code.name(),
                category: code.category().name(),
                meaning: code.meaning(),
            })
            .collect()
    }
}

impl PromptContext {
    /// The same without anything in the words of databases and models that could pass for a part of the prompt.
    /// What [`super::schema_text`] and [`super::evidence`] give is clean already.
    pub(super) fn cleaned(&self) -> Self {
        let statement = |sql: &str| data::text(sql, LONGEST_SQL);
        let message = |text: &str| data::line(text, LONGEST_MESSAGE);
        Self {
            sql: statement(&self.sql),
            error: message(&self.error),
            findings: self
                .findings
                .iter()
                .map(|note| FindingNote {
                    message: message(&note.message),
                    hint: message(&note.hint),
                    ..note.clone()
                })
                .collect(),
            previous: self
                .previous
                .iter()
                .map(|attempt| Attempt {
                    sql: statement(&attempt.sql),
                    problem: message(&attempt.problem),
                })
                .collect(),
            linked: data::text(&self.linked, LONGEST_SQL),
            subproblems: data::text(&self.subproblems, LONGEST_SQL),
            plan: data::text(&self.plan, LONGEST_SQL),
            correction: data::text(&self.correction, LONGEST_SQL),
            ..self.clone()
        }
    }
}
