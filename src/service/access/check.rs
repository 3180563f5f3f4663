//! What is wrong with a policy in front of a database, for the one who wrote it.

use crate::{
    config::{NamePattern, Settings},
    question::{
        schema::{Schema, Snapshot, Table},
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
