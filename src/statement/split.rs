//! A text is split into statements at its top-level semicolons.

use super::{
    Options, Span, ask_keyword,
    lexer::{Lexer, Token, TokenKind},
};

/// The spans of the statements of `text`, each with its `;` and what stands in front of it; adjacent, from
/// the first byte to the last. What follows the last `;` is a statement of its own unless it is empty.
pub fn split(text: &str, options: &Options) -> Vec<Span> {
    let mut lexer = Lexer::new(text, options.standard_conforming_strings);
    let mut spans = Vec::new();
    let mut start = 0;
    let mut inside = Inside::default();
    while let Some(token) = lexer.next() {
        let mut end = token.span.end;
        if options.ask_keyword && inside.words == 0 && token.is_word(text, ask_keyword::WORD) {
            end = ask_keyword::end(text, token.span.end);
            lexer.skip_to(end);
        } else if !inside.ends_at(token, text) {
            continue;
        }
        spans.push(Span { start, end });
        start = end;
        inside = Inside::default();
    }
    if start < text.len() {
        spans.push(Span {
            start,
            end: text.len(),
        });
    }
    spans
}

/// Where in a statement we are. Semicolons in parentheses (CREATE RULE) and in the bodies of functions
/// (`BEGIN ATOMIC … END`) and of SQLite's triggers (`BEGIN … END`) do not end it.
#[derive(Default)]
struct Inside {
    /// Tokens so far that are not blank.
    words: usize,
    parentheses: usize,
    body: Body,
    /// `BEGIN` and `CASE` without their `END`.
    blocks: usize,
    after_begin: bool,
}

/// The body that the statement's first words let expect.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Only `CREATE` and words that may follow it were read.
    #[default]
    Unknown,
    None,
    Routine,
    Trigger,
}

impl Inside {
    /// Takes one token in; true if the statement ends with it.
    fn ends_at(&mut self, token: Token, text: &str) -> bool {
        if token.is_blank() {
            return false;
        }
        let after_begin = std::mem::take(&mut self.after_begin);
        match token.kind {
            TokenKind::Punctuation => match token.span.of(text) {
                ";" if self.parentheses == 0 && self.blocks == 0 => return true,
                "(" => self.parentheses += 1,
                ")" => self.parentheses = self.parentheses.saturating_sub(1),
                _ => {}
            },
            TokenKind::Word if self.body != Body::None => self.word(token.span.of(text), after_begin),
            _ => {}
        }
        self.words += 1;
        false
    }

    fn word(&mut self, word: &str, after_begin: bool) {
        let is = |other: &str| word.eq_ignore_ascii_case(other);
        if self.body == Body::Unknown {
            self.body = match self.words {
                0 if is("create") => Body::Unknown,
                0 => Body::None,
                _ if is("function") || is("procedure") => Body::Routine,
                _ if is("trigger") => Body::Trigger,
                _ if is("or") || is("replace") || is("temp") || is("temporary") => Body::Unknown,
                _ => Body::None,
            };
            return;
        }
        if self.parentheses > 0 {
            return;
        }
        if self.blocks > 0 {
            if is("case") {
                self.blocks += 1;
            } else if is("end") {
                self.blocks -= 1;
            }
        } else if is("begin") && self.body == Body::Trigger || is("atomic") && after_begin {
            self.blocks = 1;
        } else {
            self.after_begin = is("begin");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let options = Options {
            ask_keyword: true,
            ..Options::default()
        };
        let pieces: Vec<&str> = split(text, &options)
            .into_iter()
            .map(|span| span.of(text))
            .collect();
        assert_eq!(pieces, expected);
        assert_eq!(pieces.concat(), text);
    }

    #[test]
    fn statements_end_at_their_semicolons() {
        check("", &[]);
        check(";", &[";"]);
        check("SELECT 1", &["SELECT 1"]);
        check(
            "SELECT 1; SELECT 2 -- ;\n;\n",
            &["SELECT 1;", " SELECT 2 -- ;\n;", "\n"],
        );
        check(
            "SELECT ';', $$;$$, \";\" /* ; /* ; */ ; */; x",
            &["SELECT ';', $$;$$, \";\" /* ; /* ; */ ; */;", " x"],
        );
        check("-- nl: a; b\n; -- nl: c", &["-- nl: a; b\n;", " -- nl: c"]);
        check(
            "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); x",
            &["CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);", " x"],
        );
    }

    #[test]
    fn bodies_keep_their_semicolons() {
        let routine = "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END;";
        check(&format!("{routine} x;"), &[routine, " x;"]);
        let trigger = "CREATE TEMP TRIGGER g AFTER INSERT ON t WHEN CASE 1 WHEN 1 THEN 1 END \
                       BEGIN UPDATE t SET a = CASE WHEN b THEN 1 END; DELETE FROM u; END;";
        check(&format!("{trigger} x;"), &[trigger, " x;"]);
        check(
            "CREATE FUNCTION f() AS $$ BEGIN; END $$; BEGIN; END;",
            &["CREATE FUNCTION f() AS $$ BEGIN; END $$;", " BEGIN;", " END;"],
        );
        check(
            "CREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION f(); x",
            &["CREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION f();", " x"],
        );
        check(
            "CREATE TABLE t (begin int); x",
            &["CREATE TABLE t (begin int);", " x"],
        );
    }

    #[test]
    fn questions_after_ask_may_have_apostrophes() {
        check(
            "ASK who are Bob's friends; SELECT 'x';",
            &["ASK who are Bob's friends;", " SELECT 'x';"],
        );
        check(
            "ask products named 'a;b'; x",
            &["ask products named 'a;b';", " x"],
        );
        check("ASK customers' orders", &["ASK customers' orders"]);
    }
}
