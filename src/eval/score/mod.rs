//! Runs gold and prediction and says whether they agree. Nothing else reads a gold query.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use tokio::sync::Mutex;

use super::{
    dataset::{Gold, Question},
    mode::{Prediction, Problem},
};
use crate::{
    backend::{ResultSet, Value, has_rows, same_rows},
    question::{ask::Oracle, validator::ValidatedSql},
};

mod runner;
mod text;

use runner::Bounds;
pub(super) use runner::Runner;

/// Time for one statement, where accuracy is measured.
pub(super) const STATEMENT_TIME: Duration = Duration::from_secs(30);
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
    /// Its result has the gold's columns, perhaps among others.
    pub(super) wider: bool,
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
    gold: &'a Gold,
}

/// The scorer's own connection to one database, with the gold results that it has seen there.
pub(super) struct Bench {
    runner: Runner,
    /// Time for one statement.
    time_limit: Duration,
    gold: HashMap<String, Arc<Run>>,
}

/// Whether a statement gives the gold's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreement {
    Same,
    /// It gives another one, or none.
    Differs,
}

/// SQL that was tried.
#[derive(Debug, Default, Clone, Copy, serde::Serialize)]
pub struct Tried {
    /// True if its rows are the right ones, perhaps with further columns.
    pub right: bool,
    /// How many rows it gives.
    pub rows: usize,
    /// How many values in them are there.
    pub values: usize,
}

/// A statement that executed.
struct Run {
    result: ResultSet,
    elapsed: Duration,
}

/// Tells whether SQL for one question gives the gold's rows.
pub(super) struct GoldOracle<'a> {
    scorer: &'a Scorer<'a>,
    bench: Mutex<&'a mut Bench>,
    question: &'a Question,
}

#[async_trait]
impl Oracle for GoldOracle<'_> {
    async fn is_right(&self, sql: &ValidatedSql) -> bool {
        let mut bench = self.bench.lock().await;
        let Ok(given) = bench.run(sql.as_str()).await else {
            return false;
        };
        self.scorer
            .compare(&mut bench, self.question, &given.result)
            .await
            .0
    }
}

impl<'a> Scorer<'a> {
    /// Who may tell those who answer a question whether they are right.
    pub(super) fn oracle(&'a self, bench: &'a mut Bench, question: &'a Question) -> GoldOracle<'a> {
        GoldOracle {
            scorer: self,
            bench: Mutex::new(bench),
            question,
        }
    }

    pub(super) fn new(gold: &'a Gold) -> Self {
        Self { gold }
    }

    /// The gold query, for the written record.
    pub(super) fn gold_text(&self, question: &Question) -> &str {
        self.gold.query(question.index)
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
            (score.correct, score.wider) = self.compare(bench, question, &predicted.result).await;
            if score.correct {
                score.ves = bench
                    .efficiency((gold_sql, gold.elapsed), (sql, predicted.elapsed))
                    .await;
            }
        }
        score
    }
}

