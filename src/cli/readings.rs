//! `querent eval --readings`: all ways in which the embedded agents read the questions of a data set.

use std::{path::Path, process::ExitCode};

use super::{Failure, progress};
use crate::{
    eval::{
        self, Plan,
        dataset::{Dataset, Gold},
        readings,
    },
    question::ossie::Meanings,
};

/// Reads, tries and writes.
pub(super) fn run(
    dataset: &Dataset,
    gold: &Gold,
    plan: &Plan,
    (meanings, out): (&Meanings, &Path),
) -> Result<ExitCode, Failure> {
    let read = progress::watched(dataset.questions.len(), |step, stop| {
        eval::read(dataset, gold, plan, meanings, (step, stop))
    })?;
    readings::write(out, dataset, &read?)?;
    Ok(ExitCode::SUCCESS)
}
