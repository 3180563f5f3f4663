//! Text to one parsed query. What is too long, too deep or no query never reaches the parser's recursion.

use sqlparser::{
    ast::{Query, Statement},
    dialect::{Dialect as Grammar, PostgreSqlDialect, SQLiteDialect},
    keywords::Keyword,
    parser::{Parser, ParserError},
    tokenizer::{Location, Token, TokenWithSpan, Tokenizer, Whitespace, Word},
};

use super::{
    Code, Finding,
    facts::facts,
    lexical::{self, Lexed},
};
use crate::{question::schema::Dialect, statement::grammar::make_room};

/// Characters that a statement may have, and tokens: it is read on a thread that serves other sessions too.
const MAX_LENGTH: usize = 100_000;
const MAX_TOKENS: usize = 40_000;
/// How deep expressions may be nested; SQLite's own limit (`SQLITE_LIMIT_EXPR_DEPTH`) is 1,000.
const MAX_DEPTH: usize = 500;
/// How deep parentheses may be nested. Each level costs the parser several of its own.
const MAX_PARENTHESES: usize = 48;
/// Dots in one name; the parser takes time that grows with their square.
const MAX_DOTS: usize = 16;
/// What a PIVOT counts for, which the parser puts around all that stands before it: whoever goes through such tables needs much
/// more stack for each than for an expression.
const PIVOT: usize = 20;
/// Parts of a set operation, of which each is a level of the tree, and a large one. SQLite's own limit is 500
/// (`SQLITE_LIMIT_COMPOUND_SELECT`).
const MAX_COMPOUND: usize = 100;
/// Common table expressions; what they become when they are planned grows faster than they do.
const MAX_TABLES_IN_WITH: usize = 200;
/// Levels of the parser's own recursion, more than [`MAX_PARENTHESES`] needs.
const PARSER_DEPTH: usize = 300;

/// A statement that is one query, with what is needed to point into its text.
pub(super) struct Parsed {
    /// The text without comments and without a final semicolon; positions are those of the original.
    pub(super) text: String,
    pub(super) query: Box<Query>,
    pub(super) lines: Lines,
    /// Where a session that takes `\` for a sign of its own in plain strings would read the text in another way.
    pub(super) backslash: Option<usize>,
}

/// Where each line of the text begins, in characters from 0.
#[derive(Debug, Clone)]
pub(super) struct Lines(Vec<usize>);

impl Lines {
    fn of(sql: &str) -> Self {
        let newlines = sql
            .chars()
            .enumerate()
            .filter(|(_, character)| *character == '\n');
        Self(std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect())
    }

    /// The parser's line and column as characters from 1; `None` where it knows none.
    pub(super) fn position(&self, at: Location) -> Option<usize> {
        let line = usize::try_from(at.line).ok()?.checked_sub(1)?;
        Some(self.0.get(line)? + usize::try_from(at.column).ok()?)
    }
}

/// What the parser takes a dialect for.
pub(super) fn grammar(dialect: Dialect) -> &'static dyn Grammar {
    match dialect {
        Dialect::Sqlite => &SQLiteDialect {},
        Dialect::Postgres => &PostgreSqlDialect {},
    }
}

