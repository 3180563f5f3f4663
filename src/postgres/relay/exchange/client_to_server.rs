//! What the client says, on its way to the server.

use bytes::{Bytes, BytesMut};

use super::{
    Disposition, Exchange, LONGEST_HELD, LONGEST_READ, Pending, Reply, ReplyTo, begins::Begins, c_string,
    expected::Expected, header, names::Asks, shrink, skip,
};

/// How far the client's bytes have been read.
#[derive(Debug, Default)]
pub(super) struct ClientToServer {
    /// What has come and was not read yet.
    inbox: BytesMut,
    /// Bytes of the present frame that are still to come.
    passing: usize,
    /// True once a Bind that is too long to be read was told of; it goes on next.
    long_bind: bool,
    /// Messages of the extended protocol before their Sync or Flush. The server has nothing to say to them until
    /// then, and as long as it does not have them, Querent may speak first.
    held: BytesMut,
    /// The replies to them.
    held_replies: Vec<Reply>,
    /// The server has messages of the extended protocol without their Sync.
    pub(super) unsynced: bool,
    /// What of the client's ran since the last Sync, or will.
    pub(super) ran: Ran,
    /// A portal of the client's own was opened since, which may run functions, or a question has run.
    touched: bool,
    begins: Begins,
    /// The rows of a question in this pipeline are counted as they pass. Before something of the client's runs behind it,
    /// or the pipeline ends, its answer is waited for.
    counting: bool,
    /// No more will come.
    ended: bool,
}

/// What of the client's runs in a pipeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::postgres::relay) enum Ran {
    #[default]
    Nothing,
    /// `BEGIN` alone.
    Begin,
    Something,
}

/// What runs in a pipeline behind the present message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    /// Questions alone, up to Sync.
    Questions,
    /// Something else, or it does not end here.
    Others,
    /// It is not there yet.
    Cut,
}

/// Why reading stopped.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::postgres::relay) enum FrameEvent {
    /// There is no more.
    End,
    /// A frame that may ask, or is about a question: it has not gone on.
    Frame {
        /// The type byte.
        tag: u8,
        /// What follows the length.
        body: Bytes,
    },
    /// Bind of a statement that may ask, longer than what is read: it goes on next.
    LongBind {
        /// The statement's name.
        statement: Bytes,
    },
}

impl ClientToServer {
    /// True if nothing of the client's waits.
    pub(in crate::postgres::relay) fn is_empty(&self) -> bool {
        self.inbox.is_empty() && self.held.is_empty() && self.passing == 0
    }
}

impl Exchange {
    /// Takes bytes of the client's; what is for the server is appended to `to_server`. Stops before a frame that may
    /// ask; the rest is read by [`Self::go_on`].
    pub(in crate::postgres::relay) fn client_bytes(&mut self, input: &[u8]) -> FrameEvent {
        if self.client_to_server.inbox.is_empty() {
            let (used, event) = self.read_client(input);
            self.client_to_server.inbox.extend_from_slice(&input[used..]);
            event
        } else {
            self.client_to_server.inbox.extend_from_slice(input);
            self.go_on()
        }
    }

    /// Bytes that wait while something else goes on.
    pub(in crate::postgres::relay) fn keep(&mut self, input: &[u8]) {
        self.client_to_server.inbox.extend_from_slice(input);
    }

    /// How many bytes wait.
    pub(in crate::postgres::relay) fn ahead(&self) -> usize {
        self.client_to_server.inbox.len()
    }

    /// Reads what has come before.
    pub(in crate::postgres::relay) fn go_on(&mut self) -> FrameEvent {
        let mut inbox = std::mem::take(&mut self.client_to_server.inbox);
        let (used, event) = self.read_client(&inbox);
        skip(&mut inbox, used);
        shrink(&mut inbox);
        self.client_to_server.inbox = inbox;
        event
    }

    /// The client says no more: what is held goes on.
    pub(in crate::postgres::relay) fn client_ended(&mut self) -> FrameEvent {
        self.client_to_server.ended = true;
        let event = self.go_on();
        if event == FrameEvent::End {
            let rest = self.client_to_server.inbox.split();
            self.release();
            self.to_server.extend_from_slice(&rest);
        }
        event
    }

