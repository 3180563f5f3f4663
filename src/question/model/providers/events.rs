//! Bytes of an answer's body to JSON texts: server-sent events, or the whole body where a server does not stream.

/// Bytes of one line or of a whole body at most.
const MOST: usize = 4 << 20;

/// The body so far.
#[derive(Debug, Default)]
pub(super) struct Events {
    shape: Shape,
    buffer: Vec<u8>,
    /// Where the unread part of the buffer begins.
    at: usize,
    /// Up to where no line ends, so that no byte is looked at twice.
    searched: usize,
    /// The `data` lines of the event that is not finished yet.
    data: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Shape {
    #[default]
    Unknown,
    /// Server-sent events (WHATWG HTML, section 9.2).
    Stream,
    /// JSON as it stands.
    Whole,
}

/// A line or a body that is longer than any answer.
#[derive(Debug, PartialEq)]
pub(super) struct TooLong;

impl Events {
    /// Takes bytes as they come, wherever they are split.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        self.buffer.drain(..self.at);
        self.searched -= self.at;
        self.at = 0;
        self.buffer.extend_from_slice(bytes);
        if self.shape == Shape::Unknown {
            let blank = self.buffer.iter().take_while(|byte| byte.is_ascii_whitespace());
            self.buffer.drain(..blank.count());
            let text = self.buffer.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.buffer);
            self.shape = match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
                Some(b'{' | b'[') => Shape::Whole,
                Some(_) if text.len() > 2 => Shape::Stream,
                _ => Shape::Unknown,
            };
        }
        if self.buffer.len() > MOST {
            return Err(TooLong);
        }
        Ok(())
    }

    /// The next event's data, if it is all there.
    pub(super) fn next(&mut self) -> Option<String> {
        if self.shape != Shape::Stream {
            return None;
        }
        while let Some(line) = self.line() {
            if line.is_empty() {
                if let Some(data) = self.data.take() {
                    return Some(data);
                }
                continue;
            }
            self.field(&line);
        }
        None
    }

    /// Whether the server does not stream.
    pub(super) fn is_whole(&self) -> bool {
        self.shape == Shape::Whole
    }

    /// What is left when the body has ended.
    pub(super) fn rest(mut self) -> Option<String> {
        if self.shape == Shape::Stream {
            self.buffer.extend_from_slice(b"\n\n");
            return self.next();
        }
        let text = String::from_utf8_lossy(&self.buffer[self.at..]);
        let text = text.trim_start_matches('\u{feff}').trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn field(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        // llama.cpp tells errors in a field of their own.
        if name.trim_start_matches('\u{feff}') != "data" && name != "error" {
            return;
        }
        let value = match name {
            "error" => format!("{{\"error\":{value}}}"),
            _ => value.to_owned(),
        };
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(&value);
            }
            None => self.data = Some(value),
        }
    }

    /// The next line without its end, which may be CR, LF or both.
    fn line(&mut self) -> Option<String> {
        let Some(found) = memchr::memchr2(b'\r', b'\n', &self.buffer[self.searched..]) else {
            self.searched = self.buffer.len();
            return None;
        };
        let end = self.searched + found;
        self.searched = end;
        let both = match (self.buffer[end], self.buffer.get(end + 1)) {
            (b'\r', Some(b'\n')) => 1,
            // The other half may be on its way.
            (b'\r', None) => return None,
            _ => 0,
        };
        let line = String::from_utf8_lossy(&self.buffer[self.at..end]).into_owned();
        self.at = end + 1 + both;
        self.searched = self.at;
        Some(line)
    }
}