/// Parses a piece of a statement, which is as bounded as a whole one; what follows it is left.
pub(super) fn piece<T>(
    text: &str,
    dialect: Dialect,
    parse: impl FnOnce(&mut Parser<'_>) -> Result<T, ParserError>,
) -> Option<T> {
    let grammar = grammar(dialect);
    let mut tokens = Tokenizer::new(grammar, text).tokenize_with_location().ok()?;
    tokens.retain(|token| !matches!(token.token, Token::Whitespace(_)));
    bounded(&tokens, &Lines::of(text)).ok()?;
    make_room();
    let mut parser = Parser::new(grammar)
        .with_recursion_limit(PARSER_DEPTH)
        .with_tokens_with_locations(tokens);
    parse(&mut parser).ok()
}

/// Parses exactly one query.
pub(super) fn parse(sql: &str, dialect: Dialect) -> Result<Parsed, Finding> {
    let grammar = grammar(dialect);
    let length = sql.chars().count();
    if length > MAX_LENGTH {
        return Err(syntax(
            None,
            format!("the statement has {length} characters, {MAX_LENGTH} are allowed"),
        ));
    }
    if let Some(at) = sql.chars().position(|character| character == '\0') {
        return Err(syntax(Some(at + 1), "the statement contains a NUL character"));
    }
    let lines = Lines::of(sql);
    let mut tokens = Tokenizer::new(grammar, sql)
        .tokenize_with_location()
        .map_err(|error| syntax(lines.position(error.location), lower_first(&error.message)))?;
    let text = blank_comments(sql, &tokens, &lines);
    tokens.retain(|token| !matches!(token.token, Token::Whitespace(_)));
    while tokens.last().is_some_and(|last| last.token == Token::SemiColon) {
        tokens.pop();
    }
    if tokens.len() > MAX_TOKENS {
        let message = format!(
            "the statement has {} words and signs, {MAX_TOKENS} are allowed",
            tokens.len()
        );
        return Err(syntax(None, message));
    }
    one_query(&tokens, &lines, dialect)?;
    let backslash = lexical::check(
        &Lexed {
            text: &text,
            tokens: &tokens,
            lines: &lines,
        },
        dialect,
    )?;
    bounded(&tokens, &lines)?;

    make_room();
    let statements = Parser::new(grammar)
        .with_recursion_limit(PARSER_DEPTH)
        .with_tokens_with_locations(tokens)
        .parse_statements();
    let mut statements = statements.map_err(|error| parser_error(&error, &lines))?;
    match (statements.pop(), statements.pop()) {
        (Some(Statement::Query(query)), None) => Ok(Parsed {
            text,
            query,
            lines,
            backslash,
        }),
        (Some(other), None) => Err(no_query(&other.to_string(), Some(1))),
        _ => Err(Finding::error(
            Code::Forbidden,
            None,
            "only one statement may run for a question",
        )),
    }
}

/// The text with every comment replaced by as many spaces, and without what follows the statement:
/// what runs must be what was parsed, also in the middle of another statement.
fn blank_comments(sql: &str, tokens: &[TokenWithSpan], lines: &Lines) -> String {
    let mut characters: Vec<char> = sql.chars().collect();
    let mut end = 0;
    for TokenWithSpan { token, span } in tokens {
        let from = lines.position(span.start).map_or(0, |at| at - 1);
        let to = lines
            .position(span.end)
            .map_or(characters.len(), |at| at - 1)
            .min(characters.len());
        match token {
            Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_)) => {
                for character in &mut characters[from..to] {
                    if *character != '\n' {
                        *character = ' ';
                    }
                }
            }
            Token::Whitespace(_) | Token::SemiColon => {}
            _ => end = to,
        }
    }
    characters[..end].iter().collect()
}

/// Only one statement, and one that begins as a query does. Checked on the tokens, so that it does not
/// depend on what the parser makes of statements that it does not know.
fn one_query(tokens: &[TokenWithSpan], lines: &Lines, dialect: Dialect) -> Result<(), Finding> {
    let Some(first) = tokens.first() else {
        return Err(syntax(None, "the statement is empty"));
    };
    match &first.token {
        Token::Word(word) => {
            let plain = word.quote_style.is_none();
            if !plain || !facts(dialect).policy.allows_statement(&word.value) {
                let position = lines.position(first.span.start);
                return Err(if is_prose(word) {
                    syntax(
                        position,
                        format!("unexpected {} before the statement", word.value),
                    )
                } else {
                    no_query(&word.value, position)
                });
            }
        }
        Token::LParen => {
            let message = "a statement cannot begin with a parenthesis";
            return Err(syntax(lines.position(first.span.start), message));
        }
        other => {
            return Err(syntax(
                lines.position(first.span.start),
                format!("unexpected {other}"),
            ));
        }
    }
    let semicolons: Vec<usize> = (0..tokens.len())
        .filter(|at| tokens[*at].token == Token::SemiColon)
        .collect();
    let prose = |at: &usize| match tokens.get(at + 1).map(|next| &next.token) {
        Some(Token::Word(word)) => is_prose(word),
        _ => false,
    };
    match semicolons.first().map(|at| &tokens[*at]) {
        Some(semicolon) if semicolons.iter().all(prose) => {
            let position = lines.position(semicolon.span.start);
            Err(syntax(position, "unexpected text behind the statement"))
        }
        Some(semicolon) => Err(Finding::error(
            Code::Forbidden,
            lines.position(semicolon.span.start),
            "only one statement may run for a question",
        )),
        None => Ok(()),
    }
}

/// How much deeper the tree gets while its text is read, per open parenthesis. The parser turns `a + b + c`
/// into a tree as deep as the text is long, and whoever walks or frees it needs the stack for that.
#[derive(Default, Clone, Copy)]
struct Depth {
    or: usize,
    and: usize,
    other: usize,
}

impl Depth {
    fn sum(self) -> usize {
        self.or + self.and + self.other
    }
}

