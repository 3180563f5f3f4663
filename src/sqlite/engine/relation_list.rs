//! The tables and views of a schema, and what each of them is. SQLite's own list, `table_list`, looks at the columns of every
//! view before it says anything, and so at all that the views are made of: no clock and no limit bounds that.

use rusqlite::{Connection, Result};

use super::lossy::text;
use crate::statement::sqlite_lexer::{quote, tokens, unquote};

const LIST: &str = include_str!("../../../dialects/sqlite/catalog/relations.sql");

/// What a table or view is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectKind {
    Table,
    View,
    Virtual,
    /// In which a virtual table keeps its rows.
    Shadow,
}

/// A table or view of a schema.
#[derive(Debug)]
pub(super) struct Relation {
    pub(super) name: String,
    pub(super) kind: ObjectKind,
    /// True for a table whose rows have no numbers.
    pub(super) without_rowid: bool,
    pub(super) sql: String,
}

impl Relation {
    /// True for a table whose rows are numbered.
    pub(super) fn has_rowid(&self) -> bool {
        self.kind == ObjectKind::Table && !self.without_rowid
    }
}

/// The modules that keep their rows in tables, and how these end behind the name and an underscore.
const SHADOWS: [(&[&str], &[&str]); 3] = [
    (
        &["fts3", "fts4"],
        &["content", "docsize", "segdir", "segments", "stat"],
    ),
    (&["fts5"], &["config", "content", "data", "docsize", "idx"]),
    (&["rtree", "rtree_i32", "geopoly"], &["node", "parent", "rowid"]),
];

/// The tables and views of a schema, in the order of their creation.
pub(super) fn of_schema(connection: &Connection, schema: &str) -> Result<Vec<Relation>> {
    let sql = LIST.replace("{schema}", &quote(schema));
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([schema], |row| {
        let is_view = text(row, "type")? == "view";
        Ok(Relation {
            name: text(row, "name")?,
            kind: match (is_view, row.get("has_no_page")?) {
                (true, _) => ObjectKind::View,
                (false, true) => ObjectKind::Virtual,
                (false, false) => ObjectKind::Table,
            },
            without_rowid: row.get::<_, Option<bool>>("without_rowid")?.unwrap_or_default(),
            sql: text(row, "sql")?,
        })
    })?;
    let mut relations: Vec<Relation> = rows.collect::<Result<_>>()?;
    let owners: Vec<(String, String)> = relations
        .iter()
        .filter(|relation| relation.kind == ObjectKind::Virtual)
        .filter_map(|relation| Some((relation.name.to_lowercase(), module(&relation.sql)?)))
        .collect();
    for relation in &mut relations {
        if relation.kind == ObjectKind::Table && is_shadow(&relation.name.to_lowercase(), &owners) {
            relation.kind = ObjectKind::Shadow;
        }
    }
    Ok(relations)
}

/// The schemas of a connection that a name may be in, the session's own first: where none is named, that and the file's.
pub(super) fn schemas(connection: &Connection, named: Option<&str>) -> Vec<String> {
    let is_file = |schema: &str| {
        ["main", "public"]
            .iter()
            .any(|own| own.eq_ignore_ascii_case(schema))
    };
    let mut all: Vec<String> = (0..).map_while(|at| connection.db_name(at).ok()).collect();
    all.retain(|schema| match named {
        None => is_file(schema) || schema == "temp",
        Some(named) if is_file(named) => is_file(schema),
        Some(named) => named.eq_ignore_ascii_case(schema),
    });
    all.sort_by_key(|schema| schema != "temp");
    all
}

/// The module of a virtual table, by the statement that made it.
pub(super) fn module(sql: &str) -> Option<String> {
    let mut words = tokens(sql).map(|(_, token)| token);
    let is_virtual = words.by_ref().take(2).last()?.eq_ignore_ascii_case("virtual");
    let module = words
        .skip_while(|word| !word.eq_ignore_ascii_case("using"))
        .nth(1)?;
    is_virtual.then(|| unquote(module).to_lowercase())
}

/// True for the name, in lower case, of a table in which one of these virtual tables keeps its rows.
fn is_shadow(name: &str, owners: &[(String, String)]) -> bool {
    let Some((owner, end)) = name.rsplit_once('_') else {
        return false;
    };
    let mut owners = owners.iter().filter(|(of, _)| of == owner);
    owners.any(|(_, module)| {
        let mut known = SHADOWS
            .iter()
            .filter(|(modules, _)| modules.contains(&module.as_str()));
        known.any(|(_, ends)| ends.contains(&end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_are_what_sqlite_says_they_are() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE a (x INTEGER PRIMARY KEY); CREATE TABLE b (x PRIMARY KEY) WITHOUT ROWID;
                 CREATE TABLE c (x PRIMARY KEY /* without rowid */); CREATE VIEW v AS SELECT 1 AS x;
                 CREATE TABLE g (x INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID;
                 CREATE VIRTUAL TABLE Words USING \"fts5\"(x); CREATE VIRTUAL TABLE old USING fts4(x);
                 CREATE VIRTUAL TABLE place USING rtree(id, low, high); CREATE TABLE words_notes (x);
                 CREATE TABLE other_data (x)",
            )
            .unwrap();
        let found = of_schema(&connection, "main").unwrap();
        let mut statement = connection
            .prepare("SELECT type, wr FROM pg_catalog.pragma_table_list WHERE schema = 'main' AND name = ?1")
            .unwrap();
        for relation in &found {
            let told: (String, bool) = statement
                .query_row([&relation.name], |row| Ok((row.get(0)?, row.get(1)?)))
                .unwrap();
            let kind = format!("{:?}", relation.kind).to_lowercase();
            assert_eq!((kind, relation.without_rowid), told, "{}", relation.name);
        }
        assert!(found.iter().any(|relation| relation.kind == ObjectKind::Shadow));
        let tables = found.iter().filter(|relation| relation.kind == ObjectKind::Table);
        assert_eq!(tables.filter(|relation| relation.without_rowid).count(), 2);
    }
}
