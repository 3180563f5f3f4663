//! The shadow tables in which a virtual table keeps its rows. Whoever may not read the one must not read it by a view of the other.
//! What tells of another's words (`fts5vocab`, `fts4aux`) no view may read: `trusted_schema` is off.

use crate::question::schema::{Schema, SourceColumn};

/// True for the name of a table in which this virtual table keeps its rows: SQLite tells these by the last `_`.
fn keeps_in(virtual_table: &str, table: &str) -> bool {
    let owner = table.rsplit_once('_').map(|(owner, _)| owner);
    owner.is_some_and(|owner| owner.eq_ignore_ascii_case(virtual_table))
}

/// Notes of views on such tables that they read the virtual table, of which there may be more than the schema has.
pub(super) fn note_sources(schema: &mut Schema, virtual_tables: &[String]) {
    let known: Vec<String> = schema.tables.iter().map(|table| table.name.clone()).collect();
    let is_known = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
    for table in &mut schema.tables {
        let unknown = table.sources.iter().filter(|source| !is_known(&source.table));
        let kept_there = unknown.flat_map(|source| {
            let owners = virtual_tables.iter();
            owners.filter(|owner| keeps_in(owner, &source.table))
        });
        let found: Vec<SourceColumn> = kept_there
            .map(|owner| SourceColumn {
                schema: None,
                table: owner.clone(),
                column: None,
            })
            .collect();
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
                tables: vec![plain("docs"), plain("docs_notes"), view],
                ..Schema::default()
            };
            note_sources(&mut schema, &["docs".into(), "place".into()]);
            let found = &schema.tables[2].sources[1..];
            let told: Vec<&str> = found.iter().map(|source| source.table.as_str()).collect();
            assert_eq!(told, expected, "{read}");
            assert!(found.iter().all(|source| source.column.is_none()));
        };
        check("docs_content", &["docs"]);
        check("DOCS_data", &["docs"]);
        check("place_rowid", &["place"]);
        check("docs", &[]);
        check("docs_notes", &[]);
        check("other_content", &[]);
    }
}
