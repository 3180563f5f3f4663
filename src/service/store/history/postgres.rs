//! The history in the store's schema of a PostgreSQL database.

use std::{pin::pin, time::SystemTime};

use async_trait::async_trait;
use futures_util::TryStreamExt;
use tokio::time::timeout;
use tokio_postgres::{Row, types::ToSql};

use super::{
    super::{
        StoreError,
        postgres::{PATIENCE, Schema},
    },
    COLUMNS, History, Look, Past, Sought, Sum, Worked,
};

#[async_trait]
impl History for Schema {
    async fn find(&mut self, sought: &Sought, most: u64) -> Result<Vec<Past>, StoreError> {
        // Letters of ASCII are made small in half the time, and no others can be those that are sought.
        let small = if sought.text.is_ascii() {
            " COLLATE \"C\""
        } else {
            ""
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM querent.history WHERE time >= coalesce($1, '-infinity'::timestamptz) \
             AND ($2 = '' OR user_name = $2) AND ($3 = '' OR database_name = $3) AND ($4 = '' OR state = $4) \
             AND ($5 = '' OR tier = $5) AND ($6::float8 IS NULL OR confidence >= $6) \
             AND ($7::float8 IS NULL OR confidence <= $7) \
             AND ($8 = '' OR position($8 in lower(words{small})) > 0 OR position($8 in lower(sql{small})) > 0 \
             OR position($8 in lower(reason{small})) > 0) AND ($10 = '' OR question = $10) \
             AND ($11 = '' OR verdict = $11) ORDER BY seq DESC LIMIT $9"
        );
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let given: [&(dyn ToSql + Sync); 11] = [
            &sought.since,
            &sought.user,
            &sought.database,
            &sought.state,
            &sought.tier,
            &sought.least,
            &sought.most,
            &sought.text,
            &most,
            &sought.id,
            &sought.verdict,
        ];
        let found = timeout(PATIENCE, self.client.query(&sql, &given)).await;
        Ok(self.told(found)?.iter().map(past).collect())
    }

    async fn sums(&mut self, since: Option<SystemTime>, user: &str) -> Result<Vec<Sum>, StoreError> {
        let given: [&(dyn ToSql + Sync); 2] = [&since, &user];
        let found = self.client.query(
            "SELECT state, tier, count(*), count(*) FILTER (WHERE cached), count(*) FILTER (WHERE verdict = 'good'), \
             count(*) FILTER (WHERE verdict IN ('bad', 'fix')), sum(model_calls)::bigint, sum(prompt_tokens)::bigint, \
             sum(completion_tokens)::bigint, sum(cost_usd) FROM querent.history \
             WHERE action <> 'query' AND time >= coalesce($1, '-infinity'::timestamptz) \
             AND ($2 = '' OR user_name = $2) GROUP BY state, tier",
            &given,
        );
        let found = timeout(PATIENCE, found).await;
        let sums = self.told(found)?;
        let sum = |row: &Row| Sum {
            state: row.get(0),
            tier: row.get(1),
            questions: number(row, 2),
            cached: number(row, 3),
            good: number(row, 4),
            bad: number(row, 5),
            model_calls: number(row, 6),
            prompt_tokens: number(row, 7),
            completion_tokens: number(row, 8),
            cost_usd: row.get(9),
        };
        Ok(sums.iter().map(sum).collect())
    }

    async fn worked(&mut self, id: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT body FROM querent.agent_runs WHERE question = $1";
        let found = timeout(PATIENCE, self.client.query_opt(sql, &[&id])).await;
        Ok(self.told(found)?.map(|row| row.get(0)))
    }

    async fn each_worked(
        &mut self,
        since: Option<SystemTime>,
        look: &mut Look<'_>,
    ) -> Result<(), StoreError> {
        let reading = async {
            let sql =
                "SELECT body FROM querent.agent_runs WHERE time >= coalesce($1, '-infinity'::timestamptz)";
            let mut rows = pin!(self.client.query_raw(sql, [&since]).await?);
            while let Some(row) = rows.try_next().await? {
                look(row.get(0));
            }
            Ok(())
        };
        let read = timeout(PATIENCE, reading).await;
        self.told(read)
    }

    async fn keep(&mut self, worked: &[Worked], (most, bytes): (u64, u64)) -> Result<(), StoreError> {
        let keeping = async {
            let transaction = self.client.transaction().await?;
            for one in worked {
                let length = i64::try_from(one.body.len()).unwrap_or(i64::MAX);
                transaction
                    .execute(
                        "INSERT INTO querent.agent_runs VALUES ($1, $2, $3, $4) ON CONFLICT (question) DO NOTHING",
                        &[&one.id, &one.time, &length, &one.body],
                    )
                    .await?;
            }
            let (most, bytes) = (signed(most), signed(bytes));
            transaction
                .execute(
                    "DELETE FROM querent.agent_runs WHERE question IN (SELECT question FROM (SELECT question, \
                     row_number() OVER newest AS at, sum(bytes) OVER newest AS held FROM querent.agent_runs \
                     WINDOW newest AS (ORDER BY time DESC, question)) AS kept WHERE at > $1 OR held > $2::bigint)",
                    &[&most, &bytes],
                )
                .await?;
            transaction.commit().await
        };
        let kept = timeout(PATIENCE, keeping).await;
        self.told(kept)
    }
}

fn past(row: &Row) -> Past {
    Past {
        id: row.get(0),
        time: Some(row.get(1)),
        session: number(row, 2),
        user: row.get(3),
        database: row.get(4),
        address: row.get(5),
        application: row.get(6),
        action: row.get(7),
        state: row.get(8),
        outcome: row.get(9),
        sqlstate: row.get(10),
        tier: row.get(11),
        confidence: row.get(12),
        cached: row.get(13),
        model_calls: number(row, 14),
        prompt_tokens: number(row, 15),
        completion_tokens: number(row, 16),
        cost_usd: row.get(17),
        answer_ms: row.get(18),
        rows: row.get::<_, Option<i64>>(19).map(i64::unsigned_abs),
        run_ms: row.get(20),
        verdict: row.get(21),
        words: row.get(22),
        sql: row.get(23),
        reason: row.get(24),
    }
}

fn number(row: &Row, at: usize) -> u64 {
    row.get::<_, i64>(at).unsigned_abs()
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
