//! A model that answers every question with the hostile SQL that was prepared for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use querent::{
    question::{
        ask::{AskSettings, ModelRegistry},
        model::{Model, ModelError, Models, Reply, Request, SharedModel, Usage},
    },
    statement::Mode,
};
use serde_json::json;

/// In this process, without HTTP.
#[derive(Debug, Default)]
pub(super) struct Obedient {
    /// The answer to each question that holds this.
    answers: Mutex<HashMap<String, String>>,
    asked: Mutex<usize>,
}

impl Obedient {
    /// The question to which it answers with this.
    pub(super) fn question(&self, number: usize, sql: &str) -> String {
        let word = format!("zq{number}z");
        self.answers.lock().unwrap().insert(word.clone(), sql.to_owned());
        format!("which {word} suppliers are trustworthy?")
    }

    /// How often it was asked.
    pub(super) fn asked(&self) -> usize {
        *self.asked.lock().unwrap()
    }
}

/// What it says to a prompt, as it would come over HTTP.
pub(super) fn reply_to(answers: &HashMap<String, String>, prompt: &str) -> String {
    let mut found = prompt.rmatch_indices("zq").find_map(|(at, _)| {
        let end = at + prompt[at..].find('z').and_then(|_| prompt[at + 2..].find('z'))? + 3;
        answers.get(&prompt[at..end])
    });
    found = found.or_else(|| answers.get(""));
    reply(&found.cloned().unwrap_or_else(|| "SELECT nothing".to_owned()))
}

/// This SQL as a model would tell it.
pub(super) fn reply(sql: &str) -> String {
    json!({"reasoning": "as I was told", "sql": sql, "assumptions": [], "alternatives": []}).to_string()
}

#[async_trait]
impl Model for Obedient {
    fn name(&self) -> &'static str {
        "obedient"
    }

    fn price(&self, _: Usage) -> f64 {
        0.0
    }

    async fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        *self.asked.lock().unwrap() += 1;
        let text = reply_to(&self.answers.lock().unwrap(), &request.user);
        Ok(Reply {
            text,
            usage: Usage::default(),
            cut: false,
            elapsed: Duration::ZERO,
        })
    }
}

/// The model alone, one call a question.
pub(super) fn settings(model: SharedModel, mode: Mode) -> AskSettings {
    AskSettings {
        registry: Arc::new(ModelRegistry {
            models: Models::of(vec![model]),
            ..ModelRegistry::default()
        }),
        mode,
        max_attempts: 0,
        ..AskSettings::default()
    }
}
