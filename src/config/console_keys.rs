//! The keys of the console: where it is, who may do what there, what it keeps and runs.

use super::{
    key::{Key, key, secret},
    value::KeyType,
};

/// Where it listens.
pub(super) const ADDRESS: Key = key(
    "console",
    KeyType::Text,
    "127.0.0.1:7433",
    "address of the console, of /healthz and /metrics: HOST:PORT, or off",
);

/// What opens all of it.
pub(super) const TOKEN: Key = secret(
    "console_token",
    "what opens the console and must come as `Authorization: Bearer …`, except for /healthz; needed off loopback unless console_auth says who comes",
);

/// What it is called.
pub(super) const HOSTS: Key = key(
    "console_hosts",
    KeyType::List,
    "",
    "names by which the console may be called, beside localhost, its own and plain IP addresses",
);

/// Who says who comes.
pub(super) const AUTH: Key = key(
    "console_auth",
    KeyType::Choice(&["token", "users", "proxy"]),
    "token",
    "who signs in to the console: whoever has the token; users: those of [auth] with their passwords; proxy: whom a reverse proxy names",
);

/// What users may do.
pub(super) const ROLES: Key = key(
    "console_roles",
    KeyType::Groups,
    "{}",
    "what users of the console may do beside asking: see_all, teach, operate = names; +NAME for a role of policy.roles, * for all",
);

/// How long they stay signed in.
pub(super) const SESSION: Key = key(
    "console_session",
    KeyType::Duration,
    "12h",
    "how long a browser stays signed in to the console",
);

/// Whether it is encrypted.
pub(super) const TLS: Key = key(
    "console_tls",
    KeyType::Bool,
    "off",
    "whether the console speaks HTTPS, with the certificate of [tls]",
);

/// Where a proxy names users.
pub(super) const PROXY_HEADER: Key = key(
    "console_proxy_header",
    KeyType::Text,
    "",
    "the header in which the reverse proxy of console_auth = \"proxy\" names the user, such as X-Forwarded-User",
);

/// Who such a proxy is.
pub(super) const PROXIES: Key = key(
    "console_proxies",
    KeyType::List,
    "",
    "IP addresses of reverse proxies, from which that header and X-Forwarded-For are believed",
);

/// Data sets that may be evaluated.
pub(super) const DATASETS: Key = key(
    "console_datasets",
    KeyType::List,
    "",
    "folders of data sets that may be evaluated from the console's page Benchmarks",
);

/// Where evaluations are kept.
pub(super) const EVALUATIONS: Key = key(
    "console_evaluations",
    KeyType::Text,
    "",
    "the folder that keeps those evaluations; by default evaluations beside the file of store.path",
);

/// What is kept of the agents.
pub(super) const RUNS: Key = key(
    "console_runs",
    KeyType::Count,
    "10000",
    "questions of which the store keeps what the agents did, 256 MB at most; 0 for none",
);
