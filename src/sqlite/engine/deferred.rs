//! A foreign key that is checked when the transaction ends: which one is violated, SQLite tells on request.

use rusqlite::Result;

use super::{
    binding,
    command::Parameters,
    running,
    violation::{Violation, quoted, refers_nowhere},
};
use crate::backend::{BackendError, Value};

impl Violation<'_> {
    /// The first key without what it refers to.
    pub(super) fn deferred(&self) -> Result<Option<BackendError>> {
        let Some((table, row, key)) = self.first_violation()? else {
            return Ok(None);
        };
        let columns: Vec<String> = self
            .connection
            .prepare("SELECT \"from\" FROM pragma_foreign_key_list(?1) WHERE id = ?2 ORDER BY seq")?
            .query_map((&table, key), |row| row.get(0))?
            .collect::<Result<_>>()?;
        let fits = |named: &&crate::sqlite::catalog::Named| {
            named.kind == 'f' && named.table.eq_ignore_ascii_case(&table) && named.columns == columns
        };
        let Some(named) = self.named.iter().find(fits) else {
            return Ok(None);
        };
        let mut detail = None;
        if let (Some(row), Some((target, _))) = (row, &named.target) {
            let list: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
            let sql = format!(
                "SELECT {} FROM {} WHERE rowid = ?1",
                list.join(", "),
                quoted(&table)
            );
            let mut statement = self.connection.prepare(&sql)?;
            binding::bind(&mut statement, &Parameters::Given(vec![Value::Integer(row)]))?;
            if let Some(values) = statement.raw_query().next()?.map(running::values).transpose()? {
                let key = self.key(named, &values)?;
                detail = Some(format!("Key {key} is not present in table \"{target}\"."));
            }
        }
        Ok(Some(refers_nowhere(&table, named, detail)))
    }

    /// The table, the row and the number of its key.
    fn first_violation(&self) -> Result<Option<(String, Option<i64>, i64)>> {
        let mut statement = self.connection.prepare("PRAGMA foreign_key_check")?;
        let mut rows = statement.raw_query();
        let first = rows.next()?;
        first
            .map(|row| Ok((row.get(0)?, row.get(1)?, row.get(3)?)))
            .transpose()
    }
}
