//! Where to listen: a TCP address or a unix socket, written as libpq writes hosts.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
};

/// The port where none is given.
const DEFAULT_PORT: u16 = 7432;

/// One address to listen on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListenAddress {
    /// A host name or an IP address (without brackets), and a port.
    Tcp {
        /// Name or address.
        host: String,
        /// 0 lets the system choose.
        port: u16,
    },
    /// The file of a unix socket.
    Unix(PathBuf),
}

impl ListenAddress {
    /// Reads `HOST:PORT`, `HOST`, `PORT`, `[IPv6]:PORT`, `*:PORT`, or an absolute path (also after `unix:`): a
    /// socket file if its name begins with `.s.PGSQL.`, else the folder in which it is made, as libpq has it.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::parse_with_port(text, DEFAULT_PORT)
    }

    /// The same with another port where none is given.
    pub(super) fn parse_with_port(text: &str, default_port: u16) -> Result<Self, String> {
        let path = text.strip_prefix("unix:").unwrap_or(text);
        if path.starts_with('/') || path.len() < text.len() {
            return Ok(Self::Unix(socket_file(Path::new(path))));
        }
        if let Ok(port) = text.parse() {
            return Ok(Self::tcp(&Ipv4Addr::LOCALHOST.to_string(), port));
        }
        if let Ok(address) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Ok(Self::tcp(&address.to_string(), default_port));
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (
                host,
                port.parse().map_err(|_| format!("has no port in {text:?}"))?,
            ),
            None => (text, default_port),
        };
        let host = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
            .unwrap_or(host);
        let allowed =
            |c: char| c.is_ascii_alphanumeric() || ".-_%*".contains(c) || (c == ':' && text.starts_with('['));
        if !host.chars().all(allowed) {
            return Err(format!("has no valid host in {text:?}"));
        }
        Ok(Self::tcp(
            if host.is_empty() || host == "*" {
                "0.0.0.0"
            } else {
                host
            },
            port,
        ))
    }

    fn tcp(host: &str, port: u16) -> Self {
        Self::Tcp {
            host: host.to_owned(),
            port,
        }
    }

    /// True if only this machine can connect: a unix socket, `localhost` or a loopback address.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Unix(_) => true,
            Self::Tcp { host, .. } => {
                host.eq_ignore_ascii_case("localhost")
                    || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
            }
        }
    }
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unix(path) => write!(f, "{}", path.display()),
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
        }
    }
}

fn socket_file(path: &Path) -> PathBuf {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    if name.starts_with(".s.PGSQL.") {
        path.to_path_buf()
    } else {
        path.join(format!(".s.PGSQL.{DEFAULT_PORT}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, shown, local) in [
            ("127.0.0.1:7432", "127.0.0.1:7432", true),
            ("localhost:0", "localhost:0", true),
            ("9000", "127.0.0.1:9000", true),
            ("[::1]:7432", "[::1]:7432", true),
            ("::1", "[::1]:7432", true),
            ("db.example.org", "db.example.org:7432", false),
            ("0.0.0.0:7432", "0.0.0.0:7432", false),
            ("*:7432", "0.0.0.0:7432", false),
            (":7432", "0.0.0.0:7432", false),
            ("/tmp", "/tmp/.s.PGSQL.7432", true),
            ("unix:/run/q/.s.PGSQL.5555", "/run/q/.s.PGSQL.5555", true),
        ] {
            let address = ListenAddress::parse(text).unwrap();
            assert_eq!(
                (address.to_string().as_str(), address.is_local()),
                (shown, local),
                "{text}"
            );
        }
        for text in ["host:port", "a b:1", "127.0.0.1:99999", "http://x:1"] {
            assert!(ListenAddress::parse(text).is_err(), "{text}");
        }
    }
}
