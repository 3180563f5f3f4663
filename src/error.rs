//! What a client may read of an error. Everything else stays in the log.

/// Whose fault an error is; decides how it is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The client sent something that cannot work.
    Client,
    /// The database refused or is unavailable.
    Backend,
    /// Querent broke one of its own promises.
    Internal,
}

/// An error that may be told to a client, field by field as PostgreSQL's `ErrorResponse` has them
/// (protocol chapter "Error and Notice Message Fields").
pub trait ClientError: std::error::Error {
    /// Five characters, as PostgreSQL's appendix "Error Codes" or CONTRACT's `NLxxx`.
    fn sqlstate(&self) -> &'static str;
    /// One line, lower case, no full stop.
    fn message(&self) -> String {
        self.to_string()
    }
    /// What exactly happened.
    fn detail(&self) -> Option<String> {
        None
    }
    /// What to do about it.
    fn hint(&self) -> Option<String> {
        None
    }
    /// Where in the client's own text, in characters from 1.
    fn position(&self) -> Option<usize> {
        None
    }
    /// Generated SQL that the error is about, and where in it, in characters from 1 (`q` and `p` fields).
    fn internal(&self) -> Option<(String, Option<usize>)> {
        None
    }
    /// Whose fault it is.
    fn fault(&self) -> Fault {
        Fault::Client
    }
}
