//! Browsers that have shown the token: a cookie names each, and a second secret, which only pages of ours know, must come
//! with whatever changes something.

use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{COOKIE, SET_COOKIE},
    },
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use super::{
    access::{Access, secret},
    asking::Asking,
    reply,
};

/// Browsers at once; for one more, the one that was here longest ago has to show the token again.
const VISITS: usize = 64;
/// How long a browser may stay away.
const IDLE: Duration = Duration::from_secs(12 * 3600);
/// Tokens that are looked at in a minute, from all callers together.
const TOKENS: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
/// The header with the second secret.
const CSRF: &str = "x-csrf-token";

/// One browser, or one request of a program that sends the token itself.
pub(super) struct Visit {
    /// The second secret.
    pub(super) csrf: String,
    /// Its connection to ask on; one question at a time.
    pub(super) asking: Arc<tokio::sync::Mutex<Option<Asking>>>,
    /// [`Access::seal`] when it came.
    seal: Vec<u8>,
    last: Mutex<Instant>,
}

/// Everybody who is here.
pub(super) struct Visits {
    access: Arc<Access>,
    /// Cookies are shared by all ports of a host.
    cookie: String,
    known: Mutex<HashMap<String, Arc<Visit>>>,
    looked_at: DefaultDirectRateLimiter,
}

impl Visit {
    fn new(seal: Vec<u8>) -> Arc<Self> {
        Arc::new(Self {
            csrf: secret(),
            asking: Arc::default(),
            seal,
            last: Mutex::new(Instant::now()),
        })
    }

    /// True for a program, of which nothing is known at its next request.
    pub(super) fn is_program(&self) -> bool {
        self.seal.is_empty()
    }

    fn idle(&self) -> Duration {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}

impl Visits {
    pub(super) fn new(access: Arc<Access>, port: u16) -> Self {
        Self {
            access,
            cookie: format!("querent_{port}"),
            known: Mutex::default(),
            looked_at: RateLimiter::direct(Quota::per_minute(TOKENS)),
        }
    }

    /// Lets a browser in that has the token; what comes back is its cookie.
    pub(super) fn enter(&self, token: &str) -> Result<HeaderValue, StatusCode> {
        // Beyond the limit nobody hears whether a token is right.
        if self.looked_at.check().is_err() {
            return Err(StatusCode::TOO_MANY_REQUESTS);
        }
        if !self.access.opens(token) {
            return Err(StatusCode::UNAUTHORIZED);
        }
        let id = secret();
        let mut known = self.known();
        known.retain(|_, visit| visit.idle() < IDLE);
        if known.len() >= VISITS {
            let oldest = known.iter().max_by_key(|(_, visit)| visit.idle());
            if let Some(oldest) = oldest.map(|(id, _)| id.clone()) {
                known.remove(&oldest);
            }
        }
        known.insert(id.clone(), Visit::new(self.access.seal()));
        Ok(self.set_cookie(&id, IDLE.as_secs()))
    }

    /// Forgets a browser.
    pub(super) fn leave(&self, headers: &HeaderMap) -> HeaderValue {
        if let Some(id) = self.id(headers) {
            self.known().remove(id);
        }
        self.set_cookie("", 0)
    }

    fn set_cookie(&self, id: &str, age: u64) -> HeaderValue {
        let cookie = format!(
            "{}={id}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict",
            self.cookie
        );
        HeaderValue::try_from(cookie).expect("a cookie of letters and digits is a header")
    }

    fn id<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let cookies = headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
        pairs.find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == self.cookie).then_some(value)
        })
    }

    /// The browser that a request comes from.
    pub(super) fn of(&self, headers: &HeaderMap) -> Option<Arc<Visit>> {
        let id = self.id(headers)?;
        let mut known = self.known();
        let visit = known.get(id)?;
        // The token is another by now.
        if visit.idle() > IDLE || visit.seal != self.access.seal() {
            known.remove(id);
            return None;
        }
        *visit.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Some(Arc::clone(visit))
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Arc<Visit>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The middleware in front of pages: who has not shown the token is asked for it.
pub(super) async fn page(State(visits): State<Arc<Visits>>, mut request: Request, next: Next) -> Response {
    match visits.of(request.headers()) {
        Some(visit) => {
            request.extensions_mut().insert(visit);
            next.run(request).await
        }
        None => Redirect::to("/sign-in").into_response(),
    }
}

/// The middleware in front of what programs and scripts ask.
pub(super) async fn program(State(visits): State<Arc<Visits>>, mut request: Request, next: Next) -> Response {
    let headers = request.headers();
    let visit = if visits.access.has_token(headers) {
        // No program asks on the connection that another has logged in.
        Visit::new(Vec::new())
    } else {
        let Some(visit) = visits.of(headers) else {
            return reply::error(
                StatusCode::UNAUTHORIZED,
                "the console's token is needed",
                Some("Send it as Authorization: Bearer …, or sign in."),
            );
        };
        let told = headers.get(CSRF).and_then(|value| value.to_str().ok());
        if request.method() != Method::GET && told != Some(visit.csrf.as_str()) {
            return reply::error(
                StatusCode::FORBIDDEN,
                "this request does not come from a page of this console",
                Some("Reload the page."),
            );
        }
        visit
    };
    request.extensions_mut().insert(visit);
    next.run(request).await
}

/// The header that a cookie goes into.
pub(super) const COOKIE_HEADER: axum::http::HeaderName = SET_COOKIE;
