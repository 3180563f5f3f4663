//! RENAME of a table and of a column, which SQLite does by itself, down to views and triggers. The words of PostgreSQL that are
//! kept beside expressions follow here.

use rusqlite::{Connection, Result};

use super::{FoundTable, edit_schema, fault, quoted, text::Text};
use crate::{
    sqlite::{
        engine::{view_reads, views},
        translate::written,
    },
    statement::sqlite_lexer::{placed, tokens, unquote},
};

pub(super) fn table(connection: &Connection, found: &FoundTable, new: &str) -> Result<()> {
    alter(connection, found, &format!("TO {}", quoted(new)))
}

pub(super) fn column(
    connection: &Connection,
    found: &FoundTable,
    (old, new): &(String, String),
) -> Result<()> {
    let columns = Text::read(&found.sql)
        .map(|text| text.columns())
        .unwrap_or_default();
    // SQLite takes a name for the one that it has.
    if old == new && columns.iter().any(|column| column == new) {
        let words = format!("column \"{new}\" of relation \"{}\" already exists", found.name);
        return Err(fault("42701", words));
    }
    alter(
        connection,
        found,
        &format!("COLUMN {} TO {}", quoted(old), quoted(new)),
    )
}

fn alter(connection: &Connection, found: &FoundTable, renamed: &str) -> Result<()> {
    // SQLite looks through all views for the name.
    if let Some(view) = views::too_large(connection)?.into_iter().min() {
        return Err(view_reads::is_too_large(&view));
    }
    let table = format!("{}.{}", quoted(&found.schema), quoted(&found.name));
    connection.execute_batch(&format!("ALTER TABLE {table} RENAME {renamed}"))
}

/// The texts of a table and its indexes by their row in the table of tables, which stays theirs.
pub(super) fn definitions(connection: &Connection, found: &FoundTable) -> Result<Vec<(i64, String)>> {
    let sql = format!(
        "SELECT rowid, sql FROM {}.sqlite_schema WHERE tbl_name = ?1 AND type IN ('table', 'index') AND sql IS NOT NULL",
        quoted(&found.schema)
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([&found.name], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Gives the words beside expressions the column's new name.
pub(super) fn words_follow(
    connection: &Connection,
    found: &FoundTable,
    before: &[(i64, String)],
    (old, new): &(String, String),
) -> Result<()> {
    let after = definitions(connection, found)?;
    let mut edits = vec![];
    for (row, text) in &after {
        let was = before.iter().find(|(other, _)| other == row);
        if let Some(text) = was.and_then(|(_, was)| renamed(was, text, (old, new))) {
            edits.push((text, row));
        }
    }
    if edits.is_empty() {
        return Ok(());
    }
    let edit = format!(
        "UPDATE {}.sqlite_schema SET sql = ?1 WHERE rowid = ?2",
        quoted(&found.schema)
    );
    edit_schema(connection, &found.schema, || {
        edits
            .iter()
            .try_for_each(|(text, row)| connection.execute(&edit, (text, row)).map(|_| ()))
    })
}

/// A definition in which SQLite gave a column another name, with that name in the words that were kept of its expressions
/// before. `None` where there are none.
fn renamed(before: &str, after: &str, (old, new): (&str, &str)) -> Option<String> {
    let starts = |sql: &str| -> Vec<usize> {
        let tokens = tokens(sql);
        tokens.map(|(at, _)| at).collect()
    };
    // SQLite puts a name in the place of a name, so that tokens keep their numbers.
    let (tokens, new_tokens) = (starts(before), starts(after));
    let mut result = String::with_capacity(after.len());
    let (mut seen, mut seen_after) = (0, 0);
    for (head, _) in before.match_indices(written::HEAD) {
        let head_after = seen_after + after[seen_after..].find(written::HEAD)?;
        let end = head + before[head..].find("*/")?;
        let end_after = head_after + after[head_after..].find("*/")?;
        let comment = &before[head + written::HEAD.len()..end];
        // The expression begins where the mark says so.
        let begins = |at: usize| written::of(&before[at..head], comment);
        let inside = (0..tokens.len()).filter(|&token| (seen..head).contains(&tokens[token]));
        let mut inside = inside.filter_map(|token| Some((token, begins(tokens[token])?)));
        match inside.next() {
            Some((token, words)) => {
                let sql = &after[*new_tokens.get(token)?..head_after];
                result.push_str(&after[seen_after..head_after]);
                result.push_str(&written::comment(sql, &with_name(words, old, new)));
            }
            None => result.push_str(&after[seen_after..end_after]),
        }
        (seen, seen_after) = (end, end_after);
    }
    (seen > 0).then(|| result + &after[seen_after..])
}

/// PostgreSQL's words with another name of a column; a name in front of a parenthesis is a function's.
fn with_name(words: &str, old: &str, new: &str) -> String {
    let tokens: Vec<(usize, &str)> = placed(words).collect();
    let mut result = String::with_capacity(words.len());
    let mut copied = 0;
    for (number, (at, token)) in tokens.iter().enumerate() {
        let calls = tokens.get(number + 1).is_some_and(|(_, next)| *next == "(");
        if token.starts_with('"') && !calls && unquote(token).eq_ignore_ascii_case(old) {
            result.push_str(&words[copied..*at]);
            result.push_str(&quoted(new));
            copied = at + token.len();
        }
    }
    result + &words[copied..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_get_the_new_name() {
        let kept = |sql: &str, words: &str| format!("{sql}{} */", written::comment(sql, words));
        let check = kept("(pg_lower(\"a\") = 'a')", "(\"lower\"(\"a\") = 'a'::text)");
        let table = format!("CREATE TABLE \"t\" (\"a\" TEXT, CHECK ({check}), CHECK ({check}))");
        let by_sqlite = table.replace("pg_lower(\"a\")", "pg_lower(\"n\")");
        let expected = kept("(pg_lower(\"n\") = 'a')", "(\"lower\"(\"n\") = 'a'::text)");
        let found = renamed(&table, &by_sqlite, ("a", "n")).unwrap();
        assert_eq!(found.matches(&expected).count(), 2, "{found}");
        let plain = "CREATE TABLE t (a INTEGER CHECK (a > 1))";
        assert_eq!(renamed(plain, plain, ("a", "n")), None);
        // Words of another text are left alone.
        let stale = table.replace("pg_lower", "lower");
        let left = renamed(&stale, &stale, ("a", "n")).unwrap();
        assert_eq!(left, stale);
    }
}
