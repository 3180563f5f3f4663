//! What the files of the semantic model could say besides, and how it is written into one of them.

use std::sync::Arc;

use super::{Handle, Leg, modelling::ModelError, semantic};
use crate::question::{
    ossie::{self, Addition, Understood, VerifiedState},
    schema::{ColumnRef, ForeignKey},
};

/// What the model says of questions and references, and what it does not say yet.
pub struct ModelState {
    /// The database, where a server has several.
    pub database: Option<String>,
    /// The questions whose SQL is known.
    pub verified: Vec<VerifiedState>,
    understood: Arc<Understood>,
}

impl ModelState {
    /// Whether the database would run this for a question.
    pub fn would_run(&self, sql: &str) -> bool {
        ossie::refused(sql, &self.understood.snapshot).is_none()
    }

    /// References that are inferred and that no file confirms.
    pub fn references(&self) -> Vec<Addition> {
        let keys = self.understood.snapshot.schema.foreign_keys.iter();
        keys.filter(|key| !key.declared)
            .filter_map(|key| self.reference(key))
            .collect()
    }

    fn reference(&self, key: &ForeignKey) -> Option<Addition> {
        let schema = &self.understood.snapshot.schema;
        let table = |end: &[ColumnRef]| {
            let table = &schema.tables[end.first()?.table];
            let source = match &table.schema {
                Some(schema) => format!("{schema}.{}", table.name),
                None => table.name.clone(),
            };
            Some((table.name.clone(), source))
        };
        let columns = |end: &[ColumnRef]| -> Vec<String> {
            end.iter().map(|at| schema.column(*at).name.clone()).collect()
        };
        let (from, from_columns) = (table(&key.from)?, columns(&key.from));
        Some(Addition::Relationship {
            name: format!("{}_{}", from.0, from_columns.join("_")),
            from,
            to: table(&key.to)?,
            from_columns,
            to_columns: columns(&key.to),
        })
    }
}

impl Handle {
    /// What the model is now.
    pub async fn model_state(&self) -> Result<ModelState, ModelError> {
        let (database, snapshot) = semantic::snapshot(&self.state.leg).await?;
        let meaning = self.state.service.config().meanings.of_database(&database);
        Ok(ModelState {
            database: match self.state.leg {
                Leg::Sqlite(_) => None,
                Leg::Postgres(_) => Some(database),
            },
            verified: meaning.verified(&snapshot),
            understood: meaning.of(&snapshot),
        })
    }

    /// Writes something more into a file that was `before`, and lets it count. Returns the new text. Blocks on files.
    pub async fn add_to_model(
        &self,
        path: &str,
        before: &str,
        addition: &Addition,
    ) -> Result<String, ModelError> {
        let database = self.database().unwrap_or_default();
        let text = ossie::with_addition(before, &database, addition).ok_or(ModelError::NoPlace)?;
        self.save_model(path, before, &text).await?;
        Ok(text)
    }
}
