//! What is kept of how good authors have turned out to be. Several processes may add to it; each adds what is new to it.

use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;

use super::StoreError;

/// Rows that are kept at most; those that were not added to for longest go.
pub(super) const MOST_ROWS: i64 = 20_000;

/// A row: how the answers of one author to one kind of question about one database came off.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillRow {
    /// The database.
    pub database: String,
    /// The author.
    pub author: String,
    /// The kind of question.
    pub kind: String,
    /// What it was learned from.
    pub source: String,
    /// Answers.
    pub noted: f64,
    /// Of them, right ones.
    pub right: f64,
    /// How many would have been right, as likely as they were thought to be.
    pub claimed: f64,
    /// Answers that count at most: beyond, older ones fade. It is not kept.
    pub most: f64,
}

/// Where skill is kept.
#[async_trait]
pub trait SkillStore: Send {
    /// All that is kept.
    async fn load(&mut self) -> Result<Vec<SkillRow>, StoreError>;

    /// Adds these sums to what is kept, all or none.
    async fn add(&mut self, rows: &[SkillRow]) -> Result<(), StoreError>;
}

/// The table, in a schema that is named with its dot, or in none.
pub(super) fn table(schema: &str) -> String {
    include_str!("skills.sql").replace("{schema}", schema)
}

pub(super) fn select(schema: &str) -> String {
    format!("SELECT database_name, author, kind, source, noted, was_right, claimed FROM {schema}skill")
}

/// Adds one row; the parameters are its fields in their order, and the time. What weighs more than `most` answers is made to
/// weigh as much.
pub(super) fn upsert(schema: &str) -> String {
    let sum = |column: &str| {
        format!(
            "{column} = (skill.{column} + excluded.{column}) * CASE WHEN skill.noted + excluded.noted > $8 \
             THEN $8 / (skill.noted + excluded.noted) ELSE 1 END"
        )
    };
    format!(
        "INSERT INTO {schema}skill AS skill (database_name, author, kind, source, noted, was_right, claimed, updated) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $9) ON CONFLICT (database_name, author, kind, source) DO UPDATE SET \
         {}, {}, {}, updated = excluded.updated",
        sum("noted"),
        sum("was_right"),
        sum("claimed")
    )
}

/// Removes the oldest rows beyond `MOST_ROWS`.
pub(super) fn bound(schema: &str) -> String {
    format!(
        "DELETE FROM {schema}skill WHERE (database_name, author, kind, source) IN (SELECT database_name, author, kind, \
         source FROM {schema}skill ORDER BY updated DESC LIMIT 1000000 OFFSET {MOST_ROWS})"
    )
}

/// The time as it is kept.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
