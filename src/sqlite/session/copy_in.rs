//! COPY … FROM STDIN: the client's rows, in text, CSV or binary, in batches that memory holds.

use std::sync::Arc;

use bytes::{Buf, BytesMut};

use crate::{
    backend::{BackendError, ResultColumn, SqlType, Value},
    pgtypes::zone::Zone,
    sqlite::engine,
    statement::{Copy, CopyFormat, CopyName, CopySource},
};

use super::{
    copy::Layout,
    copy_options,
    copy_reader::{Line, Reader, Spelling},
    error::SessionError,
    parameters::{read_binary, read_text},
    portal::Outcome,
    run::Session,
    sql::Sql,
    transaction::Block,
};

/// Rows and bytes of values after which a batch is written.
const BATCH: (usize, usize) = (2_000, 512 << 10);
/// What binary data begin with.
const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";
/// Characters of data that an error shows.
const SHOWN: usize = 100;

/// What is being filled.
struct Target {
    table: String,
    columns: Vec<ResultColumn>,
    insert: String,
    declared: Vec<Option<SqlType>>,
    /// One a column: whether a quoted NULL is one, and whether no value is.
    force: Vec<(bool, bool)>,
    /// Of moments that do not tell theirs.
    zone: Zone,
}

/// Rows that were read and are not written yet, each with the number and the beginning of its line.
#[derive(Default)]
struct Batch {
    rows: Vec<Vec<Value>>,
    lines: Vec<(u64, String)>,
    bytes: usize,
}

impl Session {
    pub(super) async fn copy_in(&mut self, sql: &Sql, copy: &Copy) -> Result<Outcome, SessionError> {
        self.publish_settings();
        if self.reads_only() && !self.fills_temporary(sql, copy).await? {
            self.check_writable("COPY FROM")?;
        }
        let target = self.copy_target(sql, copy).await?;
        // All rows or none.
        if self.transaction.block() == Block::None {
            self.begin_implicit().await?;
        }
        let binary = copy.options.format == CopyFormat::Binary;
        self.client.out.copy_in(target.columns.len(), binary);
        self.flush_in_time().await?;
        let count = if binary {
            self.copy_binary(&target).await?
        } else {
            self.copy_lines(copy, &target).await?
        };
        Ok(Outcome::words(format!("COPY {count}")))
    }

    /// True for a table of the session's own, whose rows may be written in READ ONLY transactions too.
    async fn fills_temporary(&mut self, sql: &Sql, copy: &Copy) -> Result<bool, SessionError> {
        let CopySource::Table { table, .. } = &copy.source else {
            return Ok(false);
        };
        let written = sql.part(table.written).as_str().replace('\'', "''");
        let query = format!(
            "SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass('{written}') AND relpersistence = 't'"
        );
        let connection = Arc::clone(&self.connection);
        self.work(async move {
            let mut found = connection.run(&query, vec![]).await?;
            Ok::<_, BackendError>(!found.next(1).await?.rows.is_empty())
        })
        .await
    }

