//! Text that is not UTF-8: functions read it with what stands for the bytes that they do not understand. That may be shown,
//! and is never stored in the place of the bytes.

use std::cell::Cell;

use super::{Nature::Strict, Out, Scalar, V, fail};

/// What stands for bytes that are none of UTF-8, in UTF-8.
const REPLACED: &[u8] = "\u{fffd}".as_bytes();

thread_local! {
    /// The first such byte that the present statement has read.
    static SEEN: Cell<Option<u8>> = const { Cell::new(None) };
}

/// A statement begins.
pub(in crate::sqlite) fn statement_begins() {
    SEEN.set(None);
}

/// Text as functions work with it.
pub(super) fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            if SEEN.get().is_none() {
                SEEN.set(bytes.get(error.valid_up_to()).copied());
            }
            String::from_utf8_lossy(bytes).into_owned()
        }
    }
}

/// A value that is to be stored, if nothing in it stands for other bytes.
fn stored(value: &V) -> Out {
    let bytes = match value {
        V::Text(text) => text.as_bytes(),
        V::Blob(bytes) => bytes,
        _ => return Ok(value.clone()),
    };
    match SEEN.get() {
        Some(byte) if memchr::memmem::find(bytes, REPLACED).is_some() => fail(
            "22021",
            format!("invalid byte sequence for encoding \"UTF8\": 0x{byte:02x}"),
        ),
        _ => Ok(value.clone()),
    }
}

/// `pg_stored(value)`.
pub(super) const FUNCTIONS: &[Scalar] = &[("pg_stored", 1, Strict, |v| stored(&v[0]))];
