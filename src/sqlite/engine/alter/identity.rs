//! Columns that become identities.

use rusqlite::{OptionalExtension as _, Result};
use sqlparser::ast::{ColumnOption, DataType, GeneratedAs, SequenceOptions};

use super::{
    fault,
    plan::Plan,
    quoted, string,
    text::{Clause, ClauseKind, Text},
    violated,
};
use crate::{
    backend::BackendError,
    sqlite::{
        decltype,
        translate::{Identity, SequenceName},
    },
};

impl Plan<'_> {
    pub(super) fn add_identity(
        &mut self,
        name: &str,
        generated: Option<GeneratedAs>,
        options: Option<&[SequenceOptions]>,
    ) -> Result<()> {
        let column = format!("column \"{name}\" of relation \"{}\"", self.found.name);
        let identity = ColumnOption::Generated {
            generated_as: generated.unwrap_or(GeneratedAs::ByDefault),
            sequence_options: options.map(<[_]>::to_vec),
            generation_expr: None,
            generation_expr_mode: None,
            generated_keyword: true,
        };
        let ty = self.type_of(name);
        let translated = self.column(&format!("{} {ty} {identity}", quoted(name)))?;
        let default = default_in(&translated, name).ok_or_else(|| {
            fault(
                "22023",
                "identity column type must be smallint, integer, or bigint",
            )
        })?;
        let clauses = self.text().clauses(name);
        let has = |kind: ClauseKind| clauses.iter().find(|clause| clause.kind == kind);
        let counts = self
            .text()
            .words(&self.text().type_of(name))
            .eq_ignore_ascii_case("integer")
            && has(ClauseKind::PrimaryKey).is_some();
        if let Some(default) = has(ClauseKind::Default) {
            let is_identity = self.text().words(&default.tokens).contains("/* identity ");
            let what = if is_identity {
                "is already an identity column"
            } else {
                "already has a default value"
            };
            return Err(fault("55000", format!("{column} {what}")));
        }
        if counts {
            return Err(fault("55000", format!("{column} is already an identity column")));
        }
        if has(ClauseKind::NotNull).is_none() && has(ClauseKind::PrimaryKey).is_none() {
            let words = format!("{column} must be declared NOT NULL before identity can be added");
            return Err(fault("55000", words));
        }
        self.sql = self.text().with_clause(name, &default);
        Ok(())
    }
}

