//! Where a data set has its questions and its databases, in our own layout and in those that sets are published in.

use std::path::{Path, PathBuf};

use super::EvalError;

/// Files with the questions of a folder; the first that is there counts. Spider, Spider-Syn, `SParC` and BIRD call theirs
/// `dev.json`.
const QUESTIONS: [&str; 9] = [
    "questions.json",
    "dev.json",
    "Spider-DK.json",
    "spider-realistic.json",
    "mini_dev_sqlite.json",
    "cosql_dev.json",
    "sql_state_tracking/cosql_dev.json",
    "questions.csv",
    "dev.csv",
];
/// Where `KaggleDBQA` has a file for each database; those for testing end so.
const EXAMPLES: (&str, &str) = ("examples", "_test.json");
/// What published sets call the folder that has a folder for each database.
const DATABASES: [&str; 5] = [
    "database",
    "databases",
    "dev_databases",
    "train_databases",
    "test_database",
];
/// Folders above the questions' own in which databases are looked for: the questions of `CoSQL` lie one deeper.
const ABOVE: usize = 1;

/// The files of a data set.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    /// The files with the questions, in their order.
    pub(super) questions: Vec<PathBuf>,
    /// Folders with a folder for each database, in the order in which they are looked through.
    databases: Vec<PathBuf>,
}

impl Layout {
    /// Finds the files of a folder, or of a file with questions; `more` are further folders with databases.
    pub(super) fn of(path: &Path, more: &[PathBuf]) -> Result<Self, EvalError> {
        let folder = if path.is_file() {
            path.parent().unwrap_or(Path::new(""))
        } else {
            path
        };
        let questions = if path.is_file() {
            vec![path.to_path_buf()]
        } else {
            questions(path)
        };
        if questions.is_empty() {
            let missing = path.join(QUESTIONS[0]);
            let message = format!("cannot read {}: there is no such file", missing.display());
            let known = QUESTIONS[1..].join(", ");
            return Err(EvalError::new(message).hint(format!(
                "a data set is a folder with questions.json and database/DB_ID/DB_ID.sqlite, or as it was published, \
                 with {known} or examples/; a file with questions can be named too"
            )));
        }
        // `canonicalize`: `.` has a folder above it as well.
        let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let above = whole.ancestors().skip(1).take(ABOVE).map(Path::to_path_buf);
        let places: Vec<PathBuf> = std::iter::once(folder.to_path_buf()).chain(above).collect();
        let mut databases = Vec::new();
        for place in more.iter().chain(&places) {
            databases.extend(DATABASES.iter().map(|name| place.join(name)));
        }
        // A folder that was named may be the one with the databases itself.
        databases.splice(0..0, more.iter().cloned());
        databases.retain(|folder| folder.is_dir());
        if databases.is_empty() {
            databases.push(folder.join(DATABASES[0]));
        }
        Ok(Self { questions, databases })
    }

    /// The folder of a database: the first that has its file.
    pub(super) fn database(&self, db_id: &str) -> PathBuf {
        let folders = || self.databases.iter().map(|folder| folder.join(db_id));
        let has_file = |folder: &PathBuf| folder.join(format!("{db_id}.sqlite")).is_file();
        let found = folders().find(has_file).or_else(|| folders().next());
        found.unwrap_or_default()
    }
}

fn questions(folder: &Path) -> Vec<PathBuf> {
    let whole = QUESTIONS.iter().map(|name| folder.join(name));
    if let Some(file) = whole.into_iter().find(|file| file.is_file()) {
        return vec![file];
    }
    let (examples, for_testing) = EXAMPLES;
    let entries = std::fs::read_dir(folder.join(examples)).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let is_for_testing = |file: &PathBuf| file.to_string_lossy().ends_with(for_testing);
    if files.iter().any(is_for_testing) {
        files.retain(is_for_testing);
    }
    files
}
