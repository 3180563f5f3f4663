//! From a client's startup packet to the server's `AuthenticationOk`. What the two of them say to each other about
//! passwords passes through, or Querent asks the client itself and logs in to the server in its name.

use bytes::BytesMut;
use tokio::time::timeout;
use tracing::debug;

use crate::{
    config::{AuthMode, AuthSettings},
    connection::{Stream, accepted::AcceptedConnection},
    postgres::upstream::{Server, Upstream},
    scram::Credential,
    wire::{ServerMessages, SessionStart},
};

mod channel;
mod client;
mod error;
mod lookup;
mod passthrough;
mod sasl;
mod upstream;

pub(in crate::postgres::relay) use error::LoginError;
pub(in crate::postgres::relay) use lookup::Lookup;

use super::Context;
use channel::{Channel, Frame};

/// How long last words may take to be sent.
const LAST_WORDS: std::time::Duration = std::time::Duration::from_secs(5);
/// `Terminate`.
const TERMINATE: [u8; 5] = [b'X', 0, 0, 0, 4];

/// A client that the server has let in. From `AuthenticationOk` on the session has not seen anything.
pub(in crate::postgres::relay) struct LoggedIn {
    /// The client.
    pub(in crate::postgres::relay) client: Box<dyn Stream>,
    /// What the client has sent already.
    pub(in crate::postgres::relay) client_received: BytesMut,
    /// The server.
    pub(in crate::postgres::relay) server: Box<dyn Stream>,
    /// What the server has sent already: `AuthenticationOk`, and perhaps more.
    pub(in crate::postgres::relay) server_received: BytesMut,
    /// Whether replication is spoken: nothing of it is understood here.
    pub(in crate::postgres::relay) replication: bool,
}

/// The server lets the client in.
struct Entered {
    /// `AuthenticationOk`.
    ok: Frame,
    /// Whether the server asked for anything before.
    challenged: bool,
}

/// What is known of the two connections.
struct Legs {
    client_encrypted: bool,
    /// Within the program.
    client_inside: bool,
    /// On this machine.
    client_local: bool,
    server_encrypted: bool,
    /// On this machine.
    server_local: bool,
    /// What SCRAM is bound to towards the server.
    server_end_point: Option<Vec<u8>>,
}

/// Logs a client in, within the time for it. Whoever is not let in has been told, and the connection is closed.
pub(in crate::postgres::relay) async fn login(
    accepted: AcceptedConnection,
    context: &Context,
) -> Result<LoggedIn, LoginError> {
    let mut client = Channel::new(accepted.stream, accepted.received);
    let attempt = Attempt {
        start: accepted.start,
        client_encrypted: accepted.encrypted,
        client_inside: accepted.inside,
        client_local: accepted.peer.is_none_or(|peer| peer.is_loopback()),
        channel_binding: accepted.channel_binding,
        context,
    };
    let error = match timeout(context.login_time, attempt.complete(&mut client)).await {
        Ok(Ok((mut server, entered))) => {
            server.put_back(&entered.ok);
            let (client, client_received) = client.into_parts();
            let (server, server_received) = server.into_parts();
            return Ok(LoggedIn {
                client,
                client_received,
                server,
                server_received,
                replication: is_replication(&attempt.start),
            });
        }
        Ok(Err(error)) => error,
        Err(_) => LoginError::new("57014", "logging in took too long"),
    };
    let last_words = async {
        if let LoginError::Refused(fields) = &error {
            let mut out = ServerMessages::default();
            out.error_or_notice(fields);
            client.send(&out.take()).await?;
        }
        client.close().await
    };
    // A client that has gone, or does not listen, needs no words.
    match timeout(LAST_WORDS, last_words).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => debug!(session = context.number, %error, "the client has gone"),
        Err(_) => debug!(session = context.number, "the client does not listen"),
    }
    Err(error)
}

/// A login under way.
struct Attempt<'a> {
    start: SessionStart,
    client_encrypted: bool,
    client_inside: bool,
    client_local: bool,
    channel_binding: Option<pgwire::api::auth::sasl::scram::ScramServerAuth>,
    context: &'a Context,
}

