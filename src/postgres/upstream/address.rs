//! Where a PostgreSQL server is and how to reach it: `postgres://…`, as libpq reads it
//! (chapter "Connection URIs").

use std::{
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use super::conninfo;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The port of a server that names none.
const DEFAULT_PORT: u16 = 5432;
/// Where packaged servers and those built from source have their sockets.
const SOCKET_FOLDERS: [&str; 2] = ["/var/run/postgresql", "/tmp"];
/// How long a connection may take unless the address says something else.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// No connection attempt takes longer, whatever the address says.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(600);
/// What is spelled `%xx` in an address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The parameters that may stand behind the `?`.
const KNOWN: [&str; 10] = [
    "host",
    "port",
    "user",
    "password",
    "dbname",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "connect_timeout",
];

/// The address of a PostgreSQL server.
#[derive(Clone, PartialEq, Eq)]
pub struct Server {
    /// The machine, or the folder of its unix socket.
    pub host: Host,
    /// The port, also part of the name of a unix socket.
    pub port: u16,
    /// The database; libpq takes the user's name where there is none.
    pub database: Option<String>,
    /// The user.
    pub user: Option<String>,
    /// The password. [`fmt::Display`] and [`fmt::Debug`] mask it.
    pub password: Option<String>,
    /// Whether and how the connection is encrypted.
    pub tls: UpstreamTls,
    /// How long a connection attempt may take.
    pub connect_timeout: Duration,
}

/// The machine of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    /// A name or an IP address, without brackets.
    Tcp(String),
    /// The folder of a unix socket.
    Unix(PathBuf),
}

/// How the connection to a server is encrypted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpstreamTls {
    /// Whether it is, and what is verified.
    pub mode: SslMode,
    /// A PEM file of the authorities that may vouch for the server; the system's where there is none.
    pub root_certificate: Option<PathBuf>,
    /// PEM files of our own certificate and its key, for servers that ask for one.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// `sslmode`, with libpq's meaning (chapter "SSL Mode Descriptions").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SslMode {
    /// Never encrypted.
    Disable,
    /// Encrypted only if the server wants it. A connection that is not encrypted is all that is tried.
    Allow,
    /// Encrypted if the server can.
    #[default]
    Prefer,
    /// Encrypted or not at all; the certificate is verified only against a `sslrootcert`.
    Require,
    /// The certificate comes from a trusted authority.
    VerifyCa,
    /// The certificate comes from a trusted authority and names the host.
    VerifyFull,
}

/// Why an address cannot be read; tells what to write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(String);

impl SslMode {
    const ALL: [(&'static str, Self); 6] = [
        ("disable", Self::Disable),
        ("allow", Self::Allow),
        ("prefer", Self::Prefer),
        ("require", Self::Require),
        ("verify-ca", Self::VerifyCa),
        ("verify-full", Self::VerifyFull),
    ];

    /// As it is written.
    pub fn name(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find(|(_, mode)| *mode == self)
            .map_or("", |(name, _)| name)
    }
}

impl Server {
    /// The file of the unix socket, for a server that is reached by one.
    pub fn socket_file(&self) -> Option<PathBuf> {
        match &self.host {
            Host::Tcp(_) => None,
            Host::Unix(folder) => Some(folder.join(format!(".s.PGSQL.{}", self.port))),
        }
    }

    /// True if connections to it are encrypted whatever it says.
    pub fn is_encrypted(&self) -> bool {
        matches!(self.host, Host::Tcp(_)) && self.tls.mode >= SslMode::Require
    }

    /// True if it is on this machine: by a unix socket or a loopback address.
    pub fn is_local(&self) -> bool {
        match &self.host {
            Host::Unix(_) => true,
            Host::Tcp(name) => {
                name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
            }
        }
    }

    /// The same server, another database.
    #[must_use]
    pub fn with_database(&self, database: impl Into<String>) -> Self {
        Self {
            database: Some(database.into()),
            ..self.clone()
        }
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), AddressError> {
        match name {
            "host" => self.host = host(value)?,
            "port" => self.port = port(&value)?,
            "user" => self.user = Some(value),
            "password" => self.password = Some(value),
            "dbname" => self.database = Some(value),
            "sslmode" => {
                let found = SslMode::ALL.into_iter().find(|(name, _)| *name == value);
                let names = SslMode::ALL.map(|(name, _)| name).join(", ");
                self.tls.mode = found
                    .ok_or_else(|| wrong(format!("no sslmode is called \"{value}\"; there are {names}")))?
                    .1;
            }
            // libpq's word for the system's authorities.
            "sslrootcert" => {
                self.tls.root_certificate = (value != "system").then(|| value.into());
            }
            "connect_timeout" => {
                let seconds: u64 = value
                    .parse()
                    .map_err(|_| wrong("connect_timeout is a number of seconds".into()))?;
                self.connect_timeout = match seconds {
                    0 => LONGEST_TIMEOUT,
                    // libpq waits no shorter either.
                    seconds => Duration::from_secs(seconds.max(2)).min(LONGEST_TIMEOUT),
                };
            }
            _ => {
                let likely = KNOWN
                    .into_iter()
                    .map(|known| (strsim::jaro_winkler(known, name), known))
                    .filter(|(likeness, _)| *likeness > 0.8)
                    .max_by(|one, other| one.0.total_cmp(&other.0));
                let hint = match likely {
                    Some((_, known)) => format!("did you mean {known}?"),
                    None => format!("there are {}", KNOWN.join(", ")),
                };
                return Err(wrong(format!(
                    "no parameter of an address is called \"{name}\"; {hint}"
                )));
            }
        }
        Ok(())
    }
}

impl Server {
    /// True for a text that begins as libpq's keywords and values do: `host=…`.
    pub fn is_keywords(text: &str) -> bool {
        let begun = text.split_once('=').map(|(name, _)| name.trim());
        begun.is_some_and(|name| KNOWN.contains(&name) || name == "hostaddr")
    }

