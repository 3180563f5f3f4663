//! Large objects (manual, "Large Objects"): bytes in pages of a table of the file, read and written through descriptors
//! that end with their transaction.

use std::{collections::BTreeMap, sync::Arc};

use rusqlite::{
    Connection, OptionalExtension as _, Result,
    functions::{Context, FunctionFlags},
    params,
    types::{Value, ValueRef},
};

use super::{session_functions::failed, watch::Watch};
use crate::sqlite::functions::writable;

/// The table, which clients are not told of.
const CREATE: &str = "CREATE TABLE IF NOT EXISTS querent_large_objects \
     (loid INTEGER NOT NULL, pageno INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (loid, pageno))";
/// Bytes of a page; an object has its first page even where it is empty.
const PAGE: i64 = 16_384;
/// The first number that is given out.
const FIRST: i64 = 16_385;
/// The longest object (`MAX_LARGE_OBJECT_SIZE` is 4 TB), in bytes.
const LONGEST: i64 = 1 << 42;
/// Bits of `lo_open`'s mode.
const WRITE: i64 = 0x2_0000;
const READ: i64 = 0x4_0000;

/// What a session has opened in its transaction.
#[derive(Debug, Default)]
pub(super) struct Descriptors {
    open: BTreeMap<i64, Descriptor>,
}

#[derive(Debug, Clone, Copy)]
struct Descriptor {
    object: i64,
    at: i64,
    writes: bool,
}

impl Descriptors {
    fn add(&mut self, descriptor: Descriptor) -> i64 {
        let all = i64::try_from(self.open.len()).unwrap_or(i64::MAX);
        let free = (0..=all).find(|number| !self.open.contains_key(number));
        let number = free.unwrap_or(all);
        self.open.insert(number, descriptor);
        number
    }

    fn get(&mut self, number: i64) -> Result<&mut Descriptor> {
        self.open
            .get_mut(&number)
            .ok_or_else(|| failed("42704", format!("invalid large-object descriptor: {number}")))
    }
}

fn is_kept(connection: &Connection) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'querent_large_objects')";
    connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

fn exists(connection: &Connection, object: i64) -> Result<bool> {
    if !is_kept(connection)? {
        return Ok(false);
    }
    let sql = "SELECT EXISTS (SELECT 1 FROM querent_large_objects WHERE loid = ?1)";
    connection
        .prepare_cached(sql)?
        .query_row([object], |row| row.get(0))
}

fn must_exist(connection: &Connection, object: i64) -> Result<()> {
    if exists(connection, object)? {
        Ok(())
    } else {
        Err(failed("42704", format!("large object {object} does not exist")))
    }
}

/// Makes an empty one; 0 lets its number be chosen.
fn create(connection: &Connection, wanted: i64) -> Result<i64> {
    connection.execute_batch(CREATE)?;
    let object = if wanted == 0 {
        let sql = "SELECT max(coalesce(max(loid), 0) + 1, ?1) FROM querent_large_objects";
        connection.query_row(sql, [FIRST], |row| row.get(0))?
    } else {
        wanted
    };
    if exists(connection, object)? {
        return Err(failed(
            "23505",
            "duplicate key value violates unique constraint \"pg_largeobject_metadata_oid_index\"",
        ));
    }
    put_page(connection, object, 0, &[])?;
    Ok(object)
}

fn page(connection: &Connection, object: i64, number: i64) -> Result<Vec<u8>> {
    let sql = "SELECT data FROM querent_large_objects WHERE loid = ?1 AND pageno = ?2";
    let found = connection
        .prepare_cached(sql)?
        .query_row([object, number], |row| row.get(0))
        .optional()?;
    Ok(found.unwrap_or_default())
}

fn put_page(connection: &Connection, object: i64, number: i64, data: &[u8]) -> Result<()> {
    let sql = "INSERT INTO querent_large_objects VALUES (?1, ?2, ?3) \
               ON CONFLICT (loid, pageno) DO UPDATE SET data = excluded.data";
    connection
        .prepare_cached(sql)?
        .execute(params![object, number, data])?;
    Ok(())
}

fn size(connection: &Connection, object: i64) -> Result<i64> {
    let sql = "SELECT pageno * ?2 + length(data) FROM querent_large_objects WHERE loid = ?1 \
               ORDER BY pageno DESC LIMIT 1";
    let found = connection
        .prepare_cached(sql)?
        .query_row([object, PAGE], |row| row.get(0))
        .optional()?;
    Ok(found.unwrap_or(0))
}

