//! How near the tables of a large schema are to a question by meaning, where a model for embeddings is configured.

use std::fmt::Write;

use super::work::Work;
use crate::{
    error::beginning,
    question::{
        prompt::Similarity,
        schema::{Schema, Table},
    },
};

/// What is told of a table at most, in bytes: more says no more of what it is about.
const LONGEST: usize = 1_000;

/// How near each table is. `None` where nothing is configured for it, or it does not answer; the trace says so.
pub(super) async fn similarity(work: &Work<'_>) -> Option<Similarity> {
    let embedder = work.registry().models.embedder()?;
    let mut texts = descriptions(&work.told.snapshot.schema);
    texts.push(work.question.to_owned());
    match embedder.embed(&texts).await {
        Ok(mut vectors) => {
            let question = vectors.pop()?;
            Some(Similarity {
                tables: vectors.iter().map(|table| cosine(table, &question)).collect(),
            })
        }
        Err(error) => {
            tracing::warn!(model = embedder.name(), %error, "no embeddings");
            work.trace
                .step("embeddings", format!("{}: {error}", embedder.name()));
            None
        }
    }
}

/// What each table is about, in words: names and comments, no stored value.
fn descriptions(schema: &Schema) -> Vec<String> {
    schema.tables.iter().map(description).collect()
}

fn description(table: &Table) -> String {
    let mut text = words(&table.name);
    if let Some(comment) = &table.comment {
        // Writing to a string does not fail.
        let _ = write!(text, " ({comment})");
    }
    for (column, separator) in table
        .columns
        .iter()
        .zip(std::iter::once(": ").chain(std::iter::repeat(", ")))
    {
        text.push_str(separator);
        text.push_str(&words(&column.name));
        if let Some(comment) = &column.comment {
            let _ = write!(text, " ({comment})");
        }
        if text.len() > LONGEST {
            break;
        }
    }
    text.truncate(beginning(&text, LONGEST).len());
    text
}

/// A name as words.
fn words(name: &str) -> String {
    name.replace(['_', '-'], " ")
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let dot = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f32>();
    let lengths = (dot(one, one) * dot(other, other)).sqrt();
    if lengths > 0.0 {
        dot(one, other) / lengths
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::Column;

    #[test]
    fn a_table_is_described_by_its_names_and_comments() {
        let column = |name: &str, comment: Option<&str>| Column {
            name: name.into(),
            comment: comment.map(Into::into),
            ..Column::default()
        };
        let mut table = Table {
            name: "order_lines".into(),
            comment: Some("what was bought".into()),
            columns: vec![column("product_id", None), column("qty", Some("pieces"))],
            ..Table::default()
        };
        assert_eq!(
            description(&table),
            "order lines (what was bought): product id, qty (pieces)"
        );
        table.columns = (0..1_000)
            .map(|number| column(&format!("größe{number}"), None))
            .collect();
        let long = description(&table);
        assert!((LONGEST - 4..=LONGEST).contains(&long.len()), "{}", long.len());
    }

    #[test]
    fn nearness_is_the_angle() {
        for (one, other, near) in [
            (&[1.0, 0.0][..], &[2.0, 0.0][..], 1.0),
            (&[1.0, 0.0], &[0.0, 3.0], 0.0),
            (&[1.0, 1.0], &[-1.0, -1.0], -1.0),
            (&[0.0, 0.0], &[1.0, 0.0], 0.0),
        ] {
            assert!((cosine(one, other) - near).abs() < 1e-6, "{one:?} {other:?}");
        }
    }
}
