//! Whole sessions of a client that says anything in any order, with questions between: made of bytes, so that a fuzzer
//! or a random generator chooses them. The fuzz target `sessions` and the tests share it.

use std::{
    fmt::Write as _,
    io::{self, Read, Write as _},
    net::TcpStream,
    time::Duration,
};

/// How long an answer may take before the session counts as hung.
const PATIENCE: Duration = Duration::from_secs(60);
/// Messages of a conversation at most.
const MOST: usize = 24;

/// What a client says, and how it leaves.
#[derive(Debug)]
pub struct Conversation {
    said: Vec<Said>,
    /// The bytes of the packets, one length for each; what is left goes as one.
    packets: Vec<usize>,
    /// How it leaves.
    pub end: End,
}

/// How a client leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It stays until it has its answers.
    Stays,
    /// It closes without a word.
    Closes,
    /// It says good bye.
    Terminates,
    /// It closes in the middle of a frame.
    Breaks,
}

/// A message, with what it is in front of a server without Querent.
#[derive(Debug)]
struct Said {
    through: Vec<u8>,
    direct: Vec<u8>,
}

impl Said {
    fn runs_unnamed(&self) -> bool {
        self.direct.first() == Some(&b'E') && self.direct.get(5) == Some(&0)
    }
}

/// Whether a Bind of the same pipeline makes the unnamed portal, or fails and has all be skipped. PostgreSQL 15 ends with a
/// segmentation fault where that of a simple statement which failed in a transaction is executed.
fn is_bound(said: &[Said]) -> bool {
    let mut before = said.iter().rev().map(|said| said.direct.as_slice());
    let last = before.find(|message| matches!(message, [b'Q' | b'S', ..] | [b'B', _, _, _, _, 0, ..]));
    last.is_some_and(|message| message[0] == b'B')
}

/// `{Q}` is a question as a comment, `{N}` as a function, `{M}` one without an answer.
const TEXTS: &[&str] = &[
    "{Q}",
    "SELECT 1",
    "{Q}",
    "SELECT * FROM {N}",
    "SELECT nothing",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SELECT 1; {Q}\n; SELECT 2",
    "{M}",
    "COPY notes(body) FROM STDIN",
    "COPY orders TO STDOUT",
    "COPY (SELECT * FROM {N}) TO STDOUT",
    "PREPARE s AS SELECT * FROM {N}",
    "EXECUTE s",
    "DEALLOCATE ALL",
    "DECLARE p CURSOR FOR SELECT * FROM {N}",
    "FETCH 1 FROM p",
    "CLOSE p",
    "SAVEPOINT one",
    "ROLLBACK TO one",
    "",
    "SELECT pg_sleep(0.002)",
    "INSERT INTO notes(body) VALUES ('x')",
    "EXPLAIN SELECT * FROM {N}",
    "BEGIN; {Q}\n; COMMIT",
    "SELECT 1/0; SELECT * FROM {N}",
    "SHOW {V}",
    "SET client_min_messages = warning",
];

const NAMES: &[&str] = &["", "s", "t"];
const PORTALS: &[&str] = &["", "p"];

/// Decisions, taken from bytes; zero when they are spent.
struct Choices<'b>(&'b [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first)
    }

    fn of<'t>(&mut self, list: &'t [&'t str]) -> &'t str {
        list[self.byte() % list.len()]
    }
}

impl Conversation {
    /// The conversation that these bytes choose.
    pub fn chosen(bytes: &[u8]) -> Self {
        let mut choices = Choices(bytes);
        let end = match choices.byte() % 6 {
            0..3 => End::Stays,
            3 => End::Closes,
            4 => End::Terminates,
            _ => End::Breaks,
        };
        let whole = choices.byte().is_multiple_of(2);
        // Querent knows the schema from here on, also in the middle of a pipeline.
        let mut said = vec![text(b'Q', &[], "{Q}", &[])];
        let mut packets = vec![];
        while !choices.0.is_empty() && said.len() < MOST {
            let before = said.len();
            message(&mut choices, &mut said);
            if let [one] = &said[before..]
                && one.runs_unnamed()
                && !is_bound(&said[..before])
            {
                said[before] = same(execute("p", 0));
            }
            if !whole {
                packets.push(choices.byte() * 2);
            }
        }
        Self { said, packets, end }
    }

