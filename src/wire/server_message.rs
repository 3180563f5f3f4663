//! What the server says, appended to one buffer of outgoing bytes.

use bytes::{BufMut, Bytes, BytesMut};

use crate::error::{ClientError, ErrorSubject, SqlState, visible};

use crate::pgtypes::Format;

/// Outgoing messages in their order.
#[derive(Debug, Default)]
pub struct ServerMessages {
    buffer: BytesMut,
}

/// `ReadyForQuery`'s indicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionStatus {
    /// No transaction.
    Idle,
    /// In a transaction block.
    InTransaction,
    /// In a failed transaction block.
    Failed,
}

/// A column of a `RowDescription`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The column's name.
    pub name: String,
    /// Its type.
    pub oid: u32,
    /// Its type's size; negative for variable width.
    pub size: i16,
    /// Its length or its digits, as `pg_attribute.atttypmod` has them; -1 where nothing is told.
    pub modifier: i32,
    /// The numbers of the table and of the column in the catalogue that it is; 0 where it is none.
    pub origin: (u32, u16),
    /// How its values come.
    pub format: Format,
}

/// How grave an error or notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// For whoever watches.
    Debug,
    /// Of interest to the administrator.
    Log,
    /// Asked for by the user.
    Info,
    /// Helpful to the user.
    Notice,
    /// Likely a mistake.
    Warning,
    /// The command failed.
    Error,
    /// The connection ends.
    Fatal,
}

impl Severity {
    fn word(self) -> &'static str {
        match self {
            Self::Debug => "DEBUG",
            Self::Log => "LOG",
            Self::Info => "INFO",
            Self::Notice => "NOTICE",
            Self::Warning => "WARNING",
            Self::Error => "ERROR",
            Self::Fatal => "FATAL",
        }
    }
}

/// The fields of an `ErrorResponse` or `NoticeResponse`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// How grave.
    pub severity: Severity,
    /// Five characters.
    pub sqlstate: SqlState,
    /// One line.
    pub message: String,
    /// What exactly.
    pub detail: Option<String>,
    /// What to do.
    pub hint: Option<String>,
    /// Where in the client's text, in characters from 1.
    pub position: Option<usize>,
    /// Generated SQL that it is about, and where in it.
    pub internal: Option<(String, Option<usize>)>,
    /// What of the schema it is about.
    pub place: Option<Box<ErrorSubject>>,
    /// What was being done.
    pub context: Option<String>,
    /// Where PostgreSQL has it from. Only for errors that drivers tell by it, and mend by preparing anew.
    pub routine: Option<&'static str>,
}

impl Fields {
    /// A message with nothing but its code.
    pub fn new(severity: Severity, sqlstate: impl Into<SqlState>, message: impl Into<String>) -> Self {
        Self {
            severity,
            sqlstate: sqlstate.into(),
            message: message.into(),
            detail: None,
            hint: None,
            position: None,
            internal: None,
            place: None,
            context: None,
            routine: None,
        }
    }

    /// What a client may read of an error.
    pub fn of(error: &dyn ClientError) -> Self {
        Self {
            severity: Severity::Error,
            sqlstate: error.sqlstate(),
            message: error.message(),
            detail: error.detail(),
            hint: error.hint(),
            position: error.position(),
            internal: error.internal(),
            place: error.place().cloned().map(Box::new),
            context: None,
            routine: None,
        }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with a detail.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The same with what was being done.
    #[must_use]
    pub fn with_context(mut self, context: impl Into<String>) -> Self {
        self.context = Some(context.into());
        self
    }

    /// The same from this function of PostgreSQL's.
    #[must_use]
    pub fn with_routine(mut self, routine: &'static str) -> Self {
        self.routine = Some(routine);
        self
    }

    /// The same as the last words of a connection.
    #[must_use]
    pub fn fatal(mut self) -> Self {
        self.severity = Severity::Fatal;
        self
    }
}

impl ServerMessages {
    /// How many bytes wait to be sent.
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// True if nothing waits to be sent.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// All bytes so far, which are the caller's to send now.
    pub fn take(&mut self) -> Bytes {
        self.buffer.split().freeze()
    }

