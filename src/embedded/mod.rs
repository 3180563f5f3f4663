//! The agents' offline minds: linking, clause detection, planning, rendering, correction.

use crate::schema::Snapshot;

mod clauses;
mod lexicon;
mod linking;
mod logical;
mod planning;
mod question;
mod render;
mod resolve;
mod vocabulary;

/// How sure the agents must be to offer an answer, 0 to 1.
const ENOUGH: f64 = 0.5;

/// What the embedded agents make of a question.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The SQL.
    pub sql: String,
    /// 0 to 1.
    pub confidence: f64,
    /// `(step, detail)` in the order of the agents, for people.
    pub steps: Vec<(&'static str, String)>,
}

/// Why the embedded agents have no SQL.
#[derive(Debug, Clone)]
pub struct NotUnderstood {
    /// The words that nothing explains, as the question has them.
    pub words: Vec<String>,
    /// What stood in the way.
    pub reason: String,
}

/// Reads a question against a database.
pub fn draft(question: &str, snapshot: &Snapshot) -> Result<Draft, NotUnderstood> {
    let tokens = question::tokens(question);
    let vocabulary = vocabulary::Vocabulary::new(&snapshot.schema);
    let mentions = linking::link(&tokens, &vocabulary, snapshot);
    let items = resolve::resolve(&mentions, &tokens, snapshot);
    let clauses = clauses::read(&items, &tokens, &vocabulary, snapshot);
    let words: Vec<String> = clauses.unexplained.iter().map(|&at| tokens[at].text.clone()).collect();
    let plan = planning::plan(&clauses, snapshot)
        .map_err(|reason| NotUnderstood { words: words.clone(), reason: format!("{reason:?}") })?;
    let sql = render::render(&plan.query, snapshot)
        .map_err(|_| NotUnderstood { words: words.clone(), reason: "no keys connect the tables".into() })?;
    let mut confidence = f64::from(clauses.certainty);
    confidence *= 0.6_f64.powi(words.len() as i32);
    confidence *= 0.85_f64.powi(plan.guesses.len() as i32);
    tracing::debug!(?items, ?clauses, %sql, confidence, "draft");
    if confidence < ENOUGH {
        return Err(NotUnderstood { words, reason: format!("confidence {confidence:.2} for {sql}") });
    }
    Ok(Draft { sql, confidence, steps: Vec::new() })
}
