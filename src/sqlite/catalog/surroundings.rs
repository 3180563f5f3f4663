//! What a catalogue tells that the file does not hold: the sessions and settings of the moment.

use std::{
    fmt,
    net::IpAddr,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use jiff::Timestamp;

use super::{
    definitions::{Relation, find, fixed_rows},
    holdings::{self, Holding},
    model::{DATABASE, Model, OWNER},
    rows::{Cell, Filling, Rows},
};

/// Whoever knows them.
pub(crate) trait Surroundings: fmt::Debug + Send + Sync {
    /// The value of a setting in this session, by its name in any letter case.
    fn setting(&self, name: &str) -> Option<String>;

    /// The sessions before this file.
    fn sessions(&self) -> Vec<Activity>;

    /// The cursors and prepared statements of this session.
    fn holdings(&self) -> Vec<Holding>;
}

/// What a session does, as `pg_stat_activity` has it.
#[derive(Debug, Clone)]
pub(crate) struct Activity {
    pub(crate) process_id: u32,
    pub(crate) user: String,
    pub(crate) application_name: String,
    /// `None` on a unix socket.
    pub(crate) address: Option<IpAddr>,
    pub(crate) encrypted: bool,
    pub(crate) begun: SystemTime,
    pub(crate) transaction_begun: Option<SystemTime>,
    pub(crate) query_begun: Option<SystemTime>,
    pub(crate) state_changed: SystemTime,
    pub(crate) state: Doing,
    /// What runs, or ran last.
    pub(crate) query: Arc<str>,
}

/// What a session is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doing {
    Active,
    Idle,
    InTransaction,
    Aborted,
}

impl Doing {
    fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Idle => "idle",
            Self::InTransaction => "idle in transaction",
            Self::Aborted => "idle in transaction (aborted)",
        }
    }
}

/// A moment as `timestamptz` is kept.
pub(super) fn moment(at: SystemTime) -> Cell {
    let at = Timestamp::try_from(at.max(UNIX_EPOCH)).unwrap_or(Timestamp::MAX);
    at.strftime("%Y-%m-%d %H:%M:%S%.6f+00").to_string().into()
}

/// The rows of a relation that change without the schema; `None` for all others.
pub(super) fn rows(
    relation: &'static Relation,
    model: &Model,
    user: &str,
    surroundings: &dyn Surroundings,
) -> Option<Rows> {
    if relation.schema != "pg_catalog" {
        return None;
    }
    Some(match relation.name {
        "pg_stat_activity" => activity(relation, model, user, surroundings),
        "pg_stat_get_activity" => backends(relation, user, surroundings),
        "pg_stat_database" => database(relation, model, surroundings),
        "pg_stat_ssl" => secured(relation, "ssl", surroundings),
        "pg_cursors" | "pg_cursor" => holdings::cursors(relation, surroundings.holdings()),
        "pg_prepared_statements" | "pg_prepared_statement" => {
            holdings::prepared(relation, surroundings.holdings())
        }
        "pg_stat_gssapi" => secured(relation, "encrypted", surroundings),
        _ => return None,
    })
}

/// As in `pg_stat_activity`, behind what names user and database.
const FACTS: [&str; 15] = [
    "pid",
    "datid",
    "usesysid",
    "application_name",
    "client_addr",
    "client_port",
    "backend_start",
    "xact_start",
    "query_start",
    "state_change",
    "wait_event_type",
    "wait_event",
    "state",
    "query",
    "backend_type",
];

/// What one user may see of a session: of other users' sessions, that they are there.
fn facts(of: &Activity, user: &str) -> [Cell; 15] {
    let own = of.user == user;
    let at = |at: Option<SystemTime>| at.filter(|_| own).map_or(Cell::Null, moment);
    let waits = own && of.state != Doing::Active;
    let number = if own { Cell::from(OWNER) } else { Cell::Null };
    [
        Cell::from(i64::from(of.process_id)),
        DATABASE.into(),
        number,
        Cell::from(&of.application_name),
        of.address
            .filter(|_| own)
            .map(|address| address.to_string())
            .into(),
        (own && of.address.is_none()).then_some(-1).into(),
        at(Some(of.begun)),
        at(of.transaction_begun),
        at(of.query_begun),
        at(Some(of.state_changed)),
        waits.then_some("Client").into(),
        waits.then_some("ClientRead").into(),
        own.then(|| of.state.word()).into(),
        (if own {
            of.query.to_string()
        } else {
            "<insufficient privilege>".to_owned()
        })
        .into(),
        own.then_some("client backend").into(),
    ]
}

