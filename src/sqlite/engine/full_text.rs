//! Full-text tables over the rows of another table: what they show is that table's.

use crate::{
    question::schema::{Schema, SourceColumn, Table},
    statement::sqlite_lexer::{tokens, unquote},
};

/// The table or view that a full-text table reads its texts from, by the statement that made it.
pub(super) fn content(sql: &str) -> Option<String> {
    let tokens: Vec<&str> = tokens(sql)
        .map(|(_, token)| token)
        .skip_while(|token| *token != "(")
        .collect();
    let named = tokens.windows(3).find_map(|tokens| match tokens {
        [option, "=", name] if unquote(option).eq_ignore_ascii_case("content") => Some(unquote(name)),
        _ => None,
    });
    named.filter(|name| !name.is_empty())
}

/// Notes of these tables, each with its content, which columns they show, and of the views over them too.
pub(super) fn note_sources(schema: &mut Schema, contents: &[(String, String)]) {
    for (name, content) in contents {
        let Some(at) = schema.table_named(name) else {
            continue;
        };
        let behind = schema.table_named(content).map(|content| &schema.tables[content]);
        let sources = behind_full_text(&schema.tables[at], content, behind);
        for table in &mut schema.tables {
            let reads = |source: &SourceColumn| source.table.eq_ignore_ascii_case(name);
            if table.name == *name || table.sources.iter().any(reads) {
                table.sources = table.sources.iter().chain(&sources).cloned().collect();
            }
        }
    }
}

fn behind_full_text(table: &Table, content: &str, behind: Option<&Table>) -> Vec<SourceColumn> {
    let source = |table: &str, column: Option<&str>| SourceColumn {
        schema: None,
        table: table.to_owned(),
        column: column.map(str::to_owned),
    };
    let columns = table.columns.iter().map(|column| {
        let known = behind.and_then(|behind| {
            let mut all = behind.columns.iter();
            all.find(|known| known.name.eq_ignore_ascii_case(&column.name))
        });
        // What is not known to be one column may be any.
        source(content, known.map(|known| known.name.as_str()))
    });
    let computed = behind.into_iter().flat_map(|behind| {
        let all = behind.columns.iter().filter(|known| {
            let mut shown = table.columns.iter();
            shown.any(|column| column.name.eq_ignore_ascii_case(&known.name))
        });
        all.flat_map(|known| &known.computed_from)
            .map(|read| source(content, Some(read)))
    });
    let further = behind
        .into_iter()
        .flat_map(|behind| behind.sources.iter().cloned());
    columns.chain(computed).chain(further).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::Column;

    fn source(table: &str, column: &str) -> SourceColumn {
        SourceColumn {
            schema: None,
            table: table.into(),
            column: Some(column.into()),
        }
    }

    #[test]
    fn the_content_of_a_full_text_table_is_read() {
        let check = |rest: &str, expected: Option<&str>| {
            let sql = format!("CREATE VIRTUAL TABLE fts USING fts5({rest})");
            assert_eq!(content(&sql).as_deref(), expected, "{rest}");
        };
        check("a, content='customers', content_rowid=id", Some("customers"));
        check("a, CONTENT = \"My Table\"", Some("My Table"));
        check("a, content=customers", Some("customers"));
        check("a, content=''", None);
        check("content, title", None);
    }

    #[test]
    fn what_a_full_text_table_shows_is_its_contents_and_so_is_a_view_of_it() {
        let column = |name: &str| Column {
            name: name.into(),
            ..Column::default()
        };
        let table = |name: &str, columns: &[&str], sources: &[(&str, &str)]| Table {
            name: name.into(),
            columns: columns.iter().map(|name| column(name)).collect(),
            sources: sources
                .iter()
                .map(|(table, column)| source(table, column))
                .collect(),
            ..Table::default()
        };
        let mut schema = Schema {
            tables: vec![
                table("person", &["id", "name", "e_mail"], &[]),
                table("fts", &["Name", "e_mail"], &[]),
                table("found", &["text"], &[("fts", "e_mail")]),
            ],
            ..Schema::default()
        };
        note_sources(&mut schema, &[("fts".into(), "person".into())]);
        let behind = [source("person", "name"), source("person", "e_mail")];
        assert_eq!(schema.tables[0].sources[..], []);
        assert_eq!(schema.tables[1].sources[..], behind);
        assert_eq!(schema.tables[2].sources[1..], behind);
    }
}
