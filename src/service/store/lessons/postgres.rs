//! Lessons in the store's schema of a PostgreSQL database.

use async_trait::async_trait;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;

use super::{
    super::{
        StoreError,
        postgres::{PATIENCE, Schema},
    },
    Collected, Lesson, Lessons,
};
use crate::postgres::upstream::Server;

const COLLECTED: &str = "
    SELECT l.database_name, l.change, max(l.code), count(*), max(l.before), max(l.after), bool_or(s.accepted)
    FROM querent.lesson AS l
    LEFT JOIN querent.subtype AS s ON s.database_name = l.database_name AND s.change = l.change
    GROUP BY l.database_name, l.change
    ORDER BY count(*) DESC, l.database_name, l.change";
const THERE: &str = "SELECT EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                     WHERE n.nspname = 'querent' AND c.relname = 'lesson')";

pub(super) async fn open(server: &Server) -> Result<Schema, StoreError> {
    let mut schema = Schema::open(server).await?;
    let made = timeout(
        PATIENCE,
        schema.make_where_missing(THERE, include_str!("postgres.sql")),
    )
    .await;
    schema.told(made)?;
    Ok(schema)
}

/// What an existing schema holds.
pub(super) async fn read(server: &Server) -> Result<Vec<Collected>, StoreError> {
    let mut schema = Schema::connect(server).await?;
    let there = timeout(PATIENCE, schema.client.query_one(THERE, &[])).await;
    if schema.told(there)?.get(0) {
        schema.collected().await
    } else {
        Ok(Vec::new())
    }
}

#[async_trait]
impl Lessons for Schema {
    async fn learn(&mut self, lesson: &Lesson) -> Result<(), StoreError> {
        let values: [&(dyn ToSql + Sync); 7] = [
            &lesson.time,
            &lesson.database,
            &lesson.source,
            &lesson.code,
            &lesson.change,
            &lesson.before,
            &lesson.after,
        ];
        let kept = self.client.execute(
            "INSERT INTO querent.lesson (time, database_name, source, code, change, before, after) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
            &values,
        );
        let kept = timeout(PATIENCE, kept).await;
        self.told(kept).map(drop)
    }

    async fn collected(&mut self) -> Result<Vec<Collected>, StoreError> {
        let rows = timeout(PATIENCE, self.client.query(COLLECTED, &[])).await;
        let rows = self.told(rows)?;
        let collected = rows.iter().map(|row| Collected {
            database: row.get(0),
            change: row.get(1),
            code: row.get(2),
            lessons: u64::try_from(row.get::<_, i64>(3)).unwrap_or_default(),
            example: (row.get(4), row.get(5)),
            accepted: row.get(6),
        });
        Ok(collected.collect())
    }

    async fn decide(&mut self, database: &str, change: &str, accepted: bool) -> Result<(), StoreError> {
        let values: [&(dyn ToSql + Sync); 3] = [&database, &change, &accepted];
        let decided = self.client.execute(
            "INSERT INTO querent.subtype (database_name, change, accepted) VALUES ($1, $2, $3) \
             ON CONFLICT (database_name, change) DO UPDATE SET accepted = excluded.accepted",
            &values,
        );
        let decided = timeout(PATIENCE, decided).await;
        self.told(decided).map(drop)
    }
}
