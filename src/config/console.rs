//! The console as it is configured: where it is, who signs in and how, and what each may do there.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
    path::PathBuf,
    time::Duration,
};

use super::{
    AuthMode, ConfigError, ListenAddress, Secret, Settings, TlsMode, declare::settings, reader::Reader,
};
use crate::statement::words::words;

/// The port where its address names none.
const PORT: u16 = 7433;

settings! {
    /// The console, health and metrics over HTTP.
    #[derive(Debug, Clone)]
    pub struct ConsoleSettings in "console_" {
        pub address("console"): Option<ListenAddress> as Text =
            "127.0.0.1:7433", "address of the console, of /healthz and /metrics: HOST:PORT, or off", by address;
        pub token: Option<Secret> =
            "", "what opens the console and must come as `Authorization: Bearer …`, except for /healthz; needed off loopback unless console_auth says who comes";
        pub hosts: Vec<String> =
            "", "names by which the console may be called, beside localhost, its own and plain IP addresses";
        pub auth: ConsoleAuth =
            "token", "who signs in to the console: whoever has the token; users: those of [auth] with their passwords; proxy: whom a reverse proxy names";
        roles: BTreeMap<ConsoleRole, BTreeSet<String>> as Groups =
            "{}", "what users of the console may do beside asking: see_all, teach, operate = names; +NAME for a role of policy.roles, * for all", by roles;
        pub session: Duration = "12h", "how long a browser stays signed in to the console";
        pub tls: bool = "off", "whether the console speaks HTTPS, with the certificate of [tls]";
        pub proxy_header: String =
            "", "the header in which the reverse proxy of console_auth = \"proxy\" names the user, such as X-Forwarded-User";
        pub proxies: Vec<IpAddr> =
            "", "IP addresses of reverse proxies, from which that header and X-Forwarded-For are believed";
        pub datasets: Vec<PathBuf> =
            "", "folders of data sets that may be evaluated from the console's page Benchmarks";
        pub evaluations: Option<PathBuf> =
            "", "the folder that keeps those evaluations; by default evaluations beside the file of store.path";
        pub runs: u64 = "10000", "questions of which the store keeps what the agents did, 256 MB at most; 0 for none";
    }
    beside {
        /// Somebody chose the address: the server must not start without it.
        pub chosen: bool;
    }
}

words! {
    /// Who says who comes to the console.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ConsoleAuth {
        /// Nobody: whoever has the token may do everything.
        Token = "token",
        /// The users of [`super::AuthSettings`] with their passwords.
        Users = "users",
        /// A reverse proxy.
        Proxy = "proxy",
    }
}

words! {
    /// What a user of the console may do, beside asking and seeing what was asked in the same name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ConsoleRole {
        /// See the questions of all users.
        SeeAll = "see_all",
        /// Say what is right, and edit the semantic model.
        Teach = "teach",
        /// See the server and its settings, run evaluations.
        Operate = "operate",
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

    pub(super) fn complete(&mut self, read: &Reader<'_>) {
        self.chosen = !read.is_default("console");
        self.proxy_header = self.proxy_header.trim().to_owned();
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

fn address(read: &Reader<'_>, key: &str) -> Result<Option<ListenAddress>, ConfigError> {
    let text: String = read.value(key)?;
    if text.eq_ignore_ascii_case("off") {
        return Ok(None);
    }
    let hint = "write HOST:PORT, [IPv6]:PORT, or off";
    let address =
        ListenAddress::parse_with_port(&text, PORT).map_err(|reason| read.refuse(key, &reason, hint))?;
    if matches!(address, ListenAddress::Unix(_)) {
        return Err(read.refuse(key, "is no address of TCP", hint));
    }
    Ok(Some(address))
}

fn roles(read: &Reader<'_>, key: &str) -> Result<BTreeMap<ConsoleRole, BTreeSet<String>>, ConfigError> {
    let groups: BTreeMap<String, Vec<String>> = read.value("policy.roles")?;
    let written: BTreeMap<String, Vec<String>> = read.value(key)?;
    let mut roles = BTreeMap::new();
    for (name, members) in written {
        let Some(role) = ConsoleRole::ALL.iter().copied().find(|role| role.name() == name) else {
            let known = ConsoleRole::WORDS.join(", ");
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
