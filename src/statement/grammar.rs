//! The way to the parser for texts of clients and files. It turns `a + b + c` and `a UNION b UNION c` into trees as deep as
//! they are long, and whoever walks, copies or drops such a tree needs the stack for it: what would be too deep is told by
//! the tokens, before there is a tree, and what is left is read on a stack that is large enough.

use std::borrow::Cow;

use sqlparser::{
    ast::{
        Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident,
        ObjectName, Statement, VisitMut,
    },
    dialect::{Dialect, PostgreSqlDialect},
    keywords::Keyword,
    parser::{Parser, ParserError},
    tokenizer::{Token, TokenWithSpan, Tokenizer},
};

use super::{
    adjacent, collated,
    depth::depth,
    lexer::{Lexer, TokenKind},
    name_words, order_operators, prefix_operators, table_queries,
};

/// How deep a tree may be, in the words and signs that may make it deeper.
const DEEPEST: usize = 20_000;
/// How deep one may be that is kept and handed around on a thread's own stack.
const KEPT: usize = 150;
/// How deep one may be that needs no more stack than there is.
const SHALLOW: usize = 50;
/// How deep a statement may be nested, in the parser's own count.
const NESTED: usize = 300;

/// Stack, in bytes, that must be left where the parser goes deeper, and how much it then gets: without optimisation one
/// level of it takes a quarter of a megabyte.
const STACK_LEFT: usize = 1 << 20;
const STACK_MORE: usize = 8 << 20;
/// Stack for one level of a tree that is walked, copied or dropped.
const STACK_PER_LEVEL: usize = if cfg!(debug_assertions) { 32 << 10 } else { 8 << 10 };

/// Words that the parser knows in every dialect, and PostgreSQL in none of its statements.
const FOREIGN: [Keyword; 9] = [
    Keyword::TOP,
    Keyword::MINUS,
    Keyword::QUALIFY,
    Keyword::PREWHERE,
    Keyword::PIVOT,
    Keyword::UNPIVOT,
    Keyword::SEMI,
    Keyword::ANTI,
    Keyword::APPLY,
];

/// Why there are no statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// No tree may be as deep.
    TooDeep,
    /// It is not of this grammar.
    NotUnderstood,
}

/// Lets sqlparser's parser have more stack where it needs it, on whatever thread; to be called before it parses.
pub(crate) fn make_room() {
    recursive::set_minimum_stack_size(STACK_LEFT);
    recursive::set_stack_allocation_size(STACK_MORE);
}

/// Parses a text, hands its statements on, and drops what `work` leaves of them.
pub(crate) fn read<T>(
    grammar: &dyn Dialect,
    sql: &str,
    work: impl FnOnce(Vec<Statement>) -> T,
) -> Result<T, Unread> {
    within(grammar, sql, DEEPEST, (statements, work))
}

/// As [`read`], for statements that are kept.
pub(crate) fn read_to_keep<T>(
    grammar: &dyn Dialect,
    sql: &str,
    work: impl FnOnce(Vec<Statement>) -> T,
) -> Result<T, Unread> {
    within(grammar, sql, KEPT, (statements, work))
}

/// Parses a text that is one expression, to be kept.
pub(crate) fn read_expression(grammar: &dyn Dialect, sql: &str) -> Result<Expr, Unread> {
    let parse = |parser: &mut Parser<'_>| {
        let expression = parser.parse_expr()?;
        parser.expect_token(&Token::EOF)?;
        Ok(expression)
    };
    within(grammar, sql, KEPT, (parse, |expression| expression))
}

fn statements(parser: &mut Parser<'_>) -> Result<Vec<Statement>, ParserError> {
    parser.parse_statements()
}

