//! ALTER VIEW: SQLite has no such statement, so a view is made anew under its new name or with the new name of a column.

use rusqlite::{Connection, Result};
use sqlparser::ast::{AlterTable, AlterTableOperation, RenameTableNameKind};

use super::{
    Change, FoundTable, Named, dependents, fault, find_of, folded, missing, named, place, quoted, split,
};
use crate::{
    sqlite::{
        engine::relation_list::ObjectKind,
        translate::{named_text, written},
    },
    statement::sqlite_lexer::tokens,
};

/// What of a view gets another name.
pub(in crate::sqlite::engine) enum Renamed {
    Itself,
    Column(String),
    /// Nothing that SQLite knows of, such as its owner.
    Nothing,
}

/// What stands behind `ALTER VIEW`.
pub(super) fn read(tokens: &[&str]) -> Option<Change> {
    let is = |token: &str, word: &str| token.eq_ignore_ascii_case(word);
    let (if_exists, tokens) = match tokens {
        [first, second, rest @ ..] if is(first, "if") && is(second, "exists") => (true, rest),
        all => (false, all),
    };
    // The names of the database and of the schema may stand before it.
    let at = 2 * tokens
        .iter()
        .skip(1)
        .step_by(2)
        .take_while(|token| **token == ".")
        .count();
    let schema = (at > 0).then(|| place(tokens[at - 2]));
    let name = named(tokens.get(at)?);
    let (new, renamed) = match &tokens[at + 1..] {
        [rename, to, new] if is(rename, "rename") && is(to, "to") => (Some(named(new)), Renamed::Itself),
        [rename, column, old, to, new] if is(rename, "rename") && is(column, "column") && is(to, "to") => {
            (Some(named(new)), Renamed::Column(named(old)))
        }
        [rename, old, to, new] if is(rename, "rename") && is(to, "to") => {
            (Some(named(new)), Renamed::Column(named(old)))
        }
        [owner, to, _] if is(owner, "owner") && is(to, "to") => (None, Renamed::Nothing),
        _ => return None,
    };
    let view = Named {
        schema,
        name,
        if_exists,
        new,
    };
    Some(Change::View(view, renamed))
}

/// What ALTER TABLE asks of a view, which may stand in a table's place; `None` where there is no such view.
pub(super) fn of_table(
    connection: &Connection,
    alter: &AlterTable,
    (schema, view): (Option<&str>, &str),
) -> Result<Option<(Named, Renamed)>> {
    if find_of(connection, ObjectKind::View, schema, view)?.is_none() {
        return Ok(None);
    }
    let (new, renamed) = match alter.operations.as_slice() {
        [
            AlterTableOperation::RenameTable {
                table_name: RenameTableNameKind::To(new) | RenameTableNameKind::As(new),
            },
        ] => (Some(split(new)?.1), Renamed::Itself),
        [
            AlterTableOperation::RenameColumn {
                old_column_name,
                new_column_name,
            },
        ] => (
            Some(folded(new_column_name)),
            Renamed::Column(folded(old_column_name)),
        ),
        [AlterTableOperation::OwnerTo { .. }] => (None, Renamed::Nothing),
        _ => {
            return Err(fault(
                "42809",
                format!("ALTER action cannot be performed on relation \"{view}\": it is a view"),
            ));
        }
    };
    let named = Named {
        schema: schema.map(str::to_owned),
        name: view.to_owned(),
        if_exists: false,
        new,
    };
    Ok(Some((named, renamed)))
}

/// Gives a view or one of its columns a new name.
pub(super) fn rename(connection: &Connection, view: &Named, renamed: &Renamed) -> Result<()> {
    let Some(found) = find_of(connection, ObjectKind::View, view.schema.as_deref(), &view.name)? else {
        return missing(connection, &view.name, view.if_exists);
    };
    let Some(new) = &view.new else {
        return Ok(());
    };
    let FoundTable {
        schema,
        name,
        sql: written,
    } = found;
    let place = quoted(&schema);
    let (columns, query) = parts(&written).ok_or_else(|| fault("42809", "the view cannot be read"))?;
    let made = |name: &str, columns: &str| format!("CREATE VIEW {place}.{} {columns} {query}", quoted(name));
    let made = match renamed {
        Renamed::Column(old) => {
            let before = column_names(connection, (&schema, &name))?;
            let after = with_column(&name, &before, (old, new))?;
            let made = made(&name, &with_names(columns, &before, &after));
            match written::kept(&written) {
                Some(told) => written::keep(written::without(&made), &named_text(told, &after)),
                None => made,
            }
        }
        _ => made(new, columns),
    };
    if matches!(renamed, Renamed::Itself) {
        let sql = format!("SELECT 1 FROM {place}.sqlite_schema WHERE name = ?1 COLLATE NOCASE");
        if connection.prepare(&sql)?.exists([new])? {
            return Err(fault("42P07", format!("relation \"{new}\" already exists")));
        }
    }
    let before = dependents::broken_views(connection)?;
    connection.execute_batch(&format!("DROP VIEW {place}.{}; {made}", quoted(&name)))?;
    if dependents::broken_views(connection)? == before {
        return Ok(());
    }
    Err(fault(
        "0A000",
        "renaming what other views read of a view is not supported on a SQLite file",
    ))
}

/// The names of the columns where they are told, and `AS SELECT …`.
fn parts(sql: &str) -> Option<(&str, &str)> {
    let tokens: Vec<(usize, &str)> = tokens(sql).collect();
    // CREATE VIEW name [(column, …)] AS …
    let (start, name) = tokens.get(2)?;
    let (query, _) = tokens[3..]
        .iter()
        .find(|(_, token)| token.eq_ignore_ascii_case("as"))?;
    Some((sql[start + name.len()..*query].trim(), &sql[*query..]))
}

fn column_names(connection: &Connection, (schema, view): (&str, &str)) -> Result<Vec<String>> {
    let mut statement =
        connection.prepare("SELECT name FROM pg_catalog.pragma_table_info(?1, ?2) ORDER BY cid")?;
    let names = statement.query_map([view, schema], |row| row.get(0))?;
    names.collect()
}

/// The names of a view's columns with a new one for one of them.
fn with_column(view: &str, names: &[String], (old, new): (&str, &str)) -> Result<Vec<String>> {
    let is = |name: &str, other: &str| name.eq_ignore_ascii_case(other);
    if !names.iter().any(|name| is(name, old)) {
        return Err(fault("42703", format!("column \"{old}\" does not exist")));
    }
    if names.iter().any(|name| is(name, new)) {
        let words = format!("column \"{new}\" of relation \"{view}\" already exists");
        return Err(fault("42701", words));
    }
    let renamed = names.iter().map(|name| if is(name, old) { new } else { name });
    Ok(renamed.map(str::to_owned).collect())
}

/// A list of columns with other names, and with what is told of their types.
fn with_names(list: &str, before: &[String], after: &[String]) -> String {
    let words: Vec<(usize, &str)> = tokens(list)
        .filter(|(_, token)| !matches!(*token, "(" | "," | ")"))
        .collect();
    if words.len() != before.len() {
        let names: Vec<String> = after.iter().map(|name| quoted(name)).collect();
        return format!("({})", names.join(", "));
    }
    let mut text = String::new();
    let mut end = 0;
    for ((at, word), name) in words.into_iter().zip(after) {
        text.push_str(&list[end..at]);
        text.push_str(&quoted(name));
        end = at + word.len();
    }
    text + &list[end..]
}
