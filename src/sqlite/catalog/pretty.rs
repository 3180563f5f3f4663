//! Expressions with the parentheses that PostgreSQL leaves where it is asked to be brief (`isSimpleNode` in its ruleutils.c).

use crate::statement::sqlite_lexer::tokens;

/// How an expression is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// With all parentheses.
    Full,
    /// With those that are needed for reading it.
    Pretty,
}

impl Shown {
    pub(super) fn of(self, expression: &str) -> String {
        match self {
            Self::Full => expression.to_owned(),
            Self::Pretty => brief(expression),
        }
    }
}

/// What an expression is made of at its top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    /// Of nothing but a value or a call.
    Simple,
    And,
    Or,
    Not,
    /// A test such as IS NULL.
    Test,
    /// An operator with the members of an array.
    Members,
    /// Of an operator, and whether it is one of `+-`, or one of `*/%`.
    Operator(Option<bool>),
    /// A call in words of its own.
    Worded,
}

struct Text<'s> {
    tokens: Vec<(usize, &'s str)>,
}

/// True for a call of a function and nothing else.
pub(super) fn is_call(expression: &str) -> bool {
    let text = Text::read(expression);
    let begins = text.word(0).chars().next();
    let is_name = begins.is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '"'));
    let is_operator = text.is(0, &["NOT"]);
    is_name && !is_operator && text.word(1) == "(" && text.closing(1) + 1 == text.tokens.len()
}

fn brief(expression: &str) -> String {
    let text = Text::read(expression);
    let mut gone: Vec<usize> = vec![];
    for open in 0..text.tokens.len() {
        let is_closed = text.closing(open) < text.tokens.len();
        if text.word(open) == "(" && is_closed && text.groups(open) && text.is_needless(open, &gone) {
            gone.extend([open, text.closing(open)]);
        }
    }
    let bytes: Vec<usize> = gone
        .iter()
        .filter_map(|at| text.tokens.get(*at))
        .map(|(at, _)| *at)
        .collect();
    let kept = expression.char_indices().filter(|(at, _)| !bytes.contains(at));
    kept.map(|(_, character)| character).collect()
}

/// Words behind which a parenthesis holds no arguments.
const BEFORE_GROUPS: [&str; 9] = ["and", "or", "not", "when", "then", "else", "case", "from", "zone"];

impl<'s> Text<'s> {
    fn read(expression: &'s str) -> Self {
        let tokens = tokens(expression);
        Self {
            tokens: tokens.collect(),
        }
    }

