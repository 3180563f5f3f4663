//! Who the client is: nobody asks, or SCRAM-SHA-256 with channel binding where TLS allows it.

use pgwire::api::auth::sasl::scram::ScramServerAuth;

use crate::{
    config::{AuthMode, AuthSettings, Secret},
    scram::{Begun, ScramError},
    wire::{ClientMessage, Fields},
};

use super::{client::Client, error::SessionError};

/// What is known of the client before it has proved anything.
pub(super) struct Claim<'a> {
    /// The user that it says it is.
    pub(super) user: &'a str,
    /// False if other machines than this one could be at the other end.
    pub(super) is_local: bool,
    /// Whether that has been found out before.
    pub(super) is_proven: bool,
    /// SCRAM bound to this connection's certificate.
    pub(super) channel_binding: Option<ScramServerAuth>,
}

/// Lets the client in or ends with the reason. `AuthenticationOk` is not sent here.
pub(super) async fn authenticate(
    client: &mut Client,
    claim: Claim<'_>,
    settings: &AuthSettings,
) -> Result<(), SessionError> {
    if claim.is_proven {
        return Ok(());
    }
    if settings.mode == AuthMode::Scram {
        return scram(client, claim, settings).await;
    }
    if claim.is_local || settings.allow_trust_from_anywhere {
        return Ok(());
    }
    Err(SessionError::fatal(
        "28000",
        "connections from other machines need a password, and this server has none configured",
    )
    .with_hint("Set auth.mode = \"scram\" with [auth.users] in the server's configuration."))
}

async fn scram(client: &mut Client, claim: Claim<'_>, settings: &AuthSettings) -> Result<(), SessionError> {
    let stored = settings.users.get(claim.user).map(Secret::expose);
    let begun = Begun::new(claim.user, stored, claim.channel_binding);
    client.out.authentication_sasl(begun.mechanisms());
    client.flush().await?;

    let first = password_message(client).await?;
    let (challenge, challenged) = begun.client_first(&first).map_err(|error| fatal(&error))?;
    client.out.authentication_sasl_continue(&challenge);
    client.flush().await?;

    let last = password_message(client).await?;
    let proven = challenged.client_final(&last).map_err(|error| fatal(&error))?;
    client.out.authentication_sasl_final(&proven.server_final);
    Ok(())
}

fn fatal(error: &ScramError) -> SessionError {
    SessionError::Fatal(Box::new(Fields::of(error).fatal()))
}

async fn password_message(client: &mut Client) -> Result<bytes::Bytes, SessionError> {
    let frame = client
        .frame()
        .await?
        .ok_or_else(|| SessionError::Lost(std::io::ErrorKind::UnexpectedEof.into()))?;
    let tag = frame.tag;
    match ClientMessage::parse(frame) {
        Ok(ClientMessage::Password(body)) => Ok(body),
        _ => Err(SessionError::fatal(
            "08P01",
            format!("expected SASL response, got message type {tag}"),
        )),
    }
}
