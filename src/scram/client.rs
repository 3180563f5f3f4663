//! The end that logs in to a server, with a password or with keys that were recovered from a client's proof.

use base64::{Engine, engine::general_purpose::STANDARD};
use pgwire::api::auth::sasl::scram::gen_salted_password;
use ring::{
    hmac, pbkdf2,
    rand::{SecureRandom, SystemRandom},
};

use super::{
    Keys, SCRAM, SCRAM_PLUS,
    secret::{hmac_sha256, sha256, xor},
};

/// Rounds that a server may ask for. PostgreSQL's default is 4096; the work is ours.
const MOST_ITERATIONS: u32 = 1_000_000;

/// What to log in with.
#[derive(Clone)]
pub enum Credential {
    /// As the client typed it; UTF-8 or not.
    Password(Vec<u8>),
    /// Of the same verifier that the server has.
    Keys(Keys),
}

/// Why there is no talking to this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ServerRefusal {
    /// Not a message of SCRAM, or one that asks for too much.
    #[error("the server sent a malformed SCRAM message")]
    Malformed,
    /// Salt or rounds differ from those that the keys were made with.
    #[error("the server has another password verifier for this user, or no longer lets them in")]
    OtherVerifier,
    /// The server does not know the password either.
    #[error("the server did not prove that it knows the password")]
    Impostor,
}

/// The first message is made.
pub struct ClientFirst {
    /// The mechanism's name.
    pub mechanism: &'static str,
    gs2_header: &'static str,
    end_point: Vec<u8>,
    nonce: String,
    bare: String,
}

/// The last message is made; the server's proof is awaited.
pub struct ClientFinal {
    /// The message.
    pub message: String,
    server_key: [u8; 32],
    auth_message: String,
}

impl ClientFirst {
    /// Chooses one of the server's mechanisms, the bound one where `end_point` is the hash of the server's
    /// certificate on this connection (RFC 5929, section 4). `None` if nothing on offer is known.
    pub fn choose(offered: &[&str], end_point: Option<&[u8]>) -> Option<Self> {
        let mut random = [0; 18];
        SystemRandom::new()
            .fill(&mut random)
            .expect("the operating system has random numbers");
        let nonce = STANDARD.encode(random);
        let (mechanism, gs2_header, end_point) = match end_point {
            Some(hash) if offered.contains(&SCRAM_PLUS) => (SCRAM_PLUS, "p=tls-server-end-point,,", hash),
            // "y": we could have, but the server does not offer it. It notices if it did offer it.
            Some(_) => (SCRAM, "y,,", &[][..]),
            None => (SCRAM, "n,,", &[][..]),
        };
        offered.contains(&mechanism).then(|| Self {
            mechanism,
            gs2_header,
            end_point: end_point.to_vec(),
            // The user's name is that of the startup message.
            bare: format!("n=,r={nonce}"),
            nonce,
        })
    }

    /// The first message.
    pub fn message(&self) -> String {
        format!("{}{}", self.gs2_header, self.bare)
    }

    /// Answers the server's challenge. With a password this takes as much work as the server asks for.
    pub fn answer(&self, server_first: &[u8], credential: &Credential) -> Result<ClientFinal, ServerRefusal> {
        let text = std::str::from_utf8(server_first).map_err(|_| ServerRefusal::Malformed)?;
        let challenge = Challenge::parse(text).ok_or(ServerRefusal::Malformed)?;
        if !challenge.nonce.starts_with(&self.nonce) || challenge.nonce.len() == self.nonce.len() {
            return Err(ServerRefusal::Malformed);
        }
        let (client_key, server_key) = match credential {
            Credential::Password(password) => {
                let salted = salted(password, &challenge);
                (
                    hmac_sha256(&salted, b"Client Key"),
                    hmac_sha256(&salted, b"Server Key"),
                )
            }
            Credential::Keys(keys) => {
                if (keys.salt.as_slice(), keys.iterations) != (&challenge.salt, challenge.iterations.get()) {
                    return Err(ServerRefusal::OtherVerifier);
                }
                (keys.client_key, keys.server_key)
            }
        };
        let mut binding = self.gs2_header.as_bytes().to_vec();
        binding.extend(&self.end_point);
        let without_proof = format!("c={},r={}", STANDARD.encode(binding), challenge.nonce);
        let auth_message = format!("{},{text},{without_proof}", self.bare);
        let signature = hmac_sha256(&sha256(&client_key), auth_message.as_bytes());
        let proof = xor(&client_key, &signature);
        Ok(ClientFinal {
            message: format!("{without_proof},p={}", STANDARD.encode(proof)),
            server_key,
            auth_message,
        })
    }
}

