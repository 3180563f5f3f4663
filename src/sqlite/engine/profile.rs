//! Reads what columns hold, for the figures by which their meaning is inferred: small tables whole, large ones in places
//! that lie evenly over them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::{Connection, types::ValueRef};

use super::open::Guarded;
use crate::{
    question::schema::{
        CODE_ROWS, Candidate, Cell, CodeTable, ColumnNames, ColumnRef, Inclusion, JoinGraph, Profile,
        Profiler, Schema, Snapshot, TableProfile, candidates, code_tables, decide, is_settled,
    },
    statement::sqlite_lexer::quote,
};

/// Rows of one table that are read at most, and at least of one that is not whole.
const ROWS: (u64, u64) = (20_000, 500);
/// Rows that are read in all, more or less: the more tables there are, the fewer of each.
const ALL_ROWS: u64 = 1_000_000;
/// Places of a large table.
const PLACES: u64 = 20;
/// Working time for one table, and for all.
const TIME: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(8));
/// Bytes of one text that are looked at.
const LONGEST: usize = 400;

/// Different values of a column that are looked for among those of a key.
const LOOKED_FOR: usize = 500;
/// Rows in which they are found.
const LOOKED_THROUGH: usize = 100_000;
/// Working time for one candidate, and for all.
const KEY_TIME: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));

/// A snapshot with what its columns hold, and with the keys that follow from that.
pub(super) fn look_closer(reader: &Guarded, snapshot: &Snapshot) -> Snapshot {
    let mut profile = profile(reader, &snapshot.schema);
    let names = ColumnNames::new(&snapshot.schema);
    for table in code_tables(&names, &profile) {
        reader.watch.restart(KEY_TIME.0);
        let rows = code_rows(&reader.connection, &snapshot.schema, &table);
        reader.watch.rest();
        let told = rows.map(|rows| table.codes(&names, &profile, &rows));
        profile.codes.extend(told.unwrap_or_default());
    }
    let mut schema = Schema::clone(&snapshot.schema);
    schema.foreign_keys.retain(|key| key.declared);
    let candidates = candidates(&schema, &profile);
    let started = Instant::now();
    let mut found: Vec<Option<Inclusion>> = Vec::with_capacity(candidates.len());
    for candidate in &candidates {
        if is_settled(&candidates, &found) || started.elapsed() > KEY_TIME.1 {
            found.push(None);
            continue;
        }
        reader.watch.restart(KEY_TIME.0);
        let looked = inclusion(&reader.connection, &schema, candidate);
        reader.watch.rest();
        found.push(looked.ok());
    }
    let keys = decide(&schema, &candidates, &found);
    schema.foreign_keys.extend(keys);
    Snapshot {
        joins: Arc::new(JoinGraph::new(&schema)),
        schema: Arc::new(schema),
        profile: Arc::new(profile),
        ..snapshot.clone()
    }
}

/// How many of the values of a candidate are there.
fn inclusion(connection: &Connection, schema: &Schema, candidate: &Candidate) -> rusqlite::Result<Inclusion> {
    let plain = |columns: &[ColumnRef]| -> String {
        let names: Vec<String> = columns.iter().map(|at| quote(&schema.column(*at).name)).collect();
        names.join(", ")
    };
    let table = |columns: &[ColumnRef]| quote(&schema.tables[columns[0].table].name);
    let (from, to) = (&candidate.from, &candidate.to);
    // Nothing, 0 and -1 stand for a missing reference where NULL does not.
    let conditions: Vec<String> = from
        .iter()
        .map(|at| quote(&schema.column(*at).name))
        .map(|name| format!("{name} IS NOT NULL AND {name} NOT IN ('', 0, -1)"))
        .collect();
    let sql = format!(
        "SELECT count(*), coalesce(sum(({0}) IN (SELECT {1} FROM main.{2})), 0) FROM ( \
         SELECT DISTINCT {0} FROM (SELECT {0} FROM main.{3} LIMIT {LOOKED_THROUGH}) \
         WHERE {4} LIMIT {LOOKED_FOR})",
        plain(from),
        plain(to),
        table(to),
        table(from),
        conditions.join(" AND "),
    );
    let (looked_for, found) = connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let owner = &schema.tables[to[0].table];
    let is_key =
        owner.primary_key.len() == to.len() && to.iter().all(|at| owner.primary_key.contains(&at.column));
    let unique = is_key || matches!(to[..], [only] if schema.column(only).unique) || {
        let sql = format!(
            "SELECT NOT EXISTS (SELECT 1 FROM main.{} GROUP BY {} HAVING count(*) > 1)",
            table(to),
            plain(to)
        );
        connection.query_row(&sql, [], |row| row.get(0))?
    };
    Ok(Inclusion {
        looked_for,
        found,
        unique,
    })
}

