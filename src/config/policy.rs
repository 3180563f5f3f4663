//! The access policy as it is configured: what questions may read, by user, role and database.

use std::collections::BTreeMap;

use super::{
    ConfigError, NamePattern, SettingSource,
    declare::settings,
    reader::Reader,
    tables::Table,
    typed::{Item, Unfit},
};

settings! {
    /// The access policy.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct PolicySettings in "policy." {
        pub roles: BTreeMap<String, Vec<String>> =
            "{}", "roles of the rules beside those of PostgreSQL: role = [\"user\", …]";
        pub trusted_owners: Vec<String> =
            "", "PostgreSQL roles whose functions and operators may run for a question, beside superusers and the database's owner";
        pub trusted_extensions: Vec<String> =
            "", "PostgreSQL extensions whose functions in C may run for a question, beside those that are known to only reckon";
    }
    beside {
        /// The rules in the order of the file.
        pub rules: Vec<PolicyRule>;
    }
}

settings! {
    /// One rule: whom it is about, and what it says.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PolicyRule in "" {
        pub users: Vec<String> = "", "whom it is about; with neither users nor roles, everybody";
        pub roles: Vec<String> = "", "whom it is about, by a role of PostgreSQL or of policy.roles";
        pub databases: Vec<String> = "", "where it holds; empty for everywhere";
        pub questions: bool = "on", "off lets none of them ask; their ordinary SQL is not touched";
        pub allow: Option<Vec<NamePattern>> as List =
            "", "what their questions may read, and nothing that no rule of theirs allows: table, schema.table, table.column", by allow;
        pub deny: Vec<NamePattern> = "", "what their questions may not read, whatever else allows it";
        pub rows: Vec<(NamePattern, String)> as Map =
            "{}", "the rows that their questions see: table = \"condition on its columns\"", by rows;
    }
    beside {
        /// Where it begins.
        pub source: SettingSource;
    }
}

impl PolicyRule {
    /// Whether it must not be known that what it denies is there: what follows from `privacy.private` for models that ask.
    pub fn is_secret(&self) -> bool {
        matches!(self.source, SettingSource::Implied(_))
    }

    /// A rule that takes nothing away was most likely cut off, and what it would take away stays readable.
    pub(super) fn of_table(table: &Table) -> Result<Self, ConfigError> {
        let read = Reader::of_table(table, "a [[policy.rule]]".into());
        let rule = Self {
            source: table.source.clone(),
            ..Self::read(&read)?
        };
        let says = rule.allow.is_some() || !rule.deny.is_empty() || !rule.rows.is_empty() || !rule.questions;
        if !says {
            return Err(ConfigError {
                message: format!("a [[policy.rule]] says nothing ({})", table.source),
                hint: Some(
                    "name something in deny or rows, give it allow or questions = \"off\", or take it out"
                        .into(),
                ),
            });
        }
        Ok(rule)
    }
}

/// What may be read; a rule that does not say is not one that allows nothing.
fn allow(read: &Reader<'_>, key: &str) -> Result<Option<Vec<NamePattern>>, ConfigError> {
    (!read.is_default(key)).then(|| read.value(key)).transpose()
}

/// Conditions on rows, by table.
fn rows(read: &Reader<'_>, key: &str) -> Result<Vec<(NamePattern, String)>, ConfigError> {
    let rows: BTreeMap<String, String> = read.value(key)?;
    let rows = rows.into_iter().map(|(name, condition)| {
        let refuse = |Unfit { reason, hint }| read.refuse(key, &reason, hint);
        if condition.trim().is_empty() {
            return Err(refuse(Unfit {
                reason: format!("has no condition for {name}"),
                hint: NamePattern::HINT,
            }));
        }
        Ok((NamePattern::item(&name).map_err(refuse)?, condition))
    });
    rows.collect()
}
