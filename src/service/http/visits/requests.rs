//! Whose a request is: a browser that has signed in, one that a proxy names, or a program with the token or a password.

use std::{net::IpAddr, sync::Arc};

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
        callers::SignedIn,
        reply,
        roles::Who,
    },
    Visit, VisitorKind, Visits,
};

/// The header with the second secret.
const CSRF: &str = "x-csrf-token";

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
        if let Some((user, password)) = basic(headers) {
            let visit = self
                .user_program((&user, &password), (Peer(from), Wire(wire)))
                .await;
            let visit =
                visit.map_err(|refusal| Box::new(reply::error(refusal.status, &refusal.message, None)))?;
            let conversation = self.conversation(headers, &visit.who);
            return conversation.unwrap_or(Ok(visit));
        }
        let Some(visit) = self.of(headers, wire) else {
            if tries {
                self.guesses.wrong(from);
            }
            return Err(Box::new(needs_signing_in()));
        };
        let told = headers.get(CSRF).and_then(|value| value.to_str().ok());
        if *method != Method::GET && told != Some(visit.csrf.as_str()) {
            return Err(Box::new(reply::error(
                StatusCode::FORBIDDEN,
                "this request does not come from a page of this console",
                Some("Reload the page."),
            )));
        }
        Ok(visit)
    }
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
