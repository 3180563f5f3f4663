//! How a server wants a user to prove who they are, found out without doing so.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

use super::Server;
use crate::backend::BackendError;

/// The version 3.0 of the protocol.
const PROTOCOL: u32 = 3 << 16;
/// How long the server may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// An answer that is longer is no answer to this.
const LONGEST: usize = 30_000;

/// What a server asks of somebody who logs in (protocol chapter "Start-up").
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Challenge {
    /// Nothing: everybody is believed, or the address, or the account on the machine.
    Nothing,
    /// The password itself.
    Cleartext,
    /// A hash of the password.
    Md5,
    /// SCRAM by these mechanisms.
    Scram(Vec<String>),
    /// Something else, such as Kerberos: the number of the request.
    Other(u32),
    /// The server lets nobody in like this; its words.
    Refused(String),
}

impl Server {
    /// Asks how a user would have to log in. The connection is closed then.
    pub async fn challenge(&self, user: &str) -> Result<Challenge, BackendError> {
        let mut upstream = self.connect().await?;
        let conversation = async {
            upstream
                .stream
                .write_all(&startup(user, self.database.as_deref()))
                .await?;
            let kind = upstream.stream.read_u8().await?;
            let length = upstream.stream.read_u32().await? as usize;
            let mut body = vec![0; length.saturating_sub(4).min(LONGEST)];
            upstream.stream.read_exact(&mut body).await?;
            // Terminate. A server that waits for a password ends without a word in its log.
            drop(upstream.stream.write_all(b"X\0\0\0\x04").await);
            Ok::<_, std::io::Error>((kind, body))
        };
        let broken = |reason: String| BackendError::new("08006", format!("the server broke off: {reason}"));
        let (kind, body) = timeout(PATIENCE, conversation)
            .await
            .map_err(|_| broken("it does not answer".into()))?
            .map_err(|error| broken(error.to_string()))?;
        match kind {
            b'R' => read(&body).ok_or_else(|| broken("its answer is cut short".into())),
            b'E' => Ok(Challenge::Refused(message(&body))),
            _ => Err(broken("this is no PostgreSQL server".into())),
        }
    }
}

fn startup(user: &str, database: Option<&str>) -> Vec<u8> {
    let mut body = PROTOCOL.to_be_bytes().to_vec();
    for (name, value) in [("user", user), ("database", database.unwrap_or(user))] {
        for text in [name, value] {
            body.extend_from_slice(text.as_bytes());
            body.push(0);
        }
    }
    body.push(0);
    let mut packet = (u32::try_from(body.len() + 4).unwrap_or(u32::MAX))
        .to_be_bytes()
        .to_vec();
    packet.append(&mut body);
    packet
}

/// The body of an authentication request.
fn read(body: &[u8]) -> Option<Challenge> {
    let (number, rest) = body.split_first_chunk()?;
    Some(match u32::from_be_bytes(*number) {
        0 => Challenge::Nothing,
        3 => Challenge::Cleartext,
        5 => Challenge::Md5,
        10 => Challenge::Scram(texts(rest)),
        number => Challenge::Other(number),
    })
}

/// The message of an `ErrorResponse`.
fn message(body: &[u8]) -> String {
    let fields = texts(body);
    let message = fields.iter().find_map(|field| field.strip_prefix('M'));
    message.unwrap_or("no reason is given").to_owned()
}

/// Texts that end with a zero each, up to an empty one.
fn texts(bytes: &[u8]) -> Vec<String> {
    bytes
        .split(|byte| *byte == 0)
        .take_while(|text| !text.is_empty())
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}
