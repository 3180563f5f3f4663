//! What the server says, on its way to the client.

use std::sync::Arc;

use bytes::BytesMut;

use super::{
    Disposition, Exchange, LONGEST_READ, Limit, OverLimit, Reply, ReplyTo, Sent, StatementOrigin, c_string,
    fields, header, shrink, skip,
};
use crate::{
    error::SqlState,
    service::audit::End,
    wire::{Encoding, Fields},
};

/// How far the server's bytes have been read.
#[derive(Debug, Default)]
pub(super) struct ServerToClient {
    /// Bytes of the present frame that are still to come.
    passing: usize,
    /// Whether they go on to the client.
    forwarding: bool,
    /// The beginning of a frame that is read as a whole.
    carry: BytesMut,
    /// What is told once the present frame has passed.
    told: BytesMut,
    /// Results of the present Query that are complete.
    completed: usize,
    /// A question's result has become too large.
    over: Option<OverLimit>,
    /// The client was told that it did, though the server has not failed: it hears no more of what was said up to Sync.
    failed: bool,
}

impl ServerToClient {
    pub(super) fn is_between_frames(&self) -> bool {
        self.passing == 0 && self.carry.is_empty()
    }
}

impl Exchange {
    /// Takes bytes of the server's; what is for the client is appended to `to_client`.
    pub fn server_bytes(&mut self, input: &[u8]) {
        if self.blind {
            // The beginning of a frame may have come before.
            self.to_client.unsplit(self.server_to_client.carry.split());
            self.to_client.extend_from_slice(input);
            return;
        }
        if self.server_to_client.carry.is_empty() {
            let used = self.read_server(input);
            self.server_to_client.carry.extend_from_slice(&input[used..]);
        } else {
            let mut carry = std::mem::take(&mut self.server_to_client.carry);
            carry.extend_from_slice(input);
            let used = self.read_server(&carry);
            skip(&mut carry, used);
            shrink(&mut carry);
            self.server_to_client.carry = carry;
        }
    }

    /// The bytes that have been used; the rest is the beginning of a frame.
    fn read_server(&mut self, input: &[u8]) -> usize {
        let mut at = self.pass_server(input);
        if self.server_to_client.passing == 0 && !self.server_to_client.told.is_empty() {
            self.to_client
                .unsplit(std::mem::take(&mut self.server_to_client.told));
        }
        // What goes on as it is, is copied in one piece.
        let mut run = at;
        while let Some((tag, length)) = header(&input[at..]) {
            if length == 0 {
                self.blind = true;
                self.to_client.extend_from_slice(&input[run..]);
                return input.len();
            }
            if !matches!(tag, b'Z' | b'N' | b'S' | b'A' | b'K') {
                self.expected.said();
            }
            if !matches!(tag, b'D' | b'Z' | b'N' | b'S' | b'A' | b'K') {
                let untold = self.expected.untold();
                if !untold.is_empty() {
                    self.to_client.extend_from_slice(&input[run..at]);
                    run = at;
                    for told in &untold {
                        fields::put(told, self.encoding, &mut self.to_client);
                    }
                }
            }
            let whole = matches!(tag, b'Z' | b'E' | b'N' | b'S' | b'K' | b'C') && length <= LONGEST_READ;
            if whole {
                self.to_client.extend_from_slice(&input[run..at]);
                let Some(frame) = input.get(at..at + length) else {
                    return at;
                };
                self.server_frame(tag, frame);
                at += length;
                run = at;
                continue;
            }
            let forwarded = self.reply(tag, length);
            let here = length.min(input.len() - at);
            if !forwarded {
                self.to_client.extend_from_slice(&input[run..at]);
                run = at + here;
            }
            at += here;
            self.server_to_client.passing = length - here;
            self.server_to_client.forwarding = forwarded;
        }
        self.to_client.extend_from_slice(&input[run..at]);
        at
    }

    /// The rest of a frame whose beginning has passed.
    fn pass_server(&mut self, input: &[u8]) -> usize {
        let here = self.server_to_client.passing.min(input.len());
        if self.server_to_client.forwarding {
            self.to_client.extend_from_slice(&input[..here]);
        }
        self.server_to_client.passing -= here;
        here
    }

