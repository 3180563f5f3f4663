//! What a text asks for: never a panic; the statements cover the text; a question is replaced in its place and nothing
//! else is altered.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use querent::statement::{Options, Statement, classify, parameters, read, rewrite};

#[derive(Debug, Arbitrary)]
struct Read {
    standard_conforming_strings: bool,
    ask_keyword: bool,
    allow_in_writes: bool,
    model_views: bool,
    parts: Vec<Part>,
}

/// A part of a text: what matters to the lexer, or anything.
#[derive(Debug, Arbitrary)]
enum Part {
    Word(u8),
    Text(String),
}

const WORDS: &[&str] = &[
    "-- nl: ",
    "/* nl: ",
    "/*+ nl sql: ",
    " */",
    "/*",
    "nl('",
    "NL (",
    "\"nl\"('x')",
    "nl($1)",
    "SELECT ",
    "SELECT * FROM ",
    " LIMIT 2",
    " OFFSET $2",
    "EXPLAIN ",
    "(",
    ")",
    ";",
    "'",
    "''",
    "E'",
    "\\'",
    "\"",
    "$$",
    "$a$",
    "$1",
    "\n",
    "\r\n",
    "--",
    "ASK ",
    "COPY (",
    ") TO STDOUT",
    "DECLARE c CURSOR FOR ",
    "PREPARE p AS ",
    "CREATE TABLE t AS ",
    "INSERT INTO t ",
    "how many orders?",
    "SET querent.notices = off",
    "SHOW querent.last_sql",
    "U&'",
    " AS t",
    " JOIN ",
    ",",
    "é",
    "\u{a0}",
    "\0",
    "nl feedback: ",
    "nl good:",
    "semantic.metrics",
    " FROM semantic.\"fields\"",
];

const SQL: &str = "SELECT 'replaced'";

fuzz_target!(|given: Read| {
    let text: String = given
        .parts
        .iter()
        .map(|part| match part {
            Part::Word(at) => WORDS[usize::from(*at) % WORDS.len()],
            Part::Text(text) => text.as_str(),
        })
        .collect();
    let options = Options {
        standard_conforming_strings: given.standard_conforming_strings,
        ask_keyword: given.ask_keyword,
        allow_in_writes: given.allow_in_writes,
        model_views: given.model_views,
        ..Options::default()
    };
    let statements = read(&text, &options);
    let mut at = 0;
    for statement in &statements {
        assert_eq!(statement.span.start, at, "the statements are adjacent");
        at = statement.span.end;
        check(statement.span.of(&text), &options);
    }
    assert_eq!(at, text.len(), "the statements cover the text");
});

fn check(text: &str, options: &Options) {
    let Ok(Statement::Question(question)) = classify(text, options) else {
        return;
    };
    let sql: Vec<&str> = question.asked.iter().map(|_| SQL).collect();
    let rewritten = rewrite(text, &question, &sql);
    let mut end = 0;
    for asked in &question.asked {
        assert!(
            asked.span.start >= end && asked.span.end <= text.len(),
            "the questions stand in the text, in order"
        );
        end = asked.span.end;
    }
    assert!(rewritten.text().contains(SQL), "the SQL is in the statement");
    for offset in (0..=rewritten.text().len()).filter(|offset| rewritten.text().is_char_boundary(*offset)) {
        let _ = rewritten.origin(offset);
    }
    let _ = parameters(rewritten.text());
}
