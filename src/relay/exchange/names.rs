//! Which prepared statements and portals are a question's.

use std::{collections::HashMap, sync::Arc};

use super::{Limit, Recorded};

/// What a name stands for.
#[derive(Debug, Clone)]
pub(in crate::relay) enum Asks {
    /// An answered question.
    Answered(Answered),
    /// `nl($n)`: the question comes with Bind.
    AtBind(Arc<Waiting>),
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
pub(in crate::relay) struct Waiting {
    /// The client's text.
    pub(in crate::relay) text: String,
    /// The types that it declared.
    pub(in crate::relay) types: Vec<u32>,
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
