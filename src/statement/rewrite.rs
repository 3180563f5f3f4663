//! Generated SQL goes in where a question stood; all other bytes of the client's text stay.

use super::{Question, Span, lexer::Lexer, outer::outer};

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

    /// Where the statement's query stands: all of a query, or what stands in `COPY`, `DECLARE` and `PREPARE`. `None` for a
    /// statement that has none.
    pub fn query(&self, standard_conforming_strings: bool) -> Option<Span> {
        let lexer = Lexer::new(&self.text, standard_conforming_strings);
        let mut tokens: Vec<_> = lexer.filter(|token| !token.is_blank()).collect();
        while tokens.last().is_some_and(|token| token.is_sign(&self.text, ";")) {
            tokens.pop();
        }
        let (from, to) = outer(&tokens, &self.text)?.query?;
        let query = tokens.get(from..to)?;
        Some(Span {
            start: query.first()?.span.start,
            end: query.last()?.span.end,
        })
    }

    /// The same with its query as a part of a larger one.
    #[must_use]
    pub fn query_within(&self, query: Span, before: &str, after: &str) -> Self {
        let Span { start, end } = query;
        let question = Origin::Client(self.question_start(0));
        let mut whole = Self {
            text: String::new(),
            pieces: Vec::new(),
            questions: self.questions.clone(),
        };
        whole.push_part(self, 0, start);
        whole.push(before, question, true);
        whole.push_part(self, start, end);
        whole.push(after, question, true);
        whole.push_part(self, end, self.text.len());
        whole
    }

    /// What stands from byte `start` to byte `end` of another.
    fn push_part(&mut self, other: &Self, start: usize, end: usize) {
        for piece in &other.pieces {
            let part = piece.span.start.max(start)..piece.span.end.min(end);
            if part.start < part.end {
                let origin = other.origin(part.start);
                self.push(&other.text[part], origin, piece.added);
            }
        }
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
    fn a_statements_own_query_can_be_part_of_a_larger_one() {
        for (client, expected) in [
            ("-- nl: q\n;", "-- nl: q\n[SELECT 1 AS a]\n;"),
            (
                "SELECT nl('q'); -- all",
                "[SELECT * FROM (SELECT 1 AS a) AS nl]; -- all",
            ),
            (
                "select a from nl('q') t order by 1 -- all",
                "[select a from (SELECT 1 AS a) t order by 1] -- all",
            ),
            (
                "COPY (/* nl: q */) TO STDOUT;",
                "COPY (/* nl: q */ [SELECT 1 AS a]) TO STDOUT;",
            ),
            (
                "DECLARE c CURSOR FOR SELECT * FROM nl('q') t",
                "DECLARE c CURSOR FOR [SELECT * FROM (SELECT 1 AS a) t]",
            ),
            (
                "prepare p(int) as select a from nl('q') t where a = $1",
                "prepare p(int) as [select a from (SELECT 1 AS a) t where a = $1]",
            ),
        ] {
            let Ok(Statement::Question(question)) = statement::classify(client, &Options::default()) else {
                panic!("it asks")
            };
            let rewritten = rewrite(client, &question, &["SELECT 1 AS a"]);
            let query = rewritten.query(true).unwrap();
            let whole = rewritten.query_within(query, "[", "]");
            assert_eq!(whole.text(), expected);
            let offset = "SELECT ".len();
            let at = whole.text().find("1 AS a").unwrap();
            assert_eq!(whole.origin(at), Origin::Generated { asked: 0, offset });
            let end = whole.text().len() - 1;
            if client.ends_with("all") {
                assert_eq!(whole.origin(end), Origin::Client(client.len() - 1));
            }
        }
    }

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
