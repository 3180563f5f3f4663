//! Browsers that have signed in, and programs: a cookie names each browser, and a second secret, which only pages of ours know,
//! must come with whatever changes something.

use std::{
    collections::HashMap,
    hash::Hash,
    net::IpAddr,
    num::NonZeroU32,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{COOKIE, SET_COOKIE},
    },
    response::Response,
};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::sleep;

use super::{
    access::{Access, Peer, Wire, secret},
    asking::{Asking, Failed, Login},
    guesses::{Guesses, PAUSE},
    reply,
    roles::{Rights, Who},
};
use crate::config::ConsoleAuth;

mod requests;

pub(super) use requests::{Entry, csrf_of, learn, page, program};

/// Browsers at once; for one more, the one that was here longest ago has to sign in again.
const VISITS: usize = 256;
/// Users' programs at once that are remembered.
const PROGRAMS: usize = 64;
/// Users' programs at once that log in.
const LOGINS: usize = 16;
/// Conversations of programs at once. Each may have a connection of its own.
const CONVERSATIONS: usize = 32;
/// How long one may rest.
const CONVERSATION_IDLE: Duration = Duration::from_secs(15 * 60);
/// The header that names one.
const CONVERSATION: &str = "querent-conversation";
/// Tokens that are looked at in a minute without a pause, from all callers together.
const TOKENS: NonZeroU32 = NonZeroU32::new(30).expect("not zero");

/// One browser, or one request of a program that sends the token itself.
pub(super) struct Visit {
    /// The second secret.
    pub(super) csrf: String,
    /// Its connection to ask on; one question at a time.
    pub(super) asking: Arc<tokio::sync::Mutex<Option<Asking>>>,
    /// Who it is.
    pub(super) who: Who,
    /// The user of the database that it has logged in as.
    asks_as: Mutex<Option<String>>,
    /// [`Access::seal`] when it came.
    seal: Vec<u8>,
    kind: VisitorKind,
    begun: Instant,
    last: Mutex<Instant>,
}

/// What sort of visitor it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VisitorKind {
    Browser,
    /// A program that is known again.
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
    /// Programs that send a user and a password, by what stands for both and the address.
    programs: Mutex<HashMap<Vec<u8>, Arc<Visit>>>,
    /// Held while such a program logs in, by the same.
    logging_in: [tokio::sync::Mutex<()>; LOGINS],
    looked_at: DefaultDirectRateLimiter,
    guesses: Arc<Guesses>,
}

/// Who wants to sign in.
pub(super) struct Credentials<'a> {
    pub(super) user: &'a str,
    pub(super) password: &'a str,
    /// Empty for the one that the server has, or the user's own.
    pub(super) database: &'a str,
}

/// Why somebody does not get in.
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) message: String,
}

impl Refusal {
    fn new(status: StatusCode, message: &str) -> Self {
        Self {
            status,
            message: message.to_owned(),
        }
    }
}

impl Visit {
    fn new(kind: VisitorKind, who: Who, seal: Vec<u8>) -> Self {
        Self {
            csrf: secret(),
            asking: Arc::default(),
            who,
            asks_as: Mutex::default(),
            seal,
            kind,
            begun: Instant::now(),
            last: Mutex::new(Instant::now()),
        }
    }

    /// The same with a connection that has logged in.
    fn with(mut self, asking: Asking) -> Self {
        self.logged_in(&asking);
        self.asking = Arc::new(tokio::sync::Mutex::new(Some(asking)));
        self
    }

    /// It asks on this connection from now on.
    pub(super) fn logged_in(&self, asking: &Asking) {
        let mut asks_as = self.asks_as.lock().unwrap_or_else(PoisonError::into_inner);
        *asks_as = Some(asking.user.clone());
    }

    /// Who it is, as far as that is known.
    pub(super) fn name(&self) -> &str {
        match &self.who {
            Who::User(user) => user,
            Who::Token if self.is_program() => "a program",
            Who::Token => "a browser",
        }
    }

    /// The user whose questions alone it sees; none where it sees those of all.
    pub(super) fn sees_only(&self, rights: Rights) -> Option<String> {
        if rights.see_all {
            return None;
        }
        let asks_as = self.asks_as.lock().unwrap_or_else(PoisonError::into_inner);
        Some(asks_as.clone().unwrap_or_else(|| self.name().to_owned()))
    }

    /// True for a program.
    pub(super) fn is_program(&self) -> bool {
        self.kind != VisitorKind::Browser
    }

    /// True for a program of which nothing is known at its next request.
    pub(super) fn is_single(&self) -> bool {
        self.kind == VisitorKind::Single
    }

