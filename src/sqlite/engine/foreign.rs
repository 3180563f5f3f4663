//! Statements that PostgreSQL has and SQLite's grammar has not, told by their words.

use crate::statement::sqlite_lexer::of_client;

const ROLES: &str =
    "A file has no roles: its permissions, auth.users and the access policy say who may do what.";
const SCHEMAS: &str = "The file is the schema public; --attach NAME=PATH makes another file a schema.";
const CODE: &str = "Code runs in the client: a SQLite file keeps no functions or procedures.";
const SERVER: &str =
    "A SQLite file has no server with settings and files of its own: see the configuration of Querent.";

/// By the first words, with what to do instead. The first that fits counts.
const STATEMENTS: &[(&str, &str)] = &[
    ("grant", ROLES),
    ("revoke", ROLES),
    ("reassign owned", ROLES),
    ("drop owned", ROLES),
    ("alter default privileges", ROLES),
    ("create role", ROLES),
    ("create user", ROLES),
    ("create group", ROLES),
    ("create policy", ROLES),
    ("alter role", ROLES),
    ("alter user", ROLES),
    ("alter group", ROLES),
    ("alter policy", ROLES),
    ("drop role", ROLES),
    ("drop user", ROLES),
    ("drop group", ROLES),
    ("drop policy", ROLES),
    ("security label", ROLES),
    ("create schema", SCHEMAS),
    ("alter schema", SCHEMAS),
    ("drop schema", SCHEMAS),
    ("do", CODE),
    ("call", CODE),
    ("load", CODE),
    ("create function", CODE),
    ("create procedure", CODE),
    ("create language", CODE),
    ("create aggregate", CODE),
    ("create event", CODE),
    ("alter function", CODE),
    ("alter procedure", CODE),
    ("alter routine", CODE),
    ("drop function", CODE),
    ("drop procedure", CODE),
    ("drop routine", CODE),
    ("drop aggregate", CODE),
    ("alter system", SERVER),
    ("alter database", SERVER),
    ("create database", SERVER),
    ("drop database", SERVER),
    ("create tablespace", SERVER),
    ("alter tablespace", SERVER),
    ("drop tablespace", SERVER),
    ("create publication", SERVER),
    ("create subscription", SERVER),
    ("create server", SERVER),
    (
        "import foreign",
        "Another SQLite file is read as a schema: --attach NAME=PATH.",
    ),
    (
        "create foreign",
        "Another SQLite file is read as a schema: --attach NAME=PATH.",
    ),
    (
        "create materialized",
        "CREATE TABLE … AS keeps the rows of a query.",
    ),
    (
        "refresh materialized",
        "CREATE TABLE … AS keeps the rows of a query.",
    ),
    (
        "create rule",
        "A view with INSTEAD OF triggers, written as SQLite has them, does what rules do.",
    ),
    (
        "comment on",
        "A SQLite file has places for comments on tables, their columns and views.",
    ),
];

/// What CREATE, ALTER and DROP are of that SQLite has: what is wrong with these is wrong indeed.
const OBJECTS: [&str; 5] = ["table", "index", "view", "trigger", "sequence"];

/// Words between CREATE and what is created.
const MODIFIERS: [&str; 10] = [
    "or",
    "replace",
    "temp",
    "temporary",
    "unlogged",
    "global",
    "local",
    "unique",
    "virtual",
    "constraint",
];

const OTHERWISE: &str = "docs/sqlite.md says what PostgreSQL's SQL becomes on a SQLite file.";

