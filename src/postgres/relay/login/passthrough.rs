//! `auth.mode = "passthrough"`: the server asks and the client answers, by whatever method the two know.

use bytes::{BufMut, BytesMut};

use super::{
    Entered, Legs, LoginError,
    channel::{Channel, Frame},
    sasl::{self, REQUEST_SASL, REQUEST_SASL_FINAL},
};
use crate::{config::BOTH_ENCRYPTED, scram::SCRAM_PLUS};

const REQUEST_OK: u32 = 0;
const REQUEST_GSS_CONTINUE: u32 = 8;

/// What a server waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// Nothing, so what the client says is for the session.
    Nothing,
    /// An answer, and it may not need one: GSSAPI does not tell.
    Perhaps,
    /// An answer.
    Answer,
}

/// Relays requests and answers until the server lets the client in. Its `AuthenticationOk` is in the result.
pub(super) async fn passthrough(
    client: &mut Channel,
    server: &mut Channel,
    legs: &Legs,
) -> Result<Entered, LoginError> {
    let mut waiting = Waiting::Nothing;
    let mut challenged = false;
    loop {
        tokio::select! {
            frame = server.server_frame() => {
                let frame = frame?;
                match frame.tag {
                    b'R' => match frame.request() {
                        Some((REQUEST_OK, _)) => return Ok(Entered { ok: frame, challenged }),
                        Some((REQUEST_SASL_FINAL, _)) => {
                            client.send(&frame.bytes).await.map_err(LoginError::Lost)?;
                        }
                        Some((request, rest)) => {
                            challenged = true;
                            waiting = match request {
                                REQUEST_GSS_CONTINUE => Waiting::Perhaps,
                                _ => Waiting::Answer,
                            };
                            let request = if request == REQUEST_SASL {
                                mechanisms(&frame, rest, legs)?
                            } else {
                                BytesMut::from(&frame.bytes[..])
                            };
                            client.send(&request).await.map_err(LoginError::Lost)?;
                        }
                        None => return Err(sasl::malformed()),
                    },
                    b'E' => {
                        client.send(&frame.bytes).await.map_err(LoginError::Lost)?;
                        return Err(LoginError::relayed(frame.body()));
                    }
                    _ => client.send(&frame.bytes).await.map_err(LoginError::Lost)?,
                }
            }
            header = client.header(), if waiting != Waiting::Nothing => {
                let (tag, length) = header.map_err(LoginError::Lost)?.ok_or_else(LoginError::gone)?;
                if tag != b'p' && waiting == Waiting::Perhaps {
                    waiting = Waiting::Nothing;
                    continue;
                }
                // What is no answer goes on as well: the server says what is wrong with it.
                let answer = client.answer(length).await?;
                waiting = Waiting::Nothing;
                // If the server has gone, what it said before is still to be read.
                if server.send(&answer.bytes).await.is_err() {
                    tracing::debug!("the server does not take the answer");
                }
            }
        }
    }
}

/// The request with the mechanisms that can work. A client binds its proof to our certificate, which a server that
/// has another one must refuse; without TLS it must not bind.
fn mechanisms(frame: &Frame, list: &[u8], legs: &Legs) -> Result<BytesMut, LoginError> {
    let offered = sasl::mechanisms(list);
    if !offered.contains(&SCRAM_PLUS.as_bytes()) {
        return Ok(BytesMut::from(&frame.bytes[..]));
    }
    if legs.client_encrypted {
        return Err(LoginError::new(
            "28000",
            "passwords cannot be passed through with TLS on both sides: clients bind them to a certificate that \
             is not the server's",
        )
        .with_hint(format!("In Querent's configuration {BOTH_ENCRYPTED}.")));
    }
    let mut body = BytesMut::new();
    for mechanism in offered {
        if mechanism != SCRAM_PLUS.as_bytes() {
            body.put_slice(mechanism);
            body.put_u8(0);
        }
    }
    body.put_u8(0);
    let mut request = BytesMut::new();
    request.put_u8(b'R');
    request.put_u32(body.len() as u32 + 8);
    request.put_u32(REQUEST_SASL);
    request.put_slice(&body);
    Ok(request)
}
