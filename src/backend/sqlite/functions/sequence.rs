//! Sequences: kept in a table of the file, or SQLite's own of a key that counts by itself.

use std::{cell::RefCell, collections::HashMap};

use rusqlite::{
    Connection, Error, OptionalExtension, Result,
    functions::{Context, FunctionFlags},
    params,
};

use super::{Failure, V, advance, sequence_definition as definition, values};

/// Where a sequence may be kept. The one that is found first is meant, as with tables.
pub(super) const HOMES: [&str; 2] = ["temp", "main"];

/// What this session's thread has drawn.
#[derive(Debug, Default)]
struct Drawn {
    by_name: HashMap<String, i64>,
    last: Option<i64>,
}

thread_local! {
    static DRAWN: RefCell<Drawn> = RefCell::default();
}

pub(super) fn fail<T>(sqlstate: &'static str, message: impl Into<String>) -> Result<T> {
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

/// A key whose numbers SQLite gives by itself.
pub(super) struct Counted {
    /// Where its table is.
    pub(super) home: &'static str,
    pub(super) table: String,
    pub(super) key: String,
}

impl Counted {
    fn find(connection: &Connection, name: &str, condition: &str) -> Result<Option<Self>> {
        for home in HOMES {
            let sql = format!(
                "SELECT s.name, c.name FROM {home}.sqlite_schema AS s, pragma_table_info(s.name, '{home}') AS c \
                 WHERE s.type = 'table' AND ?1 LIKE s.name || '%' AND c.pk = 1 \
                 AND lower(s.name || '_' || c.name || '_seq') = lower(?1) AND {condition}"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let found = statement
                .query_row([name], |row| {
                    Ok(Self {
                        home,
                        table: row.get(0)?,
                        key: row.get(1)?,
                    })
                })
                .optional()?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn greatest(&self) -> String {
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        format!(
            "SELECT max({}) FROM {}.{}",
            quoted(&self.key),
            self.home,
            quoted(&self.table)
        )
    }
}

/// The key of the sequence `table_key_seq` where SQLite remembers the numbers that it gave.
pub(super) fn counted(connection: &Connection, name: &str) -> Result<Option<Counted>> {
    Counted::find(connection, name, "s.sql LIKE '%autoincrement%'")
}

/// The key of the sequence `table_key_seq` where SQLite gives the key numbers by itself and remembers none.
pub(super) fn by_greatest(connection: &Connection, name: &str) -> Result<Option<Counted>> {
    let is_rowid = "lower(c.type) = 'integer' \
                    AND (SELECT count(*) FROM pragma_table_info(s.name) AS k WHERE k.pk > 0) = 1 \
                    AND s.name NOT IN (SELECT name FROM pragma_table_list WHERE wr)";
    Counted::find(connection, name, is_rowid)
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
    if let Some(home) = home(connection, name)? {
        return Ok(Some(format!(
            "SELECT last_value, 0 AS log_cnt, is_called FROM {home}.querent_sequences WHERE name = {}",
            string(name)
        )));
    }
    if let Some(counted) = counted(connection, name)? {
        let table = string(&counted.table);
        let seq = format!(
            "SELECT seq FROM {}.sqlite_sequence WHERE name = {table}",
            counted.home
        );
        return Ok(Some(of(&seq)));
    }
    Ok(by_greatest(connection, name)?.map(|counted| of(&counted.greatest())))
}

/// True where sequences are kept.
pub(super) fn exists(connection: &Connection, home: &str) -> Result<bool> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM {home}.sqlite_schema WHERE name = 'querent_sequences')");
    connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))
}

/// Where a sequence is kept that has a row of its own.
pub(super) fn home(connection: &Connection, name: &str) -> Result<Option<&'static str>> {
    for home in HOMES {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {home}.querent_sequences WHERE name = ?1)");
        if exists(connection, home)?
            && connection
                .prepare_cached(&sql)?
                .query_row([name], |row| row.get(0))?
        {
            return Ok(Some(home));
        }
    }
    Ok(None)
}

