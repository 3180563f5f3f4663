//! What a new table demands of its rows, and the types that it declares.

use std::fmt::Write as _;

use sqlparser::ast::{
    ColumnOption, ConstraintCharacteristics, ConstraintReferenceMatchKind, CreateTable, Expr,
    ForeignKeyConstraint, Ident, IndexColumn, NullsDistinctOption, TableConstraint,
};

use super::{
    Object, Refusal, Result, Stop, Translator, declared_type, index, quoted, refuse, refuse_with,
    unsupported, usual_name,
};

impl Translator<'_> {
    pub(super) fn own_condition(&mut self, condition: &Expr) -> Result<String> {
        let sql = self.truth(condition, "CHECK")?;
        Ok(self.with_told(&sql.to_string(), condition))
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
                let columns: Vec<String> = key.columns.iter().map(super::folded).collect();
                let reference = self.reference(key, &columns)?;
                let columns: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
                Ok(format!(
                    "{}FOREIGN KEY ({}){reference}",
                    called(key.name.as_ref()),
                    columns.join(", "),
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

/// A table that is being made, as what refers to itself has to know it.
pub(super) struct Made {
    is_temporary: bool,
    /// The attached file that it is made in.
    attached: Option<String>,
    /// The columns of its primary key.
    primary: Vec<String>,
    /// The columns of all its keys.
    keys: Vec<Vec<String>>,
}

impl Made {
    pub(super) fn of(table: &CreateTable, is_temporary: bool, schema: Option<&str>) -> Result<Self> {
        let (mut primary, mut keys) = (vec![], vec![]);
        for column in &table.columns {
            for option in &column.options {
                let own = vec![super::folded(&column.name)];
                match option.option {
                    ColumnOption::PrimaryKey(_) => primary = own,
                    ColumnOption::Unique(_) => keys.push(own),
                    _ => {}
                }
            }
        }
        for constraint in &table.constraints {
            match constraint {
                TableConstraint::PrimaryKey(key) => primary = key_columns(&key.columns)?,
                TableConstraint::Unique(unique) => keys.push(key_columns(&unique.columns)?),
                _ => {}
            }
        }
        keys.extend((!primary.is_empty()).then(|| primary.clone()));
        Ok(Self {
            is_temporary,
            attached: attached(schema).map(str::to_owned),
            primary,
            keys,
        })
    }
}

/// The attached file that a schema is.
fn attached(schema: Option<&str>) -> Option<&str> {
    schema.filter(|schema| !matches!(*schema, "public" | "main" | "temp"))
}

fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

impl Translator<'_> {
    /// Refuses a key that refers to what is not there, or to what several rows may have. The table that is being made may
    /// refer to itself.
    fn check_referred(
        &self,
        (schema, table): (Option<&str>, &str),
        key: &ForeignKeyConstraint,
        referring: &[String],
    ) -> Result<()> {
        let own = self.scopes.last().and_then(|scope| scope.relations.first());
        let home = self.made.as_ref().and_then(|made| made.attached.as_deref());
        let is_near = home == attached(schema);
        let is_itself = is_near && own.is_some_and(|own| is_same(&own.name, table));
        let refers_to_own = match schema {
            None => self.names.is_temporary(table),
            Some(schema) => schema == "temp",
        };
        let schema = schema.filter(|schema| *schema != "public");
        let found = self.names.relation(schema, table);
        let ((Some(_), _) | (None, true)) = (&found, is_itself) else {
            return refuse("42P01", format!("relation \"{table}\" does not exist"), None);
        };
        // SQLite would look for the table beside the one that refers to it, and find another or none.
        if !is_near && !refers_to_own {
            return refuse_with(
                "0A000",
                format!("a foreign key to \"{table}\" of another schema is not supported on a SQLite file"),
                "A schema is a file of its own: put both tables into the same one.",
            );
        }
        let made = self.made.as_ref();
        let is_temporary = made.is_some_and(|made| made.is_temporary);
        if !is_itself && is_temporary != refers_to_own {
            let kind = if is_temporary { "temporary" } else { "permanent" };
            let message = format!("constraints on {kind} tables may reference only {kind} tables");
            return refuse("42P16", message, None);
        }
        let place = schema.unwrap_or(if is_temporary { "temp" } else { "main" });
        let is_view = |object: &Object| object.kind == "view" && is_same(&object.name, table);
        if !is_itself && self.names.objects(place).iter().any(is_view) {
            return refuse(
                "42809",
                format!("referenced relation \"{table}\" is not a table"),
                None,
            );
        }
        let has = |name: &&String| {
            own.is_none_or(|own| own.columns.iter().any(|column| is_same(&column.name, name)))
        };
        if let Some(name) = referring.iter().find(|name| !has(name)) {
            let message = format!("column \"{name}\" referenced in foreign key constraint does not exist");
            return refuse("42703", message, None);
        }
        let itself = made.filter(|_| is_itself);
        let mut primary = itself.map(|made| made.primary.clone()).unwrap_or_default();
        let mut keys = itself.map(|made| made.keys.clone()).unwrap_or_default();
        let mut columns: Vec<String> = own
            .filter(|_| is_itself)
            .map(|own| own.columns.iter().map(|column| column.name.clone()).collect())
            .unwrap_or_default();
        let mut types: Vec<(String, String)> = vec![];
        if let Some(mut found) = found {
            // ALTER TABLE makes the table anew.
            keys.extend(self.names.keys(schema, table));
            if primary.is_empty() {
                found.sort_by_key(|column| column.key);
                let parts = found.iter().filter(|column| column.key > 0);
                primary = parts.map(|column| column.name.clone()).collect();
            }
            types = found
                .iter()
                .map(|column| (column.name.clone(), column.declared.clone()))
                .collect();
            columns.extend(found.into_iter().map(|column| column.name));
        }
        let mut referred: Vec<String> = key.referred_columns.iter().map(super::folded).collect();
        let is_missing = |name: &&String| !columns.iter().any(|column| is_same(column, name));
        if let Some(name) = referred.iter().find(is_missing) {
            let message = format!("column \"{name}\" referenced in foreign key constraint does not exist");
            return refuse("42703", message, None);
        }
        if referred.is_empty() {
            if primary.is_empty() {
                let message = format!("there is no primary key for referenced table \"{table}\"");
                return refuse("42704", message, None);
            }
            referred = primary;
        }
        let is_twice = |(at, name): (usize, &String)| referred[..at].iter().any(|other| is_same(other, name));
        if referred.iter().enumerate().any(is_twice) {
            let message = "foreign key referenced-columns list must not contain duplicates";
            return refuse("42830", message, None);
        }
        let is_key = |key: &Vec<String>| {
            key.len() == referred.len()
                && key
                    .iter()
                    .all(|name| referred.iter().any(|other| is_same(name, other)))
        };
        if !keys.iter().any(is_key) {
            let message =
                format!("there is no unique constraint matching given keys for referenced table \"{table}\"");
            return refuse("42830", message, None);
        }
        if referred.len() != referring.len() {
            let message = "number of referencing and referenced columns for foreign key disagree";
            return refuse("42830", message, None);
        }
        let of_itself = |name: &str| {
            let mut columns = own.map_or(&[][..], |own| own.columns.as_slice()).iter();
            columns
                .find(|column| is_same(&column.name, name))
                .map(|column| column.ty)
        };
        let ty = |name: &str| match types.iter().find(|(column, _)| is_same(column, name)) {
            Some((_, declared)) => declared_type(declared).map(|(ty, _)| ty),
            None => of_itself(name),
        };
        for (one, other) in referring.iter().zip(&referred) {
            let (Some(of_one), Some(of_other)) = (of_itself(one), ty(other)) else {
                continue;
            };
            if of_one.refers_to(of_other) {
                continue;
            }
            let name = key.name.as_ref().map(super::folded);
            let own = own.map_or("", |own| own.name.as_str());
            let name = name.unwrap_or_else(|| usual_name(own, referring, 'f'));
            return Err(Stop::Refused(Refusal {
                sqlstate: "42804",
                message: format!("foreign key constraint \"{name}\" cannot be implemented"),
                detail: Some(format!(
                    "Key columns \"{one}\" and \"{other}\" are of incompatible types: {} and {}.",
                    of_one.shown(),
                    of_other.shown()
                )),
                hint: None,
                position: None,
            }));
        }
        Ok(())
    }

    /// ` REFERENCES …`; a key refers to a table of its own schema.
    pub(super) fn reference(&self, key: &ForeignKeyConstraint, referring: &[String]) -> Result<String> {
        let (schema, table) = self.to_change(&key.foreign_table)?;
        match key.match_kind {
            Some(ConstraintReferenceMatchKind::Partial) => {
                return refuse("0A000", "MATCH PARTIAL not yet implemented", None);
            }
            // Of one column it is what every key is.
            Some(ConstraintReferenceMatchKind::Full) if referring.len() > 1 => {
                return refuse_with(
                    "0A000",
                    "MATCH FULL of several columns is not supported on a SQLite file",
                    "Leave it out, and add CHECK ((a IS NULL) = (b IS NULL)) for its columns.",
                );
            }
            _ => {}
        }
        self.check_referred((schema.as_deref(), &table), key, referring)?;
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
