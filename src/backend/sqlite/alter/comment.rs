//! COMMENT ON TABLE and COMMENT ON COLUMN: SQLite keeps comments in the text of a table, and nowhere else.

use rusqlite::{Connection, Result};
use sqlparser::ast::{CommentObject, Ident, ObjectName};

use super::{create, edit_schema, fault, find, folded, quoted, split, text::Text};
use crate::backend::sqlite::comments;

/// Gives a table or a column a comment, or takes it away.
pub(super) fn set(
    connection: &Connection,
    kind: CommentObject,
    name: &ObjectName,
    comment: Option<&str>,
) -> Result<()> {
    let (table, column) = if kind == CommentObject::Table {
        (name.clone(), None)
    } else {
        let mut parts = name.0.clone();
        let column = parts.pop().and_then(|part| part.as_ident().cloned());
        let column = column.as_ref().map(|ident: &Ident| folded(ident));
        (ObjectName(parts), column)
    };
    let (schema, name) = split(&table)?;
    let Some(found) = find(connection, schema.as_deref(), &name)? else {
        return Err(fault("42P01", format!("relation \"{name}\" does not exist")));
    };
    let columns = Text::read(&found.sql)
        .map(|text| text.columns())
        .unwrap_or_default();
    let position = column.as_ref().map(|column| {
        columns
            .iter()
            .position(|other| other.eq_ignore_ascii_case(column))
    });
    if position == Some(None) {
        let column = column.unwrap_or_default();
        return Err(fault(
            "42703",
            format!("column \"{column}\" of relation \"{name}\" does not exist"),
        ));
    }
    let mut sql = comments::without(&found.sql, &columns, position.flatten());
    if let Some(comment) = comment.filter(|comment| !comment.trim().is_empty())
        && let Some(text) = Text::read(&sql)
    {
        sql = text.remarked(
            column.as_deref(),
            &format!("/* {} */", comment.replace("*/", "* /")),
        );
    }
    // This finds what would make the text no CREATE TABLE any more.
    let copy = "querent:new";
    create(connection, &found.schema, copy, &sql)?;
    connection.execute_batch(&format!("DROP TABLE {}.{}", quoted(&found.schema), quoted(copy)))?;
    let edit = format!(
        "UPDATE {}.sqlite_schema SET sql = ?1 WHERE type = 'table' AND name = ?2",
        quoted(&found.schema)
    );
    edit_schema(connection, &found.schema, || {
        connection.execute(&edit, [&sql, &found.name]).map(|_| ())
    })
}
