//! Every key with its type, default and meaning.

use super::{
    console_keys,
    key::{Key, key, nearest_of, secret},
    models::CONVENTIONS,
    value::KeyType,
};

/// All keys, top level first, in the order in which they are printed.
pub(super) const KEYS: &[Key] = &[
    key(
        "listen",
        KeyType::List,
        "127.0.0.1:7432",
        "addresses to listen on: HOST:PORT, or the path of a unix socket or its folder",
    ),
    key(
        "console",
        KeyType::Text,
        "127.0.0.1:7433",
        "address of the console, of /healthz and /metrics: HOST:PORT, or off",
    ),
    secret(
        "console_token",
        "what opens the console and must come as `Authorization: Bearer …`, except for /healthz; needed off loopback",
    ),
    key(
        "console_hosts",
        KeyType::List,
        "",
        "names by which the console may be called, beside localhost, its own and plain IP addresses",
    ),
    console_keys::DATASETS,
    console_keys::EVALUATIONS,
    console_keys::RUNS,
    key(
        "questions",
        KeyType::Bool,
        "on",
        "whether questions are answered; off lets plain SQL through only",
    ),
    key(
        "threads",
        KeyType::Count,
        "0",
        "threads that sessions run on; 0 for one per two cores",
    ),
    key(
        "ask_keyword",
        KeyType::Bool,
        "off",
        "whether `ASK question;` is a question",
    ),
    key(
        "function_name",
        KeyType::Text,
        "nl",
        "the name of the function that asks: SELECT * FROM nl('question')",
    ),
    key(
        "mode",
        KeyType::Choice(&["embedded", "single", "sot", "adaptive"]),
        "adaptive",
        "who answers: embedded needs no model; single asks one once; sot all agents; adaptive what is needed",
    ),
    key(
        "tiers",
        KeyType::List,
        "embedded",
        "who may answer, cheapest first: embedded, names of [[model]], API:MODEL; else embedded and each [[model]]",
    ),
    key(
        "embeddings",
        KeyType::Text,
        "",
        "the [[model]] whose embeddings find the tables of a question in a large schema; empty for none",
    ),
    key(
        "prompts",
        KeyType::Text,
        "",
        "folder with prompt templates that are used instead of the built-in ones",
    ),
    key(
        "conventions",
        KeyType::Text,
        CONVENTIONS,
        "what models are told of what questions leave open; the built-in agents do as the default says",
    ),
    key(
        "record",
        KeyType::Text,
        "",
        "file that each call of a model is appended to, as a line of JSON",
    ),
    key(
        "replay",
        KeyType::Text,
        "",
        "file of recorded calls that are answered from there; no model is called unless it is record too",
    ),
    key(
        "min_confidence",
        KeyType::Fraction,
        "0.4",
        "answers below this confidence fail with NL003",
    ),
    key(
        "allow_in_writes",
        KeyType::Bool,
        "off",
        "whether a question may stand in CREATE TABLE AS, CREATE VIEW and INSERT",
    ),
    key(
        "notices",
        KeyType::Choice(&["off", "sql", "progress"]),
        "sql",
        "what is told as NOTICE: nothing, the SQL, or each step too",
    ),
    key(
        "log",
        KeyType::Text,
        "",
        "log filter, such as info or querent=debug; else RUST_LOG, else warn (serve: info)",
    ),
    key(
        "log_format",
        KeyType::Choice(&["text", "json"]),
        "text",
        "the form of a log line on stderr",
    ),
    key(
        "trace_log",
        KeyType::Text,
        "",
        "file that each agent's run is appended to as a line of JSON, with the question and what the agent said",
    ),
    key(
        "trace_prompts",
        KeyType::Bool,
        "off",
        "whether trace_log has the prompts too",
    ),
    key(
        "trace_redact",
        KeyType::Bool,
        "off",
        "whether trace_log leaves out questions, prompts, literals and what agents say beside SQL",
    ),
    key(
        "otlp_endpoint",
        KeyType::Text,
        "",
        "address of an OpenTelemetry collector that gets a span per question and agent: http://HOST:4318",
    ),
    key(
        "auth.mode",
        KeyType::Choice(&["auto", "trust", "scram", "passthrough", "cleartext"]),
        "auto",
        "auto: trust for SQLite, passthrough (the server asks) for PostgreSQL; scram: auth.users; cleartext",
    ),
    Key {
        name: "auth.users",
        kind: KeyType::Map,
        default: "{}",
        secret: true,
        meaning: "users of scram: name = \"password\" or a stored verifier \"SCRAM-SHA-256$…\"",
    },
    key(
        "auth.allow_trust_from_anywhere",
        KeyType::Bool,
        "off",
        "lets anybody who reaches this machine in without a password, when auth.mode = trust",
    ),
    key(
        "auth.auth_query",
        KeyType::Text,
        "",
        "SQL that asks PostgreSQL for the stored verifier of user $1, if auth.users has none",
    ),
    key(
        "auth.allow_upstream_trust",
        KeyType::Bool,
        "off",
        "lets clients of other machines in where the PostgreSQL server asks Querent for no password",
    ),
    key(
        "tls.mode",
        KeyType::Choice(&["off", "allow", "require"]),
        "off",
        "whether clients may or must use TLS; allow where a certificate is configured",
    ),
    key("tls.cert", KeyType::Text, "", "certificate chain, a PEM file"),
    key(
        "tls.key",
        KeyType::Text,
        "",
        "private key of the certificate, a PEM file",
    ),
    key(
        "tls.self_signed",
        KeyType::Bool,
        "off",
        "make a certificate at every start instead of reading one",
    ),
    key(
        "tls.client_ca",
        KeyType::Text,
        "",
        "authorities, a PEM file: clients need a certificate from one of them, with tls.mode = require",
    ),
    key(
        "limits.rows",
        KeyType::Count,
        "100000",
        "rows that a question may return; 0 for no limit",
    ),
    key(
        "limits.bytes",
        KeyType::Bytes,
        "256MB",
        "bytes that a question may return; 0 for no limit",
    ),
    key(
        "limits.cost",
        KeyType::Count,
        "10000000",
        "estimated cost of a question's SQL on PostgreSQL, in the planner's units; 0 for no limit",
    ),
    key(
        "limits.value_bytes",
        KeyType::Bytes,
        "1MB",
        "the longest value that a question's SQL may read or make in a SQLite file",
    ),
    key(
        "limits.memory",
        KeyType::Bytes,
        "128MB",
        "memory that SQLite may take for the SQL of a question; 0 for no limit",
    ),
    key(
        "limits.temporary_bytes",
        KeyType::Bytes,
        "256MB",
        "what the SQL of a question may put into temporary files on a SQLite file; 0 for no limit",
    ),
    key(
        "limits.statement_timeout",
        KeyType::Duration,
        "30s",
        "time for the SQL of a question to run; 0 for no limit",
    ),
    key(
        "limits.question_timeout",
        KeyType::Duration,
        "2min",
        "time to find the SQL of a question",
    ),
    key(
        "limits.optimise_from",
        KeyType::Duration,
        "100ms",
        "answers whose trial run takes this long are looked at for cheaper SQL and for an index; 0 for none",
    ),
    key(
        "limits.attempts",
        KeyType::Count,
        "2",
        "corrections per question at most",
    ),
    key(
        "limits.model_calls",
        KeyType::Count,
        "12",
        "calls of models for one question; 0 for no limit",
    ),
    key(
        "limits.tokens",
        KeyType::Count,
        "0",
        "tokens that models read and write for one question; 0 for no limit",
    ),
    key(
        "limits.tokens_per_session",
        KeyType::Count,
        "0",
        "tokens that models read and write for one session; 0 for no limit",
    ),
    key(
        "limits.spend_per_day",
        KeyType::Money,
        "0",
        "US dollars that models may cost in a day (UTC), by price_in and price_out; 0 for no limit",
    ),
    key(
        "limits.prompt_tokens",
        KeyType::Count,
        "12000",
        "tokens of one prompt; of a larger schema the part is shown that the question is about",
    ),
    key("limits.connections", KeyType::Count, "100", "clients at once"),
    key(
        "limits.handshake_timeout",
        KeyType::Duration,
        "30s",
        "time to say who one is, encryption included, and then to prove it",
    ),
    key(
        "limits.idle_timeout",
        KeyType::Duration,
        "0",
        "how long a client may be silent outside a transaction; 0 for ever",
    ),
    key(
        "limits.drain_timeout",
        KeyType::Duration,
        "10s",
        "how long statements may go on after SIGTERM",
    ),
    key(
        "privacy.send_values",
        KeyType::Bool,
        "on",
        "whether models are shown stored values; off keeps all of them on this machine",
    ),
    key(
        "privacy.private",
        KeyType::List,
        "",
        "columns that models are never shown, neither name nor value: table.column, * for any part of a name",
    ),
    key(
        "policy.roles",
        KeyType::Groups,
        "{}",
        "roles of the rules beside those of PostgreSQL: role = [\"user\", …]",
    ),
    key(
        "audit.enabled",
        KeyType::Bool,
        "on",
        "whether serve keeps a record of each question; querent audit reads it",
    ),
    key(
        "audit.required",
        KeyType::Bool,
        "off",
        "whether a question's SQL runs only once its record is stored for good",
    ),
    key(
        "audit.timeout",
        KeyType::Duration,
        "5s",
        "how long a question waits for its record where that is required",
    ),
    key(
        "audit.retention",
        KeyType::Duration,
        "0",
        "how long records are kept, such as 90d; 0 for ever",
    ),
    key(
        "store.path",
        KeyType::Text,
        "",
        "SQLite file of what Querent keeps; else $XDG_STATE_HOME/querent/querent.db or ~/.local/state/querent/querent.db",
    ),
    secret(
        "store.url",
        "postgres://… of a database that keeps it instead, in a schema querent, for several processes",
    ),
    key(
        "store.learn",
        KeyType::Bool,
        "on",
        "whether corrections are kept there, from which querent taxonomy proposes kinds of errors",
    ),
    key(
        "semantic.file",
        KeyType::List,
        "",
        "files of semantic models, Apache Ossie or dbt, for every database that has none of its own",
    ),
    key(
        "semantic.databases",
        KeyType::Groups,
        "{}",
        "files of semantic models of databases by name: shop = [\"shop.yaml\"]",
    ),
    key(
        "semantic.table",
        KeyType::Text,
        "",
        "schema.table of the PostgreSQL server that has semantic models as YAML, a row each, in a column model",
    ),
    key(
        "agents.schema_linking",
        KeyType::Text,
        "",
        "the model of the agent that finds tables and columns",
    ),
    key(
        "agents.subproblems",
        KeyType::Text,
        "",
        "the model of the agent that takes a question apart",
    ),
    key(
        "agents.query_plan",
        KeyType::Text,
        "",
        "the model of the agent that plans",
    ),
    key(
        "agents.sql",
        KeyType::Text,
        "",
        "the model of the agent that writes SQL",
    ),
    key(
        "agents.correction_plan",
        KeyType::Text,
        "",
        "the model of the agent that says what is wrong with SQL",
    ),
    key(
        "agents.correction_sql",
        KeyType::Text,
        "",
        "the model of the agent that mends SQL",
    ),
    key(
        "agents.single",
        KeyType::Text,
        "",
        "the model of the one call of mode single, and of the first call of adaptive",
    ),
    key(
        "sqlite.attach",
        KeyType::Attach,
        "off",
        "SQLite files that are further schemas, by name; or true, if clients may ATTACH files of this machine",
    ),
    key(
        "sqlite.dialect",
        KeyType::Choice(&["postgres", "sqlite"]),
        "postgres",
        "whose SQL clients speak; with sqlite, statements run as they stand",
    ),
    key(
        "sqlite.journal_mode",
        KeyType::Choice(&["", "wal", "delete", "truncate", "persist"]),
        "",
        "journal mode to put the file into; empty leaves it as it is",
    ),
    key(
        "sqlite.busy_timeout",
        KeyType::Duration,
        "5s",
        "how long a statement waits for another connection's lock",
    ),
    key(
        "sqlite.value_bytes",
        KeyType::Bytes,
        "512MB",
        "the longest value that a client's own statement may read or make",
    ),
    key(
        "sqlite.memory",
        KeyType::Bytes,
        "4GB",
        "memory that SQLite may take for a client's own statement; 0 for no limit",
    ),
    key(
        "sqlite.temporary_bytes",
        KeyType::Bytes,
        "0",
        "what a client's own statements may have in temporary files; 0 for no limit",
    ),
];

/// The key of this name.
pub(super) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The known key that looks most like this one, if any does.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    nearest_of(KEYS.iter().map(|key| key.name), name)
}

#[cfg(test)]
mod tests;
