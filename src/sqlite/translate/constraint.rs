//! What a new table demands of its rows, and the types that it declares.

use std::fmt::Write as _;

use sqlparser::ast::{
    ConstraintCharacteristics, Expr, ForeignKeyConstraint, Ident, IndexColumn, NullsDistinctOption,
    TableConstraint,
};

use super::{Result, Stop, Translator, index, quoted, refuse, unsupported};

impl Translator<'_> {
    pub(super) fn own_condition(&mut self, condition: &Expr) -> Result<String> {
        let sql = self.truth(condition, "CHECK")?;
        Ok(self.with_told(&sql, condition))
    }

    pub(super) fn constraint(&mut self, constraint: &TableConstraint) -> Result<String> {
        match constraint {
            TableConstraint::Check(check) => {
                let condition = self.own_condition(&check.expr)?;
                Ok(format!("{}CHECK ({condition})", called(check.name.as_ref())))
            }
            TableConstraint::Unique(unique) => {
                self.have_order(&key_columns(&unique.columns)?)?;
                if unique.nulls_distinct == NullsDistinctOption::NotDistinct {
                    return unsupported("UNIQUE NULLS NOT DISTINCT", None);
                }
                is_at_once(unique.characteristics.as_ref())?;
                Ok(format!(
                    "{}UNIQUE ({})",
                    called(unique.name.as_ref()),
                    key_list(&unique.columns)?
                ))
            }
            TableConstraint::PrimaryKey(key) => {
                is_at_once(key.characteristics.as_ref())?;
                self.have_order(&key_columns(&key.columns)?)?;
                Ok(format!(
                    "{}PRIMARY KEY ({})",
                    called(key.name.as_ref()),
                    key_list(&key.columns)?
                ))
            }
            TableConstraint::ForeignKey(key) => {
                let columns: Vec<String> = key
                    .columns
                    .iter()
                    .map(|name| quoted(&super::folded(name)))
                    .collect();
                Ok(format!(
                    "{}FOREIGN KEY ({}){}",
                    called(key.name.as_ref()),
                    columns.join(", "),
                    self.reference(key)?
                ))
            }
            _ => Err(Stop::AsItStands),
        }
    }
}

/// Refuses a key that is looked at later than when a row is written.
pub(super) fn is_at_once(how: Option<&ConstraintCharacteristics>) -> Result<()> {
    match how {
        Some(how) if how.deferrable == Some(true) => unsupported("a deferrable UNIQUE constraint", None),
        _ => Ok(()),
    }
}

impl Translator<'_> {
    /// Refuses a key of columns that PostgreSQL cannot compare.
    fn have_order(&self, names: &[String]) -> Result<()> {
        let relations = self.scopes.last().map(|scope| scope.relations.as_slice());
        let columns = relations
            .unwrap_or_default()
            .iter()
            .flat_map(|table| &table.columns);
        let mut keys = columns.filter(|column| names.contains(&column.name));
        keys.try_for_each(|column| index::has_order(column.ty, "btree"))
    }
}

fn called(name: Option<&Ident>) -> String {
    name.map(|name| format!("CONSTRAINT {} ", quoted(&super::folded(name))))
        .unwrap_or_default()
}

pub(super) fn key_columns(columns: &[IndexColumn]) -> Result<Vec<String>> {
    columns
        .iter()
        .map(|column| match &column.column.expr {
            Expr::Identifier(name) => Ok(super::folded(name)),
            _ => Err(Stop::AsItStands),
        })
        .collect()
}

fn key_list(columns: &[IndexColumn]) -> Result<String> {
    let names: Vec<String> = key_columns(columns)?.iter().map(|name| quoted(name)).collect();
    Ok(names.join(", "))
}

impl Translator<'_> {
    /// Refuses a key that refers to what is not there. The table that is being made may refer to itself.
    fn check_referred(&self, table: &str, key: &ForeignKeyConstraint) -> Result<()> {
        let own = self.scopes.last().and_then(|scope| scope.relations.first());
        let own = own.filter(|own| own.name.eq_ignore_ascii_case(table));
        let columns: Vec<String> = match (own, self.names.relation(None, table)) {
            (Some(own), _) => own.columns.iter().map(|column| column.name.clone()).collect(),
            (None, Some(columns)) => columns.into_iter().map(|column| column.name).collect(),
            (None, None) => return refuse("42P01", format!("relation \"{table}\" does not exist"), None),
        };
        let is_missing = |name: &&String| !columns.iter().any(|column| column.eq_ignore_ascii_case(name));
        let referred: Vec<String> = key.referred_columns.iter().map(super::folded).collect();
        match referred.iter().find(is_missing) {
            Some(name) => refuse(
                "42703",
                format!("column \"{name}\" referenced in foreign key constraint does not exist"),
                None,
            ),
            None => Ok(()),
        }
    }

    /// ` REFERENCES …`; a key refers to a table of its own schema.
    pub(super) fn reference(&self, key: &ForeignKeyConstraint) -> Result<String> {
        let (_, table) = self.split(&key.foreign_table)?;
        self.check_referred(&table, key)?;
        let mut sql = format!(" REFERENCES {}", quoted(&table));
        if !key.referred_columns.is_empty() {
            let columns: Vec<String> = key
                .referred_columns
                .iter()
                .map(|name| quoted(&super::folded(name)))
                .collect();
            let _ = write!(sql, " ({})", columns.join(", "));
        }
        if let Some(action) = &key.on_delete {
            let _ = write!(sql, " ON DELETE {action}");
        }
        if let Some(action) = &key.on_update {
            let _ = write!(sql, " ON UPDATE {action}");
        }
        if let Some(how) = &key.characteristics {
            let _ = write!(sql, " {how}");
        }
        Ok(sql)
    }
}
