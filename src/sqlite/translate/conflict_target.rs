//! What the parser does not read of ON CONFLICT: keys that are expressions, the condition of a partial index, and that it is no
//! part of the query before it.

use sqlparser::{
    ast::{Expr, Ident},
    dialect::PostgreSqlDialect,
    tokenizer::Token,
};

use super::{
    parser_fallback::{is_one, solid},
    quoted,
};
use crate::statement::grammar;

/// What an ON CONFLICT means that says more than the names of columns.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) keys: Vec<Expr>,
    /// The condition of the partial index.
    pub(super) predicate: Option<Expr>,
}

/// The name that stands for one in the text, with its number.
const MARK: &str = "pg:target ";

/// The one that a name stands for.
pub(super) fn marked<'t>(names: &[Ident], targets: &'t [Target]) -> Option<&'t Target> {
    let [name] = names else { return None };
    let number: usize = name.value.strip_prefix(MARK)?.parse().ok()?;
    targets.get(number)
}

fn text(tokens: &[Token]) -> String {
    tokens.iter().map(ToString::to_string).collect()
}

/// The statement with names in place of all such targets, and what they say; `None` where there is none.
pub(super) fn read(tokens: &[Token]) -> Option<(String, Vec<Target>)> {
    let solid = solid(tokens);
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    let token = |at: usize| solid.get(at).map(|at| &tokens[*at]);
    let (mut found, mut written, mut kept) = (vec![], String::new(), 0);
    for open in 2..solid.len() {
        let is_target =
            word(open - 2, &["on"]) && word(open - 1, &["conflict"]) && token(open) == Some(&Token::LParen);
        if !is_target {
            continue;
        }
        let Some(close) = closing(&token, open) else {
            continue;
        };
        let is_plain = (open + 1..close).all(|at| match token(at) {
            Some(Token::Word(_)) => (at - open) % 2 == 1,
            other => other == Some(&Token::Comma) && (at - open) % 2 == 0,
        });
        let end = if word(close + 1, &["where"]) {
            // A parenthesis ends what stands in one.
            let mut at = close + 2;
            loop {
                match token(at) {
                    None | Some(Token::RParen) => break None,
                    Some(Token::LParen) => at = closing(&token, at).unwrap_or(solid.len()),
                    _ if word(at, &["do"]) && word(at + 1, &["nothing", "update"]) => break Some(at),
                    _ => {}
                }
                at += 1;
            }
        } else {
            Some(close + 1).filter(|at| !is_plain && word(*at, &["do"]))
        };
        let Some(end) = end else { continue };
        let keys = keys(&tokens[solid[open] + 1..solid[close]])?;
        let predicate = if end > close + 1 {
            let condition = text(&tokens[solid[close + 1] + 1..solid[end]]);
            Some(grammar::read_expression(&PostgreSqlDialect {}, &condition).ok()?)
        } else {
            None
        };
        let mark = format!("({})", quoted(&format!("{MARK}{}", found.len())));
        found.push(Target { keys, predicate });
        // What follows stays at its line.
        let lines = text(&tokens[solid[open]..solid[end]]).matches('\n').count();
        written.push_str(&text(&tokens[kept..solid[open]]));
        written.push_str(&mark);
        written.push_str(&"\n".repeat(lines));
        written.push(' ');
        kept = solid[end];
    }
    written.push_str(&text(&tokens[kept..]));
    (!found.is_empty()).then_some((written, found))
}

/// The place of the parenthesis that closes one.
fn closing<'t>(token: &impl Fn(usize) -> Option<&'t Token>, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = open;
    loop {
        match token(at)? {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        at += 1;
    }
}

/// The keys of a list, whose classes of operators are those of their types.
fn keys(tokens: &[Token]) -> Option<Vec<Expr>> {
    let mut depth = 0_usize;
    let parts = tokens.split(|token| {
        match token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *token == Token::Comma
    });
    let read = |tokens: &[Token]| grammar::read_expression(&PostgreSqlDialect {}, &text(tokens)).ok();
    parts
        .map(|part| {
            read(part).or_else(|| {
                let class = part.iter().rposition(|token| matches!(token, Token::Word(_)))?;
                read(&part[..class])
            })
        })
        .collect()
}

