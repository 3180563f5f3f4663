//! `has_table_privilege` and its like: whoever is connected may do everything, as far as the file can be written.

use std::sync::Arc;

use rusqlite::{
    Connection, Result,
    functions::{Context, FunctionFlags},
};

use super::{failed, names, number, text};
use crate::sqlite::catalog::{
    content::Catalog,
    definitions::{find, fixed_rows, relations},
    model::{INFORMATION_SCHEMA, Model, OWNER, PG_CATALOG},
    rows::Key,
};

/// What a privilege is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Object {
    Table,
    Column,
    AnyColumn,
    Schema,
    Database,
    Sequence,
    /// Something that nobody can change here.
    Other,
}

/// Functions with the number of their arguments without a user, what they are for, and the privileges that there are.
const FUNCTIONS: [(&str, i32, Object, &[&str]); 13] = {
    use Object::{AnyColumn, Column, Database, Other, Schema, Sequence, Table};
    const OF_TABLES: &[&str] = &[
        "SELECT",
        "INSERT",
        "UPDATE",
        "DELETE",
        "TRUNCATE",
        "REFERENCES",
        "TRIGGER",
    ];
    const OF_COLUMNS: &[&str] = &["SELECT", "INSERT", "UPDATE", "REFERENCES"];
    [
        ("has_table_privilege", 2, Table, OF_TABLES),
        ("has_column_privilege", 3, Column, OF_COLUMNS),
        ("has_any_column_privilege", 2, AnyColumn, OF_COLUMNS),
        ("has_schema_privilege", 2, Schema, &["CREATE", "USAGE"]),
        (
            "has_database_privilege",
            2,
            Database,
            &["CREATE", "CONNECT", "TEMPORARY", "TEMP"],
        ),
        (
            "has_sequence_privilege",
            2,
            Sequence,
            &["USAGE", "SELECT", "UPDATE"],
        ),
        ("has_foreign_data_wrapper_privilege", 2, Other, &["USAGE"]),
        ("has_function_privilege", 2, Other, &["EXECUTE"]),
        ("has_language_privilege", 2, Other, &["USAGE"]),
        ("has_parameter_privilege", 2, Other, &["SET", "ALTER SYSTEM"]),
        ("has_server_privilege", 2, Other, &["USAGE"]),
        ("has_tablespace_privilege", 2, Other, &["CREATE"]),
        ("has_type_privilege", 2, Other, &["USAGE"]),
    ]
};

/// Adds them.
pub(super) fn add(connection: &Connection, catalog: &Arc<Catalog>) -> Result<()> {
    for (name, arguments, object, known) in FUNCTIONS {
        for with_user in [false, true] {
            let catalog = Arc::clone(catalog);
            let count = arguments + i32::from(with_user);
            connection.create_scalar_function(name, count, FunctionFlags::SQLITE_UTF8, move |context| {
                let first = usize::from(with_user);
                if with_user && !is_role(&catalog, context)? {
                    return Ok(None);
                }
                let Some(wanted) = text(context, context.len() - 1)? else {
                    return Ok(None);
                };
                let wanted = privileges(&wanted, known)?;
                let model = catalog.model();
                let Some(place) = place(&model, context, first, object)? else {
                    return Ok(None);
                };
                // The catalogue is read, and nothing else.
                let reads = [
                    "SELECT",
                    "USAGE",
                    "CONNECT",
                    "TEMPORARY",
                    "TEMP",
                    "EXECUTE",
                    "SET",
                ];
                let held = wanted.iter().any(|wanted| reads.contains(&wanted.as_str()));
                if held {
                    return Ok(Some(true));
                }
                match place {
                    ObjectScope::Catalog => Ok(Some(false)),
                    ObjectScope::Schema(schema) => Ok(Some(is_writable(context, &schema)?)),
                }
            })?;
        }
    }
    Ok(())
}

/// Where an object is.
enum ObjectScope {
    /// Among PostgreSQL's own.
    Catalog,
    /// In this schema, as SQLite names it.
    Schema(String),
}

/// The words of `SELECT, INSERT WITH GRANT OPTION`.
fn privileges(wanted: &str, known: &[&str]) -> Result<Vec<String>> {
    let read = |word: &str| {
        let word = word.trim().to_uppercase();
        let bare = word.trim_end_matches(" WITH GRANT OPTION").to_owned();
        if known.contains(&bare.as_str()) {
            Ok(bare)
        } else {
            Err(failed(format!(
                "unrecognized privilege type: \"{}\"",
                word.to_lowercase()
            )))
        }
    };
    wanted.split(',').map(read).collect()
}