    fn read_client(&mut self, input: &[u8]) -> (usize, FrameEvent) {
        if self.blind {
            // What is held back comes first.
            self.release();
            self.to_server.extend_from_slice(input);
            return (input.len(), FrameEvent::End);
        }
        let mut at = self.client_to_server.passing.min(input.len());
        self.to_server.extend_from_slice(&input[..at]);
        self.client_to_server.passing -= at;
        while let Some((tag, length)) = header(&input[at..]) {
            if length == 0 {
                // Not a frame: the server will say so.
                self.release();
                self.blind = true;
                self.to_server.extend_from_slice(&input[at..]);
                return (input.len(), FrameEvent::End);
            }
            let frame = &input[at..input.len().min(at + length)];
            let complete = frame.len() == length;
            if self.is_read(tag, length) {
                if !complete {
                    break;
                }
                if self.concerns(tag, &frame[5..]) {
                    // What follows up to Sync decides how an Execute is guarded.
                    if tag == b'E'
                        && !self.client_to_server.ended
                        && self.follows(&input[at + length..]) == Follows::Cut
                    {
                        break;
                    }
                    // Whether Describe follows decides what the rows of a question that came with it look like.
                    if tag == b'B' && !self.client_to_server.ended && is_cut(&input[at + length..]) {
                        break;
                    }
                    let body = Bytes::copy_from_slice(&frame[5..]);
                    return (at + length, FrameEvent::Frame { tag, body });
                }
            }
            if tag == b'B' && length > LONGEST_READ && self.names.any() {
                let names = c_string(&frame[5..]).and_then(|(_, rest)| c_string(rest));
                match names {
                    Some((name, _))
                        if !self.client_to_server.long_bind && self.names.may_be_statement(name) =>
                    {
                        self.client_to_server.long_bind = true;
                        let statement = Bytes::copy_from_slice(name);
                        return (at, FrameEvent::LongBind { statement });
                    }
                    None if frame.len() < LONGEST_HELD && !self.client_to_server.ended => break,
                    _ => {}
                }
                self.client_to_server.long_bind = false;
            }
            at += frame.len();
            self.forward(tag, frame, length);
        }
        (at, FrameEvent::End)
    }

    /// True for a frame that is looked into once it is there.
    fn is_read(&self, tag: u8, length: usize) -> bool {
        length <= LONGEST_READ
            && match tag {
                b'Q' | b'P' => true,
                b'S' | b'F' => self.client_to_server.counting,
                b'E' => self.client_to_server.counting || self.names.any(),
                b'B' | b'D' | b'C' => self.names.any(),
                _ => false,
            }
    }

    /// True for a frame that may ask, or is about a question, whatever the server answers to those before it.
    fn concerns(&self, tag: u8, body: &[u8]) -> bool {
        let statement =
            |name: &[u8]| c_string(name).is_some_and(|(name, _)| self.names.may_be_statement(name));
        let portal = |name: &[u8]| c_string(name).is_some_and(|(name, _)| self.names.may_be_portal(name));
        match tag {
            b'E' | b'Q' | b'S' | b'F' if self.client_to_server.counting => true,
            b'Q' => self.names.any() || self.may_ask(body),
            b'P' => c_string(body).is_some_and(|(_, text)| {
                self.may_ask(text)
                    || runs_by_name(text)
                    || (self.names.any() && (may_name(text) || statement(body)))
            }),
            b'B' => portal(body) || c_string(body).is_some_and(|(_, rest)| statement(rest)),
            b'E' => portal(body),
            b'D' | b'C' => match body.split_first() {
                Some((b'S', name)) => statement(name),
                Some((b'P', name)) if tag == b'C' => portal(name),
                _ => false,
            },
            _ => false,
        }
    }

    /// False for a text that asks nothing in any reading: none of the words is in it.
    fn may_ask(&self, text: &[u8]) -> bool {
        contains_word(text, b"nl")
            || contains_word(text, b"querent")
            || (self.looked_for.function_name != "nl"
                && contains_word(text, self.looked_for.function_name.as_bytes()))
            || (self.looked_for.ask_keyword && contains_word(text, b"ask"))
            || (self.looked_for.model_views && contains_word(text, b"semantic"))
    }

    /// Sends on a frame that was thought about, as it is.
    pub(in crate::postgres::relay) fn pass(&mut self, tag: u8, body: &[u8]) {
        self.pass_changing(tag, body, None);
    }

