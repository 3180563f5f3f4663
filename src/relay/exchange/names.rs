//! Which prepared statements and portals are a question's.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{Limit, Recorded};

/// What a name stands for.
#[derive(Debug, Clone)]
pub(in crate::relay) enum Asks {
    /// An answered question.
    Answered(Answered),
    /// `nl($n)`: the question comes with Bind.
    AtBind(Arc<Late>),
}

/// What is known of an answered question.
#[derive(Debug, Clone)]
pub(in crate::relay) struct Answered {
    /// What its result may come to.
    pub(in crate::relay) limit: Limit,
    /// Whether it reads what runs expressions of the database's own, so that it must not run unguarded.
    pub(in crate::relay) runs_code: bool,
    /// Which policy it was answered under (`conversation::Now::policy`).
    pub(in crate::relay) policy: u64,
    /// In which pipeline it was prepared. To the end of that the server keeps what it reads from becoming something else.
    pub(in crate::relay) pipeline: u64,
    /// As the audit knows it.
    pub(in crate::relay) recorded: Recorded,
}

/// A statement whose question comes with Bind.
#[derive(Debug)]
pub(in crate::relay) struct Late {
    /// The client's text.
    pub(in crate::relay) text: String,
    /// The types that it declared.
    pub(in crate::relay) types: Vec<u32>,
    /// What the server has under the name until the question is there.
    pub(in crate::relay) stand_in: Vec<u8>,
    /// What it returns depends on the question: until that is there, each row is described as one value.
    pub(in crate::relay) by_row: bool,
    /// What has become of it since.
    pub(in crate::relay) state: Mutex<LateState>,
}

/// What has become of a statement whose question comes with Bind.
#[derive(Debug, Default)]
pub(in crate::relay) struct LateState {
    /// The server has an answer under its name.
    pub(in crate::relay) answered: bool,
    pub(in crate::relay) told: Told,
}

/// What the client was last told that a statement returns.
#[derive(Debug, Clone, Default)]
pub(in crate::relay) enum Told {
    #[default]
    Nothing,
    /// What stands in for it returns.
    StandIn,
    /// What this SQL returns.
    Answer(String),
}

impl Late {
    /// What has become of it.
    pub(in crate::relay) fn state(&self) -> MutexGuard<'_, LateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Names of prepared statements and of portals, those of SQL included. PostgreSQL has one space for each.
#[derive(Debug, Default)]
pub(in crate::relay) struct Names {
    statements: HashMap<Vec<u8>, Asks>,
    portals: HashMap<Vec<u8>, Asks>,
}

/// Names that a client may have in use at once; further ones are forgotten, and then run unguarded.
const MOST: usize = 10_000;

impl Names {
    /// True if any name is a question's.
    pub(in crate::relay) fn any(&self) -> bool {
        !self.statements.is_empty() || !self.portals.is_empty()
    }

    /// False if what is prepared now would be forgotten.
    pub(in crate::relay) fn has_room(&self) -> bool {
        self.statements.len() < MOST && self.portals.len() < MOST
    }

    pub(in crate::relay) fn statement(&self, name: &[u8]) -> Option<&Asks> {
        self.statements.get(name)
    }

    pub(in crate::relay) fn portal(&self, name: &[u8]) -> Option<&Asks> {
        self.portals.get(name)
    }

    /// A statement is prepared.
    pub(in crate::relay) fn prepare(&mut self, name: &[u8], asks: Option<Asks>) {
        set(&mut self.statements, name, asks);
    }

    /// A portal is made.
    pub(in crate::relay) fn open(&mut self, name: &[u8], asks: Option<Asks>) {
        set(&mut self.portals, name, asks);
    }

    pub(super) fn transaction_ended(&mut self) {
        // Cursors WITH HOLD live on; their rows are there already.
        if !self.portals.is_empty() {
            self.portals.clear();
        }
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

fn set(names: &mut HashMap<Vec<u8>, Asks>, name: &[u8], asks: Option<Asks>) {
    match asks {
        Some(asks) if names.len() < MOST => {
            names.insert(name.to_owned(), asks);
        }
        _ => {
            names.remove(name);
        }
    }
}
