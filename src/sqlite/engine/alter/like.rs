//! CREATE TABLE … (LIKE …): the columns of another table, with what of theirs is asked for.

use rusqlite::{Connection, Result};

use super::{
    Change, FoundTable, exists, fault, find,
    identity::identity_of_key,
    named,
    plan::Plan,
    quoted, string,
    text::{Clause, ClauseKind, Text},
};
use crate::{
    sqlite::{
        catalog::{self, index_parts, told_key},
        engine::session::Session,
        functions::pass_over,
        translate::Identity,
    },
    statement::sqlite_lexer,
};

/// What may stand behind INCLUDING beside ALL. Of a file's pages there is nothing to take over.
const PARTS: [&str; 9] = [
    "comments",
    "compression",
    "constraints",
    "defaults",
    "generated",
    "identity",
    "indexes",
    "statistics",
    "storage",
];

/// Schema and name.
type Name = (Option<String>, String);

/// A table that is to be.
pub(in crate::sqlite::engine) struct Like {
    temporary: bool,
    if_not_exists: bool,
    name: Name,
    items: Vec<Item>,
}

enum Item {
    /// A column or constraint, as it is written.
    Own(String),
    /// The columns of another table, and what of them is included; or the word that says nothing of it.
    Of(Name, std::result::Result<Vec<&'static str>, String>),
}

/// The statement, where it names another table.
pub(super) fn read(sql: &str) -> Option<Change> {
    let tokens: Vec<(usize, &str)> = sqlite_lexer::placed(sql)
        .filter(|(_, token)| *token != ";")
        .collect();
    let is = |at: usize, word: &str| {
        tokens
            .get(at)
            .is_some_and(|(_, token)| token.eq_ignore_ascii_case(word))
    };
    if !is(0, "create") || !(1..tokens.len()).any(|at| is(at, "like") && (is(at - 1, "(") || is(at - 1, ",")))
    {
        return None;
    }
    let kinds = ["temp", "temporary", "unlogged", "local", "global"];
    let table = (1..4).find(|at| !kinds.iter().any(|kind| is(*at, kind)))?;
    if !is(table, "table") {
        return None;
    }
    let if_not_exists = is(table + 1, "if");
    let (name, open) = name_at(&tokens, if if_not_exists { table + 4 } else { table + 1 })?;
    let close = tokens.len() - 1;
    if !is(open, "(") || !is(close, ")") {
        return None;
    }
    let (mut items, mut start, mut depth) = (vec![], open + 1, 0_usize);
    for at in open + 1..=close {
        match tokens[at].1 {
            "(" => depth += 1,
            ")" if at < close => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if at < close && !(depth == 0 && is(at, ",")) {
            continue;
        }
        items.push(if is(start, "like") {
            let (of, next) = name_at(&tokens, start + 1)?;
            Item::Of(of, included(&tokens[next..at]))
        } else {
            Item::Own(sql[tokens.get(start)?.0..tokens[at].0].to_owned())
        });
        start = at + 1;
    }
    let likes = items.iter().any(|item| matches!(item, Item::Of(..)));
    likes.then(|| {
        Change::Like(Like {
            temporary: (1..table).any(|at| is(at, "temp") || is(at, "temporary")),
            if_not_exists,
            name,
            items,
        })
    })
}

/// A name with that of its schema, and what comes behind it.
fn name_at(tokens: &[(usize, &str)], at: usize) -> Option<(Name, usize)> {
    let token = |at: usize| tokens.get(at).map(|(_, token)| *token);
    let first = named(token(at)?);
    if token(at + 1) != Some(".") {
        return Some(((None, first), at + 1));
    }
    let schema = Some(first).filter(|schema| schema != "public");
    Some(((schema, named(token(at + 2)?)), at + 3))
}

/// What the words INCLUDING and EXCLUDING leave.
fn included(tokens: &[(usize, &str)]) -> std::result::Result<Vec<&'static str>, String> {
    let mut parts: Vec<&'static str> = vec![];
    for pair in tokens.chunks(2) {
        let [(_, how), (_, what)] = pair else {
            return Err(pair[0].1.to_owned());
        };
        let is = |part: &str| what.eq_ignore_ascii_case(part);
        let meant: Vec<&'static str> = PARTS.into_iter().filter(|part| is("all") || is(part)).collect();
        parts.retain(|part| !meant.contains(part));
        match how.to_ascii_lowercase().as_str() {
            "including" | "excluding" if meant.is_empty() => return Err((*what).to_owned()),
            "including" => parts.extend(meant),
            "excluding" => {}
            _ => return Err((*how).to_owned()),
        }
    }
    Ok(parts)
}

/// What becomes of a table's columns in another one.
struct Taken<'p, 'c> {
    plan: &'p Plan<'c>,
    parts: &'p [&'static str],
}

