//! Works on one evaluation at a time, on threads that the system lets run only when nobody else wants to.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use tracing::{info, warn};

use super::{
    figures::Cells,
    runs::{self, Run},
};
use crate::{
    eval::{
        self, DatabaseLocation, EvalError, Observer, Plan, Record, Report,
        dataset::{Dataset, Selection},
        mode::{Mode, Pipeline},
    },
    service::server::Handle,
};

/// Questions of an evaluation at most: what is kept of each in memory is little, and bounded by this.
const QUESTIONS: usize = 50_000;
/// The most patient that the system's scheduler knows.
#[cfg(target_os = "linux")]
const NICE: i32 = 19;

/// What runs, if anything does.
pub(super) struct Runner {
    server: Handle,
    current: Mutex<Option<Arc<Running>>>,
}

/// An evaluation at work.
pub(super) struct Running {
    run: Mutex<Run>,
    cells: Mutex<Cells>,
    place: PathBuf,
    stop: AtomicBool,
    /// What it becomes when it has stopped.
    then: Mutex<&'static str>,
}

/// Why none can be started.
#[derive(Debug)]
pub(super) struct Busy(pub(super) String);

impl Runner {
    pub(super) fn new(server: Handle) -> Self {
        Self {
            server,
            current: Mutex::default(),
        }
    }

    /// What runs.
    pub(super) fn current(&self) -> Option<Arc<Running>> {
        lock(&self.current).clone()
    }

    /// Begins, or goes on where `resume` is set.
    pub(super) fn start(self: &Arc<Self>, mut run: Run, place: PathBuf, resume: bool) -> Result<(), Busy> {
        let mut current = lock(&self.current);
        if let Some(other) = &*current {
            return Err(Busy(format!(
                "an evaluation of {} is running",
                lock(&other.run).dataset
            )));
        }
        "running".clone_into(&mut run.state);
        run.problem = None;
        run.keep(&place)
            .map_err(|error| Busy(format!("{} cannot be written: {error}", place.display())))?;
        let running = Arc::new(Running {
            run: Mutex::new(run),
            cells: Mutex::default(),
            place,
            stop: AtomicBool::new(false),
            then: Mutex::new("stopped"),
        });
        *current = Some(Arc::clone(&running));
        drop(current);
        let runner = Arc::clone(self);
        let spawned = thread::Builder::new().name("evaluation".into()).spawn(move || {
            yield_to_others();
            // Whatever happens to one evaluation, another can be started.
            let worked = catch_unwind(AssertUnwindSafe(|| runner.work(&running, resume)));
            running.end(match worked {
                Ok(outcome) => outcome.map_err(|error| error.message),
                Err(_) => Err("it broke; the server's log has more".to_owned()),
            });
            *lock(&runner.current) = None;
        });
        if let Err(error) = spawned {
            *lock(&self.current) = None;
            return Err(Busy(format!("there is no thread to be had: {error}")));
        }
        Ok(())
    }

    fn work(&self, running: &Running, resume: bool) -> Result<bool, EvalError> {
        let run = lock(&running.run).clone();
        let selection = Selection {
            limit: Some(run.limit.unwrap_or(QUESTIONS).min(QUESTIONS)),
            sample: run.sample.map(|size| (size, 0)),
            ..Selection::default()
        };
        let (dataset, gold) = Dataset::read(&run.folder, &selection)?;
        let (settings, meanings, budget) = self.server.evaluating(&run.mode);
        let mode = Pipeline {
            settings,
            meanings,
            budget,
        };
        let plan = Plan {
            jobs: 1,
            place: DatabaseLocation::Files,
            out: Some(running.place.join(&run.id)),
            resume,
            oracle: false,
            identity: vec![
                ("dataset".into(), run.folder.display().to_string()),
                ("mode".into(), run.mode.clone()),
                ("version".into(), env!("CARGO_PKG_VERSION").into()),
            ],
        };
        {
            let mut run = lock(&running.run);
            run.total = dataset.questions.len();
            run.models = mode.models();
        }
        running.keep();
        info!(dataset = run.dataset, mode = run.mode, "evaluation begun");
        let records = eval::run(&dataset, &gold, &mode, &plan, (running, &running.stop))?;
        if records.len() < dataset.questions.len() {
            return Ok(false);
        }
        let report = Report::new(&dataset, &mode, &records, (false, false));
        if let Some(out) = &plan.out {
            eval::write_files(out, &report, &records)?;
        }
        runs::prune(&running.place);
        Ok(true)
    }
}

impl Running {
    /// Lets the question at hand end, and no other begin.
    pub(super) fn stop(&self, then: &'static str) {
        *lock(&self.then) = then;
        self.stop.store(true, Ordering::Relaxed);
    }

    /// How far it is.
    pub(super) fn run(&self) -> Run {
        let mut run = lock(&self.run).clone();
        (run.done, run.correct, run.answered) = lock(&self.cells).counts();
        if self.stop.load(Ordering::Relaxed) {
            "ending".clone_into(&mut run.state);
        }
        run
    }

    /// What is known of its questions.
    pub(super) fn cells(&self) -> MutexGuard<'_, Cells> {
        lock(&self.cells)
    }

    fn keep(&self) {
        let run = lock(&self.run);
        if let Err(error) = run.keep(&self.place) {
            warn!(%error, run = run.id, "how far an evaluation is cannot be kept");
        }
    }

    fn end(&self, outcome: Result<bool, String>) {
        {
            let counts = lock(&self.cells).counts();
            let mut run = lock(&self.run);
            (run.done, run.correct, run.answered) = counts;
            let state = match &outcome {
                Ok(true) => "finished",
                Ok(false) => *lock(&self.then),
                Err(_) => "failed",
            };
            state.clone_into(&mut run.state);
            run.problem = outcome.err();
            info!(dataset = run.dataset, state, "evaluation ended");
        }
        self.keep();
    }
}

impl Observer for Running {
    fn done(&self, record: &Record) {
        lock(&self.cells).add(record);
    }
}

/// This thread, and those that it begins, run when no other wants to: questions come first.
fn yield_to_others() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE) {
        warn!(%error, "an evaluation runs beside questions, and not behind them");
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
