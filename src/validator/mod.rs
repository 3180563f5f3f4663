//! Generated SQL becomes a [`ValidatedSql`] here, or a list of findings. Nothing else can make one.

use crate::schema::{ColumnRef, Schema};

mod finding;

pub use finding::{Category, Code, Finding, Severity};

/// Whose SQL is checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// SQLite 3.
    #[default]
    Sqlite,
}

/// SQL that parses, names only what the schema has, and that the policy allows: one reading query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidatedSql {
    sql: String,
    columns: Vec<String>,
    parameters: usize,
    tables: Vec<usize>,
    columns_read: Vec<ColumnRef>,
    findings: Vec<Finding>,
}

impl ValidatedSql {
    /// The SQL text: one statement, no semicolon, no comment.
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

    /// The tables and views it reads, as positions in [`Schema::tables`], each once, ascending.
    pub fn tables(&self) -> &[usize] {
        &self.tables
    }

    /// The columns it reads, each once, ascending; those behind a `*` included.
    pub fn columns_read(&self) -> &[ColumnRef] {
        &self.columns_read
    }

    /// The warnings; never an error.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// Checks generated SQL against the grammar, the policy and the schema.
/// Errors, and then the warnings beside them, come back as `Err`.
pub fn validate(sql: &str, schema: &Schema, dialect: Dialect) -> Result<ValidatedSql, Vec<Finding>> {
    let _ = (sql, schema, dialect);
    Err(vec![Finding::error(Code::SqlSyntaxError, None, "not built yet")])
}

/// Corrects what can be corrected without understanding the question, such as a column behind the wrong alias.
/// Returns the new text, and the findings that are gone, if the new text has fewer errors and none that is new.
pub fn repair(sql: &str, schema: &Schema, dialect: Dialect) -> Option<(String, Vec<Finding>)> {
    let _ = (sql, schema, dialect);
    None
}
