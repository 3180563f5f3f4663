//! What SQLite's pragmas do not tell of a table, from the text of its `CREATE TABLE`: the names of constraints,
//! checks, and the expressions of generated columns.

use std::collections::HashMap;

use crate::statement::sqlite_lexer::{tokens, unquote};

/// A constraint as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Written {
    /// As in `pg_constraint.contype`: `p`, `u`, `f` or `c`.
    pub(super) kind: char,
    pub(super) name: Option<String>,
    pub(super) columns: Vec<String>,
    /// The condition of a check.
    pub(super) expression: String,
    pub(super) deferrable: bool,
    pub(super) deferred: bool,
}

/// What the text of a `CREATE TABLE` tells.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) constraints: Vec<Written>,
    /// By column, in lower case.
    pub(super) generated: HashMap<String, String>,
}

struct Reader<'s> {
    sql: &'s str,
    tokens: Vec<(usize, &'s str)>,
    text: Text,
}

/// Reads a statement as SQLite keeps it.
pub(super) fn read(sql: &str) -> Text {
    let tokens = tokens(sql);
    let mut reader = Reader {
        sql,
        tokens: tokens.collect(),
        text: Text::default(),
    };
    if !reader.is(0, "create") || reader.is(1, "virtual") {
        return reader.text;
    }
    let Some(open) = (0..reader.tokens.len()).find(|&at| reader.is(at, "(")) else {
        return reader.text;
    };
    let end = reader.closing(open);
    let mut start = open + 1;
    while start < end {
        let mut stop = start;
        while stop < end && !reader.is(stop, ",") {
            stop = if reader.is(stop, "(") {
                reader.closing(stop) + 1
            } else {
                stop + 1
            };
        }
        reader.item(start, stop.min(end));
        start = stop + 1;
    }
    reader.text
}

impl<'s> Reader<'s> {
    fn token(&self, at: usize) -> &'s str {
        self.tokens.get(at).map_or("", |(_, token)| token)
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.token(at).eq_ignore_ascii_case(word)
    }

    /// Where the parenthesis closes that opens at `open`; the end where none does.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            if self.is(at, "(") {
                depth += 1;
            } else if self.is(at, ")") {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
        }
        self.tokens.len()
    }

    /// The text between the parentheses, the first of which is at `open`.
    fn between(&self, open: usize) -> String {
        let close = self.closing(open);
        let from = self.tokens.get(open).map_or(0, |(at, _)| at + 1);
        let to = self.tokens.get(close).map_or(self.sql.len(), |(at, _)| *at);
        self.sql.get(from..to).unwrap_or_default().trim().to_owned()
    }

    /// The first words of the items in a list of columns.
    fn names(&self, open: usize) -> Vec<String> {
        let close = self.closing(open);
        let mut names = vec![];
        let mut at = open + 1;
        while at < close {
            names.push(unquote(self.token(at)));
            while at < close && !self.is(at, ",") {
                at = if self.is(at, "(") {
                    self.closing(at) + 1
                } else {
                    at + 1
                };
            }
            at += 1;
        }
        names
    }

    /// A column's definition or a table's constraint.
    fn item(&mut self, start: usize, stop: usize) {
        let of_table = ["constraint", "primary", "unique", "check", "foreign"]
            .iter()
            .any(|word| self.is(start, word));
        let column = (!of_table).then(|| unquote(self.token(start)));
        let mut at = if of_table { start } else { start + 1 };
        let mut name = None;
        while at < stop {
            let word = self.token(at).to_ascii_lowercase();
            let open = (at..stop.min(at + 3)).find(|&at| self.is(at, "("));
            let columns = |reader: &Self| match (&column, open) {
                (Some(column), _) => vec![column.clone()],
                (None, Some(open)) => reader.names(open),
                (None, None) => vec![],
            };
            let mut found = Written::default();
            match word.as_str() {
                "constraint" => {
                    name = Some(unquote(self.token(at + 1)));
                    at += 2;
                    continue;
                }
                "primary" => {
                    found = Written {
                        kind: 'p',
                        columns: columns(self),
                        ..found
                    }
                }
                "unique" => {
                    found = Written {
                        kind: 'u',
                        columns: columns(self),
                        ..found
                    }
                }
                "foreign" => {
                    found = Written {
                        kind: 'f',
                        columns: columns(self),
                        ..found
                    }
                }
                "references" if column.is_some() => {
                    found = Written {
                        kind: 'f',
                        columns: columns(self),
                        ..found
                    };
                }
                "check" => {
                    let expression = self.between(at + 1);
                    found = Written {
                        kind: 'c',
                        columns: column.iter().cloned().collect(),
                        expression,
                        ..found
                    };
                }
                "as" if self.is(at + 1, "(") => {
                    let expression = self.between(at + 1);
                    if let Some(column) = &column {
                        self.text.generated.insert(column.to_lowercase(), expression);
                    }
                }
                "deferrable" if !self.is(at - 1, "not") => {
                    if let Some(last) = self.text.constraints.last_mut() {
                        last.deferrable = true;
                    }
                }
                "deferred" => {
                    if let Some(last) = self.text.constraints.last_mut() {
                        last.deferred = true;
                    }
                }
                _ => {}
            }
            if found.kind != char::default() {
                found.name = name.take();
                self.text.constraints.push(found);
            }
            at = if self.is(at, "(") {
                self.closing(at) + 1
            } else {
                at + 1
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_as_they_are_written() {
        let text = read(
            "CREATE TABLE t (id INTEGER CONSTRAINT t_id PRIMARY KEY, a TEXT DEFAULT (upper('x')) CHECK (a <> ')') UNIQUE, \
             b INT REFERENCES u (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, c INT AS (b + 1) STORED, \
             \"d e\" DECIMAL(10,2), CONSTRAINT both UNIQUE (a, \"d e\" DESC), CHECK (a > b), \
             FOREIGN KEY (a, b) REFERENCES v NOT DEFERRABLE)",
        );
        let told: Vec<String> = text
            .constraints
            .iter()
            .map(|written| {
                let name = written.name.as_deref().unwrap_or("-");
                let columns = written.columns.join("+");
                let deferred = if written.deferred { " deferred" } else { "" };
                format!(
                    "{} {name} {columns} {}{deferred}",
                    written.kind, written.expression
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                "p t_id id ",
                "c - a a <> ')'",
                "u - a ",
                "f - b  deferred",
                "u both a+d e ",
                "c -  a > b",
                "f - a+b ",
            ]
        );
        assert!(!text.constraints[6].deferrable);
        assert_eq!(text.generated["c"], "b + 1");
    }

    #[test]
    fn broken_text_is_no_trouble() {
        for sql in [
            "",
            "CREATE TABLE t",
            "CREATE TABLE t (",
            "CREATE TABLE t (a CHECK",
            "CREATE TABLE t (a, (",
            "(",
            ")",
        ] {
            read(sql);
        }
        assert_eq!(
            read("CREATE VIRTUAL TABLE t USING fts5(a, check)"),
            Text::default()
        );
    }
}
