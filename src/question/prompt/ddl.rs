//! A schema as CREATE TABLE statements: what language models read best.

use std::fmt::Write;

use super::{Excerpt, Values, data, held};
use crate::question::schema::{
    self, Column, ColumnKind, ColumnRef, Dialect, ForeignKey, Schema, Snapshot, Table,
};

/// Tables behind a view that are named.
const MOST_BEHIND: usize = 4;
/// Characters of a declared type.
const LONGEST_TYPE: usize = 40;

/// The part of the schema that an excerpt chose, as compact CREATE TABLE statements with comments.
pub fn schema_text(snapshot: &Snapshot, excerpt: &Excerpt, values: Values) -> String {
    let writer = Writer::new(snapshot, excerpt, values);
    let mut text = String::new();
    for at in 0..excerpt.tables.len() {
        writer.table(at, &mut text);
    }
    if excerpt.left_out > 0 {
        let s = if excerpt.left_out == 1 { "" } else { "s" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "-- {} more table{s} left out", excerpt.left_out);
    }
    text.trim_end().to_owned()
}

/// All tables as CREATE TABLE statements with types and declared keys: nothing else.
pub fn plain_schema(snapshot: &Snapshot) -> String {
    let schema = &snapshot.schema;
    let mut text = String::new();
    for (at, table) in schema.tables.iter().enumerate() {
        let mut parts: Vec<String> = table
            .columns
            .iter()
            .map(|column| definition(table, column, snapshot.dialect))
            .collect();
        parts.extend(primary_key(table, snapshot.dialect));
        let own = |key: &&ForeignKey| key.declared && key.from.first().is_some_and(|from| from.table == at);
        parts.extend(
            schema
                .foreign_keys
                .iter()
                .filter(own)
                .map(|key| foreign_key(snapshot, key)),
        );
        let kind = if table.is_view { "VIEW" } else { "TABLE" };
        let name = table_name(table, snapshot.dialect);
        let _ = writeln!(text, "CREATE {kind} {name} (\n  {}\n);\n", parts.join(",\n  "));
    }
    text.trim_end().to_owned()
}

/// A table as FROM names it.
pub(super) fn table_name(table: &Table, dialect: Dialect) -> String {
    let name = identifier(&table.name, dialect);
    match &table.schema {
        Some(schema) if table.qualified => format!("{}.{name}", identifier(schema, dialect)),
        _ => name,
    }
}

/// `table.column`, with the table's own name.
pub(super) fn column_name(schema: &Schema, at: ColumnRef, dialect: Dialect) -> String {
    let table = &schema.tables[at.table];
    format!(
        "{}.{}",
        table_name(table, dialect),
        identifier(&schema.column(at).name, dialect)
    )
}

fn identifier(name: &str, dialect: Dialect) -> String {
    schema::identifier(&data::name(name), dialect)
}

fn definition(table: &Table, column: &Column, dialect: Dialect) -> String {
    typed(
        table,
        column,
        &data::line(&column.declared_type, LONGEST_TYPE),
        dialect,
    )
}

fn typed(table: &Table, column: &Column, declared: &str, dialect: Dialect) -> String {
    let mut text = identifier(&column.name, dialect);
    if !declared.is_empty() {
        text.push(' ');
        text.push_str(declared);
    }
    let alone = matches!(table.primary_key.as_slice(), [only] if table.columns[*only].name == column.name);
    if alone {
        text.push_str(" PRIMARY KEY");
    }
    text
}

/// A primary key of several columns.
fn primary_key(table: &Table, dialect: Dialect) -> Option<String> {
    let names: Vec<String> = table
        .primary_key
        .iter()
        .map(|column| identifier(&table.columns[*column].name, dialect))
        .collect();
    (names.len() > 1).then(|| format!("PRIMARY KEY ({})", names.join(", ")))
}

fn foreign_key(snapshot: &Snapshot, key: &ForeignKey) -> String {
    let schema = &snapshot.schema;
    let list = |columns: &[ColumnRef]| {
        let names: Vec<String> = columns
            .iter()
            .map(|at| identifier(&schema.column(*at).name, snapshot.dialect))
            .collect();
        names.join(", ")
    };
    let target = key.to.first().map_or(0, |to| to.table);
    format!(
        "FOREIGN KEY ({}) REFERENCES {} ({})",
        list(&key.from),
        table_name(&schema.tables[target], snapshot.dialect),
        list(&key.to)
    )
}

