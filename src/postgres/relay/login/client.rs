//! The modes in which Querent asks the client itself: what the client proves is what logs in to the server.

use pgwire::api::auth::sasl::scram::ScramServerAuth;

use super::{Legs, LoginError, channel::Channel};
use crate::{
    scram::{Begun, Credential, Verifier},
    wire::ServerMessages,
};

/// `auth.mode = "scram"`. `stored` is a password or a verifier; an unknown user goes the same way in vain.
pub(super) async fn scram(
    client: &mut Channel,
    user: &str,
    stored: Option<String>,
    binding: Option<ScramServerAuth>,
) -> Result<Credential, LoginError> {
    let mut out = ServerMessages::default();
    let (name, known) = (user.to_owned(), stored.clone());
    let begun = tokio::task::spawn_blocking(move || Begun::new(&name, known.as_deref(), binding))
        .await
        .map_err(|error| LoginError::new("XX000", format!("cannot check passwords: {error}")))?;
    out.authentication_sasl(begun.mechanisms());
    client.send(&out.take()).await.map_err(LoginError::Lost)?;

    let first = client.password("SASL").await?;
    let (challenge, challenged) = begun.client_first(first.body())?;
    out.authentication_sasl_continue(&challenge);
    client.send(&out.take()).await.map_err(LoginError::Lost)?;

    let last = client.password("SASL").await?;
    let proven = challenged.client_final(last.body())?;
    out.authentication_sasl_final(&proven.server_final);
    client.send(&out.take()).await.map_err(LoginError::Lost)?;
    Ok(match stored {
        Some(password) if Verifier::parse(&password).is_none() => Credential::Password(password.into_bytes()),
        _ => Credential::Keys(proven.keys),
    })
}

/// `auth.mode = "cleartext"`.
pub(super) async fn cleartext(
    client: &mut Channel,
    user: &str,
    legs: &Legs,
) -> Result<Credential, LoginError> {
    if !legs.client_encrypted && !legs.client_inside && !legs.client_local {
        return Err(LoginError::new(
            "28000",
            "a password would be sent in clear text over an unencrypted connection",
        )
        .with_hint("Connect with sslmode=require."));
    }
    let mut out = ServerMessages::default();
    out.authentication_cleartext_password();
    client.send(&out.take()).await.map_err(LoginError::Lost)?;
    let answer = client.password("password").await?;
    let password = answer
        .body()
        .strip_suffix(&[0])
        .filter(|password| !password.contains(&0))
        .ok_or_else(|| LoginError::protocol("invalid password packet size"))?;
    if password.is_empty() {
        return Err(LoginError::new(
            "28P01",
            format!("empty password returned by client for user \"{user}\""),
        ));
    }
    Ok(Credential::Password(password.to_vec()))
}