/// `INSERT INTO t SELECT 1 ON CONFLICT DO NOTHING` with a condition that always holds before ON, which else names the value or
/// joins the last table; `None` where none is missing.
pub(super) fn query_ended(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    let token = |at: usize| solid.get(at).map(|at| &tokens[*at]);
    let begins = |on: usize| {
        word(on, &["on"])
            && word(on + 1, &["conflict"])
            && (token(on + 2) == Some(&Token::LParen) || word(on + 2, &["do", "on"]))
    };
    let open: Vec<usize> = (0..solid.len())
        .filter(|on| begins(*on) && is_open(&token, &word, *on))
        .map(|on| solid[on])
        .collect();
    if open.is_empty() {
        return None;
    }
    let parts = tokens.iter().enumerate().map(|(at, token)| {
        if open.contains(&at) {
            format!("WHERE true {token}")
        } else {
            token.to_string()
        }
    });
    Some(parts.collect())
}

/// True where a query ends that has no clause behind its tables.
fn is_open<'t>(
    token: &impl Fn(usize) -> Option<&'t Token>,
    word: &impl Fn(usize, &[&str]) -> bool,
    end: usize,
) -> bool {
    const ENDED: [&str; 12] = [
        "where", "group", "having", "window", "order", "limit", "offset", "fetch", "for", "values", "into",
        "union",
    ];
    let mut depth = 0_usize;
    for at in (0..end).rev() {
        match token(at) {
            Some(Token::RParen) => depth += 1,
            Some(Token::LParen) if depth == 0 => return false,
            Some(Token::LParen) => depth -= 1,
            _ if depth > 0 => {}
            _ if word(at, &["select"]) => return true,
            _ if word(at, &ENDED) => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use sqlparser::tokenizer::Tokenizer;

    use super::*;

    fn tokens(sql: &str) -> Vec<Token> {
        Tokenizer::new(&PostgreSqlDialect {}, sql).tokenize().unwrap()
    }

    #[test]
    fn targets_are_read() {
        let sql = "INSERT INTO t VALUES (1) ON CONFLICT (a, lower(b) text_ops) WHERE (a > 1) DO NOTHING";
        let (written, targets) = read(&tokens(sql)).unwrap();
        assert_eq!(
            written,
            "INSERT INTO t VALUES (1) ON CONFLICT (\"pg:target 0\") DO NOTHING"
        );
        let keys: Vec<String> = targets[0].keys.iter().map(ToString::to_string).collect();
        assert_eq!(keys, ["a", "lower(b)"]);
        assert!(targets[0].predicate.is_some());
        for plain in [
            "INSERT INTO t VALUES (1) ON CONFLICT (a, b) DO NOTHING",
            "SELECT 1 FROM a JOIN b ON conflict (a.x)",
            &written,
        ] {
            assert!(read(&tokens(plain)).is_none(), "{plain}");
        }
    }

    #[test]
    fn queries_end_before_conflicts() {
        for (sql, expected) in [
            (
                "INSERT INTO t SELECT 1 ON CONFLICT DO NOTHING",
                Some("INSERT INTO t SELECT 1 WHERE true ON CONFLICT DO NOTHING"),
            ),
            (
                "WITH n AS (INSERT INTO t SELECT (1) ON CONFLICT (a) DO NOTHING) SELECT 1",
                Some("WITH n AS (INSERT INTO t SELECT (1) WHERE true ON CONFLICT (a) DO NOTHING) SELECT 1"),
            ),
            ("INSERT INTO t SELECT 1 WHERE a ON CONFLICT DO NOTHING", None),
            ("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING", None),
        ] {
            assert_eq!(query_ended(&tokens(sql)).as_deref(), expected, "{sql}");
        }
    }
}