    async fn copy_target(&mut self, sql: &Sql, copy: &Copy) -> Result<Target, SessionError> {
        let CopySource::Table { table, columns } = &copy.source else {
            return Err(SessionError::failed("42601", "COPY FROM needs a table"));
        };
        copy_options::check(copy, false)?;
        let relation = table.name.clone();
        let table = sql.part(table.written);
        let own = self.columns_not_computed(&table, columns).await?;
        let table = table.as_str().to_owned();
        let connection = Arc::clone(&self.connection);
        let query = format!("SELECT * FROM {table}");
        let part = sql.clone();
        let found = self
            .work(async move {
                let found = connection.prepare(&query, &[]).await;
                // Where the query's words stand in the client's, nobody could say.
                found.map_err(|error| part.locate(&engine::without_position(error), 0))
            })
            .await?;
        let mut all = found.columns;
        if let (true, Some(own)) = (columns.is_empty(), own) {
            all.retain(|column| own.contains(&column.name));
        }
        let names: Vec<String> = all.iter().map(|column| column.name.clone()).collect();
        let columns = chosen(all, columns, &relation)?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let copied: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        copy_options::check_columns(copy, &copied, Some(&names))?;
        let quoted: Vec<String> = columns
            .iter()
            .map(|column| format!("\"{}\"", column.name.replace('"', "\"\"")))
            .collect();
        let marks: Vec<String> = (1..=columns.len()).map(|number| format!("${number}")).collect();
        let insert = format!(
            "INSERT INTO {table} ({}) OVERRIDING SYSTEM VALUE VALUES ({})",
            quoted.join(", "),
            marks.join(", ")
        );
        let types: Vec<Option<SqlType>> = columns.iter().map(|column| Some(column.ty)).collect();
        let declared = types.clone();
        let connection = Arc::clone(&self.connection);
        let prepared = insert.clone();
        self.work(async move {
            connection
                .prepare(&prepared, &types)
                .await
                .map_err(engine::without_position)
        })
        .await?;
        let forced = ["force_null", "force_not_null"]
            .map(|option| copy_options::listed(copy, option).unwrap_or_default());
        let named = |at: usize, column: &ResultColumn| forced[at].contains(&column.name);
        Ok(Target {
            table: relation,
            zone: self.settings.zone().clone(),
            force: columns
                .iter()
                .map(|column| (named(0, column), named(1, column)))
                .collect(),
            columns,
            insert,
            declared,
        })
    }

    async fn copy_lines(&mut self, copy: &Copy, target: &Target) -> Result<u64, SessionError> {
        let spelling = Layout::new(copy, &target.columns)?.spelling();
        let mut reader = Reader::new(spelling.clone());
        let mut header = copy.options.header;
        let mut batch = Batch::default();
        let mut count = 0;
        loop {
            let data = self.copy_data().await?;
            let lines = match &data {
                Some(data) => reader.feed(data),
                None => reader.finish().map(|line| line.into_iter().collect()),
            };
            let lines = lines.map_err(|(error, line)| target.of_line(error, &line))?;
            for line in lines {
                if std::mem::take(&mut header) {
                    if copy.options.header_match {
                        target.matches(&spelling, &line)?;
                    }
                    continue;
                }
                let row = target.row(&spelling, &line)?;
                batch.push(row, (line.number, short(&String::from_utf8_lossy(&line.raw))));
                if batch.is_full() {
                    count += self.write(target, &mut batch).await?;
                }
            }
            if data.is_none() {
                return Ok(count + self.write(target, &mut batch).await?);
            }
        }
    }

    async fn copy_binary(&mut self, target: &Target) -> Result<u64, SessionError> {
        let wrong = |what: &str| SessionError::failed("22P04", what.to_owned());
        let mut rest = BytesMut::new();
        let mut begun = false;
        let mut ended = false;
        let mut batch = Batch::default();
        let mut count = 0;
        let mut number = 0;
        while let Some(data) = self.copy_data().await? {
            rest.extend_from_slice(&data);
            if !begun {
                let Some(length) = rest.get(15..19) else { continue };
                if !rest.starts_with(SIGNATURE) {
                    return Err(wrong("COPY file signature not recognized"));
                }
                let extension = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
                if rest.len() < 19 + extension {
                    continue;
                }
                rest.advance(19 + extension);
                begun = true;
            }
            while !ended && let Some(length) = tuple_length(&rest) {
                let mut tuple = rest.split_to(length);
                let fields = tuple.get_i16();
                if fields == -1 {
                    ended = true;
                    break;
                }
                number += 1;
                if usize::try_from(fields).ok() != Some(target.columns.len()) {
                    let error = wrong(&format!(
                        "row field count is {fields}, expected {}",
                        target.columns.len()
                    ));
                    return Err(within(error, &target.table, number, None));
                }
                let mut row = Vec::with_capacity(target.columns.len());
                for column in &target.columns {
                    let length = usize::try_from(tuple.get_i32()).ok();
                    let bytes = length.map(|length| tuple.split_to(length));
                    let value = bytes.map_or(Ok(Value::Null), |bytes| {
                        read_binary(column.ty.oid(), &bytes, &target.zone)
                    });
                    row.push(
                        value.map_err(|error| {
                            within(error, &target.table, number, Some((&column.name, None)))
                        })?,
                    );
                }
                batch.push(row, (number, String::new()));
                if batch.is_full() {
                    count += self.write(target, &mut batch).await?;
                }
            }
        }
        if !ended && !rest.is_empty() {
            return Err(within(
                wrong("unexpected EOF in COPY data"),
                &target.table,
                number + 1,
                None,
            ));
        }
        Ok(count + self.write(target, &mut batch).await?)
    }

