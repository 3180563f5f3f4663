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

use databases::{AskedDatabases, Worker};
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
    let pool = WorkerPool::new(dataset, gold, plan, (score::STATEMENT_TIME, stop));
    records.extend(pool.work(open.collect(), async |worker, question| {
        let record = worker.ask_and_score(mode, question, plan.oracle).await;
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
    let pool = WorkerPool::new(dataset, gold, plan, (MUTANT_TIME, stop));
    let mut examined = pool.each(dataset, done, async |worker, question| {
        worker.examine(question, seed).await
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
    let pool = WorkerPool::new(dataset, gold, plan, (MUTANT_TIME, stop));
    let mut read = pool.each(dataset, done, async |worker, question| {
        let meaning = meanings.of_database(&question.db_id);
        worker.read(question, &meaning).await
    })?;
    read.sort_by_key(|question| question.index);
    Ok(read)
}

/// The threads that work on questions, each with a worker of its own.
struct WorkerPool<'a> {
    databases: AskedDatabases<'a>,
    scorer: Scorer<'a>,
    jobs: usize,
    stop: &'a AtomicBool,
}

impl<'a> WorkerPool<'a> {
    fn new(
        dataset: &'a Dataset,
        gold: &'a Gold,
        plan: &'a Plan,
        (time, stop): (Duration, &'a AtomicBool),
    ) -> Self {
        Self {
            databases: AskedDatabases::new(dataset, &plan.place, time),
            scorer: Scorer::new(gold),
            jobs: plan.jobs,
            stop,
        }
    }

    /// Does this work, which does not fail, for each of the questions; `done` hears of each.
    fn each<T: Send>(
        &self,
        dataset: &Dataset,
        done: &(dyn Fn() + Sync),
        work: impl AsyncFn(&mut Worker<'_>, &Question) -> T + Sync,
    ) -> Result<Vec<T>, EvalError> {
        self.work(dataset.questions.iter().collect(), async |worker, question| {
            let worked = work(worker, question).await;
            done();
            Ok(worked)
        })
    }

    /// Does this work for each of the questions, in no particular order, until all are done or `stop` is set.
    fn work<T: Send>(
        &self,
        mut open: Vec<&Question>,
        work: impl AsyncFn(&mut Worker<'_>, &Question) -> Result<T, EvalError> + Sync,
    ) -> Result<Vec<T>, EvalError> {
        // A thread stays with a database as long as it can: opening one and indexing its values takes a while.
        open.sort_by(|a, b| a.db_id.cmp(&b.db_id).then(a.index.cmp(&b.index)));
        let next = AtomicUsize::new(0);
        // One for all threads: a connection to a model belongs to the runtime that opened it, and they share those.
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| EvalError::new(format!("cannot start threads: {error}")))?;
        let one_thread = || -> Result<Vec<T>, EvalError> {
            runtime.block_on(async {
                let mut worker = Worker::new(&self.databases, &self.scorer);
                let mut done = Vec::new();
                while !self.stop.load(Ordering::Relaxed) {
                    let Some(question) = open.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    done.push(work(&mut worker, question).await?);
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
