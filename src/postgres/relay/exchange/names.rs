//! Which prepared statements and portals are a question's.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use super::{Limit, Recorded, Tally};
use crate::postgres::relay::bound::Prepared;

/// What a name stands for.
#[derive(Debug, Clone)]
pub(in crate::postgres::relay) enum Asks {
    /// An answered question.
    Answered(Answered),
    /// `nl($n)`: the question comes with Bind.
    AtBind(Arc<Late>),
    /// A statement of SQL that has to do with names: what it does is known when it runs.
    ByName(Arc<ByName>),
    /// A SHOW of Querent's own setting.
    Shown,
}

impl Asks {
    /// The same for a portal of it.
    pub(in crate::postgres::relay) fn opened(self) -> Self {
        match self {
            Self::Answered(answered) => Self::Answered(Answered {
                tally: Arc::default(),
                ..answered
            }),
            other => other,
        }
    }
}

/// What a statement of SQL does with names when it runs.
#[derive(Debug, Clone)]
pub(in crate::postgres::relay) enum ByName {
    /// `EXECUTE`: it runs what the statement of this name is then.
    Execute(Vec<u8>),
    /// `EXPLAIN … CREATE TABLE … AS EXECUTE`: it would store what the statement of this name returns then.
    Stores(Vec<u8>),
    /// `FETCH` and `MOVE`: it runs what the portal of this name is then.
    Fetch(Vec<u8>),
    /// It makes or forgets a name.
    Changes(Change),
    /// It makes a cursor whose rows are made when the transaction ends.
    Holds(Change),
    /// It makes none: a client's own statement that writes what this question reads.
    Writes(Answered),
}

impl Asks {
    /// The question that was answered for it, if there is one.
    pub(in crate::postgres::relay) fn question(&self) -> Option<&Answered> {
        match self {
            Self::Answered(answered) => Some(answered),
            Self::ByName(by_name) => by_name.question(),
            Self::AtBind(_) | Self::Shown => None,
        }
    }
}

impl ByName {
    /// The question in the statement itself, if there is one.
    pub(in crate::postgres::relay) fn question(&self) -> Option<&Answered> {
        match self {
            Self::Writes(answered) => Some(answered),
            Self::Changes(Change::Statement(_, asks) | Change::Portal(_, asks))
            | Self::Holds(Change::Statement(_, asks) | Change::Portal(_, asks)) => {
                asks.as_ref().and_then(Asks::question)
            }
            Self::Execute(_) | Self::Stores(_) | Self::Fetch(_) => None,
        }
    }
}

/// What a name is from now on; `None` for nothing of a question's.
#[derive(Debug, Clone)]
pub(in crate::postgres::relay) enum Change {
    Statement(Vec<u8>, Option<Asks>),
    Portal(Vec<u8>, Option<Asks>),
}

/// A change of a name, held by what the server has to answer before it has come about. Dropped, it never does.
#[derive(Debug)]
pub(in crate::postgres::relay) struct Pending(Arc<()>);

/// What is known of an answered question.
#[derive(Debug, Clone)]
pub(in crate::postgres::relay) struct Answered {
    /// What its result may come to, as far as the server does not see to that.
    pub(in crate::postgres::relay) limit: Limit,
    /// What has come of it. Of a statement nothing: each of its portals has a result of its own.
    pub(in crate::postgres::relay) tally: Arc<Tally>,
    /// Whether it reads what runs expressions of the database's own, so that it must not run unguarded.
    pub(in crate::postgres::relay) runs_code: bool,
    /// Which policy it was answered under (`conversation::ConfigSnapshot::policy`).
    pub(in crate::postgres::relay) policy: u64,
    /// The catalogue that it was judged by; none for what is the same whatever the database holds.
    pub(in crate::postgres::relay) catalog: Option<Arc<str>>,
    /// The tables and views that it reads, as SQL names them.
    pub(in crate::postgres::relay) relations: Arc<[String]>,
    /// The pipeline in which it was judged ([`super::Exchange::pipelines`]).
    pub(in crate::postgres::relay) judged_in: u64,
    /// As the audit knows it.
    pub(in crate::postgres::relay) recorded: Recorded,
    /// How the client prepared it, where its text brought the question.
    pub(in crate::postgres::relay) prepared: Option<Arc<Prepared>>,
}

/// A statement whose question comes with Bind.
#[derive(Debug)]
pub(in crate::postgres::relay) struct Late {
    /// The client's text.
    pub(in crate::postgres::relay) text: String,
    /// The types that it declared.
    pub(in crate::postgres::relay) types: Vec<u32>,
    /// What the server has under the name until the question is there.
    pub(in crate::postgres::relay) stand_in: Vec<u8>,
    /// What it returns depends on the question: until that is there, each row is described as one value.
    pub(in crate::postgres::relay) by_row: bool,
    /// What has become of it since.
    pub(in crate::postgres::relay) state: Mutex<LateState>,
}

/// What has become of a statement whose question comes with Bind.
#[derive(Debug, Default)]
pub(in crate::postgres::relay) struct LateState {
    /// The server has an answer under its name.
    pub(in crate::postgres::relay) answered: bool,
    pub(in crate::postgres::relay) told: Described,
}

