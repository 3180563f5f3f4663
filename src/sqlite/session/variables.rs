//! The settings of PostgreSQL that clients read and set, and what they may be set to.
//! Most of them change nothing on SQLite; they are kept so that clients find what they set.

use super::error::SessionError;
use crate::{
    pgtypes::zone::{Zone, offset_of},
    sqlite::engine::SERVER_VERSION,
    statement::duration::{parse_duration, show_duration},
};

/// A setting of PostgreSQL.
pub(super) struct Variable {
    /// Its name as `SHOW ALL` spells it.
    pub(super) name: &'static str,
    /// The value a session begins with.
    pub(super) default: &'static str,
    /// What it takes.
    pub(super) kind: VariableType,
    /// Whether clients are told of changes (`ParameterStatus`).
    pub(super) reported: bool,
}

/// What a variable takes.
#[derive(Clone, Copy)]
pub(super) enum VariableType {
    /// Cannot be changed.
    Fixed,
    /// on or off.
    Bool,
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// Milliseconds, or a number with a unit.
    Time,
    /// One of these words.
    Word(&'static [&'static str]),
    /// UTF8 under its names.
    Encoding,
    /// ISO with an order of day and month.
    DateStyle,
    /// A time zone.
    Zone,
    /// A bool of which only `on` works here.
    AlwaysOn,
}

const fn variable(name: &'static str, default: &'static str, kind: VariableType) -> Variable {
    Variable {
        name,
        default,
        kind,
        reported: false,
    }
}

const fn reported(name: &'static str, default: &'static str, kind: VariableType) -> Variable {
    Variable {
        name,
        default,
        kind,
        reported: true,
    }
}

const LEVELS: VariableType = VariableType::Word(&[
    "debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error",
]);
const ISOLATION: VariableType = VariableType::Word(&[
    "read uncommitted",
    "read committed",
    "repeatable read",
    "serializable",
]);

