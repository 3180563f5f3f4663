//! A table whose rows are written anew: they go into a new one, which gets its name, indexes and triggers.

use rusqlite::{Connection, Result};

use super::{
    FoundTable, edit_schema, exists,
    plan::Plan,
    quoted, string,
    text::{Text, reads},
};
use crate::{
    sqlite::engine::{relation_list, session::Session},
    statement::sqlite_lexer::{Piece, pieces, tokens, unquote},
};

impl Session<'_> {
    /// Moves the rows into the new table, and gives that the name of the old one.
    pub(super) fn rewrite(&self, plan: &Plan<'_>) -> Result<()> {
        let connection = &self.own.connection;
        let FoundTable { schema, name, sql } = &plan.found;
        let (new, old) = (plan.new.as_str(), plan.old.as_str());
        let kept = dependents(connection, plan)?;
        let insert = insert(plan)?;
        self.as_client(|| connection.execute_batch(&insert))
            .map_err(|error| plan.told_of(error))?;
        let catalog = format!("{}.sqlite_schema", quoted(schema));
        let old_text = Text::read(sql).map(|text| text.called(&format!("CREATE TABLE {}", quoted(old))));
        edit_schema(connection, schema, || {
            let moves = [
                (name.as_str(), old, old_text.as_deref().unwrap_or_default()),
                (new, name.as_str(), plan.sql.as_str()),
            ];
            for (from, to, text) in moves {
                connection.execute(
                    &format!(
                        "UPDATE {catalog} SET name = 'sqlite_autoindex_' || ?2 || substr(name, length('sqlite_autoindex_' || ?1) + 1), \
                         tbl_name = ?2 WHERE type = 'index' AND tbl_name = ?1 AND sql IS NULL"
                    ),
                    [from, to],
                )?;
                connection.execute(
                    &format!("UPDATE {catalog} SET name = ?2, tbl_name = ?2, sql = ?3 WHERE type = 'table' AND name = ?1"),
                    [from, to, text],
                )?;
            }
            Ok(())
        })?;
        connection.execute_batch(&format!("DROP TABLE {}.{}", quoted(schema), quoted(old)))?;
        if exists(
            connection,
            &format!("SELECT 1 FROM {catalog} WHERE name = 'sqlite_sequence'"),
        )? {
            // The highest number that was ever given stays.
            connection.execute_batch(&format!(
                "UPDATE {0}.sqlite_sequence SET name = {1} WHERE name = {2} AND NOT EXISTS \
                 (SELECT 1 FROM {0}.sqlite_sequence WHERE name = {1}); DELETE FROM {0}.sqlite_sequence WHERE name = {2}",
                quoted(schema),
                string(name),
                string(new)
            ))?;
        }
        self.as_client(|| kept.iter().try_for_each(|sql| connection.execute_batch(sql)))
    }
}

/// Fills the new table. What is not as it was is assigned by PostgreSQL's rules, and all else is taken over as it is, also what
/// another program has stored and its column would not take; numbers that a column drew stay its own.
fn insert(plan: &Plan<'_>) -> Result<String> {
    let (schema, name) = (quoted(&plan.found.schema), quoted(&plan.found.name));
    let (mut assigned, mut values, mut taken) = (vec![], vec![], vec![]);
    // What finds the rows from outside, such as the index of a full text, finds them as before.
    taken.extend(rowid(plan)?.map(str::to_owned));
    for (column, from) in &plan.filled {
        match from {
            Some(value) => {
                assigned.push(quoted(column));
                values.push(value.as_str());
            }
            None => taken.push(quoted(column)),
        }
    }
    let own: Vec<String> = taken.iter().map(|column| format!("{name}.{column}")).collect();
    let (taken, own) = (taken.join(", "), own.join(", "));
    let new = format!("INSERT INTO {schema}.{}", quoted(&plan.new));
    if assigned.is_empty() {
        return Ok(format!("{new} ({taken}) SELECT {own} FROM {schema}.{name}"));
    }
    let list = assigned.join(", ");
    let insert = format!(
        "{new} ({list}) OVERRIDING SYSTEM VALUE SELECT {} FROM {schema}.{name}",
        values.join(", ")
    );
    let insert = plan.in_sqlite(&insert)?;
    if taken.is_empty() {
        return Ok(insert);
    }
    Ok(insert.replacen(
        &format!(" ({list}) SELECT "),
        &format!(" ({taken}, {list}) SELECT {own}, "),
        1,
    ))
}

/// The word for the number of a row, where no column of the new table is that.
fn rowid(plan: &Plan<'_>) -> Result<Option<&'static str>> {
    let found = &plan.found;
    let relations = relation_list::of_schema(plan.connection, &found.schema)?;
    let has_none = relations
        .iter()
        .any(|relation| relation.name == found.name && relation.without_rowid);
    let columns = plan.text().columns();
    if has_none || columns.iter().any(|column| plan.is_rowid(column)) {
        return Ok(None);
    }
    let before = Text::read(&found.sql)
        .map(|text| text.columns())
        .unwrap_or_default();
    let is_taken = |word: &str| {
        let mut names = columns.iter().chain(&before);
        names.any(|name| name.eq_ignore_ascii_case(word))
    };
    Ok(["rowid", "_rowid_", "oid"]
        .into_iter()
        .find(|word| !is_taken(word)))
}

/// Drops the indexes and triggers of a table, and tells how those are made anew that can be.
fn dependents(connection: &Connection, plan: &Plan<'_>) -> Result<Vec<String>> {
    let schema = quoted(&plan.found.schema);
    let sql = format!(
        "SELECT type, name, sql FROM {schema}.sqlite_schema WHERE tbl_name = ?1 AND type IN ('index', 'trigger') AND sql IS NOT NULL"
    );
    let mut statement = connection.prepare(&sql)?;
    let found: Vec<(String, String, String)> = statement
        .query_map([&plan.found.name], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?
        .collect::<Result<_>>()?;
    let mut kept = vec![];
    for (kind, name, sql) in found {
        connection.execute_batch(&format!("DROP {kind} {schema}.{}", quoted(&name)))?;
        let goes = kind == "index" && plan.dropped.iter().any(|column| is_by(&sql, column));
        if !goes {
            kept.push(in_schema(&sql, &name, &schema));
        }
    }
    Ok(kept)
}

/// True where an index is by a column.
fn is_by(sql: &str, column: &str) -> bool {
    let tokens: Vec<&str> = tokens(sql).map(|(_, token)| token).collect();
    reads(&tokens, column)
}

/// `CREATE INDEX i …` as `CREATE INDEX schema.i …`.
fn in_schema(sql: &str, name: &str, schema: &str) -> String {
    let at = pieces(sql).find_map(|(at, piece)| match piece {
        Piece::Token(token) if unquote(token) == name => Some(at),
        _ => None,
    });
    at.map_or_else(
        || sql.to_owned(),
        |at| format!("{}{schema}.{}", &sql[..at], &sql[at..]),
    )
}