impl Attempt<'_> {
    async fn complete(&self, client: &mut Channel) -> Result<(Channel, Entered), LoginError> {
        if !self.context.admitted {
            return Err(LoginError::new("53300", "sorry, too many clients already")
                .with_hint("Raise limits.connections, or close sessions that are not used."));
        }
        let settings = self.context.shared.settings();
        let auth = &settings.auth;
        let mut legs = Legs {
            client_encrypted: self.client_encrypted,
            client_inside: self.client_inside,
            client_local: self.client_local,
            server_encrypted: false,
            server_local: self.server().is_local(),
            server_end_point: None,
        };
        let credential = match auth.mode {
            // The first is not let through at the start: a server has users of its own.
            AuthMode::Trust | AuthMode::Auto | AuthMode::Passthrough => None,
            AuthMode::Scram => {
                let user = self.user()?;
                let stored = self.stored(auth, &user).await?;
                Some(client::scram(client, &user, stored, self.channel_binding.clone()).await?)
            }
            AuthMode::Cleartext => Some(client::cleartext(client, &self.user()?, &legs).await?),
        };
        let mut server = self.connect(&mut legs).await?;
        let entered = match &credential {
            None => passthrough::passthrough(client, &mut server, &legs).await?,
            Some(credential) => self.log_in(client, &mut server, credential, &legs).await?,
        };
        let proved = entered.challenged || auth.mode == AuthMode::Scram;
        if !proved && !self.client_local && !auth.allow_upstream_trust {
            // The server holds a session for nobody.
            if let Err(error) = server.send(&TERMINATE).await {
                debug!(session = self.context.number, %error, "the server has gone");
            }
            return Err(LoginError::new(
                "28000",
                "the server asks Querent for no password, so it would let in anybody from anywhere",
            )
            .with_hint(
                "Let the server's pg_hba.conf ask for a password where Querent connects from, set auth.mode = \
                 \"scram\", or say auth.allow_upstream_trust = true.",
            ));
        }
        Ok((server, entered))
    }

    fn server(&self) -> &Server {
        &self.context.shared.server
    }

    /// Who the client says it is, exactly as the server will read it.
    fn user(&self) -> Result<String, LoginError> {
        // What makes no sense has to be refused here: somebody else might be let in by the server.
        if let Err(error) = self.start.parameters() {
            return Err(LoginError::protocol(error.to_string()));
        }
        let user = self.start.parameter("user").unwrap_or_default();
        if user.is_empty() {
            return Err(LoginError::new(
                "28000",
                "no PostgreSQL user name specified in startup packet",
            ));
        }
        if user.len() > LONGEST_NAME {
            return Err(LoginError::new("28000", "the user name is too long"));
        }
        Ok(String::from_utf8_lossy(user).into_owned())
    }

    /// The password or verifier of a user, as far as one is known.
    async fn stored(&self, auth: &AuthSettings, user: &str) -> Result<Option<String>, LoginError> {
        match (auth.users.get(user), &auth.auth_query) {
            (Some(stored), _) => Ok(Some(stored.expose().to_owned())),
            (None, Some(query)) => {
                let lookup = &self.context.shared.lookup;
                lookup.verifier(self.server(), query, user).await
            }
            (None, None) => Ok(None),
        }
    }

    /// Connects to the server, and sends the startup packet as it came.
    async fn connect(&self, legs: &mut Legs) -> Result<Channel, LoginError> {
        let Upstream {
            stream,
            encrypted,
            server_end_point,
        } = self.server().connect().await?;
        legs.server_encrypted = encrypted;
        legs.server_end_point = server_end_point;
        let mut server = Channel::new(stream, BytesMut::new());
        server.send(&self.start.packet).await.map_err(|error| {
            LoginError::new("08006", format!("the connection to the server broke: {error}"))
        })?;
        Ok(server)
    }

    async fn log_in(
        &self,
        client: &mut Channel,
        server: &mut Channel,
        credential: &Credential,
        legs: &Legs,
    ) -> Result<Entered, LoginError> {
        let user = self.start.parameter("user").unwrap_or_default();
        upstream::log_in(client, server, credential, (user, legs)).await
    }
}

/// PostgreSQL cuts longer names off, and would let in somebody else than was asked for.
const LONGEST_NAME: usize = 63;

/// Whether the server will take this for a replication connection: anything that is not some spelling of "no".
fn is_replication(start: &SessionStart) -> bool {
    let Some(value) = start.parameter("replication") else {
        return false;
    };
    let value = value.to_ascii_lowercase();
    let no = [("false", 1), ("no", 1), ("off", 2), ("0", 1)];
    !no.into_iter()
        .any(|(word, least)| value.len() >= least && word.as_bytes().starts_with(&value))
}