/// What other sessions know a sequence by: nothing where it is this one's alone.
fn shared<'n>(home: &str, name: &'n str) -> Option<&'n str> {
    (home != "temp").then_some(name)
}

/// The next value of a sequence, or the one it is set to.
pub(super) fn next(connection: &Connection, name: &str, set: Option<(i64, bool)>) -> Result<i64> {
    if let Some(home) = home(connection, name)? {
        let sql = format!(
            "SELECT last_value, is_called, increment_by, min_value, max_value, cycle \
             FROM {home}.querent_sequences WHERE name = ?1"
        );
        let found = connection
            .prepare_cached(&sql)?
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
            let known = shared(home, name);
            let reached = known.map_or(stored, |name| advance::last(connection, name, stored, step));
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
                .prepare_cached(&format!(
                    "UPDATE {home}.querent_sequences SET last_value = ?2, is_called = ?3 WHERE name = ?1"
                ))?
                .execute(params![name, value, called])?;
            let now = if called { value } else { value.saturating_sub(step) };
            if let Some(name) = known {
                advance::comes_to(connection, name, (stored, reached), now);
            }
            return Ok(value);
        }
    }
    let Some(Counted { home, table, .. }) = counted(connection, name)? else {
        return next_after_greatest(connection, name, set);
    };
    connection
        .prepare_cached(&format!(
            "INSERT INTO {home}.sqlite_sequence (name, seq) SELECT ?1, 0 \
             WHERE NOT EXISTS (SELECT 1 FROM {home}.sqlite_sequence WHERE name = ?1)"
        ))?
        .execute([&table])?;
    let stored: i64 = connection
        .prepare_cached(&format!("SELECT seq FROM {home}.sqlite_sequence WHERE name = ?1"))?
        .query_row([&table], |row| row.get(0))?;
    let known = shared(home, name);
    let reached = known.map_or(stored, |name| advance::last(connection, name, stored, 1));
    let now = come_to(reached, set);
    connection
        .prepare_cached(&format!(
            "UPDATE {home}.sqlite_sequence SET seq = ?2 WHERE name = ?1"
        ))?
        .execute(params![table, now])?;
    if let Some(name) = known {
        advance::comes_to(connection, name, (stored, reached), now);
    }
    Ok(set.map_or(now, |(value, _)| value))
}

/// The last number then, one behind the one that was reached or as it is set.
fn come_to(reached: i64, set: Option<(i64, bool)>) -> i64 {
    match set {
        Some((value, true)) => value,
        Some((value, false)) => value - 1,
        None => reached + 1,
    }
}

/// The next value where SQLite takes the greatest key for the last: nothing is written, this process remembers it.
fn next_after_greatest(connection: &Connection, name: &str, set: Option<(i64, bool)>) -> Result<i64> {
    let Some(counted) = by_greatest(connection, name)? else {
        return fail("42P01", format!("relation \"{name}\" does not exist"));
    };
    let stored: Option<i64> = connection.query_row(&counted.greatest(), [], |row| row.get(0))?;
    let stored = stored.unwrap_or_default();
    let reached = advance::last(connection, name, stored, 1);
    let now = come_to(reached, set);
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

/// Nothing has been drawn of a sequence that is gone.
pub(super) fn forget_drawn(name: &str) {
    DRAWN.with_borrow_mut(|drawn| drawn.by_name.remove(name));
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

type Work = fn(&Connection, &[V]) -> Result<V>;

/// Adds all of them.
pub(super) fn add(connection: &Connection) -> Result<()> {
    let all: [(&str, i32, Work); 9] = [
        ("pg_nextval", 1, nextval),
        ("pg_setval", -1, setval),
        ("pg_currval", 1, currval),
        ("pg_lastval", 0, lastval),
        ("pg_create_sequence", 11, definition::create),
        ("pg_drop_sequence", 2, definition::drop),
        ("pg_alter_sequence", 4, definition::alter),
        ("pg_restart_sequences_of", 1, definition::restart_of),
        ("pg_drop_sequences_of", 1, definition::drop_of),
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
