//! The files of the semantic model while the server runs: read, checked, and written anew, after which they count.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Handle, ServerError, semantic};
use crate::{
    backend::BackendError,
    question::{
        analytic,
        ossie::{self, Meanings, MetricQuery, ModelFile, ModelFiles, Problem, Understood},
        schema::Snapshot,
    },
};

/// Metrics whose SQL is shown at most.
const METRICS: usize = 200;

/// Why a file is not changed.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// It is none that the settings name.
    #[error("the settings name no such file")]
    Unknown,
    /// Somebody else has changed it.
    #[error("the file was changed meanwhile")]
    Changed,
    /// It says something wrong.
    #[error("the file has mistakes")]
    Wrong(Vec<Problem>),
    /// It cannot be read or written.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// The database does not tell what it has.
    #[error(transparent)]
    Database(#[from] BackendError),
    /// Nothing can be added to it without changing more of it.
    #[error("there is no place in the file where this could be added")]
    NoPlace,
    /// It was written, and does not count yet.
    #[error("it is written and does not count yet: {0}")]
    Reload(#[from] ServerError),
}

/// What a text would mean.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// Metrics with the SQL of each, or why there is none.
    pub metrics: Vec<(String, Result<String, String>)>,
    /// What it changes of what was inferred.
    pub changes: Vec<String>,
}

impl Handle {
    /// The files of the model of the database that is served.
    pub fn model_files(&self) -> Vec<String> {
        let settings = self.settings();
        let own = self
            .database()
            .and_then(|name| settings.semantic.databases.get(&name).cloned());
        own.unwrap_or_else(|| settings.semantic.file.clone())
    }

    /// The text of one of them.
    pub fn model_text(&self, path: &str) -> Result<String, ModelError> {
        self.check_known(path)?;
        fs::read_to_string(path).map_err(|error| ModelError::File(path.to_owned(), error))
    }

    fn check_known(&self, path: &str) -> Result<(), ModelError> {
        if self.model_files().iter().any(|known| known == path) {
            Ok(())
        } else {
            Err(ModelError::Unknown)
        }
    }

    /// What the model would be with this text in the place of a file's. Blocks on files.
    pub async fn check_model(&self, path: &str, text: &str) -> Result<Checked, ModelError> {
        self.check_known(path)?;
        let (database, snapshot) = semantic::snapshot(&self.state.leg).await?;
        let mut files = Vec::new();
        for known in self.model_files() {
            let own = if known == path {
                text.to_owned()
            } else {
                self.model_text(&known)?
            };
            match ModelFile::read(&known, &own) {
                Ok(file) => files.push(Arc::new(file)),
                Err(problem) => {
                    return Ok(Checked {
                        problems: vec![problem],
                        ..Checked::default()
                    });
                }
            }
        }
        let meanings = Meanings::new(ModelFiles {
            everywhere: files,
            ..ModelFiles::default()
        });
        let meaning = meanings.of_database(&database);
        let worked_out = tokio::task::spawn_blocking(move || {
            let problems = meaning.problems(&snapshot);
            if !problems.is_empty() {
                return Checked {
                    problems,
                    ..Checked::default()
                };
            }
            let understood = meaning.of(&snapshot);
            let changes = ossie::changes(&ossie::inferred(&snapshot), &understood);
            Checked {
                metrics: metrics(&understood, &snapshot),
                changes: changes.iter().map(ToString::to_string).collect(),
                problems: Vec::new(),
            }
        });
        Ok(worked_out.await.unwrap_or_default())
    }

    /// Writes a file that has no mistakes and was `before`, and lets it count. Blocks on files.
    pub async fn save_model(&self, path: &str, before: &str, text: &str) -> Result<(), ModelError> {
        let checked = self.check_model(path, text).await?;
        if !checked.problems.is_empty() {
            return Err(ModelError::Wrong(checked.problems));
        }
        if self.model_text(path)? != before {
            return Err(ModelError::Changed);
        }
        replace(Path::new(path), text).map_err(|error| ModelError::File(path.to_owned(), error))?;
        self.reload_meanings().await?;
        Ok(())
    }

    /// All that is known of the database, inferred or said, as a document.
    pub async fn export_model(&self) -> Result<String, ModelError> {
        let (database, snapshot) = semantic::snapshot(&self.state.leg).await?;
        let meaning = self.state.service.config().meanings.of_database(&database);
        let understood = meaning.of(&snapshot);
        let failed = |error: String| ModelError::File(database.clone(), io::Error::other(error));
        let document = ossie::document(&understood, &database).map_err(|error| failed(error.to_string()))?;
        ossie::text(&document).map_err(|error| failed(error.to_string()))
    }
}

fn metrics(understood: &Understood, snapshot: &Snapshot) -> Vec<(String, Result<String, String>)> {
    let metrics = understood.model.metrics.iter().take(METRICS);
    let shown = metrics.map(|metric| {
        let query = MetricQuery {
            metrics: vec![metric.name.clone()],
            ..MetricQuery::default()
        };
        let sql = ossie::analytic(&query, understood).and_then(|asked| {
            analytic::compile(&asked, snapshot, &understood.model).map_err(|error| error.to_string())
        });
        (metric.name.clone(), sql)
    });
    shown.collect()
}

/// Writes a file so that whoever reads it finds the old text or the new one, whole.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // What a link leads to is replaced, and the link stays.
    let path: PathBuf = path.canonicalize()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut fresh, text.as_bytes())?;
    fresh
        .as_file()
        .set_permissions(fs::metadata(&path)?.permissions())?;
    fresh.as_file().sync_all()?;
    fresh.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
