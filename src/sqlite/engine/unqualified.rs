//! Names without a schema, which mean what is the session's own and what is in the file. SQLite goes on to look for them in all
//! attached files, so that what is missing here would be read, changed or dropped there.

use rusqlite::{Connection, Result};

use super::{
    alter::fault,
    views::{each_token, named_queries},
};
use crate::{
    sqlite::catalog,
    statement::sqlite_lexer::{quote, unquote},
};

/// Words behind which the name of a table, a view or an index stands.
const BEFORE: [&str; 9] = [
    "from", "join", "into", "update", "table", "view", "index", "trigger", "on",
];
/// Words between these and the name.
const BETWEEN: [&str; 11] = [
    "or", "replace", "ignore", "abort", "fail", "rollback", "if", "not", "exists", "only", "lateral",
];
/// Words that end a list of tables.
const BEHIND: [&str; 16] = [
    "select",
    "where",
    "group",
    "order",
    "having",
    "limit",
    "offset",
    "union",
    "except",
    "intersect",
    "window",
    "returning",
    "set",
    "values",
    "with",
    "default",
];

/// The schemas of attached files.
pub(super) fn attached(connection: &Connection) -> impl Iterator<Item = String> + '_ {
    (2..)
        .map_while(|at| connection.db_name(at).ok())
        .filter(|schema| !matches!(schema.as_str(), "pg_catalog" | "information_schema"))
}

/// Whether only an attached file has a table, view or index of this name.
pub(super) fn is_attached_alone(connection: &Connection, name: &str) -> Result<bool> {
    Ok(only_in(connection, name)?.is_some())
}

/// The attached file that has something of this name, which nothing else has.
fn only_in(connection: &Connection, name: &str) -> Result<Option<String>> {
    let mut attached = attached(connection).peekable();
    if attached.peek().is_none() || catalog::is_relation(name) {
        return Ok(None);
    }
    let has = |schema: &str| {
        let sql = format!(
            "SELECT 1 FROM {}.sqlite_schema WHERE name = ?1 COLLATE NOCASE",
            quote(schema)
        );
        connection.prepare_cached(&sql)?.exists([name])
    };
    for own in ["temp", "main"] {
        if has(own)? {
            return Ok(None);
        }
    }
    for schema in attached {
        if has(&schema)? {
            return Ok(Some(schema));
        }
    }
    Ok(None)
}

/// Refuses a statement in SQLite's words that names, without its schema, what only an attached file has.
pub(super) fn check(connection: &Connection, sql: &str) -> Result<()> {
    if attached(connection).next().is_none() {
        return Ok(());
    }
    // What an attached file keeps finds its names in that file alone.
    let tokens: Vec<&str> = each_token(sql).collect();
    if super::attached::defined_in(connection, &tokens).is_some() {
        return Ok(());
    }
    for name in unqualified(sql) {
        if only_in(connection, &name)?.is_some() {
            return Err(fault("42P01", format!("relation \"{name}\" does not exist")));
        }
    }
    Ok(())
}

/// The names in a statement that stand where a table, a view or an index is named, without a schema. What is created is none.
fn unqualified(sql: &str) -> Vec<String> {
    let tokens: Vec<&str> = each_token(sql).collect();
    let queries = named_queries(&tokens);
    let names = standing(&tokens).into_iter().map(|at| unquote(tokens[at]));
    names
        .filter(|name| queries.iter().all(|query| query.name != name.to_lowercase()))
        .collect()
}

/// The places of such names among the tokens of a statement, those of its own common table expressions too.
pub(super) fn standing(tokens: &[&str]) -> Vec<usize> {
    let is = |token: &str, word: &str| token.eq_ignore_ascii_case(word);
    let is_among = |token: &str, words: &[&str]| words.iter().any(|word| is(token, word));
    let creates = tokens.first().is_some_and(|first| is(first, "create"));
    let creates_index = creates && tokens.iter().take(3).any(|token| is(token, "index"));
    let mut found = vec![];
    // For each open parenthesis: whether a comma stands before another table.
    let mut lists = vec![false];
    let mut expects = false;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" => lists.push(expects),
            ")" => {
                lists.pop();
                expects = false;
            }
            "," => expects = lists.last().copied().unwrap_or_default(),
            token if is_among(token, &BEHIND) => {
                expects = false;
                if let Some(list) = lists.last_mut() {
                    *list = false;
                }
            }
            // IS DISTINCT FROM.
            token if is(token, "from") && at > 0 && is(tokens[at - 1], "distinct") => {}
            // Of a join, or of ON CONFLICT.
            token if is(token, "on") && !(creates_index && found.is_empty()) => {}
            // An index is where its table is, which SQLite looks for there alone.
            token if is(token, "on") && at > 1 && tokens[at - 2] == "." => {}
            token if creates && is_among(token, &["table", "view", "index", "trigger", "update"]) => {}
            token if is_among(token, &BEFORE) => {
                expects = true;
                if let Some(list) = lists.last_mut() {
                    *list = true;
                }
            }
            token if expects && is_among(token, &BETWEEN) => {}
            _ if expects => {
                expects = false;
                if tokens.get(at + 1).copied() != Some(".") {
                    found.push(at);
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_a_schema_are_found_where_relations_stand() {
        for (sql, expected) in [
            ("SELECT * FROM t", "t"),
            (
                "SELECT a, b FROM t AS x, \"U\" WHERE c IN (SELECT d FROM v), e",
                "t U v",
            ),
            ("SELECT * FROM (a JOIN b ON a.x = b.x, c)", "a b c"),
            ("SELECT * FROM (SELECT p, q FROM s.a), b ORDER BY r, z", "b"),
            ("SELECT count(*) FROM s.t, u", "u"),
            ("SELECT a IS DISTINCT FROM b FROM t", "t"),
            ("WITH c(x) AS (SELECT 1 FROM t) SELECT * FROM c, d", "t d"),
            ("INSERT INTO t(a, b) SELECT a, b FROM u", "t u"),
            ("INSERT OR REPLACE INTO t VALUES (1, 2)", "t"),
            (
                "INSERT INTO s.t(a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2, b = 3",
                "",
            ),
            ("UPDATE OR IGNORE t SET a = 1, b = 2", "t"),
            ("DELETE FROM t WHERE a IN (1, 2)", "t"),
            ("DROP TABLE IF EXISTS t", "t"),
            ("DROP INDEX \"main\".\"t\"", ""),
            ("ALTER TABLE t RENAME TO u", "t"),
            ("CREATE TABLE t(a, b, FOREIGN KEY (a) REFERENCES u(a))", ""),
            ("CREATE TABLE t AS SELECT * FROM u, v", "u v"),
            ("CREATE UNIQUE INDEX i ON t(a, b)", "t"),
            ("CREATE INDEX \"s\".\"i\" ON \"t\" (\"a\")", ""),
            ("CREATE VIEW v(a, b) AS SELECT a, b FROM t", "t"),
            ("SELECT extract_it(a, b), 'FROM t' -- FROM t", ""),
        ] {
            assert_eq!(unqualified(sql).join(" "), expected, "{sql}");
        }
    }
}
