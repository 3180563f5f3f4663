//! Statements of PostgreSQL that the parser does not know.

use sqlparser::{
    dialect::PostgreSqlDialect,
    tokenizer::{Token, Tokenizer, Word},
};

use super::{
    NOTHING, Overriding, PrecedingStatement, Translated,
    conflict_target::{self, Target},
    sequence_words,
};

/// What becomes of one.
pub(super) enum Read {
    /// It says the same in words that the parser knows.
    Again(String),
    /// An INSERT, without the words that tell what becomes of its numbers.
    Overriding(String, Overriding),
    /// An INSERT, with names for what ON CONFLICT means where that is more than columns.
    Targets(String, Vec<Target>),
    /// It needs no parser.
    Done(Box<Translated>),
}

fn carried_out(translated: Translated) -> Read {
    Read::Done(Box::new(translated))
}

/// The words, numbers and signs of a statement, without blanks.
pub(super) struct Words {
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
}

impl Words {
    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Word(found)) if is(found, word));
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_sign(&mut self, sign: &Token) -> bool {
        let found = self.tokens.get(self.at) == Some(sign);
        self.at += usize::from(found);
        found
    }

    pub(super) fn name(&mut self) -> Option<String> {
        let mut name = None;
        loop {
            let Some(Token::Word(word)) = self.tokens.get(self.at) else {
                return name;
            };
            name = Some(folded(word));
            self.at += 1;
            if self.tokens.get(self.at) != Some(&Token::Period) {
                return name;
            }
            self.at += 1;
        }
    }

    /// The table and the column that own a sequence; none for the word `none`.
    pub(super) fn owner(&mut self) -> Option<(String, String)> {
        let before = self.at;
        let column = self.name()?;
        Some((self.before_last(before)?, column))
    }

    /// What stands before the last part of a name that began there.
    pub(super) fn before_last(&self, began: usize) -> Option<String> {
        match self.at.checked_sub(3).and_then(|at| self.tokens.get(at)) {
            Some(Token::Word(word)) if self.at > began + 1 => Some(folded(word)),
            _ => None,
        }
    }

    pub(super) fn number(&mut self) -> Option<String> {
        let sign = match self.tokens.get(self.at) {
            Some(Token::Minus) => "-",
            _ => "",
        };
        let at = self.at + sign.len();
        let Some(Token::Number(digits, _)) = self.tokens.get(at) else {
            return None;
        };
        self.at = at + 1;
        Some(format!("{sign}{digits}"))
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.tokens[self.at..]
            .iter()
            .all(|token| matches!(token, Token::SemiColon | Token::EOF))
    }
}

fn is(word: &Word, wanted: &str) -> bool {
    word.quote_style.is_none() && word.value.eq_ignore_ascii_case(wanted)
}

pub(super) fn folded(word: &Word) -> String {
    if word.quote_style.is_some() {
        word.value.replace("\"\"", "\"")
    } else {
        word.value.to_lowercase()
    }
}

/// Reads one; `None` for what is no PostgreSQL either.
pub(super) fn read(sql: &str) -> Option<Read> {
    // As they are written: what is spelled again keeps its quotes.
    let mut tokenizer = Tokenizer::new(&PostgreSqlDialect {}, sql).with_unescape(false);
    let mut all = tokenizer.tokenize().ok()?;
    for token in &mut all {
        // Whose escapes are read all the same.
        if let Token::EscapedStringLiteral(content) | Token::UnicodeStringLiteral(content) = token {
            *token = Token::SingleQuotedString(content.replace('\'', "''"));
        }
    }
    if let Some((text, overriding)) = overriding(&all) {
        return Some(Read::Overriding(text, overriding));
    }
    if let Some((text, targets)) = conflict_target::read(&all) {
        return Some(Read::Targets(text, targets));
    }
    let text = respelled(&all)
        .or_else(|| named_columns(&all))
        .or_else(|| super::type_words::known(&all))
        .or_else(|| super::parentheses::arms_apart(&all))
        .or_else(|| super::grouping::keys_enclosed(&all))
        .or_else(|| identity_options(&all))
        .or_else(|| fetched(&all))
        .or_else(|| super::reserved::with_heirs(sql))
        .or_else(|| dropped_meanwhile(&all))
        .or_else(|| super::any_values::respelled(&all))
        .or_else(|| super::like_all::respelled(&all))
        .or_else(|| super::storage::plain(&all))
        .or_else(|| super::exclusion::marked(&all))
        .or_else(|| super::composite::stars_named(&all))
        .or_else(|| super::symmetric::marked(&all))
        .or_else(|| super::in_list::queries_apart(&all))
        .or_else(|| super::unread::plain(&all))
        .or_else(|| super::qualified::plain(&all))
        .or_else(|| super::view_columns::recursion_spelled_out(&all))
        .or_else(|| conflict_target::query_ended(&all));
    if let Some(text) = text {
        return Some(Read::Again(text));
    }
    let tokens = all
        .into_iter()
        .filter(|token| !matches!(token, Token::Whitespace(_)))
        .collect();
    let mut words = Words { tokens, at: 0 };
    if words.take("alter") {
        if words.take("sequence") {
            return sequence_words::alter(&mut words).map(carried_out);
        }
        return None;
    }
    if words.take("create") {
        let temporary = words.take("temporary") || words.take("temp");
        if words.take("sequence") {
            return sequence_words::create(&mut words, temporary).map(carried_out);
        }
        return None;
    }
    None
}

