//! How a command fails: one message, a detail, a hint, an exit code.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use crate::{
    backend::BackendError,
    config::ConfigError,
    error::{ClientError, visible},
    eval::EvalError,
    question::ask::AskError,
    service::{server::ServerError, store::StoreError},
};

/// The exit code of an answer that is less sure than `--min-confidence` or `min_confidence` asks for.
const UNSURE: u8 = 3;

/// Why a command ends early.
#[derive(Debug)]
pub(super) struct Failure {
    message: String,
    detail: Option<String>,
    hint: Option<String>,
    code: u8,
    /// Whoever read our output has gone: no reason to complain.
    silent: bool,
}

impl Failure {
    /// A failure (exit code 1).
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            detail: None,
            hint: None,
            code: 1,
            silent: false,
        }
    }

    /// Wrong usage (exit code 2).
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self {
            code: 2,
            ..Self::new(message)
        }
    }

    /// The same with advice.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What a client would be told, after a few words of ours.
    pub(super) fn client(context: &str, error: &dyn ClientError) -> Self {
        let code = error.sqlstate();
        let own_code = code.starts_with("NL") || code.starts_with("42") || code.starts_with("54");
        let code = if own_code {
            format!("{code}: ")
        } else {
            String::new()
        };
        Self {
            detail: error.detail(),
            hint: error.hint(),
            ..Self::new(format!("{code}{context}{}", error.message()))
        }
    }

    /// The message and what to do.
    pub(super) fn in_one_line(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message.clone(),
        }
    }

    /// Tells it on stderr.
    pub(super) fn report(&self) -> ExitCode {
        if self.silent {
            return ExitCode::SUCCESS;
        }
        let mut stderr = io::stderr().lock();
        let (bold, plain) = if stderr.is_terminal() {
            ("\x1b[1;31m", "\x1b[0m")
        } else {
            ("", "")
        };
        let mut text = format!("{bold}error{plain}: {}\n", visible(&self.message));
        for (name, more) in [("detail", &self.detail), ("hint", &self.hint)] {
            if let Some(more) = more {
                text.extend(["  ", name, ": ", &visible(more), "\n"]);
            }
        }
        // Nobody is left to tell if stderr is gone.
        drop(stderr.write_all(text.as_bytes()));
        ExitCode::from(self.code)
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        let hint = match &error {
            ServerError::Settings(error) => return error.clone().into(),
            ServerError::Listen { reason, .. } if reason.kind() == io::ErrorKind::AddrInUse => {
                "another program listens there: end it, or choose another port, such as --listen 127.0.0.1:5433"
            }
            ServerError::Listen { reason, .. } if reason.kind() == io::ErrorKind::PermissionDenied => {
                "choose a port above 1023, or a folder that you may write to"
            }
            ServerError::Listen { .. } => "give --listen an address of this machine",
            ServerError::Tls(_) => "see tls.cert and tls.key in querent config",
            ServerError::Traces(_) => "see trace_log and otlp_endpoint in querent config",
            ServerError::Audit(reason) => &reason.advice(),
            ServerError::Threads(_) => {
                "lower threads in the configuration, or allow the process more of them"
            }
        };
        Self::new(error.to_string()).hint(hint)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self {
            hint: error.hint,
            ..Self::new(error.message)
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self {
            hint: error.hint,
            ..Self::new(error.message)
        }
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        Self {
            hint: error.hint,
            ..Self::new(error.message)
        }
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        let code = match error {
            AskError::LowConfidence { .. } => UNSURE,
            _ => 1,
        };
        Self {
            code,
            ..Self::client("", &error)
        }
    }
}

impl From<BackendError> for Failure {
    fn from(error: BackendError) -> Self {
        Self::client("", &error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self {
            silent: error.kind() == io::ErrorKind::BrokenPipe,
            ..Self::new(error.to_string())
        }
    }
}
