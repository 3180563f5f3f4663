//! SET CONSTRAINTS: keys that wait for the end of the transaction, and those that are looked at now.

use rusqlite::{Connection, Result, ffi};

use super::{
    super::{
        catalog_model, errors, guard::Mode, key_modes::KeyModes, running::Running, session::Session,
        violation::Violation,
    },
    fault, named, violated,
};
use crate::backend::BackendError;

/// What SET CONSTRAINTS asks for.
pub(in crate::sqlite::engine) struct Asked {
    /// `None` for ALL.
    names: Option<Vec<String>>,
    deferred: bool,
}

/// The words behind SET CONSTRAINTS.
pub(super) fn read(tokens: &[&str]) -> Option<Asked> {
    let (last, names) = tokens.split_last()?;
    let deferred = match last.to_ascii_lowercase().as_str() {
        "deferred" => true,
        "immediate" => false,
        _ => return None,
    };
    if matches!(names, [all] if all.eq_ignore_ascii_case("all")) {
        return Some(Asked {
            names: None,
            deferred,
        });
    }
    let name = |tokens: &[&str]| match tokens {
        [name] | [_, ".", name] => Some(named(name)),
        _ => None,
    };
    let names = names
        .split(|token| *token == ",")
        .map(name)
        .collect::<Option<_>>()?;
    Some(Asked {
        names: Some(names),
        deferred,
    })
}

/// True while a key of this transaction refers to nothing.
fn are_broken(connection: &Connection) -> bool {
    let (mut now, mut highest) = (0, 0);
    #[allow(unsafe_code, reason = "this one counter has no other way out")]
    // SAFETY: the handle is open, and SQLite writes to the two places before it returns.
    let code = unsafe {
        ffi::sqlite3_db_status(
            connection.handle(),
            ffi::SQLITE_DBSTATUS_DEFERRED_FKS,
            &raw mut now,
            &raw mut highest,
            0,
        )
    };
    code != ffi::SQLITE_OK || now > 0
}

impl Session<'_> {
    /// Lets keys wait, or looks whether those that did are in order by now.
    pub(super) fn set_constraints(&self, asked: &Asked) -> Result<()> {
        let connection = &self.own.connection;
        let all = catalog_model::constraints(connection)?;
        for name in asked.names.iter().flatten() {
            let mut found = all
                .iter()
                .filter(|key| key.kind != 'i' && key.name == *name)
                .peekable();
            if found.peek().is_none() {
                return Err(fault("42704", format!("constraint \"{name}\" does not exist")));
            }
            if asked.deferred && !found.all(|key| key.deferrable) {
                return Err(fault("42809", format!("constraint \"{name}\" is not deferrable")));
            }
        }
        let context = self.worker.watch.session_context();
        let mut modes = context.key_modes();
        modes.set(asked.names.as_deref(), asked.deferred);
        if modes.let_wait() {
            // Until the transaction ends: to switch this off would forget what it let wait.
            connection.execute_batch("PRAGMA defer_foreign_keys = ON")?;
            context.let_keys_wait();
        }
        if !asked.deferred
            && are_broken(connection)
            && let Some(error) = self.first_too_late(&modes)?
        {
            return Err(violated::told(error));
        }
        context.set_key_modes(modes);
        Ok(())
    }

    /// The first key that refers to nothing and does not wait.
    fn first_too_late(&self, modes: &KeyModes) -> Result<Option<BackendError>> {
        let connection = &self.own.connection;
        let named = catalog_model::constraints(connection)?;
        Violation::of_transaction(connection, named).first_of(|key| !modes.waits(key))
    }

    /// After SET CONSTRAINTS a statement that leaves a key without what it refers to, where that does not wait, has failed:
    /// the transaction goes no further, and what was written goes with it.
    pub(in crate::sqlite::engine) fn with_its_keys<'c>(
        &self,
        running: Running<'c>,
    ) -> std::result::Result<Running<'c>, BackendError> {
        let connection = &self.own.connection;
        let context = self.worker.watch.session_context();
        let modes = context.key_modes();
        let is_open = (!modes.are_declared() || context.keys_wait())
            && running.mode == Mode::Client
            && !connection.is_autocommit()
            && are_broken(connection);
        if !is_open {
            return Ok(running);
        }
        let late = self
            .own
            .guard
            .during(Mode::Internal, || self.first_too_late(&modes));
        match late {
            Ok(None) => Ok(running),
            // Which key it was, the statement's own rows tell best.
            Ok(Some(_)) => Err(BackendError::new("23503", "FOREIGN KEY constraint failed")),
            Err(error) => Err(errors::from_sqlite(&error, "SET CONSTRAINTS")),
        }
    }
}
