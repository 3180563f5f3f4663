//! What models may be told of a database, of SQL and of what is wrong with it.

use std::sync::Arc;

use super::candidate::Candidate;
use crate::question::{
    ossie::Understood,
    prompt::{Attempt, Values},
    schema::{HiddenNames, Snapshot},
    validator,
};

/// The database as models may know it.
#[derive(Debug)]
pub(super) struct RedactedView {
    /// Without private columns.
    pub(super) snapshot: Snapshot,
    /// What that means.
    pub(super) understood: Arc<Understood>,
    /// Whether stored values may be told.
    pub(super) values: Values,
    private: HiddenNames,
    /// The names of what the asking user may not read, where nothing else is called so.
    withheld: HiddenNames,
}

impl RedactedView {
    pub(super) fn of(understood: &Arc<Understood>, values: Values) -> Self {
        let snapshot = &understood.snapshot;
        // Only what people have written can speak of it.
        let withheld = if understood.is_told() {
            HiddenNames::withheld(snapshot)
        } else {
            HiddenNames::default()
        };
        let understood = if snapshot.schema.has_private() {
            Arc::new(understood.of_part(&snapshot.without_private()))
        } else {
            Arc::clone(understood)
        };
        Self {
            snapshot: understood.snapshot.clone(),
            understood,
            values,
            private: HiddenNames::private(snapshot),
            withheld,
        }
    }

    /// The names that traces must not show.
    pub(super) fn private(&self) -> HiddenNames {
        self.private.clone()
    }

    /// True if a text mentions a private column, or what the asking user may not read.
    pub(super) fn is_private(&self, text: &str) -> bool {
        self.private.is_in(text) || self.withheld.is_in(text)
    }

    /// True if all that is known of this proposal may be told to its author: neither stored values nor anything
    /// private can be in it.
    pub(super) fn is_open(&self, whole: &Snapshot, candidate: &Candidate) -> bool {
        if self.values == Values::Withhold {
            return false;
        }
        !self.reads_private(whole, &candidate.text)
            && candidate.words().all(|words| !self.private.is_in(words))
    }

    /// True for SQL that reads a private column, or of which nobody can say: what the database says of it may hold a value.
    pub(super) fn reads_private(&self, whole: &Snapshot, sql: &str) -> bool {
        if self.private.is_empty() {
            return false;
        }
        let read = validator::inspect(sql, &whole.schema, whole.dialect).resolved;
        read.is_none_or(|read| {
            read.columns
                .iter()
                .any(|column| whole.schema.column(*column).private)
        })
    }

    /// A proposal that did not do, as its author may be reminded of it.
    pub(super) fn attempt(&self, whole: &Snapshot, candidate: &Candidate) -> Attempt {
        if self.is_open(whole, candidate) {
            return Attempt {
                sql: candidate.text.clone(),
                problem: candidate.doubt(),
            };
        }
        // A repair may have put something stored, or the name of a private column, into the text.
        Attempt {
            sql: candidate.written.clone(),
            problem: candidate.doubt_in_general().to_owned(),
        }
    }
}