/// At most `length` bytes from `at` on; what was never written is zeros.
fn read(connection: &Connection, object: i64, at: i64, length: i64) -> Result<Vec<u8>> {
    let end = size(connection, object)?.min(at.saturating_add(length));
    let mut bytes = vec![];
    let mut at = at;
    while at < end {
        let (number, start) = (at / PAGE, at % PAGE);
        let wanted = (end - at).min(PAGE - start);
        let data = page(connection, object, number)?;
        let from = data.get(start as usize..).unwrap_or_default();
        let taken = &from[..from.len().min(wanted as usize)];
        bytes.extend_from_slice(taken);
        bytes.resize(bytes.len() + wanted as usize - taken.len(), 0);
        at += wanted;
    }
    Ok(bytes)
}

fn write(connection: &Connection, object: i64, at: i64, bytes: &[u8]) -> Result<()> {
    if at.saturating_add(bytes.len() as i64) > LONGEST {
        return Err(failed("22023", "invalid large object write request size"));
    }
    let (mut at, mut rest) = (at, bytes);
    while !rest.is_empty() {
        let (number, start) = (at / PAGE, (at % PAGE) as usize);
        let (now, later) = rest.split_at(rest.len().min(PAGE as usize - start));
        let mut data = if start == 0 && now.len() == PAGE as usize {
            vec![]
        } else {
            page(connection, object, number)?
        };
        if data.len() < start + now.len() {
            data.resize(start + now.len(), 0);
        }
        data[start..start + now.len()].copy_from_slice(now);
        put_page(connection, object, number, &data)?;
        at += now.len() as i64;
        rest = later;
    }
    Ok(())
}

fn truncate(connection: &Connection, object: i64, length: i64) -> Result<()> {
    if !(0..=LONGEST).contains(&length) {
        return Err(failed(
            "22023",
            format!("invalid large object truncation target: {length}"),
        ));
    }
    let number = length / PAGE;
    connection.execute(
        "DELETE FROM querent_large_objects WHERE loid = ?1 AND pageno > ?2",
        [object, number],
    )?;
    let mut data = page(connection, object, number)?;
    data.resize((length % PAGE) as usize, 0);
    put_page(connection, object, number, &data)?;
    if number > 0 {
        // The first page says that there is an object.
        let sql = "INSERT OR IGNORE INTO querent_large_objects VALUES (?1, 0, x'')";
        connection.execute(sql, [object])?;
    }
    Ok(())
}

fn unlink(connection: &Connection, object: i64) -> Result<i64> {
    must_exist(connection, object)?;
    connection.execute("DELETE FROM querent_large_objects WHERE loid = ?1", [object])?;
    Ok(1)
}

/// The arguments of a call; a function is not called with NULL.
struct Given<'c>(&'c Context<'c>);

impl Given<'_> {
    fn int(&self, at: usize) -> i64 {
        match self.0.get_raw(at) {
            ValueRef::Integer(number) => number,
            ValueRef::Text(text) => std::str::from_utf8(text)
                .ok()
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or_default(),
            _ => 0,
        }
    }

    fn bytes(&self, at: usize) -> &[u8] {
        match self.0.get_raw(at) {
            ValueRef::Blob(bytes) | ValueRef::Text(bytes) => bytes,
            _ => &[],
        }
    }
}

fn not_negative(value: i64, what: &str) -> Result<i64> {
    if value < 0 {
        return Err(failed("22023", format!("{what} cannot be negative")));
    }
    Ok(value)
}

fn open(connection: &Connection, given: &Given<'_>, descriptors: &mut Descriptors) -> Result<Value> {
    let (object, mode) = (given.int(0), given.int(1));
    if mode & (READ | WRITE) == 0 {
        return Err(failed(
            "22023",
            format!("invalid flags for opening a large object: {mode}"),
        ));
    }
    must_exist(connection, object)?;
    Ok(Value::Integer(descriptors.add(Descriptor {
        object,
        at: 0,
        writes: mode & WRITE != 0,
    })))
}

fn write_on(connection: &Connection, given: &Given<'_>, descriptors: &mut Descriptors) -> Result<Value> {
    let own = writable(descriptors, given.int(0))?;
    let bytes = given.bytes(1);
    must_exist(connection, own.object)?;
    write(connection, own.object, own.at, bytes)?;
    own.at += bytes.len() as i64;
    Ok(Value::Integer(bytes.len() as i64))
}

fn writable(descriptors: &mut Descriptors, number: i64) -> Result<&mut Descriptor> {
    let own = descriptors.get(number)?;
    if !own.writes {
        return Err(failed(
            "55000",
            format!("large object descriptor {number} was not opened for writing"),
        ));
    }
    Ok(own)
}