/// What a statement is that SQLite cannot read, and what to do instead; `None` for one that it should have read.
pub(super) fn read(sql: &str) -> Option<(String, &'static str)> {
    let tokens: Vec<String> = of_client(sql).map(str::to_ascii_lowercase).collect();
    let words = tokens
        .iter()
        .enumerate()
        .filter(|(at, word)| *at == 0 || !MODIFIERS.contains(&word.as_str()))
        .map(|(_, word)| word.as_str());
    let first: Vec<&str> = words.take(2).collect();
    let begins = |known: &str| {
        let mut known = known.split(' ').zip(&first);
        known.all(|(known, word)| known == *word)
    };
    let is_long_enough = |known: &str| known.split(' ').count() <= first.len();
    let found = STATEMENTS
        .iter()
        .find(|(known, _)| is_long_enough(known) && begins(known));
    if let Some((known, instead)) = found {
        let of = tokens.get(2).filter(|_| *known == "comment on");
        return Some(match of {
            Some(kind) => (format!("COMMENT ON {}", kind.to_uppercase()), instead),
            None => (shown(known), instead),
        });
    }
    let is_of_object = matches!(first.first(), Some(&("create" | "alter" | "drop")));
    if let (true, Some(kind)) = (is_of_object, first.get(1)) {
        let is_kind = kind.chars().all(|c| c.is_ascii_alphabetic());
        if is_kind && !OBJECTS.contains(kind) {
            return Some((shown(&first.join(" ")), OTHERWISE));
        }
    }
    let has = |wanted: &[&str]| {
        tokens
            .windows(wanted.len())
            .any(|window| window.iter().zip(wanted).all(|(token, word)| token == word))
    };
    if first.get(1) == Some(&"view") && has(&["check", "option"]) {
        return Some((
            "WITH CHECK OPTION".into(),
            "Rows are not written through views here: a CHECK of the table says what they must be.",
        ));
    }
    if first == ["create", "trigger"] && has(&["execute"]) {
        return Some((
            "CREATE TRIGGER … EXECUTE FUNCTION".into(),
            "SQLite has no functions in the file: write what the trigger does between BEGIN and END.",
        ));
    }
    if matches!(first.first(), Some(&("update" | "delete"))) && has(&["where", "current", "of"]) {
        return Some((
            "WHERE CURRENT OF".into(),
            "A cursor here holds rows, and not their places: name the row by its key.",
        ));
    }
    has(&["rows", "from", "("]).then(|| {
        (
            "ROWS FROM".into(),
            "Join the functions by generate_series or WITH ORDINALITY.",
        )
    })
}

/// True for a question by the word ASK, which is not asked where that is no keyword.
pub(super) fn asks(sql: &str) -> bool {
    of_client(sql)
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case("ask"))
}

/// `import foreign` as PostgreSQL calls it.
fn shown(words: &str) -> String {
    match words {
        "import foreign" => "IMPORT FOREIGN SCHEMA".into(),
        "create foreign" => "CREATE FOREIGN TABLE".into(),
        "create event" => "CREATE EVENT TRIGGER".into(),
        "create materialized" | "refresh materialized" => format!("{} VIEW", words.to_uppercase()),
        _ => words.to_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_postgresql_has_alone_is_told_by_its_name() {
        for (sql, what) in [
            ("DO $$ BEGIN NULL; END $$", Some("DO")),
            ("call p(1)", Some("CALL")),
            (
                "CREATE OR REPLACE FUNCTION f() RETURNS int AS $$ select 1 $$",
                Some("CREATE FUNCTION"),
            ),
            ("create aggregate a (int) (sfunc = f)", Some("CREATE AGGREGATE")),
            ("CREATE STATISTICS s ON a, b FROM t", Some("CREATE STATISTICS")),
            ("create cast (int as text) without function", Some("CREATE CAST")),
            ("create operator === (leftarg = int)", Some("CREATE OPERATOR")),
            ("ALTER SYSTEM SET work_mem = '1MB'", Some("ALTER SYSTEM")),
            (
                "import foreign schema s from server x into y",
                Some("IMPORT FOREIGN SCHEMA"),
            ),
            ("security label on table t is 'x'", Some("SECURITY LABEL")),
            ("load 'plpgsql'", Some("LOAD")),
            ("select * from rows from (f(), g())", Some("ROWS FROM")),
            (
                "CREATE TRIGGER r AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()",
                Some("CREATE TRIGGER … EXECUTE FUNCTION"),
            ),
            (
                "create or replace view v as select 1 with local check option",
                Some("WITH CHECK OPTION"),
            ),
            ("delete from t where current of c", Some("WHERE CURRENT OF")),
            ("CREATE TABLE t (a int", None),
            ("CREATE UNIQUE INDEX", None),
            ("SELECT 'do', 'rows from ('", None),
            ("selec 1", None),
            ("create", None),
            ("", None),
        ] {
            assert_eq!(read(sql).map(|(what, _)| what).as_deref(), what, "{sql}");
        }
    }
}
