//! The console beside a server of `serve` and `demo`.

use std::io::{self, Write};

use tokio::task::JoinHandle;
use tracing::warn;

use super::{Failure, mcp, target::Target};
use crate::{
    config::ConsoleSettings,
    service::{
        http::{Console, ConsoleError},
        server,
    },
};

/// A console that answers until this is dropped.
pub(super) struct Running(JoinHandle<()>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Takes the console's address. The default one may be taken by another server of this machine, and then there
/// is no console; an address that somebody chose must be had.
pub(super) async fn bind(
    settings: &ConsoleSettings,
    server: server::Handle,
    target: &Target,
) -> Result<Option<Console>, Failure> {
    let agents = mcp::routes(target, &server);
    let error: ConsoleError = match Console::bind(settings, server, agents).await {
        Ok(console) => return Ok(console),
        Err(error) => error,
    };
    if settings.chosen {
        return Err(Failure::new(error.to_string())
            .hint("choose another address with --console ADDR, or go without by --console off"));
    }
    warn!(%error, "no console, so no /healthz and no /metrics; --console ADDR chooses another address");
    Ok(None)
}

/// Starts to answer, and says where.
pub(super) fn start(console: Option<Console>) -> io::Result<Option<Running>> {
    let Some(console) = console else {
        return Ok(None);
    };
    let mut stderr = io::stderr().lock();
    writeln!(stderr, "console on {}", console.address())?;
    if let Some(way_in) = console.way_in() {
        writeln!(stderr, "open it with {way_in}")?;
    }
    drop(stderr);
    Ok(Some(Running(tokio::spawn(console.run()))))
}
