//! What reads views that are made of too many others, in a file that somebody else made: it is refused before SQLite, which asks
//! no clock while it puts views in each other's place, hears of it. All else in such a file works.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, Error, Result};

use super::{
    alter::fault,
    lossy,
    open::Guarded,
    unqualified,
    views::{LARGEST, LARGEST_OF_ALL, Views, each_token, is, lower, relation, too_large},
};
use crate::statement::sqlite_lexer::quote;

/// The error of what reads a view that is made of too many.
pub(super) fn is_too_large(view: &str) -> Error {
    let message = format!(
        "view \"{view}\" is made of more than {LARGEST} views, each counted as often as it is read, or with the others of \
         more than {LARGEST_OF_ALL}: it can only be dropped"
    );
    fault("54001", message)
}

/// Refuses a view that is made of too many.
pub(super) fn check_view(connection: &Connection, name: &str) -> Result<()> {
    let is_view = (0..).map_while(|at| connection.db_name(at).ok()).any(|schema| {
        let sql = format!(
            "SELECT 1 FROM {}.sqlite_schema WHERE type = 'view' AND name = ?1 COLLATE NOCASE",
            quote(&schema)
        );
        let found = connection.prepare_cached(&sql);
        found.and_then(|mut found| found.exists([name])).unwrap_or(true)
    });
    if is_view && too_large(connection)?.contains(&name.to_lowercase()) {
        return Err(is_too_large(name));
    }
    Ok(())
}

/// As [`Views::check`] for a statement that runs as it stands. The guard learns which views its pragmas may not ask for.
pub(super) fn check_read(guarded: &Guarded, sql: &str) -> Result<()> {
    // Nothing else waits for the lock that a look at the schema takes.
    const WORDS: [&str; 5] = ["from", "join", "in", "into", "update"];
    tell(guarded, sql)?;
    if each_token(sql).any(|token| WORDS.iter().any(|word| is(token, word))) {
        return Views::of(&guarded.connection)?.check(&guarded.connection, sql);
    }
    Ok(())
}

/// Tells the guard of a connection which views the pragmas of a statement may not ask for.
pub(super) fn tell(guarded: &Guarded, sql: &str) -> Result<()> {
    let has = |word: &[u8]| {
        let mut parts = sql.as_bytes().windows(word.len());
        parts.any(|part| part.eq_ignore_ascii_case(word))
    };
    if has(b"pragma") && has(b"table_") {
        guarded.guard.tell_too_large(too_large(&guarded.connection)?);
    }
    Ok(())
}

/// The tables in lower case of which a change runs a trigger that reads one of these views: by itself, by what the trigger
/// changes, or by a key that hands the change on.
pub(super) fn triggered(connection: &Connection, large: &HashSet<String>) -> Result<HashSet<String>> {
    let mut all: Vec<(String, bool, HashSet<String>)> = vec![];
    for schema in (0..).map_while(|at| connection.db_name(at).ok()) {
        let sql = format!(
            "SELECT tbl_name, type = 'trigger', coalesce(sql, '') FROM {}.sqlite_schema WHERE type = 'trigger' \
             OR (type = 'table' AND sql LIKE '%references%')",
            quote(&schema)
        );
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (is_trigger, sql) = (row.get(1)?, lossy::text(row, 2)?);
            let tokens: Vec<String> = each_token(&sql).map(lower).collect();
            let words = if is_trigger {
                tokens.into_iter().collect()
            } else {
                let keys = tokens.windows(2).filter(|tokens| tokens[0] == "references");
                keys.map(|tokens| tokens[1].clone()).collect()
            };
            all.push((lossy::text(row, 0)?.to_lowercase(), is_trigger, words));
        }
    }
    let mut found: HashSet<String> = HashSet::new();
    loop {
        let before = found.len();
        for (table, is_trigger, words) in &all {
            if *is_trigger && !(words.is_disjoint(large) && words.is_disjoint(&found)) {
                found.insert(table.clone());
            } else if !is_trigger && found.contains(table) {
                found.extend(words.iter().cloned());
            }
        }
        if found.len() == before {
            return Ok(found);
        }
    }
}

impl Views {
    /// Refuses a statement in SQLite's words that reads a view made of too many, or changes a table whose triggers do, or reads so
    /// many views itself.
    pub(super) fn check(&self, connection: &Connection, sql: &str) -> Result<()> {
        if self.whole.is_empty() {
            return Ok(());
        }
        let tokens: Vec<&str> = each_token(sql).collect();
        if tokens.first().is_some_and(|first| is(first, "drop")) {
            return Ok(());
        }
        let words: HashSet<String> = tokens.iter().map(|token| lower(token)).collect();
        // In a list stand values too.
        let is_listed = |at: usize| at > 0 && matches!(tokens[at - 1], "," | "(");
        let mut places: HashSet<usize> = unqualified::standing(&tokens).into_iter().collect();
        places.extend((0..tokens.len()).filter(|at| !is_listed(*at)));
        let large = self.too_large();
        if !large.is_empty() {
            let names = (0..tokens.len()).filter(|at| places.contains(at));
            let mut read = names.filter_map(|at| relation(&tokens, at, &self.schemas));
            if let Some(view) = read.find(|name| large.contains(name)) {
                return Err(is_too_large(&view));
            }
            check_changes(connection, &words, &large)?;
        }
        if self.whole.is_disjoint(&words) {
            return Ok(());
        }
        // No view has this name.
        let own = "\0statement";
        let mut statement = Self {
            reads: self.reads.clone(),
            schemas: self.schemas.clone(),
            ..Self::default()
        };
        statement.add_query(own, &tokens, |at| places.contains(&at));
        if statement.size(own, 0, &mut HashMap::new()) <= LARGEST_OF_ALL {
            return Ok(());
        }
        let message = format!(
            "the statement is made of more than {LARGEST_OF_ALL} views, each counted as often as it is read"
        );
        Err(fault("54001", message))
    }
}

/// Refuses a statement with these words that changes a table of which a trigger reads one of these views.
fn check_changes(connection: &Connection, words: &HashSet<String>, large: &HashSet<String>) -> Result<()> {
    let changes = ["insert", "update", "delete", "replace"];
    if changes.iter().any(|word| words.contains(*word))
        && let Some(table) = triggered(connection, large)?.intersection(words).min()
    {
        let message =
            format!("\"{table}\" cannot be changed: a trigger reads a view that is made of too many");
        return Err(fault("54001", message));
    }
    Ok(())
}
