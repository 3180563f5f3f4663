//! What databases mean while questions are put to them: worked out once for each state of a schema, whoever asks.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use moka::sync::Cache;

use super::{
    apply::{FileModel, apply},
    document::{Model, ModelExtension, VENDOR},
    file::ModelFile,
    probe,
    problem::Problem,
    understood::Understood,
};
use crate::question::schema::Snapshot;

/// Databases whose meanings are kept at most: those hold what is known of stored values.
const DATABASES: u64 = 50;
/// Meanings of one database that are kept at most, those that were used last.
const KEPT: u64 = 200;
/// One that nobody asked for is dropped after this time.
const IDLE: Duration = Duration::from_secs(3_600);

/// The files of models, by the database that they are about.
#[derive(Debug, Clone, Default)]
pub struct ModelFiles {
    /// About every database that has none of its own.
    pub everywhere: Vec<Arc<ModelFile>>,
    /// About the database of this name.
    pub own: BTreeMap<String, Vec<Arc<ModelFile>>>,
}

/// The meanings of all databases of a server, until its files change.
#[derive(Debug)]
pub struct Meanings {
    files: ModelFiles,
    databases: Cache<String, Arc<Meaning>>,
}

/// The meaning of one database, to whoever asks about it.
#[derive(Debug)]
pub struct Meaning {
    database: String,
    files: Vec<Arc<ModelFile>>,
    kept: Cache<Key, Kept>,
    /// What has been told of the files, so that no user's question tells it again.
    told: Mutex<Vec<String>>,
}

/// A question whose SQL a file has, as it stands with the database.
#[derive(Debug, Clone)]
pub struct VerifiedState {
    /// As somebody asked it.
    pub question: String,
    /// What answers it.
    pub sql: String,
    /// The file that says so.
    pub file: Arc<str>,
    /// Why it counts no more.
    pub problem: Option<String>,
}

/// A state of a schema as somebody may read it. Keys are inferred and figures read after the fingerprint is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    fingerprint: u64,
    schema: usize,
    profile: usize,
}

/// A meaning with what it was worked out from, which lives as long, so that its key means nothing else meanwhile.
#[derive(Debug, Clone)]
struct Kept {
    understood: Arc<Understood>,
    _of: Snapshot,
}

impl Meanings {
    /// With these files.
    pub fn new(files: ModelFiles) -> Self {
        Self {
            files,
            databases: Cache::new(DATABASES),
        }
    }

    /// The files.
    pub fn files(&self) -> &ModelFiles {
        &self.files
    }

    /// The meaning of the database of this name.
    pub fn of_database(&self, name: &str) -> Arc<Meaning> {
        self.databases.get_with_by_ref(name, || {
            let files = self.files.own.get(name).unwrap_or(&self.files.everywhere);
            Arc::new(Meaning::new(name, files.clone()))
        })
    }
}

impl Default for Meanings {
    /// With no file.
    fn default() -> Self {
        Self::new(ModelFiles::default())
    }
}

impl Default for Meaning {
    fn default() -> Self {
        Self::new("", Vec::new())
    }
}

impl Meaning {
    /// Of a database of this name, with these files.
    pub fn new(database: &str, files: Vec<Arc<ModelFile>>) -> Self {
        Self {
            database: database.to_owned(),
            files,
            kept: Cache::builder().max_capacity(KEPT).time_to_idle(IDLE).build(),
            told: Mutex::default(),
        }
    }

    /// What a schema means to whoever may read it so, if that is worked out already.
    pub fn known(&self, snapshot: &Snapshot) -> Option<Arc<Understood>> {
        self.kept.get(&Key::of(snapshot)).map(|kept| kept.understood)
    }

    /// What a schema means to whoever may read it so. Works as long as inference takes where it is not known yet; others
    /// who want the same wait for it. What is wrong with the files is logged once, and left out.
    pub fn of(&self, snapshot: &Snapshot) -> Arc<Understood> {
        // What may be read of a meaning is a part of what all of it means: else a metric would mean something else to
        // somebody who may not read a part of it.
        if let Some(withheld) = &snapshot.schema.withheld {
            let whole = self.of(&withheld.whole);
            return self.kept(snapshot, || whole.of_part(snapshot));
        }
        self.kept(snapshot, || {
            let (understood, problems) = self.work_out(snapshot);
            self.tell(problems);
            understood
        })
    }

    /// All that is wrong with the files, seen from this database.
    pub fn problems(&self, snapshot: &Snapshot) -> Vec<Problem> {
        self.work_out(snapshot.all_that_exists()).1
    }

    /// The questions whose SQL files have, those too that the database would not run any more.
    pub fn verified(&self, snapshot: &Snapshot) -> Vec<VerifiedState> {
        let mut found = Vec::new();
        for (file, model) in self.models() {
            let mut extensions = model.custom_extensions.iter();
            let ours = extensions.find(|extension| extension.vendor_name == VENDOR);
            let said: ModelExtension = ours
                .and_then(|extension| serde_json::from_str(&extension.data.value).ok())
                .unwrap_or_default();
            found.extend(said.verified_queries.into_iter().map(|query| VerifiedState {
                problem: probe::refused(&query.sql, snapshot),
                question: query.question,
                sql: query.sql,
                file: Arc::clone(file),
            }));
        }
        found
    }

    /// The models that are laid over what is inferred.
    pub fn models(&self) -> impl Iterator<Item = (&Arc<str>, &Model)> {
        self.files
            .iter()
            .filter_map(|file| Some((&file.name, file.model_of(&self.database)?)))
    }

    fn work_out(&self, snapshot: &Snapshot) -> (Understood, Vec<Problem>) {
        let started = Instant::now();
        let told: Vec<FileModel<'_>> = self
            .models()
            .map(|(file, model)| FileModel { file, model })
            .collect();
        let worked_out = apply(&told, snapshot);
        tracing::debug!(
            database = self.database,
            tables = snapshot.schema.tables.len(),
            milliseconds = started.elapsed().as_millis() as u64,
            "the semantic model is worked out"
        );
        worked_out
    }

    fn kept(&self, snapshot: &Snapshot, work_out: impl FnOnce() -> Understood) -> Arc<Understood> {
        let kept = self.kept.get_with(Key::of(snapshot), || Kept {
            understood: Arc::new(work_out()),
            _of: snapshot.clone(),
        });
        kept.understood
    }

    fn tell(&self, problems: Vec<Problem>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        for problem in problems {
            let problem = problem.to_string();
            if !told.contains(&problem) {
                tracing::warn!(%problem, database = self.database, "a part of the semantic model is left out");
                told.push(problem);
            }
        }
    }
}

impl Key {
    fn of(snapshot: &Snapshot) -> Self {
        Self {
            fingerprint: snapshot.fingerprint,
            schema: Arc::as_ptr(&snapshot.schema) as usize,
            profile: Arc::as_ptr(&snapshot.profile) as usize,
        }
    }
}
