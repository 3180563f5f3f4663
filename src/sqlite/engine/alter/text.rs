//! The text of a `CREATE TABLE`, and what ALTER TABLE and COMMENT change in it. All else stays as somebody wrote it.

use std::ops::Range;

use crate::{
    sqlite::decltype,
    statement::sqlite_lexer::{tokens, unquote},
};

/// What a part of a column's definition or a constraint of the table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClauseKind {
    PrimaryKey,
    NotNull,
    Null,
    Unique,
    Check,
    Default,
    Collate,
    References,
    Generated,
}

/// A part of a column's definition, or a constraint of the table.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub(super) kind: ClauseKind,
    pub(super) name: Option<String>,
    /// Its tokens with those of its name.
    pub(super) tokens: Range<usize>,
    /// The columns that it is about; for a check those of a column's own alone.
    pub(super) columns: Vec<String>,
}

/// The text, its tokens, and which of them are its columns and constraints.
#[derive(Debug)]
pub(super) struct Text<'s> {
    sql: &'s str,
    tokens: Vec<(usize, &'s str)>,
    name: usize,
    close: usize,
    items: Vec<Range<usize>>,
}

const OF_TABLE: [&str; 5] = ["constraint", "primary", "unique", "check", "foreign"];

impl<'s> Text<'s> {
    /// Reads a statement as SQLite keeps it; `None` for what is no ordinary table.
    pub(super) fn read(sql: &'s str) -> Option<Self> {
        let tokens: Vec<(usize, &str)> = tokens(sql).collect();
        let mut text = Self {
            sql,
            tokens,
            name: 0,
            close: 0,
            items: vec![],
        };
        let open = (0..text.tokens.len()).find(|&at| text.is(at, "("))?;
        // CREATE TABLE name (
        if !text.is(1, "table") || open < 3 {
            return None;
        }
        text.name = open - 1;
        text.close = text.closing(open)?;
        let mut start = open + 1;
        for at in open + 1..=text.close {
            if at == text.close || (text.is(at, ",") && text.depth(open, at) == 1) {
                text.items.push(start..at);
                start = at + 1;
            }
        }
        Some(text)
    }

