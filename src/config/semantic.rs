//! Where semantic models come from.

use std::collections::BTreeMap;

use super::{ConfigError, build::Reader};

/// The files of semantic models.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SemanticSettings {
    /// About every database that has none of its own.
    pub file: Vec<String>,
    /// About databases by name.
    pub databases: BTreeMap<String, Vec<String>>,
    /// A table of the server that is served, schema and name, which has more of them.
    pub table: Option<(String, String)>,
}

impl SemanticSettings {
    pub(super) fn build(read: &Reader<'_>) -> Result<Self, ConfigError> {
        let table = read.some_text("semantic.table").map(|table| {
            let parts = table.split_once('.').filter(|(schema, name)| {
                let plain = |part: &str| !part.is_empty() && !part.contains(['.', '"', '\0']);
                plain(schema) && plain(name)
            });
            let named = parts.map(|(schema, name)| (schema.to_owned(), name.to_owned()));
            named.ok_or_else(|| {
                let hint =
                    "write schema.table, as the catalogue spells them; nothing is looked up on a search path";
                read.refuse("semantic.table", "is not a table's name with its schema", hint)
            })
        });
        Ok(Self {
            file: read.list("semantic.file"),
            databases: read.groups("semantic.databases"),
            table: table.transpose()?,
        })
    }

    /// True where nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
