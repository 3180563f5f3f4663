//! The replies that the server still owes, in their order (protocol chapter "Message Flow").

use std::{collections::VecDeque, sync::Arc};

use super::{names::Pending, sent::Sent};

/// A message of the client's, by what the server says to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::relay) enum Kind {
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
pub(in crate::relay) enum Fate {
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
pub(in crate::relay) struct Reply {
    pub(in crate::relay) kind: Kind,
    pub(in crate::relay) fate: Fate,
    /// What holds from then on.
    pub(in crate::relay) change: Option<Pending>,
}

/// Why the server takes no command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::relay) enum Passing {
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
    /// The server said something that nobody asked for.
    pub(super) lost: bool,
}

impl Reply {
    pub(in crate::relay) fn new(kind: Kind, fate: Fate) -> Self {
        Self {
            kind,
            fate,
            change: None,
        }
    }

    pub(in crate::relay) fn changing(self, change: Option<Pending>) -> Self {
        Self { change, ..self }
    }
}

impl Expected {
    /// A message goes to the server.
    pub(super) fn push(&mut self, reply: Reply) {
        match reply.kind {
            Kind::Sync if self.skipping => self.skipping = false,
            _ if self.skipping => return,
            Kind::Sync if self.copying => {
                self.unsynced |= self.is_in_pipeline();
                return;
            }
            Kind::CopyEnd => {
                let pipelined = !self.queue.is_empty() && !self.copying;
                self.copying = false;
                if !pipelined {
                    return;
                }
            }
            _ => {}
        }
        if ends_pipeline(reply.kind) {
            self.unsynced = false;
        }
        self.queue.push_back(reply);
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
                Kind::Parse | Kind::Bind | Kind::Describe | Kind::Close
            );
            runs && !matches!(reply.fate, Fate::Swallow)
        };
        self.queue.iter().find(costs)
    }

    /// True if a question's SQL was sent and is not answered yet.
    pub(super) fn owes_answer(&self) -> bool {
        let mut runs = self
            .queue
            .iter()
            .filter(|reply| matches!(reply.kind, Kind::Query | Kind::Execute));
        runs.any(|reply| matches!(reply.fate, Fate::Asked(_)))
    }

    /// True while a `ReadyForQuery` is owed, which comes without more from the client.
    pub(super) fn owes_ready(&self) -> bool {
        self.queue.iter().any(|reply| ends_pipeline(reply.kind))
    }

    pub(super) fn front(&self) -> Option<&Reply> {
        self.queue.front()
    }

    /// The message of this kind has its reply.
    pub(super) fn pop(&mut self, kind: Kind) -> (Fate, Option<Pending>) {
        if self.queue.front().is_some_and(|front| front.kind == kind) {
            return self.take();
        }
        self.lost = true;
        (Fate::Forward, None)
    }

    /// As [`Self::pop`] if the first reply owed is of this kind; else it is a part of the one that is.
    pub(super) fn pop_if(&mut self, kind: Kind) -> (Fate, Option<Pending>) {
        match self.queue.front() {
            Some(front) if front.kind == kind => self.take(),
            Some(front) => (front.fate.clone(), None),
            None => (Fate::Forward, None),
        }
    }

    /// `ErrorResponse`: in the extended protocol all that came before the next Sync has its answer.
    pub(super) fn failed(&mut self) -> Fate {
        self.copying = false;
        let Some(front) = self.queue.front() else {
            return Fate::Forward;
        };
        let fate = front.fate.clone();
        if !matches!(front.kind, Kind::Query | Kind::FunctionCall | Kind::Sync) {
            while self.queue.front().is_some_and(|reply| reply.kind != Kind::Sync) {
                self.queue.pop_front();
            }
            self.skipping = self.queue.is_empty();
        }
        fate
    }

    /// `CopyInResponse`: from here to the end of the data the server passes over Sync.
    pub(super) fn copy_in(&mut self) {
        let end = self.queue.iter().position(|reply| reply.kind == Kind::CopyEnd);
        self.copying = end.is_none();
        let mut at = 0;
        let mut passed_over = false;
        let behind = end.unwrap_or(self.queue.len());
        self.queue.retain(|reply| {
            let is_sync = at > 0 && at < behind && reply.kind == Kind::Sync;
            let ignored = is_sync || Some(at) == end;
            passed_over |= is_sync;
            at += 1;
            !ignored
        });
        self.unsynced |= passed_over && self.is_in_pipeline() && !self.owes_ready();
    }

    /// `ReadyForQuery`.
    pub(super) fn ready(&mut self) -> Fate {
        match self.queue.front().map(|front| front.kind) {
            Some(Kind::Query | Kind::FunctionCall | Kind::Sync) => self.take().0,
            None => Fate::Forward,
            Some(_) => {
                self.lost = true;
                Fate::Forward
            }
        }
    }

    fn take(&mut self) -> (Fate, Option<Pending>) {
        let taken = self.queue.pop_front().map(|reply| (reply.fate, reply.change));
        while self
            .queue
            .front()
            .is_some_and(|reply| reply.kind == Kind::CopyEnd)
        {
            self.queue.pop_front();
        }
        taken.unwrap_or_default()
    }
}

/// True for messages to which the server says `ReadyForQuery`.
fn ends_pipeline(kind: Kind) -> bool {
    matches!(kind, Kind::Query | Kind::FunctionCall | Kind::Sync)
}
