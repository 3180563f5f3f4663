//! Tables that show what another one holds: the shadow tables in which a virtual table keeps its rows, and virtual tables that
//! tell of another's. Whoever may not read the one must not read it by a view of the other.

use crate::{
    question::schema::{Schema, SourceColumn},
    statement::sqlite_lexer::{Piece, pieces, unquote},
};

/// A virtual table.
#[derive(Debug)]
pub(super) struct Virtual {
    name: String,
    /// The words of its arguments, each of which may be the name of a table that it tells of.
    arguments: Vec<String>,
}

impl Virtual {
    /// By its name and the statement that made it.
    pub(super) fn new(name: &str, sql: &str) -> Self {
        let tokens = pieces(sql).filter_map(|(_, piece)| match piece {
            Piece::Token(token) => Some(token),
            _ => None,
        });
        Self {
            name: name.to_owned(),
            arguments: tokens.skip_while(|token| *token != "(").map(unquote).collect(),
        }
    }

    /// True for the name of a table in which it keeps its rows: SQLite tells these by the last `_`.
    fn keeps_in(&self, table: &str) -> bool {
        let owner = table.rsplit_once('_').map(|(owner, _)| owner);
        owner.is_some_and(|owner| owner.eq_ignore_ascii_case(&self.name))
    }
}

/// Notes of views what the tables behind them show. Virtual tables that are `known` to the schema show their own rows.
pub(super) fn note_sources(schema: &mut Schema, all: &[Virtual]) {
    let known: Vec<String> = schema.tables.iter().map(|table| table.name.clone()).collect();
    let is_known = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
    let is_table = |name: &str| is_known(name) || all.iter().any(|one| one.name.eq_ignore_ascii_case(name));
    let whole = |table: &str| SourceColumn {
        schema: None,
        table: table.to_owned(),
        column: None,
    };
    for table in schema.tables.iter_mut().filter(|table| !table.sources.is_empty()) {
        let mut found: Vec<SourceColumn> = Vec::new();
        for source in table.sources.iter().filter(|source| !is_known(&source.table)) {
            for one in all {
                let keeps = one.keeps_in(&source.table);
                if keeps || one.name.eq_ignore_ascii_case(&source.table) {
                    let told = one
                        .arguments
                        .iter()
                        .filter(|name| is_table(name))
                        .map(String::as_str);
                    found.extend(
                        keeps
                            .then_some(one.name.as_str())
                            .into_iter()
                            .chain(told)
                            .map(whole),
                    );
                }
            }
        }
        if !found.is_empty() {
            table.sources = table.sources.iter().cloned().chain(found).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::Table;

    #[test]
    fn what_a_view_shows_of_a_virtual_table_is_told() {
        let check = |read: &str, expected: &[&str]| {
            let view = Table {
                name: "v".into(),
                sources: [SourceColumn {
                    schema: None,
                    table: read.into(),
                    column: Some("c0".into()),
                }]
                .into(),
                ..Table::default()
            };
            let plain = |name: &str| Table {
                name: name.into(),
                ..Table::default()
            };
            let mut schema = Schema {
                tables: vec![plain("Docs"), plain("person"), plain("docs_notes"), view],
                ..Schema::default()
            };
            let all = [
                Virtual::new(
                    "docs",
                    "CREATE VIRTUAL TABLE docs USING fts5(title, content='person')",
                ),
                Virtual::new("place", "CREATE VIRTUAL TABLE place USING rtree(id, a, b)"),
                Virtual::new(
                    "words",
                    "CREATE VIRTUAL TABLE words USING fts5vocab(\"docs\", 'row')",
                ),
            ];
            note_sources(&mut schema, &all);
            let view = &schema.tables[3];
            let told: Vec<&str> = view.sources[1..]
                .iter()
                .map(|source| source.table.as_str())
                .collect();
            assert_eq!(told, expected, "{read}");
            assert!(view.sources[1..].iter().all(|source| source.column.is_none()));
        };
        check("docs_content", &["docs", "person"]);
        check("DOCS_data", &["docs", "person"]);
        check("place_rowid", &["place"]);
        check("words", &["docs"]);
        check("docs", &[]);
        check("person", &[]);
        check("docs_notes", &[]);
        check("other_content", &[]);
    }
}
