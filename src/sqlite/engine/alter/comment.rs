//! COMMENT ON a table, a column or a view: SQLite keeps comments in the text of these, and nowhere else.

use rusqlite::{Connection, Result};
use sqlparser::{
    ast::{CommentObject, Expr, Ident, ObjectName, Set, Statement},
    dialect::PostgreSqlDialect,
};

use super::{Change, create, edit_schema, fault, find, find_of, folded, quoted, split, text::Text, unused};
use crate::{
    sqlite::engine::{comments, relation_list::ObjectKind},
    statement::{grammar, sqlite_lexer::tokens},
};

/// What stands behind `COMMENT ON`; `None` for what has no place for one.
pub(super) fn read(tokens: &[&str]) -> Option<Change> {
    let [kind, name @ .., is, text] = tokens else {
        return None;
    };
    let kind = match kind.to_ascii_lowercase().as_str() {
        "table" => CommentObject::Table,
        "column" => CommentObject::Column,
        "view" => CommentObject::View,
        _ => return None,
    };
    if !is.eq_ignore_ascii_case("is") {
        return None;
    }
    let text = if text.eq_ignore_ascii_case("null") {
        None
    } else {
        Some(string(text)?)
    };
    Some(Change::Comment(kind, object(&name.concat())?, text))
}

/// A name as the grammar reads it.
fn object(name: &str) -> Option<ObjectName> {
    let statement = format!("COMMENT ON COLUMN {name} IS NULL");
    let read = grammar::read_to_keep(
        &PostgreSqlDialect {},
        &statement,
        |mut statements| match statements.pop() {
            Some(Statement::Comment { object_name, .. }) => Some(object_name),
            _ => None,
        },
    );
    read.ok()?
}

/// A string in any of the ways in which one is written: COMMENT itself is not read with all of them.
fn string(text: &str) -> Option<String> {
    let statement = format!("SET comment.text = {text}");
    let read = grammar::read_to_keep(&PostgreSqlDialect {}, &statement, |mut statements| {
        let Some(Statement::Set(Set::SingleAssignment { mut values, .. })) = statements.pop() else {
            return None;
        };
        match values.pop()? {
            Expr::Value(value) => value.value.into_string(),
            _ => None,
        }
    });
    read.ok()?
}

/// Gives a table, a view or a column a comment, or takes it away.
pub(super) fn set(
    connection: &Connection,
    kind: CommentObject,
    name: &ObjectName,
    comment: Option<&str>,
) -> Result<()> {
    if kind == CommentObject::View {
        return set_of_view(connection, name, comment);
    }
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
        return Err(
            match (
                find_of(connection, ObjectKind::View, schema.as_deref(), &name)?,
                column,
            ) {
                (None, _) => fault("42P01", format!("relation \"{name}\" does not exist")),
                (Some(_), None) => fault("42809", format!("\"{name}\" is not a table")),
                (Some(_), Some(_)) => fault(
                    "0A000",
                    "COMMENT ON COLUMN of a view is not supported on a SQLite file",
                ),
            },
        );
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
            &format!("/* {} */", comments::enclosed(comment)),
        );
    }
    // This finds what would make the text no CREATE TABLE any more.
    let copy = unused(connection, &found.schema, "new")?;
    create(connection, &found.schema, &copy, &sql)?;
    connection.execute_batch(&format!("DROP TABLE {}.{}", quoted(&found.schema), quoted(&copy)))?;
    let edit = format!(
        "UPDATE {}.sqlite_schema SET sql = ?1 WHERE type = 'table' AND name = ?2",
        quoted(&found.schema)
    );
    edit_schema(connection, &found.schema, || {
        connection.execute(&edit, [&sql, &found.name]).map(|_| ())
    })
}

/// A view's comment stands behind its name.
fn set_of_view(connection: &Connection, name: &ObjectName, comment: Option<&str>) -> Result<()> {
    let (schema, name) = split(name)?;
    let Some(found) = find_of(connection, ObjectKind::View, schema.as_deref(), &name)? else {
        return Err(match find(connection, schema.as_deref(), &name)? {
            Some(_) => fault("42809", format!("\"{name}\" is not a view")),
            None => fault("42P01", format!("relation \"{name}\" does not exist")),
        });
    };
    let mut sql = comments::without_view_s(&found.sql);
    let behind_name = tokens(&sql).map(|(at, token)| at + token.len()).nth(2);
    if let (Some(at), Some(comment)) = (behind_name, comment) {
        let lines: Vec<String> = comment
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| format!(" -- {}\n", line.trim()))
            .collect();
        sql.insert_str(at, &lines.concat());
    }
    let edit = format!(
        "UPDATE {}.sqlite_schema SET sql = ?1 WHERE type = 'view' AND name = ?2",
        quoted(&found.schema)
    );
    edit_schema(connection, &found.schema, || {
        connection.execute(&edit, [&sql, &found.name]).map(|_| ())
    })
}