    /// Holds it with whoever listens on this port. Through Querent it asks; directly it sends the questions' SQL.
    /// Tells what came back, a word for each message: its type, of errors the code, of `ReadyForQuery` the state.
    pub fn hold(&self, port: u16, through: bool) -> io::Result<Vec<String>> {
        let mut stream = log_in(port)?;
        let bytes = self
            .said
            .iter()
            .flat_map(|said| if through { &said.through } else { &said.direct });
        let bytes: Vec<u8> = bytes.copied().collect();
        let mut reader = stream.try_clone()?;
        // Answers are read all the time: nobody waits for this client.
        let reading = std::thread::spawn(move || read_all(&mut reader));
        let outcome = self.say(&mut stream, &bytes);
        // Whoever was sent away cannot say the rest.
        drop(outcome);
        if self.end != End::Stays {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
        let heard = reading.join().expect("reading does not panic");
        if self.end == End::Stays {
            heard
        } else {
            Ok(heard.unwrap_or_default())
        }
    }

    fn say(&self, stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        for length in &self.packets {
            let (packet, behind) = rest.split_at((*length).min(rest.len()));
            stream.write_all(packet)?;
            rest = behind;
        }
        stream.write_all(rest)?;
        match self.end {
            // Ends whatever may be open: COPY, a pipeline, a transaction.
            End::Stays => {
                let last = [
                    frame(b'f', b"enough\0"),
                    frame(b'S', b""),
                    frame(b'S', b""),
                    frame(b'Q', b"ROLLBACK\0"),
                    frame(b'Q', b"SELECT 'the end'\0"),
                ];
                stream.write_all(&last.concat())
            }
            End::Closes => Ok(()),
            End::Terminates => stream.write_all(&frame(b'X', b"")),
            End::Breaks => stream.write_all(&frame(b'Q', b"SELECT 1 /* nl: how many\0")[..9]),
        }
    }

    /// In words, for who looks into a failure.
    pub fn told(&self) -> String {
        let mut told = format!("{:?}, packets {:?}\n", self.end, self.packets);
        for said in &self.said {
            let words = String::from_utf8_lossy(&said.through).replace(|c: char| c.is_control(), " ");
            let _ = writeln!(told, "  {words}");
        }
        told
    }
}

/// One message of the client's, or some that belong together.
fn message(choices: &mut Choices<'_>, said: &mut Vec<Said>) {
    match choices.byte() % 16 {
        0..3 => said.push(text(b'Q', &[], choices.of(TEXTS), &[])),
        3 => {
            let name = choices.of(NAMES);
            said.push(parse(name, choices.of(TEXTS)));
        }
        4 => {
            let (portal, name) = (choices.of(PORTALS), choices.of(NAMES));
            said.push(same(bind(portal, name)));
        }
        5 => {
            let (portal, rows) = (choices.of(PORTALS), choices.byte() % 2);
            said.push(same(execute(portal, rows as u8)));
        }
        6 => {
            let what = if choices.byte().is_multiple_of(2) {
                b'S'
            } else {
                b'P'
            };
            said.push(same(about(b'D', what, choices.of(NAMES))));
        }
        7 => {
            let what = if choices.byte().is_multiple_of(2) {
                b'S'
            } else {
                b'P'
            };
            said.push(same(about(b'C', what, choices.of(NAMES))));
        }
        8 => said.push(same(frame(b'H', b""))),
        9 => said.push(same(frame(b'S', b""))),
        10 => {
            let data: &[u8] = if choices.byte().is_multiple_of(4) {
                b"a\tb\n"
            } else {
                b"one\ntwo\n"
            };
            said.push(same(frame(b'd', data)));
        }
        11 => said.push(same(frame(b'c', b""))),
        12 => said.push(same(frame(b'f', b"no\0"))),
        13 => said.push(same(frame(b'F', &[0; 10]))),
        // What drivers send: all of a statement at once.
        _ => {
            let (name, portal) = (choices.of(NAMES), choices.of(PORTALS));
            said.push(parse(name, choices.of(TEXTS)));
            said.push(same(bind(portal, name)));
            said.push(same(execute(portal, 0)));
            said.push(same(frame(
                if choices.byte().is_multiple_of(4) {
                    b'H'
                } else {
                    b'S'
                },
                b"",
            )));
        }
    }
}

fn same(bytes: Vec<u8>) -> Said {
    Said {
        through: bytes.clone(),
        direct: bytes,
    }
}

fn parse(name: &str, sql: &str) -> Said {
    text(b'P', &[name.as_bytes(), b"\0"].concat(), sql, &[0, 0])
}

fn text(tag: u8, before: &[u8], text: &str, behind: &[u8]) -> Said {
    let frame = |text: String| frame(tag, &[before, text.as_bytes(), b"\0", behind].concat());
    let through = text
        .replace("{Q}", "/* nl: how many orders are there? */")
        .replace("{N}", "nl('how many orders are there?')")
        .replace("{M}", "/* nl: zzz glorp */")
        .replace("{V}", "querent.notices");
    let direct = text
        .replace("{Q}", "SELECT COUNT(*) FROM orders")
        .replace("{N}", "(SELECT COUNT(*) FROM orders) AS nl")
        .replace("{M}", "SELECT nothing")
        .replace("{V}", "search_path");
    Said {
        through: frame(through),
        direct: frame(direct),
    }
}

fn bind(portal: &str, name: &str) -> Vec<u8> {
    frame(
        b'B',
        &[portal.as_bytes(), b"\0", name.as_bytes(), &[0; 7]].concat(),
    )
}

fn execute(portal: &str, rows: u8) -> Vec<u8> {
    frame(b'E', &[portal.as_bytes(), &[0, 0, 0, 0, rows]].concat())
}

fn about(tag: u8, what: u8, name: &str) -> Vec<u8> {
    frame(tag, &[&[what], name.as_bytes(), b"\0"].concat())
}

fn frame(tag: u8, body: &[u8]) -> Vec<u8> {
    let length = (body.len() + 4) as u32;
    [&[tag], &length.to_be_bytes()[..], body].concat()
}

/// The name by which the server counts these sessions.
pub const APPLICATION: &str = "conversation";

fn log_in(port: u16) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut body = (3_u32 << 16).to_be_bytes().to_vec();
    for word in [
        "user",
        "postgres",
        "database",
        "postgres",
        "application_name",
        APPLICATION,
        "",
    ] {
        body.extend_from_slice(word.as_bytes());
        body.push(0);
    }
    stream.write_all(&((body.len() + 4) as u32).to_be_bytes())?;
    stream.write_all(&body)?;
    loop {
        let (tag, body) = read(&mut stream)?;
        match tag {
            b'Z' => return Ok(stream),
            b'E' => return Err(io::Error::other(String::from_utf8_lossy(&body).into_owned())),
            _ => {}
        }
    }
}

