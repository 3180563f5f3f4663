//! What passes between a client and its server: frames, the replies that are owed, what is held back, what is
//! replaced. Bytes in, bytes out, no I/O.
//!
//! Bytes go on as they come; of most frames only the header is looked at. [`Exchange::client_bytes`] stops at a
//! frame that may ask, and [`Exchange::server_bytes`] never does.

use bytes::{Buf, BytesMut};

mod begins;
mod client_to_server;
mod expected;
mod failure;
mod fields;
mod limit;
mod names;
mod own;
mod runs;
mod sent;
mod server_to_client;

pub(in crate::postgres::relay) use client_to_server::{FrameEvent, Ran};
pub(in crate::postgres::relay) use expected::{Disposition, Passing, Reply, ReplyTo};
pub(in crate::postgres::relay) use failure::Failures;
pub(in crate::postgres::relay) use fields::{put as put_fields, read as fields};
pub(in crate::postgres::relay) use limit::{Limit, OverLimit, Tally};
pub(in crate::postgres::relay) use names::{
    Answered, Asks, ByName, Change, Described, Late, LateState, Names, Pending,
};
pub(in crate::postgres::relay) use own::Own;
pub(in crate::postgres::relay) use runs::Recorded;
pub(in crate::postgres::relay) use sent::{Sent, StatementOrigin};

use crate::{
    error::SqlState,
    wire::{Encoding, Fields},
};
use expected::Expected;

/// Frames up to this size are looked into where that is of use; longer ones pass unread, in bytes.
const LONGEST_READ: usize = 1 << 20;
/// Messages of the extended protocol wait for their Sync or Flush up to this size, in bytes.
const LONGEST_HELD: usize = 8 << 10;
/// Memory that an empty buffer may keep, in bytes.
const KEPT: usize = 4 << 10;

/// Both directions of one session behind its login.
#[derive(Debug)]
pub struct Exchange {
    /// Bytes for the server.
    pub to_server: BytesMut,
    /// Bytes for the client.
    pub to_client: BytesMut,
    expected: Expected,
    client_to_server: client_to_server::ClientToServer,
    server_to_client: server_to_client::ServerToClient,
    /// What may ask, and is looked for in a client's text.
    pub(in crate::postgres::relay) looked_for: LookedFor,
    pub(in crate::postgres::relay) names: Names,
    pub(in crate::postgres::relay) own: Own,
    /// How many pipelines and simple Queries have gone to the server.
    pub(in crate::postgres::relay) pipelines: u64,
    /// The pipeline that is read-only until its end, because questions alone are left in it.
    pub(in crate::postgres::relay) guarded: Option<u64>,
    pub(in crate::postgres::relay) failures: Failures,
    /// What the client calls itself, as the server has it.
    pub(in crate::postgres::relay) application_name: String,
    /// `ReadyForQuery`'s last word: `I`, `T` or `E`.
    pub(in crate::postgres::relay) status: u8,
    /// The client's encoding.
    pub(in crate::postgres::relay) encoding: Encoding,
    /// Its name, as the server tells it; empty if that is no plain name.
    pub(in crate::postgres::relay) encoding_name: String,
    /// The session's `standard_conforming_strings`.
    pub(in crate::postgres::relay) standard_conforming_strings: bool,
    /// From `BackendKeyData`, until somebody takes it.
    pub(in crate::postgres::relay) key: Option<(u32, Vec<u8>)>,
    /// Statements of the client's that went on, of both protocols.
    pub(in crate::postgres::relay) statements: u64,
    /// The codes of errors that the client was told, until somebody takes them.
    pub(in crate::postgres::relay) errors: Vec<SqlState>,
    /// The client has said good bye.
    pub(in crate::postgres::relay) terminated: bool,
    /// The client was told why the session ends.
    parted: bool,
    /// Notices for the reply to the next statement of a question's that is sent.
    untold: Vec<Fields>,
    /// Nothing is understood any more: bytes pass unread.
    blind: bool,
}

