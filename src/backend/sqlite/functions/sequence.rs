//! Sequences: kept in a table of the file, or SQLite's own of a key that counts by itself.

use std::{cell::RefCell, collections::HashMap};

use rusqlite::{
    Connection, Error, OptionalExtension, Result,
    functions::{Context, FunctionFlags},
    params,
};

use super::{Failure, V, advance, values};

/// What this session's thread has drawn.
#[derive(Debug, Default)]
struct Drawn {
    by_name: HashMap<String, i64>,
    last: Option<i64>,
}

thread_local! {
    static DRAWN: RefCell<Drawn> = RefCell::default();
}

fn fail<T>(sqlstate: &'static str, message: impl Into<String>) -> Result<T> {
    Err(Error::from(Failure {
        sqlstate,
        message: message.into(),
    }))
}

/// `public."Name"` as the table of sequences has it.
fn plain(name: &str) -> String {
    let fold = |part: &str| match part.strip_prefix('"').and_then(|part| part.strip_suffix('"')) {
        Some(quoted) => quoted.replace("\"\"", "\""),
        None => part.to_lowercase(),
    };
    let name = name.trim();
    let name = name
        .strip_prefix("public.")
        .or_else(|| name.strip_prefix("\"public\"."))
        .unwrap_or(name);
    fold(name)
}

/// A sequence that SQLite counts by itself: the table of `table_column_seq`.
fn counted(connection: &Connection, name: &str) -> Result<Option<String>> {
    let sql = "SELECT s.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c \
               WHERE s.type = 'table' AND ?1 LIKE s.name || '%' AND c.pk = 1 \
               AND s.sql LIKE '%autoincrement%' AND lower(s.name || '_' || c.name || '_seq') = lower(?1)";
    connection
        .prepare_cached(sql)?
        .query_row([name], |row| row.get(0))
        .optional()
}

