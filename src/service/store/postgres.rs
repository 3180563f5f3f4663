//! The store in a PostgreSQL database: a schema of its own, which several processes may share.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use futures_util::{StreamExt, pin_mut};
use tokio::time::timeout;
use tokio_postgres::{Client, Row, Transaction, types::ToSql};

use super::{
    Each, Event, Hash, Journal, PRUNED, Record, SkillRow, SkillStore, StandIn, StoreError, Tail, Wanted,
    skills,
};
use crate::postgres::upstream::{Server, driver, driver_error};

const SCHEMA: &str = include_str!("postgres.sql");
const HISTORY: &str = include_str!("history/postgres.sql");
/// Asked of the catalogue itself: what the server remembers of names may be older than the lock.
const THERE: &str = "SELECT EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                     WHERE n.nspname = 'querent' AND c.relname = 'audit')";
const HISTORY_THERE: &str = "SELECT EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = \
                             c.relnamespace WHERE n.nspname = 'querent' AND c.relname = 'history')";
/// The lock that whoever writes holds: "querent" in ASCII.
const LOCK: i64 = 0x0071_7565_7265_6e74;
/// How long an append or a look may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(15);
/// How long the events of a removal may take.
const LONG: Duration = Duration::from_secs(300);
const COLUMNS: &str = "e.seq, e.time, e.kind, e.question, e.user_name, e.through, e.body, e.hash";

/// The schema `querent` of a database.
pub(super) struct Schema {
    pub(super) client: Client,
    /// Where, without the password.
    shown: String,
}

impl Schema {
    /// Logs in, and makes the schema where it is not there.
    pub(super) async fn open(server: &Server) -> Result<Self, StoreError> {
        let mut schema = Self::connect(server).await?;
        if !schema.is_there().await? {
            let made = timeout(PATIENCE, schema.make()).await;
            schema.told(made)?;
        }
        let found = timeout(PATIENCE, schema.client.query_one(HISTORY_THERE, &[])).await;
        if !schema.told(found)?.get::<_, bool>(0) {
            // What was asked before goes in too.
            let made = timeout(LONG, schema.make_where_missing(HISTORY_THERE, HISTORY)).await;
            schema.told(made)?;
        }
        Ok(schema)
    }

    /// Logs in to read what is there.
    pub(super) async fn read_only(server: &Server) -> Result<Self, StoreError> {
        let schema = Self::connect(server).await?;
        if !schema.is_there().await? {
            return Err(StoreError::new(format!("there is no audit in {}", schema.shown))
                .with_hint("nothing has been recorded there yet; see store.url in querent config"));
        }
        let set = schema
            .client
            .batch_execute("SET default_transaction_read_only = on");
        let set = timeout(PATIENCE, set).await;
        schema.told(set)?;
        Ok(schema)
    }

    /// Logs in.
    pub(super) async fn connect(server: &Server) -> Result<Self, StoreError> {
        let shown = server.to_string();
        let client = driver(server).await.map_err(|error| {
            let error = StoreError::from(error);
            StoreError {
                message: format!("the store {shown} cannot be used: {}", error.message),
                // A value that is of no use is none of a record here.
                hopeless: false,
                ..error
            }
        })?;
        let schema = Self { client, shown };
        // Names are qualified, but operators are not. What has been committed stays, whatever happens to the server.
        let set = schema.client.batch_execute(
            "SET search_path = pg_catalog; SET standard_conforming_strings = on; \
             SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
        );
        let set = timeout(PATIENCE, set).await;
        schema.told(set)?;
        Ok(schema)
    }

    async fn is_there(&self) -> Result<bool, StoreError> {
        let found = self.client.query_one(THERE, &[]);
        let found = timeout(PATIENCE, found).await;
        Ok(self.told(found)?.get(0))
    }

    async fn make(&mut self) -> Result<(), tokio_postgres::Error> {
        self.make_where_missing(THERE, SCHEMA).await
    }

    /// Runs what makes a part of the schema, unless a query says that it is there.
    pub(super) async fn make_where_missing(
        &mut self,
        there: &str,
        schema: &str,
    ) -> Result<(), tokio_postgres::Error> {
        let transaction = begin(&mut self.client).await?;
        let there = transaction.query_one(there, &[]).await?;
        // Another process may have made it meanwhile.
        if !there.get::<_, bool>(0) {
            transaction.batch_execute(schema).await?;
        }
        transaction.commit().await
    }

