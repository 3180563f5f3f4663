//! Frames: one type byte, four bytes of length that count themselves, the body.

use bytes::{Buf, Bytes, BytesMut};

use super::WireError;

/// One message, its body not looked into yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The type byte.
    pub tag: u8,
    /// What follows the length.
    pub body: Bytes,
}

/// Messages that are short by nature; PostgreSQL's `PQ_SMALL_MESSAGE_LIMIT`.
const SMALL_MESSAGE: usize = 10_000;

/// Takes the next frame once it is there in full; `None` asks for more bytes.
/// A frame longer than `limit` bytes, or one that no message can be, is an error at once:
/// nothing is ever reserved by the declared length.
pub fn take_frame(buffer: &mut BytesMut, limit: usize) -> Result<Option<Frame>, WireError> {
    let Some(&tag) = buffer.first() else {
        return Ok(None);
    };
    let cap = match tag {
        b'Q' | b'P' | b'B' | b'd' | b'F' => limit,
        // Passwords and names.
        b'p' | b'C' | b'D' | b'E' | b'f' | b'H' | b'S' | b'X' | b'c' => SMALL_MESSAGE.min(limit),
        other => {
            return Err(WireError::Framing(format!(
                "invalid frontend message type {other}"
            )));
        }
    };
    if buffer.len() < 5 {
        return Ok(None);
    }
    let declared = u32::from_be_bytes([buffer[1], buffer[2], buffer[3], buffer[4]]) as usize;
    if declared < 4 {
        return Err(WireError::Framing("invalid message length".into()));
    }
    if declared - 4 > cap {
        return Err(WireError::Framing(format!(
            "message of {declared} bytes is longer than the {cap} allowed"
        )));
    }
    if buffer.len() < declared + 1 {
        return Ok(None);
    }
    buffer.advance(5);
    let body = buffer.split_to(declared - 4).freeze();
    Ok(Some(Frame { tag, body }))
}
