//! What `pg_cursors` and `pg_prepared_statements` tell of a session.

use std::{sync::Arc, time::SystemTime};

use super::{
    definitions::Relation,
    rows::{Cell, Filling, Rows},
    surroundings::moment,
};

/// A cursor or a prepared statement.
#[derive(Debug, Clone)]
pub(crate) struct Holding {
    name: String,
    /// What the client wrote to make it.
    statement: Arc<str>,
    made: SystemTime,
    kept: Kept,
}

/// What is particular to either.
#[derive(Debug, Clone)]
pub(crate) enum Kept {
    Cursor {
        held: bool,
        binary: bool,
        scrolls: bool,
    },
    Prepared {
        /// The types of its parameters, as an array of their numbers.
        types: String,
        /// Made by PREPARE, and not by a message of the protocol.
        by_sql: bool,
    },
}

impl Kept {
    pub(crate) fn prepared(types: impl Iterator<Item = u32>, by_sql: bool) -> Self {
        let types: Vec<String> = types.map(|oid| oid.to_string()).collect();
        Self::Prepared {
            types: format!("{{{}}}", types.join(",")),
            by_sql,
        }
    }
}

impl Holding {
    /// What is made now.
    pub(crate) fn new(name: &str, statement: &str, kept: Kept) -> Self {
        Self {
            name: name.to_owned(),
            statement: statement.into(),
            made: SystemTime::now(),
            kept,
        }
    }
}

pub(super) fn cursors(relation: &'static Relation, all: Vec<Holding>) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "name",
            "statement",
            "is_holdable",
            "is_binary",
            "is_scrollable",
            "creation_time",
        ],
    );
    for of in all {
        if let Kept::Cursor {
            held,
            binary,
            scrolls,
        } = of.kept
        {
            rows.add([
                Cell::from(&of.name),
                of.statement.to_string().into(),
                held.into(),
                binary.into(),
                scrolls.into(),
                moment(of.made),
            ]);
        }
    }
    rows.done()
}

pub(super) fn prepared(relation: &'static Relation, all: Vec<Holding>) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "name",
            "statement",
            "prepare_time",
            "parameter_types",
            "from_sql",
            "generic_plans",
            "custom_plans",
        ],
    );
    for of in all {
        if let Kept::Prepared { types, by_sql } = of.kept {
            rows.add([
                Cell::from(&of.name),
                of.statement.to_string().into(),
                moment(of.made),
                types.into(),
                by_sql.into(),
                Cell::Integer(0),
                Cell::Integer(0),
            ]);
        }
    }
    rows.done()
}