    /// Reads `host=… dbname=…` (chapter "Keyword/Value Connection Strings").
    pub fn of_keywords(text: &str) -> Result<Self, AddressError> {
        let mut server = Self::local();
        let mut certificate = (None, None);
        for (name, value) in conninfo::pairs(text).map_err(wrong)? {
            match name.as_str() {
                // It saves libpq a look-up.
                "hostaddr" => server.set("host", value)?,
                "sslcert" => certificate.0 = Some(PathBuf::from(value)),
                "sslkey" => certificate.1 = Some(PathBuf::from(value)),
                _ => server.set(&name, value)?,
            }
        }
        server.tls.certificate = together(certificate)?;
        Ok(server)
    }

    /// The server of this machine.
    fn local() -> Self {
        Self {
            host: Host::Unix(socket_folder()),
            port: DEFAULT_PORT,
            database: None,
            user: None,
            password: None,
            tls: UpstreamTls::default(),
            connect_timeout: CONNECT_TIMEOUT,
        }
    }
}

/// A certificate and its key, or neither.
fn together(
    certificate: (Option<PathBuf>, Option<PathBuf>),
) -> Result<Option<(PathBuf, PathBuf)>, AddressError> {
    match certificate {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => Ok(Some((certificate, key))),
        _ => Err(wrong("sslcert and sslkey are given together".into())),
    }
}

impl FromStr for Server {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rest = ["postgres://", "postgresql://"]
            .into_iter()
            .find_map(|scheme| text.strip_prefix(scheme))
            .ok_or_else(|| {
                wrong("write postgres://[user[:password]@]host[:port][/database][?sslmode=…]".into())
            })?;
        let mut server = Self::local();
        let (rest, query) = rest
            .split_once('?')
            .map_or((rest, ""), |(rest, query)| (rest, query));
        let (authority, database) = match rest.split_once('/') {
            Some((authority, database)) => (authority, database),
            None => (rest, ""),
        };
        // A password may hold an unencoded @, a host cannot.
        let (login, place) = match authority.rsplit_once('@') {
            Some((login, place)) => (Some(login), place),
            None => (None, authority),
        };
        if let Some(login) = login {
            let (user, password) = match login.split_once(':') {
                Some((user, password)) => (user, Some(password)),
                None => (login, None),
            };
            server.user = Some(decoded(user)?).filter(|user| !user.is_empty());
            server.password = password.map(decoded).transpose()?;
        }
        let (name, number) = host_and_port(place)?;
        if !name.is_empty() {
            server.host = host(decoded(name)?)?;
        }
        if !number.is_empty() {
            server.port = port(number)?;
        }
        server.database = Some(decoded(database)?).filter(|database| !database.is_empty());
        let mut certificate = (None, None);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(wrong(format!("\"{pair}\" has no value; write {pair}=…")));
            };
            let (name, value) = (decoded(name)?, decoded(value)?);
            match name.as_str() {
                "sslcert" => certificate.0 = Some(PathBuf::from(value)),
                "sslkey" => certificate.1 = Some(PathBuf::from(value)),
                _ => server.set(&name, value)?,
            }
        }
        server.tls.certificate = together(certificate)?;
        Ok(server)
    }
}

/// The host, in brackets where it is an IPv6 address, and what stands behind its colon.
fn host_and_port(place: &str) -> Result<(&str, &str), AddressError> {
    if let Some(inside) = place.strip_prefix('[') {
        let Some((address, rest)) = inside.split_once(']') else {
            return Err(wrong(format!("the bracket of {place} is not closed")));
        };
        return match rest.strip_prefix(':') {
            Some(port) => Ok((address, port)),
            None if rest.is_empty() => Ok((address, "")),
            None => Err(wrong(format!("write [{address}]:PORT"))),
        };
    }
    match place.split_once(':') {
        Some((_, port)) if port.contains(':') => {
            Err(wrong(format!("an IPv6 address stands in brackets: [{place}]")))
        }
        Some((host, port)) => Ok((host, port)),
        None => Ok((place, "")),
    }
}

fn host(text: String) -> Result<Host, AddressError> {
    if text.is_empty() {
        return Ok(Host::Unix(socket_folder()));
    }
    if text.starts_with('/') {
        return Ok(Host::Unix(text.into()));
    }
    if text.contains(',') {
        return Err(wrong("one server is enough: an address names one host".into()));
    }
    Ok(Host::Tcp(text))
}

