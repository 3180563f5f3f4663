//! What a question's result may come to. Its rows are counted as they pass; where something of the client's depends on
//! the result, the server counts them itself, so that it fails as it does at any error of a statement.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Own, fields};

/// Which bound a question's result has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::postgres::relay) enum OverLimit {
    /// `querent.row_limit`, `limits.rows`.
    Rows,
    /// `limits.bytes`.
    Bytes,
    /// `querent.statement_timeout`, `limits.statement_timeout`.
    Time,
}

/// Bounds of a question's result; 0 for none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::postgres::relay) struct Limit {
    pub(in crate::postgres::relay) rows: u64,
    pub(in crate::postgres::relay) bytes: u64,
    pub(in crate::postgres::relay) time: std::time::Duration,
    /// Whether what takes its time reads itself.
    pub(in crate::postgres::relay) recursive: bool,
}

impl Limit {
    /// True if rows are counted as they pass.
    pub(in crate::postgres::relay) fn counts(&self) -> bool {
        self.rows > 0 || self.bytes > 0
    }

    /// The same for rows that are no answer, or that the server counts.
    pub(in crate::postgres::relay) fn uncounted(self) -> Self {
        Self {
            rows: 0,
            bytes: 0,
            ..self
        }
    }

    /// Which bound so much passes.
    pub(super) fn passed_by(&self, rows: u64, bytes: u64) -> Option<OverLimit> {
        if self.rows > 0 && rows > self.rows {
            Some(OverLimit::Rows)
        } else {
            (self.bytes > 0 && bytes > self.bytes).then_some(OverLimit::Bytes)
        }
    }
}

/// Rows and bytes that have come of one result. A portal's is one, however many times it is fetched from.
#[derive(Debug, Default)]
pub(in crate::postgres::relay) struct Tally {
    rows: AtomicU64,
    bytes: AtomicU64,
}

impl Tally {
    /// Counts a row; all that have come, and their bytes.
    pub(super) fn add(&self, bytes: usize) -> (u64, u64) {
        let rows = self.rows.fetch_add(1, Ordering::Relaxed) + 1;
        let bytes = bytes as u64;
        (rows, self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes)
    }
}

impl Own {
    /// What stands before and behind a query whose rows the server counts. The query keeps its order: the window has
    /// none. What must fail depends on a row, so that it is not computed before there is one too many. With the names of
    /// its columns they stay the tables' own to a client; without, they have their names and types.
    pub(in crate::postgres::relay) fn counting(&self, limit: Limit, columns: &[String]) -> (String, String) {
        let own = self.as_str();
        let (mut sum, mut cases) = (String::new(), String::new());
        if limit.rows > 0 {
            cases += &self.case("rows", limit.rows);
        }
        if limit.bytes > 0 {
            // As text, in which most clients read them.
            sum = format!(
                ", pg_catalog.sum(pg_catalog.octet_length(({own}.*)::pg_catalog.text)) OVER seen AS bytes"
            );
            cases += &self.case("bytes", limit.bytes);
        }
        let counted = format!("pg_catalog.row_number() OVER seen AS rows{sum}");
        let limited = format!(
            "WINDOW seen AS (ROWS UNBOUNDED PRECEDING)) AS {own}_seen \
             WHERE CASE{cases} ELSE 0 END OPERATOR(pg_catalog.=) 0"
        );
        if columns.is_empty() {
            // The row is named by what no column can have as its name.
            return (
                format!("SELECT ({own}_seen.answer).* FROM (SELECT {own} AS answer, {counted} FROM ("),
                format!("\n) AS {own} {limited}"),
            );
        }
        let list = |name: &dyn Fn(usize, &String) -> String| -> String {
            let names: Vec<String> = columns
                .iter()
                .enumerate()
                .map(|(at, column)| name(at, column))
                .collect();
            names.join(", ")
        };
        let told = list(&|at, name| format!("{own}_seen.c{at} AS \"{}\"", name.replace('"', "\"\"")));
        let (plain, named) = (
            list(&|at, _| format!("c{at}")),
            list(&|at, _| format!("{own}.c{at}")),
        );
        // Nothing is computed of this. It has an error if the query has got other columns meanwhile.
        let same = format!("true OR EXISTS (SELECT {own}.* UNION ALL SELECT {named})");
        (
            format!("SELECT {told} FROM (SELECT {own}.*, {counted} FROM ("),
            format!("\n) AS {own} ({plain}) WHERE {same} {limited}"),
        )
    }

    fn case(&self, what: &str, limit: u64) -> String {
        let own = self.as_str();
        format!(
            " WHEN {own}_seen.{what} OPERATOR(pg_catalog.>) {limit} \
             THEN pg_catalog.concat('{own}_{what}_{limit} ', {own}_seen.{what})::pg_catalog.int4"
        )
    }

    /// The bound that the server has found passed, if an `ErrorResponse` tells of that.
    pub(super) fn passed(&self, body: &[u8]) -> Option<(OverLimit, Limit)> {
        if fields::sqlstate(body) != Some(b"22P02") {
            return None;
        }
        let (_, message) = fields::read(body).find(|(code, _)| *code == b'M')?;
        let message = String::from_utf8_lossy(message);
        let (_, told) = message.split_once(self.as_str())?;
        let number = |told: &str| told.split(' ').next()?.parse().ok();
        let mut limit = Limit::default();
        if let Some(rows) = told.strip_prefix("_rows_") {
            limit.rows = number(rows)?;
            Some((OverLimit::Rows, limit))
        } else {
            limit.bytes = number(told.strip_prefix("_bytes_")?)?;
            Some((OverLimit::Bytes, limit))
        }
    }
}