    async fn add(&mut self, records: &[Record]) -> Result<(), tokio_postgres::Error> {
        let transaction = begin(&mut self.client).await?;
        let tail = tail(&transaction).await?;
        insert(&transaction, tail, records).await?;
        transaction.commit().await
    }

    async fn remove(
        &mut self,
        before: SystemTime,
        most: u64,
        stand_in: StandIn,
    ) -> Result<u64, tokio_postgres::Error> {
        let transaction = begin(&mut self.client).await?;
        let end = tail(&transaction).await?;
        let row = transaction
            .query_one(
                "SELECT coalesce(min(seq), 1), min(seq) FILTER (WHERE time >= $1) FROM querent.audit",
                &[&before],
            )
            .await?;
        let (first, keep): (i64, Option<i64>) = (row.get(0), row.get(1));
        let last = keep
            .map_or(signed(end.seq), |keep| keep - 1)
            .min(first + signed(most) - 1);
        let rows = transaction
            .query(
                "SELECT hash FROM querent.audit WHERE seq = $1 AND EXISTS (\
                     SELECT 1 FROM querent.audit WHERE seq <= $1 AND kind <> $2)",
                &[&last, &PRUNED],
            )
            .await?;
        let Some(row) = rows.first() else { return Ok(0) };
        let count = unsigned(last + 1 - first);
        let last_tail = Tail {
            seq: unsigned(last),
            hash: hash_of(row.get(0)),
        };
        insert(&transaction, end, &[stand_in(last_tail, count)]).await?;
        transaction
            .execute("DELETE FROM querent.audit WHERE seq <= $1", &[&last])
            .await?;
        transaction.commit().await?;
        Ok(count)
    }

    async fn each(&mut self, wanted: Wanted<'_>, each: &mut Each<'_>) -> Result<(), tokio_postgres::Error> {
        let (sql, since, user) = match wanted {
            Wanted::All => (
                format!("SELECT {COLUMNS} FROM querent.audit AS e ORDER BY e.seq"),
                None,
                None,
            ),
            Wanted::Question(id) => (
                format!(
                    "SELECT {COLUMNS} FROM querent.audit AS e WHERE e.question = $2 AND $1::timestamptz IS NULL \
                     ORDER BY e.seq"
                ),
                None,
                Some(id),
            ),
            Wanted::Questions { since, user } => (
                format!(
                    "SELECT {COLUMNS} FROM querent.audit AS d JOIN querent.audit AS e ON e.question = d.question \
                     WHERE d.kind IN ('decided', 'feedback') AND d.time >= coalesce($1, '-infinity'::timestamptz) \
                     AND ($2::text IS NULL OR d.user_name = $2) ORDER BY d.seq, e.seq"
                ),
                since,
                user,
            ),
        };
        let parameters: Vec<&(dyn ToSql + Sync)> = match wanted {
            Wanted::All => vec![],
            Wanted::Question(_) | Wanted::Questions { .. } => vec![&since, &user],
        };
        let rows = self.client.query_raw(&sql, parameters).await?;
        pin_mut!(rows);
        while let Some(row) = rows.next().await {
            if each(&event(&row?)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// What became of a look that had its time.
    pub(super) fn told<T, E>(
        &self,
        outcome: Result<Result<T, tokio_postgres::Error>, E>,
    ) -> Result<T, StoreError> {
        let failed = match outcome {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(error)) => StoreError::from(driver_error(&error)),
            Err(_) => StoreError::new("it takes too long"),
        };
        let hint = failed.hint.unwrap_or_else(|| {
            "see store.url in querent config: its user needs a schema querent to write to".into()
        });
        Err(StoreError {
            message: format!("the store {} cannot be used: {}", self.shown, failed.message),
            hint: Some(hint),
            hopeless: failed.hopeless,
        })
    }
}

#[async_trait]
impl Journal for Schema {
    async fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let added = timeout(PATIENCE, self.add(records)).await;
        self.told(added)
    }

    async fn prune(&mut self, before: SystemTime, most: u64, stand_in: StandIn) -> Result<u64, StoreError> {
        let removed = timeout(LONG, self.remove(before, most, stand_in)).await;
        self.told(removed)
    }

    async fn read(&mut self, wanted: Wanted<'_>, each: &mut Each<'_>) -> Result<(), StoreError> {
        let read = self.each(wanted, each).await;
        self.told(Ok::<_, ()>(read))
    }
}

/// Where the table of skills is.
const SKILLS: &str = "querent.";

impl Schema {
    async fn skills(&mut self) -> Result<Vec<SkillRow>, tokio_postgres::Error> {
        let transaction = begin(&mut self.client).await?;
        transaction.batch_execute(&skills::table(SKILLS)).await?;
        let rows = transaction.query(&skills::select(SKILLS), &[]).await?;
        transaction.commit().await?;
        let row = |row: &Row| {
            Ok(SkillRow {
                database: row.try_get(0)?,
                author: row.try_get(1)?,
                kind: row.try_get(2)?,
                source: row.try_get(3)?,
                noted: row.try_get(4)?,
                right: row.try_get(5)?,
                claimed: row.try_get(6)?,
                most: f64::INFINITY,
            })
        };
        rows.iter().map(row).collect()
    }

