//! Generated SQL becomes a [`ValidatedSql`] here, or a list of findings. Nothing else can make one.

/// SQL that parses, names only what the schema has, and that the policy allows: one reading query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidatedSql {
    sql: String,
    columns: Vec<String>,
    parameters: usize,
}

impl ValidatedSql {
    /// The SQL text, one statement, no semicolon.
    pub fn as_str(&self) -> &str {
        &self.sql
    }

    /// Names of the output columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The highest `$n` in it.
    pub fn parameters(&self) -> usize {
        self.parameters
    }
}
