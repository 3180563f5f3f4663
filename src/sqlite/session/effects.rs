//! What the thread of the connection is told before statements, and what their functions ask for: `set_config`, `pg_notify`.

use crate::{
    sqlite::engine::SessionEffect,
    statement::{Dialect, Scope, SetValue},
    wire::{Fields, Severity},
};

use super::{channels::Pending, error::SessionError, run::Session, transaction::Block};

impl Session {
    /// Tells the settings of the moment.
    pub(super) fn publish_settings(&mut self) {
        if let Some(values) = self.settings.unpublished() {
            let untranslated = self.settings.querent().dialect == Dialect::Sqlite;
            self.connection.session_context().publish(values, untranslated);
        }
    }

    /// A statement has failed: what its functions asked for is not done.
    pub(super) fn forget_effects(&mut self) {
        if !self.connection.session_context().effects().is_empty() {
            self.settings.republish();
        }
    }

    /// Does what a statement's functions have asked for.
    pub(super) fn apply_effects(&mut self) -> Result<(), SessionError> {
        for effect in self.connection.session_context().effects() {
            match effect {
                SessionEffect::Notify { channel, payload } => {
                    self.at_commit(Pending::notify(&channel, &payload)?);
                }
                SessionEffect::Notice { sqlstate, message } => {
                    self.notice(&Fields::new(Severity::Notice, sqlstate.as_str(), message));
                }
                // It held for the statement alone, which is over.
                SessionEffect::Set { local: true, .. } if self.transaction.block() == Block::None => {
                    self.settings.republish();
                }
                SessionEffect::Set { name, value, local } => {
                    let scope = if local { Scope::Local } else { Scope::Session };
                    self.settings.republish();
                    self.set_variable(scope, &name.to_lowercase(), &SetValue::Values(vec![value]))?;
                }
            }
        }
        Ok(())
    }
}