    pub(super) fn sql(&self) -> &'s str {
        self.sql
    }

    fn token(&self, at: usize) -> &'s str {
        self.tokens.get(at).map_or("", |(_, token)| token)
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.token(at).eq_ignore_ascii_case(word)
    }

    fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.sql.len(), |(start, _)| *start)
    }

    fn end(&self, at: usize) -> usize {
        self.start(at) + self.token(at).len()
    }

    fn closing(&self, open: usize) -> Option<usize> {
        (open..self.tokens.len()).find(|&at| self.is(at, ")") && self.depth(open, at + 1) == 0)
    }

    fn depth(&self, from: usize, to: usize) -> usize {
        let count = |word: &str| (from..to).filter(|&at| self.is(at, word)).count();
        count("(").saturating_sub(count(")"))
    }

    /// The bytes of some tokens.
    fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        if tokens.is_empty() {
            return self.start(tokens.start)..self.start(tokens.start);
        }
        self.start(tokens.start)..self.end(tokens.end - 1)
    }

    /// What some tokens say.
    pub(super) fn words(&self, tokens: &Range<usize>) -> &'s str {
        &self.sql[self.bytes(tokens)]
    }

    /// The last column or constraint.
    pub(super) fn last(&self) -> &'s str {
        self.items.last().map_or("", |item| self.words(item))
    }

    fn is_constraint(&self, item: &Range<usize>) -> bool {
        OF_TABLE.iter().any(|word| self.is(item.start, word))
    }

    /// The columns, in their order.
    pub(super) fn columns(&self) -> Vec<String> {
        let items = self.items.iter().filter(|item| !self.is_constraint(item));
        items.map(|item| unquote(self.token(item.start))).collect()
    }

    fn item(&self, column: &str) -> Option<Range<usize>> {
        let is_it = |item: &&Range<usize>| {
            !self.is_constraint(item) && unquote(self.token(item.start)).eq_ignore_ascii_case(column)
        };
        self.items.iter().find(is_it).cloned()
    }

    /// The tokens of a column's type.
    pub(super) fn type_of(&self, column: &str) -> Range<usize> {
        let item = self.item(column).unwrap_or_default();
        let first = self.clauses_in(&item).first().map(|clause| clause.tokens.start);
        item.start + 1..first.unwrap_or(item.end)
    }

    /// The parts of a column's definition behind its type.
    pub(super) fn clauses(&self, column: &str) -> Vec<Clause> {
        self.item(column)
            .map(|item| self.clauses_in(&item))
            .unwrap_or_default()
    }

    /// All constraints, those of columns included.
    pub(super) fn all_clauses(&self) -> Vec<Clause> {
        self.items.iter().flat_map(|item| self.clauses_in(item)).collect()
    }

    fn clauses_in(&self, item: &Range<usize>) -> Vec<Clause> {
        let of_table = self.is_constraint(item);
        let column = unquote(self.token(item.start));
        let mut clauses: Vec<Clause> = vec![];
        let mut named: Option<(usize, String)> = None;
        let mut at = if of_table { item.start } else { item.start + 1 };
        while at < item.end {
            if self.is(at, "constraint") {
                named = Some((at, unquote(self.token(at + 1))));
                at += 2;
                continue;
            }
            let first = clauses.is_empty() || named.is_some();
            // Words inside of FOREIGN KEY … REFERENCES belong to it.
            let kind = self.kind(at).filter(|_| !of_table || first);
            if let Some(kind) = kind {
                let (start, name) = match named.take() {
                    Some((start, name)) => (start, Some(name)),
                    None => (at, None),
                };
                if let Some(last) = clauses.last_mut() {
                    last.tokens.end = start;
                }
                let columns = if of_table && kind != ClauseKind::Check {
                    self.names(at, item.end)
                } else if of_table {
                    vec![]
                } else {
                    vec![column.clone()]
                };
                clauses.push(Clause {
                    kind,
                    name,
                    tokens: start..item.end,
                    columns,
                });
            }
            at = if self.is(at, "(") {
                self.closing(at).unwrap_or(item.end) + 1
            } else {
                at + 1
            };
        }
        clauses
    }

    fn kind(&self, at: usize) -> Option<ClauseKind> {
        let previous = |word: &str| at > 0 && self.is(at - 1, word);
        Some(match self.token(at).to_ascii_lowercase().as_str() {
            "primary" => ClauseKind::PrimaryKey,
            "not" if self.is(at + 1, "null") => ClauseKind::NotNull,
            "null" if !previous("not") && !previous("set") && !previous("default") => ClauseKind::Null,
            "unique" => ClauseKind::Unique,
            "check" => ClauseKind::Check,
            "default" if !previous("set") => ClauseKind::Default,
            "collate" => ClauseKind::Collate,
            "references" | "foreign" => ClauseKind::References,
            "generated" => ClauseKind::Generated,
            "as" if !previous("always") => ClauseKind::Generated,
            _ => return None,
        })
    }

    /// The names in the first parentheses.
    fn names(&self, from: usize, to: usize) -> Vec<String> {
        let Some(open) = (from..to).find(|&at| self.is(at, "(")) else {
            return vec![];
        };
        let close = self.closing(open).unwrap_or(to);
        let begins = |&at: &usize| self.is(at - 1, ",") && self.depth(open, at) == 1 || at == open + 1;
        let starts = (open + 1..close).filter(begins);
        starts.map(|at| unquote(self.token(at))).collect()
    }

    /// True where the expression of a check or a computed column reads a column.
    pub(super) fn reads(&self, clause: &Clause, column: &str) -> bool {
        let tokens: Vec<&str> = clause.tokens.clone().map(|at| self.token(at)).collect();
        reads(&tokens, column)
    }

    /// True for a key of which SQLite remembers the numbers that it gave.
    pub(super) fn counts(&self, clause: &Clause) -> bool {
        clause.kind == ClauseKind::PrimaryKey && clause.tokens.clone().any(|at| self.is(at, "autoincrement"))
    }

    /// The columns that a key names in the table that it refers to; none where it means that table's own key.
    pub(super) fn referred(&self, clause: &Clause) -> Vec<String> {
        let mut tokens = clause.tokens.clone();
        match tokens.find(|&at| self.is(at, "references")) {
            Some(at) if self.is(at + 2, "(") => self.names(at, clause.tokens.end),
            _ => vec![],
        }
    }

    /// True where some tokens refer to a table.
    pub(super) fn refers_to(&self, tokens: &Range<usize>, table: &str) -> bool {
        let mut found = tokens.clone().filter(|&at| self.is(at, "references"));
        found.any(|at| unquote(self.token(at + 1)).eq_ignore_ascii_case(table))
    }

    /// Under another head than `CREATE TABLE name`.
    pub(super) fn called(&self, head: &str) -> String {
        // Conditions may name columns by the table's present name.
        let own = format!("\"{}\".", unquote(self.token(self.name)).replace('"', "\"\""));
        format!("{head} {}", self.sql[self.end(self.name)..].replace(&own, ""))
    }

    /// With one more column or constraint behind the others, or, for a column, behind the columns.
    pub(super) fn with(&self, item: &str, is_column: bool) -> String {
        let wanted = |item: &&Range<usize>| !(is_column && self.is_constraint(item));
        let last = self.items.iter().rev().find(wanted).or(self.items.last());
        // A comment may follow, and would swallow what stands behind it.
        let at = last.map_or(self.close, |item| item.end).saturating_sub(1);
        let at = self.end(at);
        format!("{}, {item}{}", &self.sql[..at], &self.sql[at..])
    }

    /// Without a clause: of a column, or a constraint of the table with the comma before it.
    pub(super) fn without(&self, tokens: &Range<usize>) -> String {
        if !self.items.contains(tokens) {
            return self.replaced(tokens, "");
        }
        // The comments of its neighbours stay.
        if self.is(tokens.end, ",") {
            return self.replaced(&(tokens.start..tokens.end + 1), "");
        }
        let comma = tokens.start.saturating_sub(1);
        if !self.is(comma, ",") {
            return self.replaced(tokens, "");
        }
        let item = self.bytes(tokens);
        let between = &self.sql[self.end(comma)..item.start];
        format!(
            "{}{}{}",
            &self.sql[..self.start(comma)],
            between.trim_end_matches(' '),
            &self.sql[item.end..]
        )
    }

    /// Without a column.
    pub(super) fn without_column(&self, column: &str) -> String {
        self.without(&self.item(column).unwrap_or_default())
    }

    /// With something else for some tokens.
    pub(super) fn replaced(&self, tokens: &Range<usize>, text: &str) -> String {
        let bytes = self.bytes(tokens);
        let (before, after) = (&self.sql[..bytes.start], &self.sql[bytes.end..]);
        if text.is_empty() {
            return format!("{}{after}", before.trim_end_matches(' '));
        }
        format!("{before}{text}{after}")
    }

    /// With words behind a column's name, or behind the parenthesis that opens.
    pub(super) fn remarked(&self, column: Option<&str>, words: &str) -> String {
        let after = match column {
            Some(column) => self.item(column).unwrap_or_default().start,
            None => self.name + 1,
        };
        let at = self.end(after);
        // What stands beside the type of a key says how wide it is.
        let width = column.and_then(|column| self.width(column));
        let at = width.map_or(at, |(_, bytes)| bytes.end);
        format!("{} {words}{}", &self.sql[..at], &self.sql[at..])
    }

    /// What stands beside the type of a key that says how wide it is, and where its comment is.
    pub(super) fn width(&self, column: &str) -> Option<(&'static str, Range<usize>)> {
        let ty = self.type_of(column);
        let at = self.bytes(&ty).end;
        let behind = &self.sql[at..];
        decltype::WIDTHS.iter().find_map(|(word, _)| {
            let comment = format!(" /* {word} */");
            behind
                .starts_with(&comment)
                .then(|| (*word, at..at + comment.len()))
        })
    }

    /// With another such word beside the type of a key, or none.
    pub(super) fn with_width(&self, column: &str, word: Option<&str>) -> String {
        let item = self.item(column).unwrap_or_default();
        let end = self.bytes(&self.type_of(column)).end;
        let end = self.width(column).map_or(end, |(_, bytes)| bytes.end);
        let name = unquote(self.token(item.start)).replace('"', "\"\"");
        let comment = word.map_or_else(String::new, |word| format!(" /* {word} */"));
        let (before, after) = (&self.sql[..self.start(item.start)], &self.sql[end..]);
        format!("{before}\"{name}\" INTEGER{comment}{after}")
    }

    /// With a part of a column's definition behind the others.
    pub(super) fn with_clause(&self, column: &str, clause: &str) -> String {
        let item = self.item(column).unwrap_or_default();
        let at = self.end(item.end.saturating_sub(1));
        format!("{} {clause}{}", &self.sql[..at], &self.sql[at..])
    }
}

