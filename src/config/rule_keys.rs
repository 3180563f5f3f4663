//! Every key of a `[[policy.rule]]` with its type, default and meaning.

use super::{
    key::{Key, key},
    value::KeyType,
};

/// The keys of a `[[policy.rule]]`, in the order in which they are printed.
pub(super) const RULE_KEYS: &[Key] = &[
    key(
        "users",
        KeyType::List,
        "",
        "whom it is about; with neither users nor roles, everybody",
    ),
    key(
        "roles",
        KeyType::List,
        "",
        "whom it is about, by a role of PostgreSQL or of policy.roles",
    ),
    key(
        "databases",
        KeyType::List,
        "",
        "where it holds; empty for everywhere",
    ),
    key(
        "questions",
        KeyType::Bool,
        "on",
        "off lets none of them ask; their ordinary SQL is not touched",
    ),
    key(
        "allow",
        KeyType::List,
        "",
        "what their questions may read, and nothing that no rule of theirs allows: table, schema.table, table.column",
    ),
    key(
        "deny",
        KeyType::List,
        "",
        "what their questions may not read, whatever else allows it",
    ),
    key(
        "rows",
        KeyType::Map,
        "{}",
        "the rows that their questions see: table = \"condition on its columns\"",
    ),
];
