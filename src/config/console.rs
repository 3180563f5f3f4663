//! The console as it is configured: where it is, who signs in and how, and what each may do there.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    net::IpAddr,
    path::PathBuf,
    time::Duration,
};

use super::{AuthMode, ConfigError, ListenAddress, Settings, TlsMode, build::Reader};

/// The port where its address names none.
const PORT: u16 = 7433;

/// The console, health and metrics over HTTP.
#[derive(Clone)]
pub struct ConsoleSettings {
    /// Where; `None` for nowhere.
    pub address: Option<ListenAddress>,
    /// Somebody chose the address: the server must not start without it.
    pub chosen: bool,
    /// What opens all of it; present off loopback where nobody else says who comes.
    pub token: Option<String>,
    /// Names that the console may be called by.
    pub hosts: Vec<String>,
    /// Who says who comes.
    pub auth: ConsoleAuth,
    /// The users of each role, with those of the roles of the access policy.
    roles: BTreeMap<ConsoleRole, BTreeSet<String>>,
    /// How long a browser stays signed in.
    pub session: Duration,
    /// Whether it speaks HTTPS.
    pub tls: bool,
    /// The header in which a reverse proxy names the user.
    pub proxy_header: String,
    /// Where such proxies are.
    pub proxies: Vec<IpAddr>,
    /// Data sets that may be evaluated from the console.
    pub datasets: Vec<PathBuf>,
    /// Questions of which the store keeps what the agents did.
    pub runs: u64,
    /// Where those evaluations are kept, if not beside the store.
    pub evaluations: Option<PathBuf>,
}

/// Who says who comes to the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsoleAuth {
    /// Nobody: whoever has the token may do everything.
    Token,
    /// The users of [`super::AuthSettings`] with their passwords.
    Users,
    /// A reverse proxy.
    Proxy,
}

/// What a user of the console may do, beside asking and seeing what was asked in the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConsoleRole {
    /// See the questions of all users.
    SeeAll,
    /// Say what is right, and edit the semantic model.
    Teach,
    /// See the server and its settings, run evaluations.
    Operate,
}

impl ConsoleRole {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::SeeAll, Self::Teach, Self::Operate];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::SeeAll => "see_all",
            Self::Teach => "teach",
            Self::Operate => "operate",
        }
    }
}

impl ConsoleSettings {
    /// Whether a user has a role.
    pub fn has_role(&self, user: &str, role: ConsoleRole) -> bool {
        let users = self.roles.get(&role);
        users.is_some_and(|users| users.contains(user) || users.contains("*"))
    }

    /// Whether what comes from this address is said by a proxy.
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        self.proxies.contains(&address.to_canonical())
    }

    pub(super) fn build(read: &Reader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            address: address(read)?,
            chosen: !read.is_default("console"),
            token: read.some_text("console_token"),
            hosts: read.list("console_hosts"),
            auth: match read.text("console_auth").as_str() {
                "users" => ConsoleAuth::Users,
                "proxy" => ConsoleAuth::Proxy,
                _ => ConsoleAuth::Token,
            },
            roles: roles(read)?,
            session: read.duration("console_session"),
            tls: read.flag("console_tls"),
            proxy_header: read.text("console_proxy_header").trim().to_owned(),
            proxies: proxies(read)?,
            datasets: read
                .list("console_datasets")
                .into_iter()
                .map(Into::into)
                .collect(),
            evaluations: read.some_text("console_evaluations").map(Into::into),
            runs: read.count("console_runs"),
        })
    }
}

