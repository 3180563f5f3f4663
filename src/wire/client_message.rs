//! What a client says after it has logged in.

use bytes::{Buf, Bytes};

use super::{Frame, WireError};
use crate::pgtypes::{Format, ValueError, utf8};

/// A message of the simple or the extended protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientMessage {
    /// One string of statements, all of them run at once.
    Query(String),
    /// Prepare a statement.
    Parse {
        /// Empty for the unnamed one.
        name: String,
        /// One statement.
        sql: String,
        /// Type OIDs that the client declares; 0 where it does not.
        types: Vec<u32>,
    },
    /// Make a portal of a statement and values.
    Bind {
        /// Empty for the unnamed one.
        portal: String,
        /// Empty for the unnamed one.
        statement: String,
        /// The format and bytes of each value; no bytes for NULL.
        parameters: Vec<(Format, Option<Bytes>)>,
        /// None: all text; one: for all columns; else one a column.
        result_formats: Vec<Format>,
    },
    /// Describe a statement or a portal.
    Describe(Target),
    /// Run a portal.
    Execute {
        /// Empty for the unnamed one.
        portal: String,
        /// 0 for all.
        max_rows: usize,
    },
    /// Forget a statement or a portal.
    Close(Target),
    /// Send what there is.
    Flush,
    /// End of a pipeline.
    Sync,
    /// Call a function by its number, as libpq's large objects do.
    FunctionCall {
        /// Its number in `pg_proc`.
        function: u32,
        /// The format and bytes of each argument; no bytes for NULL.
        arguments: Vec<(Format, Option<Bytes>)>,
        /// How the result is wanted.
        format: Format,
    },
    /// COPY from the client.
    CopyData,
    /// End of COPY.
    CopyDone,
    /// COPY given up.
    CopyFail,
    /// A password or a SASL message.
    Password(Bytes),
    /// Good bye.
    Terminate,
}

/// What `Describe` and `Close` are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A prepared statement.
    Statement(String),
    /// A portal.
    Portal(String),
}

impl ClientMessage {
    /// Reads a frame's body. An error leaves the stream in step: only this message is lost.
    pub fn parse(frame: Frame) -> Result<Self, WireError> {
        let mut body = Body(frame.body);
        let message = match frame.tag {
            b'Q' => Self::Query(body.string()?),
            b'P' => {
                let (name, sql) = (body.string()?, body.string()?);
                let count = body.u16()?;
                let types = (0..count).map(|_| body.u32()).collect::<Result<Vec<_>, _>>()?;
                Self::Parse { name, sql, types }
            }
            b'B' => body.bind()?,
            b'D' => Self::Describe(body.target()?),
            b'C' => Self::Close(body.target()?),
            b'E' => Self::Execute {
                portal: body.string()?,
                // Negative counts mean "all" in PostgreSQL too.
                max_rows: usize::try_from(body.u32()? as i32).unwrap_or(0),
            },
            b'H' => Self::Flush,
            b'S' => Self::Sync,
            b'F' => body.call()?,
            b'd' => return Ok(Self::CopyData),
            b'c' => Self::CopyDone,
            b'f' => return Ok(Self::CopyFail),
            b'p' => return Ok(Self::Password(body.0)),
            b'X' => return Ok(Self::Terminate),
            other => {
                return Err(WireError::Framing(format!(
                    "invalid frontend message type {other}"
                )));
            }
        };
        if body.0.has_remaining() {
            return Err(WireError::Message("invalid message format".into()));
        }
        Ok(message)
    }

    /// True for messages after whose failure all is skipped up to Sync.
    pub fn is_extended(tag: u8) -> bool {
        matches!(tag, b'P' | b'B' | b'D' | b'C' | b'E' | b'H')
    }

    /// True for messages by which something may happen that stays when the client has left.
    pub fn does_something(tag: u8) -> bool {
        matches!(tag, b'Q' | b'P' | b'B' | b'E' | b'F' | b'd' | b'c' | b'f')
    }
}

/// The unread rest of a body.
struct Body(Bytes);

impl Body {
    fn string(&mut self) -> Result<String, WireError> {
        let end = self
            .0
            .iter()
            .position(|byte| *byte == 0)
            .ok_or_else(|| WireError::Message("invalid string in message".into()))?;
        let bytes = self.0.split_to(end);
        self.0.advance(1);
        Ok(utf8(&bytes)?.to_owned())
    }

    fn take(&mut self, length: usize) -> Result<Bytes, WireError> {
        if self.0.len() < length {
            return Err(WireError::Message("insufficient data left in message".into()));
        }
        Ok(self.0.split_to(length))
    }

    fn u16(&mut self) -> Result<u16, WireError> {
        self.take(2).map(|mut bytes| bytes.get_u16())
    }

    fn u32(&mut self) -> Result<u32, WireError> {
        self.take(4).map(|mut bytes| bytes.get_u32())
    }

    fn target(&mut self) -> Result<Target, WireError> {
        let kind = self.take(1)?[0];
        let name = self.string()?;
        match kind {
            b'S' => Ok(Target::Statement(name)),
            b'P' => Ok(Target::Portal(name)),
            other => Err(WireError::Message(format!(
                "invalid DESCRIBE or CLOSE message subtype {other}"
            ))),
        }
    }

    fn formats(&mut self) -> Result<Vec<Format>, WireError> {
        let count = self.u16()?;
        (0..count).map(|_| self.format()).collect()
    }

    fn format(&mut self) -> Result<Format, WireError> {
        match self.u16()? {
            0 => Ok(Format::Text),
            1 => Ok(Format::Binary),
            other => Err(ValueError::new("22023", format!("unsupported format code: {other}")).into()),
        }
    }

    fn call(&mut self) -> Result<ClientMessage, WireError> {
        let function = self.u32()?;
        let arguments = self.values(|formats, arguments| {
            format!("function call message contains {formats} argument formats but {arguments} arguments")
        })?;
        Ok(ClientMessage::FunctionCall {
            function,
            arguments,
            format: self.format()?,
        })
    }

    fn bind(&mut self) -> Result<ClientMessage, WireError> {
        let (portal, statement) = (self.string()?, self.string()?);
        let parameters = self.values(|formats, parameters| {
            format!("bind message has {formats} parameter formats but {parameters} parameters")
        })?;
        Ok(ClientMessage::Bind {
            portal,
            statement,
            parameters,
            result_formats: self.formats()?,
        })
    }

    /// Formats and values; `unequal` says what is wrong where their numbers do not fit.
    fn values(
        &mut self,
        unequal: impl Fn(usize, usize) -> String,
    ) -> Result<Vec<(Format, Option<Bytes>)>, WireError> {
        let formats = self.formats()?;
        let count = usize::from(self.u16()?);
        if formats.len() > 1 && formats.len() != count {
            return Err(WireError::Message(unequal(formats.len(), count)));
        }
        (0..count)
            .map(|at| {
                let format = match formats.as_slice() {
                    [] => Format::Text,
                    [one] => *one,
                    many => many[at],
                };
                let length = self.u32()? as i32;
                let bytes = match usize::try_from(length) {
                    Ok(length) => Some(self.take(length)?),
                    Err(_) if length == -1 => None,
                    Err(_) => {
                        return Err(WireError::Message("insufficient data left in message".into()));
                    }
                };
                Ok((format, bytes))
            })
            .collect()
    }
}
