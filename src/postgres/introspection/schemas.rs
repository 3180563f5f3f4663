//! Snapshots of the schema, each for one user in one place, kept while the catalogue stays as it is.

use std::{
    fmt::Write,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, LazyLock, PoisonError, RwLock},
    time::Duration,
};

use moka::{policy::EvictionPolicy, sync::Cache};
use tokio::sync::Mutex;

use super::{
    Querier, Query, Sampling, State, Trust, introspect, rows::odd, sampling::Open, unchanged::JudgedBy,
};
use crate::{
    backend::BackendError,
    question::schema::{Dialect, JoinGraph, Schema, Snapshot, ValueIndex, Withheld},
    telemetry::metrics,
};

/// What all sessions see of the catalogue, as an expression.
pub(super) const LASTING: &str =
    include_str!("../../../dialects/postgres/introspection/fingerprint_lasting.sql");
/// The same of the session's temporary tables.
pub(super) const TEMPORARY: &str =
    include_str!("../../../dialects/postgres/introspection/fingerprint_temporary.sql");
/// [`TEMPORARY`] where there are none.
pub(super) const NO_TEMPORARY: &str = "-";

static FINGERPRINT: LazyLock<String> =
    LazyLock::new(|| format!("SELECT pg_catalog.pg_current_snapshot(),\n{LASTING},\n{TEMPORARY}"));

/// Snapshots that are kept at most, those that were asked for last; each may hold some megabytes of values.
const SNAPSHOTS: u64 = 100;
/// Databases whose last fingerprint is kept at most.
const FINGERPRINTS: u64 = 1_000;
/// A snapshot that nobody asked for is dropped after this time.
const IDLE: Duration = Duration::from_secs(3_600);

/// The snapshots of one server, shared by its sessions.
///
/// A snapshot is found by database, user, search path and catalogue, so no stored value comes to anybody but the
/// user with whose rights it was read.
pub struct Schemas {
    sampling: Sampling,
    snapshots: Cache<Key, Arc<Kept>>,
    /// The catalogue's fingerprint with the transactions that were seen when it was taken.
    fingerprints: Cache<CatalogScope, Arc<Seen>>,
}

/// A session's state, and the schema as it may read it.
#[derive(Debug, Clone)]
pub struct SessionSnapshot {
    /// Who and where the session is.
    pub state: State,
    /// The schema with all that is derived from it.
    pub snapshot: Snapshot,
    /// Tables whose values are not read yet; the next question goes on with them.
    pub tables_left: usize,
    /// What changes with the catalogue, the user and the search path, see [`super::is_unchanged`].
    pub catalog: Arc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    database: String,
    user: String,
    session_user: String,
    search_path: Vec<String>,
    superuser: bool,
    temporary: u32,
    trust: Trust,
    fingerprint: Fingerprint,
}

/// What changes with every change of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Fingerprint {
    /// What all sessions see.
    lasting: String,
    /// The session's temporary tables.
    temporary: String,
}

/// Where a catalogue looks the same to everybody.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct CatalogScope {
    database: String,
    temporary: u32,
}

struct Seen {
    sees: String,
    fingerprint: Fingerprint,
}

struct Kept {
    /// All that is there, whose index of values is filled with what the user may read.
    whole: Snapshot,
    /// What the user may read; with all figures once every table was looked at.
    readable: RwLock<Snapshot>,
    user: String,
    /// Held by whoever reads values at the moment.
    open: Mutex<Open>,
}

impl Kept {
    fn readable(&self) -> Snapshot {
        self.readable
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes in what was read of the tables, and the keys that it has decided.
    fn look_again(&self, open: &Open) {
        let mut whole = Snapshot {
            profile: Arc::new(open.profile().clone()),
            ..self.whole.clone()
        };
        if let Some(keys) = open.keys()
            && keys != whole.schema.foreign_keys
        {
            let schema = Schema {
                foreign_keys: keys,
                ..Schema::clone(&whole.schema)
            };
            whole.joins = Arc::new(JoinGraph::new(&schema));
            whole.schema = Arc::new(schema);
        }
        let readable = readable(&whole, &self.user);
        *self.readable.write().unwrap_or_else(PoisonError::into_inner) = readable;
    }
}

impl Schemas {
    /// An empty cache; values are read within these bounds.
    pub fn new(sampling: Sampling) -> Self {
        Self {
            sampling,
            snapshots: Cache::builder()
                .max_capacity(SNAPSHOTS)
                .eviction_policy(EvictionPolicy::lru())
                .time_to_idle(IDLE)
                .build(),
            fingerprints: Cache::builder()
                .max_capacity(FINGERPRINTS)
                .time_to_idle(IDLE)
                .build(),
        }
    }
}

impl std::fmt::Debug for Schemas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kept = self.snapshots.entry_count();
        f.debug_struct("Schemas")
            .field("kept", &kept)
            .finish_non_exhaustive()
    }
}

