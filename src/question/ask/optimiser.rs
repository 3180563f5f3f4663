//! The last agent: where an answer takes long, it looks for SQL that gives the same rows at less cost, and for an index that
//! would serve. What is quick it leaves alone.

use std::time::{Duration, Instant};

use super::{
    candidate::{Candidate, same_result},
    ensemble::Chosen,
    work::Work,
};
use crate::{
    backend::{Effort, IndexIdea, Trial},
    question::{
        schema::{Dialect, identifier},
        validator::{self, Filter, ValidatedSql},
    },
};

/// Another statement must cost at most this part of what the first one does.
const CHEAPER: f64 = 0.8;
/// Only rows that are so few of a table's, as a part of all, are found sooner by an index.
const FEW: f64 = 0.1;
/// A table with fewer rows needs no index.
const MANY_ROWS: u64 = 1_000;
/// Columns of an index that is told of.
const MOST_COLUMNS: usize = 3;
/// Rows that the trial run of another way to write a statement reads, as any trial run does.
pub(super) const TRIAL_ROWS: usize = 100;

/// Steps that SQLite makes in a millisecond at least, and what PostgreSQL's planner would call as much. What takes long with less
/// work than that waits for a busy machine, and would take as long however it is written.
const STEPS: f64 = 20_000.0;
const ESTIMATED: f64 = 10.0;

/// True for a statement that took as long as `from` and worked for that, or that was thought too costly to run; never where
/// `from` is zero.
pub(super) fn is_slow(effort: &Effort, from: Duration, dialect: Dialect) -> bool {
    let by_millisecond = match dialect {
        Dialect::Sqlite => STEPS,
        Dialect::Postgres => ESTIMATED,
    };
    let works = effort.cost >= from.as_secs_f64() * 1_000.0 * by_millisecond;
    let is_late = effort.elapsed >= from && works;
    !from.is_zero() && (is_late || (!effort.run && effort.cost > 0.0))
}

/// True if the rows of both are known and one of them costs clearly less.
pub(super) fn is_cheaper(one: &Effort, other: &Effort) -> bool {
    one.run && other.run && one.cost > 0.0 && one.cost <= other.cost * CHEAPER
}

/// The answer with cheaper SQL, where there is any, and with advice in the steps. Never fails: the answer is there.
pub(super) async fn optimise(work: &Work<'_>, chosen: Chosen) -> Chosen {
    let (effort, from) = (&chosen.trial.effort, work.settings.optimise_from);
    if !is_slow(effort, from, work.snapshot.dialect) || chosen.sql.parameters() > 0 {
        return chosen;
    }
    let started = Instant::now();
    let private = work.told.reads_private(&work.snapshot, chosen.sql.as_str());
    // A policy has written conditions into the text, which its author did not.
    let outcome = if chosen.sql.is_restricted() {
        Err("an access policy is written into it")
    } else {
        cheapest(work, &chosen).await
    };
    let (chosen, told) = match outcome {
        Ok(Better { sql, trial, changes }) => {
            for change in &changes {
                work.trace.step("optimised", change.clone());
            }
            let (before, after) = (chosen.trial.effort, trial.effort);
            let gain = format!(
                "{} instead of {}, with the same rows on trial",
                told_effort(&after, work.snapshot.dialect),
                told_effort(&before, work.snapshot.dialect)
            );
            work.trace.step("optimised", gain);
            let text = sql.as_str().to_owned();
            (Chosen { sql, trial, ..chosen }, Ok(text))
        }
        Err(why) => (chosen, Err(why.to_owned())),
    };
    work.trace.embedded("optimiser", (1, started), told, private);
    for advice in advice(work, &chosen).await {
        work.trace.step("index advice", advice);
    }
    chosen
}

/// Other SQL with the same rows.
struct Better {
    sql: ValidatedSql,
    trial: Trial,
    changes: Vec<String>,
}

