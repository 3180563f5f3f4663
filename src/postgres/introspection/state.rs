//! Who and where a session is at this moment, read before every question.

use std::time::Duration;

use super::{Query, Rows};
use crate::backend::BackendError;

const STATE: &str = include_str!("../../../dialects/postgres/introspection/state.sql");

/// The settings at the end of the query's row, in its order.
const SETTINGS: [&str; 16] = [
    "server_version_num",
    "is_superuser",
    "client_encoding",
    "client_min_messages",
    "standard_conforming_strings",
    "statement_timeout",
    "idle_in_transaction_session_timeout",
    "idle_session_timeout",
    "transaction_isolation",
    "transaction_read_only",
    "querent.mode",
    "querent.tiers",
    "querent.min_confidence",
    "querent.row_limit",
    "querent.statement_timeout",
    "querent.notices",
];

/// The state of a session on a PostgreSQL server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The database.
    pub database: String,
    /// Whose rights count: `current_user`.
    pub user: String,
    /// Who has logged in: `session_user`.
    pub session_user: String,
    /// The roles that `session_user` is a member of, directly or through others, itself among them.
    pub roles: Vec<String>,
    /// The schemas that names are looked up in, in order, `pg_catalog` among them.
    pub search_path: Vec<String>,
    /// The transactions that it sees.
    pub(super) sees: String,
    /// True if its transaction has changed something.
    pub(super) wrote: bool,
    /// The number of the schema of its temporary tables; 0 if it has none.
    pub(super) temporary: u32,
    settings: Vec<(&'static str, Option<String>)>,
}

impl State {
    /// What is asked to know the state.
    pub fn query() -> Query<'static> {
        Query::all(STATE)
    }

    /// From the rows of [`State::query`].
    pub fn from_rows(rows: &Rows) -> Result<Self, BackendError> {
        let row = rows.only()?;
        Ok(Self {
            database: row.some(0)?,
            user: row.some(1)?,
            session_user: row.some(2)?,
            roles: row.json::<Option<_>>(3)?.unwrap_or_default(),
            search_path: row.json(4)?,
            sees: row.some(5)?,
            wrote: row.flag(6),
            temporary: row.parsed(7)?,
            settings: SETTINGS
                .into_iter()
                .enumerate()
                .map(|(at, name)| (name, row.text(8 + at)))
                .collect(),
        })
    }

    /// The transactions that it sees, as the server writes them.
    pub fn sees(&self) -> &str {
        &self.sees
    }

    /// A setting as the server shows it; `None` if nobody has set it. Those of `querent.…` are known, and
    /// `statement_timeout`, `idle_in_transaction_session_timeout`, `idle_session_timeout`, `client_min_messages`, `client_encoding`,
    /// `standard_conforming_strings`, `transaction_isolation`, `transaction_read_only`, `is_superuser` and
    /// `server_version_num`.
    pub fn setting(&self, name: &str) -> Option<&str> {
        let (_, value) = self.settings.iter().find(|(known, _)| *known == name)?;
        // After SET LOCAL has ended, a setting of ours is the empty text instead of unknown.
        value.as_deref().filter(|value| !value.is_empty())
    }

    /// A setting that is a time; `None` if it is 0, which means no limit, or unknown.
    pub fn time_setting(&self, name: &str) -> Option<Duration> {
        duration(self.setting(name)?).filter(|time| !time.is_zero())
    }

    /// The server's version, such as 150008.
    pub fn server_version(&self) -> u32 {
        self.setting("server_version_num")
            .and_then(|text| text.parse().ok())
            .unwrap_or(0)
    }
}

/// A time as PostgreSQL shows it: milliseconds, or with a unit (chapter "Setting Parameters").
fn duration(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok()?;
    let milliseconds = match unit.trim() {
        "" | "ms" => 1,
        "s" => 1_000,
        "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    Some(Duration::from_millis(number.saturating_mul(milliseconds)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_postgresql_shows_them() {
        for (text, milliseconds) in [
            ("0", Some(0)),
            ("500ms", Some(500)),
            ("30s", Some(30_000)),
            ("5min", Some(300_000)),
            ("2h", Some(7_200_000)),
            ("1d", Some(86_400_000)),
            ("soon", None),
        ] {
            assert_eq!(duration(text), milliseconds.map(Duration::from_millis), "{text}");
        }
    }
}
