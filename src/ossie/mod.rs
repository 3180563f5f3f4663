//! Semantic models in files: Apache Ossie documents, and what dbt's MetricFlow writes. What a file says is laid over what
//! was inferred; every expression in it is checked against the database.

mod apply;
mod dialect;
mod document;
mod expression;
mod probe;
mod problem;
mod read;
mod ways;
mod write;

pub use apply::{Understood, apply, inferred};
pub use document::{Document, Model};
pub use problem::Problem;
pub use read::read;
pub use write::{document, text};
