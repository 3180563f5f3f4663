//! One statement: plain SQL, a question, or session control.

use super::{Options, Statement, StatementError, lexer::Lexer};

/// Tells what the one statement `text` is.
pub fn classify(text: &str, options: &Options) -> Result<Statement, StatementError> {
    if Lexer::new(text, options.standard_conforming_strings)
        .all(|token| token.is_blank() || token.is_sign(text, ";"))
    {
        return Ok(Statement::Empty);
    }
    Ok(Statement::Sql)
}
