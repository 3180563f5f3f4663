//! ALTER INDEX: SQLite makes an index anew under its new name, and has nothing else to change about one.

use rusqlite::{Connection, Result};

use super::{
    Change, FoundTable, Named, fault, missing, named, place,
    plan::Plan,
    quoted,
    text::{Clause, ClauseKind, Text},
};
use crate::{
    sqlite::engine::relation_list::{self, ObjectKind},
    statement::sqlite_lexer::{Piece, pieces, unquote},
};

/// What stands behind `ALTER INDEX`.
pub(super) fn read(tokens: &[&str]) -> Option<Change> {
    let is = |at: usize, word: &str| {
        tokens
            .get(at)
            .is_some_and(|token| token.eq_ignore_ascii_case(word))
    };
    let if_exists = is(0, "if") && is(1, "exists");
    let tokens = &tokens[if if_exists { 2 } else { 0 }..];
    // A schema may stand before the name.
    let at = if tokens.get(1) == Some(&".") { 2 } else { 0 };
    let schema = (at > 0).then(|| place(tokens[0]));
    let name = named(tokens.get(at)?);
    let new = match &tokens[at + 1..] {
        [rename, to, new] if rename.eq_ignore_ascii_case("rename") && to.eq_ignore_ascii_case("to") => {
            Some(named(new))
        }
        // How full its pages are.
        [set, "(", ..] if ["set", "reset"].iter().any(|word| set.eq_ignore_ascii_case(word)) => None,
        _ => return None,
    };
    Some(Change::Index(Named {
        schema,
        name,
        if_exists,
        new,
    }))
}

/// The table of the key that has an index of this name, which SQLite names by itself.
pub(super) fn keyed(connection: &Connection, index: &Named) -> Result<Option<FoundTable>> {
    let name = &index.name;
    let mut tables = vec![];
    for schema in relation_list::schemas(connection, index.schema.as_deref()) {
        let relations = relation_list::of_schema(connection, &schema)?.into_iter();
        let kept = relations
            .filter(|relation| relation.kind == ObjectKind::Table && !relation.name.starts_with("sqlite_"));
        tables.extend(kept.map(|relation| FoundTable {
            schema: schema.clone(),
            name: relation.name,
            sql: relation.sql,
        }));
    }
    for found in tables {
        if Text::read(&found.sql).is_none() {
            continue;
        }
        let plan = Plan::new(connection, found)?;
        let is_wanted = |(key, clause): &(String, Clause)| {
            matches!(clause.kind, ClauseKind::PrimaryKey | ClauseKind::Unique)
                && key.eq_ignore_ascii_case(name)
        };
        if plan.named_clauses().iter().any(is_wanted) {
            return Ok(Some(plan.found));
        }
    }
    Ok(None)
}

/// Gives an index its new name.
pub(super) fn rename(connection: &Connection, index: &Named) -> Result<()> {
    let Named {
        schema,
        name: old,
        if_exists,
        new,
    } = index;
    let mut found = None;
    for schema in relation_list::schemas(connection, schema.as_deref()) {
        let sql = format!(
            "SELECT 1 FROM {}.sqlite_schema AS s, pg_catalog.pragma_index_list(s.name, ?2) AS one \
             WHERE s.type = 'table' AND one.name = ?1 COLLATE NOCASE",
            quoted(&schema)
        );
        if connection.prepare(&sql)?.exists([old, &schema])? {
            found = Some(schema);
            break;
        }
    }
    let Some(schema) = found else {
        return missing(connection, old, *if_exists);
    };
    let Some(new) = new else {
        return Ok(());
    };
    let schema = quoted(&schema);
    let sql =
        format!("SELECT sql FROM {schema}.sqlite_schema WHERE type = 'index' AND name = ?1 COLLATE NOCASE");
    let written: Option<String> = connection.query_row(&sql, [old], |row| row.get(0))?;
    let Some(written) = written else {
        return Err(fault(
            "0A000",
            "renaming the index of a constraint is not supported on a SQLite file",
        ));
    };
    let name = pieces(&written).find_map(|(at, piece)| match piece {
        Piece::Token(token) if unquote(token).eq_ignore_ascii_case(old) => Some(at..at + token.len()),
        _ => None,
    });
    let name = name.unwrap_or_default();
    let (before, after) = (&written[..name.start], &written[name.end..]);
    connection.execute_batch(&format!(
        "DROP INDEX {schema}.{}; {before}{schema}.{}{after}",
        quoted(old),
        quoted(new)
    ))
}
