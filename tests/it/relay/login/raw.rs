//! Clients and servers made of bytes.

use std::{
    io::{Read, Write},
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

/// Enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A startup packet of a version with parameters.
pub(super) fn startup(version: u32, parameters: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut body = version.to_be_bytes().to_vec();
    for (name, value) in parameters {
        body.extend([name, &b"\0"[..], value, b"\0"].concat());
    }
    body.push(0);
    packet(&body)
}

/// The startup packet of an ordinary client.
pub(super) fn hello(user: &str) -> Vec<u8> {
    startup(3 << 16, &[(b"user", user.as_bytes()), (b"database", b"postgres")])
}

/// A message without a type.
pub(super) fn packet(body: &[u8]) -> Vec<u8> {
    let mut packet = (body.len() as u32 + 4).to_be_bytes().to_vec();
    packet.extend(body);
    packet
}

pub(super) fn frame(tag: u8, body: &[u8]) -> Vec<u8> {
    [&[tag][..], &packet(body)].concat()
}

/// A `SASLInitialResponse` without a proof in it.
pub(super) fn initial(mechanism: &str, message: &str) -> Vec<u8> {
    let length = (message.len() as u32).to_be_bytes();
    let body = [mechanism.as_bytes(), b"\0", &length[..], message.as_bytes()].concat();
    frame(b'p', &body)
}

pub(super) struct Client(TcpStream);

impl Client {
    pub(super) fn connect(address: impl Into<SocketAddr>) -> Self {
        let stream = TcpStream::connect(address.into()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(stream)
    }

    pub(super) fn at(port: u16) -> Self {
        Self::connect(([127, 0, 0, 1], port))
    }

    pub(super) fn send(&mut self, bytes: &[u8]) -> &mut Self {
        // The other side may have closed already: what it said is read by the test.
        drop(self.0.write_all(bytes));
        self
    }

    /// Nothing more is sent.
    pub(super) fn end(&mut self) -> &mut Self {
        drop(self.0.shutdown(std::net::Shutdown::Write));
        self
    }

    pub(super) fn frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 5];
        self.0.read_exact(&mut head).ok()?;
        let length = u32::from_be_bytes(head[1..].try_into().unwrap()) as usize;
        let mut body = vec![0; length - 4];
        self.0.read_exact(&mut body).ok()?;
        Some((head[0], body))
    }

    /// The next message in a few words.
    pub(super) fn next(&mut self) -> String {
        let Some((tag, body)) = self.frame() else {
            return "closed".into();
        };
        let number = || u32::from_be_bytes(body[..4].try_into().unwrap());
        match tag {
            b'R' => format!("R {}", number()),
            b'v' => format!("v {}", number() & 0xffff),
            b'E' => {
                let field = |code: u8| {
                    let mut fields = body.split(|byte| *byte == 0);
                    let field = fields.find(|field| field.first() == Some(&code));
                    String::from_utf8_lossy(field.map_or(&[], |field| &field[1..])).into_owned()
                };
                format!("{} {} {}", field(b'S'), field(b'C'), field(b'M'))
            }
            _ => char::from(tag).to_string(),
        }
    }

    /// All there is until the other side closes.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        let mut rest = vec![];
        // A connection that is reset has ended too.
        drop(self.0.read_to_end(&mut rest));
        rest
    }
}

/// A server on this machine alone; see [`server_at`].
pub(super) fn server(conversation: impl Fn(&mut TcpStream) + Send + 'static) -> u16 {
    server_at([127, 0, 0, 1].into(), conversation)
}

/// A server that takes connections one after the other, reads a startup packet on each, and then does as it is told.
/// It ends with the test.
pub(super) fn server_at(address: IpAddr, conversation: impl Fn(&mut TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind((address, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            let mut head = [0; 4];
            if stream.read_exact(&mut head).is_err() {
                continue;
            }
            let mut body = vec![0; u32::from_be_bytes(head) as usize - 4];
            drop(stream.read_exact(&mut body));
            conversation(&mut stream);
        }
    });
    port
}
