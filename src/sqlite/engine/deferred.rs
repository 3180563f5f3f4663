//! A foreign key that is checked when the transaction ends, or when it is told to: which one is violated, SQLite tells on
//! request.

use rusqlite::Result;

use super::{
    binding,
    command::Parameters,
    running,
    violation::{Violation, quoted, refers_nowhere},
};
use crate::{
    backend::{BackendError, Value},
    sqlite::catalog::Named,
};

impl Violation<'_> {
    /// The first key without what it refers to.
    pub(super) fn deferred(&self) -> Result<Option<BackendError>> {
        self.first_of(|_| true)
    }

    /// The first of certain keys without what it refers to.
    pub(super) fn first_of(&self, is_meant: impl Fn(&Named) -> bool) -> Result<Option<BackendError>> {
        let mut statement = self.connection.prepare("PRAGMA foreign_key_check")?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            let (table, row, key): (String, Option<i64>, i64) = (row.get(0)?, row.get(1)?, row.get(3)?);
            if let Some(named) = self.of_number(&table, key)?
                && is_meant(named)
            {
                return self.of_row(&table, row, named).map(Some);
            }
        }
        Ok(None)
    }

    /// A table's key by SQLite's number.
    fn of_number(&self, table: &str, number: i64) -> Result<Option<&Named>> {
        let columns: Vec<String> = self
            .connection
            .prepare_cached(
                "SELECT \"from\" FROM pg_catalog.pragma_foreign_key_list(?1) WHERE id = ?2 ORDER BY seq",
            )?
            .query_map((table, number), |row| row.get(0))?
            .collect::<Result<_>>()?;
        let fits = |named: &&Named| {
            named.kind == 'f' && named.table.eq_ignore_ascii_case(table) && named.columns == columns
        };
        Ok(self.named.iter().find(fits))
    }

    fn of_row(&self, table: &str, row: Option<i64>, named: &Named) -> Result<BackendError> {
        let mut detail = None;
        if let (Some(row), Some((target, _))) = (row, &named.target) {
            let list: Vec<String> = named.columns.iter().map(|column| quoted(column)).collect();
            let sql = format!(
                "SELECT {} FROM {} WHERE rowid = ?1",
                list.join(", "),
                quoted(table)
            );
            let mut statement = self.connection.prepare(&sql)?;
            binding::bind(&mut statement, &Parameters::Given(vec![Value::Integer(row)]))?;
            if let Some(values) = statement.raw_query().next()?.map(running::values).transpose()? {
                let key = self.key(named, &values)?;
                detail = Some(format!("Key {key} is not present in table \"{target}\"."));
            }
        }
        Ok(refers_nowhere(table, named, detail))
    }
}
