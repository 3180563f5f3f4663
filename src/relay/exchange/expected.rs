//! The replies that the server still owes, in their order (protocol chapter "Message Flow").

use std::{collections::VecDeque, sync::Arc};

use super::sent::Sent;

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
#[derive(Debug, Clone)]
pub(in crate::relay) struct Reply {
    pub(in crate::relay) kind: Kind,
    pub(in crate::relay) fate: Fate,
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
    /// The server said something that nobody asked for.
    pub(super) lost: bool,
}

impl Reply {
    pub(in crate::relay) fn forward(kind: Kind) -> Self {
        Self {
            kind,
            fate: Fate::Forward,
        }
    }
}

impl Expected {
    /// A message goes to the server.
    pub(super) fn push(&mut self, reply: Reply) {
        match reply.kind {
            Kind::Sync if self.skipping => self.skipping = false,
            _ if self.skipping => return,
            Kind::Sync if self.copying => return,
            Kind::CopyEnd => {
                let pipelined = !self.queue.is_empty() && !self.copying;
                self.copying = false;
                if !pipelined {
                    return;
                }
            }
            _ => {}
        }
        self.queue.push_back(reply);
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

    pub(super) fn front(&self) -> Option<&Reply> {
        self.queue.front()
    }

    /// The message of this kind has its reply.
    pub(super) fn pop(&mut self, kind: Kind) -> Fate {
        if self.queue.front().is_some_and(|front| front.kind == kind) {
            return self.take();
        }
        self.lost = true;
        Fate::Forward
    }

    /// As [`Self::pop`] if the first reply owed is of this kind; else it is a part of the one that is.
    pub(super) fn pop_if(&mut self, kind: Kind) -> Fate {
        match self.queue.front() {
            Some(front) if front.kind == kind => self.take(),
            Some(front) => front.fate.clone(),
            None => Fate::Forward,
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
        let behind = end.unwrap_or(self.queue.len());
        self.queue.retain(|reply| {
            let ignored = (at > 0 && at < behind && reply.kind == Kind::Sync) || Some(at) == end;
            at += 1;
            !ignored
        });
    }

    /// `ReadyForQuery`.
    pub(super) fn ready(&mut self) -> Fate {
        match self.queue.front().map(|front| front.kind) {
            Some(Kind::Query | Kind::FunctionCall | Kind::Sync) => self.take(),
            None => Fate::Forward,
            Some(_) => {
                self.lost = true;
                Fate::Forward
            }
        }
    }

    fn take(&mut self) -> Fate {
        let fate = self.queue.pop_front().map(|reply| reply.fate).unwrap_or_default();
        while self
            .queue
            .front()
            .is_some_and(|reply| reply.kind == Kind::CopyEnd)
        {
            self.queue.pop_front();
        }
        fate
    }
}
