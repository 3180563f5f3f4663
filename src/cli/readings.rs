//! `querent eval --readings`: all ways in which the embedded agents read the questions of a data set.

use std::{
    path::Path,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
};

use super::{Failure, progress, runtime};
use crate::eval::{
    self, Plan,
    dataset::{Dataset, Gold},
    readings,
};

/// Reads, tries and writes.
pub(super) fn run(dataset: &Dataset, gold: &Gold, plan: &Plan, out: &Path) -> Result<ExitCode, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let runtime = runtime()?;
    runtime.spawn(super::eval::stop_on_interrupt(Arc::clone(&stop)));
    let bar = progress::bar(
        dataset.questions.len() as u64,
        "{bar:30} {pos}/{len} {eta_precise}",
    );
    let read = eval::read(dataset, gold, plan, (&|| bar.inc(1), &stop));
    bar.finish_and_clear();
    readings::write(out, dataset, &read?)?;
    Ok(ExitCode::SUCCESS)
}
