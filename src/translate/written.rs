//! A view's definition in the words of whoever wrote it, kept in a comment behind the text that SQLite runs.

use sqlparser::{ast::Statement, dialect::PostgreSqlDialect, parser::Parser};

const HEAD: &str = " /* as written ";

/// Tells whether the text in front is still the one that was kept with it (FNV-1a): SQLite changes names in views itself.
fn mark(sql: &str) -> String {
    let hash = sql.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}: ")
}

/// The text with the words behind it; without them where no comment can hold them.
pub(super) fn keep(sql: &str, words: &str) -> String {
    if words.contains("*/") || words.contains("/*") {
        return sql.to_owned();
    }
    let query = query_of(sql);
    format!("{sql}{HEAD}{}{words} */", mark(query))
}

/// The words that were kept with a view; none where its text has changed since.
pub(crate) fn kept(view: &str) -> Option<&str> {
    let (sql, comment) = view.rsplit_once(HEAD)?;
    let words = comment.strip_prefix(&mark(query_of(sql)))?;
    words.strip_suffix(" */").filter(|words| is_query(words))
}

/// True for one query and nothing else: a file of strangers may say anything, and what is told here is run elsewhere.
fn is_query(words: &str) -> bool {
    let parsed = Parser::parse_sql(&PostgreSqlDialect {}, words);
    !words.contains("--")
        && parsed.is_ok_and(|statements| matches!(statements.as_slice(), [Statement::Query(_)]))
}

/// What follows the head: a view may be given another name.
fn query_of(view: &str) -> &str {
    view.split_once(") AS ").map_or(view, |(_, query)| query)
}

/// True for the words of such a comment.
pub(crate) fn is_kept(comment: &str) -> bool {
    comment.starts_with(HEAD.trim_start_matches([' ', '/', '*']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_while_the_text_is_the_same() {
        let sql = "CREATE VIEW \"v\" (\"a\") AS SELECT pg_lower(\"a\") AS \"a\" FROM \"t\"";
        let view = keep(sql, "SELECT lower(a) AS a FROM t");
        assert_eq!(kept(&view), Some("SELECT lower(a) AS a FROM t"));
        assert_eq!(kept(&view.replace("\"v\"", "\"w\"")), kept(&view));
        assert_eq!(kept(&view.replace("FROM \"t\"", "FROM \"u\"")), None);
        assert_eq!(kept(sql), None);
        assert_eq!(kept(&keep(sql, "SELECT 1; DROP TABLE t")), None);
        assert_eq!(kept(&keep(sql, "DELETE FROM t")), None);
        assert_eq!(keep(sql, "SELECT '*/'"), sql);
        assert!(is_kept("as written 0: SELECT 1") && !is_kept("a comment"));
    }
}
