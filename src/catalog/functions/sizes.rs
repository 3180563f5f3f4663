//! How much room things take.

use rusqlite::{
    Connection, Result,
    functions::{Context, FunctionFlags},
};

use super::{number, scalar};

/// Units, each 1024 of the one before.
const UNITS: [&str; 6] = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/// As PostgreSQL rounds: up to 10,240 of a unit are told in it.
fn pretty(bytes: i64) -> String {
    let (mut size, mut unit) = (bytes as f64, 0);
    while size.abs() >= 10_240.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{} {}", size.round(), UNITS[unit])
}

/// Adds them.
pub(super) fn add(connection: &Connection) -> Result<()> {
    scalar(connection, "pg_size_pretty", &[1], |context| {
        Ok(number(context, 0)?.map(pretty))
    })?;
    let any = FunctionFlags::SQLITE_UTF8;
    for name in ["pg_database_size", "pg_tablespace_size"] {
        connection.create_scalar_function(name, 1, any, database_size)?;
    }
    // A table's own pages are counted by reading them all: not told, since somebody only wants to look.
    for (name, arguments) in [
        ("pg_table_size", 1),
        ("pg_relation_size", 1),
        ("pg_relation_size", 2),
        ("pg_total_relation_size", 1),
        ("pg_indexes_size", 1),
    ] {
        connection.create_scalar_function(name, arguments, any, |_| Ok(None::<i64>))?;
    }
    Ok(())
}

fn database_size(context: &Context<'_>) -> Result<i64> {
    #[allow(unsafe_code, reason = "the size is the connection's to tell")]
    // SAFETY: the connection outlives the call, and nothing of it is kept.
    let connection = unsafe { context.get_connection()? };
    let sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    connection.query_row(sql, [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_as_postgresql_tells_them() {
        for (bytes, told) in [
            (0, "0 bytes"),
            (8192, "8192 bytes"),
            (10_240, "10 kB"),
            (3_145_728, "3072 kB"),
            (20 << 20, "20 MB"),
        ] {
            assert_eq!(super::pretty(bytes), told);
        }
    }
}