/// True where tokens read a column from their first parenthesis on. A function, a type, an order or a table of its name is
/// something else.
pub(super) fn reads(tokens: &[&str], column: &str) -> bool {
    let is = |at: usize, words: &[&str]| {
        let token = tokens.get(at).copied().unwrap_or_default();
        words.iter().any(|word| token.eq_ignore_ascii_case(word))
    };
    let first = tokens.iter().position(|token| *token == "(");
    (first.unwrap_or(tokens.len())..tokens.len()).any(|at| {
        !tokens[at].starts_with('\'')
            && unquote(tokens[at]).eq_ignore_ascii_case(column)
            && !is(at + 1, &["(", "."])
            && !is(at - 1, &["as", "collate"])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOP: &str = "CREATE TABLE \"t\" ( -- all of them\n  id INTEGER CONSTRAINT k PRIMARY KEY, -- who\n  \
        a DECIMAL(10,2) DEFAULT NULL NOT NULL CHECK (a > 0), -- how much\n  \
        b INT REFERENCES u (id) ON DELETE SET NULL NOT DEFERRABLE,\n  \
        CONSTRAINT both UNIQUE (a, \"b\"), FOREIGN KEY (b) REFERENCES v (x) ON DELETE SET DEFAULT -- far\n)";

    fn check(edit: impl Fn(&Text<'_>) -> String, expected: &str) {
        let text = Text::read(SHOP).unwrap();
        let edited = edit(&text);
        assert!(edited.contains(expected), "{edited}");
        assert!(Text::read(&edited).is_some(), "{edited}");
        for comment in ["-- all of them\n", "-- far\n"] {
            assert!(edited.contains(comment), "{edited}");
        }
    }

    #[test]
    fn clauses_are_told_apart() {
        let text = Text::read(SHOP).unwrap();
        assert_eq!(text.columns(), ["id", "a", "b"]);
        assert_eq!(text.words(&text.type_of("A")), "DECIMAL(10,2)");
        let told: Vec<String> = text
            .all_clauses()
            .iter()
            .map(|clause| {
                let name = clause.name.as_deref().unwrap_or("-");
                format!("{:?} {name} {}", clause.kind, clause.columns.join("+"))
            })
            .collect();
        assert_eq!(
            told,
            [
                "PrimaryKey k id",
                "Default - a",
                "NotNull - a",
                "Check - a",
                "References - b",
                "Unique both a+b",
                "References - b",
            ]
        );
    }

    #[test]
    fn edits_leave_the_rest_alone() {
        check(|text| text.with("c TEXT", true), "NOT DEFERRABLE, c TEXT,\n");
        check(
            |text| text.with("CHECK (a < 9)", false),
            "SET DEFAULT, CHECK (a < 9) -- far\n",
        );
        check(|text| text.without_column("a"), "-- who\n -- how much\n  b INT");
        let clause = |text: &Text<'_>, kind| {
            let clauses = text.all_clauses();
            clauses
                .into_iter()
                .find(|clause| clause.kind == kind)
                .unwrap()
                .tokens
        };
        check(
            |text| text.without(&clause(text, ClauseKind::NotNull)),
            "DEFAULT NULL CHECK (a > 0)",
        );
        check(
            |text| text.without(&clause(text, ClauseKind::Unique)),
            "NOT DEFERRABLE,\n FOREIGN KEY",
        );
        check(|text| text.replaced(&text.type_of("a"), "TEXT"), "a TEXT DEFAULT");
        check(
            |text| text.with_clause("b", "NOT NULL"),
            "NOT DEFERRABLE NOT NULL,",
        );
        check(
            |text| text.called("CREATE TABLE \"new\""),
            "CREATE TABLE \"new\"  ( -- all",
        );
    }

    #[test]
    fn keys_change_their_width() {
        let text = |word: &str| {
            format!("CREATE TABLE \"t\" (\"a\" TEXT, \"id\" INTEGER{word} PRIMARY KEY AUTOINCREMENT)")
        };
        let (narrow, wide) = (text(" /* serial4 */"), text(""));
        let read = Text::read(&narrow).unwrap();
        assert_eq!(read.width("id").map(|(word, _)| word), Some("serial4"));
        assert_eq!(read.with_width("id", Some("serial8")), text(" /* serial8 */"));
        assert_eq!(read.with_width("id", None), wide);
        let read = Text::read(&wide).unwrap();
        assert!(read.width("id").is_none() && read.width("a").is_none());
        assert_eq!(read.with_width("id", Some("int4")), text(" /* int4 */"));
        let own = Text::read("CREATE TABLE t (id integer primary key)").unwrap();
        assert_eq!(
            own.with_width("id", Some("int4")),
            "CREATE TABLE t (\"id\" INTEGER /* int4 */ primary key)"
        );
    }

    #[test]
    fn broken_text_is_no_trouble() {
        for sql in [
            "",
            "CREATE TABLE t",
            "CREATE TABLE t (",
            "(((",
            "CREATE TABLE t (,)",
            "CREATE TABLE t ()",
        ] {
            if let Some(text) = Text::read(sql) {
                text.with("a", true);
                text.with("a", false);
                text.without_column("a");
                text.with_clause("a", "b");
                text.all_clauses();
            }
        }
    }
}