/// Everything up to the end of the conversation, or of the connection.
fn read_all(stream: &mut TcpStream) -> io::Result<Vec<String>> {
    let mut heard = vec![];
    let mut last = false;
    loop {
        let (tag, body) = match read(stream) {
            Ok(message) => message,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    format!("no answer behind {heard:?}"),
                ));
            }
            Err(_) => {
                heard.push("closed".to_owned());
                return Ok(heard);
            }
        };
        match tag {
            // Notices are told when they are told, and the client hears of settings at any time.
            b'N' | b'S' | b'A' => {}
            b'Z' => heard.push(format!("Z{}", char::from(body[0]))),
            b'E' => heard.push(format!("E{}", code(&body))),
            tag => heard.push(char::from(tag).to_string()),
        }
        if last && tag == b'Z' {
            return Ok(heard);
        }
        last |= tag == b'D' && body.ends_with(b"the end");
    }
}

fn code(body: &[u8]) -> String {
    let fields = body.split(|byte| *byte == 0);
    let code = fields
        .filter(|field| field.first() == Some(&b'C'))
        .map(|field| &field[1..])
        .next();
    String::from_utf8_lossy(code.unwrap_or_default()).into_owned()
}

fn read(stream: &mut TcpStream) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
    let mut body = vec![0; length.saturating_sub(4)];
    stream.read_exact(&mut body)?;
    Ok((head[0], body))
}

/// Bytes that choose conversations, the same for the same seed.
pub fn random(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    for _ in 0..8 {
        next();
    }
    let length = 8 + usize::from(next()) % 120;
    (0..length).map(|_| next()).collect()
}