impl ClientFinal {
    /// Checks the server's proof.
    pub fn check(&self, server_final: &[u8]) -> Result<(), ServerRefusal> {
        let signature = server_final
            .strip_prefix(b"v=")
            .and_then(|rest| rest.split(|byte| *byte == b',').next())
            .and_then(|text| STANDARD.decode(text).ok())
            .ok_or(ServerRefusal::Malformed)?;
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.server_key);
        hmac::verify(&key, self.auth_message.as_bytes(), &signature).map_err(|_| ServerRefusal::Impostor)
    }
}

struct Challenge<'a> {
    nonce: &'a str,
    salt: Vec<u8>,
    iterations: std::num::NonZeroU32,
}

impl<'a> Challenge<'a> {
    /// `r=<nonce>,s=<salt>,i=<iterations>`; mandatory extensions (`m=`) come first and are not known here.
    fn parse(text: &'a str) -> Option<Self> {
        let mut fields = text.split(',');
        let mut field = |prefix: &str| fields.next()?.strip_prefix(prefix);
        Some(Self {
            nonce: field("r=")?,
            salt: STANDARD.decode(field("s=")?).ok()?,
            iterations: field("i=")?
                .parse::<u32>()
                .ok()
                .filter(|count| *count <= MOST_ITERATIONS)?
                .try_into()
                .ok()?,
        })
    }
}

fn salted(password: &[u8], challenge: &Challenge<'_>) -> Vec<u8> {
    if let Ok(text) = std::str::from_utf8(password) {
        // Normalised where it can be.
        return gen_salted_password(text, &challenge.salt, challenge.iterations.get() as usize);
    }
    // As PostgreSQL does, other encodings are taken as they are.
    let mut salted = vec![0; 32];
    pbkdf2::derive(
        pbkdf2::PBKDF2_HMAC_SHA256,
        challenge.iterations,
        &challenge.salt,
        password,
        &mut salted,
    );
    salted
}

#[cfg(test)]
mod tests {
    use super::{super::Begun, *};

