//! Prompts: one template per agent, and what is put into them of a database. Text of the database is data in them.

/// The text for one call of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What holds for all questions about the same database: rules, dialect, schema.
    pub system: String,
    /// What is asked now.
    pub user: String,
}
