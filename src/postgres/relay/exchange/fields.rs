//! The fields of `ErrorResponse` and `NoticeResponse`, read and written as bytes in the client's encoding.

use bytes::{BufMut, BytesMut};

use super::{Sent, c_string};
use crate::wire::{Encoding, Fields, ServerMessages};

/// The SQLSTATE.
pub(super) fn sqlstate(body: &[u8]) -> Option<&[u8]> {
    read(body).find(|(code, _)| *code == b'C').map(|(_, text)| text)
}

/// True for an error that ends the session.
pub(super) fn is_fatal(body: &[u8]) -> bool {
    read(body).any(|(code, text)| code == b'V' && text != b"ERROR")
}

/// True if the server stopped a statement because its `statement_timeout` has passed, not because somebody asked for it.
/// They have one SQLSTATE; a server that speaks another language than English says it in its own words.
pub(super) fn is_statement_timeout(body: &[u8]) -> bool {
    read(body).any(|(code, text)| code == b'M' && text == b"canceling statement due to statement timeout")
}

/// Appends an error or a notice of Querent's.
pub(in crate::postgres::relay) fn put(fields: &Fields, encoding: Encoding, out: &mut BytesMut) {
    let mut message = ServerMessages::default();
    message.error_or_notice(fields);
    let message = message.take();
    if encoding.is_utf8() {
        out.extend_from_slice(&message);
        return;
    }
    frame(out, message[0], |out| {
        for (code, text) in read(&message[5..]) {
            out.put_u8(code);
            out.put_slice(&encoding.encode_lossy(&String::from_utf8_lossy(text)));
            out.put_u8(0);
        }
    });
}

/// Appends an error of the server's, its position told in the client's own text; false if it has none.
pub(super) fn put_relocated(body: &[u8], sent: &Sent, encoding: Encoding, out: &mut BytesMut) -> bool {
    let position = read(body)
        .find(|(code, _)| *code == b'P')
        .and_then(|(_, text)| std::str::from_utf8(text).ok()?.parse().ok());
    let Some(position) = position else {
        return false;
    };
    let place = sent.place(position);
    let internal = read(body).any(|(code, _)| code == b'q');
    frame(out, b'E', |out| {
        let mut field = |code: u8, text: &[u8]| {
            out.put_u8(code);
            out.put_slice(text);
            out.put_u8(0);
        };
        for (code, text) in read(body) {
            if code == b'P' {
                field(b'P', place.client.to_string().as_bytes());
                if let (Some((sql, position)), false) = (&place.generated, internal) {
                    field(b'p', position.to_string().as_bytes());
                    field(b'q', &encoding.encode_lossy(sql));
                }
            } else {
                field(code, text);
            }
        }
    });
    true
}

/// Code and text of each field.
pub(in crate::postgres::relay) fn read(mut body: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let (code, rest) = body.split_first()?;
        if *code == 0 {
            return None;
        }
        let (text, rest) = c_string(rest)?;
        body = rest;
        Some((*code, text))
    })
}

/// A frame of fields.
fn frame(out: &mut BytesMut, tag: u8, fill: impl FnOnce(&mut BytesMut)) {
    let start = out.len();
    out.put_u8(tag);
    out.put_u32(0);
    fill(out);
    out.put_u8(0);
    let length = (out.len() - start - 1) as u32;
    out[start + 1..start + 5].copy_from_slice(&length.to_be_bytes());
}