    /// A frame that is not looked into; false if the client must not see it.
    fn reply(&mut self, tag: u8, length: usize) -> bool {
        if matches!(tag, b'T' | b'D') && self.speaks_for_itself() {
            return false;
        }
        let disposition = match tag {
            b'D' => {
                if let Some(Disposition::Asked(sent)) = self.expected.front().map(|reply| &reply.disposition)
                {
                    if self.server_to_client.over.is_none()
                        && sent.origin(self.server_to_client.completed) == StatementOrigin::Asked
                    {
                        self.server_to_client.over = sent.count_row(self.server_to_client.completed, length);
                    }
                    return self.server_to_client.over.is_none() && !self.server_to_client.failed;
                }
                return !self.server_to_client.failed;
            }
            b'1' => self.done(ReplyTo::Parse),
            b'2' => self.done(ReplyTo::Bind),
            b'3' => self.done(ReplyTo::Close),
            b'n' => self.done(ReplyTo::Describe),
            b's' => {
                let disposition = self.done(ReplyTo::Execute);
                if let Disposition::Asked(sent) = &disposition {
                    if self.withheld(sent, self.server_to_client.completed) {
                        return false;
                    }
                    sent.ended(self.server_to_client.completed, End::Left, None);
                }
                disposition
            }
            b'T' => self.expected.pop_if(ReplyTo::Describe).0,
            b'I' => self.expected.pop_if(ReplyTo::Execute).0,
            b'G' => {
                self.expected.copy_in();
                if self.server_to_client.failed {
                    // The client does not know that it is to send rows.
                    const COPY_FAIL: [u8; 6] = [b'f', 0, 0, 0, 5, 0];
                    self.send(
                        b'f',
                        &COPY_FAIL,
                        Some(Reply::new(ReplyTo::CopyEnd, Disposition::Swallow)),
                    );
                }
                return !self.server_to_client.failed;
            }
            b'H' | b'd' | b'c' if self.server_to_client.failed => return false,
            _ => {
                return !matches!(self.expected.front().map(|reply| &reply.disposition), Some(Disposition::Swallow) if tag == b't');
            }
        };
        !matches!(disposition, Disposition::Swallow) && !self.server_to_client.failed
    }

    /// The server has carried out the message of this kind that was next.
    fn done(&mut self, kind: ReplyTo) -> Disposition {
        let (disposition, change) = self.expected.pop(kind);
        if let Some(change) = change {
            self.names.confirm(&change);
        }
        disposition
    }

    /// A frame that is there as a whole.
    fn server_frame(&mut self, tag: u8, frame: &[u8]) {
        let body = &frame[5..];
        match tag {
            b'Z' => self.ready(frame),
            b'E' => self.server_error(frame),
            b'N' => {
                if !(self.speaks_for_itself() && fields::sqlstate(body) == Some(b"25P01")) {
                    self.to_client.extend_from_slice(frame);
                }
            }
            b'S' => {
                self.parameter_status(body);
                self.to_client.extend_from_slice(frame);
            }
            b'K' => {
                if let Some((process, secret)) = body.split_first_chunk::<4>() {
                    self.key = Some((u32::from_be_bytes(*process), secret.to_vec()));
                }
                self.to_client.extend_from_slice(frame);
            }
            _ => self.complete(frame),
        }
    }

    /// True while the server answers a statement of Querent's.
    fn speaks_for_itself(&self) -> bool {
        match self.expected.front().map(|reply| &reply.disposition) {
            Some(Disposition::Swallow) => true,
            Some(Disposition::Asked(sent)) => {
                sent.origin(self.server_to_client.completed) == StatementOrigin::Hidden
            }
            _ => false,
        }
    }

    /// `ReadyForQuery`.
    fn ready(&mut self, frame: &[u8]) {
        self.status = frame.get(5).copied().unwrap_or(b'I');
        self.server_to_client.completed = 0;
        self.server_to_client.over = None;
        if self.server_to_client.failed && self.status == b'T' {
            // The client hears how that ends.
            self.expected.ready();
            self.fail_transaction();
            return;
        }
        self.server_to_client.failed = false;
        if !matches!(self.expected.ready(), Disposition::Swallow) {
            self.to_client.extend_from_slice(frame);
        }
        if self.status == b'I' {
            self.names.transaction_ended();
        }
        if self.expected.is_empty() {
            self.failures.forget();
        }
    }

