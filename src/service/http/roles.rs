//! Who has come to the console, and what each may do: everybody asks and sees what was asked in the same name; to see the
//! questions of all, to teach and to operate are given by `console_roles`.

use axum::{
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};
use serde::Serialize;

use super::reply;
use crate::config::{ConsoleRole, ConsoleSettings};

/// Who has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    /// Whoever has the token.
    Token,
    /// A user, by name.
    User(String),
}

/// What somebody may do beside asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Rights {
    /// See the questions of all users.
    pub(super) see_all: bool,
    /// Say what is right, and edit the semantic model.
    pub(super) teach: bool,
    /// See the server and its settings, run evaluations.
    pub(super) operate: bool,
}

impl Who {
    /// What this one may do by these settings.
    pub(super) fn rights(&self, settings: &ConsoleSettings) -> Rights {
        let may = |role| match self {
            Self::Token => true,
            Self::User(user) => settings.has_role(user, role),
        };
        Rights {
            see_all: may(ConsoleRole::SeeAll),
            teach: may(ConsoleRole::Teach),
            operate: may(ConsoleRole::Operate),
        }
    }
}

impl Rights {
    pub(super) fn has(self, role: ConsoleRole) -> bool {
        match role {
            ConsoleRole::SeeAll => self.see_all,
            ConsoleRole::Teach => self.teach,
            ConsoleRole::Operate => self.operate,
        }
    }

    /// Evaluations are looked at by those who run them and by those who see everything.
    pub(super) fn sees_benchmarks(self) -> bool {
        self.see_all || self.operate
    }
}

/// The middleware in front of what needs a role.
pub(super) async fn needed(State(role): State<ConsoleRole>, request: Request, next: Next) -> Response {
    if rights(&request).is_some_and(|rights| rights.has(role)) {
        return next.run(request).await;
    }
    refused(role)
}

/// The middleware in front of evaluations.
pub(super) async fn sees_benchmarks(request: Request, next: Next) -> Response {
    if rights(&request).is_some_and(Rights::sees_benchmarks) {
        return next.run(request).await;
    }
    refused(ConsoleRole::SeeAll)
}

fn rights(request: &Request) -> Option<Rights> {
    request.extensions().get::<Rights>().copied()
}

/// Why somebody without a role gets nothing.
pub(super) fn refused(role: ConsoleRole) -> Response {
    let name = role.name();
    reply::error(
        StatusCode::FORBIDDEN,
        &format!("this needs the role {name}"),
        Some("Roles are given to users in console_roles."),
    )
}
