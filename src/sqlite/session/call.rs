//! `FunctionCall`: a function by its number, as libpq calls those of large objects.

use bytes::{Bytes, BytesMut};

use crate::{
    backend::Value,
    pgtypes::{Format, encode_value},
    sqlite::engine,
    statement,
};

use super::{error::SessionError, plan::Detail, run::Session};

impl Session {
    /// Calls it as SELECT would, and sends its value. `ReadyForQuery` is the caller's.
    pub(super) async fn call_function(
        &mut self,
        function: u32,
        arguments: Vec<(Format, Option<Bytes>)>,
        format: Format,
    ) -> Result<(), SessionError> {
        self.check_not_failed()?;
        let Some((name, types)) = engine::function_called(function) else {
            return Err(SessionError::failed(
                "42883",
                format!("function with OID {function} does not exist"),
            ));
        };
        if types.len() != arguments.len() {
            return Err(SessionError::failed(
                "08P01",
                format!(
                    "function call message contains {} arguments but function requires {}",
                    arguments.len(),
                    types.len()
                ),
            ));
        }
        let marks: Vec<String> = (1..=types.len()).map(|at| format!("${at}")).collect();
        let sql = format!("SELECT pg_catalog.{name}({})", marks.join(", "));
        self.connection.session_context().runs(&sql);
        let statements = statement::read(&sql, &self.options());
        let [statement] = statements.as_slice() else {
            return Err(SessionError::failed(
                "0A000",
                format!("{name} cannot be called so"),
            ));
        };
        let prepared = self.plan(&sql, statement, Detail::Described(&types)).await?;
        let values = arguments
            .iter()
            .zip(&prepared.types)
            .map(|((format, bytes), ty)| ty.read(*format, bytes.as_deref(), self.settings.zone()))
            .collect::<Result<Vec<Value>, _>>()?;
        let mut outcome = self.open(&prepared, values).await?;
        let mut value = Value::Null;
        loop {
            let (rows, done) = self.next_rows(&mut outcome.rows, 2).await?;
            if let Some(first) = rows.into_iter().next().and_then(|row| row.into_iter().next()) {
                value = first;
            }
            if done {
                break;
            }
        }
        self.apply_effects()?;
        let mut sent = BytesMut::new();
        let ty = outcome.columns.first().map(|column| column.ty);
        let ty = ty.unwrap_or(crate::backend::SqlType::Text);
        encode_value(&value, ty, format, self.settings.styles(), &mut sent)?;
        self.end_implicit().await?;
        self.client.out.function_call_response(&sent);
        Ok(())
    }
}
