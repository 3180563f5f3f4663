//! DECLARE, FETCH, MOVE: cursors forwards, and backwards too where SCROLL was said.

use std::sync::Arc;

use crate::{
    backend::{ResultColumn, Value},
    pgtypes::Format,
    sqlite::engine::{Holding, Kept},
    statement::{self, CommandTag, FetchDirection, SessionStatement, recognise},
};

use super::{
    error::SessionError,
    grammar::{begins_with, unexpected},
    plan::{Plan, Prepared},
    portal::{Outcome, Portal, PortalState, Rows, Tag},
    run::Session,
    sql::Sql,
    transaction::{Block, only_in_block},
};

/// Bytes of rows that a SCROLL cursor may keep to go back to.
const SCROLL_MEMORY: usize = 64 * 1024 * 1024;
/// Rows taken from the database at once.
const CHUNK: usize = 1_000;

/// A cursor with its place.
pub(super) struct Scroll {
    columns: Vec<ResultColumn>,
    rows: Rows,
    /// Every row so far, where SCROLL was said; else the rows that were read too early.
    kept: Vec<Vec<Value>>,
    /// How many rows stand before `kept`.
    passed: u64,
    kept_bytes: usize,
    /// No more rows come.
    exhausted: bool,
    /// The row it stands on, from 1; 0 is before the first.
    at: u64,
    /// SCROLL was said.
    backwards: bool,
    /// Values go in the binary format.
    pub(super) binary: bool,
}

impl Session {
    pub(super) async fn declare(
        &mut self,
        sql: &Sql,
        cursor: &statement::Cursor,
        prepared: &Prepared,
        parameters: Vec<Value>,
    ) -> Result<(), SessionError> {
        if self.transaction.block() == Block::None && !cursor.hold {
            return Err(only_in_block("DECLARE CURSOR"));
        }
        if self.portals.contains_key(&cursor.name) {
            return Err(SessionError::failed(
                "42P03",
                format!("cursor \"{}\" already exists", cursor.name),
            ));
        }
        let query = sql.part(cursor.query);
        let recognised = recognise(query.as_str(), &self.options());
        if !matches!(recognised, Ok(SessionStatement::Ordinary(CommandTag::Select))) {
            return Err(unexpected(&query));
        }
        self.check_reads(&query).await?;
        let started = self.run_sql(&query, "", parameters).await?;
        if started.cursor.columns().is_empty() {
            return Err(SessionError::failed(
                "42601",
                "a cursor needs a query that returns rows",
            ));
        }
        let outcome = self.database_outcome(&query, started, Tag::Rows("FETCH"));
        let scroll = Scroll {
            columns: outcome.columns,
            rows: outcome.rows,
            kept: vec![],
            passed: 0,
            kept_bytes: 0,
            exhausted: false,
            at: 0,
            backwards: cursor.scroll == Some(true),
            binary: cursor.binary,
        };
        let depth = self.depth();
        let declared = Prepared {
            plan: Plan::Empty,
            types: prepared.types.clone(),
            columns: scroll.columns.clone(),
        };
        let format = if cursor.binary {
            Format::Binary
        } else {
            Format::Text
        };
        let formats = vec![format; scroll.columns.len()];
        let mut portal = Portal::new(Arc::new(declared), vec![], formats, depth);
        portal.held = cursor.hold;
        let kept = Kept::Cursor {
            held: cursor.hold,
            binary: cursor.binary,
            scrolls: cursor.scroll == Some(true),
        };
        let holding = Holding::new(&cursor.name, sql.as_str(), kept);
        portal.place = Some(self.connection.session_context().holds(holding));
        portal.state = PortalState::Cursor(scroll);
        self.portals.insert(cursor.name.clone(), portal);
        Ok(())
    }

    /// Refuses a query whose WITH writes.
    async fn check_reads(&mut self, query: &Sql) -> Result<(), SessionError> {
        let may_write = ["with", "("].iter().any(|word| begins_with(query, word));
        if may_write && !self.compile(query).await?.read_only {
            let message = "DECLARE CURSOR must not contain data-modifying statements in WITH";
            return Err(SessionError::failed("0A000", message)
                .with_hint("Run it without a cursor: its rows are sent as they are read."));
        }
        Ok(())
    }

    pub(super) fn cursor_columns(&self, name: &str) -> Result<Vec<ResultColumn>, SessionError> {
        match self.portals.get(name).map(|portal| &portal.state) {
            Some(PortalState::Cursor(scroll)) => Ok(scroll.columns.clone()),
            _ => Err(no_cursor(name)),
        }
    }

    /// FETCH, or MOVE where the rows are not wanted.
    pub(super) async fn fetch(
        &mut self,
        direction: FetchDirection,
        name: &str,
        wanted: bool,
    ) -> Result<Outcome, SessionError> {
        let columns = self.cursor_columns(name)?;
        let rows = match direction {
            // These may be many, and are read as they are sent.
            FetchDirection::Forward(left) if left != Some(0) => Rows::Fetched {
                cursor: name.to_owned(),
                left,
            },
            direction => Rows::Known(self.fetch_by(name, direction).await?.into()),
        };
        if wanted {
            let tag = Tag::Rows("FETCH");
            return Ok(Outcome { columns, rows, tag });
        }
        let mut rows = rows;
        let mut count = 0;
        loop {
            let (passed, done) = self.next_rows(&mut rows, CHUNK).await?;
            count += passed.len();
            if done {
                return Ok(Outcome::words(format!("MOVE {count}")));
            }
        }
    }

