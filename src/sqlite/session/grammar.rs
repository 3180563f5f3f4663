//! Statements within statements: what PostgreSQL's grammar lets PREPARE, DECLARE, COPY and EXPLAIN stand around.

use crate::{
    backend::BackendError,
    statement::{CommandTag, CopySource, SessionStatement, recognise},
};

use super::{error::SessionError, run::Session, sql::Sql};

impl Session {
    /// Refuses a statement around one that cannot stand there, before anything else is looked at.
    pub(super) fn check_within(&self, sql: &Sql, statement: &SessionStatement) -> Result<(), SessionError> {
        let (query, is_one): (_, fn(&CommandTag) -> bool) = match statement {
            SessionStatement::Prepare { query, .. } => (*query, is_preparable),
            SessionStatement::Declare(cursor) => (cursor.query, |tag| *tag == CommandTag::Select),
            SessionStatement::Copy(copy) => match copy.source {
                CopySource::Query(query) => (query, is_preparable),
                CopySource::Table { .. } => return Ok(()),
            },
            // SQLite carries these out as it compiles them.
            SessionStatement::Explain(explain) => {
                let query = sql.part(explain.query);
                return if begins_with(&query, "pragma") {
                    Err(unexpected(&query))
                } else {
                    Ok(())
                };
            }
            _ => return Ok(()),
        };
        let query = sql.part(query);
        let recognised = recognise(query.as_str(), &self.options());
        match recognised {
            // A table of a query's rows is told like one.
            Ok(SessionStatement::Ordinary(tag)) if is_one(&tag) && !begins_with(&query, "create") => Ok(()),
            Ok(_) => Err(unexpected(&query)),
            // It is told where the statement is read.
            Err(_) => Ok(()),
        }
    }
}

fn is_preparable(tag: &CommandTag) -> bool {
    !matches!(tag, CommandTag::Words(_))
}

pub(super) fn begins_with(query: &Sql, word: &str) -> bool {
    first_word(query).1.eq_ignore_ascii_case(word)
}

/// The first word of a statement, and the characters before it.
fn first_word(query: &Sql) -> (usize, &str) {
    let text = query.as_str();
    let found = crate::statement::tokens(text).next();
    found.map_or((0, text), |(at, word)| (text[..at].chars().count(), word))
}

/// The error of a statement that cannot stand where this one does: PostgreSQL's grammar has no place for it.
pub(super) fn unexpected(query: &Sql) -> SessionError {
    let (before, word) = first_word(query);
    let mut error = BackendError::new("42601", format!("syntax error at or near \"{word}\""));
    error.position = Some(before + 1);
    query.locate(&error, 0)
}