/// The state of a session and the schema as it may read it. Asks the server in one short round trip where nothing
/// has happened since the last time, in two where something has, and reads the catalogue where that has changed.
/// What leads to code of owners outside `trust` is not read. `time_limit` is for each statement; zero is none. Cancel safe: a later call goes on where this one was.
pub async fn snapshot(
    querier: &dyn Querier,
    schemas: &Schemas,
    trust: Trust,
    time_limit: Duration,
) -> Result<SessionSnapshot, BackendError> {
    // A limit of ours would be what the session's own setting is read as.
    let state = read_one(querier, State::query(), Duration::ZERO).await?;
    let state = State::from_rows(&state)?;
    let fingerprint = fingerprint(querier, schemas, &state, time_limit).await?;
    let key = Key {
        database: state.database.clone(),
        user: state.user.clone(),
        session_user: state.session_user.clone(),
        search_path: state.search_path.clone(),
        superuser: state.setting("is_superuser") == Some("on"),
        temporary: state.temporary,
        trust,
        fingerprint,
    };
    let catalog: Arc<str> = key.catalog().into();
    let kept = if let Some(kept) = schemas.snapshots.get(&key) {
        kept
    } else {
        let kept = Arc::new(read(querier, (&key, &catalog), time_limit).await?);
        metrics::snapshot_refresh(metrics::Leg::Postgres);
        schemas.snapshots.insert(key, Arc::clone(&kept));
        kept
    };
    let judged = JudgedBy {
        catalog: &catalog,
        sees: Some(&state.sees),
    };
    let tables_left = read_values((querier, judged), &kept, &schemas.sampling).await;
    Ok(SessionSnapshot {
        state,
        snapshot: kept.readable(),
        tables_left,
        catalog,
    })
}

impl Key {
    /// What [`super::is_unchanged`] compares, in hexadecimal digits: what it is made of may have any character.
    fn catalog(&self) -> String {
        let lasting = self
            .search_path
            .iter()
            .filter(|schema| !schema.starts_with("pg_temp_"));
        let path = lasting.map(String::as_str).collect::<Vec<_>>().join("\u{1}");
        let whole = format!(
            "{} {} {} {path}",
            self.fingerprint.lasting, self.user, self.session_user
        );
        format!(
            "{} {}",
            hexadecimal(&whole),
            hexadecimal(&self.fingerprint.temporary)
        )
    }
}

pub(super) fn hexadecimal(text: &str) -> String {
    text.bytes().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

async fn read_one(
    querier: &dyn Querier,
    query: Query<'_>,
    time_limit: Duration,
) -> Result<super::Rows, BackendError> {
    let mut answers = querier.read(&[query], time_limit).await?;
    answers.pop().ok_or_else(|| odd("no answer"))
}

async fn fingerprint(
    querier: &dyn Querier,
    schemas: &Schemas,
    state: &State,
    time_limit: Duration,
) -> Result<Fingerprint, BackendError> {
    let place = CatalogScope {
        database: state.database.clone(),
        temporary: state.temporary,
    };
    // The session's own changes are in no list of transactions before they are committed.
    if !state.wrote
        && let Some(seen) = schemas.fingerprints.get(&place)
        && seen.sees == state.sees
    {
        return Ok(seen.fingerprint.clone());
    }
    let rows = read_one(querier, Query::all(&FINGERPRINT), time_limit).await?;
    let row = rows.only()?;
    let seen = Seen {
        sees: row.some(0)?,
        fingerprint: Fingerprint {
            lasting: row.some(1)?,
            temporary: row.some(2)?,
        },
    };
    let fingerprint = seen.fingerprint.clone();
    if !state.wrote {
        schemas.fingerprints.insert(place, Arc::new(seen));
    }
    Ok(fingerprint)
}

async fn read(
    querier: &dyn Querier,
    (key, catalog): (&Key, &Arc<str>),
    time_limit: Duration,
) -> Result<Kept, BackendError> {
    let mut introspected = introspect::read(querier, &key.trust, time_limit).await?;
    introspected.schema.catalog = Arc::clone(catalog);
    let values = ValueIndex::default();
    let open = Open::new(
        introspected.sampled,
        (introspected.values, introspected.profile),
        (&introspected.schema, &values),
    );
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    let whole = Snapshot {
        joins: Arc::new(JoinGraph::new(&introspected.schema)),
        schema: Arc::new(introspected.schema),
        values: Arc::new(values),
        profile: Arc::new(open.profile().clone()),
        fingerprint: hasher.finish(),
        dialect: Dialect::Postgres,
    };
    Ok(Kept {
        readable: RwLock::new(readable(&whole, &key.user)),
        user: key.user.clone(),
        whole,
        open: Mutex::new(open),
    })
}

/// Without what the user's privileges keep back.
fn readable(whole: &Snapshot, user: &str) -> Snapshot {
    if !whole.schema.columns().any(|(_, column)| column.denied) {
        return whole.clone();
    }
    let tables = (0..whole.schema.tables.len()).map(|table| whole.kept(table));
    let kept = tables
        .map(|kept| kept.keeping(|table, column| !table.columns[column].denied))
        .filter(|kept| !kept.columns.is_empty());
    let view = whole.of_kept(kept.collect(), whole.fingerprint);
    let schema = Schema {
        withheld: Some(Arc::new(Withheld {
            whole: whole.clone(),
            user: user.to_owned(),
        })),
        unreadable: whole.schema.unreadable.clone(),
        ..Schema::clone(&view.schema)
    };
    Snapshot {
        schema: Arc::new(schema),
        ..view
    }
}

/// Reads stored values for as long as a question may spend on that; tells how many tables are left. Another
/// session of the same user that reads them already is waited for no longer.
async fn read_values(
    (querier, judged): (&dyn Querier, JudgedBy<'_>),
    kept: &Kept,
    sampling: &Sampling,
) -> usize {
    let Ok(mut open) = tokio::time::timeout(sampling.time, kept.open.lock()).await else {
        return kept.whole.schema.tables.len();
    };
    if !open.is_done() {
        let Snapshot { schema, values, .. } = &kept.whole;
        open.go_on((querier, judged), (schema, values), sampling).await;
        if open.left() == 0 {
            kept.look_again(&open);
        }
    }
    open.left()
}