    /// The next rows of a FETCH forwards, and whether these are the last.
    pub(super) async fn fetch_on(
        &mut self,
        name: &str,
        left: &mut Option<u64>,
        wanted: usize,
    ) -> Result<(Vec<Vec<Value>>, bool), SessionError> {
        let count = left.map_or(wanted as u64, |left| left.min(wanted as u64));
        let rows = self.fetch_by(name, FetchDirection::Forward(Some(count))).await?;
        let found = rows.len() as u64;
        *left = left.map(|left| left - found);
        Ok((rows, found < count || *left == Some(0)))
    }

    async fn fetch_by(
        &mut self,
        name: &str,
        direction: FetchDirection,
    ) -> Result<Vec<Vec<Value>>, SessionError> {
        let mut portal = self.portals.remove(name).ok_or_else(|| no_cursor(name))?;
        let fetched = match &mut portal.state {
            PortalState::Cursor(scroll) => self.travel(scroll, direction).await,
            _ => Err(no_cursor(name)),
        };
        self.portals.insert(name.to_owned(), portal);
        fetched
    }

    async fn travel(
        &mut self,
        scroll: &mut Scroll,
        direction: FetchDirection,
    ) -> Result<Vec<Vec<Value>>, SessionError> {
        match direction {
            FetchDirection::Forward(Some(0))
            | FetchDirection::Backward(Some(0))
            | FetchDirection::Relative(0) => {
                let at = scroll.at;
                Ok(self.row(scroll, at).await?.into_iter().collect())
            }
            FetchDirection::Forward(count) => {
                let mut rows = vec![];
                while count.is_none_or(|count| (rows.len() as u64) < count) {
                    scroll.at += 1;
                    let at = scroll.at;
                    match self.row(scroll, at).await? {
                        Some(row) => rows.push(row),
                        None => break,
                    }
                }
                Ok(rows)
            }
            FetchDirection::Backward(count) => {
                let mut rows = vec![];
                while count.is_none_or(|count| (rows.len() as u64) < count) && scroll.at > 0 {
                    let at = scroll.at - 1;
                    scroll.must_scroll()?;
                    scroll.at = at;
                    match self.row(scroll, at).await? {
                        Some(row) => rows.push(row),
                        None => break,
                    }
                }
                Ok(rows)
            }
            FetchDirection::Absolute(place) => self.go_to(scroll, place).await,
            FetchDirection::Relative(steps) => {
                let place = (scroll.at as i64).saturating_add(steps).max(0);
                self.go_to(scroll, place).await
            }
        }
    }

    /// To a row counted from 1, or from the end by -1.
    async fn go_to(&mut self, scroll: &mut Scroll, place: i64) -> Result<Vec<Vec<Value>>, SessionError> {
        let at = if place >= 0 {
            place as u64
        } else {
            scroll.must_scroll()?;
            while !scroll.exhausted {
                self.read_on(scroll).await?;
            }
            let end = scroll.passed + scroll.kept.len() as u64 + 1;
            end.saturating_sub(place.unsigned_abs())
        };
        if at < scroll.at {
            scroll.must_scroll()?;
        }
        let row = self.row(scroll, at).await?;
        scroll.at = at.min(scroll.passed + scroll.kept.len() as u64 + 1);
        Ok(row.into_iter().collect())
    }

    /// The row of this number; none before the first and behind the last, where the cursor then stands.
    async fn row(&mut self, scroll: &mut Scroll, number: u64) -> Result<Option<Vec<Value>>, SessionError> {
        if number == 0 {
            return Ok(None);
        }
        loop {
            if !scroll.backwards && number > scroll.passed + 1 {
                // What has been passed is not needed again, except the row it stands on.
                let gone = (number - scroll.passed - 1).min(scroll.kept.len() as u64);
                scroll.kept.drain(..gone as usize);
                scroll.passed += gone;
            }
            if number <= scroll.passed {
                return Err(forward_only());
            }
            if let Some(row) = scroll.kept.get((number - scroll.passed - 1) as usize) {
                return Ok(Some(row.clone()));
            }
            if scroll.exhausted {
                scroll.at = scroll.passed + scroll.kept.len() as u64 + 1;
                return Ok(None);
            }
            self.read_on(scroll).await?;
        }
    }

    async fn read_on(&mut self, scroll: &mut Scroll) -> Result<(), SessionError> {
        let (rows, done) = self.next_rows(&mut scroll.rows, CHUNK).await?;
        if scroll.backwards {
            scroll.kept_bytes += rows.iter().flatten().map(size).sum::<usize>();
            if scroll.kept_bytes > SCROLL_MEMORY {
                return Err(
                    SessionError::failed("54000", "the SCROLL cursor has grown too large")
                        .with_hint("Declare the cursor without SCROLL, or its query with a LIMIT."),
                );
            }
        }
        scroll.kept.extend(rows);
        scroll.exhausted = done;
        Ok(())
    }
}

impl Scroll {
    fn must_scroll(&self) -> Result<(), SessionError> {
        if self.backwards {
            Ok(())
        } else {
            Err(forward_only())
        }
    }
}

fn forward_only() -> SessionError {
    SessionError::failed("55000", "cursor can only scan forward")
        .with_hint("Declare it with SCROLL option to enable backward scan.")
}

pub(super) fn no_cursor(name: &str) -> SessionError {
    SessionError::failed("34000", format!("cursor \"{name}\" does not exist"))
}

fn size(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::Text(bytes) | Value::Blob(bytes) => bytes.len(),
            _ => 0,
        }
}