fn done(sql: impl Into<String>) -> Translated {
    Translated {
        sql: sql.into(),
        ..Translated::default()
    }
}

pub(super) fn steps(steps: Vec<String>) -> Translated {
    Translated {
        before: steps.into_iter().map(PrecedingStatement::new).collect(),
        ..done(NOTHING)
    }
}

/// `CREATE TABLE t (a, b) AS …` with the names of its columns behind the query.
fn named_columns(tokens: &[Token]) -> Option<String> {
    let solid: Vec<(usize, &Token)> = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| !matches!(token, Token::Whitespace(_)))
        .collect();
    let word =
        |at: usize, wanted: &str| matches!(solid.get(at), Some((_, Token::Word(found))) if is(found, wanted));
    let open = solid.iter().position(|(_, token)| **token == Token::LParen)?;
    let close = solid.iter().position(|(_, token)| **token == Token::RParen)?;
    let plain = solid
        .get(open + 1..close)?
        .iter()
        .all(|(_, token)| matches!(token, Token::Word(_) | Token::Comma));
    if !(word(0, "create") && (word(1, "table") || word(2, "table")) && plain && word(close + 1, "as")) {
        return None;
    }
    let text = |tokens: &[Token]| tokens.iter().map(ToString::to_string).collect::<String>();
    let (first, last) = (solid[open].0, solid[close].0);
    let end = solid.iter().rposition(|(_, token)| **token != Token::SemiColon)? + 1;
    // Whether the table gets the rows too is no part of the query.
    let words = match end {
        3.. if word(end - 3, "with") && word(end - 2, "no") && word(end - 1, "data") => 3,
        2.. if word(end - 2, "with") && word(end - 1, "data") => 2,
        _ => 0,
    };
    let behind = |count: usize| count.checked_sub(1).map_or(0, |last| solid[last].0 + 1);
    let data = behind(end - words)..behind(end);
    Some(format!(
        "{} AS SELECT * FROM ({}) AS \"pg:t\" {} {}",
        text(&tokens[..first]),
        text(tokens.get(behind(close + 2)..data.start)?),
        text(&tokens[first..=last]),
        text(&tokens[data])
    ))
}

/// `trim(leading from x)` with the blank that it means; the keyword of a sampled table as a name.
fn respelled(tokens: &[Token]) -> Option<String> {
    let mut changed = false;
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        text.push_str(&token.to_string());
        let Token::Word(word) = token else { continue };
        let next = tokens[at + 1..]
            .iter()
            .find(|token| !matches!(token, Token::Whitespace(_)));
        let trims = ["leading", "trailing", "both"].iter().any(|side| is(word, side));
        if trims && matches!(next, Some(Token::Word(next)) if is(next, "from")) {
            text.push_str(" ' '");
            changed = true;
        }
    }
    changed.then_some(text)
}

/// The places of all tokens but blanks.
pub(super) fn solid(tokens: &[Token]) -> Vec<usize> {
    (0..tokens.len())
        .filter(|at| !matches!(tokens[*at], Token::Whitespace(_)))
        .collect()
}

/// True where one of these words stands.
pub(super) fn is_one(tokens: &[Token], at: Option<&usize>, wanted: &[&str]) -> bool {
    let token = at.map(|at| &tokens[*at]);
    matches!(token, Some(Token::Word(found)) if wanted.iter().any(|wanted| is(found, wanted)))
}

