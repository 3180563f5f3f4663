//! Tables in which the file keeps what SQLite has none of, or counts its rows. They are to a client what PostgreSQL's own
//! catalogues are: it reads them, and changes what they hold by statements that say what is meant.

use crate::{
    backend::BackendError,
    sqlite::translate::KEPT,
    statement::sqlite_lexer::{of_client, unquote},
};

/// SQLite's own count of the rows of tables that number them.
const COUNTED: &str = "sqlite_sequence";
/// What the names of all of them begin with.
const PREFIXES: [&str; 2] = ["querent_", "sqlite_"];

/// Fails for a client's statement that would change one by name, whosever words it is in.
pub(super) fn check(sql: &str) -> Result<(), BackendError> {
    let is_named = |prefix: &str| {
        let mut windows = sql.as_bytes().windows(prefix.len());
        windows.any(|window| window.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    if !PREFIXES.iter().any(|prefix| is_named(prefix)) {
        return Ok(());
    }
    let tokens: Vec<&str> = of_client(sql).collect();
    let text = Text { tokens: &tokens };
    let found = (0..tokens.len()).find(|at| text.is_kept(*at) && text.is_changed(*at));
    match found {
        Some(at) => Err(BackendError::new(
            "42501",
            format!(
                "permission denied: \"{}\" is a system catalog",
                unquote(tokens[at])
            ),
        )),
        None => Ok(()),
    }
}

struct Text<'t> {
    tokens: &'t [&'t str],
}

impl Text<'_> {
    fn is(&self, at: Option<usize>, words: &[&str]) -> bool {
        let token = at.and_then(|at| self.tokens.get(at));
        token.is_some_and(|token| words.iter().any(|word| token.eq_ignore_ascii_case(word)))
    }

    fn is_kept(&self, at: usize) -> bool {
        let name = unquote(self.tokens[at]);
        let is_string = self.tokens[at].starts_with('\'');
        !is_string
            && (KEPT.iter().any(|kept| name.eq_ignore_ascii_case(kept)) || name.eq_ignore_ascii_case(COUNTED))
    }

    /// True for a name that stands where a statement tells what it changes.
    fn is_changed(&self, at: usize) -> bool {
        if self.is(Some(0), &["alter", "truncate"]) {
            return true;
        }
        let mut before = at.checked_sub(1);
        if self.is(before, &["."]) {
            before = at.checked_sub(3);
        }
        while self.is(before, &["only", "exists", "not", "if"]) {
            before = before.and_then(|before| before.checked_sub(1));
        }
        let steps = |count: usize| before.and_then(|before| before.checked_sub(count));
        // `UPDATE OR IGNORE` is SQLite's.
        let updates =
            self.is(before, &["update"]) || self.is(steps(1), &["or"]) && self.is(steps(2), &["update"]);
        let defines = (1..4).any(|at| self.is(Some(at), &["index", "trigger"]));
        updates
            || self.is(before, &["into"])
            || self.is(before, &["from"]) && self.is(steps(1), &["delete"])
            || self.is(before, &["on"]) && self.is(Some(0), &["create"]) && defines
            || self.is(before, &["table"]) && self.is(Some(0), &["create"])
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn they_are_read_and_not_changed() {
        for sql in [
            "INSERT INTO querent_sequences VALUES (1)",
            "REPLACE INTO main.sqlite_sequence VALUES ('a', 1)",
            "UPDATE only \"querent_sequences\" SET name = 'x'",
            "UPDATE OR IGNORE sqlite_sequence SET seq = 1",
            "WITH x AS (SELECT 1) DELETE FROM public.Querent_Extensions",
            "ALTER TABLE IF EXISTS querent_sequences RENAME TO x",
            "ALTER TABLE x RENAME TO querent_sequences",
            "TRUNCATE a, querent_large_objects",
            "CREATE UNIQUE INDEX i ON querent_sequences (name)",
            "CREATE TRIGGER t AFTER INSERT ON querent_sequences BEGIN SELECT 1; END",
            "CREATE TABLE IF NOT EXISTS querent_extensions (a int)",
        ] {
            let refused = check(sql).is_err_and(|error| error.sqlstate == "42501");
            assert!(refused, "{sql}");
        }
        for sql in [
            "SELECT * FROM querent_sequences FOR UPDATE OF querent_sequences",
            "INSERT INTO t SELECT name FROM querent_sequences",
            "CREATE VIEW v AS SELECT 1 FROM a JOIN querent_sequences ON querent_sequences.name = a.b",
            "UPDATE t SET a = 'querent_sequences'",
            "DELETE FROM t WHERE a = 'x' -- querent_sequences",
        ] {
            assert!(check(sql).is_ok(), "{sql}");
        }
    }
}