impl Settings {
    /// Refuses a console that would let in whom nobody has asked who they are, or hear passwords where others do.
    pub(super) fn check_console(&self, read: &Reader<'_>) -> Result<(), ConfigError> {
        let console = &self.console;
        let Some(address) = &console.address else {
            return Ok(());
        };
        if console.session.is_zero() {
            return Err(read.refuse("console_session", "is 0", "give people some time, such as 12h"));
        }
        if console.tls && self.tls.mode == TlsMode::Off {
            return Err(read.refuse(
                "console_tls",
                "is on, and there is no certificate",
                "set tls.cert and tls.key, or tls.self_signed = true, and tls.mode = \"allow\" or \"require\"",
            ));
        }
        match console.auth {
            ConsoleAuth::Token if console.token.is_none() && !address.is_local() => Err(read.refuse(
                "console",
                "can be reached from other machines, and there is no console_token",
                "set console_token, or console_auth, or listen on 127.0.0.1",
            )),
            ConsoleAuth::Users if self.auth.mode != AuthMode::Scram => Err(read.refuse(
                "console_auth",
                "is users, and auth.mode is not scram, so that there are none",
                "set auth.mode = \"scram\" with [auth.users]",
            )),
            ConsoleAuth::Users if !console.tls && !address.is_local() => Err(read.refuse(
                "console_auth",
                "is users, and passwords would come unencrypted from other machines",
                "set console_tls = true, or listen on 127.0.0.1 behind a proxy that adds TLS",
            )),
            ConsoleAuth::Proxy if console.proxies.is_empty() => Err(read.refuse(
                "console_auth",
                "is proxy, and console_proxies names none",
                "list the proxy's own address in console_proxies, such as 127.0.0.1",
            )),
            ConsoleAuth::Proxy if !is_header(&console.proxy_header) => Err(read.refuse(
                "console_auth",
                "is proxy, and console_proxy_header is no name of a header",
                "name the header that the proxy always sets itself, such as X-Forwarded-User",
            )),
            ConsoleAuth::Token | ConsoleAuth::Users | ConsoleAuth::Proxy => Ok(()),
        }
    }
}

fn is_header(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn address(read: &Reader<'_>) -> Result<Option<ListenAddress>, ConfigError> {
    let text = read.text("console");
    if text.eq_ignore_ascii_case("off") {
        return Ok(None);
    }
    let hint = "write HOST:PORT, [IPv6]:PORT, or off";
    let address = ListenAddress::parse_with_port(&text, PORT)
        .map_err(|reason| read.refuse("console", &reason, hint))?;
    if matches!(address, ListenAddress::Unix(_)) {
        return Err(read.refuse("console", "is no address of TCP", hint));
    }
    Ok(Some(address))
}

fn proxies(read: &Reader<'_>) -> Result<Vec<IpAddr>, ConfigError> {
    let name = "console_proxies";
    let parse = |text: String| match text.parse::<IpAddr>() {
        Ok(address) => Ok(address.to_canonical()),
        Err(_) => Err(read.refuse(
            name,
            &format!("has no IP address in {text:?}"),
            "write addresses such as 127.0.0.1",
        )),
    };
    read.list(name).into_iter().map(parse).collect()
}

fn roles(read: &Reader<'_>) -> Result<BTreeMap<ConsoleRole, BTreeSet<String>>, ConfigError> {
    let key = "console_roles";
    let groups = read.groups("policy.roles");
    let mut roles = BTreeMap::new();
    for (name, members) in read.groups(key) {
        let Some(role) = ConsoleRole::ALL.into_iter().find(|role| role.name() == name) else {
            let known = ConsoleRole::ALL.map(ConsoleRole::name).join(", ");
            return Err(read.refuse(
                key,
                &format!("has no role {name:?}"),
                &format!("the roles are {known}"),
            ));
        };
        let users: &mut BTreeSet<String> = roles.entry(role).or_default();
        for member in members {
            match member.strip_prefix('+') {
                None => {
                    users.insert(member);
                }
                Some(group) => match groups.get(group) {
                    Some(of_group) => users.extend(of_group.iter().cloned()),
                    None => {
                        return Err(read.refuse(
                            key,
                            &format!("names {member}, and policy.roles has no {group}"),
                            "name its users in [policy.roles], or users here",
                        ));
                    }
                },
            }
        }
    }
    Ok(roles)
}

impl fmt::Debug for ConsoleSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsoleSettings")
            .field("address", &self.address)
            .field("chosen", &self.chosen)
            .field("hosts", &self.hosts)
            .finish_non_exhaustive()
    }
}
