//! Columns that go, and what of their own table goes with them or stands in their way.

use rusqlite::Result;

use super::{
    dependents,
    plan::Plan,
    text::{Clause, ClauseKind},
};

fn has(columns: &[String], column: &str) -> bool {
    columns.iter().any(|other| other.eq_ignore_ascii_case(column))
}

impl Plan<'_> {
    pub(super) fn drop_column(&mut self, column: &str, if_exists: bool, cascades: bool) -> Result<()> {
        if if_exists && !self.has(column) {
            return Ok(());
        }
        self.must_have(column)?;
        let what = format!("column {column}");
        dependents::no_key_refers(self.connection, &self.found, &[column.to_owned()], &what)?;
        while let Some((depends, clause)) = self.depends_on(column) {
            if !cascades {
                return Err(dependents::stands_in_the_way(&self.found.name, column, &depends));
            }
            match clause.kind {
                ClauseKind::Generated => self.drop_column(&clause.columns[0], false, true)?,
                _ => self.sql = self.text().without(&clause.tokens),
            }
        }
        self.sql = self.text().without_column(column);
        while let Some(clause) = self.goes_with(column) {
            self.sql = self.text().without(&clause.tokens);
        }
        self.filled.retain(|(name, _)| !name.eq_ignore_ascii_case(column));
        self.dropped.push(column.to_owned());
        self.rewrites = true;
        Ok(())
    }

    /// Something of the table that only CASCADE drops with a column, and its name: what is computed from it, and another column's
    /// key that refers to it.
    fn depends_on(&self, column: &str) -> Option<(String, Clause)> {
        let text = self.text();
        let clauses = self.text().all_clauses();
        let is_key = |clause: &Clause| clause.kind == ClauseKind::PrimaryKey && has(&clause.columns, column);
        let is_in_key = clauses.iter().any(is_key);
        let computed = clauses.iter().find(|clause| {
            clause.kind == ClauseKind::Generated
                && !has(&clause.columns, column)
                && text.reads(clause, column)
        });
        if let Some(clause) = computed {
            return Some((format!("column {}", clause.columns[0]), clause.clone()));
        }
        let named = self.named_clauses();
        let refers = named.into_iter().find(|(_, clause)| {
            let referred = text.referred(clause);
            clause.kind == ClauseKind::References
                && !has(&clause.columns, column)
                && text.refers_to(&clause.tokens, &self.found.name)
                && (has(&referred, column) || (referred.is_empty() && is_in_key))
        });
        refers.map(|(name, clause)| (format!("constraint {name}"), clause))
    }

    /// A constraint that names a column which is gone.
    fn goes_with(&self, column: &str) -> Option<Clause> {
        let text = self.text();
        text.all_clauses().into_iter().find(|clause| match clause.kind {
            ClauseKind::Check => text.reads(clause, column),
            ClauseKind::PrimaryKey | ClauseKind::Unique | ClauseKind::References => {
                has(&clause.columns, column)
            }
            _ => false,
        })
    }
}
