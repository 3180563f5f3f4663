//! The history in a SQLite file.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use rusqlite::{OptionalExtension, Row, ToSql, params};

use super::{
    super::{
        StoreError,
        sqlite::{File, microseconds},
    },
    COLUMNS, History, Look, Past, Sought, Sum, Worked, search,
};

impl File {
    fn past(&self, sought: &Sought, most: u64) -> Result<Vec<Past>, rusqlite::Error> {
        let mut wanted = String::from(
            "time >= coalesce(?1, 0) AND (?2 = '' OR user_name = ?2) AND (?3 = '' OR database_name = ?3) \
             AND (?4 = '' OR state = ?4) AND (?5 = '' OR tier = ?5) AND (?6 IS NULL OR confidence >= ?6) \
             AND (?7 IS NULL OR confidence <= ?7) AND (?8 = '' OR verdict = ?8)",
        );
        let since = sought.since.map(microseconds);
        let mut given: Vec<&dyn ToSql> = vec![
            &since,
            &sought.user,
            &sought.database,
            &sought.state,
            &sought.tier,
            &sought.least,
            &sought.most,
            &sought.verdict,
            &most,
        ];
        if !sought.id.is_empty() {
            given.push(&sought.id);
            wanted.push_str(" AND question = ?10");
        }
        let mut patterns = Vec::new();
        if !sought.text.is_empty() {
            let Some((condition, found)) =
                search::condition(&sought.text, &["words", "sql", "reason"], given.len() + 1)
            else {
                return Ok(Vec::new());
            };
            wanted = format!("{wanted} AND ({condition})");
            patterns = found;
        }
        given.extend(patterns.iter().map(|pattern| pattern as &dyn ToSql));
        let sql = format!("SELECT {COLUMNS} FROM history WHERE {wanted} ORDER BY seq DESC LIMIT ?9");
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map(&given[..], past)?;
        rows.collect()
    }

    fn summed(&self, since: Option<SystemTime>, user: &str) -> Result<Vec<Sum>, rusqlite::Error> {
        let mut statement = self.connection.prepare(
            "SELECT state, tier, count(*), sum(cached), sum(verdict = 'good'), sum(verdict IN ('bad', 'fix')), \
             sum(model_calls), sum(prompt_tokens), sum(completion_tokens), sum(cost_usd) FROM history \
             WHERE action <> 'query' AND time >= coalesce(?1, 0) AND (?2 = '' OR user_name = ?2) \
             GROUP BY state, tier",
        )?;
        let rows = statement.query_map(params![since.map(microseconds), user], |row| {
            let number = |at| Ok::<u64, rusqlite::Error>(row.get::<_, Option<u64>>(at)?.unwrap_or_default());
            Ok(Sum {
                state: row.get(0)?,
                tier: row.get(1)?,
                questions: number(2)?,
                cached: number(3)?,
                good: number(4)?,
                bad: number(5)?,
                model_calls: number(6)?,
                prompt_tokens: number(7)?,
                completion_tokens: number(8)?,
                cost_usd: row.get(9)?,
            })
        })?;
        rows.collect()
    }

    fn look_at_worked(&self, since: Option<SystemTime>, look: &mut Look<'_>) -> Result<(), rusqlite::Error> {
        let sql = "SELECT body FROM agent_runs WHERE time >= coalesce(?1, 0)";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([since.map(microseconds)])?;
        while let Some(row) = rows.next()? {
            look(row.get_ref(0)?.as_str()?);
        }
        Ok(())
    }

    fn add_worked(&mut self, worked: &[Worked], (most, bytes): (u64, u64)) -> Result<(), rusqlite::Error> {
        let transaction = self.connection.transaction()?;
        for one in worked {
            transaction
                .prepare_cached("INSERT OR REPLACE INTO agent_runs VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![one.id, microseconds(one.time), one.body.len(), one.body])?;
        }
        transaction.execute(
            "DELETE FROM agent_runs WHERE question IN (SELECT question FROM (SELECT question, \
             row_number() OVER newest AS at, sum(bytes) OVER newest AS held FROM agent_runs \
             WINDOW newest AS (ORDER BY time DESC, question)) WHERE at > ?1 OR held > ?2)",
            params![most, bytes],
        )?;
        transaction.commit()
    }
}

#[async_trait]
impl History for File {
    async fn find(&mut self, sought: &Sought, most: u64) -> Result<Vec<Past>, StoreError> {
        self.past(sought, most).map_err(|error| self.failed(&error))
    }

    async fn sums(&mut self, since: Option<SystemTime>, user: &str) -> Result<Vec<Sum>, StoreError> {
        self.summed(since, user).map_err(|error| self.failed(&error))
    }

    async fn worked(&mut self, id: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT body FROM agent_runs WHERE question = ?1";
        let found = self.connection.query_row(sql, [id], |row| row.get(0)).optional();
        found.map_err(|error| self.failed(&error))
    }

    async fn each_worked(
        &mut self,
        since: Option<SystemTime>,
        look: &mut Look<'_>,
    ) -> Result<(), StoreError> {
        let looked = self.look_at_worked(since, look);
        looked.map_err(|error| self.failed(&error))
    }

    async fn keep(&mut self, worked: &[Worked], most: (u64, u64)) -> Result<(), StoreError> {
        let kept = self.add_worked(worked, most);
        kept.map_err(|error| self.failed(&error))
    }
}

fn past(row: &Row<'_>) -> Result<Past, rusqlite::Error> {
    Ok(Past {
        id: row.get(0)?,
        time: Some(UNIX_EPOCH + Duration::from_micros(row.get(1)?)),
        session: row.get(2)?,
        user: row.get(3)?,
        database: row.get(4)?,
        address: row.get(5)?,
        application: row.get(6)?,
        action: row.get(7)?,
        state: row.get(8)?,
        outcome: row.get(9)?,
        sqlstate: row.get(10)?,
        tier: row.get(11)?,
        confidence: row.get(12)?,
        cached: row.get(13)?,
        model_calls: row.get(14)?,
        prompt_tokens: row.get(15)?,
        completion_tokens: row.get(16)?,
        cost_usd: row.get(17)?,
        answer_ms: row.get(18)?,
        rows: row.get(19)?,
        run_ms: row.get(20)?,
        verdict: row.get(21)?,
        words: row.get(22)?,
        sql: row.get(23)?,
        reason: row.get(24)?,
    })
}
