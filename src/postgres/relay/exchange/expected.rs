//! The replies that the server still owes, in their order (protocol chapter "Message Flow").

use std::{collections::VecDeque, sync::Arc};

use super::{names::Pending, sent::Sent};
use crate::wire::Fields;

/// A message of the client's, by what the server says to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::postgres::relay) enum ReplyTo {
    /// Any number of results, then `ReadyForQuery`.
    Query,
    /// `ParseComplete`.
    Parse,
    /// `BindComplete`.
    Bind,
    /// `ParameterDescription` perhaps, then `RowDescription` or `NoData`.
    Describe,
    /// Rows, then `CommandComplete`, `EmptyQueryResponse` or `PortalSuspended`.
    Execute,
    /// `CloseComplete`.
    Close,
    /// `ReadyForQuery`.
    Sync,
    /// `FunctionCallResponse`, then `ReadyForQuery`.
    FunctionCall,
    /// Nothing: `CopyDone` or `CopyFail`.
    CopyEnd,
}

/// What becomes of a reply.
#[derive(Debug, Clone, Default)]
pub(in crate::postgres::relay) enum Disposition {
    /// The client's own message: it gets the reply as it comes.
    #[default]
    Forward,
    /// Querent's own: the client hears of it only if it fails.
    Swallow,
    /// To what stands for a question.
    Asked(Arc<Sent>),
}

/// A reply that is owed.
#[derive(Debug)]
pub(in crate::postgres::relay) struct Reply {
    pub(in crate::postgres::relay) kind: ReplyTo,
    pub(in crate::postgres::relay) disposition: Disposition,
    /// What holds from then on.
    pub(in crate::postgres::relay) change: Option<Pending>,
    /// Notices of Querent's that come before it, unless the server passes over the message.
    notices: Vec<Fields>,
    /// How a Sync stands to the data of COPY.
    passed_over: PassedOver,
}

/// Whether the server takes a Sync for a part of COPY's data, and says nothing to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PassedOver {
    No,
    /// It was sent behind data, if there is a COPY that reads it.
    BehindData,
    /// Nobody knows, unless the COPY succeeds: the server may fail at data before it.
    Perhaps,
}

/// Why the server takes no command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::postgres::relay) enum Passing {
    /// After an error in the extended protocol it passes over everything up to Sync.
    ToSync,
    /// It reads the data of COPY.
    Copy,
}

/// The replies that are owed.
#[derive(Debug, Default)]
pub(super) struct Expected {
    queue: VecDeque<Reply>,
    /// After an error in the extended protocol the server passes over everything up to Sync.
    skipping: bool,
    /// The server reads COPY data: meanwhile it passes over Sync and Flush.
    copying: bool,
    /// It passed over the Sync of a pipeline in which it read them, and waits for another one.
    pub(super) unsynced: bool,
    /// Data was sent behind the last statement.
    data: bool,
    /// The server failed at data in a pipeline, and has come to a Sync behind it or not.
    skipping_perhaps: bool,
    /// The server said something that nobody asked for, or what it says next can be told no more.
    pub(super) lost: bool,
}

impl Reply {
    pub(in crate::postgres::relay) fn new(kind: ReplyTo, disposition: Disposition) -> Self {
        Self {
            kind,
            disposition,
            change: None,
            notices: vec![],
            passed_over: PassedOver::No,
        }
    }

    pub(in crate::postgres::relay) fn changing(self, change: Option<Pending>) -> Self {
        Self { change, ..self }
    }

    pub(super) fn telling(self, notices: Vec<Fields>) -> Self {
        Self { notices, ..self }
    }

    fn is_perhaps(&self) -> bool {
        self.passed_over == PassedOver::Perhaps
    }
}

impl Expected {
    /// A message goes to the server.
    pub(super) fn push(&mut self, mut reply: Reply) {
        self.lost |= self.skipping_perhaps;
        if self.lost {
            // It would never be taken off again.
            return;
        }
        match reply.kind {
            ReplyTo::Sync if self.skipping => self.skipping = false,
            _ if self.skipping => return,
            ReplyTo::Sync if self.copying && self.data => {
                reply.passed_over = PassedOver::Perhaps;
                self.queue.push_back(reply);
                return;
            }
            ReplyTo::Sync if self.copying => {
                self.unsynced |= self.is_in_pipeline();
                return;
            }
            ReplyTo::Sync if self.data => reply.passed_over = PassedOver::BehindData,
            ReplyTo::CopyEnd => {
                let pipelined = !self.queue.is_empty() && !self.copying;
                self.copying = false;
                self.data = false;
                if !pipelined {
                    return;
                }
            }
            ReplyTo::Query | ReplyTo::Execute => self.data = false,
            _ => {}
        }
        if ends_pipeline(reply.kind) {
            self.unsynced = false;
        }
        self.queue.push_back(reply);
    }

