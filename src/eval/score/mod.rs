//! Runs gold and prediction and says whether they agree. Nothing else reads a gold query.

use std::{
    collections::HashMap,
    rc::Rc,
    time::{Duration, Instant},
};

use super::{
    dataset::{Dataset, Gold, Question},
    mode::{Prediction, Problem},
};
use crate::backend::{
    BackendError,
    sqlite::{Connection, Database, Options},
};

mod compare;
mod text;

use compare::ResultSet;

/// Time for one statement.
const STATEMENT_TIME: Duration = Duration::from_secs(30);
/// Values that one result may hold.
const MAX_VALUES: usize = 4_000_000;
/// Gold results up to this many values are kept for the next question that has the same gold.
const MAX_KEPT_VALUES: usize = 100_000;
/// Runs that the median time of a statement is taken from.
const TIMED_RUNS: usize = 5;
/// A statement slower than this is timed once.
const TIMED_ONCE: Duration = Duration::from_millis(500);

/// How a prediction did.
#[derive(Debug, Clone, Default)]
pub(super) struct Score {
    /// It executed.
    pub(super) valid: bool,
    /// Its result is the gold's.
    pub(super) correct: bool,
    /// Its text is the gold's.
    pub(super) exact_match: bool,
    /// Whether the gold's result has rows; `None` if the gold failed.
    pub(super) gold_has_rows: Option<bool>,
    /// sqrt(time of gold / time of prediction) if correct, else 0.
    pub(super) ves: f64,
    /// Why it, or the gold, did not execute.
    pub(super) error: Option<Problem>,
}

/// The scorer of a data set.
pub(super) struct Scorer<'a> {
    dataset: &'a Dataset,
    gold: &'a Gold,
}

/// The scorer's own connection to one database, with the gold results that it has seen there.
pub(super) struct Bench {
    connection: Connection,
    gold: HashMap<String, Rc<Run>>,
}

/// A statement that executed.
struct Run {
    result: ResultSet,
    elapsed: Duration,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(dataset: &'a Dataset, gold: &'a Gold) -> Self {
        Self { dataset, gold }
    }

    /// The gold query, for the written record.
    pub(super) fn gold_text(&self, question: &Question) -> &str {
        self.gold.query(question.index)
    }

    /// Opens a database for scoring. Blocks shortly.
    pub(super) fn bench(&self, db_id: &str) -> Result<Bench, BackendError> {
        let options = Options {
            read_only: true,
            statement_timeout: STATEMENT_TIME,
            ..Options::default()
        };
        let connection = Database::open(&self.dataset.database_file(db_id), options)?.connect()?;
        Ok(Bench {
            connection,
            gold: HashMap::new(),
        })
    }

    /// Scores one prediction.
    pub(super) async fn score(
        &self,
        bench: &mut Bench,
        question: &Question,
        prediction: &Prediction,
    ) -> Score {
        let gold_sql = self.gold.query(question.index);
        let mut score = Score::default();
        let gold = match bench.gold(gold_sql).await {
            Ok(gold) => {
                score.gold_has_rows = Some(!gold.result.rows.is_empty());
                Some(gold)
            }
            Err(problem) => {
                score.error = Some(Problem {
                    code: format!("gold {}", problem.code),
                    message: problem.message,
                });
                None
            }
        };
        let Some(sql) = &prediction.sql else {
            return score;
        };
        score.exact_match = text::exact_match(gold_sql, sql);
        let predicted = match bench.run(sql).await {
            Ok(predicted) => predicted,
            Err(problem) => {
                score.error = score.error.or(Some(problem));
                return score;
            }
        };
        score.valid = true;
        if let Some(gold) = gold {
            score.correct = compare::same(&gold.result, &predicted.result, text::orders(gold_sql));
            if score.correct {
                score.ves = bench
                    .efficiency((gold_sql, gold.elapsed), (sql, predicted.elapsed))
                    .await;
            }
        }
        score
    }
}

impl Bench {
    async fn gold(&mut self, sql: &str) -> Result<Rc<Run>, Problem> {
        if let Some(run) = self.gold.get(sql) {
            return Ok(Rc::clone(run));
        }
        let run = Rc::new(self.run(sql).await?);
        if run.result.rows.len() * run.result.columns <= MAX_KEPT_VALUES {
            self.gold.insert(sql.to_owned(), Rc::clone(&run));
        }
        Ok(run)
    }

    async fn run(&self, sql: &str) -> Result<Run, Problem> {
        let started = Instant::now();
        let within = tokio::time::timeout(STATEMENT_TIME + Duration::from_secs(1), self.collect(sql)).await;
        let result = match within {
            Ok(outcome) => outcome?,
            Err(_) => {
                return Err(Problem {
                    code: "57014".into(),
                    message: format!("the statement took longer than {} s", STATEMENT_TIME.as_secs()),
                });
            }
        };
        Ok(Run {
            result,
            elapsed: started.elapsed(),
        })
    }

    async fn collect(&self, sql: &str) -> Result<ResultSet, Problem> {
        let sql = sql.trim().trim_end_matches(';');
        let failed = |error: BackendError| Problem::of(&error);
        let mut cursor = self.connection.run(sql, Vec::new()).await.map_err(failed)?;
        let columns = cursor.columns().len();
        let mut rows = Vec::new();
        loop {
            let chunk = cursor.next(0).await.map_err(failed)?;
            rows.extend(chunk.rows);
            if chunk.done {
                return Ok(ResultSet { columns, rows });
            }
            if rows.len() * columns.max(1) > MAX_VALUES {
                return Err(Problem {
                    code: "54000".into(),
                    message: format!("the result has more than {MAX_VALUES} values"),
                });
            }
        }
    }

    /// sqrt(time of gold / time of prediction), medians of some runs that alternate, so that a busy moment slows
    /// both. Each comes with the time of the run that was made already.
    async fn efficiency(&self, gold: (&str, Duration), predicted: (&str, Duration)) -> f64 {
        let mut gold_times = vec![gold.1];
        let mut predicted_times = vec![predicted.1];
        while gold.1.max(predicted.1) < TIMED_ONCE && gold_times.len() < TIMED_RUNS {
            let (Ok(gold), Ok(predicted)) = (self.run(gold.0).await, self.run(predicted.0).await) else {
                break;
            };
            gold_times.push(gold.elapsed);
            predicted_times.push(predicted.elapsed);
        }
        let median = |mut times: Vec<Duration>| {
            times.sort_unstable();
            times[times.len() / 2].as_secs_f64()
        };
        (median(gold_times) / median(predicted_times).max(1e-9)).sqrt()
    }
}
