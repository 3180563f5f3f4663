//! LIKE and regular expressions.

use super::Respelling;

impl Respelling<'_> {
    /// PostgreSQL's LIKE takes a backslash for an escape.
    pub(super) fn escape(&mut self, at: usize) {
        let mut last = self.operand_from(at + 1);
        while self.is(last + 1, "|") && self.is(last + 2, "|") {
            last = self.operand_from(last + 3);
        }
        if last < self.tokens.len() && !self.is(last + 1, "escape") {
            self.after[last].push_str(" ESCAPE '\\'");
        }
    }

    /// Where the operand ends that begins at `at`: a literal, a name, a call or something in parentheses, with its casts.
    fn operand_from(&self, at: usize) -> usize {
        let mut last = at;
        if self.is(last, "e") && self.token(last + 1).starts_with('\'') {
            last += 1;
        }
        if self.is(last, "(") {
            last = self.closing(last);
        }
        while self.is(last + 1, ".") {
            last += 2;
        }
        if self.is(last + 1, "(") {
            last = self.closing(last + 1);
        }
        while self.is(last + 1, ":") && self.is(last + 2, ":") {
            last = self.operand_from(last + 3);
        }
        last
    }

    /// `~`, `!~`, `~*`, `!~*`, `~~`.
    pub(super) fn pattern(&mut self, at: usize) -> usize {
        let negated = self.is(at.wrapping_sub(1), "!");
        if negated {
            self.put(at - 1..at, "");
        }
        let not = if negated { " NOT " } else { " " };
        let next = self.touches(at + 1).then(|| self.token(at + 1).to_owned());
        match next.as_deref() {
            Some("~") => {
                self.put(at..at + 2, &format!("{not}LIKE "));
                at + 2
            }
            Some("*") => {
                self.put(at..at + 2, &format!("{not}REGEXP '(?i)' || "));
                at + 2
            }
            _ => {
                self.put(at..at + 1, &format!("{not}REGEXP "));
                at + 1
            }
        }
    }
}