fn port(text: &str) -> Result<u16, AddressError> {
    text.parse().ok().filter(|port| *port > 0).ok_or_else(|| {
        wrong(format!(
            "\"{text}\" is no port; a port is a number from 1 to 65535"
        ))
    })
}

/// Where the socket is of a server on this machine, for an address without a host.
fn socket_folder() -> PathBuf {
    let [packaged, built] = SOCKET_FOLDERS;
    if Path::new(packaged).is_dir() {
        packaged.into()
    } else {
        built.into()
    }
}

fn decoded(text: &str) -> Result<String, AddressError> {
    let decoded = percent_decode_str(text)
        .decode_utf8()
        .map_err(|_| wrong(format!("\"{text}\" is not UTF-8 when its %xx are decoded")))?;
    if decoded.contains('\0') {
        return Err(wrong("an address has no %00".into()));
    }
    Ok(decoded.into_owned())
}

fn wrong(message: String) -> AddressError {
    AddressError(message)
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoded = |text: &str| utf8_percent_encode(text, ENCODED).to_string();
        f.write_str("postgres://")?;
        if let Some(user) = &self.user {
            f.write_str(&encoded(user))?;
        }
        if self.password.is_some() {
            f.write_str(":***")?;
        }
        if self.user.is_some() || self.password.is_some() {
            f.write_str("@")?;
        }
        match &self.host {
            Host::Tcp(host) if host.contains(':') => write!(f, "[{host}]")?,
            Host::Tcp(host) => f.write_str(&encoded(host))?,
            Host::Unix(folder) => f.write_str(&encoded(&folder.to_string_lossy()))?,
        }
        if self.port != DEFAULT_PORT {
            write!(f, ":{}", self.port)?;
        }
        if let Some(database) = &self.database {
            write!(f, "/{}", encoded(database))?;
        }
        if self.tls.mode != SslMode::default() {
            write!(f, "?sslmode={}", self.tls.mode.name())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_libpq_reads_them() {
        for (text, shown) in [
            ("postgres://localhost", "postgres://localhost"),
            ("postgresql://localhost:5432/", "postgres://localhost"),
            (
                "postgres://a:b@db.example:6543/shop",
                "postgres://a:***@db.example:6543/shop",
            ),
            ("postgres://a%40b:p%3A%2F@h/d%20b", "postgres://a%40b:***@h/d%20b"),
            ("postgres://a:p@ss@h/d", "postgres://a:***@h/d"),
            ("postgres://[::1]:1/d", "postgres://[::1]:1/d"),
            ("postgres://[::1]", "postgres://[::1]"),
            ("postgres://%2Fvar%2Flib/d", "postgres://%2Fvar%2Flib/d"),
            ("postgres:///d?host=/run/pg&port=7", "postgres://%2Frun%2Fpg:7/d"),
            (
                "postgres://h/d?sslmode=verify-full",
                "postgres://h/d?sslmode=verify-full",
            ),
            ("postgres://h/d?sslmode=prefer", "postgres://h/d"),
            (
                "postgres://x@h?user=u&dbname=d&password=p",
                "postgres://u:***@h/d",
            ),
        ] {
            let server: Server = text.parse().unwrap();
            assert_eq!(server.to_string(), shown, "{text}");
            assert_eq!(format!("{server:?}"), shown);
        }
        let server: Server = "postgres://u:p%2fw@h?sslrootcert=/a.pem&connect_timeout=5"
            .parse()
            .unwrap();
        assert_eq!(server.password.as_deref(), Some("p/w"));
        assert_eq!(server.tls.root_certificate.as_deref(), Some(Path::new("/a.pem")));
        assert_eq!(server.connect_timeout, Duration::from_secs(5));
        let server: Server = "postgres:///d?host=%2Frun%2Fpg".parse().unwrap();
        assert_eq!(server.socket_file(), Some("/run/pg/.s.PGSQL.5432".into()));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for (text, expected) in [
            ("mysql://h", "write postgres://"),
            ("postgres://h:0", "no port"),
            ("postgres://h:99999", "no port"),
            ("postgres://h:x", "no port"),
            ("postgres://::1/d", "in brackets"),
            ("postgres://[::1/d", "not closed"),
            ("postgres://[::1]5/d", "write [::1]:PORT"),
            ("postgres://a,b/d", "one host"),
            ("postgres://h/d?sslmod=disable", "did you mean sslmode?"),
            ("postgres://h/d?zzz=1", "there are host, port"),
            ("postgres://h/d?sslmode=on", "disable, allow, prefer"),
            ("postgres://h/d?sslmode", "has no value"),
            ("postgres://h/d?sslcert=a", "given together"),
            ("postgres://%ff@h", "not UTF-8"),
            ("postgres://%00@h", "no %00"),
        ] {
            let told = text.parse::<Server>().unwrap_err().to_string();
            assert!(told.contains(expected), "{text}: {told}");
        }
    }
}
