//! Who may ask the console what. The name in Host is checked against DNS rebinding, Origin against other sites
//! in a browser, and the token or what a proxy says against everybody else. All of it follows a reload.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, StatusCode, Uri,
        header::{AUTHORIZATION, HOST, ORIGIN, WWW_AUTHENTICATE},
        uri::Authority,
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
};

use super::{guesses::Guesses, roles::Who, visits};
use crate::{
    config::{ConsoleAuth, ConsoleSettings, Secret, Settings},
    service::server::Handle,
};

/// Who is behind a proxy, the last one last.
const FORWARDED_FOR: &str = "x-forwarded-for";
/// What a user's name may hold, in bytes.
const LONGEST_NAME: usize = 256;

/// What is checked.
pub(super) struct Access {
    /// The host that the console was told to listen on.
    host: String,
    /// Only this machine can connect.
    is_local: bool,
    /// Nobody on the way reads what is sent.
    is_encrypted: bool,
    /// Tokens are compared by their signatures, so that the time taken tells nothing of them.
    key: hmac::Key,
    /// What opens the pages where the settings have no token: made at each start, and told to whoever starts the server.
    made: String,
    server: Handle,
    guesses: Arc<Guesses>,
}

/// Where a request comes from: the other end of the connection, or whoever a proxy says is behind it.
#[derive(Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// The other end of the connection.
#[derive(Clone, Copy)]
pub(super) struct Wire(pub(super) IpAddr);

/// Why a request may not see what not everybody may.
pub(super) enum Denied {
    /// The token is missing or wrong.
    Token,
    /// There is no token, and others than this machine could ask.
    Closed,
}

impl Access {
    /// Of a console at this host; whether only this machine can connect and whether that is encrypted are told beside it.
    pub(super) fn new(
        host: &str,
        (is_local, is_encrypted): (bool, bool),
        server: Handle,
        guesses: Arc<Guesses>,
    ) -> Self {
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new())
            .expect("the operating system has random numbers");
        Self {
            host: host.to_owned(),
            is_local,
            is_encrypted,
            key,
            made: secret(),
            server,
            guesses,
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
        let console = &self.server.settings().console;
        let is_used = console.token.is_none() && console.auth == ConsoleAuth::Token && self.is_local;
        is_used.then_some(self.made.as_str())
    }

    /// Whether this is the token that opens the pages.
    pub(super) fn opens(&self, token: &str) -> bool {
        match &self.server.settings().console.token {
            Some(expected) => self.knows(token, expected.expose()),
            None => self.made().is_some_and(|made| self.knows(token, made)),
        }
    }

    /// The settings of this moment.
    pub(super) fn settings(&self) -> Arc<Settings> {
        self.server.settings()
    }

    /// The server itself.
    pub(super) fn server(&self) -> &Handle {
        &self.server
    }

    /// Whether what is sent comes encrypted, or from this machine.
    pub(super) fn hears_passwords(&self, wire: IpAddr) -> bool {
        self.is_encrypted || wire.is_loopback()
    }

    /// Whether it speaks HTTPS.
    pub(super) fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// The user that a proxy names, where proxies do.
    pub(super) fn named(&self, headers: &HeaderMap, wire: IpAddr) -> Option<String> {
        let settings = self.server.settings();
        let console = &settings.console;
        if console.auth != ConsoleAuth::Proxy || !console.is_proxy(wire) {
            return None;
        }
        let name = HeaderName::try_from(console.proxy_header.as_str()).ok()?;
        let user = only(headers, &name)?.trim();
        (!user.is_empty() && user.len() <= LONGEST_NAME).then(|| user.to_owned())
    }

    /// Whether a visit that was begun as this one may go on with such a request.
    pub(super) fn vouches(&self, who: &Who, headers: &HeaderMap, wire: IpAddr) -> bool {
        match (who, self.server.settings().console.auth) {
            (Who::Token, _) | (Who::User(_), ConsoleAuth::Users) => true,
            (Who::User(user), ConsoleAuth::Proxy) => self.named(headers, wire).as_ref() == Some(user),
            (Who::User(_), ConsoleAuth::Token) => false,
        }
    }