    /// The same; once the server has carried it out, this holds of a name.
    pub(in crate::postgres::relay) fn pass_changing(
        &mut self,
        tag: u8,
        body: &[u8],
        change: Option<Pending>,
    ) {
        let mut frame = Vec::with_capacity(body.len() + 5);
        frame.push(tag);
        frame.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        frame.extend_from_slice(body);
        self.forward_changing(tag, &frame, frame.len(), change);
    }

    /// Sends a frame of the client's on; of a long one only the beginning may be there.
    fn forward(&mut self, tag: u8, frame: &[u8], length: usize) {
        self.forward_changing(tag, frame, length, None);
    }

    fn forward_changing(&mut self, tag: u8, frame: &[u8], length: usize, change: Option<Pending>) {
        let kind = match tag {
            b'P' => Some(ReplyTo::Parse),
            b'B' => Some(ReplyTo::Bind),
            b'D' => Some(ReplyTo::Describe),
            b'E' => Some(ReplyTo::Execute),
            b'C' => Some(ReplyTo::Close),
            b'Q' => Some(ReplyTo::Query),
            b'S' => Some(ReplyTo::Sync),
            b'F' => Some(ReplyTo::FunctionCall),
            b'c' | b'f' => Some(ReplyTo::CopyEnd),
            _ => None,
        };
        if matches!(tag, b'Q' | b'E') {
            self.statements += 1;
        }
        if matches!(tag, b'P' | b'B' | b'E') {
            let whole = frame.len() == length;
            if whole && tag != b'E' {
                self.client_to_server.begins.note(tag, &frame[5..]);
            }
            let portal = c_string(frame.get(5..).unwrap_or_default()).map(|(name, _)| name);
            let begins = portal.is_some_and(|portal| self.client_to_server.begins.opens(portal));
            if tag == b'B' {
                self.client_to_server.touched |= !(whole && begins);
            }
            if tag == b'E' {
                self.client_to_server.ran = match self.client_to_server.ran {
                    Ran::Nothing if whole && begins => Ran::Begin,
                    _ => Ran::Something,
                };
            }
        }
        self.terminated |= tag == b'X';
        if tag == b'd' {
            self.expected.data();
        }
        self.client_to_server.passing = length - frame.len();
        let reply = kind.map(|kind| Reply::new(kind, Disposition::Forward).changing(change));
        self.send(tag, frame, reply);
    }

    /// Sends a message; `reply` is what the server will say to it.
    pub(in crate::postgres::relay) fn send(&mut self, tag: u8, frame: &[u8], reply: Option<Reply>) {
        let reply = reply.map(|reply| match reply.kind {
            ReplyTo::Parse | ReplyTo::Query => reply.telling(std::mem::take(&mut self.untold)),
            _ => reply,
        });
        if matches!(tag, b'P' | b'B' | b'D' | b'E' | b'C') {
            self.client_to_server.held_replies.extend(reply);
            self.client_to_server.held.extend_from_slice(frame);
            if self.client_to_server.held.len() > LONGEST_HELD || self.client_to_server.passing > 0 {
                self.release();
            }
            return;
        }
        self.release();
        if let Some(reply) = reply {
            if matches!(reply.kind, ReplyTo::Sync | ReplyTo::Query | ReplyTo::FunctionCall) {
                self.client_to_server.unsynced = false;
                self.client_to_server.counting = false;
                self.client_to_server.ran = Ran::Nothing;
                self.client_to_server.touched = false;
                self.pipelines += 1;
            }
            self.expected.push(reply);
        }
        self.to_server.extend_from_slice(frame);
    }

    /// Lets the server say what it has to say of all that was sent before.
    pub(in crate::postgres::relay) fn flush(&mut self) {
        const FLUSH: [u8; 5] = [b'H', 0, 0, 0, 4];
        if self.client_to_server.held.is_empty() {
            self.to_server.extend_from_slice(&FLUSH);
        } else {
            self.client_to_server.held.extend_from_slice(&FLUSH);
        }
    }

    /// What of the client's runs in the same pipeline, before what comes next; questions are not counted.
    pub(in crate::postgres::relay) fn ran_before(&self) -> Ran {
        self.client_to_server.ran
    }

