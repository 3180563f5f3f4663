//! Rankings that end among equals: `the 5 best` where the sixth is as good as the fifth.

use std::time::Duration;

use super::{ensemble::Chosen, work::Work};
use crate::{backend::Value, question::validator};

/// The step that tells how many more are as good as the last.
pub(super) const TIED: &str = "tied";
/// What took longer on trial is not run again to see what comes behind its end.
const QUICK: Duration = Duration::from_millis(250);

/// Notes how many rows behind the end of the answer's ranking are as good as its last one.
pub(super) async fn note(work: &Work<'_>, chosen: &Chosen) {
    if let Some(told) = tied(work, chosen).await {
        work.trace.step(TIED, told);
    }
}

async fn tied(work: &Work<'_>, chosen: &Chosen) -> Option<String> {
    let (sql, trial) = (&chosen.sql, &chosen.trial);
    if sql.is_restricted() || sql.parameters() > 0 || !trial.effort.run || trial.effort.elapsed > QUICK {
        return None;
    }
    let dialect = work.snapshot.dialect;
    let ranking = validator::ranking(sql.as_str(), dialect)?;
    if trial.rows.len() < ranking.limit {
        return None;
    }
    let longer = validator::validate(&ranking.sql, &work.snapshot.schema, dialect).ok()?;
    let rows = work.database.trial(&longer, ranking.rows()).await.ok()?.rows;
    let keys = |row: &Vec<Value>| row[row.len().saturating_sub(ranking.keys)..].to_vec();
    let last = keys(rows.get(ranking.limit - 1)?);
    if last.iter().all(|key| matches!(key, Value::Null)) {
        return None;
    }
    let behind = rows.iter().skip(ranking.limit);
    let equal = behind.take_while(|row| keys(row) == last).count();
    let many = match equal {
        0 => return None,
        1 => "1 more row has".to_owned(),
        _ if ranking.is_more(equal) => format!("{equal} or more rows have"),
        _ => format!("{equal} more rows have"),
    };
    Some(format!("{many} the same {} as the last", ranking.by))
}
