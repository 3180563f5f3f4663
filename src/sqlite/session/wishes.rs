//! What the thread of the connection is told before statements, and what their functions ask for: `set_config`, `pg_notify`.

use crate::{
    sqlite::engine::Wish,
    statement::{Dialect, Scope, SetValue},
};

use super::{channels::Pending, error::SessionError, run::Session, transaction::Block};

impl Session {
    /// Tells the settings of the moment.
    pub(super) fn publish_settings(&mut self) {
        if let Some(values) = self.settings.unpublished() {
            let untranslated = self.settings.querent().dialect == Dialect::Sqlite;
            self.connection.bridge().publish(values, untranslated);
        }
    }

    /// Does what a statement's functions have asked for.
    pub(super) fn grant_wishes(&mut self) -> Result<(), SessionError> {
        for wish in self.connection.bridge().wishes() {
            match wish {
                Wish::Notify { channel, payload } => self.at_commit(Pending::notify(&channel, &payload)?),
                // It held for the statement alone, which is over.
                Wish::Set { local: true, .. } if self.transaction.block() == Block::None => {
                    self.settings.republish();
                }
                Wish::Set { name, value, local } => {
                    let scope = if local { Scope::Local } else { Scope::Session };
                    self.settings.republish();
                    self.set_variable(scope, &name.to_lowercase(), &SetValue::Values(vec![value]))?;
                }
            }
        }
        Ok(())
    }
}
