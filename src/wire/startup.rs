//! The packets before authentication, which have no type byte.

use bytes::{Buf, BytesMut};

use super::WireError;

/// What opens a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartupPacket {
    /// The client wants TLS.
    Ssl,
    /// The client wants GSSAPI encryption.
    GssEncryption,
    /// Another session's work is to be stopped.
    Cancel {
        /// From that session's `BackendKeyData`.
        process: u32,
        /// From that session's `BackendKeyData`.
        secret: Vec<u8>,
    },
    /// A session begins.
    Session {
        /// The minor version of protocol 3 that the client asked for.
        minor: u16,
        /// `user`, `database`, `application_name` and so on, in the client's order.
        parameters: Vec<(String, String)>,
    },
}

/// PostgreSQL's `MAX_STARTUP_PACKET_LENGTH`.
const LONGEST: usize = 10_000;
const CANCEL: u32 = 80_877_102;
const SSL: u32 = 80_877_103;
const GSS_ENCRYPTION: u32 = 80_877_104;

/// Takes the packet once it is there in full; `None` asks for more bytes.
pub fn take_startup(buffer: &mut BytesMut) -> Result<Option<StartupPacket>, WireError> {
    if buffer.len() < 4 {
        return Ok(None);
    }
    if looks_like_http(buffer) {
        return Err(WireError::Framing(
            "this port speaks the PostgreSQL protocol, not HTTP".into(),
        ));
    }
    let length = u32::from_be_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]) as usize;
    if !(8..=LONGEST).contains(&length) {
        return Err(WireError::Framing("invalid length of startup packet".into()));
    }
    if buffer.len() < length {
        return Ok(None);
    }
    let mut packet = buffer.split_to(length);
    packet.advance(4);
    let code = packet.get_u32();
    let exactly = |wanted: usize| {
        if length == wanted {
            Ok(())
        } else {
            Err(WireError::Framing("invalid length of startup packet".into()))
        }
    };
    match code {
        SSL => exactly(8).map(|()| Some(StartupPacket::Ssl)),
        GSS_ENCRYPTION => exactly(8).map(|()| Some(StartupPacket::GssEncryption)),
        CANCEL => {
            // Protocol 3.2 allows keys of up to 256 bytes.
            if !(16..=12 + 256).contains(&length) {
                return Err(WireError::Framing("invalid length of cancel packet".into()));
            }
            let process = packet.get_u32();
            Ok(Some(StartupPacket::Cancel {
                process,
                secret: packet.to_vec(),
            }))
        }
        _ if code >> 16 == 3 => Ok(Some(StartupPacket::Session {
            minor: code as u16,
            parameters: parameters(&packet)?,
        })),
        _ => Err(WireError::Framing(format!(
            "unsupported frontend protocol {}.{}: server supports 3.0 to 3.2",
            code >> 16,
            code & 0xffff
        ))),
    }
}

fn parameters(mut rest: &[u8]) -> Result<Vec<(String, String)>, WireError> {
    let mut parameters = vec![];
    loop {
        let name = startup_string(&mut rest)?;
        if name.is_empty() {
            break;
        }
        let value = startup_string(&mut rest)?;
        parameters.push((name, value));
    }
    if rest.is_empty() {
        Ok(parameters)
    } else {
        Err(invalid_layout())
    }
}

fn startup_string(rest: &mut &[u8]) -> Result<String, WireError> {
    let end = rest
        .iter()
        .position(|byte| *byte == 0)
        .ok_or_else(invalid_layout)?;
    let text = std::str::from_utf8(&rest[..end])
        .map_err(|_| WireError::Framing("startup packet is not UTF-8".into()))?
        .to_owned();
    *rest = &rest[end + 1..];
    Ok(text)
}

fn invalid_layout() -> WireError {
    WireError::Framing("invalid startup packet layout: expected terminator as last byte".into())
}

fn looks_like_http(buffer: &[u8]) -> bool {
    const METHODS: [&[u8]; 8] = [
        b"GET ", b"POST", b"HEAD", b"PUT ", b"DELE", b"OPTI", b"CONN", b"PATC",
    ];
    METHODS.iter().any(|method| buffer.starts_with(method))
}
