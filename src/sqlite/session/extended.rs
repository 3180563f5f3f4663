//! The extended protocol: Parse, Bind, Describe, Execute, Close, Sync.

use std::sync::Arc;

use bytes::Bytes;

use crate::{
    backend::{ResultColumn, SqlType, Value},
    pgtypes::Format,
    sqlite::engine::{Holding, Kept},
    statement::{self, Statement},
    wire::Target,
};

use super::{
    error::SessionError,
    parameters,
    plan::{Detail, Named, Plan, Prepared},
    portal::{Portal, PortalState},
    run::Session,
    simple::fields,
    transaction::Block,
};

impl Session {
    pub(super) async fn parse(
        &mut self,
        name: String,
        sql: &str,
        types: Vec<u32>,
    ) -> Result<(), SessionError> {
        self.begin_statement();
        self.connection.session_context().runs(sql);
        // As in PostgreSQL, the unnamed statement goes whatever becomes of this one.
        self.statements.remove("");
        let short = self.with_short_names(sql).await?;
        let statements = statement::read(&short, &self.options());
        let mut something = statements
            .iter()
            .filter(|statement| !matches!(statement.statement, Ok(Statement::Empty)));
        let prepared = match (something.next(), something.next()) {
            (_, Some(_)) => {
                return Err(SessionError::failed(
                    "42601",
                    "cannot insert multiple commands into a prepared statement",
                ));
            }
            (None, None) => Prepared {
                plan: Plan::Empty,
                types: parameters::types(&types, &[], false),
                columns: vec![],
            },
            (Some(statement), None) => self.plan(&short, statement, Detail::Described(&types)).await?,
        };
        if self.statements.contains_key(&name) {
            return Err(SessionError::failed(
                "42P05",
                format!("prepared statement \"{name}\" already exists"),
            ));
        }
        let held = (!name.is_empty()).then(|| {
            let kept = Kept::prepared(prepared.types.iter().map(|ty| ty.oid), false);
            self.connection
                .session_context()
                .holds(Holding::new(&name, sql, kept))
        });
        self.statements.insert(name, Named::new(prepared, held));
        self.client.out.parse_complete();
        Ok(())
    }

    pub(super) async fn bind(
        &mut self,
        name: String,
        statement: &str,
        parameters: Vec<(Format, Option<Bytes>)>,
        formats: Vec<Format>,
    ) -> Result<(), SessionError> {
        let mut prepared = Arc::clone(self.prepared(statement)?);
        if parameters.len() != prepared.types.len() {
            return Err(SessionError::failed(
                "08P01",
                format!(
                    "bind message supplies {} parameters, but prepared statement \"{statement}\" requires {}",
                    parameters.len(),
                    prepared.types.len()
                ),
            ));
        }
        if !prepared.ends_transaction() {
            self.check_not_failed()?;
        }
        if !name.is_empty() && self.portals.contains_key(&name) {
            return Err(SessionError::failed(
                "42P03",
                format!("cursor \"{name}\" already exists"),
            ));
        }
        if let Some(present) = self.named_anew(&prepared) {
            prepared = Arc::new(present);
        }
        let mut values = parameters
            .iter()
            .zip(&prepared.types)
            .map(|((format, bytes), ty)| ty.read(*format, bytes.as_deref(), self.settings.zone()))
            .collect::<Result<Vec<Value>, _>>()?;
        let mut bound = None;
        if let Plan::AskAtBind(_) = prepared.plan {
            self.begin_statement();
            let (asked, from, settled) = self.bind_late(prepared, &values).await?;
            (prepared, bound) = (asked, Some(from));
            // What was described as text for want of a better is now what the answer compares it with.
            for (at, ty) in settled.iter().enumerate() {
                let was_told = prepared.types.get(at).is_none_or(|ty| ty.told().is_some());
                if !was_told && let Some((_, Some(bytes))) = parameters.get(at) {
                    values[at] = ty.read(Format::Text, Some(bytes), self.settings.zone())?;
                }
            }
        }
        let columns = prepared.columns.len();
        let formats = match formats.as_slice() {
            [] => vec![Format::Text; columns],
            [one] => vec![*one; columns],
            many if many.len() == columns => formats,
            many => {
                return Err(SessionError::failed(
                    "08P01",
                    format!(
                        "bind message has {} result formats but query has {columns} columns",
                        many.len()
                    ),
                ));
            }
        };
        let depth = self.depth();
        let portal = Portal {
            bound,
            ..Portal::new(prepared, values, formats, depth)
        };
        self.portals.insert(name, portal);
        self.client.out.bind_complete();
        Ok(())
    }

    pub(super) fn describe(&mut self, target: &Target) -> Result<(), SessionError> {
        let (prepared, formats) = match target {
            Target::Statement(name) => {
                let prepared = Arc::clone(self.prepared(name)?);
                self.check_tellable(&prepared)?;
                let oids: Vec<u32> = prepared.types.iter().map(|ty| ty.oid).collect();
                self.client.out.parameter_description(&oids);
                let formats = vec![Format::Text; prepared.columns.len()];
                (prepared, formats)
            }
            Target::Portal(name) => {
                let portal = self.portals.get(name).ok_or_else(|| no_portal(name))?;
                self.check_tellable(&portal.prepared)?;
                let portal = self.portals.get_mut(name).ok_or_else(|| no_portal(name))?;
                if let Some(bound) = portal.bound.take() {
                    bound.described(&portal.prepared.columns);
                }
                (Arc::clone(&portal.prepared), portal.formats.clone())
            }
        };
        if let (Plan::AskAtBind(late), Target::Statement(_)) = (&prepared.plan, target) {
            late.described();
        }
        if prepared.columns.is_empty() {
            self.client.out.no_data();
        } else {
            self.client
                .out
                .row_description(&fields(&prepared.columns, &formats));
        }
        Ok(())
    }