/// Parses a text, and hands on what is read.
fn within<P: VisitMut, T>(
    grammar: &dyn Dialect,
    sql: &str,
    deepest: usize,
    (parse, work): (
        impl FnOnce(&mut Parser<'_>) -> Result<P, ParserError>,
        impl FnOnce(P) -> T,
    ),
) -> Result<T, Unread> {
    let sql = comments_apart(sql);
    let is_postgresql = grammar.is::<PostgreSqlDialect>();
    let sql = if is_postgresql {
        if adjacent::side_by_side(&sql).is_some() {
            return Err(Unread::NotUnderstood);
        }
        adjacent::joined(&sql)
    } else {
        Cow::Borrowed(&*sql)
    };
    let tokens = Tokenizer::new(grammar, &sql)
        .tokenize_with_location()
        .map_err(|_| Unread::NotUnderstood)?;
    let mut tokens = signs_apart(tokens);
    if is_postgresql {
        foreign_words_apart(&mut tokens);
        name_words::told(&mut tokens);
        if !order_operators::told(&mut tokens) {
            return Err(Unread::NotUnderstood);
        }
        table_queries::written_out(&mut tokens);
    }
    let collates = is_postgresql && collated::as_casts(&mut tokens);
    let depth = depth(&tokens);
    if depth > deepest {
        return Err(Unread::TooDeep);
    }
    let loosens = is_postgresql && prefix_operators::are_there(&tokens);
    make_room();
    // A statement that does not parse leaves what was read of it, which is as deep.
    let parsed = || {
        let mut parser = Parser::new(grammar)
            .with_recursion_limit(NESTED)
            .with_tokens_with_locations(tokens);
        let mut read = parse(&mut parser).map_err(|error| match error {
            ParserError::RecursionLimitExceeded => Unread::TooDeep,
            _ => Unread::NotUnderstood,
        })?;
        if loosens {
            prefix_operators::loosen(&mut read);
        }
        if collates {
            collated::restore(&mut read);
        }
        Ok(work(read))
    };
    if depth <= SHALLOW {
        return parsed();
    }
    stacker::maybe_grow(
        STACK_LEFT + depth * STACK_PER_LEVEL,
        STACK_MORE + depth * STACK_PER_LEVEL,
        parsed,
    )
}

/// `a -/**/-1` is `a - -1`: the parser's lexer takes a comment that begins at once behind an operator for more of it.
/// Everything stays at its place.
fn comments_apart(sql: &str) -> Cow<'_, str> {
    if !sql.contains("/*") {
        return Cow::Borrowed(sql);
    }
    let mut apart = String::new();
    let (mut before, mut written) = (None, 0);
    for token in Lexer::new(sql, true) {
        if token.kind == TokenKind::BlockComment && before == Some(TokenKind::Operator) {
            apart.push_str(&sql[written..token.span.start]);
            let blanks = token.span.of(sql).chars();
            apart.extend(blanks.map(|character| if character == '\n' { '\n' } else { ' ' }));
            written = token.span.end;
        }
        before = Some(token.kind);
    }
    if written == 0 {
        return Cow::Borrowed(sql);
    }
    apart.push_str(&sql[written..]);
    Cow::Owned(apart)
}

/// `a>-1` is `a > -1`: PostgreSQL's operators end with a sign only where they have one of some other characters in them.
fn signs_apart(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let is_joined = |token: &TokenWithSpan| matches!(&token.token, Token::CustomBinaryOperator(written) if own_part(written) < written.len());
    if !tokens.iter().any(is_joined) {
        return tokens;
    }
    let mut apart = Vec::with_capacity(tokens.len() + 1);
    for part in tokens {
        let Token::CustomBinaryOperator(written) = &part.token else {
            apart.push(part);
            continue;
        };
        let (own, signs) = written.split_at(own_part(written));
        let place = |from: usize, length: usize| {
            let mut span = part.span;
            span.start.column += from as u64;
            span.end = span.start;
            span.end.column += length as u64;
            span
        };
        apart.push(TokenWithSpan::new(operator(own), place(0, own.len())));
        for (at, sign) in signs.chars().enumerate() {
            let token = if sign == '-' { Token::Minus } else { Token::Plus };
            apart.push(TokenWithSpan::new(token, place(own.len() + at, 1)));
        }
    }
    apart
}

/// `SELECT top FROM t` reads a column: words that other databases keep for themselves are names in PostgreSQL.
fn foreign_words_apart(tokens: &mut [TokenWithSpan]) {
    for part in tokens {
        if let Token::Word(word) = &mut part.token
            && FOREIGN.contains(&word.keyword)
        {
            word.keyword = Keyword::NoKeyword;
        }
    }
}

/// How much of an operator's characters PostgreSQL's lexer takes for it.
fn own_part(written: &str) -> usize {
    let own = written.trim_end_matches(['+', '-']);
    let keeps = own.contains(['~', '!', '@', '#', '%', '^', '&', '|', '`', '?']);
    if keeps { written.len() } else { own.len().max(1) }
}

fn operator(written: &str) -> Token {
    match written {
        "<" => Token::Lt,
        ">" => Token::Gt,
        "=" => Token::Eq,
        "<>" => Token::Neq,
        "<=" => Token::LtEq,
        ">=" => Token::GtEq,
        "+" => Token::Plus,
        "-" => Token::Minus,
        "*" => Token::Mul,
        "/" => Token::Div,
        "->" => Token::Arrow,
        "->>" => Token::LongArrow,
        other => Token::CustomBinaryOperator(other.to_owned()),
    }
}

