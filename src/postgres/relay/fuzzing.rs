//! The relay of bytes by itself, for the fuzz targets: what goes in on one side comes out on the other.

use super::exchange::{Exchange, FrameEvent, LookedFor};

/// Bytes that one side sends.
#[derive(Debug)]
pub enum Piece<'a> {
    /// From the client.
    Client(&'a [u8]),
    /// From the server.
    Server(&'a [u8]),
}

/// Relays pieces in their order where nothing is answered, and ends the client's side.
///
/// # Panics
///
/// If a byte is lost, added, altered or sent to the wrong side.
pub fn relay(pieces: &[Piece<'_>]) {
    let mut exchange = Exchange::new(LookedFor {
        function_name: "nl".to_owned(),
        ask_keyword: true,
        model_views: true,
    });
    let (mut client, mut server) = (vec![], vec![]);
    for piece in pieces {
        match piece {
            Piece::Client(bytes) => {
                client.extend_from_slice(bytes);
                let event = exchange.client_bytes(bytes);
                pass_on(&mut exchange, event, false);
            }
            Piece::Server(bytes) => {
                server.extend_from_slice(bytes);
                exchange.server_bytes(bytes);
            }
        }
        assert!(
            client.starts_with(&exchange.to_server),
            "the client's bytes are other bytes"
        );
        assert!(
            server.starts_with(&exchange.to_client),
            "the server's bytes are other bytes"
        );
    }
    let event = exchange.client_ended();
    pass_on(&mut exchange, event, true);
    assert_eq!(
        exchange.to_server, client,
        "not all of the client's bytes went on"
    );
}

fn pass_on(exchange: &mut Exchange, mut event: FrameEvent, ended: bool) {
    loop {
        match event {
            FrameEvent::Frame { tag, body } => exchange.pass(tag, &body),
            FrameEvent::LongBind { .. } => {}
            FrameEvent::End => return,
        }
        event = if ended {
            exchange.client_ended()
        } else {
            exchange.go_on()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece::*, relay};

    /// What fuzzing found.
    #[test]
    fn nothing_is_lost_when_frames_end() {
        let no_frame = b"Q\0\0\0\0";
        let error = b"E\0\0\0\x0bC57014\0\0";
        relay(&[Server(&error[..7]), Client(no_frame), Server(&error[7..])]);
        relay(&[
            Client(b"P\0\0\0\x08\0\0\0\0"),
            Server(no_frame),
            Client(b"S\0\0\0\x04"),
        ]);
    }
}