    /// A single byte without a frame: the answer to `SSLRequest` and `GSSENCRequest`.
    pub fn negotiation(&mut self, answer: u8) {
        self.buffer.put_u8(answer);
    }

    /// Logged in.
    pub fn authentication_ok(&mut self) {
        self.frame(b'R', |body| body.put_u32(0));
    }

    /// The password is to be sent as it is.
    pub fn authentication_cleartext_password(&mut self) {
        self.frame(b'R', |body| body.put_u32(3));
    }

    /// The SASL mechanisms on offer, the preferred one first.
    pub fn authentication_sasl(&mut self, mechanisms: &[&str]) {
        self.frame(b'R', |body| {
            body.put_u32(10);
            for mechanism in mechanisms {
                put_string(body, mechanism);
            }
            body.put_u8(0);
        });
    }

    /// The server's challenge.
    pub fn authentication_sasl_continue(&mut self, data: &str) {
        self.frame(b'R', |body| {
            body.put_u32(11);
            body.put_slice(data.as_bytes());
        });
    }

    /// The server's proof.
    pub fn authentication_sasl_final(&mut self, data: &str) {
        self.frame(b'R', |body| {
            body.put_u32(12);
            body.put_slice(data.as_bytes());
        });
    }

    /// The newest minor version served, and the options not understood.
    pub fn negotiate_protocol_version(&mut self, minor: u16, options: &[&str]) {
        self.frame(b'v', |body| {
            body.put_u32(3 << 16 | u32::from(minor));
            body.put_u32(options.len() as u32);
            for option in options {
                put_string(body, option);
            }
        });
    }

    /// A setting that clients follow.
    pub fn parameter_status(&mut self, name: &str, value: &str) {
        self.frame(b'S', |body| {
            put_string(body, name);
            put_string(body, value);
        });
    }

    /// What a cancel request has to show.
    pub fn backend_key_data(&mut self, process: u32, secret: &[u8]) {
        self.frame(b'K', |body| {
            body.put_u32(process);
            body.put_slice(secret);
        });
    }

    /// The next statement may come.
    pub fn ready_for_query(&mut self, status: TransactionStatus) {
        let indicator = match status {
            TransactionStatus::Idle => b'I',
            TransactionStatus::InTransaction => b'T',
            TransactionStatus::Failed => b'E',
        };
        self.frame(b'Z', |body| body.put_u8(indicator));
    }

    /// The columns of the rows to come.
    pub fn row_description(&mut self, fields: &[Field]) {
        self.frame(b'T', |body| {
            body.put_u16(fields.len() as u16);
            for field in fields {
                put_string(body, &field.name);
                body.put_u32(field.origin.0);
                body.put_u16(field.origin.1);
                body.put_u32(field.oid);
                body.put_i16(field.size);
                body.put_i32(field.modifier);
                body.put_u16(field.format.code());
            }
        });
    }

    /// One row. `fill` appends each value with its length; on its error nothing of the row stays.
    pub fn data_row<E>(
        &mut self,
        columns: usize,
        fill: impl FnOnce(&mut BytesMut) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.buffer.len();
        self.buffer.put_u8(b'D');
        self.buffer.put_u32(0);
        self.buffer.put_u16(columns as u16);
        if let Err(error) = fill(&mut self.buffer) {
            self.buffer.truncate(start);
            return Err(error);
        }
        self.finish(start);
        Ok(())
    }

    /// A statement is done.
    pub fn command_complete(&mut self, tag: &str) {
        self.frame(b'C', |body| put_string(body, tag));
    }

    /// There was no statement.
    pub fn empty_query(&mut self) {
        self.frame(b'I', |_| ());
    }

    /// Parse succeeded.
    pub fn parse_complete(&mut self) {
        self.frame(b'1', |_| ());
    }

    /// Bind succeeded.
    pub fn bind_complete(&mut self) {
        self.frame(b'2', |_| ());
    }

    /// Close succeeded.
    pub fn close_complete(&mut self) {
        self.frame(b'3', |_| ());
    }

    /// The row limit of Execute was reached.
    pub fn portal_suspended(&mut self) {
        self.frame(b's', |_| ());
    }