/// What the client was last told that a statement returns.
#[derive(Debug, Clone, Default)]
pub(in crate::postgres::relay) enum Described {
    #[default]
    Nothing,
    /// What stands in for it returns.
    StandIn,
    /// What this SQL returns.
    Answer(String),
}

impl Late {
    /// What has become of it.
    pub(in crate::postgres::relay) fn state(&self) -> MutexGuard<'_, LateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Names of prepared statements and of portals, those of SQL included. PostgreSQL has one space for each.
///
/// What a message does to a name holds once the server has carried it out. Until then it is pending: the messages
/// behind it find it, because the server passes over them if it fails, up to the end of the pipeline.
#[derive(Debug, Default)]
pub(in crate::postgres::relay) struct Names {
    statements: HashMap<Vec<u8>, Asks>,
    portals: HashMap<Vec<u8>, Asks>,
    pending: Vec<(Weak<()>, Change)>,
}

/// Names that a client may have in use at once; further ones are forgotten, and then run unguarded.
const MOST: usize = 10_000;

impl Names {
    /// True if any name is a question's, or may become one.
    pub(in crate::postgres::relay) fn any(&self) -> bool {
        !self.statements.is_empty() || !self.portals.is_empty() || !self.pending.is_empty()
    }

    /// False if what is prepared now would be forgotten.
    pub(in crate::postgres::relay) fn has_room(&self) -> bool {
        let pending = self.pending.len();
        self.statements.len() + pending < MOST && self.portals.len() + pending < MOST
    }

    /// What a statement is if the server carries out all that was said before.
    pub(in crate::postgres::relay) fn statement(&self, name: &[u8]) -> Option<&Asks> {
        let changed = self.pending().rev().find_map(|change| match change {
            Change::Statement(changed, asks) if changed == name => Some(asks.as_ref()),
            _ => None,
        });
        changed.unwrap_or_else(|| self.statements.get(name))
    }

    /// As [`Self::statement`], for a portal.
    pub(in crate::postgres::relay) fn portal(&self, name: &[u8]) -> Option<&Asks> {
        let changed = self.pending().rev().find_map(|change| match change {
            Change::Portal(changed, asks) if changed == name => Some(asks.as_ref()),
            _ => None,
        });
        changed.unwrap_or_else(|| self.portals.get(name))
    }

    /// True for a statement that is known, whatever the server will answer to what was said.
    pub(in crate::postgres::relay) fn may_be_statement(&self, name: &[u8]) -> bool {
        self.statements.contains_key(name)
            || self
                .pending()
                .any(|change| matches!(change, Change::Statement(changed, Some(_)) if changed == name))
    }

    /// As [`Self::may_be_statement`], for a portal.
    pub(in crate::postgres::relay) fn may_be_portal(&self, name: &[u8]) -> bool {
        self.portals.contains_key(name)
            || self
                .pending()
                .any(|change| matches!(change, Change::Portal(changed, Some(_)) if changed == name))
    }

    /// A message that changes a name goes to the server. `None` where that makes no difference.
    pub(in crate::postgres::relay) fn expect(&mut self, change: Change) -> Option<Pending> {
        let differs = match &change {
            Change::Statement(_, Some(_)) | Change::Portal(_, Some(_)) => true,
            Change::Statement(name, None) => self.may_be_statement(name),
            Change::Portal(name, None) => self.may_be_portal(name),
        };
        if !differs {
            return None;
        }
        self.forget_failed();
        let pending = Pending(Arc::default());
        self.pending.push((Arc::downgrade(&pending.0), change));
        Some(pending)
    }

    /// The server has carried it out.
    pub(super) fn confirm(&mut self, done: &Pending) {
        let at = self
            .pending
            .iter()
            .position(|(pending, _)| std::ptr::eq(pending.as_ptr(), Arc::as_ptr(&done.0)));
        let Some(at) = at else { return };
        match self.pending.remove(at).1 {
            Change::Statement(name, asks) => set(&mut self.statements, name, asks),
            Change::Portal(name, asks) => set(&mut self.portals, name, asks),
        }
    }

    fn pending(&self) -> impl DoubleEndedIterator<Item = &Change> {
        let alive = self
            .pending
            .iter()
            .filter(|(pending, _)| pending.strong_count() > 0);
        alive.map(|(_, change)| change)
    }

    fn forget_failed(&mut self) {
        self.pending.retain(|(pending, _)| pending.strong_count() > 0);
    }

    pub(super) fn transaction_ended(&mut self) {
        // Cursors WITH HOLD live on; their rows are there already.
        if !self.portals.is_empty() {
            self.portals.clear();
        }
        self.forget_failed();
    }

    /// `DEALLOCATE ALL`.
    pub(super) fn deallocated(&mut self) {
        self.statements.clear();
    }

    /// `DISCARD ALL`.
    pub(super) fn discarded(&mut self) {
        self.statements.clear();
        self.portals.clear();
    }
}

fn set(names: &mut HashMap<Vec<u8>, Asks>, name: Vec<u8>, asks: Option<Asks>) {
    match asks {
        Some(asks) if names.len() < MOST => {
            names.insert(name, asks);
        }
        _ => {
            names.remove(&name);
        }
    }
}