/// The first way to write the answer otherwise that gives the same rows and costs less, or why there is none. No
/// trial begins once all of them have taken as long as the answer's own did.
async fn cheapest(work: &Work<'_>, chosen: &Chosen) -> Result<Better, &'static str> {
    let (schema, dialect) = (&work.snapshot.schema, work.snapshot.dialect);
    let rewrites = validator::rewrites(chosen.sql.as_str(), schema, dialect);
    let mut why = "no other way to write it is known";
    let deadline = Instant::now() + chosen.trial.effort.elapsed;
    for rewrite in rewrites {
        let Ok(sql) = validator::validate(&rewrite.sql, schema, dialect) else {
            continue;
        };
        if Instant::now() >= deadline {
            break;
        }
        // It has the time that any trial has: what is interrupted leaves a session something to bring to an end.
        let Ok(trial) = work.database.trial(&sql, TRIAL_ROWS).await else {
            why = "another way to write it takes too long";
            continue;
        };
        let (before, after) = (&chosen.trial.effort, &trial.effort);
        if !before.run && after.cost * 2.0 <= before.cost {
            let told = format!(
                "{}: {} instead of {}, but too costly to compare the rows of both: {}",
                rewrite.changes.join("; "),
                told_effort(after, dialect),
                told_effort(before, dialect),
                sql.as_str()
            );
            work.trace.step("cheaper SQL", told);
            break;
        }
        let same = same_names(&sql, &chosen.sql, dialect)
            && same_result((&sql, &trial), (&chosen.sql, &chosen.trial));
        if !same {
            why = "another way to write it gives other rows";
            continue;
        }
        if is_cheaper(after, before) && after.elapsed <= before.elapsed {
            return Ok(Better {
                sql,
                trial,
                changes: rewrite.changes,
            });
        }
        why = "another way to write it is not cheaper";
    }
    Err(why)
}

/// True if clients are told the same columns.
fn same_names(one: &ValidatedSql, other: &ValidatedSql, dialect: Dialect) -> bool {
    let names = |sql: &ValidatedSql| match dialect {
        Dialect::Sqlite => validator::result_names(sql.as_str(), sql.columns().to_vec()),
        Dialect::Postgres => sql.columns().to_vec(),
    };
    names(one) == names(other)
}

fn told_effort(effort: &Effort, dialect: Dialect) -> String {
    let milliseconds = effort.elapsed.as_secs_f64() * 1_000.0;
    match dialect {
        Dialect::Sqlite => format!("{:.0} steps in {milliseconds:.0} ms", effort.cost),
        Dialect::Postgres if effort.run => {
            format!("an estimated cost of {:.0}, {milliseconds:.0} ms", effort.cost)
        }
        Dialect::Postgres => format!("an estimated cost of {:.0}", effort.cost),
    }
}

/// Indexes that would serve the answer's SQL, each with what it would gain.
async fn advice(work: &Work<'_>, chosen: &Chosen) -> Vec<String> {
    let (schema, dialect) = (&work.snapshot.schema, work.snapshot.dialect);
    // What is read is told of the text, which a policy may have changed.
    let Ok(scans) = work.database.full_scans(&chosen.sql).await else {
        return vec![];
    };
    let filters = validator::filters(chosen.sql.as_str(), schema, dialect);
    let mut told: Vec<String> = vec![];
    for scan in scans {
        let of_scan: Vec<&Filter> = filters
            .iter()
            .filter(|filter| filter.name.eq_ignore_ascii_case(&scan.name))
            .collect();
        let table = match of_scan.first() {
            Some(filter) => Some(filter.column.table),
            None => table_called(work, &chosen.sql, &scan.name),
        };
        let Some(table) = table else { continue };
        let (name, columns) = (&schema.tables[table], columns_of(&of_scan, table));
        let columns = if scan.indexed_by.is_empty() {
            columns
        } else {
            let named = scan
                .indexed_by
                .iter()
                .filter_map(|column| name.column_named(column));
            named.collect()
        };
        let Some(rows) = name.rows.filter(|rows| *rows >= MANY_ROWS && !columns.is_empty()) else {
            continue;
        };
        let is_there = columns.len() == 1 && name.columns[columns[0]].unique;
        if is_there || name.is_view {
            continue;
        }
        let left = scan.left.or_else(|| left_of(work, table, &columns, rows));
        let passing = !scan.indexed_by.is_empty();
        if !passing && left.is_none_or(|left| left > rows as f64 * FEW) {
            continue;
        }
        let ddl = create_index(work, table, &columns);
        if told.iter().any(|told| told.starts_with(&ddl)) {
            continue;
        }
        let idea = IndexIdea { ddl };
        let cost = work.database.cost_with(&chosen.sql, &idea).await.ok().flatten();
        let before = chosen.trial.effort.cost;
        let gain = match (cost, left) {
            (Some(cost), _) if cost >= before * CHEAPER => continue,
            (Some(cost), _) => format!("an estimated cost of {cost:.0} instead of {before:.0}"),
            (None, _) if passing => format!(
                "the database indexes {rows} rows of {} by this each time it answers",
                name.name
            ),
            (None, Some(left)) => format!(
                "about {:.0} of {rows} rows of {} would be read",
                left.max(1.0),
                name.name
            ),
            (None, None) => continue,
        };
        told.push(format!("{}: {gain}", idea.ddl));
    }
    told
}

/// The columns that rows are picked by: those with one value, then one with a range.
fn columns_of(filters: &[&Filter], table: usize) -> Vec<usize> {
    let of_table = |equal: bool| {
        let fitting = filters
            .iter()
            .filter(move |filter| filter.equal == equal && filter.column.table == table);
        fitting.map(|filter| filter.column.column)
    };
    let mut columns: Vec<usize> = of_table(true).collect();
    columns.extend(of_table(false).next());
    let mut once = vec![];
    for column in columns {
        if !once.contains(&column) {
            once.push(column);
        }
    }
    once.truncate(MOST_COLUMNS);
    once
}

/// The only table that an answer reads under a name.
fn table_called(work: &Work<'_>, sql: &ValidatedSql, name: &str) -> Option<usize> {
    let called = validator::tables_called(sql.as_str(), name, &work.snapshot.schema, work.snapshot.dialect);
    match called.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// How many rows have one value in the first of the columns, as far as the values are known.
fn left_of(work: &Work<'_>, table: usize, columns: &[usize], rows: u64) -> Option<f64> {
    let profile = work.snapshot.profile.tables.get(table)?.as_ref()?;
    let column = profile.columns.get(*columns.first()?)?;
    (column.distinct > 0).then(|| rows as f64 / column.distinct as f64)
}

/// The statement by which a person could make the index.
fn create_index(work: &Work<'_>, table: usize, columns: &[usize]) -> String {
    let dialect = work.snapshot.dialect;
    let table = &work.snapshot.schema.tables[table];
    let names: Vec<&str> = columns
        .iter()
        .map(|column| table.columns[*column].name.as_str())
        .collect();
    let spelled: Vec<String> = names.iter().map(|name| identifier(name, dialect)).collect();
    let own = identifier(&format!("{}_{}", table.name, names.join("_")), dialect);
    let table_name = identifier(&table.name, dialect);
    let table_name = match &table.schema {
        Some(schema) if table.qualified => format!("{}.{table_name}", identifier(schema, dialect)),
        _ => table_name,
    };
    format!("CREATE INDEX {own} ON {table_name} ({})", spelled.join(", "))
}

/// Of proposals that give the same rows as the best one, the one that costs least, where the best one takes long.
pub(super) fn cheapest_of<'c>(
    best: &'c Candidate,
    others: impl Iterator<Item = (usize, &'c Candidate)>,
    (from, dialect): (Duration, Dialect),
) -> Option<usize> {
    let (_, trial) = best.runs()?;
    if !is_slow(&trial.effort, from, dialect) {
        return None;
    }
    let mut least = trial.effort;
    let mut cheapest = None;
    for (at, other) in others {
        let Some((_, tried)) = other.runs() else { continue };
        // What is doubted is not taken because it is quick.
        if tried.complete
            && other.reservation().is_none()
            && is_cheaper(&tried.effort, &least)
            && other.agrees_with(best)
        {
            least = tried.effort;
            cheapest = Some(at);
        }
    }
    cheapest
}
