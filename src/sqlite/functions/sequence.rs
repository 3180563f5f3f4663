//! Sequences: kept in a table of the file, or SQLite's own of a key that counts by itself.

use std::{cell::RefCell, collections::HashMap};

use rusqlite::{
    Connection, Error, OptionalExtension, Result,
    functions::{Context, FunctionFlags},
    params,
};

use super::{
    Failure, V, advance, enough,
    numbered_key::{Counted, NUMBERED, REMEMBERED, by_greatest, counted},
    sequence_definition as definition, values, writable,
};
use crate::{
    sqlite::translate::{KeySequence, SequenceName},
    statement::sqlite_lexer::quote,
};

/// A sequence of the file or of the session by its name.
type Key = (&'static str, String);

/// What this session's thread has drawn.
#[derive(Debug, Default)]
struct Drawn {
    by_name: HashMap<Key, i64>,
    /// The one that was drawn last.
    last: Option<Key>,
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

fn is_there(connection: &Connection, sequence: &SequenceName) -> Result<bool> {
    Ok(home(connection, sequence)?.is_some()
        || counted(connection, sequence)?.is_some()
        || by_greatest(connection, sequence)?.is_some())
}

/// What this session's thread knows a sequence by.
fn key(connection: &Connection, sequence: &SequenceName) -> Result<Key> {
    let found = match (sequence.within, home(connection, sequence)?) {
        (Some(within), _) => within,
        (None, Some(home)) => home,
        (None, None) => counted(connection, sequence)?.map_or("main", |counted| counted.home),
    };
    Ok((found, sequence.name.clone()))
}

/// The query that tells where a sequence stands: its last value, 0, and whether that was drawn.
pub(in crate::sqlite) fn state(connection: &Connection, sequence: &SequenceName) -> Result<Option<String>> {
    state_within(connection, sequence.homes(), &sequence.name)
}

/// The same of the first of these schemas of SQLite's that has one of this name.
pub(in crate::sqlite) fn state_within<'h>(
    connection: &Connection,
    homes: impl Iterator<Item = &'h str> + Clone,
    name: &str,
) -> Result<Option<String>> {
    let string = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let of = |last: &str| {
        format!(
            "SELECT max(coalesce(n, 0), 1) AS last_value, 0 AS log_cnt, coalesce(n, 0) > 0 AS is_called \
             FROM (SELECT ({last}) AS n)"
        )
    };
    if let Some(home) = home_within(connection, homes.clone(), name)? {
        return Ok(Some(format!(
            "SELECT last_value, 0 AS log_cnt, is_called FROM {}.querent_sequences WHERE name = {}",
            quote(home),
            string(name)
        )));
    }
    if let Some(counted) = Counted::find(connection, homes.clone(), name, REMEMBERED)? {
        let table = string(&counted.table);
        let seq = format!(
            "SELECT seq FROM {}.sqlite_sequence WHERE name = {table}",
            quote(counted.home)
        );
        return Ok(Some(of(&seq)));
    }
    Ok(Counted::find(connection, homes, name, NUMBERED)?.map(|counted| of(&counted.greatest())))
}

/// The same of an attached file, of whose tables some sequences are kept in the main one.
pub(in crate::sqlite) fn state_attached(
    connection: &Connection,
    schema: &str,
    name: &str,
) -> Result<Option<String>> {
    let found = state_within(connection, [schema].into_iter(), name)?;
    if found.is_some() || !exists(connection, "main")? {
        return Ok(found);
    }
    let is_of = |schema: &str| {
        format!(
            "EXISTS (SELECT 1 FROM {}.sqlite_schema WHERE type = 'table' AND name = owned_table)",
            quote(schema)
        )
    };
    let sql = format!(
        "SELECT 1 FROM main.querent_sequences WHERE name = ?1 AND {} AND NOT {}",
        is_of(schema),
        is_of("main")
    );
    if connection.prepare(&sql)?.exists([name])? {
        return state_within(connection, ["main"].into_iter(), name);
    }
    Ok(None)
}

/// True where sequences are kept.
pub(super) fn exists(connection: &Connection, home: &str) -> Result<bool> {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM {}.sqlite_schema WHERE name = 'querent_sequences')",
        quote(home)
    );
    connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))
}

/// Where a sequence is kept that has a row of its own.
pub(in crate::sqlite) fn home(
    connection: &Connection,
    sequence: &SequenceName,
) -> Result<Option<&'static str>> {
    home_within(connection, sequence.homes(), &sequence.name)
}

