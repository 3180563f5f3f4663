//! What PostgreSQL calls the columns of a result that the statement gives no name: SQLite calls them by their text.

use super::{REGISTERED, Respelling, is_literal, is_name, is_operator_word};
use crate::catalog::lexical::unquote;

/// Words in front of a parenthesis that make no call of a function.
const NO_CALLS: [&str; 6] = ["cast", "distinct", "row", "case", "array", "unnest"];

impl Respelling<'_> {
    /// Names the columns of the outermost SELECT: calls by their function, columns that are cast by themselves.
    pub(in crate::catalog) fn name_columns(&mut self) {
        if !self.is(0, "select") || self.is(2, "on") {
            return;
        }
        let mut start = 1 + usize::from(self.is(1, "distinct") || self.is(1, "all"));
        let mut at = start;
        while at <= self.tokens.len() {
            let ends = at == self.tokens.len()
                || [
                    "from",
                    "where",
                    "union",
                    "order",
                    "limit",
                    ";",
                    "group",
                    "except",
                    "intersect",
                ]
                .iter()
                .any(|word| self.is(at, word));
            if ends || self.is(at, ",") {
                self.name_column(start, at);
                start = at + 1;
            }
            if ends {
                return;
            }
            at = if self.is(at, "(") {
                self.closing(at) + 1
            } else {
                at + 1
            };
        }
    }

    /// The name of an item of the list, which are the tokens of this range.
    fn name_column(&mut self, start: usize, end: usize) {
        let mut last = start;
        let literal = is_literal(self.token(start));
        if start >= end || !(literal || is_name(self.token(start))) || is_operator_word(self.token(start)) {
            return;
        }
        while self.is(last + 1, ".") {
            last += 2;
        }
        let mut name = unquote(self.token(last));
        let is_call = !literal && self.is(last + 1, "(") && last + 1 < end;
        if is_call {
            if NO_CALLS.iter().any(|word| self.is(last, word)) {
                return;
            }
            last = self.closing(last + 1);
        }
        let mut ty = String::new();
        while self.is(last + 1, ":") && self.is(last + 2, ":") {
            last += 3;
            while self.is(last + 1, ".") {
                last += 2;
            }
            ty = unquote(self.token(last)).to_ascii_lowercase();
        }
        // Anything more is an expression without a name, or has one.
        if last + 1 != end || (!is_call && ty.is_empty()) {
            return;
        }
        if literal {
            if !REGISTERED.contains(&ty.as_str()) {
                return;
            }
            self.wrap(start..end, &format!("{ty}out("), ")");
            name = ty;
        } else if !self.token(last).starts_with('"') && is_call {
            name.make_ascii_lowercase();
        }
        self.after[end - 1].push_str(" AS \"");
        self.after[end - 1].push_str(&name.replace('"', "\"\""));
        self.after[end - 1].push('"');
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::adapt;

    #[test]
    fn columns_have_postgresqls_names() {
        for (sql, expected) in [
            (
                "SELECT pg_backend_pid(), pg_catalog.Version() v, count(*), c.relname, a + f(b)",
                "SELECT pg_backend_pid() AS \"pg_backend_pid\", Version() v, count(*) AS \"count\", c.relname, a + f(b)",
            ),
            (
                "SELECT 't'::regclass, 1, oid::regtype AS x FROM pg_type",
                "SELECT regclassout(regclassin('t')) AS \"regclass\", 1, regtypeout(oid) AS x FROM pg_type",
            ),
            (
                "SELECT c.oid::regclass, pg_class FROM pg_class c",
                "SELECT regclassout(c.oid) AS \"oid\", pg_class FROM pg_class c",
            ),
            (
                "INSERT INTO t SELECT pg_backend_pid()",
                "INSERT INTO t SELECT pg_backend_pid()",
            ),
        ] {
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(squeezed(&adapt(sql).sql), squeezed(expected), "{sql}");
        }
        for broken in [
            "select",
            "select (",
            "select f(",
            "select 'x'::",
            "select pg_x.,",
            "select all",
        ] {
            let _ = adapt(broken);
        }
    }
}
