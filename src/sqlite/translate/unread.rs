//! Forms of PostgreSQL's that the parser has no words for: some say the same otherwise, and the others are refused by name,
//! so that nobody looks for a mistake in what is none.

use sqlparser::tokenizer::Token;

use super::{
    Refusal,
    parser_fallback::{is_one, solid},
};
use crate::statement;

/// Locks of rows that differ in what they let others do: a file has one lock, so that they are the nearest one that the
/// parser knows; and GROUP BY with a word that says what happens anyhow.
pub(super) fn plain(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let is = |at: usize, words: &[&str]| is_one(tokens, solid.get(at), words);
    let has_sets = (0..solid.len()).any(|at| is(at, &["rollup", "cube", "sets"]));
    let mut left_out = vec![];
    for at in 0..solid.len() {
        if is(at, &["for"]) && is(at + 1, &["key"]) && is(at + 2, &["share"]) {
            left_out.push(solid[at + 1]);
        } else if is(at, &["for"]) && is(at + 1, &["no"]) && is(at + 2, &["key"]) && is(at + 3, &["update"]) {
            left_out.extend([solid[at + 1], solid[at + 2]]);
        } else if is(at, &["group"])
            && is(at + 1, &["by"])
            && (is(at + 2, &["all"]) || is(at + 2, &["distinct"]) && !has_sets)
            && begins_key(solid.get(at + 3).map(|at| &tokens[*at]))
        {
            left_out.push(solid[at + 2]);
        }
    }
    if left_out.is_empty() {
        return None;
    }
    let shown = |(at, token): (usize, &Token)| {
        let text = token.to_string();
        // Everything else stays at its place.
        if left_out.contains(&at) {
            " ".repeat(text.chars().count())
        } else {
            text
        }
    };
    Some(tokens.iter().enumerate().map(shown).collect())
}

fn begins_key(token: Option<&Token>) -> bool {
    match token {
        Some(Token::Word(word)) => {
            let clauses = [
                "having", "window", "order", "limit", "offset", "fetch", "for", "union",
            ];
            word.quote_style.is_some()
                || !clauses
                    .iter()
                    .any(|clause| word.value.eq_ignore_ascii_case(clause))
        }
        Some(Token::LParen | Token::Number(..) | Token::SingleQuotedString(_)) => true,
        _ => false,
    }
}

/// The refusal of what is PostgreSQL's and not supported; `None` where nothing such is found.
pub(super) fn refusal(sql: &str) -> Option<Refusal> {
    let tokens: Vec<(usize, &str)> = statement::tokens(sql).collect();
    let text = Text { tokens: &tokens };
    let (at, construct) = (0..tokens.len()).find_map(|at| Some((at, text.construct(at)?)))?;
    Some(Refusal {
        sqlstate: "0A000",
        message: format!("{construct} is not supported on a SQLite file"),
        detail: None,
        hint: None,
        position: Some(sql.get(..tokens[at].0)?.chars().count() + 1),
    })
}

struct Text<'t> {
    tokens: &'t [(usize, &'t str)],
}

impl Text<'_> {
    fn is(&self, at: usize, words: &[&str]) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|(_, token)| words.iter().any(|word| token.eq_ignore_ascii_case(word)))
    }

    fn is_name(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|(_, token)| {
            token.starts_with(|first: char| first == '"' || first == '_' || first.is_alphabetic())
        })
    }

    /// The closing parenthesis of the one that stands here.
    fn close(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (open..self.tokens.len()).find(|at| {
            depth += usize::from(self.is(*at, &["("]));
            depth -= usize::from(self.is(*at, &[")"]));
            depth == 0
        })
    }

    /// True where one of these words stands between these parentheses and in none within them, and `follows` is not behind it.
    fn has_within(&self, open: usize, words: &[&str], follows: &str) -> bool {
        let mut depth = 0_usize;
        (open..self.close(open).unwrap_or(open)).any(|at| {
            depth += usize::from(self.is(at, &["("]));
            depth = depth.saturating_sub(usize::from(self.is(at, &[")"])));
            depth == 1 && self.is(at, words) && !self.is(at + 1, &[follows])
        })
    }

    /// What begins here.
    fn construct(&self, at: usize) -> Option<&'static str> {
        let opens = self.is(at + 1, &["("]);
        if self.is(at, &["uescape"]) && at > 0 {
            return Some("UESCAPE");
        }
        if self.is(at, &["group"]) && self.is(at + 1, &["by"]) && self.is(at + 2, &["distinct"]) {
            return Some("GROUP BY DISTINCT");
        }
        if self.is(at, &["substring"]) && opens && self.has_within(at + 1, &["similar"], "to") {
            return Some("SUBSTRING … SIMILAR");
        }
        if self.is(at, &["treat"]) && opens && self.has_within(at + 1, &["as"], "") {
            return Some("TREAT");
        }
        let acts = self.is(at, &["set"]) && self.is(at + 1, &["null", "default"]) && self.is(at + 2, &["("]);
        if acts && at > 0 && self.is(at - 1, &["delete"]) {
            return Some("ON DELETE SET NULL or DEFAULT of some columns");
        }
        let options = ["security_barrier", "security_invoker", "check_option"];
        if self.is(at, &["with"]) && opens && self.is(at + 2, &options) && self.is(0, &["create"]) {
            return Some("CREATE VIEW … WITH (…)");
        }
        let assigns = self.is(at, &["set"]) && self.is_name(at + 1) && self.is(at + 2, &["["]);
        if assigns && at > 0 {
            return Some("assignment to an element of an array");
        }
        if self.is(at, &["using"]) && opens && self.is_renamed(at + 1) {
            return Some("USING (…) AS");
        }
        None
    }

    fn is_renamed(&self, open: usize) -> bool {
        self.close(open).is_some_and(|close| {
            (open + 1..close).all(|at| self.is_name(at) || self.is(at, &[","])) && self.is(close + 1, &["as"])
        })
    }
}