/// What the tables of a file hold. What cannot be read in time is left out.
pub(super) fn profile(reader: &Guarded, schema: &Schema) -> Profile {
    let started = Instant::now();
    let rows = (ALL_ROWS / schema.tables.len().max(1) as u64).clamp(ROWS.1, ROWS.0);
    let tables = schema.tables.iter().map(|table| {
        // A view's columns are those of tables; what it computes may be long work.
        if table.is_view || started.elapsed() > TIME.1 {
            return None;
        }
        reader.watch.restart(TIME.0);
        let columns: Vec<String> = table.columns.iter().map(|column| quote(&column.name)).collect();
        let read = read(&reader.connection, &quote(&table.name), &columns, rows);
        reader.watch.rest();
        read.inspect_err(|error| tracing::debug!(table = table.name, %error, "not looked at"))
            .ok()
    });
    Profile {
        tables: tables.collect(),
        codes: Vec::new(),
    }
}

/// What the rows of a table that may be one of codes say.
fn code_rows(connection: &Connection, schema: &Schema, of: &CodeTable) -> rusqlite::Result<Vec<[String; 3]>> {
    let table = &schema.tables[of.table];
    let texts = of.columns.map(|column| {
        let name = quote(&table.columns[column].name);
        format!("coalesce(substr(CAST({name} AS TEXT), 1, {LONGEST}), '')")
    });
    let name = quote(&table.name);
    let sql = format!("SELECT {} FROM main.{name} LIMIT {CODE_ROWS}", texts.join(", "));
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))?;
    rows.collect()
}

fn read(
    connection: &Connection,
    table: &str,
    columns: &[String],
    rows: u64,
) -> rusqlite::Result<TableProfile> {
    let mut profiler = Profiler::new(columns.len());
    let select = format!("SELECT {} FROM main.{table}", columns.join(", "));
    match add(
        connection,
        &mut profiler,
        &format!("{select} LIMIT {}", rows + 1),
        rows,
    ) {
        Ok(read) if read <= rows => return Ok(profiler.finish(true)),
        Ok(_) => {}
        // What was read until the time was over is a sample too.
        Err(_) if profiler.rows() > 0 => return Ok(profiler.finish(false)),
        Err(error) => return Err(error),
    }
    // The first rows of a large table are its oldest.
    let ends = connection.query_row(
        &format!("SELECT min(rowid), max(rowid) FROM main.{table}"),
        [],
        |row| Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, Option<i64>>(1)?)),
    );
    if let Ok((Some(first), Some(last))) = ends {
        let mut spread = Profiler::new(columns.len());
        let each = rows / PLACES;
        let span = i128::from(last) - i128::from(first);
        for place in 0..PLACES {
            let from = i128::from(first) + span * i128::from(place) / i128::from(PLACES);
            let sql = format!("{select} WHERE rowid >= {from} ORDER BY rowid LIMIT {each}");
            if add(connection, &mut spread, &sql, each).is_err() {
                break;
            }
        }
        if spread.rows() > 0 {
            profiler = spread;
        }
    }
    Ok(profiler.finish(false))
}

/// Adds the rows of a query, at most so many; returns how many there were.
fn add(connection: &Connection, profiler: &mut Profiler, sql: &str, most: u64) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare(sql)?;
    let width = statement.column_count();
    let mut rows = statement.raw_query();
    let mut read = 0;
    while let Some(row) = rows.next()? {
        read += 1;
        if read > most {
            break;
        }
        let mut cells = Vec::with_capacity(width);
        for column in 0..width {
            cells.push(cell(row.get_ref(column)?));
        }
        profiler.row(cells);
    }
    Ok(read)
}

fn cell(value: ValueRef<'_>) -> Cell<'_> {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(bytes) => {
            let end = bytes.len().min(LONGEST);
            match std::str::from_utf8(&bytes[..end]) {
                Ok(text) => Cell::Text(text),
                Err(error) if error.valid_up_to() > 0 => {
                    Cell::Text(std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default())
                }
                Err(_) => Cell::Other,
            }
        }
        ValueRef::Blob(_) => Cell::Other,
    }
}
