//! Errors of Querent's own. The server reports them in its own order: it gets a statement that must fail, and the
//! client gets the reason in place of the server's.

use super::{Limit, OverLimit};
use crate::{
    error::length_of,
    wire::{Fields, Severity},
};

/// What the names of columns that nobody has begin with.
const TOKEN: &str = "querent_failure_";
/// Failures that may be under way at once.
const MOST: usize = 1_000;

/// Reasons that have not been told yet.
#[derive(Debug, Default)]
pub(in crate::postgres::relay) struct Failures {
    next: u64,
    pending: Vec<(u64, Fields)>,
}

impl Failures {
    /// A statement that fails, and will fail for this reason.
    pub(in crate::postgres::relay) fn statement(&mut self, reason: Fields) -> String {
        format!("SELECT {}", self.name(reason))
    }

    /// A statement that fails for this reason unless the condition holds.
    pub(in crate::postgres::relay) fn unless(&mut self, condition: &str, reason: Fields) -> String {
        let name = self.name(reason);
        // What is called is stable, so that it is not computed before the condition.
        format!(
            "SELECT CASE WHEN {condition} THEN 0 ELSE pg_catalog.concat('{name}', ' ')::pg_catalog.int4 END"
        )
    }

    fn name(&mut self, reason: Fields) -> String {
        if self.pending.len() >= MOST {
            self.pending.remove(0);
        }
        self.next += 1;
        self.pending.push((self.next, reason));
        format!("{TOKEN}{}", self.next)
    }

    /// The reason behind an `ErrorResponse`, if it is about a statement of these.
    pub(super) fn told_instead(&mut self, body: &[u8]) -> Option<Fields> {
        if self.pending.is_empty() {
            return None;
        }
        let at = memchr::memmem::find(body, TOKEN.as_bytes())? + TOKEN.len();
        let digits = body[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number: u64 = std::str::from_utf8(&body[at..at + digits]).ok()?.parse().ok()?;
        let index = self.pending.iter().position(|(known, _)| *known == number)?;
        Some(self.pending.remove(index).1)
    }

    /// Nothing is under way any more.
    pub(super) fn forget(&mut self) {
        self.pending.clear();
    }
}

/// What is told where a question's result was cut off.
pub(super) fn over_limit(over: OverLimit, limit: Limit) -> Fields {
    match over {
        OverLimit::Rows => Fields::new(
            Severity::Error,
            "54000",
            format!("the answer has more than {} rows", limit.rows),
        )
        .with_hint("Ask for less, or raise querent.row_limit."),
        OverLimit::Bytes => Fields::new(
            Severity::Error,
            "54000",
            format!("the answer has more than {} bytes", limit.bytes),
        )
        .with_hint("Ask for less, or raise limits.bytes."),
        OverLimit::Time => {
            let told = Fields::new(
                Severity::Error,
                "57014",
                "canceling statement due to statement timeout",
            );
            let worked = format!("The statement worked for more than {}.", length_of(limit.time));
            if limit.recursive {
                told.with_detail(format!("{worked} Its recursion did not come to an end."))
                    .with_hint("Give the recursion a bound, or raise querent.statement_timeout.")
            } else {
                told.with_detail(worked)
                    .with_hint("Raise querent.statement_timeout, or ask for less.")
            }
        }
    }
}
