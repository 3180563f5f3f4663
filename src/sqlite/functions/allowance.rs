//! What one call of a function may take. SQLite interrupts a statement between calls only, and neither its bound on values
//! nor its account of memory sees what a function builds: whatever loops or grows asks here as it goes.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use rusqlite::ffi;

use super::{Failure, V};
use crate::sqlite::memory;

/// The longest value where no statement sets a bound: PostgreSQL's own (`MaxAllocSize`).
const LONGEST: usize = (1 << 30) - 1;
/// Turns of a loop between two looks at the clock.
const TURNS: u32 = 1 << 10;
/// Comparisons between two looks at the clock: those of whole documents take long.
const COMPARISONS: u32 = 1 << 6;
/// What is longer than this takes so long to work on that the clock is looked at each time.
const LONG: usize = 4 << 10;
/// Bytes of a longer value that are worked on between two looks at the clock.
const PIECE: usize = 1 << 16;
/// Arguments shorter than this are not worth an account.
const SHORT: usize = 64 << 10;
/// What a function may make of its arguments while it works, in times of their length.
const TIMES: usize = 4;

/// How often a value is there that is handed to SQLite, which makes a copy of its own.
const COPIES: usize = 2;

/// The words in which SQLite refuses a value that is too long.
pub(in crate::sqlite) const TOO_LONG: &str = "string or blob too big";

thread_local! {
    static WATCH: RefCell<Option<Arc<dyn Interrupts>>> = const { RefCell::new(None) };
    static LONGEST_NOW: Cell<usize> = const { Cell::new(LONGEST) };
    static TURN: Cell<u32> = const { Cell::new(0) };
    static COMPARED: Cell<u32> = const { Cell::new(0) };
    static GIVEN_UP: Cell<bool> = const { Cell::new(false) };
    static ARGUMENTS: Cell<usize> = const { Cell::new(0) };
}

/// Says when a statement is to stop.
pub(in crate::sqlite) trait Interrupts {
    /// True if it must end now.
    fn must_stop(&self) -> bool;
}

/// The bounds of the functions that this thread calls, for as long as it lives.
pub(in crate::sqlite) struct Allowance(());

impl Allowance {
    /// `watch` says when to stop, and no value is longer than this, in bytes.
    pub(in crate::sqlite) fn new(watch: Arc<dyn Interrupts>, longest: u64) -> Self {
        WATCH.with_borrow_mut(|current| *current = Some(watch));
        GIVEN_UP.set(false);
        LONGEST_NOW.set(usize::try_from(longest).unwrap_or(LONGEST).min(LONGEST));
        Self(())
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        WATCH.with_borrow_mut(|current| *current = None);
        LONGEST_NOW.set(LONGEST);
        GIVEN_UP.set(false);
    }
}

/// Fails where the statement is to stop; once for each turn of a loop.
pub(super) fn turn() -> Result<(), Failure> {
    let turn = TURN.get().saturating_add(1);
    if turn < TURNS {
        TURN.set(turn);
        return Ok(());
    }
    TURN.set(0);
    now()
}

/// Has the next turn look at the clock, where what was just done with something of this length took long.
pub(super) fn has_taken(length: usize) {
    if length > LONG {
        TURN.set(TURNS);
    }
}

/// The same for a turn that works on something of this length.
pub(super) fn over(length: usize) -> Result<(), Failure> {
    if length > LONG { now() } else { turn() }
}

/// Fails where the statement is to stop.
pub(super) fn now() -> Result<(), Failure> {
    if WATCH.with_borrow(|watch| watch.as_ref().is_some_and(|watch| watch.must_stop())) {
        return super::fail("57014", "canceling statement due to user request");
    }
    Ok(())
}

/// True once there is nothing left to compare or to write for, as the statement is to stop: SQLite sorts what it has gathered in
/// one go, and asks nobody but the comparison meanwhile, which is of values of this length; and what cannot fail ends early. What
/// is written in a wrong order then, or in part, is undone: see [`has_given_up`].
pub(super) fn gives_up(length: usize) -> bool {
    if GIVEN_UP.get() {
        return true;
    }
    let turn = COMPARED.get().wrapping_add(1);
    COMPARED.set(turn);
    let is_late = (turn.is_multiple_of(COMPARISONS) || length > LONG)
        && WATCH.with_borrow(|watch| watch.as_ref().is_some_and(|watch| watch.must_stop()));
    GIVEN_UP.set(is_late);
    is_late
}

/// True where comparing or writing was given up: the statement must fail, and nothing that it wrote may be committed.
pub(in crate::sqlite) fn has_given_up() -> bool {
    GIVEN_UP.get()
}