/// `FETCH FIRST (2) ROWS ONLY` and `FETCH FIRST -2 ROWS ONLY` as `LIMIT (2)`: the parser reads no more than a number there.
fn fetched(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    let start = (0..solid.len()).find(|at| {
        word(*at, &["fetch"])
            && word(at + 1, &["first", "next"])
            && solid
                .get(at + 2)
                .is_some_and(|at| matches!(tokens[*at], Token::LParen | Token::Minus | Token::Plus))
    })?;
    let end = (start..solid.len()).find(|at| word(*at, &["row", "rows"]) && word(at + 1, &["only"]))?;
    let text = |tokens: &[Token]| tokens.iter().map(ToString::to_string).collect::<String>();
    Some(format!(
        "{}LIMIT {}{}",
        text(&tokens[..solid[start]]),
        text(&tokens[solid[start + 2]..solid[end]]),
        text(&tokens[solid[end + 1] + 1..])
    ))
}

/// `DROP INDEX CONCURRENTLY i` without the word: nobody else is there who waits.
fn dropped_meanwhile(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let word = |at: usize, wanted: &str| is_one(tokens, solid.get(at), &[wanted]);
    if !(word(0, "drop") && word(1, "index") && word(2, "concurrently")) {
        return None;
    }
    let kept = tokens.iter().enumerate().filter(|(at, _)| *at != solid[2]);
    Some(kept.map(|(_, token)| token.to_string()).collect())
}

/// `INSERT INTO t (a) OVERRIDING SYSTEM VALUE …` without those words.
fn overriding(tokens: &[Token]) -> Option<(String, Overriding)> {
    let solid = solid(tokens);
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    let at = (0..solid.len()).find(|at| {
        word(*at, &["overriding"]) && word(at + 1, &["system", "user"]) && word(at + 2, &["value"])
    })?;
    let said = solid[at]..=solid[at + 2];
    let kept = tokens.iter().enumerate().filter(|(at, _)| !said.contains(at));
    let what = if word(at + 1, &["system"]) {
        Overriding::System
    } else {
        Overriding::User
    };
    Some((kept.map(|(_, token)| token.to_string()).collect(), what))
}

/// `IDENTITY (START WITH 5 INCREMENT BY 5)` in the one order that the parser knows.
fn identity_options(tokens: &[Token]) -> Option<String> {
    let is_blank = |token: &&Token| matches!(token, Token::Whitespace(_));
    let text = |tokens: &[Token]| tokens.iter().map(ToString::to_string).collect::<String>();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let open = at + 1 + tokens[at + 1..].iter().take_while(is_blank).count();
        if !is(word, "identity") || tokens.get(open) != Some(&Token::LParen) {
            continue;
        }
        let close = open + tokens[open..].iter().position(|token| *token == Token::RParen)?;
        let within = tokens[open + 1..close].iter().filter(|token| !is_blank(token));
        let mut words = Words {
            tokens: within.cloned().collect(),
            at: 0,
        };
        let options = ranked(&mut words)?;
        let is_named = options.iter().any(|(_, option)| option.is_empty());
        if is_named || !options.is_sorted() {
            let mut sorted = options;
            sorted.sort();
            let sorted: Vec<String> = sorted.into_iter().map(|(_, option)| option).collect();
            return Some(text(&tokens[..=open]) + &sorted.join(" ") + &text(&tokens[close..]));
        }
    }
    None
}

/// The options of a sequence, each with its place among the others.
fn ranked(words: &mut Words) -> Option<Vec<(usize, String)>> {
    let mut options = vec![];
    while !words.is_at_end() {
        options.push(if words.take("increment") {
            words.take("by");
            (0, format!("INCREMENT BY {}", words.number()?))
        } else if words.take("minvalue") {
            (1, format!("MINVALUE {}", words.number()?))
        } else if words.take("maxvalue") {
            (2, format!("MAXVALUE {}", words.number()?))
        } else if words.take("start") {
            words.take("with");
            (3, format!("START WITH {}", words.number()?))
        } else if words.take("cache") {
            (4, format!("CACHE {}", words.number()?))
        } else if words.take("sequence") {
            // It is called by the table and the column in any case.
            let _ = words.take("name").then(|| words.name())??;
            (6, String::new())
        } else if words.take("cycle") {
            (5, "CYCLE".into())
        } else if words.take("no") {
            match () {
                () if words.take("minvalue") => (1, "NO MINVALUE".into()),
                () if words.take("maxvalue") => (2, "NO MAXVALUE".into()),
                () if words.take("cycle") => (5, "NO CYCLE".into()),
                () => return None,
            }
        } else {
            return None;
        });
    }
    Some(options)
}
