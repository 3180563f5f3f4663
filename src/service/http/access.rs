//! Who may ask the console what. The name in Host is checked against DNS rebinding, Origin against other sites
//! in a browser, and the token against everybody else. The token and the names follow a reload.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, StatusCode, Uri,
        header::{AUTHORIZATION, HOST, ORIGIN, WWW_AUTHENTICATE},
        uri::Authority,
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
};

use super::visits;
use crate::service::server::Handle;

/// What is checked.
pub(super) struct Access {
    /// The host that the console was told to listen on.
    host: String,
    /// Only this machine can connect.
    is_local: bool,
    /// Tokens are compared by their signatures, so that the time taken tells nothing of them.
    key: hmac::Key,
    /// What opens the pages where the settings have no token: made at each start, and told to whoever starts the server.
    made: String,
    server: Handle,
}

/// Why a request may not see what not everybody may.
pub(super) enum Denied {
    /// The token is missing or wrong.
    Token,
    /// There is no token, and others than this machine could ask.
    Closed,
}

impl Access {
    pub(super) fn new(host: &str, is_local: bool, server: Handle) -> Self {
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new())
            .expect("the operating system has random numbers");
        Self {
            host: host.to_owned(),
            is_local,
            key,
            made: secret(),
            server,
        }
    }

    /// A name that nobody else can point here: an address itself, or one of the server's own names.
    fn is_own(&self, host: &str, names: &[String]) -> bool {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let is = |name: &str| host.eq_ignore_ascii_case(name);
        host.parse::<IpAddr>().is_ok()
            || is("localhost")
            || is(&self.host)
            || names.iter().any(|name| is(name))
    }

    /// The token that was made at the start, if that is the one that opens the pages.
    pub(super) fn made(&self) -> Option<&str> {
        let settings = self.server.settings();
        (settings.console.token.is_none() && self.is_local).then_some(self.made.as_str())
    }

    /// Whether this is the token that opens the pages.
    pub(super) fn opens(&self, token: &str) -> bool {
        match &self.server.settings().console.token {
            Some(expected) => self.knows(token, expected),
            None => self.is_local && self.knows(token, &self.made),
        }
    }

    /// Whether the caller has the token that opens the pages in its header, as programs have.
    pub(super) fn has_token(&self, headers: &HeaderMap) -> bool {
        bearer(headers).is_some_and(|token| self.opens(token))
    }

    /// What changes when another token is to open the pages.
    pub(super) fn seal(&self) -> Vec<u8> {
        let settings = self.server.settings();
        let token = settings.console.token.as_deref().unwrap_or(&self.made);
        hmac::sign(&self.key, token.as_bytes()).as_ref().to_vec()
    }

    /// Whether a request may see what not everybody may: it has the token, or there is none and only this machine asks.
    pub(super) fn allows(&self, headers: &HeaderMap) -> Result<(), Denied> {
        let settings = self.server.settings();
        let Some(expected) = &settings.console.token else {
            // New settings without a token do not open an address that needed one.
            return if self.is_local {
                Ok(())
            } else {
                Err(Denied::Closed)
            };
        };
        match bearer(headers) {
            Some(given) if self.knows(given, expected) => Ok(()),
            _ => Err(Denied::Token),
        }
    }

    fn knows(&self, token: &str, expected: &str) -> bool {
        let tag = hmac::sign(&self.key, expected.as_bytes());
        hmac::verify(&self.key, token.as_bytes(), tag.as_ref()).is_ok()
    }
}

/// The middleware in front of everything.
pub(super) async fn origin(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let names = &access.server.settings().console.hosts;
    let host = only(request.headers(), &HOST).and_then(|host| host.parse::<Authority>().ok());
    // Nothing but a host, or a host and a port.
    let whole = |host: &Authority| {
        host.as_str() == host.host()
            || host
                .port()
                .is_some_and(|port| host.as_str() == format!("{}:{port}", host.host()))
    };
    let Some(host) = host.filter(whole) else {
        return refuse(StatusCode::BAD_REQUEST, "the Host header is missing or malformed");
    };
    if !access.is_own(host.host(), names) {
        return refuse(
            StatusCode::FORBIDDEN,
            "this console is not known by that name; list it in console_hosts",
        );
    }
    if request.headers().contains_key(ORIGIN) {
        let origin = only(request.headers(), &ORIGIN).and_then(|origin| origin.parse::<Uri>().ok());
        let same = origin
            .as_ref()
            .and_then(Uri::authority)
            .is_some_and(|origin| origin.as_str().eq_ignore_ascii_case(host.as_str()));
        if !same {
            return refuse(StatusCode::FORBIDDEN, "requests of other sites are not answered");
        }
    }
    next.run(request).await
}

/// The middleware in front of what not everybody may see.
pub(super) async fn token(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    match access.allows(request.headers()) {
        Ok(()) => {
            if access.server.settings().console.token.is_some() {
                visits::learn(&request);
            }
            next.run(request).await
        }
        Err(Denied::Closed) => refuse(StatusCode::FORBIDDEN, "set console_token"),
        Err(Denied::Token) => {
            let mut response = refuse(StatusCode::UNAUTHORIZED, "the console's token is needed");
            response
                .headers_mut()
                .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            response
        }
    }
}

/// The token that a program sends.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = only(headers, &AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Text that nobody can guess.
pub(super) fn secret() -> String {
    let mut bytes = [0; 24];
    SystemRandom::new()
        .fill(&mut bytes)
        .expect("the operating system has random numbers");
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The header's value, if it is there once and is text.
pub(super) fn only<'h>(headers: &'h HeaderMap, name: &axum::http::HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn refuse(status: StatusCode, why: &str) -> Response {
    (status, format!("{why}\n")).into_response()
}
