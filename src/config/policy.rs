//! The access policy as it is configured: what questions may read, by user, role and database.

use std::collections::BTreeMap;

use super::{ConfigError, NamePattern, Source, build::Reader, sources::Entries, tables::Table};

/// The access policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolicySettings {
    /// The rules in the order of the file.
    pub rules: Vec<PolicyRule>,
    /// The users of roles that the database does not know.
    pub roles: BTreeMap<String, Vec<String>>,
}

/// One rule: whom it is about, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyRule {
    /// Users by name.
    pub users: Vec<String>,
    /// Roles by name.
    pub roles: Vec<String>,
    /// Databases by name; empty for all.
    pub databases: Vec<String>,
    /// Whether they may ask at all.
    pub questions: bool,
    /// What may be read; `None` for a rule that does not say.
    pub allow: Option<Vec<NamePattern>>,
    /// What may not be read.
    pub deny: Vec<NamePattern>,
    /// Conditions on rows, by table.
    pub rows: Vec<(NamePattern, String)>,
    /// Where it begins.
    pub source: Source,
}

impl PolicySettings {
    pub(super) fn build(entries: &Entries, rules: &[Table]) -> Result<Self, ConfigError> {
        Ok(Self {
            rules: rules.iter().map(PolicyRule::of_table).collect::<Result<_, _>>()?,
            roles: Reader(entries).groups("policy.roles"),
        })
    }
}

impl PolicyRule {
    /// A rule that takes nothing away was most likely cut off, and what it would take away stays readable.
    fn of_table(table: &Table) -> Result<Self, ConfigError> {
        let rule = Self::read(table)?;
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

    fn read(table: &Table) -> Result<Self, ConfigError> {
        let read = Reader(&table.entries);
        let rows = read.map("rows");
        let rows = rows.into_iter().map(|(name, condition)| {
            if condition.trim().is_empty() {
                return Err(refuse(table, "rows", &format!("has no condition for {name}")));
            }
            Ok((pattern(table, "rows", &name)?, condition))
        });
        Ok(Self {
            users: read.list("users"),
            roles: read.list("roles"),
            databases: read.list("databases"),
            questions: read.flag("questions"),
            allow: match &table.entries["allow"].1 {
                Source::Default => None,
                _ => Some(patterns(table, "allow")?),
            },
            deny: patterns(table, "deny")?,
            rows: rows.collect::<Result<_, _>>()?,
            source: table.source.clone(),
        })
    }
}

fn patterns(table: &Table, key: &str) -> Result<Vec<NamePattern>, ConfigError> {
    let names = Reader(&table.entries).list(key);
    names.iter().map(|name| pattern(table, key, name)).collect()
}

fn pattern(table: &Table, key: &str, name: &str) -> Result<NamePattern, ConfigError> {
    NamePattern::parse(name).map_err(|reason| refuse(table, key, &format!("is wrong: {reason}")))
}

fn refuse(table: &Table, key: &str, reason: &str) -> ConfigError {
    ConfigError {
        message: format!("{key} of a [[policy.rule]] {reason} ({})", table.entries[key].1),
        hint: Some(
            "write table, schema.table, table.column or schema.table.column; * for any part of a name".into(),
        ),
    }
}