/// All of them, in the order of `SHOW ALL`.
pub(super) static VARIABLES: &[Variable] = &[
    reported("application_name", "", VariableType::Text),
    variable("array_nulls", "on", VariableType::Bool),
    variable("backslash_quote", "safe_encoding", VariableType::Text),
    variable("bytea_output", "hex", VariableType::Word(&["hex"])),
    variable("check_function_bodies", "on", VariableType::Bool),
    reported("client_encoding", "UTF8", VariableType::Encoding),
    variable("client_min_messages", "notice", LEVELS),
    variable("constraint_exclusion", "partition", VariableType::Text),
    variable("cursor_tuple_fraction", "0.1", VariableType::Text),
    reported("DateStyle", "ISO, MDY", VariableType::DateStyle),
    variable("default_table_access_method", "heap", VariableType::Text),
    variable("default_tablespace", "", VariableType::Text),
    variable(
        "default_text_search_config",
        "pg_catalog.simple",
        VariableType::Text,
    ),
    variable("default_transaction_deferrable", "off", VariableType::Bool),
    variable("default_transaction_isolation", "read committed", ISOLATION),
    reported("default_transaction_read_only", "off", VariableType::Bool),
    variable("enable_hashjoin", "on", VariableType::Bool),
    variable("enable_indexscan", "on", VariableType::Bool),
    variable("enable_mergejoin", "on", VariableType::Bool),
    variable("enable_nestloop", "on", VariableType::Bool),
    variable("enable_seqscan", "on", VariableType::Bool),
    variable("escape_string_warning", "on", VariableType::Bool),
    variable("extra_float_digits", "1", VariableType::Integer),
    variable("from_collapse_limit", "8", VariableType::Integer),
    variable("geqo", "on", VariableType::Bool),
    variable("idle_in_transaction_session_timeout", "0", VariableType::Time),
    variable("idle_session_timeout", "0", VariableType::Time),
    reported("in_hot_standby", "off", VariableType::Fixed),
    reported("integer_datetimes", "on", VariableType::Fixed),
    reported(
        "IntervalStyle",
        "postgres",
        VariableType::Word(&["postgres", "postgres_verbose", "sql_standard", "iso_8601"]),
    ),
    reported("is_superuser", "off", VariableType::Fixed),
    variable("jit", "on", VariableType::Bool),
    variable("join_collapse_limit", "8", VariableType::Integer),
    variable("lc_collate", "C", VariableType::Fixed),
    variable("lc_ctype", "C.UTF-8", VariableType::Fixed),
    variable("lc_messages", "C", VariableType::Text),
    variable("lc_monetary", "C", VariableType::Text),
    variable("lc_numeric", "C", VariableType::Text),
    variable("lc_time", "C", VariableType::Text),
    variable("lock_timeout", "0", VariableType::Time),
    variable("log_min_messages", "warning", LEVELS),
    variable("log_statement", "none", VariableType::Text),
    variable("maintenance_work_mem", "64MB", VariableType::Text),
    variable("max_connections", "100", VariableType::Fixed),
    variable("max_identifier_length", "63", VariableType::Fixed),
    variable("max_index_keys", "32", VariableType::Fixed),
    variable("password_encryption", "scram-sha-256", VariableType::Text),
    variable("plan_cache_mode", "auto", VariableType::Text),
    variable("quote_all_identifiers", "off", VariableType::Bool),
    variable("role", "none", VariableType::Text),
    variable("row_security", "on", VariableType::Bool),
    variable("search_path", "\"$user\", public", VariableType::Text),
    reported("server_encoding", "UTF8", VariableType::Fixed),
    reported("server_version", SERVER_VERSION, VariableType::Fixed),
    variable("server_version_num", "150014", VariableType::Fixed),
    reported("session_authorization", "", VariableType::Text),
    variable("session_replication_role", "origin", VariableType::Text),
    reported("standard_conforming_strings", "on", VariableType::AlwaysOn),
    variable("statement_timeout", "0", VariableType::Time),
    variable("synchronize_seqscans", "on", VariableType::Bool),
    variable("synchronous_commit", "on", VariableType::Text),
    variable("tcp_keepalives_idle", "60", VariableType::Integer),
    variable("temp_buffers", "8MB", VariableType::Text),
    reported("TimeZone", "UTC", VariableType::Zone),
    variable("transaction_deferrable", "off", VariableType::Bool),
    variable("transaction_isolation", "read committed", ISOLATION),
    variable("transaction_read_only", "off", VariableType::Bool),
    variable("vacuum_cost_delay", "0", VariableType::Text),
    variable("work_mem", "4MB", VariableType::Text),
    variable("xmlbinary", "base64", VariableType::Text),
    variable("xmloption", "content", VariableType::Text),
];

/// The variable of that name, letter case ignored.
pub(super) fn find(name: &str) -> Option<&'static Variable> {
    VARIABLES
        .iter()
        .find(|variable| variable.name.eq_ignore_ascii_case(name))
}

