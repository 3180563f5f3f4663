//! Views of the semantic model in front of a server, which knows nothing of them: their rows stand in the statement.

use std::sync::Arc;

use super::{question_error::QuestionError, seen::asker, session::Session};
use crate::{question::schema::Dialect, service::conversation::model_view, statement::ModelView};

/// The schema of the views, which may be one of the server's too.
const SCHEMA: &str = "semantic";

impl Session {
    /// The query that stands for a view: rows of what the user may read, or the server's own table of that name.
    pub(super) async fn model_view(&self, view: &ModelView) -> Result<String, QuestionError> {
        let Some(seen) = &self.seen else {
            return Err(QuestionError::failed(
                "0A000",
                "the database's schema cannot be read in the middle of a pipeline",
                "Send Sync before the first view of the semantic model that a session reads.",
            ));
        };
        let is_own = |table: &crate::question::schema::Table| {
            !view.is_function() && table.schema.as_deref() == Some(SCHEMA) && table.name == view.name()
        };
        if seen.snapshot.schema.tables.iter().any(is_own) {
            return Ok(format!("SELECT * FROM {SCHEMA}.{}", view.name()));
        }
        let config = self.shared.service.config();
        let snapshot = config.view(&asker(seen), &seen.snapshot)?;
        let meaning = config.meanings.of_database(&seen.state.database);
        let report = model_view(Arc::clone(&meaning), snapshot, view).await;
        Ok(report.to_sql(Dialect::Postgres))
    }
}