    /// The exchange of RFC 7677, section 3.
    #[test]
    fn the_rfcs_example_comes_out() {
        let first = ClientFirst {
            mechanism: SCRAM,
            gs2_header: "n,,",
            end_point: vec![],
            nonce: "rOprNGfwEbeRWgbNEkqO".into(),
            bare: "n=user,r=rOprNGfwEbeRWgbNEkqO".into(),
        };
        let server_first =
            b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
        let last = first
            .answer(server_first, &Credential::Password(b"pencil".to_vec()))
            .unwrap();
        assert_eq!(
            last.message,
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
        );
        let proof = b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";
        assert_eq!(last.check(proof), Ok(()));
        assert_eq!(
            last.check(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G5="),
            Err(ServerRefusal::Malformed)
        );
        let other = b"v=AAAATRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";
        assert_eq!(last.check(other), Err(ServerRefusal::Impostor));
        assert_eq!(last.check(b"e=invalid-proof"), Err(ServerRefusal::Malformed));
    }

    fn initial(first: &ClientFirst) -> Vec<u8> {
        let message = first.message();
        let mut body = format!("{}\0", first.mechanism).into_bytes();
        body.extend((message.len() as u32).to_be_bytes());
        body.extend(message.as_bytes());
        body
    }

    /// Logs in at our own other end, which keeps `stored`.
    fn log_in(stored: Option<&str>, credential: &Credential) -> Result<Keys, String> {
        let first = ClientFirst::choose(&[SCRAM], None).unwrap();
        let (challenge, challenged) = Begun::new("u", stored, None)
            .client_first(&initial(&first))
            .map_err(|error| error.to_string())?;
        let last = first
            .answer(challenge.as_bytes(), credential)
            .map_err(|error| error.to_string())?;
        let proven = challenged
            .client_final(last.message.as_bytes())
            .map_err(|error| error.to_string())?;
        last.check(proven.server_final.as_bytes())
            .map_err(|error| error.to_string())?;
        Ok(proven.keys)
    }

    #[test]
    fn recovered_keys_log_in_where_the_verifier_is_the_same() {
        let pencil = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=";
        let password = |text: &str| Credential::Password(text.as_bytes().to_vec());
        let keys = Credential::Keys(log_in(Some(pencil), &password("pencil")).unwrap());
        assert!(log_in(Some(pencil), &keys).is_ok());
        let check = |stored: Option<&str>, credential: &Credential, expected: &str| {
            assert_eq!(log_in(stored, credential).err().unwrap(), expected);
        };
        check(
            Some("pencil"),
            &keys,
            "the server has another password verifier for this user, or no longer lets them in",
        );
        let refused = "password authentication failed for user \"u\"";
        check(Some(pencil), &password("crayon"), refused);
        check(None, &password("pencil"), refused);
        // A verifier that cannot be read fits nobody, and is no password either.
        check(Some("SCRAM-SHA-256$x"), &password("SCRAM-SHA-256$x"), refused);
        assert!(log_in(Some("pass wörd"), &password("pass wörd")).is_ok());
    }

    #[test]
    fn who_has_no_password_is_let_in_by_none() {
        let refused = "password authentication failed for user \"u\"";
        for stored in [
            None,
            Some(""),
            Some("SCRAM-SHA-256$"),
            Some("SCRAM-SHA-256$4096:$:"),
        ] {
            for tried in ["", "u", "SCRAM-SHA-256$", "SCRAM-SHA-256$4096:$:"] {
                let told = log_in(stored, &Credential::Password(tried.as_bytes().to_vec()));
                assert_eq!(told.err().as_deref(), Some(refused), "{stored:?} by {tried:?}");
            }
        }
    }

    #[test]
    fn challenges_are_not_taken_blindly() {
        let first = ClientFirst::choose(&[SCRAM_PLUS, SCRAM], Some(b"hash")).unwrap();
        assert_eq!(first.mechanism, SCRAM_PLUS);
        assert!(first.message().starts_with("p=tls-server-end-point,,n=,r="));
        let unbound = ClientFirst::choose(&[SCRAM], Some(b"hash")).unwrap();
        assert!(unbound.message().starts_with("y,,"));
        let plain = ClientFirst::choose(&[SCRAM_PLUS, SCRAM], None).unwrap();
        assert!(plain.message().starts_with("n,,"));
        assert!(ClientFirst::choose(&["OAUTHBEARER"], None).is_none());
        assert!(ClientFirst::choose(&[SCRAM_PLUS], None).is_none());

        let nonce = first.nonce.clone();
        let check = |challenge: String| {
            let answer = first.answer(challenge.as_bytes(), &Credential::Password(vec![0xff]));
            assert_eq!(answer.err(), Some(ServerRefusal::Malformed), "{challenge}");
        };
        check(format!("r={nonce},s=c2FsdA==,i=4096"));
        check("r=other,s=c2FsdA==,i=4096".into());
        check(format!("r={nonce}x,s=c2FsdA==,i=0"));
        check(format!("r={nonce}x,s=c2FsdA==,i=2000000000"));
        check(format!("r={nonce}x,s=?,i=4096"));
        check(format!("m=x,r={nonce}x,s=c2FsdA==,i=4096"));
        check(String::new());
        let sound = format!("r={nonce}x,s=c2FsdA==,i=4096");
        assert!(
            first
                .answer(sound.as_bytes(), &Credential::Password(vec![0xff]))
                .is_ok()
        );
    }
}
