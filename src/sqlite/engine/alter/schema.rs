//! What is done to SQLite's own table of tables, and how its reading of names is set.

use rusqlite::{Connection, Result, config::DbConfig};

use super::quoted;

/// A name for the time of a change that nothing in a schema has.
pub(super) fn unused(connection: &Connection, schema: &str, wanted: &str) -> Result<String> {
    let sql = format!(
        "SELECT 1 FROM {}.sqlite_schema WHERE name = ?1 COLLATE NOCASE OR tbl_name = ?1 COLLATE NOCASE",
        quoted(schema)
    );
    let mut taken = connection.prepare(&sql)?;
    let mut name = format!("querent:{wanted}");
    let mut number = 1;
    while taken.exists([&name])? {
        number += 1;
        name = format!("querent:{wanted} {number}");
    }
    Ok(name)
}

/// Works without SQLite's habit of reading a name in double quotes that it does not know as a string.
pub(in crate::sqlite::engine) fn without_quoted_strings<T>(
    connection: &Connection,
    work: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let set = |on: bool| {
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, on)
            .and_then(|_| connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, on))
    };
    set(false)?;
    let done = work();
    set(true)?;
    done
}

/// Changes the table of tables, which SQLite allows nobody by accident.
pub(super) fn edit_schema(
    connection: &Connection,
    schema: &str,
    edit: impl FnOnce() -> Result<()>,
) -> Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    let edited = connection
        .execute_batch("PRAGMA writable_schema = ON")
        .and_then(|()| {
            edit()?;
            let version: i64 =
                connection.query_row(&format!("PRAGMA {}.schema_version", quoted(schema)), [], |row| {
                    row.get(0)
                })?;
            connection.execute_batch(&format!(
                "PRAGMA {}.schema_version = {}",
                quoted(schema),
                version + 1
            ))
        });
    let reset = connection.execute_batch("PRAGMA writable_schema = RESET");
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    edited.and(reset)
}