fn bounded(tokens: &[TokenWithSpan], lines: &Lines) -> Result<(), Finding> {
    let tables = tokens.windows(2).filter(|pair| {
        matches!(&pair[0].token, Token::Word(word) if word.keyword == Keyword::AS)
            && pair[1].token == Token::LParen
    });
    if tables.count() > MAX_TABLES_IN_WITH {
        let message = format!("the statement has more than {MAX_TABLES_IN_WITH} common table expressions");
        return Err(syntax(None, message));
    }
    let mut open = vec![Depth::default()];
    let mut enclosing = 0;
    let mut parts = 1;
    let mut dots = 0;
    let mut behind_dot = false;
    for TokenWithSpan { token, span } in tokens {
        let Some(here) = open.last_mut() else { break };
        match token {
            Token::LParen | Token::LBracket => {
                enclosing += here.sum();
                open.push(Depth::default());
            }
            Token::RParen | Token::RBracket => {
                open.pop();
                let outer = open.last_mut();
                enclosing -= outer.as_ref().map_or(0, |outer| outer.sum());
                // Each `[]` behind a type is a type around it, though nothing stands between the brackets.
                if let (Token::RBracket, Some(outer)) = (token, outer) {
                    outer.other += 1;
                }
            }
            Token::Comma => *here = Depth::default(),
            Token::Word(word) if word.quote_style.is_none() => match word.keyword {
                Keyword::NoKeyword => {}
                Keyword::OR => {
                    *here = Depth {
                        or: here.or + 1,
                        and: 0,
                        other: 0,
                    }
                }
                Keyword::AND => {
                    *here = Depth {
                        and: here.and + 1,
                        other: 0,
                        ..*here
                    }
                }
                Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT => {
                    *here = Depth::default();
                    parts += 1;
                }
                Keyword::PIVOT | Keyword::UNPIVOT => here.other += PIVOT,
                _ => here.other += 1,
            },
            Token::Word(_) | Token::Number(..) | Token::SingleQuotedString(_) | Token::Period => {}
            _ => here.other += 1,
        }
        let depth = enclosing + open.last().map_or(0, |here| here.sum());
        dots = match token {
            Token::Period => dots + 1,
            Token::Word(_) if behind_dot => dots,
            _ => 0,
        };
        behind_dot = *token == Token::Period;
        if depth > MAX_DEPTH || open.len() > MAX_PARENTHESES || dots > MAX_DOTS {
            return Err(syntax(
                lines.position(span.start),
                "the statement is nested too deeply",
            ));
        }
        if parts > MAX_COMPOUND {
            let message = format!("a set operation has more than {MAX_COMPOUND} parts");
            return Err(syntax(lines.position(span.start), message));
        }
    }
    Ok(())
}

pub(super) fn syntax(position: Option<usize>, message: impl Into<String>) -> Finding {
    Finding::error(Code::SqlSyntaxError, position, message)
}

/// Commands that the parser's grammar has no word for.
const COMMANDS: &str =
    "CHECKPOINT CLUSTER DISCARD IMPORT INSTALL LISTEN NOTIFY REASSIGN REINDEX SECURITY UNLISTEN";

/// True for a word that begins no command: a sentence, perhaps, around a statement.
fn is_prose(word: &Word) -> bool {
    let prose = matches!(
        word.keyword,
        Keyword::NoKeyword | Keyword::SQL | Keyword::TO | Keyword::IN | Keyword::FOR
    );
    let command = COMMANDS
        .split_ascii_whitespace()
        .any(|command| command.eq_ignore_ascii_case(&word.value));
    prose && !command
}

fn no_query(statement: &str, position: Option<usize>) -> Finding {
    let word: String = statement
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .chars()
        .take(40)
        .collect();
    let message = format!("only SELECT may run for a question, not {}", word.to_uppercase());
    Finding::error(Code::Forbidden, position, message)
}

/// The parser writes the location into its message (`… at Line: 1, Column: 8`).
fn parser_error(error: &ParserError, lines: &Lines) -> Finding {
    let message = match error {
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => message,
        ParserError::RecursionLimitExceeded => return syntax(None, "the statement is nested too deeply"),
    };
    let (message, position) = match message.rsplit_once(" at Line: ") {
        Some((message, location)) => {
            let numbers = location.split_once(", Column: ");
            let at = numbers.and_then(|(line, column)| {
                Some(Location::new(line.parse().ok()?, column.trim().parse().ok()?))
            });
            (message, at.and_then(|at| lines.position(at)))
        }
        None => (message.as_str(), None),
    };
    syntax(position, lower_first(message))
}

fn lower_first(message: &str) -> String {
    let mut characters = message.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(characters).collect()
    })
}
