//! The packets before authentication, which have no type byte.

use bytes::{Buf, Bytes, BytesMut};

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
    Session(SessionStart),
}

/// A packet that begins a session. Whoever serves the session reads what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStart {
    /// The packet as it came, with its length.
    pub packet: Bytes,
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
    let whole = buffer.split_to(length).freeze();
    let mut packet = whole.slice(4..);
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
        _ => Ok(Some(StartupPacket::Session(SessionStart { packet: whole }))),
    }
}

impl SessionStart {
    /// The protocol's version: the major number and the minor.
    pub fn version(&self) -> (u16, u16) {
        let number = |at: usize| u16::from_be_bytes([self.packet[at], self.packet[at + 1]]);
        (number(4), number(6))
    }

    /// `user`, `database`, `application_name` and so on, in the client's order; an error for what a server of
    /// protocol 3 does not take.
    pub fn parameters(&self) -> Result<Vec<(String, String)>, WireError> {
        let (major, minor) = self.version();
        if major != 3 {
            return Err(WireError::Framing(format!(
                "unsupported frontend protocol {major}.{minor}: server supports 3.0 to 3.2"
            )));
        }
        parameters(&self.packet[8..])
    }

    /// The value of a parameter as PostgreSQL takes it: the last one of that name, in whatever encoding.
    /// `None` also where the packet makes no sense.
    pub fn parameter(&self, name: &str) -> Option<&[u8]> {
        let mut rest = &self.packet[8..];
        let mut found = None;
        loop {
            let (key, value);
            (key, rest) = c_string(rest)?;
            if key.is_empty() {
                return found.filter(|_| self.version().0 == 3);
            }
            (value, rest) = c_string(rest)?;
            if key == name.as_bytes() {
                found = Some(value);
            }
        }
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
    let (text, behind) = c_string(rest).ok_or_else(invalid_layout)?;
    *rest = behind;
    std::str::from_utf8(text)
        .map(str::to_owned)
        .map_err(|_| WireError::Framing("startup packet is not UTF-8".into()))
}

/// The bytes up to the next NUL, and what follows it.
fn c_string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((&bytes[..end], &bytes[end + 1..]))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn start(version: u32, rest: &[u8]) -> SessionStart {
        let mut bytes = BytesMut::new();
        bytes.extend_from_slice(&(rest.len() as u32 + 8).to_be_bytes());
        bytes.extend_from_slice(&version.to_be_bytes());
        bytes.extend_from_slice(rest);
        let all = bytes.clone();
        match take_startup(&mut bytes) {
            Ok(Some(StartupPacket::Session(start))) => {
                assert_eq!(start.packet, all);
                start
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn any_version_is_kept_as_it_came() {
        assert_eq!(start((3 << 16) + 9999, b"\0").version(), (3, 9999));
        let old = start(2 << 16, &[0; 288]);
        assert_eq!(old.version(), (2, 0));
        assert!(old.parameters().is_err());
        assert_eq!(old.parameter("user"), None);
    }

    #[test]
    fn the_last_of_a_name_counts_as_in_postgresql() {
        let check = |rest: &[u8], user: Option<&[u8]>| {
            assert_eq!(start(3 << 16, rest).parameter("user"), user);
        };
        check(b"user\0alice\0user\0bob\0\0", Some(b"bob"));
        check(b"user\0Jos\xe9\0\0", Some(b"Jos\xe9"));
        check(b"database\0user\0\0", None);
        check(b"user\0alice\0", None);
        check(b"user\0alice", None);
        check(b"", None);
    }
}
