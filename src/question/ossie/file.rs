//! A file of semantic models, Ossie's or dbt's, as it was read.

use std::sync::Arc;

use super::{dbt, document::Model, problem::Problem, read::read};

/// The models of one file.
#[derive(Debug, Clone)]
pub struct ModelFile {
    /// What it is called.
    pub name: Arc<str>,
    /// What it says; one model at least.
    models: Vec<Model>,
    /// What of dbt's cannot be said here, a line each.
    pub left_out: Vec<String>,
}

impl ModelFile {
    /// The file of this name with this text.
    pub fn read(name: &str, text: &str) -> Result<Self, Problem> {
        let name: Arc<str> = name.into();
        let here = |problem: Problem| problem.of(&name);
        if dbt::is_dbt(text) {
            let (model, left_out) = dbt::model(text).map_err(here)?;
            return Ok(Self {
                name,
                models: vec![model],
                left_out,
            });
        }
        let document = read(text).map_err(here)?;
        Ok(Self {
            models: document.semantic_model,
            name,
            left_out: Vec::new(),
        })
    }

    /// What it says of a database: its only model, or of several the one that is called as the database is.
    pub fn model_of(&self, database: &str) -> Option<&Model> {
        match &self.models[..] {
            [only] => Some(only),
            several => several
                .iter()
                .find(|model| model.name.eq_ignore_ascii_case(database)),
        }
    }
}
