//! The databases of a data set while they are asked and scored: opened once, dropped when nobody needs them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use super::{
    dataset::{Dataset, Question, descriptions::Descriptions},
    findings::findings,
    mode::{Asked, Mode, Prediction, Problem},
    mutation::{self, Examined},
    readings::{self, ReadQuestion},
    record::{Judged, Record},
    score::{Agreement, Bench, Runner, Scorer},
};
use crate::{
    backend::{Backend, BackendError},
    postgres::{
        introspection::{Client, Limits, Sampling, Schemas},
        upstream::Server,
    },
    question::{ask::Oracle, ossie::Meaning},
    sqlite::engine::{Database, Options},
};

/// How long the value index of a database may take before questions are asked all the same.
const INDEX_PATIENCE: Duration = Duration::from_secs(120);

/// Where the databases of a data set are.
#[derive(Debug, Clone, Default)]
pub enum DatabaseLocation {
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
    place: &'a DatabaseLocation,
    /// Time for one statement that is run for scoring.
    time_limit: Duration,
    files: Mutex<HashMap<String, Weak<Database>>>,
    schemas: Arc<Schemas>,
}

impl<'a> AskedDatabases<'a> {
    pub(super) fn new(dataset: &'a Dataset, place: &'a DatabaseLocation, time_limit: Duration) -> Self {
        Self {
            dataset,
            place,
            time_limit,
            files: Mutex::default(),
            schemas: Arc::new(Schemas::new(Sampling::thorough())),
        }
    }

    /// A connection to the database, whose values are indexed.
    async fn warm(&self, db_id: &str) -> Result<Box<dyn Backend>, BackendError> {
        match self.place {
            DatabaseLocation::Files => self.warm_file(db_id).await,
            DatabaseLocation::Server { server, limits } => {
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
        let descriptions = Descriptions::beside(&self.dataset.database_file(db_id));
        Ok(descriptions.over(Box::new(database.connect()?)))
    }

    fn file(&self, db_id: &str) -> Result<Arc<Database>, BackendError> {
        let mut open = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = open.get(db_id).and_then(Weak::upgrade) {
            return Ok(database);
        }
        let options = Options {
            read_only: true,
            question_timeout: self.time_limit,
            sqlite_dialect: true,
            ..Options::default()
        };
        let database = Database::open(&self.dataset.database_file(db_id), options)?;
        open.insert(db_id.to_owned(), Arc::downgrade(&database));
        Ok(database)
    }

    /// Where the statements of one database are run for scoring.
    async fn runner(&self, db_id: &str) -> Result<Runner, BackendError> {
        match self.place {
            DatabaseLocation::Files => Runner::file(&self.dataset.database_file(db_id), self.time_limit),
            DatabaseLocation::Server { server, .. } => {
                Runner::server(&server.with_database(db_id), &self.schemas, self.time_limit).await
            }
        }
    }
}

/// What works on one thread: the database that it is at, open for asking and, apart from that, for scoring.
pub(super) struct Worker<'a> {
    databases: &'a AskedDatabases<'a>,
    scorer: &'a Scorer<'a>,
    at: Option<(String, Result<Open, Problem>)>,
}

/// A database that is worked at.
pub(super) struct Open {
    /// For asking.
    pub(super) database: Box<dyn Backend>,
    /// What it means by itself, whatever those who are asked are told of it: what the validator goes by.
    pub(super) meaning: Meaning,
    /// For scoring.
    pub(super) bench: Bench,
}

impl<'a> Worker<'a> {
    pub(super) fn new(databases: &'a AskedDatabases<'a>, scorer: &'a Scorer<'a>) -> Self {
        Self {
            databases,
            scorer,
            at: None,
        }
    }

    /// Asks one question, scores what comes back. With `oracle`, who answers is told whether it is right.
    pub(super) async fn ask_and_score(
        &mut self,
        mode: &dyn Mode,
        question: &Question,
        oracle: bool,
    ) -> Record {
        let scorer = self.scorer;
        let gold = scorer.gold_text(question);
        let open = match self.at(question).await {
            Ok(open) => open,
            Err(problem) => {
                let prediction = Prediction {
                    error: Some(problem),
                    ..Prediction::default()
                };
                return Record::new(question, gold, prediction, Judged::default());
            }
        };
        let prediction = {
            let oracle = oracle.then(|| scorer.oracle(&mut open.bench, question));
            let asked = Asked {
                question,
                database: open.database.as_ref(),
                oracle: oracle.as_ref().map(|oracle| -> &dyn Oracle { oracle }),
            };
            mode.predict(&asked).await
        };
        let mut judged = Judged {
            score: scorer.score(&mut open.bench, question, &prediction).await,
            ..Judged::default()
        };
        if let Some(repair) = prediction
            .repair
            .as_ref()
            .filter(|repair| !repair.gone.is_empty())
        {
            let before = scorer.agreement(&mut open.bench, question, &repair.before).await;
            judged.was_correct = Some(before == Ok(Agreement::Same));
        }
        if let Some(sql) = &prediction.sql {
            judged.findings = findings(open, question, sql).await;
        }
        Record::new(question, gold, prediction, judged)
    }

    /// Breaks the gold query of one question, and sees what the validator makes of that.
    pub(super) async fn examine(&mut self, question: &Question, seed: u64) -> Examined {
        let scorer = self.scorer;
        let open = self.at(question).await.map_err(|problem| problem.message);
        mutation::examine(open, scorer, question, seed).await
    }

    /// Reads one question in all ways, and sees which are right.
    pub(super) async fn read(&mut self, question: &Question, meaning: &Meaning) -> ReadQuestion {
        let scorer = self.scorer;
        readings::read(self.at(question).await, scorer, meaning, question).await
    }

    /// The database of a question, opened if the one before was about another.
    async fn at(&mut self, question: &Question) -> Result<&mut Open, Problem> {
        if self.at.as_ref().is_none_or(|(db_id, _)| *db_id != question.db_id) {
            // The old one closes before the new one opens.
            self.at = None;
            let open = self.open(&question.db_id).await;
            self.at = Some((question.db_id.clone(), open.map_err(|error| Problem::of(&error))));
        }
        match &mut self.at {
            Some((_, open)) => open.as_mut().map_err(|problem| problem.clone()),
            None => unreachable!("the database of the question was opened above"),
        }
    }

    async fn open(&self, db_id: &str) -> Result<Open, BackendError> {
        Ok(Open {
            database: self.databases.warm(db_id).await?,
            meaning: Meaning::new(db_id, Vec::new()),
            bench: Bench::new(self.databases.runner(db_id).await?, self.databases.time_limit),
        })
    }
}
