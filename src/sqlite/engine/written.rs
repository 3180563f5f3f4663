//! What a statement of SQLite's own writes, read from its text: the table, the columns, and a query for the rows. What is
//! translated tells it itself.

use crate::{
    sqlite::translate::{Write, WriteKind},
    statement::sqlite_lexer,
};

/// The words of a text with their places and how deep they stand in parentheses.
struct Words<'s> {
    sql: &'s str,
    words: Vec<(usize, &'s str, usize)>,
}

impl<'s> Words<'s> {
    fn of(sql: &'s str) -> Self {
        let mut depth = 0_usize;
        let words = sqlite_lexer::tokens(sql)
            .map(|(offset, token)| {
                if token == ")" {
                    depth = depth.saturating_sub(1);
                }
                let found = (offset, token, depth);
                if token == "(" {
                    depth += 1;
                }
                found
            })
            .collect();
        Self { sql, words }
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.words
            .get(at)
            .is_some_and(|(_, token, _)| token.eq_ignore_ascii_case(word))
    }

    /// The first of these words from here on that stands in no parentheses, or the end.
    fn until(&self, from: usize, words: &[&str]) -> usize {
        (from..self.words.len())
            .find(|at| self.words[*at].2 == 0 && words.iter().any(|word| self.is(*at, word)))
            .unwrap_or(self.words.len())
    }

    fn offset(&self, at: usize) -> usize {
        self.words.get(at).map_or(self.sql.len(), |(offset, ..)| *offset)
    }

    fn text(&self, from: usize, to: usize) -> &'s str {
        self.sql[self.offset(from)..self.offset(to)]
            .trim()
            .trim_end_matches(';')
    }

    /// The name of a table, perhaps behind that of its schema, and what comes behind it.
    fn table(&self, at: usize) -> Option<(Option<String>, String, usize)> {
        let (_, mut name, _) = *self.words.get(at)?;
        let mut next = at + 1;
        let mut schema = None;
        if self.is(next, ".") {
            schema = Some(sqlite_lexer::unquote(name));
            name = self.words.get(next + 1)?.1;
            next += 2;
        }
        Some((schema, sqlite_lexer::unquote(name), next))
    }
}

/// `None` for a statement that writes nothing, or whose beginning is not understood.
pub(super) fn of(sql: &str) -> Option<Write> {
    let words = Words::of(sql);
    let verb = words.until(0, &["insert", "update", "delete"]);
    // What stands before it are common table expressions.
    let before = words.text(0, verb);
    let mut found = if words.is(verb, "insert") {
        let into = words.until(verb, &["into"]);
        let (schema, table, mut next) = words.table(into + 1)?;
        if words.is(next, "as") {
            next += 2;
        }
        let mut columns = vec![];
        if words.is(next, "(") {
            let end = words.until(next + 1, &[")"]);
            columns = words.words[next + 1..end]
                .iter()
                .filter(|(_, token, _)| *token != ",")
                .map(|(_, token, _)| sqlite_lexer::unquote(token))
                .collect();
            next = end + 1;
        }
        let end = words.until(next, &["on", "returning"]);
        let is_known = !columns.is_empty() && !words.is(next, "default");
        Write {
            schema,
            table,
            kind: WriteKind::Insert,
            columns,
            rows: is_known.then(|| words.text(next, end).to_owned()),
            before: None,
            on_conflict: None,
        }
    } else if words.is(verb, "delete") {
        let (schema, table, next) = words.table(verb + 2)?;
        let end = words.until(next, &["returning"]);
        Write {
            schema,
            table,
            kind: WriteKind::Delete,
            columns: vec![],
            rows: Some(format!("SELECT * FROM {}", words.text(verb + 2, end))),
            before: None,
            on_conflict: None,
        }
    } else if words.is(verb, "update") {
        let (schema, table, next) = words.table(verb + 1)?;
        let set = words.until(next, &["set"]);
        let end = words.until(set, &["from", "where", "returning"]);
        let behind = words.text(end, words.until(end, &["returning"]));
        let rows = assignments(&words, set + 1, end)
            .filter(|_| !words.is(end, "from"))
            .map(|(columns, values)| {
                let list: Vec<String> = values
                    .iter()
                    .zip(&columns)
                    .map(|(value, column)| format!("{value} AS \"{column}\""))
                    .collect();
                format!(
                    "SELECT {} FROM {} {behind}",
                    list.join(", "),
                    words.text(verb + 1, set)
                )
            });
        let before = format!("SELECT * FROM {} {behind}", words.text(verb + 1, set));
        Write {
            schema,
            table,
            kind: WriteKind::Update,
            columns: vec![],
            before: rows.is_some().then_some(before),
            rows,
            on_conflict: None,
        }
    } else {
        return None;
    };
    if !before.is_empty() {
        let behind = |rows: String| format!("{before} {rows}");
        found.rows = found.rows.map(behind);
        found.before = found.before.map(behind);
    }
    Some(found.once())
}

/// `a = 1, b = c + 1` as names and values.
fn assignments(words: &Words<'_>, from: usize, end: usize) -> Option<(Vec<String>, Vec<String>)> {
    let (mut names, mut values) = (vec![], vec![]);
    let mut at = from;
    while at < end {
        if !words.is(at + 1, "=") {
            return None;
        }
        let comma = words.until(at + 2, &[","]).min(end);
        names.push(sqlite_lexer::unquote(words.words[at].1));
        values.push(words.text(at + 2, comma).to_owned());
        at = comma + 1;
    }
    Some((names, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sql: &str, table: &str, columns: &[&str], rows: Option<&str>) {
        let found = of(sql).unwrap();
        assert_eq!(
            (found.table.as_str(), found.rows.as_deref()),
            (table, rows),
            "{sql}"
        );
        assert_eq!(found.columns, columns, "{sql}");
    }

    #[test]
    fn rows_are_found_in_the_text() {
        check(
            "INSERT INTO \"t\" (\"a\", \"b\") VALUES ($1, (2)) ON CONFLICT DO NOTHING",
            "t",
            &["a", "b"],
            Some("VALUES ($1, (2))"),
        );
        check(
            "INSERT INTO main.t (a) SELECT 1 FROM u RETURNING a",
            "t",
            &["a"],
            Some("SELECT 1 FROM u"),
        );
        check("INSERT INTO t DEFAULT VALUES", "t", &[], None);
        check(
            "DELETE FROM t WHERE a = $1 RETURNING *",
            "t",
            &[],
            Some("SELECT * FROM t WHERE a = $1"),
        );
        check(
            "UPDATE t SET a = 5, \"b\" = f(a, 1) WHERE c",
            "t",
            &[],
            Some("SELECT 5 AS \"a\", f(a, 1) AS \"b\" FROM t WHERE c"),
        );
        check(
            "WITH x AS (SELECT 1) DELETE FROM t",
            "t",
            &[],
            Some("WITH x AS (SELECT 1) SELECT * FROM t"),
        );
        assert_eq!(of("SELECT 1"), None);
    }
}