impl Session<'_> {
    /// Creates a table with the columns of others.
    pub(super) fn create_like(&self, like: &Like) -> Result<()> {
        let connection = &self.own.connection;
        if like.if_not_exists && find(connection, like.name.0.as_deref(), &like.name.1)?.is_some() {
            let why = format!("relation \"{}\" already exists", like.name.1);
            return pass_over(connection, "42P07", &why);
        }
        let mut plans = vec![];
        for item in &like.items {
            if let Item::Of((schema, name), parts) = item {
                let found = find(connection, schema.as_deref(), name)?
                    .ok_or_else(|| fault("42P01", format!("relation \"{name}\" does not exist")))?;
                let parts = parts
                    .as_ref()
                    .map_err(|word| fault("42601", format!("syntax error at or near \"{word}\"")))?;
                plans.push((Plan::new(connection, found)?, parts));
            }
        }
        let mut taken = plans.iter().map(|(plan, parts)| Taken { plan, parts });
        let (mut items, mut all) = (vec![], vec![]);
        for item in &like.items {
            match item {
                Item::Own(words) => items.push(words.clone()),
                Item::Of(..) => {
                    let one = taken.next().expect("each has its table");
                    items.extend(one.columns()?);
                    all.push(one);
                }
            }
        }
        let Some((first, _)) = plans.first() else {
            return Ok(());
        };
        let name = quoted(&like.name.1);
        let own = like.temporary || like.name.0.as_deref() == Some("temp");
        let mut sql = first.table((&name, own), &items.join(", "))?;
        for one in &all {
            sql = one.with_clauses(sql)?;
        }
        let text = Text::read(&sql).ok_or_else(|| fault("42601", "syntax error in CREATE TABLE"))?;
        let temporary = if like.temporary { "TEMP " } else { "" };
        let schema = like
            .name
            .0
            .as_ref()
            .map(|schema| quoted(schema) + ".")
            .unwrap_or_default();
        let create = text.called(&format!("CREATE {temporary}TABLE {schema}{name}"));
        for step in first.steps.take() {
            connection.execute_batch(&step)?;
        }
        self.as_client(|| connection.execute_batch(&create))?;
        let made = find(connection, like.name.0.as_deref(), &like.name.1)?
            .ok_or_else(|| fault("42P01", format!("relation \"{}\" does not exist", like.name.1)))?;
        for one in all.iter().filter(|one| one.has("indexes")) {
            for index in indexes(connection, &one.plan.found, &made)? {
                self.as_client(|| connection.execute_batch(&index))?;
            }
        }
        Ok(())
    }
}

impl Taken<'_, '_> {
    fn has(&self, part: &str) -> bool {
        self.parts.contains(&part)
    }

    fn key(&self) -> Option<Clause> {
        let mut clauses = self.plan.text().all_clauses().into_iter();
        clauses.find(|clause| clause.kind == ClauseKind::PrimaryKey)
    }

    /// The columns in PostgreSQL's words, with what the translation has to know of them.
    fn columns(&self) -> Result<Vec<String>> {
        let text = self.plan.text();
        let key = self.key().map(|key| key.columns).unwrap_or_default();
        let column = |name: String| -> Result<String> {
            let clauses = text.clauses(&name);
            let is_key = key.contains(&name);
            let mut words = format!("{} {}", quoted(&name), self.plan.type_of(&name));
            let mut identity = clauses
                .iter()
                .filter(|clause| clause.kind == ClauseKind::Default)
                .find_map(|clause| Identity::of(default_of(text.words(&clause.tokens))));
            if self.plan.is_rowid(&name) {
                let (_, of_key) = identity_of_key(text.sql(), &name);
                identity = of_key;
                if of_key.is_none() && self.has("defaults") {
                    let words = format!(
                        "LIKE … INCLUDING DEFAULTS of the serial column \"{name}\" is not supported on a SQLite file"
                    );
                    return Err(fault("0A000", words));
                }
            }
            if is_key || clauses.iter().any(|clause| clause.kind == ClauseKind::NotNull) {
                words.push_str(" NOT NULL");
            }
            if let Some(identity) = identity.filter(|_| self.has("identity")) {
                self.counts_by_one(&name)?;
                words.push_str(match identity {
                    Identity::Always => " GENERATED ALWAYS AS IDENTITY",
                    Identity::ByDefault => " GENERATED BY DEFAULT AS IDENTITY",
                });
            }
            if self.has("indexes") && key.len() == 1 && is_key {
                words.push_str(" PRIMARY KEY");
            }
            Ok(words)
        };
        text.columns().into_iter().map(column).collect()
    }

    /// Refuses an identity whose sequence is not as it comes.
    fn counts_by_one(&self, column: &str) -> Result<()> {
        let connection = self.plan.connection;
        let FoundTable { schema, name, .. } = &self.plan.found;
        let schema = quoted(schema);
        let sequences = format!("SELECT 1 FROM {schema}.sqlite_schema WHERE name = 'querent_sequences'");
        let counts = format!(
            "SELECT 1 FROM {schema}.querent_sequences WHERE owned_table = {} AND owned_column = {} \
             AND (start_value <> 1 OR increment_by <> 1 OR min_value <> 1 OR cycle)",
            string(name),
            string(column)
        );
        if exists(connection, &sequences)? && exists(connection, &counts)? {
            let words = format!(
                "LIKE … INCLUDING IDENTITY of column \"{column}\", which has options of its own, is not supported on a SQLite file"
            );
            return Err(fault("0A000", words));
        }
        Ok(())
    }

