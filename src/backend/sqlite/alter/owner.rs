//! Sequences that are kept know the column that owns them by its name, which follows where that is renamed.

use rusqlite::{Connection, Result};
use sqlparser::ast::{AlterTableOperation, RenameTableNameKind};

use super::{Found, exists, folded, quoted, split};

pub(super) fn follow(connection: &Connection, found: &Found, renamed: &AlterTableOperation) -> Result<()> {
    let schema = quoted(&found.schema);
    let kept = format!("SELECT 1 FROM {schema}.sqlite_schema WHERE name = 'querent_sequences'");
    if !exists(connection, &kept)? {
        return Ok(());
    }
    let (column, old, new) = match renamed {
        AlterTableOperation::RenameTable {
            table_name: RenameTableNameKind::To(new) | RenameTableNameKind::As(new),
        } => ("owned_table", found.name.clone(), split(new)?.1),
        AlterTableOperation::RenameColumn {
            old_column_name,
            new_column_name,
        } => ("owned_column", folded(old_column_name), folded(new_column_name)),
        _ => return Ok(()),
    };
    let sql = format!(
        "UPDATE {schema}.querent_sequences SET {column} = ?3 WHERE owned_table = ?1 AND {column} = ?2"
    );
    connection.execute(&sql, [&found.name, &old, &new]).map(|_| ())
}
