//! Comments on tables and columns: SQLite has none of its own, but keeps those in the text of CREATE TABLE.

use crate::{
    question::schema::{Column, Table},
    sqlite::translate::{Identity, written},
    statement::sqlite_lexer::{Piece, pieces, unquote},
};

use crate::sqlite::decltype;

/// Characters of a comment at most.
const LONGEST: usize = 500;

/// Fills the comments of a table and its columns from the statement that created it.
pub(super) fn add(table: &mut Table, sql: &str) {
    for (_, text, column) in assigned(sql, |name| table.column_named(name)) {
        match column {
            Some(column) => append(&mut table.columns[column].comment, &disclosed(text)),
            None => append(&mut table.comment, &disclosed(text)),
        }
    }
}

/// Fills the comments of a view and its columns from the statement that created it: one behind a column's name, in its line,
/// belongs to the column, and one before the query to the view. Those between signs (`/* */`) are notes of ours.
pub(super) fn add_to_view(view: &mut Table, sql: &str) {
    let mut begun = false;
    let mut in_line = None;
    for (offset, piece) in pieces(sql) {
        match piece {
            Piece::Line => in_line = None,
            Piece::Comment(text) if !text.is_empty() && sql[offset..].starts_with("--") => match in_line {
                Some(column) => {
                    let column: &mut Column = &mut view.columns[column];
                    append(&mut column.comment, text);
                }
                None if !begun => append(&mut view.comment, text),
                None => {}
            },
            Piece::Comment(_) => {}
            Piece::Token(token) => {
                begun |= token.eq_ignore_ascii_case("SELECT") || token.eq_ignore_ascii_case("WITH");
                if begun && token != "," {
                    in_line = view.column_named(&unquote(token));
                }
            }
        }
    }
}

/// The statement that created a view without the comments of the view, in front of its query.
pub(super) fn without_view_s(sql: &str) -> String {
    let mut new = sql.to_owned();
    let before_query = pieces(sql).take_while(|(_, piece)| {
        !matches!(piece, Piece::Token(token) if token.eq_ignore_ascii_case("SELECT") || token.eq_ignore_ascii_case("WITH"))
    });
    let said: Vec<usize> = before_query
        .filter(|(at, piece)| matches!(piece, Piece::Comment(_)) && sql[*at..].starts_with("--"))
        .map(|(at, _)| at)
        .collect();
    for at in said.into_iter().rev() {
        let end = sql[at..].find('\n').map_or(sql.len(), |end| at + end);
        new.replace_range(at..end, "");
    }
    new
}

/// The statement without the comments of the table, or of one of its columns, of which these are the names.
pub(super) fn without(sql: &str, columns: &[String], of: Option<usize>) -> String {
    let position = |name: &str| {
        columns
            .iter()
            .position(|column| column.eq_ignore_ascii_case(name))
    };
    let mut new = sql.to_owned();
    for (offset, ..) in assigned(sql, position)
        .into_iter()
        .rev()
        .filter(|(.., column)| *column == of)
    {
        let rest = &sql[offset..];
        let end = if rest.starts_with("--") {
            rest.find('\n')
        } else {
            rest.find("*/").map(|end| end + 2)
        };
        new.replace_range(offset..end.map_or(sql.len(), |end| offset + end), "");
    }
    new
}

/// The comments with their places in bytes and the columns that they are about.
///
/// A comment belongs to the column that stands before it in the same line, else to the column that
/// follows; one in the line of the opening parenthesis belongs to the table.
fn assigned(sql: &str, position: impl Fn(&str) -> Option<usize>) -> Vec<(usize, &str, Option<usize>)> {
    let mut found = vec![];
    let mut depth = 0_usize;
    // The column whose definition is being read, and the one named last in this line.
    let mut current: Option<usize> = None;
    let mut in_line: Option<usize> = None;
    let mut opened_in_line = true;
    let mut begins = false;
    let mut waiting: Vec<(usize, &str)> = Vec::new();
    for (offset, piece) in pieces(sql) {
        match piece {
            Piece::Line => {
                in_line = None;
                opened_in_line = depth == 0;
            }
            // All but the first are said of a key's type.
            Piece::Comment("") => {}
            Piece::Comment(text) if decltype::is_width(text) => {}
            Piece::Comment(text) if written::is_kept(text) || Identity::is_note(text) => {}
            Piece::Comment(text) => match in_line.or(current.filter(|_| !begins)) {
                Some(column) => found.push((offset, text, Some(column))),
                None if opened_in_line => found.push((offset, text, None)),
                None => waiting.push((offset, text)),
            },
            Piece::Token("(") => {
                depth += 1;
                if depth == 1 {
                    begins = true;
                    opened_in_line = true;
                }
            }
            Piece::Token(")") => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    current = None;
                }
            }
            Piece::Token(",") if depth == 1 => {
                begins = true;
                current = None;
            }
            Piece::Token(token) if depth >= 1 => {
                opened_in_line = false;
                if begins {
                    begins = false;
                    current = position(&unquote(token));
                    if let Some(column) = current {
                        let before = waiting.drain(..);
                        found.extend(before.map(|(offset, text)| (offset, text, Some(column))));
                    }
                    waiting.clear();
                }
                in_line = current;
            }
            Piece::Token(_) => {}
        }
    }
    found
}

