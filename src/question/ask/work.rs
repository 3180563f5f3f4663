//! One question at work: what all agents see of it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{AskSettings, ModelRegistry, Oracle, redacted_view::RedactedView, rights::Meant, trace::Trace};
use crate::{
    backend::Backend,
    question::{
        embedded::Claim,
        ossie::Understood,
        schema::Snapshot,
        validator::{self, Asked, KeptIntent, ValidatedSql},
    },
};

/// How long a question waits for a value index that is still being built.
const INDEX_WAIT: Duration = Duration::from_secs(2);

/// A question with all that it is worked on with.
pub(super) struct Work<'a> {
    pub(super) database: &'a dyn Backend,
    pub(super) question: &'a str,
    pub(super) snapshot: Snapshot,
    /// What the database means; its snapshot is this one.
    pub(super) understood: Arc<Understood>,
    /// What the question means where nothing is kept back; `None` where nothing is.
    pub(super) meant: Option<Meant>,
    /// What the question asks for of what models have not heard of.
    pub(super) private: Vec<Claim>,
    /// The database as models may know it.
    pub(super) told: RedactedView,
    pub(super) settings: &'a AskSettings,
    /// Knows the right answer; there is one in evaluations that ask for it.
    pub(super) oracle: Option<&'a dyn Oracle>,
    pub(super) trace: Arc<Trace>,
    /// What the question asks for, once it was read.
    pub(super) intent: KeptIntent,
}

impl Work<'_> {
    /// What SQL should answer.
    pub(super) fn asked(&self) -> Asked<'_> {
        Asked::now(self.question, &self.snapshot)
            .with_model(&self.understood.model)
            .with_learned(&self.settings.learned)
            .with_intent(&self.intent)
    }

    pub(super) fn registry(&self) -> &ModelRegistry {
        &self.settings.registry
    }

    /// Notes the tables of an answer whose stored values nobody knows: words of the question were not compared with them.
    pub(super) fn note_unknown_values(&self, sql: &ValidatedSql) {
        for table in sql.tables().iter().map(|at| &self.snapshot.schema.tables[*at]) {
            let why = match &table.restriction {
                _ if table.row_security => "row-level security",
                Some(restriction) if restriction.rows.is_some() => "the access policy",
                _ => continue,
            };
            let told = format!(
                "none are known of {}, since {why} hides rows of it from some: write them as they are stored",
                table.name
            );
            self.trace.step("stored values", told);
        }
    }

    /// Notes which definitions of people the answer follows, and which it does not.
    pub(super) fn note_definitions(&self, sql: &ValidatedSql) {
        let (model, schema) = (&self.understood.model, &self.snapshot.schema);
        if !self.understood.is_told() {
            return;
        }
        let read = validator::inspect(sql.as_str(), schema, self.snapshot.dialect).resolved;
        for definition in
            validator::definitions(self.question, &read.unwrap_or_default(), &self.snapshot, model)
        {
            let described = definition.description.as_ref();
            let described = described.map_or_else(String::new, |text| format!(": {text}"));
            let (name, file) = (&definition.name, definition.file());
            let told = format!("{name} = {}, from {file}{described}", definition.sql);
            if definition.followed {
                self.trace.step("definition", told);
            } else {
                self.trace.step("definition not followed", told);
            }
        }
    }

    /// A question that comes while the index is being built waits a little, then goes on with what there is.
    pub(super) async fn wait_for_values(&self) {
        let values = &self.snapshot.values;
        let deadline = Instant::now() + INDEX_WAIT;
        while !values.progress().is_done() && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let progress = values.progress();
        if !progress.is_done() {
            let detail = format!(
                "{} of {} columns are indexed so far",
                progress.columns_done, progress.columns_total
            );
            self.trace.step("value index", detail);
        }
    }
}

/// Does what computes for more than an instant on a thread that may be blocked.
pub(super) async fn off_the_runtime<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let span = tracing::Span::current();
    match tokio::task::spawn_blocking(move || span.in_scope(work)).await {
        Ok(result) => result,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