    /// The client's next bytes; `None` when it has sent all.
    async fn copy_data(&mut self) -> Result<Option<bytes::Bytes>, SessionError> {
        loop {
            let frame = self.frame_within_statement().await?;
            match frame.tag {
                b'd' => return Ok(Some(frame.body)),
                b'c' => return Ok(None),
                b'f' => {
                    let words = frame.body.split(|byte| *byte == 0).next().unwrap_or_default();
                    return Err(SessionError::failed(
                        "57014",
                        format!("COPY from stdin failed: {}", String::from_utf8_lossy(words)),
                    ));
                }
                // The extended protocol lets these be sent at any time.
                b'H' | b'S' => {}
                other => {
                    return Err(SessionError::fatal(
                        "08P01",
                        format!("unexpected message type 0x{other:02X} during COPY from stdin"),
                    ));
                }
            }
        }
    }

    async fn write(&mut self, target: &Target, batch: &mut Batch) -> Result<u64, SessionError> {
        let Batch { rows, lines, .. } = std::mem::take(batch);
        if rows.is_empty() {
            return Ok(0);
        }
        let count = rows.len() as u64;
        let connection = Arc::clone(&self.connection);
        let insert = target.insert.clone();
        let table = target.table.clone();
        let declared = target.declared.clone();
        self.work(async move {
            let written = connection.run_many(&insert, &declared, rows).await;
            written.map_err(|(at, error)| {
                let (number, raw) = lines.get(at).cloned().unwrap_or_default();
                let is_key = error.sqlstate == "23505" || raw.is_empty();
                let error = SessionError::from(engine::without_position(error));
                // PostgreSQL looks into indexes when it has left the line behind.
                if is_key {
                    within(error, &table, number, None)
                } else {
                    error.map(|fields| fields.with_context(format!("COPY {table}, line {number}: \"{raw}\"")))
                }
            })
        })
        .await?;
        Ok(count)
    }
}

impl Batch {
    fn push(&mut self, row: Vec<Value>, line: (u64, String)) {
        let size = |value: &Value| match value {
            Value::Text(bytes) | Value::Blob(bytes) => bytes.len(),
            _ => 8,
        };
        self.bytes += row.iter().map(size).sum::<usize>();
        self.rows.push(row);
        self.lines.push(line);
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= BATCH.0 || self.bytes >= BATCH.1
    }
}

impl Target {
    /// The error with the line that it is about.
    fn of_line(&self, error: SessionError, line: &Line) -> SessionError {
        let raw = String::from_utf8_lossy(&line.raw).into_owned();
        error.map(|fields| {
            let context = format!("COPY {}, line {}: \"{}\"", self.table, line.number, short(&raw));
            fields.with_context(context)
        })
    }