    /// Whether it still counts; then it counts from now on.
    fn goes_on(&self, access: &Access, longest: Duration) -> bool {
        // It has to sign in again by now, or it was long away.
        let is_over = match self.kind {
            VisitorKind::Browser => self.begun.elapsed() > longest,
            VisitorKind::Program | VisitorKind::Single => self.idle() > longest,
        };
        if is_over || self.seal != access.seal(&self.who) {
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
    pub(super) fn new(access: Arc<Access>, port: u16, guesses: Arc<Guesses>) -> Self {
        Self {
            access,
            cookie: format!("querent_{port}"),
            known: Mutex::default(),
            conversations: Mutex::default(),
            programs: Mutex::default(),
            logging_in: Default::default(),
            looked_at: RateLimiter::direct(Quota::per_minute(TOKENS)),
            guesses,
        }
    }

    /// Who says who comes, and whether there is a token beside.
    pub(super) fn ways_in(&self) -> (ConsoleAuth, bool) {
        let settings = self.access.settings();
        let console = &settings.console;
        (console.auth, console.token.is_some())
    }

    /// What one may do at this moment.
    pub(super) fn rights(&self, visit: &Visit) -> Rights {
        visit.who.rights(&self.access.settings().console)
    }

    /// Lets a browser in that has the token; what comes back is its cookie.
    pub(super) async fn enter(&self, token: &str) -> Result<HeaderValue, Refusal> {
        let is_over = self.looked_at.check().is_err();
        if is_over {
            sleep(PAUSE).await;
        }
        if !self.access.opens(token) {
            if is_over {
                let message = "Too many wrong tokens. Wait a minute.";
                return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, message));
            }
            let message = "That is not the token.";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, message));
        }
        let seal = self.access.seal(&Who::Token);
        Ok(self.begin(Visit::new(VisitorKind::Browser, Who::Token, seal)).1)
    }

    /// Lets a browser in that has a user's password; what comes back is its cookie.
    pub(super) async fn enter_as(
        &self,
        credentials: &Credentials<'_>,
        (Peer(from), Wire(wire)): (Peer, Wire),
    ) -> Result<HeaderValue, Refusal> {
        let asking = self.log_in(credentials, from, wire).await?;
        let who = Who::User(credentials.user.to_owned());
        let seal = self.access.seal(&who);
        Ok(self
            .begin(Visit::new(VisitorKind::Browser, who, seal).with(asking))
            .1)
    }

    /// Lets a browser in that a proxy has named.
    fn enter_named(&self, user: String) -> (Arc<Visit>, HeaderValue) {
        let who = Who::User(user);
        let seal = self.access.seal(&who);
        self.begin(Visit::new(VisitorKind::Browser, who, seal))
    }

    fn begin(&self, visit: Visit) -> (Arc<Visit>, HeaderValue) {
        let (id, visit, longest) = (secret(), Arc::new(visit), self.longest());
        let cookie = self.set_cookie(&id, longest.as_secs().max(1));
        remember(&mut self.known(), (id, Arc::clone(&visit)), (VISITS, longest));
        (visit, cookie)
    }

    /// Logs a user in where its password is checked as that of every client is.
    async fn log_in(
        &self,
        credentials: &Credentials<'_>,
        from: IpAddr,
        wire: IpAddr,
    ) -> Result<Asking, Refusal> {
        let user = credentials.user;
        if self.access.settings().console.auth != ConsoleAuth::Users {
            let message = "Nobody signs in with a password here.";
            return Err(Refusal::new(StatusCode::FORBIDDEN, message));
        }
        if !self.access.hears_passwords(wire) {
            let message = "Passwords are taken over TLS or on this machine alone.";
            return Err(Refusal::new(StatusCode::FORBIDDEN, message));
        }
        let Some(attempt) = self.guesses.attempt(from, user) else {
            return Err(too_many());
        };
        let server = self.access.server();
        let own = server.database().unwrap_or_else(|| user.to_owned());
        let login = Login {
            user,
            password: credentials.password,
            database: if credentials.database.is_empty() {
                &own
            } else {
                credentials.database
            },
            is_proven: false,
        };
        let opened = Asking::open(server, from, login).await;
        if !opened.as_ref().is_err_and(Failed::is_stranger) {
            attempt.take_back();
        }
        opened.map_err(|failed| {
            if failed.is_stranger() {
                return Refusal::new(StatusCode::UNAUTHORIZED, "User or password is wrong.");
            }
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, &failed.message)
        })
    }

    /// A program that sends a user and a password: known again as long as it sends the same from the same address. Whoever guesses
    /// elsewhere learns nothing by that.
    async fn user_program(
        &self,
        (user, password): (&str, &str),
        (Peer(from), Wire(wire)): (Peer, Wire),
    ) -> Result<Arc<Visit>, Refusal> {
        if self.guesses.refuses(from, user) {
            return Err(too_many());
        }
        let key = self.access.sign(format!("{from}\0{user}\0{password}").as_bytes());
        if let Some(visit) = self.known_program(&key) {
            return Ok(visit);
        }
        // Requests that come at once with the same are one login: the later ones wait for it and are known then.
        let _logging_in = self.logging_in[usize::from(key[0]) % LOGINS].lock().await;
        if let Some(visit) = self.known_program(&key) {
            return Ok(visit);
        }
        let credentials = Credentials {
            user,
            password,
            database: "",
        };
        let asking = self.log_in(&credentials, from, wire).await?;
        let who = Who::User(user.to_owned());
        let seal = self.access.seal(&who);
        let visit = Arc::new(Visit::new(VisitorKind::Program, who, seal).with(asking));
        let most = (PROGRAMS, CONVERSATION_IDLE);
        remember(&mut self.programs(), (key, Arc::clone(&visit)), most);
        Ok(visit)
    }

    fn known_program(&self, key: &[u8]) -> Option<Arc<Visit>> {
        let known = self.programs().get(key).map(Arc::clone);
        known.filter(|visit| visit.goes_on(&self.access, CONVERSATION_IDLE))
    }

    /// Begins a conversation of a program, and gives it a number that nobody can guess.
    pub(super) fn converse(&self, who: &Who) -> String {
        let id = secret();
        let visit = Arc::new(Visit::new(
            VisitorKind::Program,
            who.clone(),
            self.access.seal(who),
        ));
        let most = (CONVERSATIONS, CONVERSATION_IDLE);
        remember(&mut self.conversations(), (id.clone(), visit), most);
        id
    }

    /// Forgets a conversation of one's own.
    pub(super) fn end(&self, id: &str, who: &Who) {
        let mut known = self.conversations();
        if known.get(id).is_some_and(|visit| visit.who == *who) {
            known.remove(id);
        }
    }

    /// The conversation that a program's request belongs to, if it names one.
    fn conversation(&self, headers: &HeaderMap, who: &Who) -> Option<Result<Arc<Visit>, Box<Response>>> {
        let id = headers.get(CONVERSATION)?.to_str().unwrap_or_default();
        let mut known = self.conversations();
        match known.get(id).filter(|visit| visit.who == *who) {
            Some(visit) if visit.goes_on(&self.access, CONVERSATION_IDLE) => Some(Ok(Arc::clone(visit))),
            Some(_) => {
                known.remove(id);
                Some(Err(Box::new(no_conversation())))
            }
            None => Some(Err(Box::new(no_conversation()))),
        }
    }

    /// Forgets a browser, whose page has sent the second secret; what comes back takes its cookie away.
    pub(super) fn leave(
        &self,
        headers: &HeaderMap,
        csrf: Option<&str>,
    ) -> Result<HeaderValue, Box<Response>> {
        if let Some(id) = self.id(headers) {
            let mut known = self.known();
            if known
                .get(id)
                .is_some_and(|visit| csrf != Some(visit.csrf.as_str()))
            {
                return Err(Box::new(requests::not_from_a_page()));
            }
            known.remove(id);
        }
        Ok(self.set_cookie("", 0))
    }

    fn set_cookie(&self, id: &str, age: u64) -> HeaderValue {
        let secure = if self.access.is_encrypted() {
            "; Secure"
        } else {
            ""
        };
        let cookie = format!(
            "{}={id}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}",
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
    fn of(&self, headers: &HeaderMap, wire: IpAddr) -> Option<Arc<Visit>> {
        let id = self.id(headers)?;
        let longest = self.longest();
        let mut known = self.known();
        let visit = Arc::clone(known.get(id)?);
        if !self.access.vouches(&visit.who, headers, wire) {
            return None;
        }
        if visit.goes_on(&self.access, longest) {
            return Some(visit);
        }
        known.remove(id);
        None
    }

    /// Whether a browser need not sign in.
    pub(super) fn is_here(&self, headers: &HeaderMap, Wire(wire): Wire) -> bool {
        self.of(headers, wire).is_some() || self.access.named(headers, wire).is_some()
    }

    fn longest(&self) -> Duration {
        self.access.settings().console.session
    }

    fn conversations(&self) -> MutexGuard<'_, HashMap<String, Arc<Visit>>> {
        self.conversations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn programs(&self) -> MutexGuard<'_, HashMap<Vec<u8>, Arc<Visit>>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Arc<Visit>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn too_many() -> Refusal {
    let message = "Too many wrong passwords. Wait a minute.";
    Refusal::new(StatusCode::TOO_MANY_REQUESTS, message)
}

fn no_conversation() -> Response {
    reply::error(
        StatusCode::NOT_FOUND,
        "there is no such conversation",
        Some("It may have been idle for too long; begin another with POST /api/v1/conversations."),
    )
}

/// Adds one; where there are too many, the one that was here longest ago goes.
fn remember<K: Clone + Eq + Hash>(
    known: &mut HashMap<K, Arc<Visit>>,
    (id, visit): (K, Arc<Visit>),
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

/// The header that a cookie goes into.
pub(super) const COOKIE_HEADER: axum::http::HeaderName = SET_COOKIE;
