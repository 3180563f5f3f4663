//! Tells systemd how a service is (`sd_notify(3)`): a datagram to the socket that `NOTIFY_SOCKET` names.

use std::os::unix::net::{SocketAddr, UnixDatagram};

use tracing::debug;

use crate::config::Environment;

/// Where the state of the service is told; nowhere, if no service manager asks for it.
#[derive(Debug, Clone)]
pub(super) struct Notify(Option<String>);

impl Notify {
    pub(super) fn new(environment: &Environment) -> Self {
        Self(environment.variables.get("NOTIFY_SOCKET").cloned())
    }

    /// Clients are accepted.
    pub(super) fn ready(&self) {
        self.send("READY=1");
    }

    /// The settings are read again; [`Notify::ready`] follows.
    pub(super) fn reloading(&self) {
        self.send("RELOADING=1");
    }

    /// Sessions are let end.
    pub(super) fn stopping(&self) {
        self.send("STOPPING=1");
    }

    fn send(&self, state: &str) {
        let Some(path) = &self.0 else { return };
        let sent = address(path).and_then(|address| {
            let socket = UnixDatagram::unbound()?;
            socket.set_nonblocking(true)?;
            socket.send_to_addr(state.as_bytes(), &address)
        });
        if let Err(error) = sent {
            debug!(%error, state, "the service manager cannot be told");
        }
    }
}

/// A path, or a name in Linux's abstract namespace after `@`.
fn address(path: &str) -> std::io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let Some(name) = path.strip_prefix('@') {
        use std::os::linux::net::SocketAddrExt;
        return SocketAddr::from_abstract_name(name);
    }
    SocketAddr::from_pathname(path)
}