    /// Whether the caller has the token that opens the pages in its header, as programs have.
    pub(super) fn has_token(&self, headers: &HeaderMap) -> bool {
        bearer(headers).is_some_and(|token| self.opens(token))
    }

    /// What changes when another token is to open the pages, or another password is the user's.
    pub(super) fn seal(&self, who: &Who) -> Vec<u8> {
        let settings = self.server.settings();
        let text = match who {
            Who::Token => settings
                .console
                .token
                .as_ref()
                .map_or_else(|| self.made.clone(), |token| token.expose().to_owned()),
            Who::User(user) => {
                let stored = settings.auth.users.get(user).map_or("", Secret::expose);
                format!("{:?}\0{user}\0{stored}", settings.console.auth)
            }
        };
        self.sign(text.as_bytes())
    }

    /// What stands for a text that nobody shall read.
    pub(super) fn sign(&self, text: &[u8]) -> Vec<u8> {
        hmac::sign(&self.key, text).as_ref().to_vec()
    }

    /// Whether a request may see what not everybody may: it has the token, or there is none and only this machine asks.
    pub(super) fn allows(&self, headers: &HeaderMap) -> Result<(), Denied> {
        let settings = self.server.settings();
        let Some(expected) = &settings.console.token else {
            // New settings without a token do not open an address that needed one.
            return if self.is_local && settings.console.auth == ConsoleAuth::Token {
                Ok(())
            } else {
                Err(Denied::Closed)
            };
        };
        match bearer(headers) {
            Some(given) if self.knows(given, expected.expose()) => Ok(()),
            _ => Err(Denied::Token),
        }
    }

    fn knows(&self, token: &str, expected: &str) -> bool {
        let tag = hmac::sign(&self.key, expected.as_bytes());
        hmac::verify(&self.key, token.as_bytes(), tag.as_ref()).is_ok()
    }
}

/// The middleware in front of everything.
pub(super) async fn origin(State(access): State<Arc<Access>>, mut request: Request, next: Next) -> Response {
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
    if let Some(Wire(wire)) = request.extensions().get().copied() {
        let from = behind(&access.server.settings().console, request.headers(), wire);
        request.extensions_mut().insert(Peer(from));
    }
    next.run(request).await
}

/// Who is behind a proxy, by what the last one says.
fn behind(console: &ConsoleSettings, headers: &HeaderMap, wire: IpAddr) -> IpAddr {
    if !console.is_proxy(wire) {
        return wire;
    }
    let last = headers.get_all(FORWARDED_FOR).iter().next_back();
    let named = last.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    named.unwrap_or(wire)
}

/// The middleware in front of what not everybody may see.
pub(super) async fn token(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let from = request.extensions().get::<Peer>().map(|Peer(from)| *from);
    let from = from.filter(|_| request.headers().contains_key(AUTHORIZATION));
    let is_over = match from {
        Some(from) => !access.guesses.allows(from).await,
        None => false,
    };
    match access.allows(request.headers()) {
        Ok(()) => {
            if access.server.settings().console.token.is_some() {
                visits::learn(&request);
            }
            next.run(request).await
        }
        Err(Denied::Closed) => refuse(StatusCode::FORBIDDEN, "set console_token"),
        Err(Denied::Token) if is_over => refuse(
            StatusCode::TOO_MANY_REQUESTS,
            "too many wrong tokens come from this address",
        ),
        Err(Denied::Token) => {
            if let Some(from) = from {
                access.guesses.wrong(from);
            }
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

/// The user and the password that a program sends.
pub(super) fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let (scheme, text) = only(headers, &AUTHORIZATION)?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(text.trim()).ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    Some((user.to_owned(), password.to_owned()))
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
pub(super) fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn refuse(status: StatusCode, why: &str) -> Response {
    (status, format!("{why}\n")).into_response()
}