/// The table and the key of the sequence `table_key_seq` where SQLite gives the key numbers by itself and remembers none.
fn by_greatest(connection: &Connection, name: &str) -> Result<Option<(String, String)>> {
    let sql = "SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c \
               WHERE s.type = 'table' AND c.pk = 1 AND lower(c.type) = 'integer' \
               AND lower(s.name || '_' || c.name || '_seq') = lower(?1) \
               AND (SELECT count(*) FROM pragma_table_info(s.name) AS k WHERE k.pk > 0) = 1 \
               AND s.name NOT IN (SELECT name FROM pragma_table_list WHERE wr)";
    connection
        .prepare_cached(sql)?
        .query_row([name], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// The query that tells where a sequence stands: its last value, 0, and whether that was drawn.
pub(in crate::backend::sqlite) fn state(connection: &Connection, name: &str) -> Result<Option<String>> {
    let string = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let of = |last: &str| {
        format!(
            "SELECT max(coalesce(n, 0), 1) AS last_value, 0 AS log_cnt, coalesce(n, 0) > 0 AS is_called \
             FROM (SELECT ({last}) AS n)"
        )
    };
    if exists(connection)? {
        let sql = "SELECT EXISTS (SELECT 1 FROM querent_sequences WHERE name = ?1)";
        if connection
            .prepare_cached(sql)?
            .query_row([name], |row| row.get(0))?
        {
            return Ok(Some(format!(
                "SELECT last_value, 0 AS log_cnt, is_called FROM querent_sequences WHERE name = {}",
                string(name)
            )));
        }
    }
    if let Some(table) = counted(connection, name)? {
        let seq = format!("SELECT seq FROM sqlite_sequence WHERE name = {}", string(&table));
        return Ok(Some(of(&seq)));
    }
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    Ok(by_greatest(connection, name)?
        .map(|(table, key)| of(&format!("SELECT max({}) FROM {}", quoted(&key), quoted(&table)))))
}

fn exists(connection: &Connection) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'querent_sequences')";
    connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// The next value of a sequence, or the one it is set to.
fn next(connection: &Connection, name: &str, set: Option<(i64, bool)>) -> Result<i64> {
    if exists(connection)? {
        let sql = "SELECT last_value, is_called, increment_by, min_value, max_value, cycle \
                   FROM querent_sequences WHERE name = ?1";
        let found = connection
            .prepare_cached(sql)?
            .query_row([name], |row| {
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, bool>(1)?,
                    row.get::<_, i64>(2)?,
                    row.get::<_, i64>(3)?,
                    row.get::<_, i64>(4)?,
                    row.get::<_, bool>(5)?,
                ))
            })
            .optional()?;
        if let Some((last, called, step, min, max, cycle)) = found {
            let stored = if called { last } else { last.saturating_sub(step) };
            let reached = advance::last(connection, name, stored, step);
            let (last, called) = if reached == stored {
                (last, called)
            } else {
                (reached, true)
            };
            let (value, called) = match set {
                Some((value, _)) if !(min..=max).contains(&value) => {
                    return fail(
                        "22003",
                        format!(
                            "setval: value {value} is out of bounds for sequence \"{name}\" ({min}..{max})"
                        ),
                    );
                }
                Some(set) => set,
                None if !called => (last, true),
                None => match last.checked_add(step).filter(|next| (min..=max).contains(next)) {
                    Some(next) => (next, true),
                    None if cycle => (if step > 0 { min } else { max }, true),
                    None => {
                        let (what, limit) = if step > 0 {
                            ("maximum", max)
                        } else {
                            ("minimum", min)
                        };
                        return fail(
                            "2200H",
                            format!("nextval: reached {what} value of sequence \"{name}\" ({limit})"),
                        );
                    }
                },
            };
            connection
                .prepare_cached(
                    "UPDATE querent_sequences SET last_value = ?2, is_called = ?3 WHERE name = ?1",
                )?
                .execute(params![name, value, called])?;
            let now = if called { value } else { value.saturating_sub(step) };
            advance::comes_to(connection, name, (stored, reached), now);
            return Ok(value);
        }
    }
    let Some(table) = counted(connection, name)? else {
        return next_after_greatest(connection, name, set);
    };
    connection
        .prepare_cached(
            "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0 \
             WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)",
        )?
        .execute([&table])?;
    let stored: i64 = connection
        .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = ?1")?
        .query_row([&table], |row| row.get(0))?;
    let reached = advance::last(connection, name, stored, 1);
    let now = match set {
        Some((value, true)) => value,
        Some((value, false)) => value - 1,
        None => reached + 1,
    };
    connection
        .prepare_cached("UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1")?
        .execute(params![table, now])?;
    advance::comes_to(connection, name, (stored, reached), now);
    Ok(set.map_or(now, |(value, _)| value))
}

/// The next value where SQLite takes the greatest key for the last: nothing is written, this process remembers it.
fn next_after_greatest(connection: &Connection, name: &str, set: Option<(i64, bool)>) -> Result<i64> {
    let Some((table, key)) = by_greatest(connection, name)? else {
        return fail("42P01", format!("relation \"{name}\" does not exist"));
    };
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let sql = format!(
        "SELECT coalesce(max({}), 0) FROM {}",
        quoted(&key),
        quoted(&table)
    );
    let stored: i64 = connection.query_row(&sql, [], |row| row.get(0))?;
    let reached = advance::last(connection, name, stored, 1);
    let now = match set {
        Some((value, true)) => value,
        Some((value, false)) => value - 1,
        None => reached + 1,
    };
    advance::comes_to(connection, name, (stored, reached), now);
    Ok(set.map_or(now, |(value, _)| value))
}

fn nextval(connection: &Connection, v: &[V]) -> Result<V> {
    let name = plain(&v[0].text());
    let value = next(connection, &name, None)?;
    drawn(&name, value);
    Ok(V::Int(value))
}

fn setval(connection: &Connection, v: &[V]) -> Result<V> {
    if v.iter().any(V::is_null) {
        return Ok(V::Null);
    }
    let name = plain(&v[0].text());
    let called = v.get(2).is_none_or(|called| called.int() != 0);
    let value = next(connection, &name, Some((v[1].int(), called)))?;
    if called {
        DRAWN.with_borrow_mut(|drawn| drawn.by_name.insert(name, value));
    }
    Ok(V::Int(value))
}