    /// `CommandComplete`.
    fn complete(&mut self, frame: &[u8]) {
        self.expected.succeeded();
        if frame[5..].starts_with(b"DISCARD ALL") {
            self.names.discarded();
        } else if frame[5..].starts_with(b"DEALLOCATE ALL") {
            self.names.deallocated();
        }
        // Results are counted within a Query; of an Execute there is one.
        let of_query = self
            .expected
            .front()
            .is_some_and(|reply| reply.kind == ReplyTo::Query);
        let (disposition, change) = self.expected.pop_if(ReplyTo::Execute);
        if let Some(change) = change {
            self.names.confirm(&change);
        }
        let told = match disposition {
            Disposition::Forward => Some(frame),
            Disposition::Swallow => None,
            Disposition::Asked(sent) => {
                let answered = self.server_to_client.completed;
                let origin = sent.origin(answered);
                self.server_to_client.completed += usize::from(of_query);
                for change in sent.changes_of(answered) {
                    self.names.confirm(change);
                }
                if origin == StatementOrigin::Asked && self.withheld(&sent, answered) {
                    return;
                }
                sent.ended(answered, End::Done, Some(rows_of(&frame[5..])));
                origin.told(frame)
            }
        };
        if let Some(told) = told.filter(|_| !self.server_to_client.failed) {
            self.to_client.extend_from_slice(told);
        }
    }

    /// True if the result was complete before the server could be stopped, but not all of it went on: the client is
    /// told why.
    fn withheld(&mut self, sent: &Sent, answered: usize) -> bool {
        if self.server_to_client.failed {
            return false;
        }
        let Some(over) = self.server_to_client.over.take() else {
            return false;
        };
        self.over_limit(over, sent.limit(answered), Some(sent), answered);
        self.server_to_client.failed = true;
        true
    }

    /// The client was told of an error that the server knows nothing of, and this was its last word: its transaction has
    /// failed for it, too.
    fn fail_transaction(&mut self) {
        // A column that nobody has.
        let text = format!("SELECT {}\0", self.own.as_str());
        let length = text.len() as u32 + 4;
        let frame = [&b"Q"[..], &length.to_be_bytes(), text.as_bytes()].concat();
        self.expected
            .push(Reply::new(ReplyTo::Query, Disposition::Forward));
        self.to_server.extend_from_slice(&frame);
    }

    /// True if the client was told that a question has failed, and the server does not know.
    pub(in crate::postgres::relay) fn hides_failure(&self) -> bool {
        self.server_to_client.failed
    }

    /// `ErrorResponse`.
    fn server_error(&mut self, frame: &[u8]) {
        let body = &frame[5..];
        let at_work = self.at_work();
        let disposition = self.expected.failed();
        if self.server_to_client.failed && !fields::is_fatal(body) {
            // The server was stopped in what the client hears nothing of.
            return;
        }
        if let Some(told) = self.failures.told_instead(body) {
            self.errors.push(told.sqlstate);
            fields::put(&told, self.encoding, &mut self.to_client);
            return;
        }
        let answered = self.server_to_client.completed;
        let asked = match &disposition {
            // Who it was that failed is known from what has come before.
            Disposition::Asked(sent) if sent.origin(answered) == StatementOrigin::Asked => {
                Some(Arc::clone(sent))
            }
            _ => at_work,
        };
        let over = self.server_to_client.over.take();
        if let Some((over, limit)) = self.own.passed(body) {
            self.over_limit(over, limit, asked.as_deref(), answered);
            return;
        }
        if let (Some(over), Some(sent)) = (over, &asked)
            && fields::sqlstate(body) == Some(b"57014")
        {
            self.over_limit(over, sent.limit(answered), Some(sent), answered);
            return;
        }
        if let Disposition::Asked(sent) = &disposition
            && sent.origin(answered) == StatementOrigin::Asked
            && !sent.limit(answered).time.is_zero()
            && fields::is_statement_timeout(body)
        {
            self.over_limit(OverLimit::Time, sent.limit(answered), Some(sent), answered);
            return;
        }
        let state = fields::sqlstate(body).and_then(|state| std::str::from_utf8(state).ok());
        self.errors.extend(state.map(SqlState::new));
        if let Disposition::Asked(sent) = disposition {
            sent.ended(answered, End::Failed(state.unwrap_or("XX000")), None);
            if fields::put_relocated(body, &sent, self.encoding, &mut self.to_client) {
                return;
            }
        }
        self.to_client.extend_from_slice(frame);
    }

    /// Tells that a question's result has passed this bound.
    fn over_limit(&mut self, over: OverLimit, limit: Limit, asked: Option<&Sent>, answered: usize) {
        let told = super::failure::over_limit(over, limit);
        if let Some(sent) = asked {
            sent.ended(answered, End::Failed(&told.sqlstate), None);
        }
        fields::put(&told, self.encoding, &mut self.to_client);
        self.errors.push(told.sqlstate);
    }

