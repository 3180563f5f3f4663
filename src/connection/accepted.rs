//! A connection on which a client has said what it wants: where both legs take over from the server.

use std::net::IpAddr;

use bytes::BytesMut;
use pgwire::api::auth::sasl::scram::ScramServerAuth;

use crate::{connection::Stream, wire::SessionStart};

/// A connection whose startup message has been read.
pub struct AcceptedConnection {
    /// The rest of the conversation.
    pub stream: Box<dyn Stream>,
    /// What was read behind the startup message.
    pub received: BytesMut,
    /// The client's address; `None` on a unix socket.
    pub peer: Option<IpAddr>,
    /// Whether it is encrypted.
    pub encrypted: bool,
    /// Whether it is within the program: no socket, and nobody else hears it.
    pub inside: bool,
    /// The user that the console has found whoever asks to be, where it is within the program.
    pub proven: Option<String>,
    /// How the client began; nobody has answered yet.
    pub start: SessionStart,
    /// SCRAM that knows the certificate of this connection.
    pub channel_binding: Option<ScramServerAuth>,
}