/// True for whoever is connected; others have to be known at least.
fn is_role(catalog: &Catalog, context: &Context<'_>) -> Result<bool> {
    let Some(name) = text(context, 0)? else {
        return Ok(false);
    };
    let key = match number(context, 0)? {
        Some(OWNER) => return Ok(true),
        Some(oid) => ("oid", Key::Integer(oid)),
        None => ("rolname", Key::Text(name.clone())),
    };
    if name == catalog.client.user || name == "public" {
        return Ok(true);
    }
    let known = find("pg_catalog", "pg_authid").is_some_and(|relation| {
        let column = relation.columns.iter().position(|column| column.name == key.0);
        column.is_some_and(|column| !fixed_rows(relation).find(column, &key.1).is_empty())
    });
    if known {
        Ok(true)
    } else {
        Err(failed(format!("role \"{name}\" does not exist")))
    }
}

/// Where the object is that the arguments name; `None` for NULL and for a number of nothing.
fn place(model: &Model, context: &Context<'_>, first: usize, object: Object) -> Result<Option<ObjectScope>> {
    let Some(name) = text(context, first)? else {
        return Ok(None);
    };
    let number = number(context, first)?;
    match object {
        Object::Other => Ok(Some(ObjectScope::Catalog)),
        Object::Database => {
            let is_own = number.is_some() || name == model.database;
            if is_own {
                Ok(Some(ObjectScope::Schema("main".to_owned())))
            } else {
                Err(failed(format!("database \"{name}\" does not exist")))
            }
        }
        Object::Schema => {
            let Some(oid) = number.or_else(|| names::schema_number(model, &name)) else {
                return Err(failed(format!("schema \"{name}\" does not exist")));
            };
            let known = model.schemas().into_iter().find(|(known, _)| *known == oid);
            Ok(match (oid, known) {
                (PG_CATALOG | INFORMATION_SCHEMA, _) => Some(ObjectScope::Catalog),
                (_, Some((_, "public"))) => Some(ObjectScope::Schema("main".to_owned())),
                (_, Some((_, "pg_temp"))) => Some(ObjectScope::Schema("temp".to_owned())),
                (_, Some((_, name))) => Some(ObjectScope::Schema(name.to_owned())),
                (_, None) => None,
            })
        }
        Object::Table | Object::AnyColumn | Object::Sequence | Object::Column => {
            let Some(oid) = number.or_else(|| names::relation_number(model, &name)) else {
                return Err(failed(format!("relation \"{name}\" does not exist")));
            };
            let Some(own) = model.relation(oid) else {
                let known = relations()
                    .iter()
                    .any(|known| known.oid == oid && known.kind != "f");
                return Ok(known.then_some(ObjectScope::Catalog));
            };
            let table = &model.tables[own.table];
            if object == Object::Column {
                let column = text(context, first + 1)?.unwrap_or_default();
                let is_there = match column.parse::<usize>() {
                    Ok(position) => (1..=table.columns.len()).contains(&position),
                    Err(_) => table.position(&column) != 0,
                };
                if !is_there {
                    return Err(failed(format!(
                        "column \"{column}\" of relation \"{name}\" does not exist"
                    )));
                }
            }
            Ok(Some(ObjectScope::Schema(table.schema.clone())))
        }
    }
}

/// True where the file of a schema may be written.
fn is_writable(context: &Context<'_>, schema: &str) -> Result<bool> {
    #[allow(unsafe_code, reason = "whether it may write is the connection's to tell")]
    // SAFETY: the connection outlives the call, and nothing of it is kept.
    let connection = unsafe { context.get_connection()? };
    let query_only: bool = connection.pragma_query_value(None, "query_only", |row| row.get(0))?;
    Ok(!query_only && (schema == "temp" || !connection.is_readonly(schema)?))
}

#[cfg(test)]
mod tests {
    use super::privileges;

    #[test]
    fn privileges_are_words_that_are_known() {
        let known = &["SELECT", "INSERT"];
        assert_eq!(
            privileges("select, INSERT with grant option", known).unwrap(),
            ["SELECT", "INSERT"]
        );
        assert!(privileges("select, drive", known).is_err());
        assert!(privileges("", known).is_err());
    }
}
