//! Columns that get another type.

use rusqlite::Result;
use sqlparser::ast::{DataType, Expr};

use super::{
    fault,
    identity::{default_in, without_serial},
    plan::Plan,
    quoted, string,
    text::{ClauseKind, Text},
    violated,
};
use crate::{
    backend::{BackendError, SqlType},
    sqlite::{
        catalog, decltype,
        engine::{catalog_model, names},
        translate::{self, SequenceName},
    },
};

/// What PostgreSQL says where a column that counts is to be no whole number.
const NO_NUMBER: &str = "identity column type must be smallint, integer, or bigint";

impl Plan<'_> {
    pub(super) fn set_type(&mut self, name: &str, data_type: &DataType, using: Option<&Expr>) -> Result<()> {
        self.is_not_computed_from(name)?;
        let wanted = data_type.to_string();
        if without_serial(data_type) != wanted {
            let words = format!("type \"{}\" does not exist", wanted.to_lowercase());
            return Err(fault("42704", words));
        }
        let translated = self.column(&format!("{} {wanted}", quoted(name)))?;
        let written = Text::read(&translated).ok_or_else(|| fault("42601", "syntax error in ALTER TABLE"))?;
        let ty = written.words(&written.type_of(name));
        self.default_fits(name, (&wanted, ty))?;
        let whole = match decltype::sql_type(ty) {
            Some(SqlType::Int2) => Some("int2"),
            Some(SqlType::Int4) => Some("int4"),
            Some(SqlType::Int8) => Some("int8"),
            _ => None,
        };
        if self.is_rowid(name) && (whole.is_some() || self.counts(name)) {
            self.set_width(name, whole)?;
        } else {
            self.follow(name, whole)?;
            self.cast_default(name, ty);
            let clauses = written.clauses(name);
            let order = clauses.iter().find(|clause| clause.kind == ClauseKind::Collate);
            let order = order.map_or("", |clause| written.words(&clause.tokens));
            self.retype(name, ty, order);
        }
        self.checks_fit(name)?;
        self.retyped.push(name.to_owned());
        let value = using.map_or_else(|| quoted(name), ToString::to_string);
        for (filled, from) in &mut self.filled {
            if filled.eq_ignore_ascii_case(name) {
                *from = Some(value.clone());
            }
        }
        self.rewrites = true;
        Ok(())
    }

    /// Refuses a type by which a foreign key would compare what PostgreSQL does not.
    pub(super) fn keys_fit(&self) -> Result<()> {
        if self.retyped.is_empty() {
            return Ok(());
        }
        let is_own = |table: &str| table.eq_ignore_ascii_case(&self.found.name);
        let is_retyped = |column: &String| self.retyped.iter().any(|name| name.eq_ignore_ascii_case(column));
        let own = self.named_clauses();
        let ty = |table: &str, column: &str| {
            if is_own(table) {
                return Some(self.type_of(column));
            }
            let schema = Some(self.found.schema.as_str()).filter(|schema| *schema != "main");
            let columns = names::with_names(self.connection, |names| names.relation(schema, table))?;
            let found = columns
                .into_iter()
                .find(|found| found.name.eq_ignore_ascii_case(column))?;
            Some(found.declared)
        };
        for key in catalog_model::constraints(self.connection)? {
            let Some((target, referred)) = key.target.as_ref().filter(|_| key.schema == self.found.schema)
            else {
                continue;
            };
            // One of this table may be gone by now.
            if is_own(&key.table) && !own.iter().any(|(name, _)| *name == key.name) {
                continue;
            }
            for (one, other) in key.columns.iter().zip(referred) {
                let is_concerned =
                    is_own(&key.table) && is_retyped(one) || is_own(target) && is_retyped(other);
                let (true, Some(of_one), Some(of_other)) =
                    (is_concerned, ty(&key.table, one), ty(target, other))
                else {
                    continue;
                };
                if let Some(types) = translate::do_not_refer(&of_one, &of_other) {
                    let words = format!("foreign key constraint \"{}\" cannot be implemented", key.name);
                    return Err(violated::told(BackendError {
                        detail: Some(format!(
                            "Key columns \"{one}\" and \"{other}\" are of incompatible types: {} and {}.",
                            types.0, types.1
                        )),
                        ..BackendError::new("42804", words)
                    }));
                }
            }
        }
        Ok(())
    }

    /// Refuses a type to which PostgreSQL does not cast the column's default by itself, whatever becomes of the rows.
    fn default_fits(&self, name: &str, (wanted, ty): (&str, &str)) -> Result<()> {
        let Some(default) = default_in(&self.sql, name) else {
            return Ok(());
        };
        let words = default.get("default".len()..).unwrap_or_default();
        let constant = words.trim_matches([' ', '(', ')']);
        let before = self.type_of(name);
        // A number that stands for a text is a number still; the numbers of a sequence have their own rule.
        let is_number =
            constant.parse::<f64>().is_ok() && (before.contains("text") || before.contains("char"));
        if is_number || constant.eq_ignore_ascii_case("null") || words.contains("pg_nextval(") {
            return Ok(());
        }
        let cast = format!("{} {wanted} DEFAULT CAST(NULL AS {before})", quoted(name));
        match self.column(&cast) {
            Err(error) if error.to_string().contains("is of type") => {
                let ty = decltype::sql_type(ty.trim_matches('"'));
                let ty = ty.map_or_else(|| wanted.to_owned(), |ty| ty.sql_name().to_owned());
                let words =
                    format!("default for column \"{name}\" cannot be cast automatically to type {ty}");
                Err(fault("42804", words))
            }
            _ => Ok(()),
        }
    }

    /// The default stays what it is, and is cast to the new type.
    fn cast_default(&mut self, name: &str, ty: &str) {
        let Some(default) = default_in(&self.sql, name) else {
            return;
        };
        let default = default.get("default".len()..).unwrap_or_default().trim();
        if SequenceName::drawn_by(default).is_some() {
            return;
        }
        let inner = default.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let text = self.text();
        let types = (text.words(&text.type_of(name)), ty);
        let default = inner.unwrap_or(default);
        let before = decltype::sql_type(types.0.trim().trim_matches('"')).unwrap_or(SqlType::Text);
        let words = catalog::default_words(default, before.oid().into());
        let retyped = names::with_names(self.connection, |names| {
            translate::retyped_default(default, words.as_deref(), types, names)
        });
        self.drop_clause(name, ClauseKind::Default);
        self.sql = self.text().with_clause(name, &format!("DEFAULT ({retyped})"));
    }

    /// True for a key by which SQLite finds the rows.
    pub(super) fn is_rowid(&self, column: &str) -> bool {
        let text = self.text();
        let is_key = text.all_clauses().iter().any(|clause| {
            clause.kind == ClauseKind::PrimaryKey
                && matches!(clause.columns.as_slice(), [one] if one.eq_ignore_ascii_case(column))
        });
        is_key && text.words(&text.type_of(column)).eq_ignore_ascii_case("integer")
    }

    /// True for such a key of which SQLite remembers what it gave.
    pub(super) fn counts(&self, column: &str) -> bool {
        let text = self.text();
        text.clauses(column).iter().any(|clause| text.counts(clause))
    }

    /// The key stays the INTEGER that it has to be; what it is told as stands beside that.
    fn set_width(&mut self, name: &str, whole: Option<&str>) -> Result<()> {
        let text = self.text();
        let before = text.width(name).map_or("", |(word, _)| word);
        let is_serial = before.starts_with("serial");
        let Some(whole) = whole else {
            return Err(if is_serial {
                let words = "a key that counts by itself stays a whole number on a SQLite file";
                fault("0A000", words)
            } else {
                fault("22023", NO_NUMBER)
            });
        };
        let word = match whole {
            _ if is_serial => Some(whole.replace("int", "serial")),
            _ if before.ends_with(" always") => Some(format!("{whole} always")),
            "int8" => None,
            _ => Some(whole.to_owned()),
        };
        self.sql = text.with_width(name, word.as_deref());
        Ok(())
    }

    /// The sequence of an identity column gets its type.
    fn follow(&self, name: &str, whole: Option<&str>) -> Result<()> {
        let text = self.text();
        let clauses = text.clauses(name);
        let default = clauses.iter().find(|clause| clause.kind == ClauseKind::Default);
        let default = default.map_or("", |clause| text.words(&clause.tokens));
        if !default.contains("/* identity ") {
            return Ok(());
        }
        let whole = whole.ok_or_else(|| fault("22023", NO_NUMBER))?;
        if let Some(sequence) = SequenceName::drawn_by(default) {
            let step = format!(
                "SELECT pg_alter_sequence({}, 0, 'type', {}, {})",
                string(&sequence.name),
                string(whole),
                string(sequence.within.unwrap_or(&self.found.schema))
            );
            self.steps.borrow_mut().push(step);
        }
        Ok(())
    }

    /// Another type with its own order, in place of the one and its order.
    pub(super) fn retype(&mut self, name: &str, ty: &str, order: &str) {
        let clauses = self.text().clauses(name);
        let ordered = clauses.into_iter().find(|clause| {
            clause.kind == ClauseKind::Collate && self.text().words(&clause.tokens).contains("pg_")
        });
        if let Some(ordered) = ordered {
            self.sql = self.text().without(&ordered.tokens);
        }
        let words = format!("{ty} {order}");
        let text = self.text();
        let before = text.type_of(name);
        self.sql = if before.is_empty() {
            // SQLite has columns of no type.
            text.replaced(&before, &format!(" {words} "))
        } else {
            text.replaced(&before, words.trim_end())
        };
    }
}
