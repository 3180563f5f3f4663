//! Sessions that ask the same at once.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use tokio::sync::Semaphore;

use super::*;
use crate::{
    backend::{BackendError, Effort, Trial},
    question::{
        schema::{JoinGraph, Schema, Table},
        validator::ValidatedSql,
    },
};

/// A database with one table that lets in as many questions as it has permits.
struct Gate {
    snapshot: Snapshot,
    open: Semaphore,
    asked: AtomicUsize,
}

#[async_trait]
impl Backend for Gate {
    async fn snapshot(&self) -> Result<Snapshot, BackendError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.open.acquire().await.unwrap().forget();
        Ok(self.snapshot.clone())
    }

    async fn trial(&self, sql: &ValidatedSql, _: usize) -> Result<Trial, BackendError> {
        Ok(Trial {
            columns: sql.columns().to_vec(),
            rows: vec![],
            complete: true,
            effort: Effort::default(),
        })
    }
}

struct Scene {
    answers: Arc<Answers>,
    gate: Arc<Gate>,
}

impl Scene {
    fn new() -> Self {
        let schema = Schema {
            tables: vec![Table {
                name: "ships".into(),
                ..Table::default()
            }],
            ..Schema::default()
        };
        let snapshot = Snapshot {
            joins: Arc::new(JoinGraph::new(&schema)),
            schema: Arc::new(schema),
            ..Snapshot::default()
        };
        Self {
            answers: Arc::default(),
            gate: Arc::new(Gate {
                snapshot,
                open: Semaphore::new(0),
                asked: AtomicUsize::new(0),
            }),
        }
    }

    /// A session that asks; it runs until it needs the gate, or somebody.
    async fn ask(
        &self,
        words: &'static str,
        user: &str,
        policy: CachePolicy,
    ) -> tokio::task::JoinHandle<Result<Answer, AskError>> {
        let (answers, gate) = (Arc::clone(&self.answers), Arc::clone(&self.gate));
        let cache_request = CacheRequest {
            scope: CacheScope::new("", (user, user), &[], &self.gate.snapshot),
            generation: 0,
            policy,
        };
        let task = tokio::spawn(async move {
            answers
                .ask(&*gate, words, &AskSettings::default(), Some(cache_request))
                .await
        });
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        task
    }

    fn check_asked(&self, times: usize) {
        assert_eq!(self.gate.asked.load(Ordering::SeqCst), times);
    }
}

const COUNT: &str = "how many ships are there?";

#[tokio::test]
async fn one_works_and_the_others_wait() {
    let scene = Scene::new();
    let mut tasks = vec![];
    for _ in 0..5 {
        tasks.push(scene.ask(COUNT, "ann", CachePolicy::Wholly).await);
    }
    scene.check_asked(1);
    scene.gate.open.add_permits(1);
    for task in tasks {
        assert!(task.await.unwrap().unwrap().sql.as_str().contains("ships"));
    }
    scene
        .ask(COUNT, "ann", CachePolicy::Reading)
        .await
        .await
        .unwrap()
        .unwrap();
    scene.check_asked(1);
}

#[tokio::test]
async fn another_takes_over_from_one_that_leaves() {
    let scene = Scene::new();
    let first = scene.ask(COUNT, "ann", CachePolicy::Wholly).await;
    let second = scene.ask(COUNT, "ann", CachePolicy::Wholly).await;
    let third = scene.ask(COUNT, "ann", CachePolicy::Wholly).await;
    scene.check_asked(1);
    first.abort();
    first.await.unwrap_err();
    tokio::task::yield_now().await;
    scene.gate.open.add_permits(1);
    second.await.unwrap().unwrap();
    third.await.unwrap().unwrap();
    scene.check_asked(2);
}

#[tokio::test]
async fn where_one_fails_the_others_try_themselves() {
    let scene = Scene::new();
    let mut tasks = vec![];
    for _ in 0..3 {
        tasks.push(scene.ask("flurbs?", "ann", CachePolicy::Wholly).await);
    }
    scene.check_asked(1);
    scene.gate.open.add_permits(3);
    for task in tasks {
        task.await.unwrap().unwrap_err();
    }
    scene.check_asked(3);
}

#[tokio::test]
async fn users_and_transactions_share_nothing_that_is_not_theirs() {
    let scene = Scene::new();
    let mut tasks = vec![
        scene.ask(COUNT, "ann", CachePolicy::Wholly).await,
        scene.ask(COUNT, "bob", CachePolicy::Wholly).await,
    ];
    scene.check_asked(2);
    tasks.push(scene.ask(COUNT, "ann", CachePolicy::WithoutWaiting).await);
    tasks.push(scene.ask(COUNT, "ann", CachePolicy::Reading).await);
    scene.check_asked(4);
    scene.gate.open.add_permits(4);
    for task in tasks {
        task.await.unwrap().unwrap();
    }
}
