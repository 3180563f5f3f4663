//! Logging in to the server in the client's name, by whatever the server asks for.

use bytes::{BufMut, BytesMut};
use postgres_protocol::authentication::md5_hash;

use super::{
    Entered, Legs, LoginError,
    channel::Channel,
    sasl::{self, REQUEST_SASL, REQUEST_SASL_CONTINUE, REQUEST_SASL_FINAL},
};
use crate::scram::{ClientFinal, ClientFirst, Credential};

const REQUEST_OK: u32 = 0;
const REQUEST_CLEARTEXT: u32 = 3;
const REQUEST_MD5: u32 = 5;

/// How far SCRAM has come.
enum Scram {
    None,
    First(ClientFirst),
    Final(ClientFinal),
    Proven,
}

/// Answers the server until it lets the client in; what is not about authentication goes on to the client.
pub(super) async fn log_in(
    client: &mut Channel,
    server: &mut Channel,
    credential: &Credential,
    (user, legs): (&[u8], &Legs),
) -> Result<Entered, LoginError> {
    let mut scram = Scram::None;
    let mut challenged = false;
    loop {
        let frame = server.server_frame().await?;
        match frame.tag {
            b'R' => {}
            b'E' => {
                client.send(&frame.bytes).await.map_err(LoginError::Lost)?;
                return Err(LoginError::relayed(frame.body()));
            }
            _ => {
                client.send(&frame.bytes).await.map_err(LoginError::Lost)?;
                continue;
            }
        }
        let (request, rest) = frame.request().ok_or_else(sasl::malformed)?;
        let answer = match (request, scram) {
            (REQUEST_OK, Scram::None | Scram::Proven) => {
                return Ok(Entered {
                    ok: frame,
                    challenged,
                });
            }
            (REQUEST_OK, _) => return Err(crate::scram::ServerRefusal::Impostor.into()),
            (REQUEST_CLEARTEXT, Scram::None) => {
                if !legs.server_encrypted && !legs.server_local {
                    return Err(LoginError::new(
                        "28000",
                        "the server wants the password in clear text over an unencrypted connection",
                    )
                    .with_hint("Start Querent with sslmode=require or stricter in the server's address."));
                }
                let mut answer = password_of(credential)?.to_vec();
                answer.push(0);
                scram = Scram::None;
                answer
            }
            (REQUEST_MD5, Scram::None) => {
                let salt = rest.try_into().map_err(|_| sasl::malformed())?;
                let mut answer = md5_hash(user, password_of(credential)?, salt).into_bytes();
                answer.push(0);
                scram = Scram::None;
                answer
            }
            (REQUEST_SASL, Scram::None) => {
                let offered: Vec<&str> = sasl::mechanisms(rest)
                    .into_iter()
                    .filter_map(|name| std::str::from_utf8(name).ok())
                    .collect();
                let first = ClientFirst::choose(&offered, legs.server_end_point.as_deref())
                    .ok_or_else(|| unknown(&offered.join(", ")))?;
                let message = first.message();
                let mut answer = BytesMut::new();
                answer.put_slice(first.mechanism.as_bytes());
                answer.put_u8(0);
                answer.put_u32(message.len() as u32);
                answer.put_slice(message.as_bytes());
                scram = Scram::First(first);
                answer.to_vec()
            }
            (REQUEST_SASL_CONTINUE, Scram::First(first)) => {
                let (challenge, credential) = (rest.to_vec(), credential.clone());
                // A server may ask for much work.
                let last = tokio::task::spawn_blocking(move || first.answer(&challenge, &credential))
                    .await
                    .map_err(|error| LoginError::new("XX000", format!("cannot log in: {error}")))??;
                let answer = last.message.clone().into_bytes();
                scram = Scram::Final(last);
                answer
            }
            (REQUEST_SASL_FINAL, Scram::Final(last)) => {
                last.check(rest)?;
                scram = Scram::Proven;
                continue;
            }
            (REQUEST_SASL_CONTINUE | REQUEST_SASL_FINAL, _) => return Err(sasl::malformed()),
            (other, _) => return Err(unknown(method(other))),
        };
        challenged = true;
        let mut message = BytesMut::new();
        message.put_u8(b'p');
        message.put_u32(answer.len() as u32 + 4);
        message.put_slice(&answer);
        // If the server has gone, what it said before is still to be read.
        if server.send(&message).await.is_err() {
            tracing::debug!("the server does not take the answer");
        }
    }
}

fn password_of(credential: &Credential) -> Result<&[u8], LoginError> {
    match credential {
        Credential::Password(password) => Ok(password),
        Credential::Keys(_) => Err(LoginError::new(
            "28000",
            "the server wants the password itself, and Querent knows a verifier only",
        )
        .with_hint(
            "Give auth.users the password, set auth.mode = \"cleartext\", or store the user's password in the server \
             with password_encryption = scram-sha-256.",
        )),
    }
}

fn unknown(method: &str) -> LoginError {
    LoginError::new(
        "28000",
        format!("the server asks for a way of authentication that Querent does not know: {method}"),
    )
    .with_hint("With auth.mode = \"passthrough\" the client answers the server itself.")
}

fn method(request: u32) -> &'static str {
    match request {
        2 => "Kerberos 5",
        7 => "GSSAPI",
        9 => "SSPI",
        _ => "a new one",
    }
}