    /// Nothing more will come: the question that is being answered stays as it is.
    pub(in crate::postgres::relay) fn leave(&mut self) {
        if let Some(sent) = self.at_work() {
            sent.ended(self.server_to_client.completed, End::Left, None);
        }
    }

    /// The question that the server works on, as far as is known.
    fn at_work(&self) -> Option<Arc<Sent>> {
        match self.expected.at_work().map(|reply| &reply.disposition) {
            Some(Disposition::Asked(sent)) if sent.only_questions_left(self.server_to_client.completed) => {
                Some(Arc::clone(sent))
            }
            _ => None,
        }
    }

    /// True while the server works on what stands for a question.
    pub(in crate::postgres::relay) fn is_answering(&self) -> bool {
        self.at_work().is_some()
    }

    /// True until the server has answered all questions that it has.
    pub(in crate::postgres::relay) fn owes_answer(&self) -> bool {
        self.expected.owes_answer()
    }

    /// The time that the present question's SQL may take, if a question is being answered.
    pub(in crate::postgres::relay) fn answering(&self) -> Option<std::time::Duration> {
        let limit = self.at_work()?.limit(self.server_to_client.completed).time;
        (!limit.is_zero()).then_some(limit)
    }

    /// The question that is being answered takes too long.
    pub(in crate::postgres::relay) fn took_too_long(&mut self) {
        self.server_to_client.over.get_or_insert(OverLimit::Time);
    }

    /// Which bound the present result has passed.
    pub(in crate::postgres::relay) fn is_over(&self) -> Option<OverLimit> {
        self.server_to_client.over
    }

    /// A frame that has nothing to do with what is going on, such as a notification.
    pub(in crate::postgres::relay) fn aside(&mut self, frame: &[u8]) {
        match frame[0] {
            b'S' => self.parameter_status(&frame[5..]),
            b'E' => self.parted = true,
            _ => {}
        }
        self.to_client.extend_from_slice(frame);
    }

    /// Says something of Querent's own to the client, between the server's messages.
    pub(in crate::postgres::relay) fn tell(&mut self, told: &Fields) {
        if self.blind {
            // Nobody knows where a message ends.
        } else if self.server_to_client.passing > 0 && self.server_to_client.forwarding {
            fields::put(told, self.encoding, &mut self.server_to_client.told);
        } else {
            fields::put(told, self.encoding, &mut self.to_client);
        }
    }

    /// Says of a question what the client is to hear: now, or, where the server may pass over it for something that was said
    /// before, once it is known that it does not.
    pub(in crate::postgres::relay) fn tell_of_question(&mut self, told: Fields, safe: bool) {
        if safe && !self.holds_back() {
            self.tell(&told);
        } else {
            self.untold.push(told);
        }
    }

    /// Says why the session ends, unless the server has said it.
    pub(in crate::postgres::relay) fn part(&mut self, told: &Fields) {
        let cut = self.blind || (self.server_to_client.passing > 0 && self.server_to_client.forwarding);
        if !std::mem::replace(&mut self.parted, true) && !cut {
            fields::put(told, self.encoding, &mut self.to_client);
        }
    }

    fn parameter_status(&mut self, body: &[u8]) {
        let Some((name, rest)) = c_string(body) else {
            return;
        };
        let Some((value, _)) = c_string(rest) else {
            return;
        };
        match name {
            b"client_encoding" => {
                self.encoding = Encoding::named(value);
                let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
                let name = Some(value).filter(|value| value.iter().all(plain));
                self.encoding_name = String::from_utf8_lossy(name.unwrap_or_default()).into_owned();
            }
            b"application_name" => {
                self.application_name = String::from_utf8_lossy(value).into_owned();
            }
            b"standard_conforming_strings" => self.standard_conforming_strings = value == b"on",
            _ => {}
        }
    }

    /// What the server has said of a frame that is not there as a whole yet: where an own conversation with it goes on.
    pub(in crate::postgres::relay) fn server_carry(&mut self) -> &mut BytesMut {
        &mut self.server_to_client.carry
    }
}

/// The rows that the tag of a command tells of; 0 if it tells of none.
fn rows_of(tag: &[u8]) -> u64 {
    let tag = tag.strip_suffix(b"\0").unwrap_or(tag);
    let number = tag.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    std::str::from_utf8(number)
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}
