//! The simple protocol: a string of statements, all of them one implicit transaction.

use crate::{
    backend::ResultColumn,
    pgtypes::Format,
    statement::{self, ClientStatement, Statement},
    wire::Field,
};

use super::{
    error::SessionError,
    plan::{Detail, Plan, no_parameter},
    run::Session,
};

impl Session {
    /// Runs a Query message up to its first error. `ReadyForQuery` is the caller's.
    pub(super) async fn simple_query(&mut self, text: &str) -> Result<(), SessionError> {
        // As in PostgreSQL, a Query forgets the unnamed statement and portal.
        self.connection.session_context().runs(text);
        self.statements.remove("");
        self.portals.remove("");
        let text = match self.with_short_names(text).await {
            Ok(text) => text,
            Err(error) => return self.fail(error).await,
        };
        let text = text.as_ref();
        let statements = statement::read(text, &self.options());
        let is_something =
            |statement: &&ClientStatement| !matches!(statement.statement, Ok(Statement::Empty));
        let count = statements.iter().filter(is_something).count();
        if count == 0 {
            self.client.out.empty_query();
            return Ok(());
        }
        for (at, statement) in statements.iter().filter(is_something).enumerate() {
            self.has_more = at + 1 < count;
            let done = self.simple_statement(text, statement, count > 1).await;
            self.has_more = false;
            if let Err(error) = done {
                return self.fail(error).await;
            }
        }
        Ok(())
    }

    async fn simple_statement(
        &mut self,
        text: &str,
        statement: &ClientStatement,
        together: bool,
    ) -> Result<(), SessionError> {
        self.begin_statement();
        self.flush_if_full().await?;
        let prepared = self.plan(text, statement, Detail::Nothing).await?;
        if together && !prepared.stays_outside() {
            self.begin_implicit().await?;
        }
        if matches!(prepared.plan, Plan::AskAtBind(_)) || !prepared.types.is_empty() {
            return Err(no_parameter(statement.span.of(text)));
        }
        let mut outcome = self.open(&prepared, vec![]).await?;
        let columns = outcome.columns.clone();
        let formats = self.row_formats(&prepared.plan, columns.len());
        if !columns.is_empty() {
            self.client.out.row_description(&fields(&columns, &formats));
        }
        let sent = self.send(&mut outcome, &columns, &formats, 0).await?;
        // As in PostgreSQL, what the client is told to be done is committed, where nothing follows it.
        if !self.has_more {
            self.end_implicit().await?;
        }
        self.complete(&outcome, sent.unwrap_or_default());
        Ok(())
    }
}

/// The description of columns in these formats.
pub(super) fn fields(columns: &[ResultColumn], formats: &[Format]) -> Vec<Field> {
    columns
        .iter()
        .zip(formats)
        .map(|(column, format)| Field {
            name: column.name.clone(),
            oid: column.ty.oid(),
            size: column.ty.size(),
            modifier: column.modifier,
            origin: column.origin,
            format: *format,
        })
        .collect()
}