    /// Refuses a first line that has not the names of the columns in their order.
    fn matches(&self, spelling: &Spelling, line: &Line) -> Result<(), SessionError> {
        let fields = spelling.fields(&line.raw);
        let refuse = |words: String| Err(self.of_line(SessionError::failed("22P04", words), line));
        if fields.len() != self.columns.len() {
            let (got, expected) = (fields.len(), self.columns.len());
            return refuse(format!(
                "wrong number of fields in header line: got {got}, expected {expected}"
            ));
        }
        for (number, (field, column)) in (1..).zip(fields.iter().zip(&self.columns)) {
            let got = match &field.bytes {
                Some(bytes) if *bytes == column.name.as_bytes() => continue,
                Some(bytes) => format!("\"{}\"", String::from_utf8_lossy(bytes)),
                None => format!("null value (\"{}\")", String::from_utf8_lossy(&spelling.null)),
            };
            return refuse(format!(
                "column name mismatch in header line field {number}: got {got}, expected \"{}\"",
                column.name
            ));
        }
        Ok(())
    }

    fn row(&self, spelling: &Spelling, line: &Line) -> Result<Vec<Value>, SessionError> {
        let fields = spelling.fields(&line.raw);
        let of_line = |error: SessionError| self.of_line(error, line);
        if fields.len() > self.columns.len() {
            return Err(of_line(SessionError::failed(
                "22P04",
                "extra data after last expected column",
            )));
        }
        let mut row = Vec::with_capacity(self.columns.len());
        for (at, column) in self.columns.iter().enumerate() {
            let Some(field) = fields.get(at) else {
                let words = format!("missing data for column \"{}\"", column.name);
                return Err(of_line(SessionError::failed("22P04", words)));
            };
            let (force_null, force_not_null) = self.force[at];
            let bytes = match &field.bytes {
                None if force_not_null => Some(spelling.null.as_slice()),
                Some(bytes) if force_null && field.quoted && *bytes == spelling.null => None,
                bytes => bytes.as_deref(),
            };
            let Some(bytes) = bytes else {
                row.push(Value::Null);
                continue;
            };
            let read = read_text(column.ty, bytes, &self.zone);
            let shown = String::from_utf8_lossy(bytes);
            row.push(read.map_err(|error| {
                within(
                    error,
                    &self.table,
                    line.number,
                    Some((&column.name, Some(&shown))),
                )
            })?);
        }
        Ok(row)
    }
}

/// The columns that are named, in that order; all where none is.
fn chosen(
    all: Vec<ResultColumn>,
    names: &[CopyName],
    table: &str,
) -> Result<Vec<ResultColumn>, SessionError> {
    if names.is_empty() {
        return Ok(all);
    }
    let mut chosen: Vec<ResultColumn> = vec![];
    for CopyName { name, .. } in names {
        let Some(column) = all.iter().find(|column| column.name.eq_ignore_ascii_case(name)) else {
            return Err(SessionError::failed(
                "42703",
                format!("column \"{name}\" of relation \"{table}\" does not exist"),
            ));
        };
        if chosen.contains(column) {
            return Err(SessionError::failed(
                "42701",
                format!("column \"{name}\" specified more than once"),
            ));
        }
        chosen.push(column.clone());
    }
    Ok(chosen)
}

/// The error with where in the data it happened.
fn within(error: SessionError, table: &str, line: u64, column: Option<(&str, Option<&str>)>) -> SessionError {
    let context = match column {
        None => format!("COPY {table}, line {line}"),
        Some((name, None)) => format!("COPY {table}, line {line}, column {name}"),
        Some((name, Some(value))) => {
            format!("COPY {table}, line {line}, column {name}: \"{}\"", short(value))
        }
    };
    error.map(|fields| fields.with_context(context))
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// The bytes of the tuple at the beginning, where it is complete.
fn tuple_length(bytes: &[u8]) -> Option<usize> {
    let fields = i16::from_be_bytes([*bytes.first()?, *bytes.get(1)?]);
    let mut at = 2;
    for _ in 0..fields.max(0) {
        let length = bytes.get(at..at + 4)?;
        let length = i32::from_be_bytes([length[0], length[1], length[2], length[3]]);
        at += 4 + usize::try_from(length).unwrap_or(0);
    }
    (bytes.len() >= at).then_some(at)
}
