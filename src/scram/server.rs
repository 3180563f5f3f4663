//! The end that checks a client. A client that passes leaves its `ClientKey` behind, with which the same
//! user can be logged in elsewhere.

use base64::{Engine, engine::general_purpose::STANDARD};
use pgwire::api::auth::sasl::scram::{ScramServerAuth, ScramServerAuthWaitingForClientFinal};

use super::{Keys, SCRAM, SCRAM_PLUS, ScramError, Verifier};

/// Before the client has said anything.
pub struct Begun {
    user: String,
    /// Whether the verifier is more than a mock.
    known: bool,
    verifier: Verifier,
    binding: Option<ScramServerAuth>,
}

/// The client has its challenge.
pub struct Challenged {
    user: String,
    known: bool,
    verifier: Verifier,
    waiting: ScramServerAuthWaitingForClientFinal,
    /// `client-first-message-bare "," server-first-message ","`, which the proof is about.
    so_far: String,
}

/// The client knows the password.
pub struct Proven {
    /// The server's own proof, for the client.
    pub server_final: String,
    /// What the client proved to have.
    pub keys: Keys,
}

impl Begun {
    /// `stored` is a password or a verifier. With `binding` the certificate may be part of the proof.
    /// Takes some milliseconds of work.
    pub fn new(user: &str, stored: Option<&str>, binding: Option<ScramServerAuth>) -> Self {
        // An empty password lets nobody in, as in PostgreSQL.
        let stored = stored.filter(|stored| !stored.is_empty());
        Self {
            user: user.to_owned(),
            known: stored.is_some(),
            verifier: Verifier::of(user, stored),
            binding,
        }
    }

    /// What to offer, the preferred one first.
    pub fn mechanisms(&self) -> &'static [&'static str] {
        if self.binding.is_some() {
            &[SCRAM_PLUS, SCRAM]
        } else {
            &[SCRAM]
        }
    }

    /// Takes the body of a `SASLInitialResponse`; gives the challenge.
    pub fn client_first(self, body: &[u8]) -> Result<(String, Challenged), ScramError> {
        let (mechanism, message) = initial_response(body).ok_or(ScramError::Malformed)?;
        if !self.mechanisms().contains(&mechanism) {
            return Err(ScramError::Mechanism);
        }
        // The chosen mechanism and the binding flag must agree (RFC 5802, section 6).
        if (mechanism == SCRAM_PLUS) != message.starts_with(b"p=") {
            return Err(ScramError::Malformed);
        }
        let bare = bare(message).ok_or(ScramError::Malformed)?;
        let (challenge, waiting) = self
            .binding
            .unwrap_or_default()
            .on_client_first_message_with_secret(message, self.verifier.to_pgwire())
            .map_err(|_| ScramError::Malformed)?;
        let challenged = Challenged {
            user: self.user,
            known: self.known,
            verifier: self.verifier,
            waiting,
            so_far: format!("{bare},{challenge},"),
        };
        Ok((challenge, challenged))
    }
}

impl Challenged {
    /// Takes the body of the `SASLResponse`.
    pub fn client_final(self, body: &[u8]) -> Result<Proven, ScramError> {
        let refused = || ScramError::Refused {
            user: self.user.clone(),
        };
        let server_final = self
            .waiting
            .on_client_final_message(body)
            .map_err(|_| refused())?;
        let text = std::str::from_utf8(body).map_err(|_| refused())?;
        let (without_proof, proof) = text.rsplit_once(",p=").ok_or_else(refused)?;
        let proof: [u8; 32] = STANDARD
            .decode(proof)
            .ok()
            .and_then(|proof| proof.try_into().ok())
            .ok_or_else(refused)?;
        let auth_message = format!("{}{without_proof}", self.so_far);
        let keys = self
            .verifier
            .recover(auth_message.as_bytes(), &proof)
            .filter(|_| self.known)
            .ok_or_else(refused)?;
        Ok(Proven { server_final, keys })
    }
}

/// The mechanism, and the client's first message.
fn initial_response(body: &[u8]) -> Option<(&str, &[u8])> {
    let end = body.iter().position(|byte| *byte == 0)?;
    let mechanism = std::str::from_utf8(&body[..end]).ok()?;
    let (length, data) = body[end + 1..].split_first_chunk::<4>()?;
    (u32::from_be_bytes(*length) as usize == data.len()).then_some((mechanism, data))
}

/// The message without its GS2 header, which is two fields that end with commas.
fn bare(message: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(message).ok()?;
    text.splitn(3, ',').nth(2)
}
