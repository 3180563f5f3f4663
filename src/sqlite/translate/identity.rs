//! Identity columns: how they are kept, and the values that they do not take.

use super::{NamedColumn, Refusal, Result, Stop};
use crate::statement::sqlite_lexer::{self, Piece};

/// When an identity column takes a number that is not its sequence's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Identity {
    ByDefault,
    Always,
}

/// `OVERRIDING … VALUE` of an INSERT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overriding {
    /// The values that are given count.
    System,
    /// The sequence counts.
    User,
}

/// The comment that is kept behind the default of an identity column.
const NOTES: [(Identity, &str); 2] = [
    (Identity::ByDefault, "identity by default"),
    (Identity::Always, "identity always"),
];

impl Identity {
    /// The default of a column with the note that it is an identity.
    pub(crate) fn noted(self, default: &str) -> String {
        let note = NOTES.iter().find(|(identity, _)| *identity == self);
        format!("{default} /* {} */", note.map_or("", |(_, note)| note))
    }

    /// What a default that is kept says.
    pub(crate) fn of(default: &str) -> Option<Self> {
        let mut pieces = sqlite_lexer::pieces(default).map(|(_, piece)| piece);
        let draws = pieces.next() == Some(Piece::Token("pg_nextval"));
        let last = pieces.last().filter(|_| draws)?;
        let note = NOTES.iter().find(|(_, note)| last == Piece::Comment(note));
        note.map(|(identity, _)| *identity)
    }

    /// As in `pg_attribute.attidentity`.
    pub(crate) fn letter(self) -> &'static str {
        match self {
            Self::ByDefault => "d",
            Self::Always => "a",
        }
    }

    /// True for the words of such a note.
    pub(crate) fn is_note(comment: &str) -> bool {
        NOTES.iter().any(|(_, note)| *note == comment)
    }
}

/// That a new row brings a value for a column that takes none.
pub(super) fn takes_none<T>(column: &NamedColumn) -> Result<T> {
    Err(Stop::Refused(Refusal {
        sqlstate: "428C9",
        message: format!(
            "cannot insert a non-DEFAULT value into column \"{}\"",
            column.name
        ),
        detail: Some(defined(column)),
        hint: Some("Use OVERRIDING SYSTEM VALUE to override.".into()),
        position: None,
    }))
}

/// That a row is to get another number.
pub(super) fn keeps_its_own<T>(column: &NamedColumn) -> Result<T> {
    refused(
        format!("column \"{}\" can only be updated to DEFAULT", column.name),
        defined(column),
    )
}

/// That a new row brings a value for a column that is computed.
pub(super) fn is_computed<T>(column: &NamedColumn) -> Result<T> {
    let message = format!(
        "cannot insert a non-DEFAULT value into column \"{}\"",
        column.name
    );
    refused(
        message,
        format!("Column \"{}\" is a generated column.", column.name),
    )
}

/// That a column that is computed is to get another value.
pub(super) fn stays_computed<T>(column: &NamedColumn) -> Result<T> {
    let message = format!("column \"{}\" can only be updated to DEFAULT", column.name);
    refused(
        message,
        format!("Column \"{}\" is a generated column.", column.name),
    )
}

fn refused<T>(message: String, detail: String) -> Result<T> {
    Err(Stop::Refused(Refusal {
        sqlstate: "428C9",
        message,
        detail: Some(detail),
        hint: None,
        position: None,
    }))
}

fn defined(column: &NamedColumn) -> String {
    format!(
        "Column \"{}\" is an identity column defined as GENERATED ALWAYS.",
        column.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read() {
        for identity in [Identity::ByDefault, Identity::Always] {
            let kept = identity.noted("pg_nextval('t_id_seq')");
            assert_eq!(Identity::of(&kept), Some(identity));
            assert_eq!(Identity::of(&kept.replace("pg_nextval", "other")), None);
        }
        assert_eq!(Identity::of("pg_nextval('t_id_seq')"), None);
        assert!(Identity::is_note("identity always") && !Identity::is_note("identity"));
    }
}