fn activity(relation: &'static Relation, model: &Model, user: &str, surroundings: &dyn Surroundings) -> Rows {
    let columns: Vec<&str> = FACTS.into_iter().chain(["datname", "usename"]).collect();
    let mut rows = Filling::new(relation, &columns);
    for of in surroundings.sessions() {
        let names = [Cell::from(&model.database), Cell::from(&of.user)];
        rows.add_all(facts(&of, user).into_iter().chain(names));
    }
    rows.done()
}

fn backends(relation: &'static Relation, user: &str, surroundings: &dyn Surroundings) -> Rows {
    let mut rows = Filling::new(relation, &FACTS);
    for of in surroundings.sessions() {
        rows.add(facts(&of, user));
    }
    rows.done()
}

fn database(relation: &'static Relation, model: &Model, surroundings: &dyn Surroundings) -> Rows {
    let mut rows = Filling::counting(relation, &["datid", "datname", "numbackends"]);
    let sessions = i64::try_from(surroundings.sessions().len());
    rows.add([
        DATABASE.into(),
        Cell::from(&model.database),
        sessions.unwrap_or_default().into(),
    ]);
    rows.done()
}

/// Whether each session is encrypted, in a column of this name.
fn secured(relation: &'static Relation, column: &str, surroundings: &dyn Surroundings) -> Rows {
    let others: &[&str] = if column == "ssl" {
        &[]
    } else {
        &["gss_authenticated", "credentials_delegated"]
    };
    let known = |name: &&&str| relation.columns.iter().any(|column| column.name == **name);
    let others: Vec<&str> = others.iter().filter(known).copied().collect();
    let columns: Vec<&str> = ["pid", column]
        .into_iter()
        .chain(others.iter().copied())
        .collect();
    let mut rows = Filling::new(relation, &columns);
    for of in surroundings.sessions() {
        // Nobody speaks GSSAPI here.
        let secured = column == "ssl" && of.encrypted;
        let own = [Cell::from(i64::from(of.process_id)), secured.into()];
        rows.add_all(own.into_iter().chain(others.iter().map(|_| Cell::from(false))));
    }
    rows.done()
}

/// The settings with the values that they have in this session.
pub(super) fn settings(all: &Rows, surroundings: &dyn Surroundings) -> Option<Rows> {
    let relation = find("pg_catalog", "pg_settings")?;
    let position = |name: &str| relation.columns.iter().position(|column| column.name == name);
    let (name, setting, unit, usual) = (
        position("name")?,
        position("setting")?,
        position("unit")?,
        position("reset_val")?,
    );
    let mut cells = vec![];
    for row in all.iter() {
        let first = cells.len();
        cells.extend(row.iter().cloned());
        let now = row[name].text().and_then(|name| surroundings.setting(name));
        // A value with a unit is shown in another one here.
        if let Some(now) = now.filter(|_| row[unit] == Cell::Null) {
            cells[first + setting] = now.clone().into();
            if row[usual] == Cell::Null {
                cells[first + usual] = now.into();
            }
        }
    }
    Some(Rows::new(relation.columns.len(), cells))
}

/// Whether a session may change a setting that only the catalogue knows, and why not; `None` where nobody knows it.
pub(crate) fn may_set(name: &str) -> Option<Result<(), &'static str>> {
    let relation = find("pg_catalog", "pg_settings")?;
    let position = |name: &str| relation.columns.iter().position(|column| column.name == name);
    let rows = fixed_rows(relation);
    let name = name.to_lowercase();
    let column = position("name")?;
    let row = rows.iter().find(|row| {
        row[column]
            .text()
            .is_some_and(|known| known.to_lowercase() == name)
    })?;
    Some(match row[position("context")?].text().unwrap_or_default() {
        "user" | "superuser" => Ok(()),
        "internal" => Err("cannot be changed"),
        "postmaster" => Err("cannot be changed without restarting the server"),
        "backend" | "superuser-backend" => Err("cannot be set after connection start"),
        _ => Err("cannot be changed now"),
    })
}
