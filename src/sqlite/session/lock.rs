//! LOCK TABLE: SQLite locks the whole file, for one writer at a time.

use crate::statement::Span;

use super::{
    error::SessionError,
    run::Session,
    sql::Sql,
    transaction::{Block, only_in_block},
};

impl Session {
    /// Waits for the lock until the transaction's end. A lock that keeps nobody from writing needs none.
    pub(super) async fn lock_tables(
        &mut self,
        sql: &Sql,
        tables: &[Span],
        writes: bool,
    ) -> Result<(), SessionError> {
        if self.transaction.block() == Block::None {
            return Err(only_in_block("LOCK TABLE"));
        }
        if writes {
            self.check_writable("LOCK TABLE")?;
        }
        for table in tables {
            let table = sql.part(*table);
            let before = if writes { "DELETE FROM " } else { "SELECT 1 FROM " };
            let query = format!("{before}{} WHERE false", table.as_str());
            self.command(&query).await?;
        }
        Ok(())
    }
}
