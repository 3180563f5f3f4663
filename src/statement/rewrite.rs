//! Generated SQL goes in where a question stood; all other bytes of the client's text stay.

use super::{Question, Span, lexer::Lexer};

/// A statement with its questions replaced, and the way back to the client's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    text: String,
    /// Adjacent pieces that cover `text`.
    pieces: Vec<Piece>,
    /// Where each question begins in the client's statement.
    questions: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// In the rewritten text.
    span: Span,
    /// Of its first byte.
    origin: Origin,
    /// Put around generated SQL: all of it comes from the question as a whole.
    added: bool,
}

/// Where a byte of a rewritten statement comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// This byte of the client's statement. For what was put around generated SQL, the question's start.
    Client(usize),
    /// Generated SQL.
    Generated {
        /// Which question, by position in [`Question::asked`].
        asked: usize,
        /// Which byte of its SQL.
        offset: usize,
    },
}

/// Puts `sql`, one text per question of [`Question::asked`] and in its order, into `statement`.
///
/// # Panics
/// If there are not as many texts as questions, or `statement` is not the text that was classified.
pub fn rewrite(statement: &str, question: &Question, sql: &[&str]) -> Rewritten {
    assert_eq!(sql.len(), question.asked.len(), "one SQL text per question");
    let mut rewritten = Rewritten {
        text: String::with_capacity(statement.len()),
        pieces: Vec::new(),
        questions: question.asked.iter().map(|asked| asked.span.start).collect(),
    };
    let mut done = 0;
    for (index, (asked, sql)) in question.asked.iter().zip(sql).enumerate() {
        let slot = &asked.slot;
        let question = Origin::Client(asked.span.start);
        rewritten.push(&statement[done..slot.span.start], Origin::Client(done), false);
        rewritten.push(&slot.before, question, true);
        rewritten.push(
            sql,
            Origin::Generated {
                asked: index,
                offset: 0,
            },
            false,
        );
        // A line comment in the SQL must not swallow what follows it.
        rewritten.push(if sql.contains("--") { "\n" } else { "" }, question, true);
        rewritten.push(&slot.after, question, true);
        done = slot.span.end;
    }
    rewritten.push(&statement[done..], Origin::Client(done), false);
    rewritten
}

impl Rewritten {
    /// The answer to a question, and nothing else.
    pub fn answer(sql: &str) -> Self {
        let mut rewritten = Self {
            text: String::new(),
            pieces: Vec::new(),
            questions: vec![0],
        };
        let origin = Origin::Generated { asked: 0, offset: 0 };
        rewritten.push(sql, origin, false);
        rewritten
    }

    /// The same as a part of a larger query: what ends a statement is taken from its end.
    #[must_use]
    pub fn within(mut self, before: &str, after: &str) -> Self {
        let tokens: Vec<_> = Lexer::new(&self.text, true).collect();
        let behind = tokens
            .iter()
            .rev()
            .take_while(|token| token.is_blank() || token.is_sign(&self.text, ";"));
        let ends: Vec<usize> = behind
            .filter(|token| !token.is_blank())
            .map(|token| token.span.start)
            .collect();
        // A space in its place moves nothing.
        for at in ends {
            self.text.replace_range(at..=at, " ");
        }
        let question = Origin::Client(self.question_start(0));
        let mut whole = Self {
            text: String::new(),
            pieces: Vec::new(),
            questions: self.questions,
        };
        whole.push(before, question, true);
        for piece in &self.pieces {
            whole.push(piece.span.of(&self.text), piece.origin, piece.added);
        }
        whole.push(after, question, true);
        whole
    }

    /// The statement to run.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where generated SQL stands in the statement to run, in bytes.
    pub fn generated(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let is_generated = |piece: &&Piece| !piece.added && matches!(piece.origin, Origin::Generated { .. });
        self.pieces
            .iter()
            .filter(is_generated)
            .map(|piece| piece.span.start..piece.span.end)
    }

    /// The byte of the client's statement at which the question of that number begins.
    pub fn question_start(&self, asked: usize) -> usize {
        self.questions.get(asked).copied().unwrap_or(0)
    }

    /// Where the byte at `offset` comes from; behind the end, where the last one does.
    pub fn origin(&self, offset: usize) -> Origin {
        let index = self.pieces.partition_point(|piece| piece.span.end <= offset);
        let Some(piece) = self.pieces.get(index).or(self.pieces.last()) else {
            return Origin::Client(0);
        };
        let within = offset.clamp(piece.span.start, piece.span.end) - piece.span.start;
        match piece.origin {
            origin if piece.added => origin,
            Origin::Client(at) => Origin::Client(at + within),
            Origin::Generated { asked, offset } => Origin::Generated {
                asked,
                offset: offset + within,
            },
        }
    }

    fn push(&mut self, text: &str, origin: Origin, added: bool) {
        if !text.is_empty() {
            let start = self.text.len();
            self.text.push_str(text);
            self.pieces.push(Piece {
                span: Span {
                    start,
                    end: self.text.len(),
                },
                origin,
                added,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::{self, Options, Statement};

    #[test]
    fn a_larger_query_leads_back_too() {
        let client = "SELECT a FROM nl('how many') t ; -- all";
        let statements = statement::read(client, &Options::default());
        let Ok(Statement::Question(question)) = &statements[0].statement else {
            panic!("it asks")
        };
        let own = statements[0].span.of(client);
        let whole = rewrite(own, question, &["SELECT 1 AS a"]).within("SELECT x FROM (", "\n) AS x");
        assert_eq!(
            whole.text(),
            "SELECT x FROM (SELECT a FROM (SELECT 1 AS a) t  \n) AS x"
        );
        let at = |needle: &str| whole.origin(whole.text().find(needle).unwrap());
        assert_eq!(at("a FROM"), Origin::Client(7));
        let offset = "SELECT ".len();
        assert_eq!(at("1 AS a"), Origin::Generated { asked: 0, offset });
        assert_eq!(at("x FROM"), Origin::Client(client.find("nl(").unwrap()));
    }
}
