//! What is wrong with a policy in front of a database, for the one who wrote it.

use crate::{
    config::{NamePattern, PolicyRule, Settings},
    question::{
        schema::{Dialect, Schema, Snapshot, Table},
        validator::row_condition,
    },
};

/// Names that mean nothing in this database, and conditions that cannot be used; one line each.
pub fn problems(settings: &Settings, snapshot: &Snapshot) -> Vec<String> {
    let schema = &snapshot.schema;
    let mut problems = Vec::new();
    let private = settings.privacy.private.iter();
    for name in private.filter(|name| !means_something(name, schema)) {
        problems.push(format!("privacy.private: {name} is no column here"));
    }
    for rule in &settings.policy.rules {
        let source = &rule.source;
        let lists = [
            ("allow", rule.allow.as_deref()),
            ("deny", Some(rule.deny.as_slice())),
        ];
        for (key, names) in lists {
            let names = names.unwrap_or_default().iter();
            for name in names.filter(|name| !means_something(name, schema)) {
                problems.push(format!(
                    "{key} of the policy's rule ({source}): {name} is no table or column here"
                ));
            }
        }
        for (name, condition) in &rule.rows {
            let of = |table: &&Table| name.means_table(table.schema.as_deref(), &table.name);
            let tables: Vec<&Table> = schema.tables.iter().filter(of).collect();
            if tables.is_empty() {
                problems.push(format!(
                    "rows of the policy's rule ({source}): {name} is no table here"
                ));
            }
            for table in tables {
                if let Err(finding) = row_condition(condition, table, "somebody", snapshot.dialect) {
                    problems.push(format!(
                        "rows of the policy's rule ({source}): the condition on {} is wrong: {}",
                        table.name, finding.message
                    ));
                }
            }
        }
    }
    problems
}

/// Why nothing may be asked under these rules: a name in them can mean nothing here, as things are, so that what it was to keep
/// back would be read. What is not there yet is another matter: it is kept back when it comes.
pub(super) fn void(rules: &[&PolicyRule], private: &[NamePattern], whole: &Snapshot) -> Option<String> {
    let schema = &whole.schema;
    let is_file = whole.dialect == Dialect::Sqlite;
    // A table that is here has no such column, and a file is no other schema than its own.
    let is_void = |name: &&NamePattern| {
        let lacks = |table: &Table| {
            !table.columns.is_empty() && name.may_mean_in(table.schema.as_deref(), &table.name)
        };
        let means_none = || name.is_spelt_out() && !means_something(name, schema);
        (is_file && !name.fits_a_file()) || (means_none() && schema.tables.iter().any(lacks))
    };
    // In front of a server the list is one for all databases.
    if let Some(name) = private.iter().find(|name| is_file && is_void(name)) {
        return Some(format!("{name}, which privacy.private names, is no column here."));
    }
    rules.iter().find_map(|rule| {
        let source = &rule.source;
        if let Some(name) = rule.deny.iter().find(is_void) {
            return Some(format!(
                "{name}, which a rule denies ({source}), is no table or column here."
            ));
        }
        let mut rows = rule.rows.iter().map(|(name, _)| name);
        let name = rows.find(|name| !name.can_mean_a_table(!is_file))?;
        Some(format!(
            "{name}, of which a rule keeps rows back ({source}), is no table here."
        ))
    })
}

fn means_something(name: &NamePattern, schema: &Schema) -> bool {
    schema.tables.iter().any(|table| {
        let namespace = table.schema.as_deref();
        name.means_table(namespace, &table.name)
            || table
                .columns
                .iter()
                .any(|column| name.means_column(namespace, &table.name, &column.name))
    })
}
