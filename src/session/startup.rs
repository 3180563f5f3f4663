//! The startup packet: which version of the protocol is spoken.

use crate::wire::SessionStart;

use super::{client::Client, stop::Stop};

/// The newest minor version of protocol 3 that is spoken here.
const NEWEST_MINOR: u16 = 2;

/// What the client and this server agree on.
pub(super) struct Startup {
    /// The minor version of protocol 3.
    pub(super) minor: u16,
    /// `user`, `database` and settings, in the client's order.
    pub(super) parameters: Vec<(String, String)>,
}

impl Startup {
    /// Reads the packet; what the client has to be told of the version is put out.
    pub(super) fn negotiate(start: &SessionStart, client: &mut Client) -> Result<Self, Stop> {
        let parameters = start.parameters()?;
        let (_, asked) = start.version();
        // There is no 3.1.
        let minor = if asked == 1 { 0 } else { asked.min(NEWEST_MINOR) };
        // Options of the protocol itself; none is known here (protocol chapter "Start-up").
        let unknown: Vec<&str> = parameters
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| name.starts_with("_pq_."))
            .collect();
        if minor != asked || !unknown.is_empty() {
            client.out.negotiate_protocol_version(minor, &unknown);
        }
        Ok(Self { minor, parameters })
    }

    /// As much of a secret as a cancel request can carry: four bytes up to protocol 3.1, more from 3.2 on.
    pub(super) fn secret<'a>(&self, secret: &'a [u8]) -> &'a [u8] {
        if self.minor >= 2 { secret } else { &secret[..4] }
    }
}