    /// The new table with clauses that are in SQLite's words already.
    fn with_clauses(&self, mut sql: String) -> Result<String> {
        let text = self.plan.text();
        let own = format!("{}.", quoted(&self.plan.found.name));
        for (name, clause) in self.plan.named_clauses() {
            let words = text.words(&clause.tokens).replace(&own, "");
            let columns: Vec<String> = clause.columns.iter().map(|column| quoted(column)).collect();
            let columns = columns.join(", ");
            let item = match clause.kind {
                ClauseKind::Check if self.has("constraints") => {
                    let bare = clause
                        .name
                        .as_ref()
                        .map_or(words.as_str(), |_| behind_name(&words));
                    format!("CONSTRAINT {} {bare}", quoted(&name))
                }
                ClauseKind::Unique if self.has("indexes") => format!("UNIQUE ({columns})"),
                ClauseKind::PrimaryKey if self.has("indexes") && clause.columns.len() > 1 => {
                    format!("PRIMARY KEY ({columns})")
                }
                _ => continue,
            };
            sql = edited(&sql, |text| text.with(&item, false))?;
        }
        for column in text.columns() {
            for clause in text.clauses(&column) {
                let words = text.words(&clause.tokens);
                let wanted = match clause.kind {
                    ClauseKind::Default => self.has("defaults") && Identity::of(default_of(words)).is_none(),
                    ClauseKind::Generated => self.has("generated"),
                    _ => false,
                };
                if wanted {
                    sql = edited(&sql, |text| text.with_clause(&column, words))?;
                }
            }
        }
        Ok(sql)
    }
}

fn edited(sql: &str, edit: impl Fn(&Text<'_>) -> String) -> Result<String> {
    let text = Text::read(sql).ok_or_else(|| fault("42601", "syntax error in CREATE TABLE"))?;
    Ok(edit(&text))
}

/// The expression of `DEFAULT (…)`.
fn default_of(words: &str) -> &str {
    let inner = words.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')'));
    inner.map_or(words, |(inner, _)| inner)
}

/// `CONSTRAINT name CHECK (…)` without the name.
fn behind_name(words: &str) -> &str {
    let third = sqlite_lexer::pieces(words)
        .filter(|(_, piece)| matches!(piece, sqlite_lexer::Piece::Token(_)))
        .nth(2);
    third.map_or(words, |(at, _)| &words[at..])
}

/// The statements that make the indexes of one table for another.
fn indexes(connection: &Connection, of: &FoundTable, made: &FoundTable) -> Result<Vec<String>> {
    let sql = format!(
        "SELECT sql FROM {}.sqlite_schema WHERE type = 'index' AND tbl_name = ?1 AND sql IS NOT NULL",
        quoted(&of.schema)
    );
    let found: Vec<String> = connection
        .prepare(&sql)?
        .query_map([&of.name], |row| row.get(0))?
        .collect::<Result<_>>()?;
    let schema = quoted(&made.schema);
    let mut taken = connection.prepare(&format!(
        "SELECT 1 FROM {schema}.sqlite_schema WHERE name = ?1 COLLATE NOCASE"
    ))?;
    let (mut statements, mut names): (Vec<String>, Vec<String>) = (vec![], vec![]);
    for sql in found {
        let (keys, _) = index_parts(&sql);
        let mut keys: Vec<String> = keys.iter().map(|key| key_name(key)).collect();
        keys.extend(catalog::included(&sql));
        let usual = format!("{}_{}_idx", made.name, keys.join("_"));
        let mut name = usual.clone();
        let mut number = 0;
        while names.contains(&name) || taken.exists([&name])? {
            number += 1;
            name = format!("{usual}{number}");
        }
        let tokens: Vec<(usize, &str)> = sqlite_lexer::tokens(&sql).collect();
        let is = |at: usize, word: &str| {
            tokens
                .get(at)
                .is_some_and(|(_, token)| token.eq_ignore_ascii_case(word))
        };
        let unique = if is(1, "unique") { "UNIQUE " } else { "" };
        // What was asked for beside the keys stands in a comment behind the table.
        let table = (0..tokens.len())
            .find(|at| is(*at, "on"))
            .and_then(|on| tokens.get(on + 1));
        let (at, table) = table.ok_or_else(|| fault("42601", "syntax error in CREATE INDEX"))?;
        statements.push(format!(
            "CREATE {unique}INDEX {schema}.{} ON {}{}",
            quoted(&name),
            quoted(&made.name),
            &sql[at + table.len()..]
        ));
        names.push(name);
    }
    Ok(statements)
}

/// What an item of an index gives its name: a column, or a function.
fn key_name(item: &str) -> String {
    let told = told_key(item.trim_end_matches(" DESC"));
    match told.split_once('(') {
        None => told,
        Some((function, _)) if !function.is_empty() => function.to_owned(),
        Some(_) => "expr".into(),
    }
}