/// Fails where the order of the rows is none, or a value is but a part, because something was given up.
pub(in crate::sqlite) fn is_in_order() -> rusqlite::Result<()> {
    if has_given_up() {
        let interrupted = ffi::Error::new(ffi::SQLITE_INTERRUPT);
        return Err(rusqlite::Error::SqliteFailure(interrupted, None));
    }
    Ok(())
}

/// What a loop makes, part by part: a text or a list.
pub(super) fn gathered<T, C: Default + Extend<T>>(parts: impl Iterator<Item = T>) -> Result<C, Failure> {
    let mut all = C::default();
    for part in parts {
        turn()?;
        all.extend([part]);
    }
    Ok(all)
}

/// The characters of a text.
pub(super) fn characters(text: &str) -> Result<Vec<char>, Failure> {
    let length = count(text)?;
    memory_of(length.saturating_mul(size_of::<char>()))?;
    let mut all = Vec::with_capacity(length);
    for character in text.chars() {
        turn()?;
        all.push(character);
    }
    Ok(all)
}

/// How many characters a text has.
pub(super) fn count(text: &str) -> Result<usize, Failure> {
    let mut count = 0;
    for piece in pieces(text.as_bytes()) {
        // All bytes of a character but the first have the same two highest bits.
        count += piece?.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    }
    Ok(count)
}

/// Bytes in pieces, between which the clock is looked at.
pub(super) fn pieces(bytes: &[u8]) -> impl Iterator<Item = Result<&[u8], Failure>> {
    bytes.chunks(PIECE).map(|piece| over(piece.len()).map(|()| piece))
}

/// Bytes in pieces, as far as they are wanted: see [`gives_up`].
pub(super) fn wanted_pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.chunks(PIECE).take_while(|piece| !gives_up(piece.len()))
}

/// A text in pieces, as far as they are wanted.
pub(super) fn wanted_texts(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let end = (PIECE.min(text.len())..text.len()).find(|at| text.is_char_boundary(*at));
        let (piece, rest) = text.split_at(end.unwrap_or(text.len()));
        text = rest;
        (!piece.is_empty() && !gives_up(piece.len())).then_some(piece)
    })
}

/// Where the first byte is of which this holds.
pub(super) fn position(bytes: &[u8], is_wanted: impl Fn(u8) -> bool) -> Result<Option<usize>, Failure> {
    for (at, piece) in bytes.chunks(PIECE).enumerate() {
        let found = piece.iter().position(|byte| is_wanted(*byte));
        over(found.unwrap_or(piece.len()))?;
        if let Some(found) = found {
            return Ok(Some(at * PIECE + found));
        }
    }
    Ok(None)
}

/// A text without the blanks behind it, or whatever else of ASCII this holds for.
pub(super) fn without_end(text: &str, is_blank: impl Fn(u8) -> bool) -> Result<&str, Failure> {
    let mut rest = text;
    for piece in text.as_bytes().rchunks(PIECE) {
        let kept = piece.iter().rposition(|byte| !is_blank(*byte));
        let kept = kept.map_or(0, |last| last + 1);
        over(piece.len() - kept)?;
        rest = &rest[..rest.len() - piece.len() + kept];
        if kept > 0 {
            break;
        }
    }
    Ok(rest)
}

/// A text without the blanks of ASCII around it.
pub(super) fn trimmed(text: &str) -> Result<&str, Failure> {
    let first = position(text.as_bytes(), |byte| !byte.is_ascii_whitespace())?;
    without_end(&text[first.unwrap_or(text.len())..], |byte| {
        byte.is_ascii_whitespace()
    })
}

/// Fails where no value of so many bytes may be made, or the statement is to stop. It is there twice once SQLite gets it, beside
/// the arguments of the call.
pub(super) fn value_of(bytes: usize) -> Result<(), Failure> {
    turn()?;
    if bytes > LONGEST_NOW.get() {
        return super::fail("54000", TOO_LONG);
    }
    memory_of(bytes.saturating_mul(COPIES).saturating_add(ARGUMENTS.get()))
}

/// Fails where so many bytes are more than the statement may still take.
pub(super) fn memory_of(bytes: usize) -> Result<(), Failure> {
    if bytes > SHORT && !memory::has_room(bytes) {
        return Err(Failure::out_of_memory());
    }
    Ok(())
}

/// The arguments of a call that goes on.
pub(super) struct Arguments(());

impl Drop for Arguments {
    fn drop(&mut self) {
        ARGUMENTS.set(0);
    }
}

/// Fails where a call with these arguments may take more than there is; else they count until the call has ended.
pub(super) fn arguments(values: &[V]) -> Result<Arguments, Failure> {
    let bytes = values.iter().map(V::length).sum::<usize>();
    // SQLite itself looks at the clock now and then, after many calls.
    if bytes > LONG {
        now()?;
    }
    memory_of(bytes.saturating_mul(TIMES))?;
    ARGUMENTS.set(bytes);
    Ok(Arguments(()))
}
