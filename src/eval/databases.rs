//! The databases of a data set while they are asked and scored: opened once, dropped when nobody needs them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use super::{
    dataset::{Dataset, Question},
    mode::{Asked, Mode, Prediction, Problem},
    record::Record,
    score::{Bench, Runner, Score, Scorer},
};
use crate::{
    ask::Oracle,
    backend::{
        Backend, BackendError,
        postgres::{Client, Limits, Sampling, Schemas, Server},
        sqlite::{Database, Options},
    },
};

/// How long the value index of a database may take before questions are asked all the same.
const INDEX_PATIENCE: Duration = Duration::from_secs(120);

/// Where the databases of a data set are.
#[derive(Debug, Clone, Default)]
pub enum Place {
    /// In its folder, as SQLite files.
    #[default]
    Files,
    /// On a PostgreSQL server, each under its own name.
    Server {
        /// The server; the database in its address does not matter.
        server: Box<Server>,
        /// What a question may cost there.
        limits: Limits,
    },
}

/// The databases that are being asked, shared by the threads.
pub(super) struct AskedDatabases<'a> {
    dataset: &'a Dataset,
    place: &'a Place,
    files: Mutex<HashMap<String, Weak<Database>>>,
    schemas: Arc<Schemas>,
}

impl<'a> AskedDatabases<'a> {
    pub(super) fn new(dataset: &'a Dataset, place: &'a Place) -> Self {
        Self {
            dataset,
            place,
            files: Mutex::default(),
            schemas: Arc::new(Schemas::new(Sampling::thorough())),
        }
    }

    /// A connection to the database, whose values are indexed.
    async fn warm(&self, db_id: &str) -> Result<Box<dyn Backend>, BackendError> {
        match self.place {
            Place::Files => self.warm_file(db_id).await,
            Place::Server { server, limits } => {
                let server = server.with_database(db_id);
                let client = Client::connect(&server, Arc::clone(&self.schemas), *limits).await?;
                client.snapshot().await?;
                Ok(Box::new(client))
            }
        }
    }

    async fn warm_file(&self, db_id: &str) -> Result<Box<dyn Backend>, BackendError> {
        let database = self.file(db_id)?;
        database.index_values();
        database.snapshot().await?;
        if !database.values_ready(INDEX_PATIENCE).await {
            tracing::warn!(
                database = db_id,
                "the value index is not ready; asking without the rest of it"
            );
        }
        Ok(Box::new(database.connect()?))
    }

    fn file(&self, db_id: &str) -> Result<Arc<Database>, BackendError> {
        let mut open = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = open.get(db_id).and_then(Weak::upgrade) {
            return Ok(database);
        }
        let options = Options {
            read_only: true,
            ..Options::default()
        };
        let database = Database::open(&self.dataset.database_file(db_id), options)?;
        open.insert(db_id.to_owned(), Arc::downgrade(&database));
        Ok(database)
    }

    /// Where the statements of one database are run for scoring.
    async fn runner(&self, db_id: &str) -> Result<Runner, BackendError> {
        match self.place {
            Place::Files => Runner::file(&self.dataset.database_file(db_id)),
            Place::Server { server, .. } => Runner::server(&server.with_database(db_id), &self.schemas).await,
        }
    }
}

/// One thread's place of work: the database that it is at, open for asking and, apart from that, for scoring.
pub(super) struct Desk<'a> {
    databases: &'a AskedDatabases<'a>,
    scorer: &'a Scorer<'a>,
    /// Whether those who answer are told if they are right.
    oracle: bool,
    at: Option<(String, Result<Open, Problem>)>,
}

struct Open {
    database: Box<dyn Backend>,
    bench: Bench,
}

impl<'a> Desk<'a> {
    pub(super) fn new(databases: &'a AskedDatabases<'a>, scorer: &'a Scorer<'a>, oracle: bool) -> Self {
        Self {
            databases,
            scorer,
            oracle,
            at: None,
        }
    }

    /// Asks one question, scores what comes back.
    pub(super) async fn ask_and_score(&mut self, mode: &dyn Mode, question: &Question) -> Record {
        if self.at.as_ref().is_none_or(|(db_id, _)| *db_id != question.db_id) {
            // The old one closes before the new one opens.
            self.at = None;
            let open = self.open(&question.db_id).await;
            self.at = Some((question.db_id.clone(), open.map_err(|error| Problem::of(&error))));
        }
        match &mut self.at {
            Some((_, Ok(open))) => {
                let oracle = self.oracle.then(|| self.scorer.oracle(&mut open.bench, question));
                let prediction = mode
                    .predict(&Asked {
                        question,
                        database: open.database.as_ref(),
                        oracle: oracle.as_ref().map(|oracle| -> &dyn Oracle { oracle }),
                    })
                    .await;
                drop(oracle);
                let score = self.scorer.score(&mut open.bench, question, &prediction).await;
                Record::new(question, self.scorer.gold_text(question), prediction, score)
            }
            Some((_, Err(problem))) => {
                let prediction = Prediction {
                    error: Some(problem.clone()),
                    ..Prediction::default()
                };
                let gold = self.scorer.gold_text(question);
                Record::new(question, gold, prediction, Score::default())
            }
            None => unreachable!("the database of the question was opened above"),
        }
    }

    async fn open(&self, db_id: &str) -> Result<Open, BackendError> {
        Ok(Open {
            database: self.databases.warm(db_id).await?,
            bench: Bench::new(self.databases.runner(db_id).await?),
        })
    }
}
