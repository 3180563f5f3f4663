//! The second connection of a session, on which questions are read.

use std::cell::OnceCell;

use super::{
    open::{self, Guarded, Purpose},
    session::Session,
};

impl Session<'_> {
    /// Opens the read-only connection for questions where it is not yet; false if that cannot be.
    pub(super) fn open_read_connection(&self, read_connection: &OnceCell<Guarded>) -> bool {
        if read_connection.get().is_some() {
            return true;
        }
        let worker = self.worker;
        let purpose = Purpose::Questions(&worker.client);
        let opened = open::connect(
            worker.database.path(),
            worker.database.options(),
            &worker.watch,
            purpose,
        );
        match opened {
            Ok(guarded) => read_connection.set(guarded).is_ok(),
            Err(error) => {
                tracing::debug!(%error, "no second connection for questions; using the session's own");
                false
            }
        }
    }
}
