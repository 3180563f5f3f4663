//! Who the client is: SCRAM-SHA-256 (RFC 5802, RFC 7677), with channel binding where TLS allows it.

use base64::{Engine, engine::general_purpose::STANDARD};
use pgwire::api::auth::sasl::scram::{SCRAM_ITERATIONS, ScramSecret, ScramServerAuth, gen_salted_password};
use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
};
use std::sync::OnceLock;

use crate::{
    config::{AuthMode, AuthSettings},
    wire::ClientMessage,
};

use super::{client::Client, stop::Stop};

const SCRAM: &str = "SCRAM-SHA-256";
const SCRAM_PLUS: &str = "SCRAM-SHA-256-PLUS";

/// What is known of the client before it has proved anything.
pub(super) struct Claim<'a> {
    /// The user that it says it is.
    pub(super) user: &'a str,
    /// False if other machines than this one could be at the other end.
    pub(super) is_local: bool,
    /// SCRAM bound to this connection's certificate.
    pub(super) channel_binding: Option<ScramServerAuth>,
}

/// Lets the client in or ends with the reason. `AuthenticationOk` is not sent here.
pub(super) async fn authenticate(
    client: &mut Client,
    claim: Claim<'_>,
    settings: &AuthSettings,
) -> Result<(), Stop> {
    match settings.mode {
        AuthMode::Trust if claim.is_local || settings.allow_trust_from_anywhere => Ok(()),
        AuthMode::Trust => Err(Stop::fatal(
            "28000",
            "connections from other machines need a password, and this server has none configured",
        )
        .with_hint("Set auth.mode = \"scram\" with [auth.users] in the server's configuration.")),
        AuthMode::Scram => scram(client, claim, settings).await,
    }
}

async fn scram(client: &mut Client, claim: Claim<'_>, settings: &AuthSettings) -> Result<(), Stop> {
    let refused = || {
        Stop::fatal(
            "28P01",
            format!("password authentication failed for user \"{}\"", claim.user),
        )
    };
    // An unknown user goes the same way with a secret that nobody knows, so that names cannot be guessed.
    let stored = settings.users.get(claim.user);
    let secret = stored
        .and_then(|stored| secret_of(stored, claim.user))
        .unwrap_or_else(|| mock_secret(claim.user));

    let mechanisms: &[&str] = if claim.channel_binding.is_some() {
        &[SCRAM_PLUS, SCRAM]
    } else {
        &[SCRAM]
    };
    client.out.authentication_sasl(mechanisms);
    client.flush().await?;

    let initial = password_message(client).await?;
    let (mechanism, client_first) = initial_response(&initial).ok_or_else(malformed)?;
    if !mechanisms.contains(&mechanism) {
        return Err(Stop::fatal(
            "08P01",
            "client selected an invalid SASL authentication mechanism",
        ));
    }
    // The chosen mechanism and the binding flag must agree (RFC 5802, section 6).
    if (mechanism == SCRAM_PLUS) != client_first.starts_with(b"p=") {
        return Err(malformed());
    }
    let server = claim.channel_binding.clone().unwrap_or_default();
    let (challenge, waiting) = server
        .on_client_first_message_with_secret(client_first, secret)
        .map_err(|_| malformed())?;
    client.out.authentication_sasl_continue(&challenge);
    client.flush().await?;

    let last = password_message(client).await?;
    // Wrong password, unknown user and a broken proof look the same from outside.
    let proof = waiting.on_client_final_message(&last).map_err(|_| refused())?;
    if stored.is_none() {
        return Err(refused());
    }
    client.out.authentication_sasl_final(&proof);
    Ok(())
}

fn malformed() -> Stop {
    Stop::fatal("08P01", "malformed SCRAM message")
}

async fn password_message(client: &mut Client) -> Result<bytes::Bytes, Stop> {
    let frame = client
        .frame()
        .await?
        .ok_or_else(|| Stop::Lost(std::io::ErrorKind::UnexpectedEof.into()))?;
    let tag = frame.tag;
    match ClientMessage::parse(frame) {
        Ok(ClientMessage::Password(body)) => Ok(body),
        _ => Err(Stop::fatal(
            "08P01",
            format!("expected SASL response, got message type {tag}"),
        )),
    }
}

/// The mechanism, and the client's first message.
fn initial_response(body: &[u8]) -> Option<(&str, &[u8])> {
    let end = body.iter().position(|byte| *byte == 0)?;
    let mechanism = std::str::from_utf8(&body[..end]).ok()?;
    let (length, data) = body[end + 1..].split_first_chunk::<4>()?;
    (u32::from_be_bytes(*length) as usize == data.len()).then_some((mechanism, data))
}

/// A password as it stands in the configuration, or a verifier as PostgreSQL's `rolpassword` has it.
fn secret_of(stored: &str, user: &str) -> Option<ScramSecret> {
    if stored.starts_with("SCRAM-SHA-256$") {
        return verifier(stored);
    }
    let salt = mock_bytes("salt", user)[..16].to_vec();
    let salted = gen_salted_password(stored, &salt, SCRAM_ITERATIONS);
    Some(ScramSecret::verifier_from_salted_password(
        salt,
        salted,
        SCRAM_ITERATIONS,
    ))
}

/// `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>`.
fn verifier(text: &str) -> Option<ScramSecret> {
    let rest = text.strip_prefix("SCRAM-SHA-256$")?;
    let (head, keys) = rest.split_once('$')?;
    let (iterations, salt) = head.split_once(':')?;
    let (stored_key, server_key) = keys.split_once(':')?;
    let key = |text| STANDARD.decode(text).ok().filter(|key: &Vec<u8>| key.len() == 32);
    Some(ScramSecret::Verifier {
        salt: STANDARD.decode(salt).ok()?,
        iterations: iterations.parse().ok().filter(|count| *count > 0)?,
        stored_key: key(stored_key)?,
        server_key: key(server_key)?,
    })
}

/// A secret for a user who does not exist: always the same salt, as much work, and no password fits.
fn mock_secret(user: &str) -> ScramSecret {
    let salt = mock_bytes("salt", user)[..16].to_vec();
    let password = STANDARD.encode(mock_bytes("password", user));
    let salted = gen_salted_password(&password, &salt, SCRAM_ITERATIONS);
    ScramSecret::verifier_from_salted_password(salt, salted, SCRAM_ITERATIONS)
}

/// Bytes that are the same for a user as long as the process lives, and unknown outside.
fn mock_bytes(purpose: &str, user: &str) -> Vec<u8> {
    static KEY: OnceLock<hmac::Key> = OnceLock::new();
    let key = KEY.get_or_init(|| {
        let mut bytes = [0; 32];
        SystemRandom::new()
            .fill(&mut bytes)
            .expect("the operating system has random numbers");
        hmac::Key::new(hmac::HMAC_SHA256, &bytes)
    });
    hmac::sign(key, format!("{purpose}\0{user}").as_bytes())
        .as_ref()
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verifiers_are_read_as_postgresql_writes_them() {
        let key = STANDARD.encode([7; 32]);
        let check = |text: &str, expected: bool| assert_eq!(verifier(text).is_some(), expected, "{text}");
        check(&format!("SCRAM-SHA-256$4096:c2FsdA==${key}:{key}"), true);
        check(&format!("SCRAM-SHA-256$0:c2FsdA==${key}:{key}"), false);
        check(&format!("SCRAM-SHA-256$4096:c2FsdA==${key}"), false);
        check("SCRAM-SHA-256$4096:c2FsdA==$AAAA:AAAA", false);
        check("md5abc", false);
    }
}
