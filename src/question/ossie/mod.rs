//! Semantic models in files: Apache Ossie documents, and what dbt's `MetricFlow` writes. What a file says is laid over what
//! was inferred; every expression in it is checked against the database.

mod adding;
mod apply;
mod changes;
mod computed;
mod dbt;
mod dialect;
mod document;
mod expression;
mod file;
mod meaning;
mod measure;
mod metric_query;
mod metrics;
mod names;
mod probe;
mod problem;
mod read;
mod related;
mod understood;
mod views;
mod ways;
mod wording;
mod write;

pub use adding::{Addition, with as with_addition};
pub use apply::{FileModel, apply};
pub use changes::{changes, since};
pub use document::{Document, Model};
pub use file::ModelFile;
pub use meaning::{Meaning, Meanings, ModelFiles, VerifiedState};
pub use metric_query::{MetricQuery, analytic};
pub use probe::refused;
pub use problem::Problem;
pub use read::read;
pub use understood::{Understood, inferred};
pub use views::View;
pub use write::{document, text};