fn currval(_: &Connection, v: &[V]) -> Result<V> {
    let name = plain(&v[0].text());
    match DRAWN.with_borrow(|drawn| drawn.by_name.get(&name).copied()) {
        Some(value) => Ok(V::Int(value)),
        None => fail(
            "55000",
            format!("currval of sequence \"{name}\" is not yet defined in this session"),
        ),
    }
}

fn lastval(_: &Connection, _: &[V]) -> Result<V> {
    match DRAWN.with_borrow(|drawn| drawn.last) {
        Some(value) => Ok(V::Int(value)),
        None => fail("55000", "lastval is not yet defined in this session"),
    }
}

/// Remembers the number that a new row got by itself.
pub(in crate::backend::sqlite) fn drawn(name: &str, value: i64) {
    DRAWN.with_borrow_mut(|drawn| {
        match drawn.by_name.get_mut(name) {
            Some(last) => *last = value,
            None => {
                drawn.by_name.insert(name.to_owned(), value);
            }
        }
        drawn.last = Some(value);
    });
}

/// Name, whether it may be there, start, step, least, greatest, cycle, type, table and column that own it.
fn create(connection: &Connection, v: &[V]) -> Result<V> {
    let name = v[0].text();
    let taken: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM querent_sequences WHERE name = ?1) \
         OR EXISTS (SELECT 1 FROM sqlite_schema WHERE lower(name) = ?1)",
        [&name],
        |row| row.get(0),
    )?;
    if taken {
        if v[1].int() != 0 {
            return Ok(V::Null);
        }
        return fail("42P07", format!("relation \"{name}\" already exists"));
    }
    let step = if v[3].is_null() { 1 } else { v[3].int() };
    if step == 0 {
        return fail("22023", "INCREMENT must not be zero");
    }
    let widest = match v[7].text().as_str() {
        "int2" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "int4" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => (i64::MIN, i64::MAX),
    };
    let or = |value: &V, otherwise: i64| if value.is_null() { otherwise } else { value.int() };
    let min = or(&v[4], if step > 0 { 1 } else { widest.0 });
    let max = or(&v[5], if step > 0 { widest.1 } else { -1 });
    let start = or(&v[2], if step > 0 { min } else { max });
    if min >= max {
        return fail(
            "22023",
            format!("MINVALUE ({min}) must be less than MAXVALUE ({max})"),
        );
    }
    if !(min..=max).contains(&start) {
        let (what, word, limit) = if start < min {
            ("less", "MINVALUE", min)
        } else {
            ("greater", "MAXVALUE", max)
        };
        return fail(
            "22023",
            format!("START value ({start}) cannot be {what} than {word} ({limit})"),
        );
    }
    connection.execute(
        "INSERT INTO querent_sequences VALUES (?1, ?2, 0, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            name,
            start,
            step,
            min,
            max,
            v[6].int() != 0,
            v[7].text(),
            v[8],
            v[9]
        ],
    )?;
    Ok(V::Null)
}

fn missing(name: &str, may: bool) -> Result<V> {
    if may {
        return Ok(V::Null);
    }
    fail("42P01", format!("relation \"{name}\" does not exist"))
}

/// Name, and whether it may be missing.
fn drop(connection: &Connection, v: &[V]) -> Result<V> {
    let name = v[0].text();
    let may = v[1].int() != 0;
    if !exists(connection)? {
        return missing(&name, may);
    }
    let gone = connection.execute("DELETE FROM querent_sequences WHERE name = ?1", [&name])?;
    advance::forget_where(connection, |other| other == name);
    DRAWN.with_borrow_mut(|drawn| drawn.by_name.remove(&name));
    if gone == 0 {
        missing(&name, may)
    } else {
        Ok(V::Null)
    }
}