/// A text that may stand between comment signs: where it has the last of them, a backslash stands within that, and one more
/// where one stood already.
pub(super) fn enclosed(text: &str) -> String {
    with_signs(text, |backslashes| backslashes + 1)
}

/// What stands between comment signs as it was before.
fn disclosed(text: &str) -> String {
    with_signs(text, |backslashes| backslashes.saturating_sub(1))
}

/// The text with another number of backslashes between each star and a stroke behind it.
fn with_signs(text: &str, number: impl Fn(usize) -> usize) -> String {
    let mut new = String::new();
    let mut rest = text;
    while let Some(star) = rest.find('*') {
        let (before, behind) = rest.split_at(star + 1);
        new.push_str(before);
        let stroke = behind.trim_start_matches('\\');
        rest = behind;
        if stroke.starts_with('/') {
            new.push_str(&"\\".repeat(number(behind.len() - stroke.len())));
            rest = stroke;
        }
    }
    new + rest
}

fn append(comment: &mut Option<String>, text: &str) {
    let comment = comment.get_or_insert_default();
    if !comment.is_empty() {
        comment.push(' ');
    }
    let room = LONGEST.saturating_sub(comment.chars().count());
    comment.extend(text.chars().take(room));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sql: &str, columns: &[&str], expected: &[Option<&str>], on_table: Option<&str>) {
        let mut table = Table {
            columns: columns
                .iter()
                .map(|name| Column {
                    name: (*name).to_owned(),
                    ..Column::default()
                })
                .collect(),
            ..Table::default()
        };
        add(&mut table, sql);
        let found: Vec<_> = table
            .columns
            .iter()
            .map(|column| column.comment.as_deref())
            .collect();
        assert_eq!(found, expected);
        assert_eq!(table.comment.as_deref(), on_table);
    }

    #[test]
    fn comments_belong_to_their_columns() {
        check(
            "CREATE TABLE t ( -- all the people\n  id INTEGER PRIMARY KEY, -- who\n  /* given, or\n   chosen */\n  \
             \"the name\" TEXT DEFAULT ',--x(' -- how called\n,  age INT CHECK (age > 0), plain TEXT\n, -- rest\n \
             -- a key\n FOREIGN KEY (id) REFERENCES u(id) -- parent\n)",
            &["id", "the name", "age", "plain"],
            &[Some("who"), Some("given, or\n   chosen how called"), None, None],
            Some("all the people"),
        );
    }

    #[test]
    fn a_view_has_comments_too() {
        let mut view = Table {
            columns: ["month", "revenue"]
                .map(|name| Column {
                    name: name.into(),
                    ..Column::default()
                })
                .into(),
            ..Table::default()
        };
        let sql = "CREATE VIEW sales AS -- what was sold\nSELECT strftime('%m', day) AS month /* text */, -- two digits\n\
                   sum(total) AS revenue -- in euro\nFROM revenue_of -- not a column\nWHERE total > 0 -- nor this";
        add_to_view(&mut view, sql);
        assert_eq!(view.comment.as_deref(), Some("what was sold"));
        let comments: Vec<_> = view
            .columns
            .iter()
            .map(|column| column.comment.as_deref())
            .collect();
        assert_eq!(comments, [Some("two digits"), Some("in euro")]);
    }

    #[test]
    fn comments_may_hold_their_own_signs() {
        for (text, kept) in [
            ("a */ b", "a *\\/ b"),
            ("**/*/", "**\\/*\\/"),
            ("*\\/ /* \\ *", "*\\\\/ /* \\ *"),
        ] {
            assert_eq!(enclosed(text), kept);
            assert_eq!(disclosed(kept), text);
        }
        let sql = format!("CREATE TABLE t (a INT /* {} */)", enclosed("x */ y"));
        check(&sql, &["a"], &[Some("x */ y")], None);
    }

    #[test]
    fn broken_text_is_no_trouble() {
        for sql in [
            "CREATE TABLE t (a 'x",
            "(((",
            "",
            ")",
            "CREATE TABLE \u{1F600}(a--",
        ] {
            check(sql, &["a"], &[None], None);
        }
        // SQLite takes a comment that is never closed.
        check("CREATE TABLE t (a /* b", &["a"], &[Some("b")], None);
    }
}
