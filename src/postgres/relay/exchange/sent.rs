//! A text that went to the server in place of the client's, and the way back for positions in it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::{Limit, OverLimit, Pending, Recorded, Tally, runs::Runs};
use crate::{
    service::audit::End,
    statement::{Origin, Rewritten},
};

/// A statement or a string of statements as the server has it.
#[derive(Debug, Default)]
pub(in crate::postgres::relay) struct Sent {
    text: String,
    parts: Vec<Part>,
    /// The client's own text.
    client: String,
    /// Whose each statement of a simple Query is, those that are empty left out.
    statements: Vec<StatementOrigin>,
    /// What the rows of statements may come to, with their positions.
    limits: Vec<(usize, Limit, Arc<Tally>)>,
    /// Rows of the present statement that have gone on.
    rows: AtomicU64,
    /// The questions that run, and those that are only prepared.
    runs: Runs,
    prepared: Recorded,
    /// What statements change of names, with their positions.
    changes: Vec<(usize, Pending)>,
}

/// Whose a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::postgres::relay) enum StatementOrigin {
    /// The client's own.
    Client,
    /// A query that stands for a SHOW of the client's.
    Shown,
    /// It runs a question.
    Asked,
    /// Ours, of which the client hears nothing.
    Hidden,
}

/// `CommandComplete` of a SHOW, whatever stood for it.
const SHOWN: &[u8] = b"C\0\0\0\x09SHOW\0";

impl StatementOrigin {
    /// What the client hears of the end of such a statement, of which the server says this.
    pub(super) fn told(self, frame: &[u8]) -> Option<&[u8]> {
        match self {
            Self::Hidden => None,
            Self::Shown => Some(SHOWN),
            Self::Client | Self::Asked => Some(frame),
        }
    }
}

/// A part of the text.
#[derive(Debug)]
enum Part {
    /// Ours.
    Own { length: usize },
    /// The client's, from this byte of its text on.
    Client { start: usize, length: usize },
    /// A statement with questions in it, which began at this byte of the client's text.
    Asked {
        start: usize,
        rewritten: Rewritten,
        /// One for each question.
        sql: Vec<String>,
    },
}

/// Where something in the text comes from; positions in characters from 1.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::postgres::relay) struct TextOrigin {
    /// Where in the client's own text.
    pub(in crate::postgres::relay) client: usize,
    /// In generated SQL: the SQL, and where in it.
    pub(in crate::postgres::relay) generated: Option<(String, usize)>,
}

impl Sent {
    /// Nothing yet, in place of the client's text.
    pub(in crate::postgres::relay) fn instead_of(client: &str) -> Self {
        Self {
            client: client.to_owned(),
            ..Self::default()
        }
    }

    /// Notes the next statement of the text that the server answers.
    pub(in crate::postgres::relay) fn count(&mut self, origin: StatementOrigin) {
        self.statements.push(origin);
    }

    /// The statement that was noted last, or the only one, runs these questions.
    pub(in crate::postgres::relay) fn runs(&mut self, recorded: &Recorded) {
        let position = self.statements.len().saturating_sub(1);
        self.runs.add(position, recorded);
    }

    /// What the rows of the statement that was noted last, or the only one, may come to, beside those that the tally
    /// has seen.
    pub(in crate::postgres::relay) fn limits(&mut self, limit: Limit, tally: Arc<Tally>) {
        let position = self.statements.len().saturating_sub(1);
        self.limits.push((position, limit, tally));
    }

    /// What the rows of the next question behind so many answers may come to.
    pub(in crate::postgres::relay) fn limit(&self, answered: usize) -> Limit {
        let mut limits = self.limits.iter();
        limits
            .find(|(at, ..)| *at >= answered)
            .map(|(_, limit, _)| *limit)
            .unwrap_or_default()
    }

    /// The statement that was noted last changes a name.
    pub(in crate::postgres::relay) fn changes(&mut self, change: Option<Pending>) {
        let position = self.statements.len().saturating_sub(1);
        self.changes.extend(change.map(|change| (position, change)));
    }

    /// What the statement at this position changes of names.
    pub(super) fn changes_of(&self, position: usize) -> impl Iterator<Item = &Pending> {
        let own = self.changes.iter().filter(move |(at, _)| *at == position);
        own.map(|(_, change)| change)
    }

    /// It prepares these questions, and runs none.
    pub(in crate::postgres::relay) fn prepares(&mut self, recorded: &Recorded) {
        self.prepared = Arc::clone(recorded);
    }

    /// The statement whose answer comes behind that of so many has ended. `rows` is what the server says, if it does.
    pub(in crate::postgres::relay) fn ended(&self, answered: usize, end: End<'_>, rows: Option<u64>) {
        let position = if self.statements.is_empty() { 0 } else { answered };
        let counted = self.rows.swap(0, Ordering::Relaxed);
        let rows = rows.unwrap_or(counted);
        self.runs.end(position, end, rows);
        if let End::Failed(state) = end {
            for asked in &*self.prepared {
                asked.failed(state);
            }
        }
    }

    /// Adds a statement of ours that the client hears nothing of.
    pub(in crate::postgres::relay) fn push_hidden(&mut self, sql: &str) {
        self.count(StatementOrigin::Hidden);
        self.push_own(sql);
    }

    /// Whose the statement is whose answer comes behind that of so many. One alone runs a question.
    pub(in crate::postgres::relay) fn origin(&self, answered: usize) -> StatementOrigin {
        match self.statements.get(answered) {
            Some(origin) => *origin,
            None if self.statements.is_empty() => StatementOrigin::Asked,
            None => StatementOrigin::Client,
        }
    }