/// Name, whether it may be missing, what changes and its new value.
fn alter(connection: &Connection, v: &[V]) -> Result<V> {
    let (name, what) = (v[0].text(), v[2].text());
    let own = exists(connection)?
        && connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM querent_sequences WHERE name = ?1)",
            [&name],
            |row| row.get(0),
        )?;
    if !own {
        let Some(_) = counted(connection, &name)? else {
            return missing(&name, v[1].int() != 0);
        };
        if what == "restart" {
            let start = if v[3].is_null() { 1 } else { v[3].int() };
            next(connection, &name, Some((start, false)))?;
        }
        let counts_otherwise = match what.as_str() {
            "increment" | "start" => v[3].int() != 1,
            "cycle" => v[3].int() != 0,
            _ => false,
        };
        if counts_otherwise {
            return Err(Failure {
                sqlstate: "0A000",
                message: format!(
                    "the {what} of sequence \"{name}\", by which SQLite numbers a key, cannot be changed"
                ),
            }
            .into());
        }
        return Ok(V::Null);
    }
    let column = match what.as_str() {
        "restart" => {
            advance::forget_where(connection, |other| other == name);
            connection.execute(
                "UPDATE querent_sequences SET last_value = coalesce(?2, start_value), is_called = 0 WHERE name = ?1",
                params![name, v[3]],
            )?;
            return Ok(V::Null);
        }
        "rename" => "name",
        "increment" => "increment_by",
        "start" => "start_value",
        "minvalue" => "min_value",
        "maxvalue" => "max_value",
        "cycle" => "cycle",
        "owned_table" => "owned_table",
        "owned_column" => "owned_column",
        _ => return Ok(V::Null),
    };
    connection.execute(
        &format!("UPDATE querent_sequences SET {column} = ?2 WHERE name = ?1"),
        params![name, v[3]],
    )?;
    Ok(V::Null)
}

/// What was drawn of the sequences of a table does not count any more.
fn forget_of(connection: &Connection, table: &str) -> Result<()> {
    let table_sequence = format!("{}_", table.to_lowercase());
    advance::forget_where(connection, |name| {
        name.starts_with(&table_sequence) && name.ends_with("_seq")
    });
    if exists(connection)? {
        let sql = "SELECT name FROM querent_sequences WHERE owned_table = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let names: Vec<String> = statement
            .query_map([table], |row| row.get(0))?
            .collect::<Result<_>>()?;
        advance::forget_where(connection, |name| names.iter().any(|own| own == name));
    }
    Ok(())
}

/// Lets the sequences of a table begin anew.
fn restart_of(connection: &Connection, v: &[V]) -> Result<V> {
    let table = v[0].text();
    forget_of(connection, &table)?;
    let counts = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence')";
    if connection.query_row(counts, [], |row| row.get::<_, bool>(0))? {
        connection.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [&table])?;
    }
    if exists(connection)? {
        connection.execute(
            "UPDATE querent_sequences SET last_value = start_value, is_called = 0 WHERE owned_table = ?1",
            [&table],
        )?;
    }
    Ok(V::Null)
}

/// Drops the sequences of a table.
fn drop_of(connection: &Connection, v: &[V]) -> Result<V> {
    forget_of(connection, &v[0].text())?;
    if exists(connection)? {
        connection.execute(
            "DELETE FROM querent_sequences WHERE owned_table = ?1",
            [v[0].text()],
        )?;
    }
    Ok(V::Null)
}

type Work = fn(&Connection, &[V]) -> Result<V>;

/// Adds all of them.
pub(super) fn add(connection: &Connection) -> Result<()> {
    let all: [(&str, i32, Work); 9] = [
        ("pg_nextval", 1, nextval),
        ("pg_setval", -1, setval),
        ("pg_currval", 1, currval),
        ("pg_lastval", 0, lastval),
        ("pg_create_sequence", 10, create),
        ("pg_drop_sequence", 2, drop),
        ("pg_alter_sequence", 4, alter),
        ("pg_restart_sequences_of", 1, restart_of),
        ("pg_drop_sequences_of", 1, drop_of),
    ];
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, arguments, work) in all {
        connection.create_scalar_function(name, arguments, flags, move |context: &Context<'_>| {
            #[allow(
                unsafe_code,
                reason = "a sequence is read and written on the connection that asks for it"
            )]
            // SAFETY: the reference does not leave this call, which runs on the connection's own thread.
            let connection = unsafe { context.get_connection()? };
            work(&connection, &values(context))
        })?;
    }
    Ok(())
}