/// Words without which no text asks.
#[derive(Debug, Clone)]
pub(in crate::postgres::relay) struct LookedFor {
    /// The name of the function form, in lower case.
    pub(in crate::postgres::relay) function_name: String,
    pub(in crate::postgres::relay) ask_keyword: bool,
    pub(in crate::postgres::relay) model_views: bool,
}

/// How the server stands to what the client says next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::postgres::relay) enum ServerState {
    /// It waits for the next command, see [`Exchange::is_safe`].
    Safe,
    /// It answers, and will have answered all earlier pipelines without more from the client.
    Answering,
    /// It is in the middle of a pipeline.
    Unsynced,
    /// It takes no command before the client has said something else.
    Passing(Passing),
    /// It failed at COPY's data, and may or may not go on with what came behind that.
    Doubtful,
    /// Nobody knows what it answers.
    Lost,
}

impl Exchange {
    pub(in crate::postgres::relay) fn new(looked_for: LookedFor) -> Self {
        Self {
            to_server: BytesMut::new(),
            to_client: BytesMut::new(),
            expected: Expected::default(),
            client_to_server: client_to_server::ClientToServer::default(),
            server_to_client: server_to_client::ServerToClient::default(),
            looked_for,
            names: Names::default(),
            own: Own::random(),
            pipelines: 0,
            guarded: None,
            failures: Failures::default(),
            application_name: String::new(),
            status: b'I',
            encoding: Encoding::default(),
            encoding_name: String::new(),
            standard_conforming_strings: true,
            key: None,
            statements: 0,
            errors: vec![],
            terminated: false,
            parted: false,
            untold: vec![],
            blind: false,
        }
    }

    /// From now on bytes pass unread, as in replication.
    pub(in crate::postgres::relay) fn pass_unread(&mut self) {
        self.blind = true;
    }

    /// True if the server waits for the next command, and everything said is understood: Querent may say something
    /// of its own. What is held back does not count.
    pub(in crate::postgres::relay) fn is_safe(&self) -> bool {
        self.expected.is_empty()
            && !self.expected.lost
            && !self.blind
            && !self.client_to_server.unsynced
            && !self.expected.unsynced
            && self.server_to_client.is_between_frames()
    }

    /// How the server stands to what the client says next.
    pub(in crate::postgres::relay) fn server_state(&self) -> ServerState {
        if self.expected.lost || self.blind {
            return ServerState::Lost;
        }
        match self.expected.waits_for_client() {
            Some(passing) => ServerState::Passing(passing),
            None if self.expected.is_in_doubt() => ServerState::Doubtful,
            None if self.expected.owes_ready() => ServerState::Answering,
            // The server passes over the Sync of COPY's data, and says no more before the next one.
            None if self.client_to_server.unsynced || self.expected.unsynced || !self.expected.is_empty() => {
                ServerState::Unsynced
            }
            None if self.is_safe() => ServerState::Safe,
            None => ServerState::Answering,
        }
    }

    /// True if the client is owed nothing and has nothing under way.
    pub(in crate::postgres::relay) fn is_idle(&self) -> bool {
        self.is_safe() && self.client_to_server.is_empty() && self.status == b'I'
    }
}

/// The type and the length with the type byte, of a frame whose header is there; 0 for a length that cannot be.
pub(in crate::postgres::relay) fn header(bytes: &[u8]) -> Option<(u8, usize)> {
    let (head, _) = bytes.split_first_chunk::<5>()?;
    let declared = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
    Some((head[0], if declared < 4 { 0 } else { declared + 1 }))
}

/// Gives memory back once a buffer is empty.
pub(in crate::postgres::relay) fn shrink(buffer: &mut BytesMut) {
    if buffer.is_empty() && buffer.capacity() > KEPT {
        *buffer = BytesMut::new();
    }
}

/// The bytes up to the next NUL, which is left out, and what follows it.
pub(in crate::postgres::relay) fn c_string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(0, bytes)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// Takes `count` bytes off the front, unread.
fn skip(buffer: &mut BytesMut, count: usize) {
    buffer.advance(count.min(buffer.len()));
}