impl Plan<'_> {
    /// The sequence that a column gets.
    pub(super) fn sequence_of(&self, column: &str) -> SequenceName {
        let name = format!("{}_{column}_seq", self.found.name);
        // Those of tables in attached files are the file's.
        let home = if self.found.schema == "temp" {
            "temp"
        } else {
            "main"
        };
        SequenceName::of(&name, Some(home))
    }

    /// Refuses to give another default to a column whose values come from elsewhere, or to take it away.
    pub(super) fn has_own_default(&self, column: &str, drops: bool) -> Result<()> {
        let default = self.clause(column, ClauseKind::Default);
        let is_noted = |clause: &Clause| self.text().words(&clause.tokens).contains("/* identity ");
        let (what, instead) = if default.as_ref().is_some_and(is_noted) || self.counting_key(column).is_some()
        {
            ("an identity column", "DROP IDENTITY")
        } else if self.clause(column, ClauseKind::Generated).is_some() {
            ("a generated column", "DROP EXPRESSION")
        } else {
            return Ok(());
        };
        let words = format!(
            "column \"{column}\" of relation \"{}\" is {what}",
            self.found.name
        );
        let hint = drops.then(|| format!("Use ALTER TABLE ... ALTER COLUMN ... {instead} instead."));
        Err(violated::told(BackendError {
            hint,
            ..BackendError::new("42601", words)
        }))
    }

    /// A `serial` that SQLite numbers becomes a key without a default, beside its sequence.
    pub(super) fn stop_counting(&mut self, column: &str) -> Result<()> {
        let key = self.clause(column, ClauseKind::PrimaryKey);
        let Some(key) = key.filter(|key| self.text().counts(key)) else {
            return Ok(());
        };
        let (_, ty, _) = self.default_of_counted(column)?;
        self.numbered_by_nobody(column, &key, &ty);
        Ok(())
    }

    /// A key that SQLite numbers becomes one that it does not.
    pub(super) fn numbered_by_nobody(&mut self, column: &str, key: &Clause, ty: &str) {
        let named = key.name.as_ref();
        let named = named.map(|name| format!("CONSTRAINT {} ", quoted(name)));
        let words = format!("{}PRIMARY KEY NOT NULL", named.unwrap_or_default());
        self.sql = self.text().replaced(&key.tokens, &words);
        self.sql = self.text().with_width(column, None);
        self.sql = self.text().replaced(&self.text().type_of(column), ty);
        self.rewrites = true;
    }

    /// What a column that SQLite numbers is declared as where it is no key: its name, its type and its default. A sequence
    /// goes on from the last number.
    pub(super) fn default_of_counted(&self, column: &str) -> Result<(String, String, String)> {
        let (ty, identity) = identity_of_key(self.text().sql(), column);
        let definition = match identity {
            None => format!("{} {}", quoted(column), ty.replace("int", "serial")),
            Some(identity) => {
                let when = match identity {
                    Identity::Always => "ALWAYS",
                    Identity::ByDefault => "BY DEFAULT",
                };
                format!("{} {ty} GENERATED {when} AS IDENTITY", quoted(column))
            }
        };
        let translated = self.column(&definition)?;
        let written = Text::read(&translated).ok_or_else(|| fault("42601", "syntax error in ALTER TABLE"))?;
        let ty = written.words(&written.type_of(column)).to_owned();
        let default = default_in(&translated, column).unwrap_or_default();
        let drawn = format!(
            "SELECT seq FROM {}.sqlite_sequence WHERE name = ?1",
            quoted(&self.found.schema)
        );
        let drawn: Option<i64> = self
            .connection
            .query_row(&drawn, [&self.found.name], |row| row.get(0))
            .optional()?;
        if let Some(drawn) = drawn.filter(|drawn| *drawn > 0) {
            let sequence = string(&self.sequence_of(column).written());
            let step = format!("SELECT pg_setval({sequence}, {drawn}, 1)");
            self.steps.borrow_mut().push(step);
        }
        Ok((column.to_owned(), ty, default))
    }
}

/// The type that a column has which counts.
pub(super) fn without_serial(ty: &DataType) -> String {
    match ty.to_string().to_ascii_lowercase().as_str() {
        "bigserial" | "serial8" => "bigint".into(),
        "smallserial" | "serial2" => "smallint".into(),
        "serial" | "serial4" => "integer".into(),
        _ => ty.to_string(),
    }
}

/// The type to which a default is cast before it is assigned to a column, which is what looks at the length.
pub(super) fn without_length(ty: &DataType) -> String {
    match ty {
        DataType::Varchar(Some(_))
        | DataType::CharVarying(Some(_))
        | DataType::CharacterVarying(Some(_))
        | DataType::Char(_)
        | DataType::Character(_) => "text".into(),
        DataType::Bit(_) | DataType::BitVarying(Some(_)) | DataType::VarBit(Some(_)) => "varbit".into(),
        ty => without_serial(ty),
    }
}

/// The type of a key that SQLite numbers, and what it takes for its numbers; none for a `serial`.
pub(super) fn identity_of_key(create: &str, key: &str) -> (&'static str, Option<Identity>) {
    let width = decltype::width_of_key(create, key).unwrap_or_default();
    let ty = match width {
        width if width.contains('4') => "int4",
        width if width.contains('2') => "int2",
        _ => "int8",
    };
    let identity = match width {
        width if width.starts_with("serial") => None,
        width if width.ends_with("always") => Some(Identity::Always),
        _ => Some(Identity::ByDefault),
    };
    (ty, identity)
}

/// The clause of a column's default in a statement.
pub(super) fn default_in(create: &str, column: &str) -> Option<String> {
    let text = Text::read(create)?;
    let clauses = text.clauses(column);
    let default = clauses.iter().find(|clause| clause.kind == ClauseKind::Default)?;
    Some(text.words(&default.tokens).to_owned())
}
