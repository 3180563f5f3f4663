//! Constraints of a table that come, go or get another name, and what those are called that nobody named.

use rusqlite::Result;
use sqlparser::ast::TableConstraint;

use super::{
    fault, find, folded,
    plan::Plan,
    quoted,
    text::{Clause, ClauseKind},
    violated::has_column,
};
use crate::sqlite::translate::usual_name;

impl Plan<'_> {
    pub(super) fn add_constraint(&mut self, constraint: &TableConstraint, not_valid: bool) -> Result<()> {
        let before = self.named_clauses();
        let item = match constraint {
            // A translation may move it to its column.
            TableConstraint::PrimaryKey(key) => {
                if before
                    .iter()
                    .any(|(_, clause)| clause.kind == ClauseKind::PrimaryKey)
                {
                    let words = format!(
                        "multiple primary keys for table \"{}\" are not allowed",
                        self.found.name
                    );
                    return Err(fault("42P16", words));
                }
                let names: Vec<String> = key.columns.iter().map(ToString::to_string).collect();
                if key
                    .columns
                    .iter()
                    .all(|column| self.has(&column.to_string().replace('"', "")))
                {
                    // What is no key is told by what may be unique.
                    self.item(&format!("UNIQUE ({})", names.join(", ")))?;
                }
                let name = key
                    .name
                    .as_ref()
                    .map(|name| format!("CONSTRAINT {} ", quoted(&folded(name))));
                format!("{}PRIMARY KEY ({})", name.unwrap_or_default(), names.join(", "))
            }
            other => self.item(&other.to_string())?,
        };
        self.sql = self.text().with(&item, false);
        let after = self.named_clauses();
        let (name, added) = after
            .last()
            .cloned()
            .ok_or_else(|| fault("42601", "syntax error in a constraint"))?;
        if before.iter().any(|(other, _)| *other == name) {
            let words = format!(
                "constraint \"{name}\" for relation \"{}\" already exists",
                self.found.name
            );
            return Err(fault("42710", words));
        }
        for column in &added.columns {
            if !self.has(column) {
                let how = match added.kind {
                    ClauseKind::References => "referenced in foreign key constraint",
                    _ => "named in key",
                };
                return Err(fault(
                    "42703",
                    format!("column \"{column}\" {how} does not exist"),
                ));
            }
        }
        match added.kind {
            ClauseKind::Check if not_valid => {}
            ClauseKind::Check => {
                let condition = item.find('(').map_or("", |open| &item[open..]);
                self.checks
                    .push((format!("NOT {condition}"), self.found.violates(&name)));
            }
            ClauseKind::References => {
                if let TableConstraint::ForeignKey(key) = constraint {
                    let (schema, target) = super::split(&key.foreign_table)?;
                    let Some(target) = find(self.connection, schema.as_deref(), &target)? else {
                        return Err(fault("42P01", format!("relation \"{target}\" does not exist")));
                    };
                    for column in key.referred_columns.iter().map(folded) {
                        if !has_column(self.connection, &target, &column)? {
                            let words = format!(
                                "column \"{column}\" referenced in foreign key constraint does not exist"
                            );
                            return Err(fault("42703", words));
                        }
                    }
                }
                self.refers |= !not_valid;
            }
            ClauseKind::PrimaryKey => {
                self.rewrites = true;
                self.unique.push((name, added.columns.clone()));
                for column in &added.columns {
                    self.set_not_null(column);
                }
            }
            _ => {
                let is_twin = |(_, other): &(String, Clause)| {
                    matches!(other.kind, ClauseKind::PrimaryKey | ClauseKind::Unique)
                        && other.columns == added.columns
                };
                if added.name.is_none() && before.iter().any(is_twin) {
                    // SQLite has one index for both, and only its name tells that this one is there.
                    self.rename_constraint(&name, &name)?;
                }
                self.rewrites = true;
                self.unique.push((name, added.columns));
            }
        }
        Ok(())
    }

    /// The constraints with their names, PostgreSQL's own where nobody named them.
    pub(super) fn named_clauses(&self) -> Vec<(String, Clause)> {
        let table = &self.found.name;
        let mut named: Vec<(String, Clause)> = vec![];
        for clause in self.text().all_clauses() {
            let usual = match clause.kind {
                ClauseKind::PrimaryKey => usual_name(table, &clause.columns, 'p'),
                ClauseKind::Unique => usual_name(table, &clause.columns, 'u'),
                ClauseKind::References => usual_name(table, &clause.columns, 'f'),
                ClauseKind::Check => usual_name(table, &self.mentioned(&clause), 'c'),
                _ => continue,
            };
            let mut name = clause.name.clone().unwrap_or_else(|| usual.clone());
            let mut number = 0;
            while clause.name.is_none() && named.iter().any(|(other, _)| *other == name) {
                number += 1;
                name = format!("{usual}{number}");
            }
            named.push((name, clause));
        }
        named
    }

    /// The columns that a condition names.
    fn mentioned(&self, clause: &Clause) -> Vec<String> {
        let text = self.text();
        let columns = text.columns().into_iter();
        columns.filter(|column| text.reads(clause, column)).collect()
    }

    fn constraint(&self, name: &str) -> Option<Clause> {
        let mut named = self.named_clauses().into_iter();
        named.find(|(other, _)| other == name).map(|(_, clause)| clause)
    }

    fn no_constraint(&self, name: &str) -> rusqlite::Error {
        let words = format!(
            "constraint \"{name}\" of relation \"{}\" does not exist",
            self.found.name
        );
        fault("42704", words)
    }

    pub(super) fn drop_constraint(&mut self, name: &str, if_exists: bool, cascades: bool) -> Result<()> {
        let Some(clause) = self.constraint(name) else {
            return if if_exists {
                self.pass_over("00000", &format!("constraint \"{name}\""), "does not exist")
            } else {
                Err(self.no_constraint(name))
            };
        };
        let counted = clause.columns.iter().find(|column| self.counts(column));
        let counted = counted.filter(|_| clause.kind == ClauseKind::PrimaryKey).cloned();
        let default = counted
            .map(|column| self.default_of_counted(&column))
            .transpose()?;
        if matches!(clause.kind, ClauseKind::PrimaryKey | ClauseKind::Unique) {
            self.free_of_keys(&clause, &format!("constraint {name}"), cascades)?;
            self.rewrites = true;
        } else {
            self.sql = self.text().without(&clause.tokens);
        }
        if let Some((column, ty, default)) = default {
            self.sql = self.text().with_width(&column, None);
            self.retype(&column, &ty, "");
            self.sql = self.text().with_clause(&column, &default);
        }
        if clause.kind == ClauseKind::PrimaryKey {
            for column in &clause.columns {
                self.set_not_null(column);
            }
        }
        Ok(())
    }

    /// Looks whether the rows obey a constraint that they were not tried by.
    pub(super) fn validate(&mut self, name: &str) -> Result<()> {
        let clause = self.constraint(name).ok_or_else(|| self.no_constraint(name))?;
        match clause.kind {
            ClauseKind::Check => {
                let text = self.text();
                let words = text.words(&clause.tokens);
                let condition = words.find('(').map_or("", |open| &words[open..]);
                self.checks
                    .push((format!("NOT {condition}"), self.found.violates(name)));
            }
            ClauseKind::References => self.refers = true,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn rename_constraint(&mut self, old: &str, new: &str) -> Result<()> {
        let clause = self.constraint(old).ok_or_else(|| self.no_constraint(old))?;
        let words = format!("CONSTRAINT {}", quoted(new));
        let start = clause.tokens.start;
        self.sql = match clause.name {
            Some(_) => self.text().replaced(&(start..start + 2), &words),
            None => self.text().replaced(&(start..start), &format!("{words} ")),
        };
        Ok(())
    }
}
