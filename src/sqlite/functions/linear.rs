//! SQLite's functions that search, in time that grows with their arguments and not with the product of their lengths: a
//! call cannot be interrupted, and SQLite's own `instr` of two texts of a megabyte takes minutes.

use std::{
    collections::HashSet,
    ffi::{c_int, c_void},
    slice,
};

use memchr::memmem;
use rusqlite::{
    Connection, Error, Result,
    ffi::{self, sqlite3_context as Context, sqlite3_value as Value},
};

/// The longest character of UTF-8.
const CHARACTER: usize = 4;

type Function = unsafe extern "C" fn(*mut Context, c_int, *mut *mut Value);

/// Puts them in the place of SQLite's own.
pub(super) fn add(connection: &Connection) -> Result<()> {
    let functions: [(&std::ffi::CStr, c_int, Function); 9] = [
        (c"instr", 2, instr),
        (c"replace", 3, replace),
        (c"trim", 1, trim::<true, true>),
        (c"trim", 2, trim::<true, true>),
        (c"ltrim", 1, trim::<true, false>),
        (c"ltrim", 2, trim::<true, false>),
        (c"rtrim", 1, trim::<false, true>),
        (c"rtrim", 2, trim::<false, true>),
        (c"unhex", 2, unhex),
    ];
    let flags = ffi::SQLITE_UTF8 | ffi::SQLITE_DETERMINISTIC | ffi::SQLITE_INNOCUOUS;
    for (name, arguments, function) in functions {
        #[allow(unsafe_code, reason = "numbers as SQLite writes them have no other way in")]
        // SAFETY: the handle is open, the name ends with NUL, and the function lives for ever.
        let code = unsafe {
            ffi::sqlite3_create_function_v2(
                connection.handle(),
                name.as_ptr(),
                arguments,
                flags,
                std::ptr::null_mut(),
                Some(function),
                None,
                None,
                None,
            )
        };
        if code != ffi::SQLITE_OK {
            return Err(Error::SqliteFailure(ffi::Error::new(code), None));
        }
    }
    Ok(())
}

/// The arguments of a call, and where its result goes.
struct Call<'c> {
    context: *mut Context,
    values: &'c [*mut Value],
}

#[allow(unsafe_code, reason = "SQLite's values have no other way in")]
impl<'c> Call<'c> {
    /// # Safety
    /// It gets what SQLite calls a function with.
    unsafe fn new(context: *mut Context, count: c_int, values: *mut *mut Value) -> Self {
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: SQLite gives as many values as it says.
        let values = unsafe { slice::from_raw_parts(values, count) };
        Self { context, values }
    }

    fn kind(&self, at: usize) -> c_int {
        // SAFETY: the value lives as long as the call, here and below.
        unsafe { ffi::sqlite3_value_type(self.values[at]) }
    }

    /// An argument as text; `None` where it is NULL or there is no memory for it.
    fn text(&self, at: usize) -> Option<&'c [u8]> {
        // SAFETY: no argument is read as anything else once it was read as text, so that it stays where it is.
        unsafe {
            let start = ffi::sqlite3_value_text(self.values[at]);
            let length = ffi::sqlite3_value_bytes(self.values[at]);
            bytes(start, length)
        }
    }

    fn blob(&self, at: usize) -> &'c [u8] {
        // SAFETY: as above. An empty one is nowhere.
        unsafe {
            let start = ffi::sqlite3_value_blob(self.values[at]);
            let length = ffi::sqlite3_value_bytes(self.values[at]);
            bytes(start.cast(), length).unwrap_or_default()
        }
    }

    /// The longest value that the connection may make, in bytes.
    fn longest(&self) -> usize {
        // SAFETY: the context is that of this call, here and below.
        let longest = unsafe {
            let connection = ffi::sqlite3_context_db_handle(self.context);
            ffi::sqlite3_limit(connection, ffi::SQLITE_LIMIT_LENGTH, -1)
        };
        usize::try_from(longest).unwrap_or(0)
    }

    fn give_number(&self, number: usize) {
        unsafe { ffi::sqlite3_result_int64(self.context, i64::try_from(number).unwrap_or(i64::MAX)) }
    }

    /// A text that is part of an argument.
    fn give_copy(&self, text: &[u8]) {
        // SAFETY: SQLite copies it.
        unsafe {
            ffi::sqlite3_result_text64(
                self.context,
                text.as_ptr().cast(),
                text.len() as u64,
                ffi::SQLITE_TRANSIENT(),
                ffi::SQLITE_UTF8 as u8,
            );
        }
    }

    /// A value that `write` fills, in memory of SQLite's, which is accounted for.
    fn give_new(&self, length: usize, text: bool, write: impl FnOnce(&mut [u8])) {
        if length > self.longest() {
            return unsafe { ffi::sqlite3_result_error_toobig(self.context) };
        }
        // SAFETY: the memory is as long as the slice, is written before it is read, and SQLite frees it.
        unsafe {
            let memory = ffi::sqlite3_malloc64(length as u64 + 1).cast::<u8>();
            if memory.is_null() {
                return ffi::sqlite3_result_error_nomem(self.context);
            }
            memory.write_bytes(0, length + 1);
            write(slice::from_raw_parts_mut(memory, length));
            let (start, free) = (
                memory.cast::<c_void>(),
                Some(ffi::sqlite3_free as unsafe extern "C" fn(_)),
            );
            if text {
                ffi::sqlite3_result_text64(
                    self.context,
                    start.cast(),
                    length as u64,
                    free,
                    ffi::SQLITE_UTF8 as u8,
                );
            } else {
                ffi::sqlite3_result_blob64(self.context, start, length as u64, free);
            }
        }
    }
}

