//! All ways in which the embedded agents read a question, each with whether it is right: what the weights of the readings
//! are learned from (`scripts/learn-readings`).

use std::{io::Write, path::Path};

use serde::Serialize;

use super::{
    EvalError,
    databases::Open,
    dataset::{Dataset, Question},
    mode::Problem,
    score::{Bench, Scorer, Tried},
};
use crate::question::{
    embedded,
    ossie::{Meaning, Understood},
    today,
};

/// Readings of a question that are tried at most: what is right stands among the first, or is not found at all.
const MOST: usize = 30;
/// Readings that are compared with what was read clause by clause.
const COMPARED: usize = 8;

/// One question with its readings.
#[derive(Debug, Serialize)]
pub struct ReadQuestion {
    /// Position in `questions.json`.
    pub index: usize,
    /// The database.
    pub db_id: String,
    /// Its words and pairs of words, without their endings.
    pub words: Vec<String>,
    /// The readings, the likeliest first.
    pub readings: Vec<ReadingTried>,
    /// What was read clause by clause.
    pub clauses: Option<ClausesTried>,
}

/// What was read clause by clause, tried.
#[derive(Debug, Serialize)]
pub struct ClausesTried {
    /// Its SQL.
    pub sql: String,
    /// What came of it.
    #[serde(flatten)]
    pub tried: Tried,
    /// How sure the clauses are, 0 to 1.
    pub sure: f64,
    /// Places of the readings with the same rows.
    pub same: Vec<usize>,
}

/// A reading that was tried.
#[derive(Debug, Serialize)]
pub struct ReadingTried {
    /// Its SQL.
    pub sql: String,
    /// What it asks for, in plain words.
    pub words: String,
    /// What came of it.
    #[serde(flatten)]
    pub tried: Tried,
    /// What speaks for it: places of [`embedded::sign_names`], with how much there is of each.
    pub signs: Vec<(u16, f32)>,
    /// What its query does.
    pub traits: Vec<&'static str>,
}

/// Reads one question in all ways, and tries them.
pub(super) async fn read(
    open: Result<&mut Open, Problem>,
    scorer: &Scorer<'_>,
    meaning: &Meaning,
    question: &Question,
) -> ReadQuestion {
    let mut read = ReadQuestion {
        index: question.index,
        db_id: question.db_id.clone(),
        words: embedded::associated_words(&question.text),
        readings: Vec::new(),
        clauses: None,
    };
    let Ok(open) = open else { return read };
    let Ok(snapshot) = open.database.snapshot().await else {
        return read;
    };
    let understood = meaning.of(&snapshot);
    let today = today();
    let (snapshot, model) = understood.with_columns();
    let found = embedded::readings(&question.text, today, snapshot, model);
    for reading in found.into_iter().take(MOST) {
        read.readings.push(ReadingTried {
            tried: scorer.tried(&mut open.bench, question, &reading.sql).await,
            traits: reading.traits(),
            sql: reading.sql,
            words: reading.words,
            signs: reading.signs,
        });
    }
    read.clauses = clauses(&mut open.bench, scorer, question, &understood, &read.readings).await;
    read
}

/// What is read clause by clause, tried, and compared with the first readings.
async fn clauses(
    bench: &mut Bench,
    scorer: &Scorer<'_>,
    question: &Question,
    understood: &Understood,
    readings: &[ReadingTried],
) -> Option<ClausesTried> {
    let snapshot = &understood.snapshot;
    let today = today();
    let linked = embedded::link(&question.text, today, snapshot).ok()?;
    let subproblems = embedded::subproblems(&linked, snapshot).ok()?;
    let plan = embedded::plan(&subproblems, snapshot).ok()?;
    let sql = embedded::sql(&plan, snapshot).ok()?;
    let mut same = Vec::new();
    for (at, reading) in readings.iter().enumerate().take(COMPARED) {
        if scorer.same(bench, &sql, &reading.sql).await {
            same.push(at);
        }
    }
    Some(ClausesTried {
        tried: scorer.tried(bench, question, &sql).await,
        sql,
        sure: plan.confidence(),
        same,
    })
}

/// Writes them: a line with the names of all signs, then a line for each question.
pub fn write(out: &Path, dataset: &Dataset, read: &[ReadQuestion]) -> Result<(), EvalError> {
    let write = || -> std::io::Result<()> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(out)?);
        let names = embedded::sign_names();
        let header = serde_json::json!({ "dataset": dataset.name(), "signs": names });
        writeln!(file, "{header}")?;
        for question in read {
            serde_json::to_writer(&mut file, question)?;
            writeln!(file)?;
        }
        file.flush()
    };
    write().map_err(|error| EvalError::new(format!("cannot write {}: {error}", out.display())))
}