/// The tree of a plain call: `name(arguments)`.
pub(crate) fn call(name: &str, arguments: Vec<Expr>) -> Expr {
    let argument = |argument| FunctionArg::Unnamed(FunctionArgExpr::Expr(argument));
    Expr::Function(Function {
        name: ObjectName::from(Ident::new(name)),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args: arguments.into_iter().map(argument).collect(),
            clauses: Vec::new(),
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth_of(sql: &str) -> usize {
        depth(
            &Tokenizer::new(&PostgreSqlDialect {}, sql)
                .tokenize_with_location()
                .unwrap(),
        )
    }

    #[test]
    fn every_chain_is_counted_and_no_list_is() {
        for link in [
            " + 1",
            " AND true",
            " OR x",
            " UNION SELECT 1, 2",
            " EXCEPT SELECT 1, f(2, 3)",
            " IS NULL",
            " COLLATE c",
            " AT TIME ZONE 'x'",
            "::text",
            "[1]",
            " LIKE 'a'",
            " IN (1, 2)",
            " BETWEEN 1 AND 2",
            ".a",
            " JOIN t ON x",
            " -> 'a'",
            " = ANY (ARRAY[1, 2])",
            "::numeric(1, 2)",
            " (+1) OR 1",
        ] {
            let long = depth_of(&format!("SELECT 1{}", link.repeat(3000)));
            assert!(long >= 3000, "{link}: {long}");
        }
        for (list, most) in [
            (", a + 1", 10),
            (", (1, 'a', -1)", 10),
            (", f(g(x), 1)", 10),
            (", CASE WHEN a = 1 AND b THEN 'x' END", 20),
        ] {
            let wide = depth_of(&format!("SELECT 1{}", list.repeat(3000)));
            assert!(wide <= most, "{list}: {wide}");
        }
    }

    #[test]
    fn words_of_others_are_names() {
        for sql in [
            "SELECT top + 1 FROM t",
            "SELECT DISTINCT top FROM t minus",
            "SELECT 1 FROM t pivot JOIN u qualify ON pivot.top = qualify.top",
        ] {
            let printed = read(&PostgreSqlDialect {}, sql, |statements| statements[0].to_string());
            assert_eq!(printed.as_deref(), Ok(sql));
        }
    }

    #[test]
    fn chains_in_brackets_add_up() {
        let mut sql = String::from("x");
        for _ in 0..50 {
            sql = format!("(({sql}){})", " OR 1".repeat(100));
        }
        assert!(depth_of(&sql) >= 5000);
        assert_eq!(
            read(
                &PostgreSqlDialect {},
                &format!("SELECT {}", "x OR ".repeat(20_000)),
                |_| ()
            ),
            Err(Unread::TooDeep)
        );
    }

    /// Each operation in parentheses.
    fn shape(sql: &str) -> String {
        fn of(expression: &Expr) -> String {
            match expression {
                Expr::BinaryOp { left, op, right } => format!("({} {op} {})", of(left), of(right)),
                Expr::UnaryOp { op, expr } => format!("({op} {})", of(expr)),
                other => other.to_string(),
            }
        }
        of(&read_expression(&PostgreSqlDialect {}, sql).unwrap())
    }

    #[test]
    fn operators_before_a_value_reach_over_sums() {
        for (sql, expected) in [
            ("@ a + b", "(@ (a + b))"),
            ("@ -5 + 1 - 2", "(@ (((- 5) + 1) - 2))"),
            ("2 * @ a + b", "(2 * (@ (a + b)))"),
            ("@ a - @ b - c", "(@ (a - (@ (b - c))))"),
            ("- @ a + b", "(- (@ (a + b)))"),
            ("|/ 9 * 4 + 16", "(|/ ((9 * 4) + 16))"),
            ("~ a | b", "((~ a) | b)"),
            ("~ ~ a + b", "(~ (~ (a + b)))"),
            ("@ a + 1 = b", "((@ (a + 1)) = b)"),
            ("a + @ b", "(a + (@ b))"),
            ("x ~ a + b", "(x ~ (a + b))"),
            ("- a + b", "((- a) + b)"),
        ] {
            assert_eq!(shape(sql), expected, "{sql}");
        }
        assert_eq!(shape("(@ a) + b"), "((@a) + b)");
    }

    #[test]
    fn what_postgresql_reads_is_read() {
        for (sql, expected) in [
            (
                "SELECT a::text COLLATE \"C\" || 'x'",
                "SELECT a::TEXT COLLATE \"C\" || 'x'",
            ),
            (
                "SELECT -a::varchar(3) [] collate pg_catalog.\"C\" COLLATE b < c",
                "SELECT -a::VARCHAR(3)[] COLLATE pg_catalog.\"C\" COLLATE b < c",
            ),
            (
                "SELECT a::timestamp (3) with time zone::text COLLATE b FROM t ORDER BY c COLLATE d",
                "SELECT a::TIMESTAMP(3) WITH TIME ZONE::TEXT COLLATE b FROM t ORDER BY c COLLATE d",
            ),
            (
                "CREATE TABLE t (a TEXT DEFAULT 'x'::text COLLATE \"C\")",
                "CREATE TABLE t (a TEXT DEFAULT 'x'::TEXT COLLATE \"C\")",
            ),
            ("table t", "SELECT * FROM t"),
            (
                "WITH c AS (TABLE t) TABLE c",
                "WITH c AS (SELECT * FROM t) SELECT * FROM c",
            ),
            (
                "INSERT INTO a.b TABLE t UNION ALL TABLE u",
                "INSERT INTO a.b SELECT * FROM t UNION ALL SELECT * FROM u",
            ),
            ("SELECT a AS table FROM t", "SELECT a AS table FROM t"),
            ("CREATE TABLE t AS TABLE u", "CREATE TABLE t AS SELECT * FROM u"),
        ] {
            let printed = read(&PostgreSqlDialect {}, sql, |statements| statements[0].to_string());
            assert_eq!(printed.as_deref(), Ok(expected), "{sql}");
        }
    }
}
