//! A client made of bytes: sends what it is told, and writes down what comes back.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// One end of a conversation.
pub(crate) struct Client {
    stream: TcpStream,
    /// Sends byte for byte, each in a packet of its own.
    pub(crate) slowly: bool,
    pub(crate) process: u32,
    pub(crate) secret: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            slowly: false,
            process: 0,
            secret: vec![],
        }
    }

    pub(crate) fn log_in(&mut self) {
        self.send(&startup(3 << 16, &[("user", "test"), ("database", "test")]));
        loop {
            let (tag, body) = self.message().expect("the server lets us in");
            match tag {
                b'K' => {
                    self.process = u32::from_be_bytes(body[..4].try_into().unwrap());
                    self.secret = body[4..].to_vec();
                }
                b'Z' => break,
                b'E' => panic!("{}", show(tag, &body)),
                _ => {}
            }
        }
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        if self.slowly {
            for byte in bytes {
                self.stream.write_all(&[*byte]).unwrap();
            }
        } else {
            self.stream.write_all(bytes).unwrap();
        }
    }

    pub(crate) fn try_send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// The next message; `None` once the server has closed.
    pub(crate) fn message(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 5];
        match self.stream.read_exact(&mut head) {
            Ok(()) => {}
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::ConnectionReset
                ) =>
            {
                return None;
            }
            Err(error) => panic!("no message in time: {error}"),
        }
        let length = u32::from_be_bytes(head[1..].try_into().unwrap()) as usize;
        let mut body = vec![0; length - 4];
        self.stream.read_exact(&mut body).unwrap();
        Some((head[0], body))
    }

    /// The next message as text; `closed` once the server has closed.
    pub(crate) fn next(&mut self) -> String {
        self.message()
            .map_or_else(|| "closed".to_owned(), |(tag, body)| show(tag, &body))
    }

    /// One byte without a frame.
    pub(crate) fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.stream.read_exact(&mut byte).unwrap();
        byte[0]
    }

    /// All messages up to `ReadyForQuery`.
    pub(crate) fn until_ready(&mut self) -> Vec<String> {
        let mut messages = vec![];
        loop {
            let message = self.next();
            let ends = message.starts_with("Z ") || message == "closed";
            messages.push(message);
            if ends {
                return messages;
            }
        }
    }

    /// Runs a simple query.
    pub(crate) fn query(&mut self, sql: &str) -> Vec<String> {
        self.send(&frame(b'Q', &string(sql)));
        self.until_ready()
    }

    /// Nothing more can be sent.
    pub(crate) fn stream(&self) -> &TcpStream {
        &self.stream
    }
}

pub(crate) fn frame(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut frame = vec![tag];
    frame.extend(u32::try_from(body.len() + 4).unwrap().to_be_bytes());
    frame.extend(body);
    frame
}

pub(crate) fn string(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    bytes
}

pub(crate) fn startup(version: u32, parameters: &[(&str, &str)]) -> Vec<u8> {
    let mut body = version.to_be_bytes().to_vec();
    for (name, value) in parameters {
        body.extend(string(name));
        body.extend(string(value));
    }
    body.push(0);
    packet(&body)
}

/// A frame without a type.
pub(crate) fn packet(body: &[u8]) -> Vec<u8> {
    let mut packet = u32::try_from(body.len() + 4).unwrap().to_be_bytes().to_vec();
    packet.extend(body);
    packet
}