    /// A statement without rows was described.
    pub fn no_data(&mut self) {
        self.frame(b'n', |_| ());
    }

    /// The types of a statement's parameters.
    pub fn parameter_description(&mut self, oids: &[u32]) {
        self.frame(b't', |body| {
            body.put_u16(oids.len() as u16);
            for oid in oids {
                body.put_u32(*oid);
            }
        });
    }

    /// COPY TO STDOUT begins.
    pub fn copy_out(&mut self, columns: usize, binary: bool) {
        self.copy(b'H', columns, binary);
    }

    /// COPY FROM STDIN begins.
    pub fn copy_in(&mut self, columns: usize, binary: bool) {
        self.copy(b'G', columns, binary);
    }

    fn copy(&mut self, tag: u8, columns: usize, binary: bool) {
        self.frame(tag, |body| {
            body.put_u8(binary.into());
            body.put_u16(columns as u16);
            for _ in 0..columns {
                body.put_u16(binary.into());
            }
        });
    }

    /// A line of COPY TO STDOUT.
    pub fn copy_data(&mut self, line: &[u8]) {
        self.frame(b'd', |body| body.put_slice(line));
    }

    /// The value of a function, behind its length, as in a row.
    pub fn function_call_response(&mut self, value: &[u8]) {
        self.frame(b'V', |body| body.put_slice(value));
    }

    /// COPY TO STDOUT ends.
    pub fn copy_done(&mut self) {
        self.frame(b'c', |_| ());
    }

    /// A notification of another session's.
    pub fn notification(&mut self, process: u32, channel: &str, payload: &str) {
        self.frame(b'A', |body| {
            body.put_u32(process);
            put_string(body, channel);
            put_string(body, payload);
        });
    }

    /// An error (severity `Error` and above) or a notice.
    pub fn error_or_notice(&mut self, fields: &Fields) {
        let tag = if fields.severity >= Severity::Error {
            b'E'
        } else {
            b'N'
        };
        self.frame(tag, |body| {
            let mut field = |code: u8, text: &str| {
                body.put_u8(code);
                put_string(body, text);
            };
            field(b'S', fields.severity.word());
            field(b'V', fields.severity.word());
            field(b'C', &fields.sqlstate);
            // They quote what models, databases and clients wrote, and programs print them as they come.
            field(b'M', &visible(&fields.message));
            if let Some(detail) = &fields.detail {
                field(b'D', &visible(detail));
            }
            if let Some(hint) = &fields.hint {
                field(b'H', &visible(hint));
            }
            if let Some(position) = fields.position {
                field(b'P', &position.to_string());
            }
            if let Some((sql, position)) = &fields.internal {
                let shown = visible(sql);
                // A position counts in the text as it is.
                if let Some(position) = position.filter(|_| *shown == **sql) {
                    field(b'p', &position.to_string());
                }
                field(b'q', &shown);
            }
            if let Some(context) = &fields.context {
                field(b'W', context);
            }
            if let Some(place) = &fields.place {
                field(b's', &place.schema);
                field(b't', &place.table);
                for (code, name) in [(b'c', &place.column), (b'n', &place.constraint)] {
                    if let Some(name) = name {
                        field(code, name);
                    }
                }
            }
            if let Some(routine) = fields.routine {
                field(b'R', routine);
            }
            body.put_u8(0);
        });
    }

    fn frame(&mut self, tag: u8, fill: impl FnOnce(&mut BytesMut)) {
        let start = self.buffer.len();
        self.buffer.put_u8(tag);
        self.buffer.put_u32(0);
        fill(&mut self.buffer);
        self.finish(start);
    }

    fn finish(&mut self, start: usize) {
        let length = (self.buffer.len() - start - 1) as u32;
        self.buffer[start + 1..start + 5].copy_from_slice(&length.to_be_bytes());
    }
}

/// Strings end with NUL, so one inside would cut the message short.
fn put_string(body: &mut BytesMut, text: &str) {
    for part in text.split('\0') {
        body.put_slice(part.as_bytes());
    }
    body.put_u8(0);
}
