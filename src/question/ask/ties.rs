//! Rankings that end among equals: `the 5 best` where the sixth is as good as the fifth.

use std::time::Duration;

use super::{Answer, ensemble::Chosen, work::Work};
use crate::{
    backend::{Backend, Value},
    question::validator::{self, Ranking, ValidatedSql},
};

/// The step that tells how many more are as good as the last.
pub(super) const TIED: &str = "tied";
/// What took longer on trial is not run again to see what comes behind its end.
const QUICK: Duration = Duration::from_millis(250);

/// An answer's ranking, to be looked at beyond its end.
#[derive(Debug, Clone)]
pub struct Ranked {
    ranking: Ranking,
    sql: ValidatedSql,
}

/// The ranking of an answer, where it is one that is soon run again.
pub(super) fn ranked(work: &Work<'_>, chosen: &Chosen) -> Option<Ranked> {
    let (sql, effort) = (&chosen.sql, &chosen.trial.effort);
    // A policy has written conditions into the text, which its author did not.
    if sql.is_restricted() || sql.parameters() > 0 || !effort.run || effort.elapsed > QUICK {
        return None;
    }
    let dialect = work.snapshot.dialect;
    let ranking = validator::ranking(sql.as_str(), dialect)?;
    let sql = validator::validate(&ranking.sql, &work.snapshot.schema, dialect).ok()?;
    Some(Ranked { ranking, sql })
}

impl Answer {
    /// The same with a step that tells how many rows are as good as the last of a ranking, as whoever asks sees them now. An answer
    /// that is kept for others must be kept without it. Never fails: the answer is there.
    #[must_use]
    pub async fn with_ties(mut self, database: &dyn Backend) -> Self {
        if let Some(ranked) = &self.ranked
            && let Ok(trial) = database.trial(&ranked.sql, ranked.ranking.rows()).await
            && let Some(told) = told(&ranked.ranking, &trial.rows)
        {
            self.steps.push((TIED.to_owned(), told));
        }
        self
    }
}

fn told(ranking: &Ranking, rows: &[Vec<Value>]) -> Option<String> {
    let keys = |at: usize| {
        let row = rows.get(at)?;
        Some(&row[row.len().saturating_sub(ranking.keys)..])
    };
    let (first, behind) = (ranking.skip, ranking.skip + ranking.limit);
    let last = keys(behind - 1)?;
    let known = |keys: &[Value]| !keys.iter().all(|key| matches!(key, Value::Null));
    let same = match &ranking.by {
        Some(by) => format!("the same {by} as"),
        None => "the same rank as".to_owned(),
    };
    let equal = (behind..rows.len())
        .take_while(|at| keys(*at) == Some(last))
        .count();
    let more = (equal > 0 && known(last)).then(|| match equal {
        1 => format!("1 more row has {same} the last"),
        _ if ranking.is_more(equal) => format!("{equal} or more rows have {same} the last"),
        _ => format!("{equal} more rows have {same} the last"),
    });
    let before = first
        .checked_sub(1)
        .filter(|before| keys(*before) == keys(first) && keys(first).is_some_and(known));
    let before = before.map(|_| format!("the row before has {same} the first"));
    let all: Vec<String> = before.into_iter().chain(more).collect();
    (!all.is_empty()).then(|| all.join(", "))
}