    /// Data of COPY goes to the server.
    pub(super) fn data(&mut self) {
        self.data = true;
    }

    /// True where what the server works on is part of a pipeline, and no Query of its own.
    fn is_in_pipeline(&self) -> bool {
        self.queue.front().is_some_and(|reply| !ends_pipeline(reply.kind))
    }

    /// Why the server takes no command before the client has said something more, if that is so.
    pub(super) fn waits_for_client(&self) -> Option<Passing> {
        if self.skipping {
            return Some(Passing::ToSync);
        }
        self.copying.then_some(Passing::Copy)
    }

    /// True if the server may or may not say `ReadyForQuery` to a Sync behind data at which it has failed.
    pub(super) fn is_in_doubt(&self) -> bool {
        self.skipping_perhaps || self.queue.front().is_some_and(Reply::is_perhaps)
    }

    /// True once nothing is owed.
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty() && !self.skipping && !self.copying
    }

    /// What the server works on: what costs next to nothing is passed over, for it may have been answered long ago.
    /// The server keeps its answers back until Sync or Flush.
    pub(super) fn at_work(&self) -> Option<&Reply> {
        let costs = |reply: &&Reply| {
            let runs = !matches!(
                reply.kind,
                ReplyTo::Parse | ReplyTo::Bind | ReplyTo::Describe | ReplyTo::Close
            );
            runs && !matches!(reply.disposition, Disposition::Swallow)
        };
        self.queue.iter().find(costs)
    }

    /// True if a question's SQL was sent and is not answered yet.
    pub(super) fn owes_answer(&self) -> bool {
        let mut runs = self
            .queue
            .iter()
            .filter(|reply| matches!(reply.kind, ReplyTo::Query | ReplyTo::Execute));
        runs.any(|reply| matches!(reply.disposition, Disposition::Asked(_)))
    }

    /// True while a `ReadyForQuery` is owed, which comes without more from the client.
    pub(super) fn owes_ready(&self) -> bool {
        let mut sure = self.queue.iter().filter(|reply| !reply.is_perhaps());
        sure.any(|reply| ends_pipeline(reply.kind))
    }

    pub(super) fn front(&self) -> Option<&Reply> {
        self.queue.front()
    }

    /// The server said something else than `ReadyForQuery`, as it does of its own accord.
    pub(super) fn said(&mut self) {
        while self.queue.front().is_some_and(Reply::is_perhaps) {
            self.queue.pop_front();
        }
    }

    /// What is to be told before the first reply that is owed.
    pub(super) fn untold(&mut self) -> Vec<Fields> {
        let front = self.queue.front_mut();
        front.map_or_else(Vec::new, |front| std::mem::take(&mut front.notices))
    }

    /// A statement has succeeded: if it read data, all of it.
    pub(super) fn succeeded(&mut self) {
        let before = self.queue.len();
        self.queue.retain(|reply| !reply.is_perhaps());
        self.unsynced |= self.queue.len() < before && self.is_in_pipeline() && !self.owes_ready();
    }

    /// The message of this kind has its reply.
    pub(super) fn pop(&mut self, kind: ReplyTo) -> (Disposition, Option<Pending>) {
        if self.queue.front().is_some_and(|front| front.kind == kind) {
            return self.take();
        }
        self.lost = true;
        (Disposition::Forward, None)
    }

    /// As [`Self::pop`] if the first reply owed is of this kind; else it is a part of the one that is.
    pub(super) fn pop_if(&mut self, kind: ReplyTo) -> (Disposition, Option<Pending>) {
        match self.queue.front() {
            Some(front) if front.kind == kind => self.take(),
            Some(front) => (front.disposition.clone(), None),
            None => (Disposition::Forward, None),
        }
    }

    /// `ErrorResponse`: in the extended protocol all that came before the next Sync has its answer.
    pub(super) fn failed(&mut self) -> Disposition {
        self.copying = false;
        let Some(front) = self.queue.front() else {
            return Disposition::Forward;
        };
        let disposition = front.disposition.clone();
        if matches!(front.kind, ReplyTo::Query | ReplyTo::FunctionCall | ReplyTo::Sync) {
            self.put_off_doubts(1);
        } else {
            while self
                .queue
                .front()
                .is_some_and(|reply| reply.kind != ReplyTo::Sync)
            {
                self.queue.pop_front();
            }
            self.put_off_doubts(0);
            self.skipping = self.queue.is_empty();
            self.skipping_perhaps = self.queue.front().is_some_and(Reply::is_perhaps);
            // What stands behind it is carried out or passed over.
            self.lost |= self.skipping_perhaps && self.queue.iter().any(|reply| !reply.is_perhaps());
        }
        disposition
    }

    /// Of the Syncs from here on, those that are answered for sure come first: how many answers come is all that counts.
    fn put_off_doubts(&mut self, from: usize) {
        let rest = self.queue.iter().skip(from);
        let count = rest.take_while(|reply| reply.kind == ReplyTo::Sync).count();
        let run = self.queue.make_contiguous();
        run[from..from + count].sort_by_key(Reply::is_perhaps);
    }

    /// `CopyInResponse`: from here to the end of the data the server passes over Sync.
    pub(super) fn copy_in(&mut self) {
        let mut syncs = 0;
        let behind = self.queue.iter().skip(1);
        for _ in behind.take_while(|reply| reply.kind == ReplyTo::Sync) {
            syncs += 1;
        }
        let next = self.queue.get(1 + syncs).map(|reply| reply.kind);
        self.copying = next.is_none();
        if next == Some(ReplyTo::CopyEnd) {
            self.queue.remove(1 + syncs);
        }
        let mut passed_over = false;
        for at in (1..=syncs).rev() {
            if self.queue[at].passed_over == PassedOver::No {
                passed_over |= self.queue.remove(at).is_some();
            } else {
                self.queue[at].passed_over = PassedOver::Perhaps;
            }
        }
        self.unsynced |= passed_over && self.is_in_pipeline() && !self.owes_ready();
    }

    /// `ReadyForQuery`.
    pub(super) fn ready(&mut self) -> Disposition {
        self.skipping_perhaps = false;
        match self.queue.front().map(|front| front.kind) {
            Some(ReplyTo::Query | ReplyTo::FunctionCall | ReplyTo::Sync) => self.take().0,
            None => Disposition::Forward,
            Some(_) => {
                self.lost = true;
                Disposition::Forward
            }
        }
    }

    fn take(&mut self) -> (Disposition, Option<Pending>) {
        let taken = self
            .queue
            .pop_front()
            .map(|reply| (reply.disposition, reply.change));
        while self
            .queue
            .front()
            .is_some_and(|reply| reply.kind == ReplyTo::CopyEnd)
        {
            self.queue.pop_front();
        }
        taken.unwrap_or_default()
    }
}

