//! Statements that look after a database and change nothing in it: VACUUM, ANALYZE, CLUSTER, REINDEX, CHECKPOINT.

use sqlparser::{
    dialect::PostgreSqlDialect,
    tokenizer::{Token, Tokenizer},
};

use super::{
    NOTHING, Names, Outcome, Result, Stop, Translated, Translator, dml,
    parser_fallback::{Words, folded},
    quoted, refuse,
};

/// What they begin with.
const FIRST: [&str; 6] = ["vacuum", "analyze", "analyse", "cluster", "reindex", "checkpoint"];

const CATALOGUES: [&str; 2] = ["pg_catalog", "information_schema"];

/// What becomes of one; `None` for another statement, and for what only SQLite knows, such as `VACUUM INTO`.
pub(super) fn read(sql: &str, names: &dyn Names) -> Option<Outcome> {
    let start = sql.trim_start();
    let is_one = FIRST.iter().any(|word| {
        start
            .get(..word.len())
            .is_some_and(|first| first.eq_ignore_ascii_case(word))
    });
    if !is_one {
        return None;
    }
    let tokens = Tokenizer::new(&PostgreSqlDialect {}, sql).tokenize().ok()?;
    let tokens = tokens
        .into_iter()
        .filter(|token| !matches!(token, Token::Whitespace(_)))
        .collect();
    let mut words = Words { tokens, at: 0 };
    let mut translator = Translator::new(sql, names, &[]);
    Some(match translator.upkeep(&mut words) {
        Ok(sql) => Outcome::Translated(Translated {
            before: translator.before,
            sql,
            ..Translated::default()
        }),
        Err(Stop::AsItStands) => Outcome::AsItStands,
        Err(Stop::Refused(refusal)) => Outcome::Refused(refusal),
    })
}

impl Translator<'_> {
    fn upkeep(&mut self, words: &mut Words) -> Result<String> {
        if words.take("vacuum") {
            return self.vacuum(words);
        }
        if words.take("analyze") || words.take("analyse") {
            options(words)?;
            words.take("verbose");
            return self.analyzed(words);
        }
        if words.take("reindex") {
            return reindexed(words);
        }
        if words.take("cluster") {
            return self.clustered(words);
        }
        if words.take("checkpoint") && words.is_at_end() {
            return Ok(NOTHING.into());
        }
        Err(Stop::AsItStands)
    }

    /// SQLite gives back the room of the whole file or of nothing: one table's is left to it.
    fn vacuum(&mut self, words: &mut Words) -> Result<String> {
        let mut analyzes = options(words)?;
        while words.take("full") || words.take("freeze") || words.take("verbose") {}
        analyzes |= words.take("analyze") || words.take("analyse");
        if words.is_at_end() {
            if analyzes {
                self.first("VACUUM");
                return Ok("ANALYZE".into());
            }
            return Ok("VACUUM".into());
        }
        if analyzes {
            return self.analyzed(words);
        }
        self.tables(words)?;
        Ok(NOTHING.into())
    }

    fn analyzed(&mut self, words: &mut Words) -> Result<String> {
        if words.is_at_end() {
            return Ok("ANALYZE".into());
        }
        let mut all = self.tables(words)?;
        let Some(last) = all.pop() else {
            return Ok(NOTHING.into());
        };
        for table in all {
            self.first(format!("ANALYZE {table}"));
        }
        Ok(format!("ANALYZE {last}"))
    }

    /// `t, s.u (a, b)`, as SQLite calls them; those of the catalogue are left out, which nobody has to look after.
    fn tables(&mut self, words: &mut Words) -> Result<Vec<String>> {
        let mut all = vec![];
        loop {
            all.extend(self.table(words)?);
            if !words.take_sign(&Token::Comma) {
                break;
            }
        }
        if words.is_at_end() {
            Ok(all)
        } else {
            Err(Stop::AsItStands)
        }
    }

    fn table(&mut self, words: &mut Words) -> Result<Option<String>> {
        let mut parts = names(words);
        let name = parts.pop().ok_or(Stop::AsItStands)?;
        let schema = parts.pop();
        if schema.is_none() && (name == "main" || name == "into" || self.names.has_schema(&name)) {
            return Err(Stop::AsItStands);
        }
        if schema
            .as_deref()
            .is_some_and(|schema| CATALOGUES.contains(&schema))
        {
            return Ok(None);
        }
        let columns = self.columns_of(schema.as_deref(), &name)?;
        if words.take_sign(&Token::LParen) {
            loop {
                let column = words.name().ok_or(Stop::AsItStands)?;
                if !columns.iter().any(|one| one.name.eq_ignore_ascii_case(&column)) {
                    let message = format!("column \"{column}\" of relation \"{name}\" does not exist");
                    return refuse("42703", message, None);
                }
                if !words.take_sign(&Token::Comma) {
                    break;
                }
            }
            if !words.take_sign(&Token::RParen) {
                return Err(Stop::AsItStands);
            }
        }
        Ok(Some(dml::qualified(schema.as_deref(), &name)))
    }

    /// The rows of a table stand in the order of its key, and nothing changes that.
    fn clustered(&mut self, words: &mut Words) -> Result<String> {
        options(words)?;
        words.take("verbose");
        if words.is_at_end() {
            return Ok(NOTHING.into());
        }
        let before = words.at;
        let mut index = names(words).pop();
        if !words.take("on") {
            words.at = before;
            index = None;
        }
        self.table(words)?;
        if words.take("using") {
            index = names(words).pop();
        }
        if !words.is_at_end() {
            return Err(Stop::AsItStands);
        }
        let is_there = |index: &String| {
            let objects = self.names.objects("main");
            objects
                .iter()
                .any(|object| object.kind == "index" && object.name.eq_ignore_ascii_case(index))
        };
        match index.filter(|index| !is_there(index) && !index.ends_with("_pkey")) {
            Some(index) => refuse("42704", format!("index \"{index}\" does not exist"), None),
            None => Ok(NOTHING.into()),
        }
    }
}

fn reindexed(words: &mut Words) -> Result<String> {
    options(words)?;
    let all = words.take("database") || words.take("schema") || words.take("system");
    let _ = all || words.take("table") || words.take("index");
    let _ = words.take("concurrently");
    let name = words.name();
    if !words.is_at_end() {
        return Err(Stop::AsItStands);
    }
    Ok(match name.filter(|_| !all) {
        Some(name) => format!("REINDEX {}", quoted(&name)),
        None => "REINDEX".into(),
    })
}

/// `(VERBOSE, ANALYZE true)`; whether ANALYZE is among them.
fn options(words: &mut Words) -> Result<bool> {
    let mut analyzes = false;
    if !words.take_sign(&Token::LParen) {
        return Ok(false);
    }
    while !words.take_sign(&Token::RParen) {
        if words.take("analyze") || words.take("analyse") {
            analyzes = !(words.take("false") || words.take("off"));
        } else if words.is_at_end() {
            return Err(Stop::AsItStands);
        } else {
            words.at += 1;
        }
    }
    Ok(analyzes)
}

/// The parts of a name.
fn names(words: &mut Words) -> Vec<String> {
    let mut parts = vec![];
    while let Some(Token::Word(word)) = words.tokens.get(words.at) {
        parts.push(folded(word));
        words.at += 1;
        if !words.take_sign(&Token::Period) {
            break;
        }
    }
    parts
}
