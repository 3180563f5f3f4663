//! Whose a request is: a browser that has signed in, one that a proxy names, or a program with the token or a password.

use std::{
    net::IpAddr,
    sync::{Arc, PoisonError},
};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, Method, StatusCode,
        header::{AUTHORIZATION, SET_COOKIE},
    },
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};

use super::{
    super::{
        access::{Peer, Wire, basic},
        asking::Asking,
        callers::SignedIn,
        reply,
        roles::Who,
    },
    Credentials, Refusal, Visit, VisitorKind, Visits,
};
use crate::config::Secret;

/// The header with the second secret.
const CSRF: &str = "x-csrf-token";

/// How a request comes in: from where, and with what its program says of itself.
#[derive(Clone)]
pub(in crate::service::http) struct Entry {
    /// Where it comes from.
    pub(in crate::service::http) peer: Peer,
    wire: Wire,
    visits: Arc<Visits>,
    /// The user and the password.
    said: Option<(String, Arc<Secret>)>,
}

impl Entry {
    /// A connection of the user whose password came with the request; `None` where none did, or where the program has logged
    /// in as somebody else since.
    pub(in crate::service::http) async fn log_in(&self, visit: &Visit) -> Option<Result<Asking, Refusal>> {
        let (user, password) = self.said.as_ref()?;
        let asks_as = visit
            .asks_as
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if visit.who != Who::User(user.clone()) || asks_as.is_some_and(|asks_as| asks_as != *user) {
            return None;
        }
        let credentials = Credentials {
            user,
            password: password.expose(),
            database: "",
        };
        let (Peer(from), Wire(wire)) = (self.peer, self.wire);
        let opened = self.visits.log_in(&credentials, from, wire).await;
        match &opened {
            Ok(asking) => visit.logged_in(asking),
            // What was its password is not any more.
            Err(refusal) if refusal.status == StatusCode::UNAUTHORIZED => {
                self.visits.programs().retain(|_, known| known.who != visit.who);
            }
            Err(_) => {}
        }
        Some(opened)
    }
}

/// The middleware in front of pages: who has not signed in is asked to.
pub(in crate::service::http) async fn page(
    State(visits): State<Arc<Visits>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(wire) = wire(&request) else {
        return Redirect::to("/sign-in").into_response();
    };
    let (visit, cookie) = match visits.of(request.headers(), wire) {
        Some(visit) => (visit, None),
        None => match visits.access.named(request.headers(), wire) {
            Some(user) => {
                let (visit, cookie) = visits.enter_named(user);
                (visit, Some(cookie))
            }
            None => return Redirect::to("/sign-in").into_response(),
        },
    };
    learn(&request);
    request.extensions_mut().insert(visits.rights(&visit));
    request.extensions_mut().insert(visit);
    let mut response = next.run(request).await;
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// The middleware in front of what programs and scripts ask.
pub(in crate::service::http) async fn program(
    State(visits): State<Arc<Visits>>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<Peer>().copied();
    let (Some(peer), Some(wire)) = (peer, wire(&request)) else {
        return needs_signing_in();
    };
    let asked = (request.headers(), request.method());
    let visit = match visits.recognise(asked, (peer, Wire(wire))).await {
        Ok(visit) => visit,
        Err(response) => return *response,
    };
    learn(&request);
    let said = basic(request.headers());
    let entry = Entry {
        peer,
        wire: Wire(wire),
        visits: Arc::clone(&visits),
        said: said.map(|(user, password)| (user, Arc::new(Secret::exactly(&password)))),
    };
    request.extensions_mut().insert(entry);
    request.extensions_mut().insert(visits.rights(&visit));
    request.extensions_mut().insert(visit);
    next.run(request).await
}

impl Visits {
    /// Whose request this is.
    async fn recognise(
        &self,
        (headers, method): (&HeaderMap, &Method),
        (Peer(from), Wire(wire)): (Peer, Wire),
    ) -> Result<Arc<Visit>, Box<Response>> {
        if let Some((user, password)) = basic(headers) {
            let visit = self
                .user_program((&user, &password), (Peer(from), Wire(wire)))
                .await;
            let visit =
                visit.map_err(|refusal| Box::new(reply::error(refusal.status, &refusal.message, None)))?;
            let conversation = self.conversation(headers, &visit.who);
            return conversation.unwrap_or(Ok(visit));
        }
        let tries = headers.contains_key(AUTHORIZATION);
        let is_over = tries && !self.guesses.allows(from).await;
        if self.access.has_token(headers) {
            // No program asks on the connection that another has logged in.
            let single = || Ok(Arc::new(Visit::new(VisitorKind::Single, Who::Token, Vec::new())));
            return self.conversation(headers, &Who::Token).unwrap_or_else(single);
        }
        if is_over {
            return Err(Box::new(reply::error(
                StatusCode::TOO_MANY_REQUESTS,
                "too many wrong tokens come from this address",
                Some("Wait a minute."),
            )));
        }
        let Some(visit) = self.of(headers, wire) else {
            if tries {
                self.guesses.wrong(from);
            }
            return Err(Box::new(needs_signing_in()));
        };
        if *method != Method::GET && csrf_of(headers) != Some(visit.csrf.as_str()) {
            return Err(Box::new(not_from_a_page()));
        }
        Ok(visit)
    }
}

/// The second secret that a request has in its header.
pub(in crate::service::http) fn csrf_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(CSRF).and_then(|value| value.to_str().ok())
}

pub(super) fn not_from_a_page() -> Response {
    reply::error(
        StatusCode::FORBIDDEN,
        "this request does not come from a page of this console",
        Some("Reload the page."),
    )
}

fn needs_signing_in() -> Response {
    reply::error(
        StatusCode::UNAUTHORIZED,
        "the console's token is needed, or a user's password",
        Some("Send it as Authorization: Bearer … or Basic …, or sign in."),
    )
}

fn wire(request: &Request) -> Option<IpAddr> {
    request.extensions().get::<Wire>().map(|Wire(wire)| *wire)
}

/// Whoever is at the other end of this request's connection has signed in.
pub(in crate::service::http) fn learn(request: &Request) {
    if let Some(known) = request.extensions().get::<SignedIn>() {
        known.learn();
    }
}