    fn word(&self, at: usize) -> &'s str {
        self.tokens.get(at).map_or("", |(_, token)| token)
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.word(at).eq_ignore_ascii_case(word))
    }

    /// Where the bracket closes that opens at `open`; the end where none does.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "[" => depth += 1,
                ")" | "]" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// True for a parenthesis that no function or type stands before.
    fn groups(&self, open: usize) -> bool {
        let Some(before) = open.checked_sub(1) else {
            return true;
        };
        let begins = self.word(before).chars().next();
        let is_word = begins.is_some_and(|first| first.is_alphanumeric() || matches!(first, '_' | '"'));
        !is_word || self.is(before, &BEFORE_GROUPS)
    }

    /// What some tokens are made of; what stands in brackets is not looked at.
    fn made(&self, from: usize, to: usize) -> Made {
        let mut at = from;
        let mut found = Made::Simple;
        let mut cases = 0_usize;
        while at < to {
            let word = self.word(at);
            if matches!(word, "(" | "[") {
                at = self.closing(at) + 1;
                continue;
            }
            cases += usize::from(self.is(at, &["case"]));
            if self.is(at, &["end"]) {
                cases = cases.saturating_sub(1);
            } else if cases == 0 {
                if self.is(at, &["and"]) {
                    return Made::And;
                } else if self.is(at, &["or"]) {
                    return Made::Or;
                } else if self.is(at, &["not"]) && at == from {
                    return Made::Not;
                } else if self.is(at, &["is"]) {
                    return Made::Test;
                } else if self.is(at, &["any", "all"]) {
                    return Made::Members;
                } else if self.is(at, &["zone"]) {
                    return Made::Worded;
                } else if found == Made::Simple && is_sign(word) {
                    let is_alone = !is_sign(self.word(at + 1));
                    found = Made::Operator(match word {
                        "+" | "-" if is_alone => Some(false),
                        "*" | "/" | "%" if is_alone => Some(true),
                        _ => None,
                    });
                }
            }
            at += 1;
        }
        found
    }

    /// The tokens that a parenthesis stands among.
    fn around(&self, open: usize) -> (usize, usize) {
        let outer = (0..open)
            .rev()
            .find(|&at| matches!(self.word(at), "(" | "[") && self.closing(at) > self.closing(open));
        let (mut from, mut to) =
            outer.map_or((0, self.tokens.len()), |outer| (outer + 1, self.closing(outer)));
        while let Some(comma) = (from..open).find(|&at| self.word(at) == "," && self.depth(from, at) == 0) {
            from = comma + 1;
        }
        let close = self.closing(open);
        if let Some(comma) = (close..to).find(|&at| self.word(at) == "," && self.depth(close + 1, at) == 0) {
            to = comma;
        }
        (from, to)
    }

    fn depth(&self, from: usize, to: usize) -> usize {
        let count = |words: [&str; 2]| (from..to).filter(|&at| words.contains(&self.word(at))).count();
        count(["(", "["]).saturating_sub(count([")", "]"]))
    }

    fn is_needless(&self, open: usize, gone: &[usize]) -> bool {
        let close = self.closing(open);
        let own = self.made(open + 1, close);
        let mut next = close + 1;
        while gone.contains(&next) {
            next += 1;
        }
        let mut before = open;
        while before > 0 && gone.contains(&(before - 1)) {
            before -= 1;
        }
        if own == Made::Worded {
            return false;
        }
        // Parentheses around parentheses say nothing.
        if own == Made::Simple || self.word(next) == ":" {
            return own == Made::Simple;
        }
        if before > 0 && self.is(before - 1, &["when", "then", "else"]) {
            return true;
        }
        let (from, to) = self.around(open);
        match (self.made(from, to), own) {
            (Made::Simple, _)
            | (Made::And | Made::Or, Made::And | Made::Not | Made::Operator(_) | Made::Test)
            | (Made::Or, Made::Or)
            | (Made::Not, Made::Operator(_) | Made::Test) => true,
            (Made::Operator(Some(outer)), Made::Operator(Some(inner))) => {
                (inner && !outer) || (inner == outer && from == open)
            }
            _ => false,
        }
    }
}

fn is_sign(token: &str) -> bool {
    token.len() == 1 && "+-*/<>=~!@#%^&|?".contains(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_postgresql_writes_them() {
        for (full, expected) in [
            ("(id > 0)", "id > 0"),
            ("((a > 0) AND (b IS NOT NULL))", "a > 0 AND b IS NOT NULL"),
            ("(((a > 0) OR (b > 0)) AND (c > 0))", "(a > 0 OR b > 0) AND c > 0"),
            ("((a)::text = 'x'::text)", "a::text = 'x'::text"),
            ("((a + b))::text", "(a + b)::text"),
            ("(((a + b) * c) > (0)::numeric)", "((a + b) * c) > 0::numeric"),
            ("((a + (b * c)) - d)", "a + b * c - d"),
            ("(a - (b - c))", "a - (b - c)"),
            ("(length((a)::text) > 3)", "length(a::text) > 3"),
            (
                "((a = ANY (ARRAY[1, 2])) AND (NOT b))",
                "(a = ANY (ARRAY[1, 2])) AND NOT b",
            ),
            ("COALESCE((a + 1), 0)", "COALESCE(a + 1, 0)"),
            (
                "\nCASE\n    WHEN (a > 0) THEN 'x'::text\n    ELSE ')'::text\nEND",
                "\nCASE\n    WHEN a > 0 THEN 'x'::text\n    ELSE ')'::text\nEND",
            ),
            ("((a || b) IS NULL)", "(a || b) IS NULL"),
            (
                "(((j ->> 'x'::text) = 'y'::text) OR (j IS NULL))",
                "(j ->> 'x'::text) = 'y'::text OR j IS NULL",
            ),
            ("((a)::text ~~ 'x(%'::text)", "a::text ~~ 'x(%'::text"),
            ("", ""),
            (")(", ")("),
            ("((", "(("),
        ] {
            assert_eq!(brief(full), expected);
        }
        assert!(is_call("lower((a)::text)") && !is_call("(a + b)") && !is_call("lower(a) || b"));
    }
}
