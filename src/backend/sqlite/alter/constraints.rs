//! SET CONSTRAINTS and TRUNCATE of several tables: keys that wait for a while, and are looked at then.

use rusqlite::{Connection, OptionalExtension as _, Result, ffi};
use sqlparser::ast::{Truncate, TruncateIdentityOption};

use super::{fault, find, quoted, split, string};

/// Lets all keys wait, or looks whether those that did are in order by now.
pub(super) fn set(connection: &Connection, deferred: bool) -> Result<()> {
    if deferred {
        return connection.execute_batch("PRAGMA defer_foreign_keys = ON");
    }
    // Switching this off forgets what it let wait.
    if !are_broken(connection) {
        return connection.execute_batch("PRAGMA defer_foreign_keys = OFF");
    }
    let sql = "SELECT \"table\", parent FROM pragma_foreign_key_check";
    let found: Option<(String, String)> = connection
        .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match found {
        Some((table, _)) => {
            let words = format!("insert or update on table \"{table}\" violates a foreign key constraint");
            Err(fault("23503", words))
        }
        None => Ok(()),
    }
}

/// Empties tables, the keys between which do not matter meanwhile.
pub(super) fn truncate(connection: &Connection, truncate: &Truncate) -> Result<()> {
    let mut found = vec![];
    for target in &truncate.table_names {
        let (schema, name) = split(&target.name)?;
        match find(connection, schema.as_deref(), &name)? {
            Some(table) => found.push(table),
            None => return Err(fault("42P01", format!("relation \"{name}\" does not exist"))),
        }
    }
    connection.execute_batch("PRAGMA defer_foreign_keys = ON")?;
    for table in &found {
        let schema = quoted(&table.schema);
        let referring = "SELECT list.name FROM pragma_table_list AS list \
             JOIN pragma_foreign_key_list(list.name, list.schema) AS key WHERE key.\"table\" = ?1 COLLATE NOCASE";
        let names: Vec<String> = connection
            .prepare(referring)?
            .query_map([&table.name], |row| row.get(0))?
            .collect::<Result<_>>()?;
        let outside = |name: &&String| !found.iter().any(|table| table.name.eq_ignore_ascii_case(name));
        if let Some(name) = names.iter().find(outside) {
            let words = format!(
                "cannot truncate a table referenced in a foreign key constraint: table \"{name}\" references \"{}\"",
                table.name
            );
            return Err(fault("0A000", words));
        }
        connection.execute_batch(&format!("DELETE FROM {schema}.{}", quoted(&table.name)))?;
        if matches!(truncate.identity, Some(TruncateIdentityOption::Restart)) {
            let numbered = table.sql.to_ascii_uppercase().contains("AUTOINCREMENT");
            if numbered {
                let name = string(&table.name);
                connection.execute_batch(&format!(
                    "DELETE FROM {schema}.sqlite_sequence WHERE name = {name}"
                ))?;
            }
        }
    }
    set(connection, false)
}

/// True while a key of this transaction refers to nothing.
fn are_broken(connection: &Connection) -> bool {
    let (mut now, mut highest) = (0, 0);
    #[allow(unsafe_code, reason = "this one counter has no other way out")]
    // SAFETY: the handle is open, and SQLite writes to the two places before it returns.
    let code = unsafe {
        ffi::sqlite3_db_status(
            connection.handle(),
            ffi::SQLITE_DBSTATUS_DEFERRED_FKS,
            &raw mut now,
            &raw mut highest,
            0,
        )
    };
    code != ffi::SQLITE_OK || now > 0
}
