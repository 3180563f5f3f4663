//! Sequences: what makes them, changes them and takes them away.

use rusqlite::{Connection, Result, params};

use super::{
    V, advance,
    numbered_key::{Counted, by_greatest, counted},
    pass_over,
    sequence::{exists, fail, forget_drawn, home, next, renamed},
};
use crate::{
    backend::SqlType,
    sqlite::{decltype, translate::SequenceName},
};

/// Name, whether it may be there, start, step, least, greatest, cycle, type, table and column that own it, and whether it is
/// the session's own.
pub(super) fn create(connection: &Connection, v: &[V]) -> Result<V> {
    let name = v[0].text();
    let home = if v[10].int() != 0 { "temp" } else { "main" };
    let taken: bool = connection.query_row(
        &format!(
            "SELECT EXISTS (SELECT 1 FROM {home}.querent_sequences WHERE name = ?1) \
             OR EXISTS (SELECT 1 FROM {home}.sqlite_schema WHERE lower(name) = ?1)"
        ),
        [&name],
        |row| row.get(0),
    )?;
    if taken {
        let exists = format!("relation \"{name}\" already exists");
        if v[1].int() != 0 {
            pass_over(connection, "42P07", &exists)?;
            return Ok(V::Null);
        }
        return fail("42P07", exists);
    }
    let step = if v[3].is_null() { 1 } else { v[3].int() };
    if step == 0 {
        return fail("22023", "INCREMENT must not be zero");
    }
    let widest = widest(&v[7].text());
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
        &format!("INSERT INTO {home}.querent_sequences VALUES (?1, ?2, 0, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"),
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

/// What is none, which may be so.
fn missing(connection: &Connection, (kind, name): (&str, &str), may: bool) -> Result<V> {
    if may {
        pass_over(connection, "00000", &format!("{kind} \"{name}\" does not exist"))?;
        return Ok(V::Null);
    }
    fail("42P01", format!("relation \"{name}\" does not exist"))
}

/// A name with the schema before it, if there is one.
fn named(name: &V, schema: &V) -> SequenceName {
    let schema = (!schema.is_null()).then(|| schema.text());
    SequenceName::of(&name.text(), schema.as_deref())
}

/// Name, whether it may be missing, and the schema.
pub(super) fn drop(connection: &Connection, v: &[V]) -> Result<V> {
    let sequence = named(&v[0], &v[2]);
    let name = sequence.name.clone();
    let may = v[1].int() != 0;
    let Some(home) = home(connection, &sequence)? else {
        return missing(connection, ("sequence", &name), may);
    };
    let sql = format!("DELETE FROM {home}.querent_sequences WHERE name = ?1");
    connection.execute(&sql, [&name])?;
    if home == "main" {
        advance::forget_where(connection, |other| other == name);
    }
    forget_drawn(home, &name);
    Ok(V::Null)
}

/// Name, whether it may be missing (2: that was told), what changes, its new value, and the schema.
pub(super) fn alter(connection: &Connection, v: &[V]) -> Result<V> {
    let (sequence, what) = (named(&v[0], &v[4]), v[2].text());
    let name = sequence.name.clone();
    let Some(home) = home(connection, &sequence)? else {
        let found = match counted(connection, &sequence)? {
            None => by_greatest(connection, &sequence)?,
            found => found,
        };
        return match found {
            Some(counted) => alter_counted(connection, &sequence, &counted, (&what, &v[3])),
            None if v[1].int() > 1 => Ok(V::Null),
            None => missing(connection, ("relation", &name), v[1].int() != 0),
        };
    };
    let column = match what.as_str() {
        "restart" => {
            if home == "main" {
                advance::forget_where(connection, |other| other == name);
            }
            let sql = format!(
                "UPDATE {home}.querent_sequences SET last_value = coalesce(?2, start_value), is_called = 0 \
                 WHERE name = ?1"
            );
            connection.execute(&sql, params![name, v[3]])?;
            return Ok(V::Null);
        }
        "type" => return typed(connection, (home, &name), &v[3].text()),
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
        &format!("UPDATE {home}.querent_sequences SET {column} = ?2 WHERE name = ?1"),
        params![name, v[3]],
    )?;
    if column == "name" {
        renamed(home, &name, &v[3].text());
    }
    Ok(V::Null)
}

/// The least and the greatest number of a type.
fn widest(ty: &str) -> (i64, i64) {
    match ty {
        "int2" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "int4" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => (i64::MIN, i64::MAX),
    }
}

/// Gives a sequence another type. Bounds that were those of the old one become those of the new one.
fn typed(connection: &Connection, (home, name): (&str, &str), ty: &str) -> Result<V> {
    let sql = format!(
        "SELECT data_type, min_value, max_value, last_value FROM {home}.querent_sequences WHERE name = ?1"
    );
    let (old, min, max, last): (Option<String>, i64, i64, i64) =
        connection.query_row(&sql, [name], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
    let (before, now) = (widest(&old.unwrap_or_default()), widest(ty));
    let min = if min == before.0 { now.0 } else { min };
    let max = if max == before.1 { now.1 } else { max };
    for (word, bound) in [("MINVALUE", min), ("MAXVALUE", max)] {
        if !(now.0..=now.1).contains(&bound) {
            let ty = match ty {
                "int2" => "smallint",
                "int4" => "integer",
                _ => "bigint",
            };
            let words = format!("{word} ({bound}) is out of range for sequence data type {ty}");
            return fail("22023", words);
        }
    }
    if last > max {
        let words = format!("RESTART value ({last}) cannot be greater than MAXVALUE ({max})");
        return fail("22023", words);
    }
    let sql = format!(
        "UPDATE {home}.querent_sequences SET data_type = ?2, min_value = ?3, max_value = ?4 WHERE name = ?1"
    );
    connection.execute(&sql, params![name, ty, min, max])?;
    Ok(V::Null)
}

/// Changes the numbers that SQLite gives a key by itself, by one from one: what that cannot be is told.
fn alter_counted(
    connection: &Connection,
    sequence: &SequenceName,
    counted: &Counted<'_>,
    (what, value): (&str, &V),
) -> Result<V> {
    let sql = format!(
        "SELECT sql FROM {}.sqlite_schema WHERE type = 'table' AND name = ?1",
        counted.home
    );
    let table: String = connection.query_row(&sql, [&counted.table], |row| row.get(0))?;
    let width = decltype::narrowed_key(&table, &counted.key);
    let name = &sequence.name;
    let is_its_own = match what {
        "restart" => {
            let start = if value.is_null() { 1 } else { value.int() };
            next(connection, sequence, Some((start, false)))?;
            true
        }
        "rename" => value.text() == *name,
        "increment" | "start" | "minvalue" => value.int() == 1,
        "cycle" => value.int() == 0,
        "maxvalue" => value.int() == i64::MAX,
        "type" => match value.text().as_str() {
            "int2" => width == Some(SqlType::Int2),
            "int4" => width == Some(SqlType::Int4),
            // The key itself takes no more.
            _ => true,
        },
        // Whose it is stays as it is.
        _ => true,
    };
    if is_its_own {
        return Ok(V::Null);
    }
    let words = format!(
        "the sequence \"{name}\" of a key that counts by itself cannot be changed so on a SQLite file"
    );
    fail("0A000", words)
}

/// Where the sequences of a table are that is in a schema of SQLite's.
fn home_of_table(schema: &V) -> &'static str {
    if schema.text() == "temp" { "temp" } else { "main" }
}

/// What was drawn of the sequences of a table does not count any more.
fn forget_of(connection: &Connection, table: &str) -> Result<()> {
    let table_sequence = format!("{}_", table.to_lowercase());
    advance::forget_where(connection, |name| {
        name.starts_with(&table_sequence) && name.ends_with("_seq")
    });
    if exists(connection, "main")? {
        let sql = "SELECT name FROM main.querent_sequences WHERE owned_table = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let names: Vec<String> = statement
            .query_map([table], |row| row.get(0))?
            .collect::<Result<_>>()?;
        advance::forget_where(connection, |name| names.iter().any(|own| own == name));
    }
    Ok(())
}

/// Table and schema: lets the sequences of a table begin anew.
pub(super) fn restart_of(connection: &Connection, v: &[V]) -> Result<V> {
    let table = v[0].text();
    let home = home_of_table(&v[1]);
    if home == "main" {
        forget_of(connection, &table)?;
    }
    let counts = format!("SELECT EXISTS (SELECT 1 FROM {home}.sqlite_schema WHERE name = 'sqlite_sequence')");
    if connection.query_row(&counts, [], |row| row.get::<_, bool>(0))? {
        let sql = format!("DELETE FROM {home}.sqlite_sequence WHERE name = ?1");
        connection.execute(&sql, [&table])?;
    }
    if exists(connection, home)? {
        let sql = format!(
            "UPDATE {home}.querent_sequences SET last_value = start_value, is_called = 0 WHERE owned_table = ?1"
        );
        connection.execute(&sql, [&table])?;
    }
    Ok(V::Null)
}

/// Table and schema: drops the sequences of a table.
pub(super) fn drop_of(connection: &Connection, v: &[V]) -> Result<V> {
    let table = v[0].text();
    let home = home_of_table(&v[1]);
    if home == "main" {
        forget_of(connection, &table)?;
    }
    if exists(connection, home)? {
        let sql = format!("DELETE FROM {home}.querent_sequences WHERE owned_table = ?1");
        connection.execute(&sql, [&table])?;
    }
    Ok(V::Null)
}
