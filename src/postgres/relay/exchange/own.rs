//! The name of Querent's own statements, portals and savepoints on a session's connection.

use std::sync::Arc;

use bytes::{BufMut, BytesMut};

use crate::postgres::introspection::unguessable_name;

/// A name for one session, so that no client's own can meet it.
#[derive(Debug, Clone)]
pub(in crate::postgres::relay) struct Own(Arc<str>);

impl Own {
    /// A name that nobody can know.
    pub(super) fn random() -> Self {
        Self(unguessable_name().into())
    }

    pub(in crate::postgres::relay) fn as_str(&self) -> &str {
        &self.0
    }

    /// Appends it as messages have names.
    pub(in crate::postgres::relay) fn put(&self, body: &mut BytesMut) {
        body.put_slice(self.0.as_bytes());
        body.put_u8(0);
    }

    /// `SAVEPOINT` of this name.
    pub(in crate::postgres::relay) fn savepoint(&self) -> String {
        format!("SAVEPOINT {}", self.0)
    }

    /// Goes on without it.
    pub(in crate::postgres::relay) fn release(&self) -> String {
        format!("RELEASE SAVEPOINT {}", self.0)
    }

    /// Goes back to it.
    pub(in crate::postgres::relay) fn roll_back(&self) -> String {
        format!("ROLLBACK TO SAVEPOINT {}", self.0)
    }
}