/// Writes the tables of an excerpt.
pub(super) struct Writer<'a> {
    snapshot: &'a Snapshot,
    excerpt: &'a Excerpt,
    values: Values,
    /// By position in the excerpt: the keys from a table to tables of the excerpt, as positions in the schema.
    keys: Vec<Vec<usize>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, excerpt: &'a Excerpt, values: Values) -> Self {
        let mut keys = vec![Vec::new(); excerpt.tables.len()];
        for (at, key) in snapshot.schema.foreign_keys.iter().enumerate() {
            let place = |end: Option<&ColumnRef>| excerpt.tables.binary_search(&end?.table).ok();
            if let (Some(from), Some(_)) = (place(key.from.first()), place(key.to.first())) {
                keys[from].push(at);
            }
        }
        Self::with_keys(snapshot, excerpt, values, keys)
    }

    /// For those who know the keys already.
    pub(super) fn with_keys(
        snapshot: &'a Snapshot,
        excerpt: &'a Excerpt,
        values: Values,
        keys: Vec<Vec<usize>>,
    ) -> Self {
        Self {
            snapshot,
            excerpt,
            values,
            keys,
        }
    }

    /// The table at a position of the excerpt.
    pub(super) fn table(&self, at: usize, text: &mut String) {
        let dialect = self.snapshot.dialect;
        let position = self.excerpt.tables[at];
        let table = &self.snapshot.schema.tables[position];
        let shown = self.excerpt.columns.get(at).and_then(Option::as_ref);
        // Each line with what is said of it behind the comma.
        let mut lines: Vec<(String, Vec<String>)> = Vec::new();
        for (column, described) in table.columns.iter().enumerate() {
            if shown.is_none_or(|shown| shown.contains(&column)) {
                let at = ColumnRef {
                    table: position,
                    column,
                };
                let definition = match described.declared_type.as_str() {
                    "" => typed(table, described, type_of(described.kind), dialect),
                    _ => definition(table, described, dialect),
                };
                lines.push((definition, self.notes(at, described)));
            }
        }
        lines.extend(primary_key(table, dialect).map(|line| (line, Vec::new())));
        for &key in &self.keys[at] {
            let key = &self.snapshot.schema.foreign_keys[key];
            let notes = if key.declared {
                Vec::new()
            } else {
                vec!["inferred".to_owned()]
            };
            lines.push((foreign_key(self.snapshot, key), notes));
        }
        let mut about: Vec<String> = Vec::new();
        if table.is_view {
            about.push(self.view(table));
        }
        about.extend(comment(table.comment.as_deref()));
        let left_out = shown.map_or(0, |shown| table.columns.len() - shown.len());
        if left_out > 0 {
            about.push(format!("{left_out} more columns left out"));
        }
        let _ = writeln!(
            text,
            "CREATE TABLE {} ({}",
            table_name(table, dialect),
            note(&about)
        );
        let last = lines.len().saturating_sub(1);
        for (at, (line, notes)) in lines.iter().enumerate() {
            let comma = if at == last { "" } else { "," };
            let _ = writeln!(text, "  {line}{comma}{}", note(notes));
        }
        text.push_str(");\n");
    }

    /// A view, with the tables behind it that the schema has.
    fn view(&self, view: &Table) -> String {
        let schema = &self.snapshot.schema;
        let mut names: Vec<String> = Vec::new();
        for source in view.sources.iter() {
            let behind = schema.table_named(&source.table).map(|at| &schema.tables[at]);
            let name = behind
                .filter(|table| !table.is_view)
                .map(|table| table_name(table, self.snapshot.dialect));
            names.extend(name.filter(|name| !names.contains(name)));
        }
        if names.is_empty() || names.len() > MOST_BEHIND {
            "view".to_owned()
        } else {
            format!("view of {}", names.join(", "))
        }
    }

    fn notes(&self, at: ColumnRef, column: &Column) -> Vec<String> {
        let mut notes: Vec<String> = comment(column.comment.as_deref()).into_iter().collect();
        notes.extend(held::notes(self.snapshot, at, self.values));
        notes
    }
}

/// A type for a column that has none, by what it holds.
fn type_of(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "INTEGER",
        ColumnKind::Number => "NUMERIC",
        ColumnKind::Boolean => "BOOLEAN",
        ColumnKind::Date => "DATE",
        ColumnKind::Timestamp => "TIMESTAMP",
        _ => "",
    }
}

fn comment(comment: Option<&str>) -> Option<String> {
    comment
        .map(|text| data::line(text, held::LONGEST_COMMENT))
        .filter(|text| !text.is_empty())
}

fn note(parts: &[String]) -> String {
    if parts.is_empty() {
        String::new()
    } else {
        format!(" -- {}", parts.join("; "))
    }
}
