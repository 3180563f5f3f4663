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
        header::{AUTHORIZATION, COOKIE, SET_COOKIE},
    },
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use super::{
    access::{Access, secret},
    api::Peer,
    asking::Asking,
    callers::Known,
    guesses::Guesses,
    reply,
};

/// Browsers at once; for one more, the one that was here longest ago has to show the token again.
const VISITS: usize = 64;
/// Conversations of programs at once. Each may have a connection of its own.
const CONVERSATIONS: usize = 32;
/// How long one may rest.
const CONVERSATION_IDLE: Duration = Duration::from_secs(15 * 60);
/// The header that names one.
const CONVERSATION: &str = "querent-conversation";
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
    kind: Kind,
    last: Mutex<Instant>,
}

/// Who comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Browser,
    /// A program within a conversation.
    Program,
    /// A program of which nothing is known at its next request.
    Single,
}

/// Everybody who is here.
pub(super) struct Visits {
    access: Arc<Access>,
    /// Cookies are shared by all ports of a host.
    cookie: String,
    known: Mutex<HashMap<String, Arc<Visit>>>,
    /// Conversations of programs, by their numbers.
    conversations: Mutex<HashMap<String, Arc<Visit>>>,
    looked_at: DefaultDirectRateLimiter,
    guesses: Guesses,
}

impl Visit {
    fn new(kind: Kind, seal: Vec<u8>) -> Arc<Self> {
        Arc::new(Self {
            csrf: secret(),
            asking: Arc::default(),
            seal,
            kind,
            last: Mutex::new(Instant::now()),
        })
    }

    /// Who it is, as far as that is known.
    pub(super) fn name(&self) -> &str {
        if self.is_program() {
            "a program"
        } else {
            "a browser"
        }
    }

    /// True for a program.
    pub(super) fn is_program(&self) -> bool {
        self.kind != Kind::Browser
    }

    /// True for a program of which nothing is known at its next request.
    pub(super) fn is_single(&self) -> bool {
        self.kind == Kind::Single
    }

    /// Whether it still counts; then it counts from now on.
    fn goes_on(&self, seal: &[u8], idle: Duration) -> bool {
        // The token is another by now, or it was long away.
        if self.idle() > idle || self.seal != seal {
            return false;
        }
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        true
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
            conversations: Mutex::default(),
            looked_at: RateLimiter::direct(Quota::per_minute(TOKENS)),
            guesses: Guesses::default(),
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
        let visit = Visit::new(Kind::Browser, self.access.seal());
        remember(&mut self.known(), (id.clone(), visit), (VISITS, IDLE));
        Ok(self.set_cookie(&id, IDLE.as_secs()))
    }

    /// Begins a conversation of a program, and gives it a number that nobody can guess.
    pub(super) fn converse(&self) -> String {
        let id = secret();
        let visit = Visit::new(Kind::Program, self.access.seal());
        let most = (CONVERSATIONS, CONVERSATION_IDLE);
        remember(&mut self.conversations(), (id.clone(), visit), most);
        id
    }

    /// Forgets a conversation.
    pub(super) fn end(&self, id: &str) {
        self.conversations().remove(id);
    }

    /// The conversation that a program's request belongs to, if it names one.
    fn conversation(&self, headers: &HeaderMap) -> Result<Arc<Visit>, Box<Response>> {
        let Some(id) = headers.get(CONVERSATION) else {
            // No program asks on the connection that another has logged in.
            return Ok(Visit::new(Kind::Single, Vec::new()));
        };
        let mut known = self.conversations();
        let id = id.to_str().unwrap_or_default();
        match known.get(id) {
            Some(visit) if visit.goes_on(&self.access.seal(), CONVERSATION_IDLE) => Ok(Arc::clone(visit)),
            _ => {
                known.remove(id);
                Err(Box::new(reply::error(
                    StatusCode::NOT_FOUND,
                    "there is no such conversation",
                    Some(
                        "It may have been idle for too long; begin another with POST /api/v1/conversations.",
                    ),
                )))
            }
        }
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
        let visit = Arc::clone(known.get(id)?);
        if visit.goes_on(&self.access.seal(), IDLE) {
            return Some(visit);
        }
        known.remove(id);
        None
    }

    fn conversations(&self) -> MutexGuard<'_, HashMap<String, Arc<Visit>>> {
        self.conversations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Arc<Visit>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds one; where there are too many, the one that was here longest ago goes.
fn remember(
    known: &mut HashMap<String, Arc<Visit>>,
    (id, visit): (String, Arc<Visit>),
    (most, idle): (usize, Duration),
) {
    known.retain(|_, visit| visit.idle() < idle);
    if known.len() >= most {
        let oldest = known.iter().max_by_key(|(_, visit)| visit.idle());
        if let Some(oldest) = oldest.map(|(id, _)| id.clone()) {
            known.remove(&oldest);
        }
    }
    known.insert(id, visit);
}

/// The middleware in front of pages: who has not shown the token is asked for it.
pub(super) async fn page(State(visits): State<Arc<Visits>>, mut request: Request, next: Next) -> Response {
    match visits.of(request.headers()) {
        Some(visit) => {
            learn(&request);
            request.extensions_mut().insert(visit);
            next.run(request).await
        }
        None => Redirect::to("/sign-in").into_response(),
    }
}

/// The middleware in front of what programs and scripts ask.
pub(super) async fn program(State(visits): State<Arc<Visits>>, mut request: Request, next: Next) -> Response {
    let headers = request.headers();
    let from = request.extensions().get::<Peer>().map(|Peer(from)| *from);
    let tries = headers.contains_key(AUTHORIZATION);
    if let Some(from) = from.filter(|_| tries)
        && !visits.guesses.allows(from)
    {
        return reply::error(
            StatusCode::TOO_MANY_REQUESTS,
            "too many wrong tokens come from this address",
            Some("Wait a minute."),
        );
    }
    let visit = if visits.access.has_token(headers) {
        match visits.conversation(headers) {
            Ok(visit) => visit,
            Err(response) => return *response,
        }
    } else {
        let Some(visit) = visits.of(headers) else {
            if let Some(from) = from.filter(|_| tries) {
                visits.guesses.wrong(from);
            }
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
    learn(&request);
    request.extensions_mut().insert(visit);
    next.run(request).await
}

/// Whoever is at the other end of this request's connection has shown the token.
pub(super) fn learn(request: &Request) {
    if let Some(known) = request.extensions().get::<Known>() {
        known.learn();
    }
}

/// The header that a cookie goes into.
pub(super) const COOKIE_HEADER: axum::http::HeaderName = SET_COOKIE;
