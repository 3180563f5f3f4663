//! Keys that SQLite numbers by itself, as the sequences that clients know them by.

use rusqlite::{Connection, OptionalExtension as _, Result};

use crate::{
    backend::SqlType,
    sqlite::{decltype, translate::SequenceName},
    statement::sqlite_lexer::quote,
};

/// A key whose numbers SQLite gives by itself.
pub(super) struct Counted<'h> {
    /// Where its table is.
    pub(super) home: &'h str,
    pub(super) table: String,
    pub(super) key: String,
}

impl<'h> Counted<'h> {
    pub(super) fn find(
        connection: &Connection,
        homes: impl Iterator<Item = &'h str>,
        name: &str,
        condition: &str,
    ) -> Result<Option<Self>> {
        for home in homes {
            let sql = format!(
                "SELECT s.name, c.name FROM {}.sqlite_schema AS s, pg_catalog.pragma_table_info(s.name, ?2) AS c \
                 WHERE s.type = 'table' AND ?1 LIKE s.name || '%' AND c.pk = 1 \
                 AND lower(s.name || '_' || c.name || '_seq') = lower(?1) AND {condition}",
                quote(home)
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let found = statement
                .query_row([name, home], |row| {
                    Ok(Self {
                        home,
                        table: row.get(0)?,
                        key: row.get(1)?,
                    })
                })
                .optional()?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The greatest number that the key takes.
    pub(super) fn most(&self, connection: &Connection) -> Result<i64> {
        let sql = format!(
            "SELECT sql FROM {}.sqlite_schema WHERE type = 'table' AND name = ?1",
            quote(self.home)
        );
        let table: String = connection
            .prepare_cached(&sql)?
            .query_row([&self.table], |row| row.get(0))?;
        Ok(match decltype::narrowed_key(&table, &self.key) {
            Some(SqlType::Int2) => i16::MAX.into(),
            Some(SqlType::Int4) => i32::MAX.into(),
            _ => i64::MAX,
        })
    }

    pub(super) fn greatest(&self) -> String {
        format!(
            "SELECT max({}) FROM {}.{}",
            quote(&self.key),
            quote(self.home),
            quote(&self.table)
        )
    }
}

/// Of a key whose numbers SQLite remembers.
pub(super) const REMEMBERED: &str = "s.sql LIKE '%autoincrement%'";
/// Of a key that SQLite numbers, whether it remembers the numbers or not.
pub(super) const NUMBERED: &str = "lower(c.type) = 'integer' \
                        AND (SELECT count(*) FROM pg_catalog.pragma_table_info(s.name, ?2) AS k WHERE k.pk > 0) = 1 \
                        AND NOT EXISTS (SELECT 1 FROM pg_catalog.pragma_index_list(s.name, ?2) AS l WHERE l.origin = 'pk')";

/// The key of the sequence `table_key_seq` where SQLite remembers the numbers that it gave.
pub(super) fn counted(connection: &Connection, sequence: &SequenceName) -> Result<Option<Counted<'static>>> {
    Counted::find(connection, sequence.homes(), &sequence.name, REMEMBERED)
}

/// The key of the sequence `table_key_seq` where SQLite gives the key numbers by itself and remembers none.
pub(super) fn by_greatest(
    connection: &Connection,
    sequence: &SequenceName,
) -> Result<Option<Counted<'static>>> {
    Counted::find(connection, sequence.homes(), &sequence.name, NUMBERED)
}
