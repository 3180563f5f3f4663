//! How near the tables of a large schema are to a question by meaning, where a model for embeddings is configured.

use std::{sync::Arc, time::Duration};

use moka::sync::Cache;
use tokio::sync::OnceCell;

use super::work::Work;
use crate::{
    model::{ModelError, SharedEmbedder},
    prompt::Similarity,
    schema::{Schema, Table},
};

/// Schemas whose tables' vectors are kept.
const MOST_SCHEMAS: u64 = 16;
/// How long a question waits for vectors before it goes on without.
const PATIENCE: Duration = Duration::from_secs(15);
/// Columns of a table that are told.
const MOST_COLUMNS: usize = 40;

type Vectors = Arc<OnceCell<Vec<Vec<f32>>>>;

/// The vectors of tables, by schema. They are made when the first question needs them.
#[derive(Debug)]
pub struct Meanings(Cache<u64, Vectors>);

impl Default for Meanings {
    fn default() -> Self {
        Self(Cache::new(MOST_SCHEMAS))
    }
}

/// How near each table is to the question; `None` where nobody tells. That it could not be told is a step.
pub(super) async fn similarity(work: &Work<'_>) -> Option<Similarity> {
    let embedder = work.minds().models.embedder()?;
    match tokio::time::timeout(PATIENCE, measure(work, embedder)).await {
        Ok(Ok(similarity)) => Some(similarity),
        Ok(Err(error)) => {
            work.trace
                .step("embeddings", format!("{}: {error}", embedder.name()));
            None
        }
        Err(_) => {
            let detail = format!("{}: no answer within {PATIENCE:?}", embedder.name());
            work.trace.step("embeddings", detail);
            None
        }
    }
}

async fn measure(work: &Work<'_>, embedder: &SharedEmbedder) -> Result<Similarity, ModelError> {
    let schema = &work.snapshot.schema;
    let kept = &work.minds().meanings.0;
    let cell = kept.get_with(work.snapshot.fingerprint, Vectors::default);
    let question = [work.question.to_owned()];
    let (tables, question) = tokio::join!(
        cell.get_or_try_init(|| async { embedder.embed(&descriptions(schema)).await }),
        embedder.embed(&question)
    );
    let (tables, question) = (tables?, question?);
    let Some(question) = question.first() else {
        return Err(ModelError::Malformed("no vector for the question".into()));
    };
    Ok(Similarity {
        tables: tables.iter().map(|table| cosine(table, question)).collect(),
    })
}

/// What a table is about, without anything that is stored in it.
fn descriptions(schema: &Schema) -> Vec<String> {
    let of = |table: &Table| {
        let columns = table.columns.iter().take(MOST_COLUMNS);
        let columns: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
        let comment = table.comment.as_deref().unwrap_or_default();
        format!("{}: {} {comment}", table.name, columns.join(", "))
    };
    schema.tables.iter().map(of).collect()
}

/// The cosine of the angle between two vectors, 0 where one has no length.
fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let product: f32 = one.iter().zip(other).map(|(a, b)| a * b).sum();
    let length = |vector: &[f32]| vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let lengths = length(one) * length(other);
    if lengths > 0.0 { product / lengths } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cosine_is_between_minus_one_and_one() {
        for (one, other, expected) in [
            ([1.0, 0.0], [2.0, 0.0], 1.0),
            ([1.0, 0.0], [0.0, 3.0], 0.0),
            ([1.0, 0.0], [-1.0, 0.0], -1.0),
            ([0.0, 0.0], [1.0, 0.0], 0.0),
        ] {
            assert!((cosine(&one, &other) - expected).abs() < 1e-6);
        }
    }
}
