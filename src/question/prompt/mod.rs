//! Prompts: one template per agent, and what is put into them of a database. Text of the database is data in them.

mod agent;
mod context;
mod data;
mod ddl;
mod evidence;
mod excerpt;
mod held;
mod meaning;
mod templates;
mod tokens;

pub use agent::Agent;
pub use context::{Attempt, Example, FindingNote, PromptContext, TaxonomyEntry};
pub use ddl::{plain_schema, schema_text};
pub use evidence::evidence;
pub use excerpt::{Excerpt, Similarity, excerpt, nearest_tables};
pub use meaning::{Meant, meant};
pub use templates::{PromptError, Prompts, dialect_rules};
pub use tokens::estimate_tokens;

/// The text for one call of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What holds for all questions about the same database: schema, dialect, rules, role.
    pub system: String,
    /// What is asked now.
    pub user: String,
}

/// Whether stored values may stand in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// They may.
    Send,
    /// They stay here.
    Withhold,
}