fn seek(connection: &Connection, given: &Given<'_>, descriptors: &mut Descriptors) -> Result<Value> {
    let own = descriptors.get(given.int(0))?;
    let from = match given.int(2) {
        0 => 0,
        1 => own.at,
        2 => size(connection, own.object)?,
        whence => return Err(failed("22023", format!("invalid whence setting: {whence}"))),
    };
    let to = from.saturating_add(given.int(1));
    if !(0..=LONGEST).contains(&to) {
        return Err(failed("22023", format!("invalid large object seek target: {to}")));
    }
    own.at = to;
    Ok(Value::Integer(to))
}

type Work = fn(&Connection, &Given<'_>, &mut Descriptors) -> Result<Value>;

const FUNCTIONS: [(&str, i32, Work); 17] = [
    ("lo_creat", 1, |connection, _, _| {
        create(connection, 0).map(Value::Integer)
    }),
    ("lo_create", 1, |connection, given, _| {
        create(connection, given.int(0)).map(Value::Integer)
    }),
    ("lo_from_bytea", 2, |connection, given, _| {
        let object = create(connection, given.int(0))?;
        write(connection, object, 0, given.bytes(1))?;
        Ok(Value::Integer(object))
    }),
    ("lo_open", 2, open),
    ("lo_close", 1, |_, given, descriptors| {
        descriptors.get(given.int(0))?;
        descriptors.open.remove(&given.int(0));
        Ok(Value::Integer(0))
    }),
    ("loread", 2, |connection, given, descriptors| {
        let own = descriptors.get(given.int(0))?;
        let bytes = read(connection, own.object, own.at, given.int(1).max(0))?;
        own.at += bytes.len() as i64;
        Ok(Value::Blob(bytes))
    }),
    ("lowrite", 2, write_on),
    ("lo_lseek", 3, seek),
    ("lo_lseek64", 3, seek),
    ("lo_tell", 1, |_, given, descriptors| {
        Ok(Value::Integer(descriptors.get(given.int(0))?.at))
    }),
    ("lo_tell64", 1, |_, given, descriptors| {
        Ok(Value::Integer(descriptors.get(given.int(0))?.at))
    }),
    ("lo_truncate", 2, |connection, given, descriptors| {
        let own = writable(descriptors, given.int(0))?;
        truncate(connection, own.object, given.int(1))?;
        Ok(Value::Integer(0))
    }),
    ("lo_truncate64", 2, |connection, given, descriptors| {
        let own = writable(descriptors, given.int(0))?;
        truncate(connection, own.object, given.int(1))?;
        Ok(Value::Integer(0))
    }),
    ("lo_unlink", 1, |connection, given, descriptors| {
        let object = given.int(0);
        descriptors.open.retain(|_, own| own.object != object);
        unlink(connection, object).map(Value::Integer)
    }),
    ("lo_get", 1, |connection, given, _| {
        must_exist(connection, given.int(0))?;
        read(connection, given.int(0), 0, i64::MAX).map(Value::Blob)
    }),
    ("lo_get", 3, |connection, given, _| {
        let length = not_negative(given.int(2), "requested length")?;
        must_exist(connection, given.int(0))?;
        read(connection, given.int(0), given.int(1).max(0), length).map(Value::Blob)
    }),
    ("lo_put", 3, |connection, given, _| {
        must_exist(connection, given.int(0))?;
        write(connection, given.int(0), given.int(1).max(0), given.bytes(2))?;
        Ok(Value::Text(String::new()))
    }),
];

/// Adds them to a session's connection.
pub(super) fn add(connection: &Connection, watch: &Arc<Watch>) -> Result<()> {
    // No view and no trigger of a file calls them.
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
    for (name, arguments, work) in FUNCTIONS {
        let watch = Arc::clone(watch);
        let writes = !matches!(
            name,
            "lo_open"
                | "lo_close"
                | "loread"
                | "lo_lseek"
                | "lo_lseek64"
                | "lo_tell"
                | "lo_tell64"
                | "lo_get"
        );
        connection.create_scalar_function(name, arguments, flags, move |context| {
            if (0..context.len()).any(|at| matches!(context.get_raw(at), ValueRef::Null)) {
                return Ok(Value::Null);
            }
            if writes {
                writable::check(&format!("{name}()"))?;
            }
            #[allow(
                unsafe_code,
                reason = "an object is read and written on the connection that asks for it"
            )]
            // SAFETY: the reference does not leave this call, which runs on the connection's own thread.
            let connection = unsafe { context.get_connection()? };
            let mut descriptors = watch.session_context().large_objects();
            work(&connection, &Given(context), &mut descriptors)
        })?;
    }
    Ok(())
}
