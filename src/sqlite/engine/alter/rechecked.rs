//! What a column that gets another type must still fit: views that read it, which keep it as it is, and the checks of its table,
//! which are made anew of the words in which they were written.

use rusqlite::Result;

use super::{
    FoundTable, dependents,
    plan::Plan,
    quoted,
    text::{Clause, ClauseKind},
    violated::told,
};
use crate::{
    backend::BackendError,
    sqlite::{engine::session::Session, translate::written},
    statement::sqlite_lexer::{Piece, pieces},
};

impl Session<'_> {
    /// Refuses another type for a column that a view reads.
    pub(super) fn no_view_reads(&self, found: &FoundTable, column: &str) -> Result<()> {
        let connection = &self.own.connection;
        let views = dependents::views(connection)?.into_iter();
        for (schema, view) in views.filter(|(schema, _)| *schema == found.schema || schema == "temp") {
            let sql = format!("SELECT * FROM {}.{}", quoted(&schema), quoted(&view));
            let (_, reads) = self.own.guard.reads_of(|| connection.prepare(&sql).map(|_| ()));
            let is_read = |(table, read): &(String, String)| {
                table.eq_ignore_ascii_case(&found.name) && read.eq_ignore_ascii_case(column)
            };
            if reads.iter().any(is_read) {
                return Err(told(BackendError {
                    detail: Some(format!(
                        "rule _RETURN on view {view} depends on column \"{column}\""
                    )),
                    ..BackendError::new("0A000", "cannot alter type of a column used by a view or rule")
                }));
            }
        }
        Ok(())
    }
}

impl Plan<'_> {
    /// Makes the checks anew that read a column, now that it has another type; an error where PostgreSQL has no such operator.
    pub(super) fn checks_fit(&mut self, column: &str) -> Result<()> {
        for at in 0..self.text().all_clauses().len() {
            let text = self.text();
            let clauses = text.all_clauses();
            let Some(clause) = clauses.get(at).filter(|clause| self.checks(clause, column)) else {
                continue;
            };
            let words = text.words(&clause.tokens);
            let Some((head, condition)) = condition(words) else {
                continue;
            };
            let as_written = written::expression(condition);
            let item = match self.item(&format!("CHECK ({})", as_written.unwrap_or(condition))) {
                Ok(item) => item,
                // What was kept in SQLite's words may call what PostgreSQL has not.
                Err(error) if lacks(&error, as_written.is_some()) => return Err(error),
                Err(_) => continue,
            };
            let made = item.find('(').map_or("", |open| &item[open..]);
            self.sql = text.replaced(&clause.tokens, &format!("{head}{made}"));
        }
        Ok(())
    }

    fn checks(&self, clause: &Clause, column: &str) -> bool {
        clause.kind == ClauseKind::Check && self.text().reads(clause, column)
    }
}

/// True where an operator is missing, or a function that whoever wrote the check has called.
fn lacks(error: &rusqlite::Error, as_written: bool) -> bool {
    let words = error.to_string();
    words.contains("operator does not exist")
        || (as_written && words.contains("function ") && words.contains(" does not exist"))
}

/// What stands before the parentheses of `[CONSTRAINT name] CHECK (…)`, and what in them.
fn condition(words: &str) -> Option<(&str, &str)> {
    let (open, _) = pieces(words).find(|(_, piece)| matches!(piece, Piece::Token("(")))?;
    let inner = words[open + 1..].strip_suffix(')')?;
    Some((&words[..open], inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_its_head_and_its_condition() {
        assert_eq!(condition("CHECK (a > (0))"), Some(("CHECK ", "a > (0)")));
        let named = "CONSTRAINT \"a (b\" CHECK((a > 0) /* as written 1: x */)";
        assert_eq!(
            condition(named),
            Some(("CONSTRAINT \"a (b\" CHECK", "(a > 0) /* as written 1: x */"))
        );
    }
}
