//! Where semantic models come from.

use std::collections::BTreeMap;

use super::{ConfigError, declare::settings, reader::Reader};

settings! {
    /// The files of semantic models.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct SemanticSettings in "semantic." {
        pub file: Vec<String> =
            "", "files of semantic models, Apache Ossie or dbt, for every database that has none of its own";
        pub databases: BTreeMap<String, Vec<String>> =
            "{}", "files of semantic models of databases by name: shop = [\"shop.yaml\"]";
        pub table: Option<(String, String)> as Text =
            "", "schema.table of the PostgreSQL server that has semantic models as YAML, a row each, in a column model", by table;
    }
}

impl SemanticSettings {
    /// True where nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A table's name with its schema.
fn table(read: &Reader<'_>, key: &str) -> Result<Option<(String, String)>, ConfigError> {
    let Some(table) = read.value::<Option<String>>(key)? else {
        return Ok(None);
    };
    let plain = |part: &str| !part.is_empty() && !part.contains(['.', '"', '\0']);
    match table.split_once('.') {
        Some((schema, name)) if plain(schema) && plain(name) => {
            Ok(Some((schema.to_owned(), name.to_owned())))
        }
        _ => Err(read.refuse(
            key,
            "is not a table's name with its schema",
            "write schema.table, as the catalogue spells them; nothing is looked up on a search path",
        )),
    }
}
