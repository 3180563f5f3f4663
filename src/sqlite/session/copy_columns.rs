//! Which columns COPY takes and gives: not those that are computed.

use std::sync::Arc;

use crate::{
    backend::{BackendError, Value},
    statement::CopyName,
};

use super::{error::SessionError, run::Session, sql::Sql};

impl Session {
    /// The columns of a table that are not computed, in their order, where it has others too; `None` where it has none of these.
    /// Computed ones that are `named` are refused.
    pub(super) async fn columns_not_computed(
        &mut self,
        table: &Sql,
        named: &[CopyName],
    ) -> Result<Option<Vec<String>>, SessionError> {
        let written = table.as_str().replace('\'', "''");
        let query = format!(
            "SELECT attname, attgenerated <> '' FROM pg_catalog.pg_attribute \
             WHERE attrelid = to_regclass('{written}') AND attnum > 0 ORDER BY attnum"
        );
        let connection = Arc::clone(&self.connection);
        let rows = self
            .work(async move {
                let mut found = connection.run(&query, vec![]).await?;
                let mut rows = vec![];
                loop {
                    let chunk = found.next(0).await?;
                    rows.extend(chunk.rows);
                    if chunk.done {
                        return Ok::<_, BackendError>(rows);
                    }
                }
            })
            .await?;
        let (mut computed, mut others) = (vec![], vec![]);
        for row in rows {
            let [Value::Text(name), Value::Integer(is_computed)] = &row[..] else {
                continue;
            };
            let name = String::from_utf8_lossy(name).into_owned();
            if *is_computed == 1 {
                computed.push(name);
            } else {
                others.push(name);
            }
        }
        let refused = named
            .iter()
            .find(|named| computed.iter().any(|name| name.eq_ignore_ascii_case(&named.name)));
        if let Some(CopyName { name, .. }) = refused {
            let message = format!("column \"{name}\" is a generated column");
            return Err(SessionError::failed("42P10", message)
                .map(|fields| fields.with_detail("Generated columns cannot be used in COPY.")));
        }
        Ok((!computed.is_empty()).then_some(others))
    }
}
