//! Which statements of somebody's own run here: those that read, and that leave nothing behind once they are rolled back.

use super::asking::Failed;
use crate::{
    question::{schema::Dialect, validator::function_outlasts_rollback},
    statement,
};

/// Why a statement does not run here, where everything that it does is to be undone.
pub(super) fn refused(sql: &str, is_file: bool) -> Option<Failed> {
    let refusal = |message: &str, hint: &str| Failed {
        sqlstate: "42501".to_owned(),
        message: message.to_owned(),
        hint: Some(hint.to_owned()),
        ..Failed::default()
    };
    if sql.contains('\0') {
        return Some(Failed {
            sqlstate: "22021".to_owned(),
            message: "invalid byte sequence for encoding \"UTF8\": 0x00".to_owned(),
            ..Failed::default()
        });
    }
    if !is_query(sql) {
        let hint = "Write one SELECT, WITH, VALUES or EXPLAIN.";
        return Some(refusal("only a statement that reads may run here", hint));
    }
    if is_file {
        return None;
    }
    let Some(called) = statement::called(sql) else {
        return Some(refusal(
            "UESCAPE cannot be used here",
            "Write the characters as they are.",
        ));
    };
    let lasting = |name: &&String| function_outlasts_rollback(name, Dialect::Postgres);
    let name = called.iter().find(lasting)?;
    let message =
        format!("{name} may not run here: what it does would stay when the transaction is rolled back");
    Some(refusal(&message, "Run it in another client."))
}

/// Whether a statement begins as those do that read.
fn is_query(sql: &str) -> bool {
    let mut rest = sql;
    loop {
        rest = rest.trim_start_matches(|sign: char| sign.is_whitespace() || sign == '(');
        let after = if rest.starts_with("--") {
            rest.split_once('\n')
        } else if rest.starts_with("/*") {
            rest.split_once("*/")
        } else {
            break;
        };
        rest = after.map_or("", |(_, after)| after);
    }
    let word = rest.split(|sign: char| !sign.is_ascii_alphabetic()).next();
    let word = word.unwrap_or_default().to_ascii_lowercase();
    ["select", "with", "values", "table", "explain"].contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::{is_query, refused};

    #[test]
    fn only_what_reads_begins_so() {
        for sql in [
            "SELECT 1",
            " /* a */ -- b\n ((select 1))",
            "WITH x AS (SELECT 1) TABLE x",
            "explain select 1",
        ] {
            assert!(is_query(sql), "{sql}");
        }
        for sql in [
            "",
            "--",
            "SET a = 1",
            "DELETE FROM t",
            "/* SELECT */ DROP TABLE t",
            "selection",
            "COMMIT",
        ] {
            assert!(!is_query(sql), "{sql}");
        }
    }

    #[test]
    fn what_would_stay_is_refused_in_front_of_a_server() {
        let check = |sql: &str, expected: Option<&str>| {
            let found = refused(sql, false).map(|refused| refused.sqlstate);
            assert_eq!(found.as_deref(), expected, "{sql}");
        };
        for sql in [
            "SELECT pg_create_physical_replication_slot('x')",
            "EXPLAIN ANALYZE SELECT pg_catalog.\"pg_reload_conf\"()",
            "WITH a AS (SELECT PG_Terminate_Backend(pid) FROM pg_stat_activity) TABLE a",
            "SELECT * FROM dblink('dbname=x', 'DELETE FROM t') AS t(a int)",
            "SELECT U&\"pg\\005freload_conf\"()",
            "SELECT U&\"pg!005freload_conf\" UESCAPE '!' ()",
        ] {
            check(sql, Some("42501"));
        }
        for sql in [
            "SELECT 'pg_reload_conf()', pg_stat_get_backend_pid(1), pg_file_settings FROM t",
            "SELECT pg_advisory_lock(1), pg_size_pretty(1::bigint)",
        ] {
            check(sql, None);
        }
        check("SELECT 'a\0b'", Some("22021"));
    }
}
