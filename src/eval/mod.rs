//! Measures how well questions are answered: a data set, a mode that answers, a scorer, a report.
//!
//! The gold queries go from [`dataset`] to [`score`], and to [`mutation`], which breaks them, alone; a [`mode::Mode`] and
//! the validator get a question, a statement and a database.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

pub mod compare;
mod databases;
pub mod dataset;
mod findings;
mod journal;
mod look;
pub mod mode;
pub mod mutation;
pub mod predictions;
pub mod readings;
mod record;
mod report;
mod score;

pub use databases::DatabaseLocation;
pub use findings::{ByCode, ByRule, Flagged, Repairs};
pub use journal::records;
pub use look::{Looked, look};
pub use record::{Record, Repaired};
pub use report::{Conversations, Group, Report, write_csv, write_files};

use crate::question::ossie::Meanings;

use databases::{AskedDatabases, Desk};
use dataset::{Dataset, Gold, Question};
use journal::Journal;
use mode::Mode;
use mutation::Examined;
use readings::ReadQuestion;
use score::Scorer;

/// Why an evaluation cannot be made or go on.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct EvalError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

impl EvalError {
    fn new(message: String) -> Self {
        Self { message, hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// How an evaluation is run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Threads that ask and score.
    pub jobs: usize,
    /// Where the databases are.
    pub place: DatabaseLocation,
    /// Where the report and the state go.
    pub out: Option<PathBuf>,
    /// Go on from the state in `out`.
    pub resume: bool,
    /// Whether those who answer are told if they are right, as the papers' protocol has it.
    pub oracle: bool,
    /// What must be the same for a resumed evaluation, as `(name, value)`.
    pub identity: Vec<(String, String)>,
}

/// Hears of each question as it is done, from any thread.
pub trait Observer: Sync {
    /// A question has been asked and scored.
    fn done(&self, record: &Record);
}

/// Asks and scores the questions on `plan.jobs` threads. Records come back in the data's order; fewer than
/// there are questions if `stop` was set meanwhile.
pub fn run(
    dataset: &Dataset,
    gold: &Gold,
    mode: &dyn Mode,
    plan: &Plan,
    (observer, stop): (&dyn Observer, &AtomicBool),
) -> Result<Vec<Record>, EvalError> {
    let (journal, mut records) = Journal::open(plan.out.as_deref(), plan.resume, &plan.identity)?;
    records.retain(|record| {
        dataset
            .questions
            .iter()
            .any(|question| question.index == record.index)
    });
    for record in &records {
        observer.done(record);
    }
    let open = dataset
        .questions
        .iter()
        .filter(|question| !records.iter().any(|record| record.index == question.index));
    let floor = Floor {
        databases: AskedDatabases::new(dataset, &plan.place, score::STATEMENT_TIME),
        scorer: Scorer::new(gold),
        jobs: plan.jobs,
        stop,
    };
    records.extend(floor.work(open.collect(), async |desk, question| {
        let record = desk.ask_and_score(mode, question, plan.oracle).await;
        journal.append(&record)?;
        observer.done(&record);
        Ok(record)
    })?);
    records.sort_by_key(|record| record.index);
    Ok(records)
}

/// Time for one statement that was broken on purpose, and for the query that it was made of.
const MUTANT_TIME: Duration = Duration::from_secs(5);

/// Breaks the gold queries on `plan.jobs` threads, and sees what the validator makes of that; `plan.resume` is not
/// heeded. Results come back in the data's order; fewer than there are questions if `stop` was set meanwhile.
pub fn mutate(
    dataset: &Dataset,
    gold: &Gold,
    plan: &Plan,
    seed: u64,
    (done, stop): (&(dyn Fn() + Sync), &AtomicBool),
) -> Result<Vec<Examined>, EvalError> {
    let floor = Floor {
        databases: AskedDatabases::new(dataset, &plan.place, MUTANT_TIME),
        scorer: Scorer::new(gold),
        jobs: plan.jobs,
        stop,
    };
    let mut examined = floor.work(dataset.questions.iter().collect(), async |desk, question| {
        let examined = desk.examine(question, seed).await;
        done();
        Ok(examined)
    })?;
    examined.sort_by_key(|question| question.index);
    Ok(examined)
}

/// Reads the questions in all ways on `plan.jobs` threads, and sees which ways are right; `plan.resume` is not heeded.
/// Results come back in the data's order; fewer than there are questions if `stop` was set meanwhile.
pub fn read(
    dataset: &Dataset,
    gold: &Gold,
    plan: &Plan,
    meanings: &Meanings,
    (done, stop): (&(dyn Fn() + Sync), &AtomicBool),
) -> Result<Vec<ReadQuestion>, EvalError> {
    let floor = Floor {
        databases: AskedDatabases::new(dataset, &plan.place, MUTANT_TIME),
        scorer: Scorer::new(gold),
        jobs: plan.jobs,
        stop,
    };
    let mut read = floor.work(dataset.questions.iter().collect(), async |desk, question| {
        let meaning = meanings.of_database(&question.db_id);
        let read = desk.read(question, &meaning).await;
        done();
        Ok(read)
    })?;
    read.sort_by_key(|question| question.index);
    Ok(read)
}

/// Where questions are worked on: some threads, each at a desk of its own.
struct Floor<'a> {
    databases: AskedDatabases<'a>,
    scorer: Scorer<'a>,
    jobs: usize,
    stop: &'a AtomicBool,
}

impl Floor<'_> {
    /// Does this work for each of the questions, in no particular order, until all are done or `stop` is set.
    fn work<T: Send>(
        &self,
        mut open: Vec<&Question>,
        work: impl AsyncFn(&mut Desk<'_>, &Question) -> Result<T, EvalError> + Sync,
    ) -> Result<Vec<T>, EvalError> {
        // A thread stays with a database as long as it can: opening one and indexing its values takes a while.
        open.sort_by(|a, b| a.db_id.cmp(&b.db_id).then(a.index.cmp(&b.index)));
        let next = AtomicUsize::new(0);
        // One for all threads: a connection to a model belongs to the runtime that opened it, and they share those.
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| EvalError::new(format!("cannot start threads: {error}")))?;
        let one_thread = || -> Result<Vec<T>, EvalError> {
            runtime.block_on(async {
                let mut desk = Desk::new(&self.databases, &self.scorer);
                let mut done = Vec::new();
                while !self.stop.load(Ordering::Relaxed) {
                    let Some(question) = open.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    done.push(work(&mut desk, question).await?);
                }
                Ok(done)
            })
        };
        let mut all = Vec::new();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(one_thread)).collect();
            for thread in threads {
                let outcome = thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                if outcome.is_err() {
                    self.stop.store(true, Ordering::Relaxed);
                }
                all.extend(outcome?);
            }
            Ok::<(), EvalError>(())
        })?;
        Ok(all)
    }
}