    pub(super) async fn execute(&mut self, name: String, max_rows: usize) -> Result<(), SessionError> {
        self.begin_statement();
        let portal = self.portals.get(&name).ok_or_else(|| no_portal(&name))?;
        let prepared = Arc::clone(&portal.prepared);
        if !prepared.ends_transaction() && !matches!(prepared.plan, Plan::Empty) {
            self.check_not_failed()?;
        }
        let mut portal = self.portals.remove(&name).ok_or_else(|| no_portal(&name))?;
        portal.settle()?;
        let prepared = Arc::clone(&portal.prepared);
        if let Plan::Database { sql, .. } | Plan::Session { sql, .. } = &prepared.plan {
            self.connection.session_context().runs(sql.as_str());
        }
        // With Sync at hand, the statement is the whole of its transaction, and SQLite's own will do.
        let alone = self.client.next_tag() == Some(b'S');
        if self.transaction.block() == Block::None && !alone && !prepared.stays_outside() {
            self.begin_implicit().await?;
        }
        let mut outcome = match std::mem::replace(&mut portal.state, PortalState::Done) {
            PortalState::New => {
                let parameters = std::mem::take(&mut portal.parameters);
                self.open(&prepared, parameters).await?
            }
            PortalState::Running(outcome) => outcome,
            PortalState::Cursor(scroll) => {
                portal.state = PortalState::Cursor(scroll);
                self.portals.insert(name, portal);
                return Err(SessionError::failed(
                    "0A000",
                    "a cursor of DECLARE is read by FETCH",
                ));
            }
            PortalState::Done => {
                return if prepared.columns.is_empty() {
                    Err(SessionError::failed(
                        "55000",
                        format!("portal \"{name}\" cannot be run"),
                    ))
                } else {
                    self.portals.insert(name, portal);
                    self.client.out.command_complete("SELECT 0");
                    Ok(())
                };
            }
        };
        let sent = if prepared.columns.is_empty() {
            if !outcome.columns.is_empty() {
                return Err(changed_result());
            }
            self.send(&mut outcome, &[], &[], 0).await?
        } else {
            if !are_told(&prepared.columns, &outcome.columns) {
                return Err(changed_result());
            }
            self.send(&mut outcome, &prepared.columns, &portal.formats, max_rows)
                .await?
        };
        if let Some(count) = sent {
            self.complete(&outcome, count);
        } else {
            self.client.out.portal_suspended();
            portal.state = PortalState::Running(outcome);
        }
        // A statement that ended the transaction has ended its portals, this one included.
        if !prepared.ends_transaction() {
            self.portals.insert(name, portal);
        }
        Ok(())
    }

    /// What is not told of in a failed transaction: rows that cannot be had.
    fn check_tellable(&self, prepared: &Prepared) -> Result<(), SessionError> {
        if prepared.ends_transaction() || prepared.columns.is_empty() {
            return Ok(());
        }
        self.check_not_failed()
    }

    pub(super) fn close(&mut self, target: Target) {
        match target {
            Target::Statement(name) => {
                self.statements.remove(&name);
            }
            Target::Portal(name) => {
                self.portals.remove(&name);
            }
        }
        self.client.out.close_complete();
    }

    pub(super) async fn sync(&mut self) -> Result<(), SessionError> {
        // It has the time of a statement, however long ago the last one began.
        self.begin_statement();
        self.end_implicit().await
    }

    pub(super) fn prepared(&self, name: &str) -> Result<&Arc<Prepared>, SessionError> {
        let found = self.statements.get(name).map(|named| &named.prepared);
        found.ok_or_else(|| {
            let message = if name.is_empty() {
                "unnamed prepared statement does not exist".to_owned()
            } else {
                format!("prepared statement \"{name}\" does not exist")
            };
            SessionError::failed("26000", message).map(|fields| fields.with_routine("FetchPreparedStatement"))
        })
    }
}

fn no_portal(name: &str) -> SessionError {
    SessionError::failed("34000", format!("portal \"{name}\" does not exist"))
}

/// True if a result's columns are those that the client was told of when it was prepared. What was text for want of a better
/// may hold anything, and is shown as text.
pub(super) fn are_told(told: &[ResultColumn], now: &[ResultColumn]) -> bool {
    let is_told = |(told, now): (&ResultColumn, &ResultColumn)| {
        let is_any_text = told.guessed && told.ty == SqlType::Text;
        told.name == now.name && (is_any_text || (told.ty == now.ty && told.modifier == now.modifier))
    };
    told.len() == now.len() && told.iter().zip(now).all(is_told)
}

/// Drivers know this error by where PostgreSQL has it from, and prepare the statement again.
pub(super) fn changed_result() -> SessionError {
    SessionError::failed("0A000", "cached plan must not change result type")
        .with_hint("The tables have changed since the statement was prepared: prepare it again.")
        .map(|fields| fields.with_routine("RevalidateCachedQuery"))
}