impl Variable {
    /// The value as it is kept and shown, or why it cannot be.
    pub(super) fn check(&self, values: &[String]) -> Result<String, SessionError> {
        let text = values.join(", ");
        let invalid = || {
            SessionError::failed(
                "22023",
                format!("invalid value for parameter \"{}\": \"{text}\"", self.name),
            )
        };
        match self.kind {
            VariableType::Fixed => Err(SessionError::failed(
                "55P02",
                format!("parameter \"{}\" cannot be changed", self.name),
            )),
            VariableType::Bool => boolean(&text)
                .map(|on| if on { "on" } else { "off" }.to_owned())
                .ok_or_else(|| {
                    SessionError::failed(
                        "22023",
                        format!("parameter \"{}\" requires a Boolean value", self.name),
                    )
                }),
            VariableType::AlwaysOn => match boolean(&text) {
                Some(true) => Ok("on".into()),
                Some(false) => Err(SessionError::failed(
                    "0A000",
                    format!("parameter \"{}\" cannot be turned off here", self.name),
                )
                .with_hint(
                    "SQLite knows standard strings only. Write E'…' where PostgreSQL needs a backslash.",
                )),
                None => Err(invalid()),
            },
            VariableType::Text => Ok(text),
            VariableType::Zone => zone(&text).map(|zone| zone.name().to_owned()).ok_or_else(invalid),
            VariableType::Integer => text
                .trim()
                .parse::<i32>()
                .map(|number| number.to_string())
                .map_err(|_| invalid()),
            VariableType::Time => parse_duration(&text).map(show_duration).ok_or_else(invalid),
            VariableType::Word(words) => words
                .iter()
                .find(|word| word.eq_ignore_ascii_case(&text))
                .map(|word| (*word).to_owned())
                .ok_or_else(|| invalid().with_hint(format!("Available values: {}.", words.join(", ")))),
            VariableType::Encoding => {
                let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
                match plain.to_ascii_lowercase().as_str() {
                    "utf8" | "unicode" => Ok("UTF8".into()),
                    // No conversion, which is UTF-8 here.
                    "sqlascii" => Ok("SQL_ASCII".into()),
                    _ => Err(invalid().with_hint("This server speaks UTF8.")),
                }
            }
            VariableType::DateStyle => {
                let mut order = "MDY";
                for word in text.split(',').map(str::trim) {
                    match word.to_ascii_uppercase().as_str() {
                        "ISO" => {}
                        "MDY" | "US" | "NONEURO" | "NONEUROPEAN" => order = "MDY",
                        "DMY" | "EURO" | "EUROPEAN" => order = "DMY",
                        "YMD" => order = "YMD",
                        _ => return Err(invalid().with_hint("This server prints dates as ISO.")),
                    }
                }
                Ok(format!("ISO, {order}"))
            }
        }
    }
}

/// A zone as SET takes it; `INTERVAL '…'` says how far it is to the east.
fn zone(text: &str) -> Option<Zone> {
    let Some(interval) = text.strip_prefix("INTERVAL ") else {
        return Zone::setting(text);
    };
    let span = interval.trim_matches('\'').trim();
    match span.split_once(' ') {
        Some((hours, "hour" | "hours")) => Zone::setting(hours),
        Some(_) => None,
        None => Zone::at(offset_of(span)?),
    }
}

/// PostgreSQL's words for truth, prefixes of them included.
fn boolean(text: &str) -> Option<bool> {
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "on" | "1" => Some(true),
        "of" | "off" | "0" => Some(false),
        "" => None,
        _ if "true".starts_with(&text) || "yes".starts_with(&text) => Some(true),
        _ if "false".starts_with(&text) || "no".starts_with(&text) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, value: &str, expected: Result<&str, &str>) {
        let found = find(name).unwrap().check(&[value.to_owned()]);
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{name} = {value}"),
            (Err(SessionError::Failed(fields)), Err(sqlstate)) => {
                assert_eq!(fields.sqlstate, sqlstate, "{name}");
            }
            (found, _) => panic!("{name} = {value}: {found:?}"),
        }
    }

    #[test]
    fn values_are_checked_as_postgresql_does() {
        check("jit", "f", Ok("off"));
        check("jit", "maybe", Err("22023"));
        check("statement_timeout", "5s", Ok("5s"));
        check("statement_timeout", "90000", Ok("90s"));
        check("statement_timeout", "soon", Err("22023"));
        check("client_encoding", "utf-8", Ok("UTF8"));
        check("CLIENT_ENCODING", "LATIN1", Err("22023"));
        check("datestyle", "iso, dmy", Ok("ISO, DMY"));
        check("timezone", "america/new_york", Ok("America/New_York"));
        check("timezone", "-3", Ok("<-03>+03"));
        check("timezone", "INTERVAL '+05:30'", Ok("<+05:30>-05:30"));
        check("timezone", "INTERVAL '1 month'", Err("22023"));
        check("timezone", "Mars", Err("22023"));
        check("datestyle", "German", Err("22023"));
        check("server_version", "16", Err("55P02"));
        check("standard_conforming_strings", "off", Err("0A000"));
        check("client_min_messages", "WARNING", Ok("warning"));
    }

    #[test]
    fn every_default_is_a_value() {
        for variable in VARIABLES {
            if !matches!(variable.kind, VariableType::Fixed) {
                let found = variable.check(&[variable.default.to_owned()]).unwrap();
                assert_eq!(found, variable.default, "{}", variable.name);
            }
        }
    }
}
