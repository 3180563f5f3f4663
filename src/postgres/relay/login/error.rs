//! Why there is no session, and what the client is told of it.

use std::io;

use crate::{
    backend::BackendError,
    error::ClientError,
    scram::{ScramError, ServerRefusal},
    wire::{Fields, Severity},
};

/// What ends a login.
#[derive(Debug)]
pub(in crate::postgres::relay) enum LoginError {
    /// Querent's own reason, which the client has been told.
    Refused(Box<Fields>),
    /// The server's reason, which the client has byte for byte.
    Relayed {
        /// Its code.
        sqlstate: String,
        /// Its words.
        message: String,
    },
    /// The client has gone.
    Lost(io::Error),
}

impl LoginError {
    pub(super) fn new(sqlstate: &str, message: impl Into<String>) -> Self {
        Self::Refused(Box::new(Fields::new(Severity::Fatal, sqlstate, message)))
    }

    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Refused(fields) => Self::Refused(Box::new(fields.with_hint(hint))),
            other => other,
        }
    }

    /// What a client or a server may not say now.
    pub(super) fn protocol(message: impl Into<String>) -> Self {
        Self::new("08P01", message)
    }

    /// The client has closed its end.
    pub(super) fn gone() -> Self {
        Self::Lost(io::ErrorKind::UnexpectedEof.into())
    }

    /// The client has this `ErrorResponse` of the server's.
    pub(super) fn relayed(body: &[u8]) -> Self {
        let field = |code: u8| {
            let mut fields = body.split(|byte| *byte == 0);
            let found = fields.find(|field| field.first() == Some(&code));
            String::from_utf8_lossy(found.map_or(&[], |field| &field[1..])).into_owned()
        };
        // Old servers have no codes: "server rejected the connection".
        let sqlstate = Some(field(b'C')).filter(|code| code.len() == 5);
        Self::Relayed {
            sqlstate: sqlstate.unwrap_or_else(|| "08004".into()),
            message: field(b'M'),
        }
    }

    fn told(error: &dyn ClientError) -> Self {
        Self::Refused(Box::new(Fields::of(error).fatal()))
    }
}

impl From<BackendError> for LoginError {
    fn from(error: BackendError) -> Self {
        Self::told(&error)
    }
}

impl From<ScramError> for LoginError {
    fn from(error: ScramError) -> Self {
        Self::told(&error)
    }
}

impl From<ServerRefusal> for LoginError {
    fn from(error: ServerRefusal) -> Self {
        let hint = match error {
            ServerRefusal::OtherVerifier => {
                "Give auth.users the password itself or the verifier that the server has (pg_authid.rolpassword), \
                 or set auth.auth_query."
            }
            ServerRefusal::Malformed | ServerRefusal::Impostor => {
                "Is it the right server? With sslmode=verify-full its certificate is checked too."
            }
        };
        Self::new("28000", format!("cannot log in to the server: {error}")).with_hint(hint)
    }
}