impl Scorer<'_> {
    /// Whether SQL has the right rows, perhaps with further columns, and how much it gives.
    pub(super) async fn tried(&self, bench: &mut Bench, question: &Question, sql: &str) -> Tried {
        let Ok(given) = bench.run_within(sql, MAX_KEPT_VALUES).await else {
            return Tried::default();
        };
        let (same, wider) = self.compare(bench, question, &given.result).await;
        let rows = &given.result.rows;
        Tried {
            right: same || wider && self.takes_further_columns(question),
            rows: rows.len(),
            values: rows
                .iter()
                .flatten()
                .filter(|value| !matches!(value, Value::Null))
                .count(),
        }
    }

    /// True for statements that give the same rows.
    pub(super) async fn same(&self, bench: &mut Bench, one: &str, other: &str) -> bool {
        let (Ok(one_run), Ok(other_run)) = (
            bench.run_within(one, MAX_KEPT_VALUES).await,
            bench.run_within(other, MAX_KEPT_VALUES).await,
        ) else {
            return false;
        };
        let ordered = text::orders(one) && text::orders(other);
        same_rows(&one_run.result, &other_run.result, ordered)
    }

    /// True where the data set tells what else is right, so that answers may say more than was asked.
    fn takes_further_columns(&self, question: &Question) -> bool {
        self.gold
            .reference(question.index)
            .is_some_and(|reference| reference.ordered.is_some())
    }

    /// Whether a result is that of one of the right queries, and whether it has it among further columns.
    async fn compare(&self, bench: &mut Bench, question: &Question, given: &ResultSet) -> (bool, bool) {
        let Some(reference) = self.gold.reference(question.index) else {
            return (false, false);
        };
        let mut wider = false;
        for sql in std::iter::once(&reference.query).chain(&reference.alternatives) {
            // An alternative that does not run is no reference.
            let Ok(right) = bench.gold(sql).await else {
                continue;
            };
            let ordered = reference.ordered.unwrap_or_else(|| text::orders(sql));
            if same_rows(&right.result, given, ordered) {
                return (true, true);
            }
            wider |= has_rows(&right.result, given, ordered);
        }
        (false, wider)
    }

    /// Whether the gold query of a question runs.
    pub(super) async fn gold_runs(&self, bench: &mut Bench, question: &Question) -> Result<(), Problem> {
        bench.gold(self.gold.query(question.index)).await.map(|_| ())
    }

    /// Compares results alone, without measuring anything. `Err` if the gold query itself fails.
    pub(super) async fn agreement(
        &self,
        bench: &mut Bench,
        question: &Question,
        sql: &str,
    ) -> Result<Agreement, Problem> {
        let gold_sql = self.gold.query(question.index);
        let gold = bench.gold(gold_sql).await?;
        // A result with more rows is another one, however many they are.
        let same = match bench.run_within(sql, gold.result.rows.len()).await {
            Ok(run) => same_rows(&gold.result, &run.result, text::orders(gold_sql)),
            Err(_) => false,
        };
        Ok(if same { Agreement::Same } else { Agreement::Differs })
    }
}

impl Bench {
    pub(super) fn new(runner: Runner, time_limit: Duration) -> Self {
        Self {
            runner,
            time_limit,
            gold: HashMap::new(),
        }
    }

    async fn gold(&mut self, sql: &str) -> Result<Arc<Run>, Problem> {
        if let Some(run) = self.gold.get(sql) {
            return Ok(Arc::clone(run));
        }
        let run = Arc::new(self.run(sql).await?);
        if run.result.rows.len() * run.result.columns <= MAX_KEPT_VALUES {
            self.gold.insert(sql.to_owned(), Arc::clone(&run));
        }
        Ok(run)
    }

    async fn run(&self, sql: &str) -> Result<Run, Problem> {
        self.run_within(sql, usize::MAX).await
    }

    async fn run_within(&self, sql: &str, rows: usize) -> Result<Run, Problem> {
        let started = Instant::now();
        let bounds = Bounds {
            time: self.time_limit,
            rows,
        };
        let patience = self.time_limit + Duration::from_secs(1);
        let within = tokio::time::timeout(patience, self.runner.collect(sql, bounds)).await;
        let result = match within {
            Ok(outcome) => outcome?,
            Err(_) => {
                return Err(Problem {
                    code: "57014".into(),
                    message: format!("the statement took longer than {} s", self.time_limit.as_secs()),
                });
            }
        };
        Ok(Run {
            result,
            elapsed: started.elapsed(),
        })
    }

    /// sqrt(time of gold / time of prediction), medians of some runs that alternate, so that a busy moment slows
    /// both. Neither always comes first: who comes second finds the other's pages and threads awake. Slow ones are not run
    /// again.
    async fn efficiency(&self, gold: (&str, Duration), predicted: (&str, Duration)) -> f64 {
        let (mut gold_times, mut predicted_times) = (vec![], vec![]);
        while gold.1.max(predicted.1) < TIMED_ONCE && gold_times.len() < TIMED_RUNS {
            let gold_first = gold_times.len() % 2 == 0;
            let (first, second) = if gold_first {
                (gold.0, predicted.0)
            } else {
                (predicted.0, gold.0)
            };
            let (Ok(first), Ok(second)) = (self.run(first).await, self.run(second).await) else {
                break;
            };
            let (of_gold, of_predicted) = if gold_first {
                (first, second)
            } else {
                (second, first)
            };
            gold_times.push(of_gold.elapsed);
            predicted_times.push(of_predicted.elapsed);
        }
        if gold_times.is_empty() {
            gold_times.push(gold.1);
            predicted_times.push(predicted.1);
        }
        let median = |mut times: Vec<Duration>| {
            times.sort_unstable();
            times[times.len() / 2].as_secs_f64()
        };
        (median(gold_times) / median(predicted_times).max(1e-9)).sqrt()
    }
}
