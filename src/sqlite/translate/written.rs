//! A view's definition in the words of whoever wrote it, and expressions in PostgreSQL's, kept in a comment behind the text
//! that SQLite runs.

use sqlparser::{
    ast::{Expr, SelectItem, SetExpr, Statement},
    dialect::PostgreSqlDialect,
};

use crate::statement::grammar;

/// What begins the comment.
pub(crate) const HEAD: &str = " /* as written ";

/// Tells whether the text in front is still the one that was kept with it (FNV-1a): SQLite changes names in views itself.
fn mark(sql: &str) -> String {
    let hash = sql.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}: ")
}

/// The text with the words behind it; without them where no comment can hold them.
pub(crate) fn keep(sql: &str, words: &str) -> String {
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
    let is_one = |statements: Vec<Statement>| matches!(statements.as_slice(), [Statement::Query(_)]);
    !words.contains("--") && grammar::read(&PostgreSqlDialect {}, words, is_one).unwrap_or(false)
}

/// As [`keep`] for an expression.
pub(super) fn keep_expression(sql: &str, words: &str) -> String {
    let kept = keep(sql, words);
    if expression(&kept).is_some() {
        kept
    } else {
        sql.to_owned()
    }
}

/// PostgreSQL's words for an expression, where they were kept with it and it has not changed since.
pub(crate) fn expression(kept: &str) -> Option<&str> {
    let (sql, comment) = kept.rsplit_once(HEAD)?;
    let words = comment.strip_prefix(&mark(query_of(sql)))?;
    words.strip_suffix(" */").filter(|words| is_expression(words))
}

/// The text that SQLite runs, without the words behind it: a column that is renamed makes them stale.
pub(crate) fn without(sql: &str) -> &str {
    sql.rsplit_once(HEAD).map_or(sql, |(sql, _)| sql)
}

/// True for one expression and nothing else.
fn is_expression(words: &str) -> bool {
    // The parser wants to know what is trimmed.
    let trims =
        |words: String, side| words.replace(&format!("TRIM({side} FROM"), &format!("TRIM({side} ' ' FROM"));
    let words = &["BOTH", "LEADING", "TRAILING"]
        .into_iter()
        .fold(words.to_owned(), trims);
    let is_one = |statements: Vec<Statement>| {
        let [Statement::Query(query)] = statements.as_slice() else {
            return false;
        };
        let SetExpr::Select(select) = &*query.body else {
            return false;
        };
        match select.projection.as_slice() {
            // Nothing beside it, and it has not closed the parentheses itself.
            [one @ SelectItem::UnnamedExpr(Expr::Nested(_))] => query.to_string() == format!("SELECT {one}"),
            _ => false,
        }
    };
    let query = format!("SELECT ({words})");
    !words.contains("--") && grammar::read(&PostgreSqlDialect {}, &query, is_one).unwrap_or(false)
}

/// What follows the head: a view may be given another name.
fn query_of(view: &str) -> &str {
    view.split_once(") AS ").map_or(view, |(_, query)| query)
}

/// The words of a comment, from behind [`HEAD`] on, where they were kept with this text.
pub(crate) fn of<'c>(sql: &str, comment: &'c str) -> Option<&'c str> {
    comment.strip_prefix(&mark(query_of(sql)))
}

/// The comment that keeps words with a text, as far as its end.
pub(crate) fn comment(sql: &str, words: &str) -> String {
    format!("{HEAD}{}{words}", mark(query_of(sql)))
}

/// What a comment begins with that tells of an index what SQLite has not.
pub(crate) const ASKED: &str = "keys as asked ";

/// Of each key of an index, what was asked for it, and the names of the columns that are included; in quotes, as a comment.
pub(crate) fn keep_asked(keys: &[String], included: &[String]) -> String {
    let words = format!("{ASKED}({}) ({})", keys.join(", "), included.join(", "));
    let is_usual = included.is_empty() && keys.iter().all(String::is_empty);
    if is_usual || words.contains("*/") || words.contains("/*") {
        return String::new();
    }
    format!(" /* {words} */")
}

/// True for the words of such a comment.
pub(crate) fn is_kept(comment: &str) -> bool {
    comment.starts_with(HEAD.trim_start_matches([' ', '/', '*'])) || comment.starts_with(ASKED)
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
        let check = keep_expression("(pg_lower(\"a\") = 'x')", "(\"lower\"(\"a\") = 'x'::text)");
        assert_eq!(expression(&check), Some("(\"lower\"(\"a\") = 'x'::text)"));
        let renamed = check.replace("\"a\") = 'x')", "\"b\") = 'x')");
        assert_eq!(expression(&renamed), None);
        assert_eq!(without(&renamed), "(pg_lower(\"b\") = 'x')");
        assert_eq!(keep_expression("1", "1); DROP TABLE t"), "1");
        assert!(is_kept("as written 0: SELECT 1") && !is_kept("a comment"));
    }
}
