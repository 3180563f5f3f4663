//! What only SQLite has words for. A statement that is read as PostgreSQL's nowhere runs as SQLite's own where it says so
//! by one of these: the others mean something else there than their author thinks.

use crate::statement::sqlite_lexer::of_client;

/// What stands after IS in PostgreSQL; SQLite compares anything so.
const AFTER_IS: [&str; 16] = [
    "not",
    "null",
    "true",
    "false",
    "unknown",
    "distinct",
    "document",
    "normalized",
    "nfc",
    "nfd",
    "nfkc",
    "nfkd",
    "json",
    "of",
    "from",
    "as",
];
/// Behind these comes a name, and no subscript.
const BEFORE_NAMES: [&str; 12] = [
    ".", "select", "from", "join", "as", "by", "where", "and", "or", "on", "into", "table",
];
/// SQLite's collations.
const COLLATIONS: [&str; 3] = ["nocase", "binary", "rtrim"];
/// Functions that PostgreSQL has not.
const FUNCTIONS: [&str; 18] = [
    "dbstat",
    "fts5vocab",
    "group_concat",
    "ifnull",
    "iif",
    "instr",
    "json_group_array",
    "json_group_object",
    "json_tree",
    "julianday",
    "likelihood",
    "likely",
    "printf",
    "strftime",
    "total",
    "unixepoch",
    "unlikely",
    "zeroblob",
];
/// Types that PostgreSQL has not.
const TYPES: [&str; 8] = [
    "blob",
    "clob",
    "datetime",
    "mediumint",
    "number",
    "nvarchar",
    "tinyint",
    "unsigned",
];
/// Words of SQLite's definitions, each with what stands before it.
const PAIRS: [(&str, &str); 14] = [
    ("indexed", "by"),
    ("not", "indexed"),
    ("without", "rowid"),
    ("create", "virtual"),
    ("create", "trigger"),
    ("temp", "trigger"),
    ("temporary", "trigger"),
    ("conflict", "replace"),
    ("conflict", "ignore"),
    ("conflict", "abort"),
    ("conflict", "fail"),
    ("conflict", "rollback"),
    ("view", "if"),
    ("query", "plan"),
];

/// What a client asked for, as far as words of PostgreSQL's may hide in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatementKind {
    Query,
    View,
    Table,
    Index,
}

impl StatementKind {
    /// Of the statement that the text is.
    pub(super) fn of(sql: &str) -> Option<Self> {
        let words: Vec<String> = of_client(sql).take(5).map(str::to_ascii_lowercase).collect();
        let word = |at: usize| words.get(at).map_or("", String::as_str);
        if matches!(word(0), "select" | "with" | "values" | "table" | "(") {
            return Some(Self::Query);
        }
        if word(0) != "create" {
            return None;
        }
        let mut skipped = if word(1) == "or" { 2 } else { 0 };
        skipped += usize::from(matches!(word(1 + skipped), "temp" | "temporary" | "unique"));
        match word(1 + skipped) {
            "view" => Some(Self::View),
            "table" => Some(Self::Table),
            "index" => Some(Self::Index),
            _ => None,
        }
    }

    /// As it is called in a message.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Query => "SELECT",
            Self::View => "CREATE VIEW",
            Self::Table => "CREATE TABLE",
            Self::Index => "CREATE INDEX",
        }
    }
}

/// True for a text with something in it that is SQLite's, and of which PostgreSQL knows nothing.
pub(super) fn is_there(sql: &str) -> bool {
    let tokens: Vec<String> = of_client(sql).map(str::to_ascii_lowercase).collect();
    let token = |at: usize| tokens.get(at).map_or("", String::as_str);
    let is_array = tokens.iter().any(|token| token == "array");
    let is_table = StatementKind::of(sql) == Some(StatementKind::Table);
    if is_table && has_untyped_column(&tokens) {
        return true;
    }
    (0..tokens.len()).any(|at| {
        let before = at.checked_sub(1).map_or("", token);
        let (here, behind) = (token(at), token(at + 1));
        match here {
            // A key may MATCH FULL.
            "match" if matches!(behind, "full" | "partial" | "simple") => false,
            "glob" | "regexp" | "match" => ends_operand(before) && begins_operand(behind),
            "==" | "`" => true,
            // A parameter that only its place tells apart.
            "?" => !ends_operand(before),
            "is" => {
                let behind = if behind == "not" { token(at + 2) } else { behind };
                ends_operand(before) && begins_operand(behind) && !AFTER_IS.contains(&behind)
            }
            "[" => BEFORE_NAMES.contains(&before) || before == "," && !is_array,
            "limit" => is_pair_of_numbers(&tokens[at + 1..]),
            "collate" => COLLATIONS.contains(&behind.trim_matches('"')),
            "autoincrement" => is_table,
            "strict" => is_table && matches!(before, ")" | ",") && matches!(behind, "" | ";" | ","),
            "as" if TYPES.contains(&behind) => matches!(token(at + 2), ")" | "("),
            name if FUNCTIONS.contains(&name) && behind == "(" => true,
            _ => PAIRS.contains(&(here, behind)) || here.starts_with('`') || here.starts_with("pragma_"),
        }
    })
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '"')
}

