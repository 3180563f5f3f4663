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
pub async fn model_view(meaning: Arc<Meaning>, snapshot: Snapshot, view: &ModelView) -> Report {
    let view = view.clone();
    let span = tracing::Span::current();
    let work = move || span.in_scope(|| report(&meaning, &snapshot, &view));
    match tokio::task::spawn_blocking(work).await {
        Ok(report) => report,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

fn report(meaning: &Meaning, snapshot: &Snapshot, view: &ModelView) -> Report {
    let of = |see: fn(&Understood) -> View| see(&meaning.of(snapshot));
    let view = match view {
        ModelView::Datasets => of(View::datasets),
        ModelView::Fields => of(View::fields),
        ModelView::Keys => of(View::keys),
        ModelView::Metrics => of(View::metrics),
        ModelView::Synonyms => of(View::synonyms),
        // What is stored is so whatever it means.
        ModelView::Contents(table) => View::contents(snapshot, table),
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