fn home_within<'h>(
    connection: &Connection,
    homes: impl Iterator<Item = &'h str>,
    name: &str,
) -> Result<Option<&'h str>> {
    for home in homes {
        let sql = format!(
            "SELECT EXISTS (SELECT 1 FROM {}.querent_sequences WHERE name = ?1)",
            quote(home)
        );
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
pub(super) fn next(
    connection: &Connection,
    sequence: &SequenceName,
    set: Option<(i64, bool)>,
) -> Result<i64> {
    let name = sequence.name.as_str();
    if let Some(home) = home(connection, sequence)? {
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
                    return out_of_bounds(name, value, (min, max));
                }
                Some(set) => set,
                None if !called => (last, true),
                None => match last.checked_add(step).filter(|next| (min..=max).contains(next)) {
                    Some(next) => (next, true),
                    None if cycle => (if step > 0 { min } else { max }, true),
                    None => {
                        let reached = if step > 0 {
                            ("maximum", max)
                        } else {
                            ("minimum", min)
                        };
                        return at_its_end(name, reached);
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
    let Some(counted) = counted(connection, sequence)? else {
        return next_after_greatest(connection, sequence, set);
    };
    let most = counted.most(connection)?;
    let Counted { home, table, .. } = counted;
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
    let now = come_to(name, (reached, most), set)?;
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

fn out_of_bounds<T>(name: &str, value: i64, (min, max): (i64, i64)) -> Result<T> {
    let words = format!("setval: value {value} is out of bounds for sequence \"{name}\" ({min}..{max})");
    fail("22003", words)
}

/// The error of a sequence that has no more numbers.
pub(in crate::sqlite) fn at_its_end<T>(name: &str, (what, limit): (&str, i64)) -> Result<T> {
    let words = format!("nextval: reached {what} value of sequence \"{name}\" ({limit})");
    fail("2200H", words)
}

/// The last number then, one behind the one that was reached or as it is set.
fn come_to(name: &str, (reached, most): (i64, i64), set: Option<(i64, bool)>) -> Result<i64> {
    match set {
        Some((value, _)) if !(1..=most).contains(&value) => out_of_bounds(name, value, (1, most)),
        Some((value, true)) => Ok(value),
        Some((value, false)) => Ok(value - 1),
        None if reached >= most => at_its_end(name, ("maximum", most)),
        None => Ok(reached + 1),
    }
}

/// The next value where SQLite takes the greatest key for the last: nothing is written, this process remembers it.
fn next_after_greatest(
    connection: &Connection,
    sequence: &SequenceName,
    set: Option<(i64, bool)>,
) -> Result<i64> {
    let name = sequence.name.as_str();
    let Some(counted) = by_greatest(connection, sequence)? else {
        return fail("42P01", format!("relation \"{name}\" does not exist"));
    };
    let stored: Option<i64> = connection.query_row(&counted.greatest(), [], |row| row.get(0))?;
    let stored = stored.unwrap_or_default();
    let reached = advance::last(connection, name, stored, 1);
    let now = come_to(name, (reached, i64::MAX), set)?;
    advance::comes_to(connection, name, (stored, reached), now);
    Ok(set.map_or(now, |(value, _)| value))
}

/// A temporary sequence is the session's own, and moves in a READ ONLY transaction too.
fn check_writable(connection: &Connection, sequence: &SequenceName, what: &str) -> Result<()> {
    if is_there(connection, sequence)? && key(connection, sequence)?.0 != "temp" {
        writable::check(what)?;
    }
    Ok(())
}

fn nextval(connection: &Connection, v: &[V]) -> Result<V> {
    let sequence = SequenceName::read(&v[0].text());
    check_writable(connection, &sequence, "nextval()")?;
    let value = next(connection, &sequence, None)?;
    remember(key(connection, &sequence)?, value);
    Ok(V::Int(value))
}

fn setval(connection: &Connection, v: &[V]) -> Result<V> {
    if v.iter().any(V::is_null) {
        return Ok(V::Null);
    }
    let sequence = SequenceName::read(&v[0].text());
    check_writable(connection, &sequence, "setval()")?;
    let called = v.get(2).is_none_or(|called| called.int() != 0);
    let value = next(connection, &sequence, Some((v[1].int(), called)))?;
    if called {
        let key = key(connection, &sequence)?;
        DRAWN.with_borrow_mut(|drawn| drawn.by_name.insert(key, value));
    }
    Ok(V::Int(value))
}

fn currval(connection: &Connection, v: &[V]) -> Result<V> {
    let sequence = SequenceName::read(&v[0].text());
    if !is_there(connection, &sequence)? {
        return fail("42P01", format!("relation \"{}\" does not exist", sequence.name));
    }
    let key = key(connection, &sequence)?;
    match DRAWN.with_borrow(|drawn| drawn.by_name.get(&key).copied()) {
        Some(value) => Ok(V::Int(value)),
        None => fail(
            "55000",
            format!(
                "currval of sequence \"{}\" is not yet defined in this session",
                sequence.name
            ),
        ),
    }
}

fn lastval(_: &Connection, _: &[V]) -> Result<V> {
    match DRAWN.with_borrow(|drawn| drawn.by_name.get(drawn.last.as_ref()?).copied()) {
        Some(value) => Ok(V::Int(value)),
        None => fail("55000", "lastval is not yet defined in this session"),
    }
}

/// Remembers the number that the row has got by itself which is being returned: what is drawn after it is not yet.
fn got(connection: &Connection, v: &[V]) -> Result<()> {
    let [schema, name, number, ..] = v else {
        return Ok(());
    };
    let (schema, name) = (schema.text(), name.text());
    let sequence = SequenceName::of(&name, Some(&*schema).filter(|schema| !schema.is_empty()));
    remember(key(connection, &sequence)?, number.int());
    Ok(())
}

fn currval_of_row(connection: &Connection, v: &[V]) -> Result<V> {
    got(connection, v)?;
    currval(connection, &v[3..])
}

fn lastval_of_row(connection: &Connection, v: &[V]) -> Result<V> {
    got(connection, v)?;
    lastval(connection, &[])
}

/// Nothing has been drawn of any sequence.
pub(crate) fn forget_all() {
    DRAWN.with_borrow_mut(|drawn| *drawn = Drawn::default());
}

/// What was drawn of a sequence has been drawn of it by its new name as well.
pub(in crate::sqlite) fn renamed(home: &str, name: &str, new: &str) {
    let home = if home == "temp" { "temp" } else { "main" };
    DRAWN.with_borrow_mut(|drawn| {
        let (before, now) = ((home, name.to_owned()), (home, new.to_owned()));
        if let Some(value) = drawn.by_name.remove(&before) {
            drawn.by_name.insert(now.clone(), value);
        }
        if drawn.last.as_ref() == Some(&before) {
            drawn.last = Some(now);
        }
    });
}

/// Nothing has been drawn of a sequence that is gone.
pub(super) fn forget_drawn(home: &'static str, name: &str) {
    DRAWN.with_borrow_mut(|drawn| drawn.by_name.remove(&(home, name.to_owned())));
}

fn remember(key: Key, value: i64) {
    DRAWN.with_borrow_mut(|drawn| {
        match drawn.by_name.get_mut(&key) {
            Some(last) => *last = value,
            None => {
                drawn.by_name.insert(key.clone(), value);
            }
        }
        if drawn.last.as_ref() != Some(&key) {
            drawn.last = Some(key);
        }
    });
}

/// Remembers the number that a new row got by itself.
pub(in crate::sqlite) fn drawn(
    connection: &Connection,
    key_sequence: &KeySequence,
    value: i64,
) -> Result<()> {
    let sequence = SequenceName::of(&key_sequence.sequence, key_sequence.schema.as_deref());
    remember(key(connection, &sequence)?, value);
    Ok(())
}

type Work = fn(&Connection, &[V]) -> Result<V>;

/// Adds all of them.
pub(super) fn add(connection: &Connection) -> Result<()> {
    let all: [(&str, i32, Work); 11] = [
        ("pg_nextval", 1, nextval),
        ("pg_setval", -3, setval),
        ("pg_currval", 1, currval),
        ("pg_lastval", 0, lastval),
        ("pg_currval_of_row", 4, currval_of_row),
        ("pg_lastval_of_row", 3, lastval_of_row),
        ("pg_create_sequence", 11, definition::create),
        ("pg_drop_sequence", 3, definition::drop),
        ("pg_alter_sequence", 5, definition::alter),
        ("pg_restart_sequences_of", 2, definition::restart_of),
        ("pg_drop_sequences_of", 2, definition::drop_of),
    ];
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, arguments, work) in all {
        let defines = match name {
            "pg_create_sequence" => Some("CREATE SEQUENCE"),
            "pg_drop_sequence" | "pg_drop_sequences_of" => Some("DROP SEQUENCE"),
            "pg_alter_sequence" | "pg_restart_sequences_of" => Some("ALTER SEQUENCE"),
            _ => None,
        };
        connection.create_scalar_function(name, arguments.max(-1), flags, move |context: &Context<'_>| {
            defines.map_or(Ok(()), writable::check)?;
            #[allow(
                unsafe_code,
                reason = "a sequence is read and written on the connection that asks for it"
            )]
            // SAFETY: the reference does not leave this call, which runs on the connection's own thread.
            let connection = unsafe { context.get_connection()? };
            work(&connection, &enough(name, values(context), arguments)?)
        })?;
    }
    Ok(())
}
