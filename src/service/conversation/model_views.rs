//! The views of the semantic model, as a session reads them.

use std::sync::Arc;

use super::Report;
use crate::{
    backend::{Value, text, text_column},
    question::{
        ossie::{Meaning, Understood, View},
        schema::Snapshot,
    },
    statement::ModelView,
};

/// The rows of a view, of what a database means to whoever may read it so.
pub async fn model_view(meaning: Arc<Meaning>, snapshot: Snapshot, view: ModelView) -> Report {
    let span = tracing::Span::current();
    let work = move || span.in_scope(|| report(&meaning.of(&snapshot), view));
    match tokio::task::spawn_blocking(work).await {
        Ok(report) => report,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

fn report(of: &Understood, view: ModelView) -> Report {
    let view = match view {
        ModelView::Datasets => View::datasets(of),
        ModelView::Fields => View::fields(of),
        ModelView::Keys => View::keys(of),
        ModelView::Metrics => View::metrics(of),
        ModelView::Synonyms => View::synonyms(of),
    };
    let value = |value: Option<String>| value.map_or(Value::Null, |value| text(&value));
    Report {
        columns: view.columns.iter().map(|name| text_column(name)).collect(),
        rows: view
            .rows
            .into_iter()
            .map(|row| row.into_iter().map(value).collect())
            .collect(),
    }
}
