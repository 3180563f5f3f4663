//! DROP TABLE … CASCADE: the keys of other tables that refer to it go with it. And DROP SEQUENCE … CASCADE, where the
//! defaults that draw from it do.

use rusqlite::Result;

use super::{
    Change, FoundTable,
    dependents::{Referring, are_same},
    find, named, place,
    plan::Plan,
    quoted,
    text::{Clause, ClauseKind},
};
use crate::{
    sqlite::{
        engine::{names, session::Session},
        translate::{self, SequenceName},
    },
    statement::sqlite_lexer::of_client,
};

/// The statement and the tables or sequences that it names.
pub(in crate::sqlite::engine) struct Dropped {
    sql: String,
    named: Vec<(Option<String>, String)>,
}

/// The statement, where it ends with that word.
pub(super) fn read(sql: &str) -> Option<Dropped> {
    let tokens: Vec<&str> = of_client(sql).filter(|token| *token != ";").collect();
    let (last, tokens) = tokens.split_last()?;
    if !last.eq_ignore_ascii_case("cascade") {
        return None;
    }
    let first = if tokens.get(2)?.eq_ignore_ascii_case("if") {
        4
    } else {
        2
    };
    let names = tokens.get(first..)?.split(|token| *token == ",");
    let name = |tokens: &[&str]| match tokens {
        [name] => Some((None, named(name))),
        [schema, ".", name] => Some((Some(place(schema)), named(name))),
        _ => None,
    };
    Some(Dropped {
        sql: sql.to_owned(),
        named: names.map(name).collect::<Option<_>>()?,
    })
}

impl Session<'_> {
    pub(super) fn drop_sequences(&self, dropped: &Dropped) -> Result<()> {
        let connection = &self.own.connection;
        for (schema, name) in &dropped.named {
            let sequence = SequenceName::of(name, schema.as_deref());
            let users = names::with_names(connection, |names| translate::users_of_sequence(names, &sequence));
            for user in users.iter().filter(|user| !user.is_identity) {
                let schema = if user.home == "temp" { "pg_temp" } else { "public" };
                let sql = format!(
                    "ALTER TABLE {schema}.{} ALTER COLUMN {} DROP DEFAULT",
                    quoted(&user.table),
                    quoted(&user.column)
                );
                if let Some(Change::Table(alter)) = super::read(&sql) {
                    self.altered(&alter)?;
                }
            }
        }
        self.as_client_translated(&dropped.sql)
    }

    pub(super) fn drop_tables(&self, dropped: &Dropped) -> Result<()> {
        let connection = &self.own.connection;
        let mut gone = vec![];
        for (schema, name) in &dropped.named {
            gone.extend(find(connection, schema.as_deref(), name)?);
        }
        for parent in &gone {
            let sql = format!(
                "SELECT DISTINCT list.name FROM {}.sqlite_schema AS list \
                 JOIN pg_catalog.pragma_foreign_key_list(list.name, ?2) AS key \
                 WHERE list.type = 'table' AND key.\"table\" = ?1 COLLATE NOCASE",
                quoted(&parent.schema)
            );
            let children: Vec<String> = connection
                .prepare(&sql)?
                .query_map([&parent.name, &parent.schema], |row| row.get(0))?
                .collect::<Result<_>>()?;
            for child in children {
                if gone
                    .iter()
                    .any(|other| other.schema == parent.schema && other.name == child)
                {
                    continue;
                }
                if let Some(found) = find(connection, Some(&parent.schema), &child)? {
                    let mut plan = Plan::new(connection, found)?;
                    while let Some(key) = key_to(&plan, &parent.name) {
                        plan.sql = plan.text().without(&key.tokens);
                    }
                    self.carry_out(plan, false)?;
                }
            }
        }
        self.as_client_translated(&dropped.sql)
    }

    /// Drops a foreign key of another table.
    pub(super) fn drop_key(&self, parent: &FoundTable, key: &Referring) -> Result<()> {
        let connection = &self.own.connection;
        let Some(child) = find(connection, Some(&parent.schema), &key.table)? else {
            return Ok(());
        };
        let mut plan = Plan::new(connection, child)?;
        let text = plan.text();
        let is_it = |clause: &Clause| {
            let referred = text.referred(clause);
            clause.kind == ClauseKind::References
                && text.refers_to(&clause.tokens, &parent.name)
                && referred.is_empty() == key.to_primary
                && (key.to_primary || are_same(&referred, &key.columns))
        };
        let Some(clause) = text.all_clauses().into_iter().find(is_it) else {
            return Ok(());
        };
        plan.sql = text.without(&clause.tokens);
        self.carry_out(plan, false)
    }
}

/// A key of the table that refers to another.
fn key_to(plan: &Plan<'_>, parent: &str) -> Option<Clause> {
    let text = plan.text();
    let refers =
        |clause: &Clause| clause.kind == ClauseKind::References && text.refers_to(&clause.tokens, parent);
    text.all_clauses().into_iter().find(refers)
}
