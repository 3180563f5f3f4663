//! What a password leaves behind: verifiers as PostgreSQL stores them, and keys that stand in for a password.

use std::sync::OnceLock;

use base64::{Engine, engine::general_purpose::STANDARD};
use pgwire::api::auth::sasl::scram::{SCRAM_ITERATIONS, ScramSecret, gen_salted_password};
use ring::{
    digest, hmac,
    rand::{SecureRandom, SystemRandom},
};

/// Enough to check a password, and not enough to log in with it.
#[derive(Clone)]
pub struct Verifier {
    pub(super) salt: Vec<u8>,
    pub(super) iterations: u32,
    pub(super) stored_key: [u8; 32],
    pub(super) server_key: [u8; 32],
}

/// Enough to log in to a server that keeps the verifier which these keys belong to.
#[derive(Clone)]
pub struct Keys {
    pub(super) salt: Vec<u8>,
    pub(super) iterations: u32,
    pub(super) client_key: [u8; 32],
    pub(super) server_key: [u8; 32],
}

impl Verifier {
    /// Reads `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>`, PostgreSQL's `rolpassword`.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("SCRAM-SHA-256$")?;
        let (head, keys) = rest.split_once('$')?;
        let (iterations, salt) = head.split_once(':')?;
        let (stored_key, server_key) = keys.split_once(':')?;
        let key = |text| STANDARD.decode(text).ok()?.try_into().ok();
        Some(Self {
            salt: STANDARD.decode(salt).ok()?,
            iterations: iterations.parse().ok().filter(|count| *count > 0)?,
            stored_key: key(stored_key)?,
            server_key: key(server_key)?,
        })
    }

    /// Of what stands for `user` in the configuration or the server's catalogue, a password or a verifier; of
    /// nothing, one that no password fits and that looks the same each time. Each takes as much work, so that
    /// names cannot be guessed by the time it takes.
    pub(super) fn of(user: &str, stored: Option<&str>) -> Self {
        let read = stored.and_then(Self::parse);
        let mock;
        let password = match stored {
            Some(stored) if !stored.starts_with("SCRAM-SHA-256$") => stored,
            _ => {
                mock = STANDARD.encode(bytes_for("password", user));
                &mock
            }
        };
        let salt = bytes_for("salt", user)[..16].to_vec();
        let salted = gen_salted_password(password, &salt, SCRAM_ITERATIONS);
        let client_key = hmac_sha256(&salted, b"Client Key");
        let derived = Self {
            salt,
            iterations: SCRAM_ITERATIONS as u32,
            stored_key: sha256(&client_key),
            server_key: hmac_sha256(&salted, b"Server Key"),
        };
        read.unwrap_or(derived)
    }

    pub(super) fn to_pgwire(&self) -> ScramSecret {
        ScramSecret::Verifier {
            salt: self.salt.clone(),
            iterations: self.iterations as usize,
            stored_key: self.stored_key.to_vec(),
            server_key: self.server_key.to_vec(),
        }
    }

    /// `ClientKey = ClientProof XOR HMAC(StoredKey, AuthMessage)`; `None` for a wrong proof.
    pub(super) fn recover(&self, auth_message: &[u8], proof: &[u8; 32]) -> Option<Keys> {
        let client_key = xor(proof, &hmac_sha256(&self.stored_key, auth_message));
        (sha256(&client_key) == self.stored_key).then(|| Keys {
            salt: self.salt.clone(),
            iterations: self.iterations,
            client_key,
            server_key: self.server_key,
        })
    }
}

/// Bytes that are the same for a user as long as the process lives, and unknown outside.
fn bytes_for(purpose: &str, user: &str) -> [u8; 32] {
    static KEY: OnceLock<[u8; 32]> = OnceLock::new();
    let key = KEY.get_or_init(|| {
        let mut bytes = [0; 32];
        SystemRandom::new()
            .fill(&mut bytes)
            .expect("the operating system has random numbers");
        bytes
    });
    hmac_sha256(key, format!("{purpose}\0{user}").as_bytes())
}

pub(super) fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    let tag = hmac::sign(&key, message);
    tag.as_ref().try_into().expect("SHA-256 has 32 bytes")
}

pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let hash = digest::digest(&digest::SHA256, bytes);
    hash.as_ref().try_into().expect("SHA-256 has 32 bytes")
}

pub(super) fn xor(a: &[u8; 32], b: &[u8; 32]) -> [u8; 32] {
    std::array::from_fn(|at| a[at] ^ b[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verifiers_are_read_as_postgresql_writes_them() {
        let key = STANDARD.encode([7; 32]);
        let check =
            |text: &str, expected: bool| assert_eq!(Verifier::parse(text).is_some(), expected, "{text}");
        check(&format!("SCRAM-SHA-256$4096:c2FsdA==${key}:{key}"), true);
        check(&format!("SCRAM-SHA-256$0:c2FsdA==${key}:{key}"), false);
        check(&format!("SCRAM-SHA-256$4096:c2FsdA==${key}"), false);
        check("SCRAM-SHA-256$4096:c2FsdA==$AAAA:AAAA", false);
        check("md5abc", false);
    }

    #[test]
    fn nobody_has_always_the_same_salt() {
        let salt = |user: &str, stored: Option<&str>| Verifier::of(user, stored).salt;
        assert_eq!(salt("eve", None), salt("eve", None));
        assert_ne!(salt("eve", None), salt("mallory", None));
        assert_ne!(
            Verifier::of("eve", None).stored_key,
            Verifier::of("eve", Some("x")).stored_key
        );
    }
}
