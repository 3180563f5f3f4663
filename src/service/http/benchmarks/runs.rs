//! Evaluations as they are kept on disk: a folder each, with what was wanted, how far it came, and what `eval` writes.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use crate::service::audit::shown;

/// Evaluations that are kept; the oldest go.
pub(super) const MOST: usize = 50;
/// What was wanted, in each folder.
const FILE: &str = "run.json";

/// An evaluation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Run {
    /// The name of its folder.
    pub(super) id: String,
    /// The data set, as the list of them calls it.
    pub(super) dataset: String,
    /// Where the data set is.
    pub(super) folder: PathBuf,
    /// Who answers.
    pub(super) mode: String,
    /// The models, the cheapest first.
    pub(super) models: Vec<String>,
    /// The first so many questions.
    pub(super) limit: Option<usize>,
    /// So many at random.
    pub(super) sample: Option<usize>,
    /// When it began, as RFC 3339 in UTC.
    pub(super) begun: String,
    /// Who began it.
    pub(super) by: String,
    /// `running`, `paused`, `stopped`, `finished` or `failed`.
    pub(super) state: String,
    /// Questions that are to be asked; 0 before they were counted.
    pub(super) total: usize,
    /// Those that are done.
    pub(super) done: usize,
    /// Those with the right rows.
    pub(super) correct: usize,
    /// Those with an answer.
    pub(super) answered: usize,
    /// Why it failed.
    pub(super) problem: Option<String>,
    /// The version of Querent.
    pub(super) version: String,
}

impl Run {
    /// A new one, of this moment.
    pub(super) fn begin(dataset: &str, folder: &Path, by: &str) -> Self {
        let now = SystemTime::now();
        let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self {
            id: format!("{:x}", since.as_micros()),
            dataset: dataset.to_owned(),
            folder: folder.to_owned(),
            mode: String::new(),
            models: Vec::new(),
            limit: None,
            sample: None,
            begun: shown(now),
            by: by.to_owned(),
            state: "running".to_owned(),
            total: 0,
            done: 0,
            correct: 0,
            answered: 0,
            problem: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Whether it can go on.
    pub(super) fn is_open(&self) -> bool {
        ["paused", "stopped", "failed"].contains(&self.state.as_str())
    }

    /// Writes it into its folder.
    pub(super) fn keep(&self, place: &Path) -> io::Result<()> {
        let folder = place.join(&self.id);
        fs::create_dir_all(&folder)?;
        let fresh = folder.join(format!("{FILE}.new"));
        fs::write(&fresh, serde_json::to_vec_pretty(self)?)?;
        fs::rename(fresh, folder.join(FILE))
    }

    /// Reads it from its folder. One that nobody works on is not running, whatever it says of itself.
    pub(super) fn read(place: &Path, id: &str, is_running: bool) -> Option<Self> {
        // Nothing but a name that was made here leads to a folder.
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let text = fs::read(place.join(id).join(FILE)).ok()?;
        let mut run: Self = serde_json::from_slice(&text).ok()?;
        id.clone_into(&mut run.id);
        if run.state == "running" && !is_running {
            "paused".clone_into(&mut run.state);
        }
        Some(run)
    }
}

/// All that are kept, the newest first.
pub(super) fn list(place: &Path, running: Option<&str>) -> Vec<Run> {
    let names = fs::read_dir(place).into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let mut runs: Vec<Run> = names
        .filter_map(|id| Run::read(place, &id, running == Some(id.as_str())))
        .collect();
    runs.sort_by(|one, other| other.begun.cmp(&one.begun));
    runs
}

/// Removes the oldest beyond the limit.
pub(super) fn prune(place: &Path) {
    for run in list(place, None).into_iter().skip(MOST) {
        remove(place, &run.id);
    }
}

/// Removes one; where that fails it is there to be removed again.
pub(super) fn remove(place: &Path, id: &str) {
    let _ = fs::remove_dir_all(place.join(id));
}