fn ends_operand(token: &str) -> bool {
    token.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | '"' | '\'' | ')' | ']'))
        && !matches!(
            token,
            "select" | "where" | "and" | "or" | "on" | "as" | "by" | "having"
        )
}

fn begins_operand(token: &str) -> bool {
    let is_clause = matches!(
        token,
        "from" | "where" | "order" | "group" | "limit" | "union" | "join" | "on" | "as" | "and" | "or"
    );
    !is_clause
        && (is_word(token)
            || token.starts_with(|first: char| {
                first.is_ascii_digit() || matches!(first, '\'' | '$' | '(' | '-' | '+')
            }))
}

/// True for `CREATE TABLE t (a, b)`: a column without a type is none of PostgreSQL's.
fn has_untyped_column(tokens: &[String]) -> bool {
    let mut open = 0_usize;
    let mut found = false;
    for (at, token) in tokens.iter().enumerate() {
        let begins = matches!(token.as_str(), "(" | ",");
        open += usize::from(token == "(");
        if begins && open == 1 {
            let [name, behind] = [1, 2].map(|step| tokens.get(at + step).map_or("", String::as_str));
            found |= is_word(name) && matches!(behind, "," | ")");
        }
        if token == ")" {
            open = open.saturating_sub(1);
            if open == 0 {
                // With a query behind them, they are names alone.
                return found && tokens.get(at + 1).is_none_or(|behind| behind != "as");
            }
        }
    }
    false
}

/// `LIMIT 10, 20`, up to the end of the query that it is of.
fn is_pair_of_numbers(tokens: &[String]) -> bool {
    let mut open = 0_usize;
    for token in tokens {
        match token.as_str() {
            "(" => open += 1,
            "," => return open == 0,
            ")" | ";" | "offset" | "fetch" | "for" if open == 0 => return false,
            ")" => open -= 1,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{StatementKind, is_there};

    #[test]
    fn says_what_only_sqlite_has() {
        for sql in [
            "SELECT a FROM t WHERE a GLOB 'x*'",
            "SELECT a FROM t WHERE t MATCH $1",
            "SELECT a == 1 FROM t",
            "SELECT a FROM t INDEXED BY i WHERE a = 1",
            "SELECT a FROM t LIMIT 5, 10",
            "SELECT `a` FROM t",
            "SELECT [a b] FROM t",
            "SELECT a FROM t ORDER BY a COLLATE NOCASE",
            "SELECT a IS b, a IS NOT 5 FROM t",
            "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)",
            "CREATE TABLE t (a INT PRIMARY KEY) WITHOUT ROWID",
            "CREATE TABLE t (a INT) STRICT",
            "CREATE TABLE t (a, b TEXT)",
            "CREATE VIEW IF NOT EXISTS v AS SELECT 1",
            "SELECT * FROM pragma_table_info('t')",
            "SELECT group_concat(a) FILTER (WHERE b) FROM t, json_tree(c)",
            "SELECT CAST(a AS DATETIME) FROM t",
        ] {
            assert!(is_there(sql), "{sql}");
        }
    }

    #[test]
    fn says_nothing_of_words_that_postgresql_has_too() {
        for sql in [
            "SELECT b glob FROM t WHERE b LIKE 'x%'",
            "SELECT match, regexp FROM t",
            "SELECT a IS NOT DISTINCT FROM b, a IS NULL, a IS NOT TRUE FROM t",
            "SELECT ARRAY[[1, 2], [3, 4]], a[1] FROM t LIMIT 3 OFFSET 1",
            "SELECT (SELECT a FROM t LIMIT 1), 2",
            "SELECT '==', 'a GLOB 1' FROM t ORDER BY a COLLATE \"C\"",
            "CREATE TABLE strict (a int, strict text)",
            "CREATE TABLE t (a int REFERENCES u (b) MATCH FULL ON DELETE SET NULL)",
            "CREATE TABLE t (a, b) AS SELECT 1, 2",
            "CREATE OR REPLACE VIEW v (a, b) AS SELECT 1, 2",
            "SELECT a::text, b->>'x', c @> d, e ? 'f', g[1:2], @ h FROM t",
        ] {
            assert!(!is_there(sql), "{sql}");
        }
        assert_eq!(
            StatementKind::of("CREATE TEMP VIEW v AS SELECT 1"),
            Some(StatementKind::View)
        );
        assert_eq!(
            StatementKind::of("CREATE OR REPLACE VIEW v AS SELECT 1"),
            Some(StatementKind::View)
        );
        assert_eq!(StatementKind::of("DROP VIEW v"), None);
    }
}
