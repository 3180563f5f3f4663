//! What a transaction is: READ ONLY, its isolation, DEFERRABLE. It may be said before anything is read, by several statements
//! and by the settings behind them.

use crate::statement::{IsolationLevel, Scope, SetValue, TransactionModes};

use super::{error::SessionError, run::Session, transaction::Block, variables};

const READ_ONLY: &str = "transaction_read_only";
const ISOLATION: &str = "transaction_isolation";
const DEFERRABLE: &str = "transaction_deferrable";

/// True for a setting that is a transaction's own.
pub(super) fn is_mode(name: &str) -> bool {
    [READ_ONLY, ISOLATION, DEFERRABLE].contains(&name)
}

fn one(value: &str) -> SetValue {
    SetValue::Values(vec![value.to_owned()])
}

fn on(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn isolation_name(level: IsolationLevel) -> &'static str {
    match level {
        IsolationLevel::ReadUncommitted => "read uncommitted",
        IsolationLevel::ReadCommitted => "read committed",
        IsolationLevel::RepeatableRead => "repeatable read",
        IsolationLevel::Serializable => "serializable",
    }
}

fn isolation_named(name: &str) -> Option<IsolationLevel> {
    [
        IsolationLevel::ReadUncommitted,
        IsolationLevel::ReadCommitted,
        IsolationLevel::RepeatableRead,
        IsolationLevel::Serializable,
    ]
    .into_iter()
    .find(|level| isolation_name(*level) == name)
}

impl Session {
    /// `SET name = value`, and what functions set.
    pub(super) fn set_variable(
        &mut self,
        scope: Scope,
        name: &str,
        value: &SetValue,
    ) -> Result<(), SessionError> {
        let local = scope == Scope::Local;
        if is_mode(name) {
            return self.set_mode(name, value);
        }
        if local && self.transaction.block() == Block::None {
            self.warning("25P01", "SET LOCAL can only be used in transaction blocks");
            return Ok(());
        }
        self.settings.set(local, name, value)
    }

    /// A setting of the transaction's own, which ends with it. DEFAULT is what transactions begin with.
    fn set_mode(&mut self, name: &str, value: &SetValue) -> Result<(), SessionError> {
        let value = match (value, variables::find(name)) {
            (SetValue::Values(values), Some(variable)) => variable.check(values)?,
            _ => self.settings.value(&format!("default_{name}")).to_owned(),
        };
        if self.transaction.block() == Block::None {
            return Ok(());
        }
        self.check_mode(name, &value)?;
        self.settings.set(true, name, &one(&value))?;
        if name == READ_ONLY {
            self.transaction.read_only = value == "on";
        }
        Ok(())
    }

    /// Refuses what cannot be said of the transaction any more.
    fn check_mode(&self, name: &str, value: &str) -> Result<(), SessionError> {
        let (nested, queried) = (self.depth() > 0, self.transaction.queried);
        let changes = self.settings.value(name) != value;
        let message = match name {
            READ_ONLY if value == "on" || !self.transaction.read_only => return Ok(()),
            READ_ONLY if nested => "cannot set transaction read-write mode inside a read-only transaction",
            READ_ONLY if queried => "transaction read-write mode must be set before any query",
            ISOLATION if changes && queried => {
                "SET TRANSACTION ISOLATION LEVEL must be called before any query"
            }
            ISOLATION if changes && nested => {
                "SET TRANSACTION ISOLATION LEVEL must not be called in a subtransaction"
            }
            DEFERRABLE if nested => {
                "SET TRANSACTION [NOT] DEFERRABLE cannot be called within a subtransaction"
            }
            DEFERRABLE if queried => "SET TRANSACTION [NOT] DEFERRABLE must be called before any query",
            _ => return Ok(()),
        };
        Err(SessionError::failed("25001", message))
    }

    /// A transaction begins as the session's defaults say.
    pub(super) fn begin_modes(&mut self) -> Result<(), SessionError> {
        for name in [READ_ONLY, ISOLATION, DEFERRABLE] {
            let default = self.settings.value(&format!("default_{name}")).to_owned();
            if self.settings.value(name) != default {
                self.settings.set(true, name, &one(&default))?;
            }
        }
        self.transaction.read_only = self.settings.value(READ_ONLY) == "on";
        Ok(())
    }

    /// What BEGIN and SET TRANSACTION say of the transaction.
    pub(super) fn set_modes(&mut self, modes: TransactionModes) -> Result<(), SessionError> {
        if let Some(isolation) = modes.isolation {
            self.set_mode(ISOLATION, &one(isolation_name(isolation)))?;
        }
        if let Some(read_only) = modes.read_only {
            self.set_mode(READ_ONLY, &one(on(read_only)))?;
        }
        if let Some(deferrable) = modes.deferrable {
            self.set_mode(DEFERRABLE, &one(on(deferrable)))?;
        }
        Ok(())
    }

    /// What the transaction is, for the one that AND CHAIN begins. Of one that failed PostgreSQL knows it no more.
    pub(super) fn modes(&self) -> TransactionModes {
        if self.transaction.block() == Block::Failed {
            return TransactionModes::default();
        }
        TransactionModes {
            isolation: isolation_named(self.settings.value(ISOLATION)),
            read_only: Some(self.transaction.read_only),
            deferrable: Some(self.settings.value(DEFERRABLE) == "on"),
            immediate: false,
        }
    }

    /// Goes back to what the transaction was, with a savepoint.
    pub(super) fn set_read_only(&mut self, read_only: bool) -> Result<(), SessionError> {
        self.transaction.read_only = read_only;
        self.settings.set(true, READ_ONLY, &one(on(read_only)))
    }

    /// `SET TRANSACTION`, and the session's defaults.
    pub(super) fn set_transaction(
        &mut self,
        session: bool,
        modes: TransactionModes,
    ) -> Result<(), SessionError> {
        if session {
            let mut set = |name: &str, value: Option<&str>| match value {
                Some(value) => self.settings.set(false, name, &one(value)),
                None => Ok(()),
            };
            set("default_transaction_read_only", modes.read_only.map(on))?;
            set("default_transaction_deferrable", modes.deferrable.map(on))?;
            return set(
                "default_transaction_isolation",
                modes.isolation.map(isolation_name),
            );
        }
        if self.transaction.block() == Block::None {
            self.warning("25P01", "SET TRANSACTION can only be used in transaction blocks");
            return Ok(());
        }
        self.set_modes(modes)
    }
}
