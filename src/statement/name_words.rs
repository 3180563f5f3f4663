//! Words that are names in PostgreSQL where they stand, and the parser keeps for other databases or other places:
//! `SELECT price view FROM t sort`, a column called `trim`, and types before a string that it takes for columns.

use sqlparser::{
    keywords::Keyword,
    tokenizer::{Token, TokenWithSpan, Word},
};

use super::solid::solid;

/// Words that name what they stand behind, where a clause or nothing follows.
const ALIASES: [Keyword; 36] = [
    Keyword::ASOF,
    Keyword::BETWEEN,
    Keyword::CLUSTER,
    Keyword::CONNECT,
    Keyword::DISTRIBUTE,
    Keyword::DIV,
    Keyword::EXCLUDE,
    Keyword::EXISTS,
    Keyword::EXPLAIN,
    Keyword::FORMAT,
    Keyword::GLOB,
    Keyword::GLOBAL,
    Keyword::ILIKE,
    Keyword::INTERVAL,
    Keyword::IS,
    Keyword::LIKE,
    Keyword::MATCH,
    Keyword::MATCH_CONDITION,
    Keyword::MATCH_RECOGNIZE,
    Keyword::OPEN,
    Keyword::OPERATOR,
    Keyword::OUTPUT,
    Keyword::PARTITION,
    Keyword::REGEXP,
    Keyword::RLIKE,
    Keyword::SAMPLE,
    Keyword::SET,
    Keyword::SETTINGS,
    Keyword::SIMILAR,
    Keyword::SORT,
    Keyword::START,
    Keyword::STRUCT,
    Keyword::TRIM,
    Keyword::VALUES,
    Keyword::VIEW,
    Keyword::XOR,
];

/// Those of them that a list of columns may follow, where they name a relation, and nothing else that has parentheses.
const BEFORE_COLUMNS: [Keyword; 10] = [
    Keyword::ASOF,
    Keyword::CONNECT,
    Keyword::FORMAT,
    Keyword::GLOBAL,
    Keyword::MATCH_CONDITION,
    Keyword::OPEN,
    Keyword::OUTPUT,
    Keyword::SAMPLE,
    Keyword::SETTINGS,
    Keyword::START,
];

/// What may follow an alias and begins something new.
const CLAUSES: [Keyword; 25] = [
    Keyword::CROSS,
    Keyword::EXCEPT,
    Keyword::FETCH,
    Keyword::FOR,
    Keyword::FROM,
    Keyword::FULL,
    Keyword::GROUP,
    Keyword::HAVING,
    Keyword::INNER,
    Keyword::INTERSECT,
    Keyword::INTO,
    Keyword::JOIN,
    Keyword::LEFT,
    Keyword::LIMIT,
    Keyword::NATURAL,
    Keyword::OFFSET,
    Keyword::ON,
    Keyword::ORDER,
    Keyword::RETURNING,
    Keyword::RIGHT,
    Keyword::SET,
    Keyword::UNION,
    Keyword::USING,
    Keyword::WHERE,
    Keyword::WINDOW,
];

/// Words that end no value and no relation: what follows begins one.
const NO_OPERANDS: [Keyword; 52] = [
    Keyword::ALL,
    Keyword::ALTER,
    Keyword::AND,
    Keyword::ANY,
    Keyword::AS,
    Keyword::BETWEEN,
    Keyword::BY,
    Keyword::CASE,
    Keyword::CREATE,
    Keyword::CROSS,
    Keyword::DEFAULT,
    Keyword::DISTINCT,
    Keyword::DROP,
    Keyword::ELSE,
    Keyword::ESCAPE,
    Keyword::EXCEPT,
    Keyword::EXISTS,
    Keyword::FETCH,
    Keyword::FOR,
    Keyword::FROM,
    Keyword::GROUP,
    Keyword::HAVING,
    Keyword::IF,
    Keyword::ILIKE,
    Keyword::IN,
    Keyword::INNER,
    Keyword::INTERSECT,
    Keyword::INTO,
    Keyword::IS,
    Keyword::JOIN,
    Keyword::LATERAL,
    Keyword::LEFT,
    Keyword::LIKE,
    Keyword::LIMIT,
    Keyword::NATURAL,
    Keyword::NOT,
    Keyword::OFFSET,
    Keyword::ON,
    Keyword::OR,
    Keyword::ORDER,
    Keyword::RETURNING,
    Keyword::RIGHT,
    Keyword::SELECT,
    Keyword::SET,
    Keyword::SIMILAR,
    Keyword::THEN,
    Keyword::UNION,
    Keyword::USING,
    Keyword::VALUES,
    Keyword::WHEN,
    Keyword::WHERE,
    Keyword::WITH,
];

