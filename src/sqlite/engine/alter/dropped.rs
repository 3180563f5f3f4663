//! Columns that go, and what of their own table goes with them or stands in their way.

use rusqlite::Result;

use super::{
    dependents::{self, Referring},
    plan::Plan,
    text::{Clause, ClauseKind},
};

fn has(columns: &[String], column: &str) -> bool {
    columns.iter().any(|other| other.eq_ignore_ascii_case(column))
}

impl Plan<'_> {
    pub(super) fn drop_column(&mut self, column: &str, if_exists: bool, cascades: bool) -> Result<()> {
        if if_exists && !self.has(column) {
            return self.pass_over("00000", &format!("column \"{column}\""), "does not exist");
        }
        self.must_have(column)?;
        let what = format!("column {column}");
        self.free_keys(&what, cascades, |key| key.refers_to(column))?;
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

    /// Has the foreign keys of other tables dropped that need what is dropped, or refuses where that is not asked for.
    fn free_keys(&mut self, what: &str, cascades: bool, needs: impl Fn(&Referring) -> bool) -> Result<()> {
        for key in dependents::referring(self.connection, &self.found)? {
            if needs(&key) {
                if !cascades {
                    return Err(dependents::is_referred_to(&self.found, what, &key.table));
                }
                self.freed.push(key);
            }
        }
        Ok(())
    }

    /// Frees what is about to go, a key of this table, of the foreign keys that depend on it: each does on the one that was
    /// there first for exactly its columns, and on no other.
    pub(super) fn free_of_keys(&mut self, dropped: &Clause, what: &str, cascades: bool) -> Result<()> {
        let is_primary = |clause: &Clause| clause.kind == ClauseKind::PrimaryKey;
        let mut keys = self.text().all_clauses();
        keys.retain(|clause| matches!(clause.kind, ClauseKind::PrimaryKey | ClauseKind::Unique));
        // The primary key's index is made first.
        keys.sort_by_key(|clause| !is_primary(clause));
        let depends = |columns: &[String], to_primary: bool| {
            let mut keys = keys.iter();
            let first = keys.find(|clause| {
                if to_primary {
                    is_primary(clause)
                } else {
                    dependents::are_same(&clause.columns, columns)
                }
            });
            first.is_some_and(|first| first.tokens == dropped.tokens)
        };
        self.free_keys(what, cascades, |key| depends(&key.columns, key.to_primary))?;
        let text = self.text();
        let of_its_own = text.all_clauses().into_iter().filter(|clause| {
            clause.kind == ClauseKind::References && text.refers_to(&clause.tokens, &self.found.name)
        });
        let mut gone: Vec<Clause> = of_its_own
            .filter(|clause| {
                let referred = text.referred(clause);
                depends(&referred, referred.is_empty())
            })
            .collect();
        if !gone.is_empty() && !cascades {
            return Err(dependents::is_referred_to(&self.found, what, &self.found.name));
        }
        gone.push(dropped.clone());
        // From the end, so that the places of the others stay.
        gone.sort_by_key(|clause| std::cmp::Reverse(clause.tokens.start));
        for clause in &gone {
            self.sql = self.text().without(&clause.tokens);
        }
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