    /// True if nothing of the client's is left to run behind so many answers. The server keeps back what it says of
    /// a simple Query until much has come together: only then is it known that it works on a question.
    pub(in crate::postgres::relay) fn only_questions_left(&self, answered: usize) -> bool {
        let mut left = self.statements.iter().skip(answered);
        left.all(|origin| !matches!(origin, StatementOrigin::Client | StatementOrigin::Shown))
    }

    /// Adds SQL of ours.
    pub(in crate::postgres::relay) fn push_own(&mut self, sql: &str) {
        self.parts.push(Part::Own { length: sql.len() });
        self.text.push_str(sql);
    }

    /// Adds a part of the client's text.
    pub(in crate::postgres::relay) fn push_client(&mut self, start: usize, end: usize) {
        self.parts.push(Part::Client {
            start,
            length: end - start,
        });
        let text = self.client[start..end].to_owned();
        self.text.push_str(&text);
    }

    /// Adds a statement of the client's, which begins at byte `start`, its questions replaced by `sql`.
    pub(in crate::postgres::relay) fn push_asked(
        &mut self,
        start: usize,
        rewritten: Rewritten,
        sql: Vec<String>,
    ) {
        self.text.push_str(rewritten.text());
        self.parts.push(Part::Asked {
            start,
            rewritten,
            sql,
        });
    }

    /// What the server gets.
    pub(in crate::postgres::relay) fn text(&self) -> &str {
        &self.text
    }

    /// Counts a row of the statement whose answer comes behind that of so many; tells if it passes a limit.
    pub(in crate::postgres::relay) fn count_row(&self, answered: usize, bytes: usize) -> Option<OverLimit> {
        let limits = self.limits.iter().find(|(at, ..)| *at == answered);
        let over = limits.and_then(|(_, limit, tally)| {
            let (rows, bytes) = tally.add(bytes);
            limit.passed_by(rows, bytes)
        });
        if over.is_none() {
            // Else it does not go on to the client.
            self.rows.fetch_add(1, Ordering::Relaxed);
        }
        over
    }

    /// Where a character of the text, counted from 1, comes from.
    pub(in crate::postgres::relay) fn place(&self, position: usize) -> TextOrigin {
        let offset = byte_of(&self.text, position);
        let mut before = 0;
        for (at, part) in self.parts.iter().enumerate() {
            let length = part.length();
            if offset < before + length || at + 1 == self.parts.len() {
                return self.place_in(part, offset.saturating_sub(before));
            }
            before += length;
        }
        TextOrigin {
            client: 1,
            generated: None,
        }
    }

    fn place_in(&self, part: &Part, offset: usize) -> TextOrigin {
        let client = |byte: usize| character_of(&self.client, byte);
        match part {
            Part::Own { .. } => TextOrigin {
                client: 1,
                generated: None,
            },
            Part::Client { start, length } => TextOrigin {
                client: client(start + offset.min(*length)),
                generated: None,
            },
            Part::Asked {
                start,
                rewritten,
                sql,
            } => match rewritten.origin(offset) {
                Origin::Client(at) => TextOrigin {
                    client: client(start + at),
                    generated: None,
                },
                Origin::Generated { asked, offset } => TextOrigin {
                    client: client(start + rewritten.question_start(asked)),
                    generated: sql.get(asked).map(|sql| (sql.clone(), character_of(sql, offset))),
                },
            },
        }
    }
}

impl Part {
    fn length(&self) -> usize {
        match self {
            Self::Own { length } | Self::Client { length, .. } => *length,
            Self::Asked { rewritten, .. } => rewritten.text().len(),
        }
    }
}

/// The byte at which a character, counted from 1, begins.
fn byte_of(text: &str, position: usize) -> usize {
    text.char_indices()
        .nth(position.saturating_sub(1))
        .map_or(text.len(), |(at, _)| at)
}

/// The character, counted from 1, that stands at a byte.
fn character_of(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::{self, Options, Statement};

    #[test]
    fn positions_lead_back_to_the_client() {
        let client = "SELECT 1; -- nl: how many\n; SELECT x";
        let statements = statement::read(client, &Options::default());
        let mut sent = Sent::instead_of(client);
        sent.push_own("SET a = 1; ");
        for part in &statements {
            let own = part.span.of(client);
            match part.statement.as_ref().unwrap() {
                Statement::Question(question) => {
                    let sql = "SELECT y FROM t".to_owned();
                    let rewritten = statement::rewrite(own, question, &[&sql]);
                    sent.push_asked(part.span.start, rewritten, vec![sql]);
                }
                _ => sent.push_client(part.span.start, part.span.end),
            }
        }
        let at = |needle: &str| sent.text().find(needle).unwrap() + 1;
        let own = TextOrigin {
            client: 8,
            generated: None,
        };
        assert_eq!(sent.place(at("SELECT 1") + 7), own);
        assert_eq!(sent.place(at("x")).client, client.find('x').unwrap() + 1);
        let place = sent.place(at("y FROM"));
        assert_eq!(place.generated, Some(("SELECT y FROM t".to_owned(), 8)));
        assert_eq!(place.client, client.find("--").unwrap() + 1);
        assert_eq!(sent.place(1).client, 1);
        assert_eq!(sent.place(10_000).client, client.len() + 1);
    }
}