/// Types that the parser knows by no word of its own.
const TYPES: [&str; 18] = [
    "bpchar",
    "cidr",
    "inet",
    "macaddr",
    "macaddr8",
    "money",
    "name",
    "oid",
    "pg_lsn",
    "regclass",
    "regcollation",
    "regconfig",
    "regnamespace",
    "regproc",
    "regprocedure",
    "regrole",
    "regtype",
    "timetz",
];

/// Takes such words for names, and writes such types as casts.
pub(super) fn told(tokens: &mut Vec<TokenWithSpan>) {
    if !tokens.iter().any(|part| is_candidate(&part.token)) {
        return;
    }
    let solid = solid(tokens);
    let mut names = vec![];
    let mut literals = vec![];
    for (place, at) in solid.iter().enumerate() {
        let around = WordPosition {
            tokens,
            solid: &solid,
            place,
        };
        if let Token::Word(word) = &tokens[*at].token
            && word.quote_style.is_none()
        {
            if around.is_name(word.keyword) {
                names.push(*at);
            } else if is_type(word) && around.is_literal() {
                literals.push((*at, solid[place + 1]));
            }
        }
    }
    for at in names {
        if let Token::Word(word) = &mut tokens[at].token {
            word.keyword = Keyword::NoKeyword;
        }
    }
    // From the last on, so that the others stay at their places.
    for (word, literal) in literals.into_iter().rev() {
        cast(tokens, word, literal);
    }
}

fn is_candidate(token: &Token) -> bool {
    let Token::Word(word) = token else { return false };
    let is_other = matches!(word.keyword, Keyword::RECURSIVE) || is_type(word);
    word.quote_style.is_none() && (ALIASES.contains(&word.keyword) || is_other)
}

fn is_type(word: &Word) -> bool {
    TYPES.iter().any(|name| word.value.eq_ignore_ascii_case(name))
}

fn is_string(token: Option<&Token>) -> bool {
    matches!(
        token,
        Some(
            Token::SingleQuotedString(_)
                | Token::EscapedStringLiteral(_)
                | Token::UnicodeStringLiteral(_)
                | Token::DollarQuotedString(_)
        )
    )
}

/// A word among the tokens that are no blanks.
struct WordPosition<'t> {
    tokens: &'t [TokenWithSpan],
    solid: &'t [usize],
    place: usize,
}

impl WordPosition<'_> {
    fn token(&self, place: Option<usize>) -> Option<&Token> {
        let at = self.solid.get(place?)?;
        Some(&self.tokens[*at].token)
    }

    fn before(&self, steps: usize) -> Option<&Token> {
        self.token(self.place.checked_sub(steps))
    }

    fn behind(&self, steps: usize) -> Option<&Token> {
        self.token(self.place.checked_add(steps))
    }

    fn is_word(token: Option<&Token>, wanted: &[Keyword]) -> bool {
        matches!(token, Some(Token::Word(word)) if word.quote_style.is_none() && wanted.contains(&word.keyword))
    }

    /// True behind what may be a value or a relation.
    fn is_behind_operand(&self) -> bool {
        match self.before(1) {
            // `a.between` is a column, whatever its name.
            Some(Token::Word(word)) => {
                word.quote_style.is_some()
                    || self.before(2) == Some(&Token::Period)
                    || !NO_OPERANDS.contains(&word.keyword)
            }
            Some(Token::Number(..) | Token::RParen | Token::RBracket | Token::Placeholder(_)) => true,
            token => is_string(token),
        }
    }

    fn is_before_clause(&self) -> bool {
        match self.behind(1) {
            None | Some(Token::EOF | Token::Comma | Token::RParen | Token::SemiColon) => true,
            // A frame may EXCLUDE GROUP.
            Some(Token::Word(word)) if word.keyword == Keyword::GROUP => {
                Self::is_word(self.behind(2), &[Keyword::BY])
            }
            // A key may MATCH FULL, and a function is called left.
            Some(Token::Word(word))
                if matches!(word.keyword, Keyword::FULL | Keyword::LEFT | Keyword::RIGHT) =>
            {
                Self::is_word(self.behind(2), &[Keyword::JOIN, Keyword::OUTER])
            }
            // A constraint may EXCLUDE USING a method.
            Some(Token::Word(word)) if word.keyword == Keyword::USING => {
                self.behind(2) == Some(&Token::LParen)
            }
            token => Self::is_word(token, &CLAUSES),
        }
    }

    fn is_name(&self, keyword: Keyword) -> bool {
        let opens = self.behind(1) == Some(&Token::LParen);
        let is_alias = ALIASES.contains(&keyword)
            && self.is_behind_operand()
            && (self.is_before_clause() || opens && BEFORE_COLUMNS.contains(&keyword));
        // Of a column's definition it may be the type.
        if is_alias && keyword != Keyword::INTERVAL {
            return true;
        }
        match keyword {
            Keyword::TRIM | Keyword::STRUCT => !opens,
            Keyword::EXISTS => !opens && !self.is_behind_if(),
            Keyword::INTERVAL => {
                let is_type = Self::is_word(self.before(1), &[Keyword::AS])
                    || self.before(1) == Some(&Token::DoubleColon)
                    || self.is_behind_operand();
                !is_type && !opens && self.before(1).is_some() && !self.begins_literal()
            }
            Keyword::RECURSIVE => Self::is_word(self.behind(1), &[Keyword::AS]),
            _ => false,
        }
    }

    fn begins_literal(&self) -> bool {
        is_string(self.behind(1)) || matches!(self.behind(1), Some(Token::Placeholder(_)))
    }

    /// True for EXISTS of `IF EXISTS` and `IF NOT EXISTS`.
    fn is_behind_if(&self) -> bool {
        let is_not = Self::is_word(self.before(1), &[Keyword::NOT]);
        Self::is_word(self.before(if is_not { 2 } else { 1 }), &[Keyword::IF])
    }

    /// True for a type that says what the string behind it is.
    fn is_literal(&self) -> bool {
        let is_named =
            self.before(1) == Some(&Token::Period) || Self::is_word(self.before(1), &[Keyword::AS]);
        is_string(self.behind(1)) && !is_named && !self.is_behind_operand()
    }
}

