//! The values of labels: closed lists, so that no client can make the number of series grow.

macro_rules! label {
    ($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$meaning])* $variant,)+ }

        impl $name {
            /// All of them, in their order.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// As the label has it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }
    };
}

label! {
    /// What stands behind the server.
    Leg {
        /// A SQLite file.
        Sqlite = "sqlite",
        /// A PostgreSQL server.
        Postgres = "postgres",
    }
}

label! {
    /// What ended a session.
    End {
        /// The client said good bye or closed its connection.
        Client = "client",
        /// The connection to the client broke.
        ClientLost = "client_lost",
        /// The database closed the connection or could not be read any more.
        Backend = "backend",
        /// An error that leaves no session: a broken protocol, for example.
        Error = "error",
        /// A time limit for idle clients.
        Idle = "idle_timeout",
        /// The server was told to stop.
        Drained = "drained",
        /// The server stopped while it was still working.
        CutOff = "cut_off",
    }
}

label! {
    /// Which way bytes go.
    Direction {
        /// From a client to us.
        FromClient = "from_client",
        /// From us to a client.
        ToClient = "to_client",
        /// From the server behind to us.
        FromServer = "from_server",
        /// From us to the server behind.
        ToServer = "to_server",
    }
}

label! {
    /// What happened to a cancel request.
    Cancel {
        /// It arrived.
        Received = "received",
        /// Its key is a session's.
        Matched = "matched",
        /// It was passed on to the server behind.
        Forwarded = "forwarded",
    }
}

label! {
    /// Why a connection did not come to a startup message.
    Handshake {
        /// It took too long.
        Timeout = "timeout",
        /// What came is not the protocol.
        Protocol = "protocol",
        /// TLS failed, or was wanted and not used.
        Tls = "tls",
        /// The connection broke.
        Io = "io",
    }
}

impl End {
    /// What the last error that a client is told says of the end.
    pub fn of_error(sqlstate: &str) -> Self {
        match sqlstate {
            "57P01" => Self::Drained,
            "57P05" | "25P03" => Self::Idle,
            _ => Self::Error,
        }
    }
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// It got its SQL.
    Answered,
    /// There is no answer, or none that may be given: the SQLSTATE that the client was told.
    Refused(&'a str),
    /// Something broke on the way: the SQLSTATE that the client was told.
    Failed(&'a str),
    /// By the client's request, or because the client left.
    Cancelled,
}

impl<'a> Outcome<'a> {
    /// What a SQLSTATE of a question says of its outcome: the codes of questions refuse, `57014` is a cancel or
    /// a time limit, and the rest are failures.
    pub fn of_error(sqlstate: &'a str) -> Self {
        match sqlstate {
            "57014" => Self::Cancelled,
            "42501" | "54000" | "0A000" | "42601" | "25P02" => Self::Refused(sqlstate),
            state if state.starts_with("NL") && state != "NL005" => Self::Refused(state),
            state => Self::Failed(state),
        }
    }

    /// As the label has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused(_) => "refused",
            Self::Failed(_) => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The codes that questions are known to end with.
const QUESTION_STATES: &[&str] = &[
    "NL001", "NL002", "NL003", "NL004", "NL005", "42501", "54000", "57014", "0A000", "22004", "42601",
    "42804", "25P02", "58030", "XX000",
];

pub(super) fn question_state(outcome: Outcome<'_>) -> &'static str {
    match outcome {
        Outcome::Answered => "",
        Outcome::Cancelled => "57014",
        Outcome::Refused(state) | Outcome::Failed(state) => known(QUESTION_STATES, state),
    }
}

/// The codes that a login is known to fail with.
const LOGIN_STATES: &[&str] = &[
    "08P01", "0A000", "22023", "28000", "28P01", "3D000", "53300", "57014", "57P03",
];

pub(super) fn login_state(state: &str) -> &'static str {
    known(LOGIN_STATES, state)
}

/// PostgreSQL's classes (its appendix "Error Codes"), and ours.
const CLASSES: &[&str] = &[
    "03", "08", "09", "0A", "0B", "0F", "0L", "0P", "0Z", "20", "21", "22", "23", "24", "25", "26", "27",
    "28", "2B", "2D", "2F", "34", "38", "39", "3B", "3D", "3F", "40", "42", "44", "53", "54", "55", "57",
    "58", "72", "F0", "HV", "NL", "P0", "XX",
];

pub(super) fn error_class(state: &str) -> &'static str {
    known(CLASSES, state.get(..2).unwrap_or_default())
}

fn known(list: &[&'static str], value: &str) -> &'static str {
    list.iter()
        .copied()
        .find(|known| *known == value)
        .unwrap_or("other")
}