/// A client's message as a line of a conversation tells it; see `tests/wire/README.md`.
pub(crate) fn client_message(line: &str) -> Vec<u8> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let parts: Vec<&str> = rest.split('|').map(str::trim).collect();
    let part = |at: usize| parts.get(at).copied().unwrap_or("");
    let list = |at: usize| part(at).split(',').map(str::trim).filter(|item| !item.is_empty());
    match word {
        "Query" => frame(b'Q', &string(&unescape(rest))),
        "Parse" => {
            let mut body = [string(part(0)), string(&unescape(part(1)))].concat();
            let types: Vec<u32> = list(2).map(|oid| oid.parse().unwrap()).collect();
            body.extend((types.len() as u16).to_be_bytes());
            for oid in types {
                body.extend(oid.to_be_bytes());
            }
            frame(b'P', &body)
        }
        "Bind" => {
            let mut body = [string(part(0)), string(part(1))].concat();
            body.extend([0, 0]);
            let values: Vec<&str> = list(2).collect();
            body.extend((values.len() as u16).to_be_bytes());
            for value in values {
                if value == "NULL" {
                    body.extend((-1_i32).to_be_bytes());
                } else {
                    body.extend((value.len() as u32).to_be_bytes());
                    body.extend(value.as_bytes());
                }
            }
            let formats: Vec<u16> = list(3).map(|format| format.parse().unwrap()).collect();
            body.extend((formats.len() as u16).to_be_bytes());
            for format in formats {
                body.extend(format.to_be_bytes());
            }
            frame(b'B', &body)
        }
        "DescribeStatement" => frame(b'D', &[b"S", string(rest).as_slice()].concat()),
        "DescribePortal" => frame(b'D', &[b"P", string(rest).as_slice()].concat()),
        "CloseStatement" => frame(b'C', &[b"S", string(rest).as_slice()].concat()),
        "ClosePortal" => frame(b'C', &[b"P", string(rest).as_slice()].concat()),
        "Execute" => {
            let rows: u32 = if part(1).is_empty() {
                0
            } else {
                part(1).parse().unwrap()
            };
            frame(b'E', &[string(part(0)).as_slice(), &rows.to_be_bytes()].concat())
        }
        "Sync" => frame(b'S', b""),
        "Flush" => frame(b'H', b""),
        "CopyData" => frame(b'd', rest.as_bytes()),
        "CopyDone" => frame(b'c', b""),
        "CopyFail" => frame(b'f', &string(rest)),
        "FunctionCall" => frame(b'F', &[0; 10]),
        "Terminate" => frame(b'X', b""),
        "Raw" => rest
            .split_whitespace()
            .map(|byte| u8::from_str_radix(byte, 16).unwrap())
            .collect(),
        other => panic!("no message is called {other}"),
    }
}

fn unescape(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\p", "|")
}

/// A server's message in one line.
pub(crate) fn show(tag: u8, body: &[u8]) -> String {
    let tag = char::from(tag);
    match tag {
        'T' => {
            let mut rest = &body[2..];
            let mut columns = vec![];
            while !rest.is_empty() {
                let name = take_string(&mut rest);
                let oid = u32::from_be_bytes(rest[6..10].try_into().unwrap());
                let format = rest[17];
                columns.push(format!("{name}:{oid}{}", if format == 1 { "b" } else { "" }));
                rest = &rest[18..];
            }
            format!("T {}", columns.join(" "))
        }
        'D' => {
            let mut rest = &body[2..];
            let mut values = vec![];
            while !rest.is_empty() {
                let length = i32::from_be_bytes(rest[..4].try_into().unwrap());
                rest = &rest[4..];
                let Ok(length) = usize::try_from(length) else {
                    values.push("NULL".to_owned());
                    continue;
                };
                let value = &rest[..length];
                rest = &rest[length..];
                values.push(match std::str::from_utf8(value) {
                    Ok(text) if !text.contains(|c: char| c.is_control()) => text.to_owned(),
                    _ => value
                        .iter()
                        .flat_map(|byte| [byte >> 4, byte & 15])
                        .filter_map(|digit| char::from_digit(digit.into(), 16))
                        .collect(),
                });
            }
            format!("D {}", values.join(" | "))
        }
        'C' => format!("C {}", text(body)),
        'Z' => format!("Z {}", char::from(body[0])),
        'E' | 'N' => {
            let mut rest = body;
            let mut fields = std::collections::BTreeMap::new();
            while rest[0] != 0 {
                let code = char::from(rest[0]);
                rest = &rest[1..];
                fields.insert(code, take_string(&mut rest));
            }
            let field = |code| fields.get(&code).map_or("", String::as_str);
            let position = fields.get(&'P').map_or(String::new(), |at| format!(" @{at}"));
            format!("{tag} {} {} {}{position}", field('S'), field('C'), field('M'))
        }
        't' => {
            let oids: Vec<_> = body[2..]
                .chunks(4)
                .map(|oid| u32::from_be_bytes(oid.try_into().unwrap()).to_string())
                .collect();
            format!("t {}", oids.join(","))
        }
        'S' => format!("S {}", text(body).replace('\0', "=")),
        'd' => format!("d {}", text(body).trim_end_matches('\n')),
        'R' => format!("R {}", u32::from_be_bytes(body[..4].try_into().unwrap())),
        'v' => format!("v {}", u32::from_be_bytes(body[..4].try_into().unwrap()) & 0xffff),
        other => other.to_string(),
    }
}

fn text(body: &[u8]) -> String {
    String::from_utf8_lossy(body).trim_end_matches('\0').to_owned()
}

fn take_string(rest: &mut &[u8]) -> String {
    let end = rest.iter().position(|byte| *byte == 0).unwrap();
    let text = String::from_utf8_lossy(&rest[..end]).into_owned();
    *rest = &rest[end + 1..];
    text
}