/// `inet '::1'` as `CAST('::1' AS inet)`, with everything at its place.
fn cast(tokens: &mut Vec<TokenWithSpan>, word: usize, literal: usize) {
    let span = tokens[word].span;
    let here = |token: Token| TokenWithSpan::new(token, span);
    let ty = tokens[word].clone();
    let text = tokens[literal].clone();
    let as_cast = [
        here(Token::make_keyword("CAST")),
        here(Token::LParen),
        text,
        here(Token::make_keyword("AS")),
        ty,
        here(Token::RParen),
    ];
    tokens.splice(word..=literal, as_cast);
}

#[cfg(test)]
mod tests {
    use sqlparser::{dialect::PostgreSqlDialect, parser::Parser, tokenizer::Tokenizer};

    fn read(sql: &str) -> Result<String, String> {
        let grammar = PostgreSqlDialect {};
        let mut tokens = Tokenizer::new(&grammar, sql).tokenize_with_location().unwrap();
        super::told(&mut tokens);
        let statements = Parser::new(&grammar)
            .with_tokens_with_locations(tokens)
            .parse_statements()
            .map_err(|error| error.to_string())?;
        Ok(statements[0].to_string())
    }

    #[test]
    fn words_of_other_databases_name_what_they_stand_behind() {
        for word in [
            "between",
            "cluster",
            "distribute",
            "div",
            "exclude",
            "explain",
            "is",
            "like",
            "match",
            "operator",
            "similar",
            "sort",
            "values",
            "view",
            "xor",
        ] {
            let sql = format!("SELECT a {word} FROM t WHERE a LIKE 'x'");
            let expected = format!("SELECT a AS {word} FROM t WHERE a LIKE 'x'");
            assert_eq!(read(&sql), Ok(expected));
        }
        for word in [
            "asof",
            "connect",
            "format",
            "global",
            "match_condition",
            "open",
            "partition",
            "settings",
            "trim",
        ] {
            let sql = format!("SELECT {word}.a FROM t {word} LEFT OUTER JOIN u ON true WHERE {word}.a = 1");
            assert_eq!(read(&sql), Ok(sql.clone()));
        }
    }

    #[test]
    fn words_keep_their_meaning_elsewhere() {
        for sql in [
            "SELECT a FROM t WHERE EXISTS (SELECT 1) AND NOT EXISTS (SELECT 2) OR a BETWEEN 1 AND 2",
            "SELECT TRIM(BOTH 'x' FROM a), INTERVAL '1 day', CAST(b AS INTERVAL), c::INTERVAL FROM t",
            "CREATE TABLE t (x INTERVAL, y INTERVAL(3), trim TEXT, interval INT)",
            "CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES u(b) MATCH FULL)",
            "CREATE TABLE t (a INT, CONSTRAINT c EXCLUDE USING gist (a WITH =))",
            "INSERT INTO t DEFAULT VALUES RETURNING a",
            "DROP VIEW IF EXISTS v, w",
            "SELECT a FROM t WHERE a BETWEEN left(b, 1) AND right(b, 1) OR a LIKE left(c, 1)",
        ] {
            assert_eq!(read(sql), Ok(sql.to_owned()));
        }
    }

    #[test]
    fn a_type_before_a_string_says_what_it_is() {
        assert_eq!(
            read("SELECT inet '::1', a name, name FROM t WHERE name LIKE 'x' AND money '1' > b"),
            Ok(
                "SELECT CAST('::1' AS inet), a AS name, name FROM t WHERE name LIKE 'x' AND CAST('1' AS money) > b"
                    .to_owned()
            )
        );
    }
}