#[allow(unsafe_code, reason = "SQLite's values have no other way in")]
unsafe fn bytes<'c>(start: *const u8, length: c_int) -> Option<&'c [u8]> {
    let length = usize::try_from(length).unwrap_or(0);
    // SAFETY: SQLite's values are as long as it says.
    (!start.is_null()).then(|| unsafe { slice::from_raw_parts(start, length) })
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn instr(context: *mut Context, count: c_int, values: *mut *mut Value) {
    // SAFETY: SQLite calls it, here and below.
    let call = unsafe { Call::new(context, count, values) };
    let (of, wanted) = (call.kind(0), call.kind(1));
    if of == ffi::SQLITE_NULL || wanted == ffi::SQLITE_NULL {
        return;
    }
    if of == ffi::SQLITE_BLOB && wanted == ffi::SQLITE_BLOB {
        let found = memmem::find(call.blob(0), call.blob(1));
        return call.give_number(found.map_or(0, |at| at + 1));
    }
    if let (Some(text), Some(wanted)) = (call.text(0), call.text(1)) {
        call.give_number(place(text, wanted));
    }
}

/// The character at which `wanted` begins in `text`, from 1; 0 where it does not.
fn place(text: &[u8], wanted: &[u8]) -> usize {
    let found = if wanted.first().is_some_and(|first| continues(*first)) {
        // It is no text, and can begin where one begins alone.
        text.starts_with(wanted).then_some(0)
    } else {
        memmem::find(text, wanted)
    };
    found.map_or(0, |at| {
        let skipped = text.get(1..=at).unwrap_or_default();
        1 + skipped.iter().filter(|byte| !continues(**byte)).count()
    })
}

fn continues(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn replace(context: *mut Context, count: c_int, values: *mut *mut Value) {
    let call = unsafe { Call::new(context, count, values) };
    let (Some(text), Some(old)) = (call.text(0), call.text(1)) else {
        return;
    };
    if old.first().is_none_or(|first| *first == 0) {
        return call.give_copy(text);
    }
    let Some(new) = call.text(2) else { return };
    let finder = memmem::Finder::new(old);
    let found = finder.find_iter(text).count();
    let length = (text.len() - found * old.len()).saturating_add(found.saturating_mul(new.len()));
    call.give_new(length, true, |out| {
        let (mut from, mut to) = (0, 0);
        let mut append = |part: &[u8]| {
            out[to..to + part.len()].copy_from_slice(part);
            to += part.len();
        };
        for at in finder.find_iter(text) {
            append(&text[from..at]);
            append(new);
            from = at + old.len();
        }
        append(&text[from..]);
    });
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn trim<const LEFT: bool, const RIGHT: bool>(
    context: *mut Context,
    count: c_int,
    values: *mut *mut Value,
) {
    let call = unsafe { Call::new(context, count, values) };
    let Some(text) = call.text(0) else { return };
    let characters = if call.values.len() == 1 {
        Characters::of(b" ")
    } else {
        match call.text(1) {
            Some(set) => Characters::of(set),
            None => return,
        }
    };
    call.give_copy(trimmed::<LEFT, RIGHT>(text, &characters));
}

fn trimmed<'t, const LEFT: bool, const RIGHT: bool>(mut text: &'t [u8], set: &Characters<'_>) -> &'t [u8] {
    let lengths = |text: &[u8]| 1..=CHARACTER.min(text.len());
    if LEFT {
        while let Some(length) = lengths(text).find(|length| set.has(&text[..*length])) {
            text = &text[length..];
        }
    }
    if RIGHT {
        while let Some(length) = lengths(text).find(|length| set.has(&text[text.len() - length..])) {
            text = &text[..text.len() - length];
        }
    }
    text
}

/// The characters of a text up to its first NUL.
struct Characters<'t> {
    single: [bool; 256],
    longer: HashSet<&'t [u8]>,
}

impl<'t> Characters<'t> {
    fn of(text: &'t [u8]) -> Self {
        let mut found = Self {
            single: [false; 256],
            longer: HashSet::new(),
        };
        let mut rest = text.split(|byte| *byte == 0).next().unwrap_or_default();
        while !rest.is_empty() {
            let (character, after) = rest.split_at(width(rest));
            match character {
                [byte] => found.single[usize::from(*byte)] = true,
                longer => drop(found.longer.insert(longer)),
            }
            rest = after;
        }
        found
    }

    fn has(&self, character: &[u8]) -> bool {
        match character {
            [byte] => self.single[usize::from(*byte)],
            longer => self.longer.contains(longer),
        }
    }
}

/// The bytes of the first character, as SQLite steps over it.
fn width(text: &[u8]) -> usize {
    if text[0] < 0xc0 {
        return 1;
    }
    1 + text[1..].iter().take_while(|byte| continues(**byte)).count()
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn unhex(context: *mut Context, count: c_int, values: *mut *mut Value) {
    let call = unsafe { Call::new(context, count, values) };
    let (Some(text), Some(ignored)) = (call.text(0), call.text(1)) else {
        return;
    };
    if let Some(bytes) = unhexed(text, &Characters::of(ignored)) {
        call.give_new(bytes.len(), false, |out| out.copy_from_slice(&bytes));
    }
}

/// The bytes that digits in pairs stand for, between which ignored characters may stand.
fn unhexed(text: &[u8], ignored: &Characters<'_>) -> Option<Vec<u8>> {
    let digit = |byte: &u8| {
        char::from(*byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let mut rest = text.split(|byte| *byte == 0).next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(rest.len() / 2);
    while let Some(first) = rest.first() {
        if let Some(high) = digit(first) {
            let low = rest.get(1).and_then(digit)?;
            bytes.push(high << 4 | low);
            rest = &rest[2..];
        } else {
            let (character, after) = rest.split_at(width(rest));
            if !ignored.has(character) {
                return None;
            }
            rest = after;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use rusqlite::{Connection, types::Value};

    /// What SQLite's own functions give and ours do.
    #[test]
    fn they_give_what_sqlites_own_give() {
        let (own, ours) = (
            Connection::open_in_memory().unwrap(),
            Connection::open_in_memory().unwrap(),
        );
        super::add(&ours).unwrap();
        let values = [
            "NULL",
            "''",
            "'a'",
            "' '",
            "'aab'",
            "'  a b  '",
            "'ä'",
            "'xäöä'",
            "'öä'",
            "'🦀a🦀'",
            "1",
            "1.0",
            "-2.5e30",
            "x''",
            "x'61'",
            "x'c3a4'",
            "x'00'",
            "'a'||char(0)||'b'",
            "CAST(x'a461' AS TEXT)",
            "'61 6B'",
            "'6-1'",
            "'6'",
            "CAST(x'ff' AS TEXT)",
            "'aaa'",
        ];
        let mut compared = 0;
        for a in values {
            for b in values {
                let calls = [
                    format!("instr({a}, {b})"),
                    format!("replace({a}, {b}, 'zz')"),
                    format!("replace('xaäa b', {a}, {b})"),
                    format!("trim({a}, {b})"),
                    format!("ltrim({a}, {b})"),
                    format!("rtrim({a}, {b})"),
                    format!("trim({a})"),
                    format!("unhex({a}, {b})"),
                ];
                for call in calls {
                    let sql = format!("SELECT typeof({call}), hex({call}), {call} IS NULL");
                    let of = |connection: &Connection| -> Vec<Value> {
                        connection
                            .query_row(&sql, [], |row| (0..3).map(|at| row.get(at)).collect())
                            .unwrap()
                    };
                    assert_eq!(of(&own), of(&ours), "{call}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 4000);
    }

    #[test]
    fn long_arguments_take_but_a_moment() {
        let connection = Connection::open_in_memory().unwrap();
        super::add(&connection).unwrap();
        for call in [
            "instr(s, substr(s, 1, 500000) || 'b')",
            "length(replace(s, substr(s, 1, 500000) || 'b', 'c'))",
            "length(trim(s, replace(s, 'a', 'b') || 'a'))",
            "length(unhex(replace(s, 'a', '-'), replace(s, 'a', 'ä') || '-'))",
        ] {
            let sql = format!(
                "WITH t AS (SELECT replace(hex(zeroblob(500000)), '0', 'a') AS s) SELECT {call} FROM t"
            );
            let _: Option<i64> = connection.query_row(&sql, [], |row| row.get(0)).unwrap();
        }
    }
}
