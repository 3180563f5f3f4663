//! The relay of frames: any bytes from either side, in any pieces, come out on the other side as they were.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use querent::postgres::relay::fuzzing::{Piece, relay};

/// What a side sends, in pieces.
#[derive(Debug, Arbitrary)]
struct Sent {
    by_client: bool,
    what: What,
    /// Lengths of the pieces; what is left goes as one.
    pieces: Vec<u8>,
}

#[derive(Debug, Arbitrary)]
enum What {
    /// A frame with a true length.
    Frame {
        tag: Tag,
        body: Vec<u8>,
    },
    /// A statement, which may look like a question.
    Statement {
        parse: bool,
        name: u8,
        text: String,
    },
    /// A frame whose length is a lie.
    Lie {
        tag: u8,
        length: u32,
        body: Vec<u8>,
    },
    Bytes(Vec<u8>),
}

/// Types of messages, those that matter to the relay more often.
#[derive(Debug, Arbitrary)]
enum Tag {
    Known(u8),
    Any(u8),
}

const TAGS: &[u8] = b"QPBDECSHFcdfXpRKZENASTDC123nsIGHWVtv";

impl What {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Frame { tag, body } => {
                let tag = match tag {
                    Tag::Known(at) => TAGS[usize::from(*at) % TAGS.len()],
                    Tag::Any(tag) => *tag,
                };
                frame(tag, body.len() as u32 + 4, body)
            }
            Self::Statement { parse, name, text } => {
                let mut body = vec![];
                if *parse {
                    body.extend_from_slice(&[b's', name % 4 + b'0', 0]);
                }
                body.extend_from_slice(text.as_bytes());
                body.push(0);
                if *parse {
                    body.extend_from_slice(&[0, 0]);
                }
                frame(if *parse { b'P' } else { b'Q' }, body.len() as u32 + 4, &body)
            }
            Self::Lie { tag, length, body } => frame(*tag, *length, body),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }
}

fn frame(tag: u8, length: u32, body: &[u8]) -> Vec<u8> {
    [&[tag], &length.to_be_bytes()[..], body].concat()
}

fuzz_target!(|sent: Vec<Sent>| {
    let bytes: Vec<_> = sent.iter().map(|sent| sent.what.bytes()).collect();
    let mut pieces = vec![];
    for (sent, bytes) in sent.iter().zip(&bytes) {
        let side = if sent.by_client {
            Piece::Client
        } else {
            Piece::Server
        };
        let mut rest = bytes.as_slice();
        for &length in &sent.pieces {
            let (piece, behind) = rest.split_at(usize::from(length).min(rest.len()));
            pieces.push(side(piece));
            rest = behind;
        }
        pieces.push(side(rest));
    }
    relay(&pieces);
});