    /// True where the server works on what comes next behind something that may have changed the session, and has said
    /// nothing of that yet: it tells of settings only before `ReadyForQuery`.
    pub(in crate::postgres::relay) fn is_behind_others(&self) -> bool {
        self.client_to_server.ran == Ran::Something || self.client_to_server.touched || self.expected.unsynced
    }

    /// Whether something that may change the session comes before what is said next in this pipeline.
    pub(in crate::postgres::relay) fn touch(&mut self, touched: bool) -> bool {
        std::mem::replace(&mut self.client_to_server.touched, touched)
    }

    /// A question's Execute was sent whose rows are counted.
    pub(in crate::postgres::relay) fn counts_rows(&mut self) {
        self.client_to_server.counting = true;
    }

    /// True if such a question's answer was not waited for; it is from now on.
    pub(in crate::postgres::relay) fn take_counting(&mut self) -> bool {
        std::mem::take(&mut self.client_to_server.counting)
    }

    /// True if nothing but questions' portals runs until the end of the pipeline.
    pub(in crate::postgres::relay) fn only_questions_follow(&self) -> bool {
        self.follows(&self.client_to_server.inbox) == Follows::Questions
    }

    /// What the client's next messages run. Who sends Execute sends more: without Sync or Flush nothing comes back.
    fn follows(&self, next: &[u8]) -> Follows {
        let mut rest = next;
        loop {
            if next.len() - rest.len() > LONGEST_HELD {
                return Follows::Others;
            }
            let Some((tag, length)) = header(rest) else {
                return Follows::Cut;
            };
            match tag {
                b'S' => return Follows::Questions,
                b'E' if (6..=LONGEST_HELD).contains(&length) => {}
                _ => return Follows::Others,
            }
            let Some(body) = rest.get(5..length) else {
                return Follows::Cut;
            };
            let asks = c_string(body).and_then(|(name, _)| self.names.portal(name));
            if !matches!(asks, Some(Asks::Answered(_))) {
                return Follows::Others;
            }
            rest = &rest[length..];
        }
    }

    /// True if the client's next message asks what this portal returns.
    pub(in crate::postgres::relay) fn describes_next(&self, portal: &[u8]) -> bool {
        let next = &self.client_to_server.inbox;
        let Some((b'D', length)) = header(next) else {
            return false;
        };
        let target = next.get(5..length).and_then(<[u8]>::split_first);
        target.is_some_and(|(kind, name)| {
            *kind == b'P' && c_string(name).is_some_and(|(name, _)| name == portal)
        })
    }

    /// True if messages of the client's wait for their Sync or Flush.
    pub(super) fn holds_back(&self) -> bool {
        !self.client_to_server.held.is_empty()
    }

    /// Sends on what was held back.
    pub(in crate::postgres::relay) fn release(&mut self) {
        if self.client_to_server.held.is_empty() {
            return;
        }
        self.client_to_server.unsynced = true;
        self.to_server.extend_from_slice(&self.client_to_server.held);
        self.client_to_server.held.clear();
        shrink(&mut self.client_to_server.held);
        for reply in self.client_to_server.held_replies.drain(..) {
            Expected::push(&mut self.expected, reply);
        }
    }
}

/// True where nothing follows yet, or a Describe that is not there as a whole.
fn is_cut(rest: &[u8]) -> bool {
    header(rest).is_none_or(|(tag, length)| tag == b'D' && rest.len() < length && length <= LONGEST_READ)
}

/// True for a text that may run a statement or a cursor by its name, which may become a question's.
fn runs_by_name(text: &[u8]) -> bool {
    let word = text.trim_ascii_start();
    let starts = |with: &[u8]| {
        word.get(..with.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    starts(b"fetch") || starts(b"move") || contains_word(text, b"execute")
}

/// False for a statement that neither makes nor uses a name: `SELECT` and the like.
fn may_name(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let length = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let plain: [&[u8]; 5] = [b"select", b"insert", b"update", b"delete", b"with"];
    !plain.iter().any(|word| text[..length].eq_ignore_ascii_case(word))
}

/// Looks for a word, letter case ignored, wherever it stands.
fn contains_word(text: &[u8], word: &[u8]) -> bool {
    let Some((&first, rest)) = word.split_first() else {
        return true;
    };
    memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), text).any(|at| {
        text.get(at + 1..at + word.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(rest))
    })
}