    async fn add_skills(&mut self, rows: &[SkillRow]) -> Result<(), tokio_postgres::Error> {
        let transaction = begin(&mut self.client).await?;
        transaction.batch_execute(&skills::table(SKILLS)).await?;
        let upsert = transaction.prepare(&skills::upsert(SKILLS)).await?;
        for row in rows {
            let parameters: [&(dyn ToSql + Sync); 9] = [
                &row.database,
                &row.author,
                &row.kind,
                &row.source,
                &row.noted,
                &row.right,
                &row.claimed,
                &row.most,
                &skills::now(),
            ];
            transaction.execute(&upsert, &parameters).await?;
        }
        transaction.execute(&skills::bound(SKILLS), &[]).await?;
        transaction.commit().await
    }
}

#[async_trait]
impl SkillStore for Schema {
    async fn load(&mut self) -> Result<Vec<SkillRow>, StoreError> {
        let rows = timeout(PATIENCE, self.skills()).await;
        self.told(rows)
    }

    async fn add(&mut self, rows: &[SkillRow]) -> Result<(), StoreError> {
        let added = timeout(PATIENCE, self.add_skills(rows)).await;
        self.told(added)
    }
}

/// A transaction that writes while no other of Querent's does.
async fn begin(client: &mut Client) -> Result<Transaction<'_>, tokio_postgres::Error> {
    let transaction = client.transaction().await?;
    transaction
        .execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])
        .await?;
    Ok(transaction)
}

async fn tail(transaction: &Transaction<'_>) -> Result<Tail, tokio_postgres::Error> {
    let rows = transaction
        .query(
            "SELECT seq, hash FROM querent.audit ORDER BY seq DESC LIMIT 1",
            &[],
        )
        .await?;
    Ok(rows.first().map_or_else(Tail::default, |row| Tail {
        seq: unsigned(row.get(0)),
        hash: hash_of(row.get(1)),
    }))
}

/// Adds the records behind the tail, in one round trip.
async fn insert(
    transaction: &Transaction<'_>,
    mut tail: Tail,
    records: &[Record],
) -> Result<(), tokio_postgres::Error> {
    let mut links = Vec::with_capacity(records.len());
    for record in records {
        tail = tail.with(record);
        links.push(tail);
    }
    let seqs: Vec<i64> = links.iter().map(|link| signed(link.seq)).collect();
    let hashes: Vec<&[u8]> = links.iter().map(|link| &link.hash[..]).collect();
    let times: Vec<SystemTime> = records.iter().map(|record| record.time).collect();
    let kinds: Vec<&str> = records.iter().map(|record| record.kind).collect();
    let questions: Vec<Option<&str>> = records.iter().map(|record| record.question.as_deref()).collect();
    let users: Vec<Option<&str>> = records.iter().map(|record| record.user.as_deref()).collect();
    let through: Vec<Option<i64>> = records.iter().map(|record| record.through.map(signed)).collect();
    let bodies: Vec<&str> = records.iter().map(|record| record.body.as_str()).collect();
    transaction
        .execute(
            "INSERT INTO querent.audit (seq, time, kind, question, user_name, through, body, hash) \
             SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], \
             $6::bigint[], $7::text[], $8::bytea[])",
            &[
                &seqs, &times, &kinds, &questions, &users, &through, &bodies, &hashes,
            ],
        )
        .await?;
    Ok(())
}

fn event(row: &Row) -> Result<Event, tokio_postgres::Error> {
    Ok(Event {
        seq: unsigned(row.try_get(0)?),
        time: row.try_get(1)?,
        kind: row.try_get(2)?,
        question: row.try_get(3)?,
        user: row.try_get(4)?,
        through: row.try_get::<_, Option<i64>>(5)?.map(unsigned),
        body: row.try_get(6)?,
        hash: row.try_get(7)?,
    })
}

/// A hash as it is stored; zeros for what is none.
fn hash_of(bytes: &[u8]) -> Hash {
    bytes.try_into().unwrap_or_default()
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
