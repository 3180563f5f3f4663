//! What statements of SQL do with the names of questions: they run them, make them and forget them.

use super::{
    exchange::{Answered, Asks, ByName, Change},
    question_error::QuestionError,
    session::Session,
};
use crate::{
    statement::{self, ClientStatement, Context, Piece, Question, SessionStatement, Statement, pieces},
    wire::{Fields, Severity},
};

impl Session {
    /// What a plain statement does with names, whosever they are.
    pub(super) fn by_name(&self, statement: &ClientStatement, text: &str) -> Option<ByName> {
        if !matches!(statement.statement, Ok(Statement::Sql)) {
            return None;
        }
        let own = statement.span.of(text);
        let recognised = statement::recognise(own, &self.options()).ok();
        match recognised {
            Some(SessionStatement::Fetch { cursor, .. } | SessionStatement::Move { cursor, .. }) => {
                Some(ByName::Fetch(cursor.into_bytes()))
            }
            Some(SessionStatement::Prepare { name, .. } | SessionStatement::Deallocate(Some(name))) => {
                Some(ByName::Changes(Change::Statement(name.into_bytes(), None)))
            }
            Some(SessionStatement::Declare(cursor)) => {
                Some(ByName::Changes(Change::Portal(cursor.name.into_bytes(), None)))
            }
            Some(SessionStatement::Close(Some(name))) => {
                Some(ByName::Changes(Change::Portal(name.into_bytes(), None)))
            }
            recognised => {
                let name = named(own, recognised.as_ref())?;
                let stores = matches!(recognised, Some(SessionStatement::Explain(_))) && creates(own);
                Some(if stores {
                    ByName::Stores(name)
                } else {
                    ByName::Execute(name)
                })
            }
        }
    }

    /// True if such a name may be a question's, whatever the server answers to what was said.
    pub(super) fn is_of_question(&self, by_name: &ByName) -> bool {
        let names = &self.exchange.names;
        match by_name {
            ByName::Execute(name) | ByName::Stores(name) | ByName::Changes(Change::Statement(name, _)) => {
                names.may_be_statement(name)
            }
            ByName::Fetch(name) | ByName::Changes(Change::Portal(name, _)) => names.may_be_portal(name),
            ByName::Holds(_) | ByName::Writes(_) => true,
        }
    }

    /// The question that it runs. What that reads may have become something else since it was answered.
    pub(super) fn runs(&self, by_name: &ByName) -> Option<Answered> {
        let (asks, begun) = match by_name {
            ByName::Execute(name) | ByName::Stores(name) => (self.exchange.names.statement(name), false),
            // A cursor was judged when it was opened.
            ByName::Fetch(name) => (self.exchange.names.portal(name), true),
            ByName::Changes(_) | ByName::Holds(_) | ByName::Writes(_) => return None,
        };
        match asks {
            Some(Asks::Answered(answered)) => Some(Answered {
                runs_code: true,
                judged_in: if begun {
                    self.exchange.pipelines
                } else {
                    answered.judged_in
                },
                ..answered.clone()
            }),
            _ => None,
        }
    }

    /// Lets what would store the rows of a prepared question fail.
    pub(super) fn refuse_to_store(&mut self, by_name: &ByName) {
        if let ByName::Stores(_) = by_name {
            self.fail(stores());
        }
    }

    /// The name that a statement with questions makes.
    pub(super) fn made(&self, own: &str, question: &Question, answered: Answered) -> Option<ByName> {
        let asks = (question.context != Context::Write).then_some(Asks::Answered(answered));
        match self.recognise_asking(own, question) {
            Some(SessionStatement::Prepare { name, .. }) => {
                Some(ByName::Changes(Change::Statement(name.into_bytes(), asks)))
            }
            Some(SessionStatement::Declare(cursor)) => {
                let change = Change::Portal(cursor.name.into_bytes(), asks);
                Some(if cursor.hold {
                    ByName::Holds(change)
                } else {
                    ByName::Changes(change)
                })
            }
            _ => None,
        }
    }

    /// How a statement with questions would be carried out: each stands for a query, in whatever form it is asked.
    pub(super) fn recognise_asking(&self, own: &str, question: &Question) -> Option<SessionStatement> {
        let queries = vec!["SELECT 1"; question.asked.len()];
        let rewritten = statement::rewrite(own, question, &queries);
        statement::recognise(rewritten.text(), &self.options()).ok()
    }

    /// Fails if no more names of questions are remembered.
    pub(super) fn check_names(&self) -> Result<(), QuestionError> {
        if self.exchange.names.has_room() {
            return Ok(());
        }
        Err(QuestionError::failed(
            "54000",
            "the session has too many prepared questions",
            "DEALLOCATE those that are not needed any more.",
        ))
    }
}

/// True for a statement that makes something of what it runs.
fn creates(own: &str) -> bool {
    pieces(own, true)
        .any(|(piece, span)| piece == Piece::Whole && span.of(own).eq_ignore_ascii_case("create"))
}

/// What is told where EXPLAIN would store what a question answers: PostgreSQL looks whether a transaction is read-only for
/// CREATE TABLE AS, and not where EXPLAIN runs that.
pub(super) fn stores() -> Fields {
    Fields::new(
        Severity::Error,
        "25006",
        "cannot execute CREATE TABLE AS in a read-only transaction",
    )
    .with_hint("A question that was prepared is only read. To store what it answers, ask it in CREATE TABLE AS itself.")
}

/// The name of the prepared statement or of the cursor that a statement runs: EXECUTE may stand in EXPLAIN and in
/// CREATE TABLE … AS, too.
pub(super) fn named(own: &str, recognised: Option<&SessionStatement>) -> Option<Vec<u8>> {
    match recognised {
        Some(SessionStatement::Execute { name, .. }) => return Some(name.clone().into_bytes()),
        Some(SessionStatement::Fetch { cursor, .. } | SessionStatement::Move { cursor, .. }) => {
            return Some(cursor.clone().into_bytes());
        }
        Some(SessionStatement::Explain(_) | SessionStatement::Ordinary(_)) | None => {}
        Some(_) => return None,
    }
    let mut words = pieces(own, true)
        .filter(|(piece, _)| *piece == Piece::Whole)
        .map(|(_, span)| span.of(own));
    words.find(|word| word.eq_ignore_ascii_case("execute"))?;
    let name = words.next()?;
    Some(
        match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
            Some(quoted) => quoted.replace("\"\"", "\"").into_bytes(),
            None => name.to_ascii_lowercase().into_bytes(),
        },
    )
}
