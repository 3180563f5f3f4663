//! Lessons in the store's SQLite file.

use std::{path::Path, time::UNIX_EPOCH};

use async_trait::async_trait;
use rusqlite::params;

use super::{
    super::{StoreError, sqlite::File},
    Collected, Lesson, Lessons,
};

const COLLECTED: &str = "
    SELECT l.database_name, l.change, max(l.code), count(*), max(l.before), max(l.after), max(s.accepted)
    FROM lesson AS l
    LEFT JOIN subtype AS s ON s.database_name = l.database_name AND s.change = l.change
    GROUP BY l.database_name, l.change
    ORDER BY count(*) DESC, l.database_name, l.change";

pub(super) fn open(path: &Path) -> Result<File, StoreError> {
    File::open(path)
}

/// What an existing file holds.
pub(super) fn read(path: &Path) -> Result<Vec<Collected>, StoreError> {
    let file = File::probed(path)?;
    let there = file.connection.query_row(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'lesson'",
        [],
        |row| row.get::<_, i64>(0),
    );
    match there.map_err(|error| file.failed(&error))? {
        0 => Ok(Vec::new()),
        _ => collected(&file).map_err(|error| file.failed(&error)),
    }
}

fn collected(file: &File) -> rusqlite::Result<Vec<Collected>> {
    let mut statement = file.connection.prepare(COLLECTED)?;
    let rows = statement.query_map([], |row| {
        Ok(Collected {
            database: row.get(0)?,
            change: row.get(1)?,
            code: row.get(2)?,
            lessons: row.get(3)?,
            example: (row.get(4)?, row.get(5)?),
            accepted: row.get(6)?,
        })
    })?;
    rows.collect()
}

#[async_trait]
impl Lessons for File {
    async fn learn(&mut self, lesson: &Lesson) -> Result<(), StoreError> {
        let time = lesson.time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let kept = self.connection.execute(
            "INSERT OR IGNORE INTO lesson (time, database_name, source, code, change, before, after) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                i64::try_from(time.as_micros()).unwrap_or(i64::MAX),
                lesson.database,
                lesson.source,
                lesson.code,
                lesson.change,
                lesson.before,
                lesson.after,
            ],
        );
        kept.map(drop).map_err(|error| self.failed(&error))
    }

    async fn collected(&mut self) -> Result<Vec<Collected>, StoreError> {
        collected(self).map_err(|error| self.failed(&error))
    }

    async fn decide(&mut self, database: &str, change: &str, accepted: bool) -> Result<(), StoreError> {
        let decided = self.connection.execute(
            "INSERT INTO subtype (database_name, change, accepted) VALUES (?1, ?2, ?3) \
             ON CONFLICT (database_name, change) DO UPDATE SET accepted = excluded.accepted",
            params![database, change, accepted],
        );
        decided.map(drop).map_err(|error| self.failed(&error))
    }
}