/// True for messages to which the server says `ReadyForQuery`.
fn ends_pipeline(kind: ReplyTo) -> bool {
    matches!(kind, ReplyTo::Query | ReplyTo::FunctionCall | ReplyTo::Sync)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left after a conversation: of the client's messages Q(uery), E(xecute), B(ind), S(ync), d(ata) and c(opy done), of
    /// the server's G (reads data), K (success), ! (error), Z and 2 (bound).
    fn after(conversation: &str) -> Expected {
        let mut expected = Expected::default();
        for letter in conversation.chars() {
            if matches!(letter, 'G' | 'K' | '!' | '2') {
                expected.said();
            }
            let mut say = |kind| expected.push(Reply::new(kind, Disposition::Forward));
            match letter {
                'Q' => say(ReplyTo::Query),
                'E' => say(ReplyTo::Execute),
                'B' => say(ReplyTo::Bind),
                'S' => say(ReplyTo::Sync),
                'c' => say(ReplyTo::CopyEnd),
                'd' => expected.data(),
                'G' => expected.copy_in(),
                'K' => {
                    expected.succeeded();
                    expected.pop_if(ReplyTo::Execute);
                }
                '!' => drop(expected.failed()),
                'Z' => drop(expected.ready()),
                '2' => drop(expected.pop(ReplyTo::Bind)),
                _ => {}
            }
        }
        expected
    }

    #[test]
    fn syncs_behind_copys_data_are_owed_as_it_ends() {
        let settled = [
            // All in one packet: the data is wrong, so that the server comes to each Sync, or had passed over the first.
            "QdSBS G!ZZ!Z",
            "QdSBS G!Z!Z",
            "QdSSBS G!ZZ2Z",
            "QdScSBS G!ZZ2Z",
            "QdS G!ZZ",
            "QdScS GKZZ",
            "QSdScS GKZZ",
            "Q GdSdcKZ",
            "Q GdSdc!Z QKZ",
            "E GdS!Z",
            "ESdcS GKZ",
            "ESdcS G!Z",
            "EdScS G!ZZ",
            "E GdScSKZ",
        ];
        for conversation in settled {
            let expected = after(conversation);
            assert!(
                !expected.lost && !expected.is_in_doubt(),
                "{conversation}: {expected:?}"
            );
            assert!(
                expected.is_empty() && !expected.unsynced,
                "{conversation}: {expected:?}"
            );
        }
        let doubtful = ["QdS G!Z", "Q GdS!Z", "EdS G!", "QdScS G!ZZ", "EdScS G!Z"];
        for conversation in doubtful {
            let expected = after(conversation);
            assert!(
                !expected.lost && expected.is_in_doubt(),
                "{conversation}: {expected:?}"
            );
        }
        // The server goes on with what is behind the Sync, or passes over it: it may say the same.
        for conversation in ["EdSBES G!", "E GdS!B", "E GdS!Q"] {
            assert!(after(conversation).lost, "{conversation}");
        }
        assert!(after("E GdSc K").unsynced);
    }
}
