//! What the operations of an ALTER TABLE make of a table: its new text, and what fills the columns.

use std::cell::RefCell;

use rusqlite::{Connection, Result};
use sqlparser::ast::{
    AlterColumnOperation, AlterTableOperation, ColumnDef, ColumnOption, DropBehavior, Expr, Ident, SqlOption,
};

use super::{
    FoundTable,
    dependents::Referring,
    fault, folded,
    identity::{default_in, identity_of_key, without_length},
    quoted, string,
    text::{Clause, ClauseKind, Text},
    unused,
};
use crate::sqlite::{
    engine::names,
    functions,
    translate::{self, Outcome},
};

/// The table as it is to be.
pub(super) struct Plan<'c> {
    pub(super) connection: &'c Connection,
    pub(super) found: FoundTable,
    /// What the table is called whose rows are written anew, and what the old one is called until it goes.
    pub(super) new: String,
    pub(super) old: String,
    /// Its text.
    pub(super) sql: String,
    /// The columns that are filled, and from what, in PostgreSQL's words; by themselves where there is nothing.
    pub(super) filled: Vec<(String, Option<String>)>,
    /// True where the rows have to be written anew.
    pub(super) rewrites: bool,
    /// Columns that got another type.
    pub(super) retyped: Vec<String>,
    /// Columns that go.
    pub(super) dropped: Vec<String>,
    /// Foreign keys of other tables that go.
    pub(super) freed: Vec<Referring>,
    /// Conditions in SQLite's words that a row must not meet, and what is said where one does.
    pub(super) checks: Vec<(String, rusqlite::Error)>,
    /// True where keys to other tables came.
    pub(super) refers: bool,
    /// Keys that came, with their columns.
    pub(super) unique: Vec<(String, Vec<String>)>,
    /// Defaults that came, in SQLite's words.
    pub(super) tried: Vec<String>,
    /// What makes the sequences that new columns draw from.
    pub(super) steps: RefCell<Vec<String>>,
}

impl<'c> Plan<'c> {
    pub(super) fn new(connection: &'c Connection, found: FoundTable) -> Result<Self> {
        let sql = found.sql.clone();
        let Some(text) = Text::read(&sql) else {
            let words = format!("\"{}\" is not an ordinary table", found.name);
            return Err(fault("42809", words));
        };
        let generated = |column: &String| {
            text.clauses(column)
                .iter()
                .all(|clause| clause.kind != ClauseKind::Generated)
        };
        let filled = text.columns().into_iter().filter(generated);
        Ok(Self {
            connection,
            filled: filled.map(|column| (column, None)).collect(),
            sql: sql.clone(),
            new: unused(connection, &found.schema, "new")?,
            old: unused(connection, &found.schema, "old")?,
            found,
            rewrites: false,
            retyped: vec![],
            dropped: vec![],
            freed: vec![],
            checks: vec![],
            refers: false,
            unique: vec![],
            tried: vec![],
            steps: RefCell::default(),
        })
    }

    /// Has the client told that a part of the table is passed over, and why.
    pub(super) fn pass_over(&self, sqlstate: &str, what: &str, why: &str) -> Result<()> {
        let table = &self.found.name;
        let words = format!("{what} of relation \"{table}\" {why}");
        functions::pass_over(self.connection, sqlstate, &words)
    }

    pub(super) fn text(&self) -> Text<'_> {
        Text::read(&self.sql).expect("it was read before, and edits keep its shape")
    }

    /// A statement in SQLite's words.
    pub(super) fn in_sqlite(&self, sql: &str) -> Result<String> {
        let translated = names::with_names(self.connection, |names| translate::translate(sql, names, &[]));
        match translated {
            Outcome::Translated(translated) => {
                let steps = translated.before.into_iter().map(|step| step.sql);
                self.steps.borrow_mut().extend(steps);
                Ok(translated.sql)
            }
            Outcome::AsItStands => Ok(sql.to_owned()),
            Outcome::Refused(refusal) => Err(fault(refusal.sqlstate, refusal.message)),
        }
    }

    /// The table with columns in PostgreSQL's words and one more item, and that item in SQLite's.
    pub(super) fn item(&self, item: &str) -> Result<String> {
        let text = self.text();
        let mut columns: Vec<String> = text
            .columns()
            .iter()
            .map(|column| format!("{} {}", quoted(column), self.type_of(column)))
            .collect();
        columns.push(item.to_owned());
        let translated = self.column(&columns.join(", "))?;
        let translated =
            Text::read(&translated).ok_or_else(|| fault("42601", "syntax error in ALTER TABLE"))?;
        Ok(translated.last().to_owned())
    }

    /// The type of a column in PostgreSQL's words. A key that is an INTEGER is as wide as the comment beside it says.
    pub(super) fn type_of(&self, column: &str) -> String {
        let text = self.text();
        match text.width(column) {
            Some(_) => identity_of_key(text.sql(), column).0.to_owned(),
            None => translate::in_postgresql(text.words(&text.type_of(column))),
        }
    }

    /// Definitions of columns in SQLite's words, in a table of their own.
    pub(super) fn column(&self, definition: &str) -> Result<String> {
        let own = self.found.schema == "temp";
        let name = match self.found.schema.as_str() {
            "temp" | "main" | "public" => quoted(&self.found.name),
            attached => format!("{}.{}", quoted(attached), quoted(&self.found.name)),
        };
        self.table((&name, own), definition)
    }

    /// A table in SQLite's words, which may be the session's own. What it draws from is where the table is.
    pub(super) fn table(&self, (name, own): (&str, bool), items: &str) -> Result<String> {
        let temporary = if own { "TEMP " } else { "" };
        let translated = self.in_sqlite(&format!("CREATE {temporary}TABLE {name} ({items})"))?;
        Ok(translated.replacen("CREATE TEMP TABLE", "CREATE TABLE", 1))
    }

    pub(super) fn apply(&mut self, operation: &AlterTableOperation) -> Result<()> {
        match operation {
            AlterTableOperation::AddColumn {
                if_not_exists,
                column_def,
                ..
            } => self.add_column(column_def, *if_not_exists),
            AlterTableOperation::AddConstraint {
                constraint,
                not_valid,
            } => self.add_constraint(constraint, *not_valid),
            AlterTableOperation::DropConstraint { if_exists, name, .. } => {
                self.drop_constraint(&folded(name), *if_exists, cascades(operation))
            }
            AlterTableOperation::DropColumn {
                column_names,
                if_exists,
                ..
            } => column_names
                .iter()
                .try_for_each(|column| self.drop_column(&folded(column), *if_exists, cascades(operation))),
            AlterTableOperation::RenameConstraint { old_name, new_name } => {
                self.rename_constraint(&folded(old_name), &folded(new_name))
            }
            AlterTableOperation::AlterColumn { column_name, op } => self.alter_column(column_name, op),
            AlterTableOperation::ValidateConstraint { name } => self.validate(&folded(name)),
            // Who owns a table and how full its pages are is nothing to a file.
            AlterTableOperation::OwnerTo { .. } => Ok(()),
            AlterTableOperation::SetOptionsParens { options } => options
                .iter()
                .filter_map(column_of)
                .try_for_each(|column| self.must_have(&column)),
            other => {
                let words: Vec<String> = other.to_string().split(' ').take(2).map(str::to_owned).collect();
                let words = format!(
                    "ALTER TABLE … {} is not supported on a SQLite file",
                    words.join(" ")
                );
                Err(fault("0A000", words))
            }
        }
    }

    pub(super) fn has(&self, column: &str) -> bool {
        let columns = self.text().columns();
        columns.iter().any(|other| other.eq_ignore_ascii_case(column))
    }

    pub(super) fn must_have(&self, column: &str) -> Result<()> {
        if self.has(column) {
            return Ok(());
        }
        let words = format!(
            "column \"{column}\" of relation \"{}\" does not exist",
            self.found.name
        );
        Err(fault("42703", words))
    }

    fn add_column(&mut self, definition: &ColumnDef, if_not_exists: bool) -> Result<()> {
        let name = folded(&definition.name);
        if self.has(&name) {
            if if_not_exists {
                return self.pass_over("42701", &format!("column \"{name}\""), "already exists");
            }
            let words = format!(
                "column \"{name}\" of relation \"{}\" already exists",
                self.found.name
            );
            return Err(fault("42701", words));
        }
        // What it is computed from or held to are columns that are there.
        let item = self.item(&definition.to_string())?;
        self.sql = self.text().with(&item, true);
        let (mut value, mut generated, mut plain) = (None, false, true);
        for option in &definition.options {
            match &option.option {
                ColumnOption::Null => {}
                ColumnOption::ForeignKey(_) => self.refers = true,
                ColumnOption::Default(expression) => (value, plain) = (Some(expression), false),
                ColumnOption::Generated {
                    generation_expr: Some(_),
                    ..
                } => (generated, plain) = (true, false),
                _ => plain = false,
            }
        }
        // PostgreSQL looks at a default once, whether there are rows or not.
        let tried = default_in(&self.sql, &name).filter(|_| value.is_some());
        self.tried
            .extend(tried.filter(|default| !default.contains("pg_nextval(")));
        let counts = !self.steps.borrow().is_empty();
        if !generated {
            let drawn = format!("nextval({})", string(&self.sequence_of(&name).written()));
            let value = value.map(ToString::to_string).or(counts.then_some(drawn));
            let value = value.map_or("NULL".to_owned(), |value| {
                format!("CAST(({value}) AS {})", without_length(&definition.data_type))
            });
            self.filled.push((name, Some(value)));
        }
        self.rewrites |= !plain || counts;
        Ok(())
    }

    pub(super) fn clause(&self, column: &str, kind: ClauseKind) -> Option<Clause> {
        let clauses = self.text().clauses(column);
        clauses.into_iter().find(|clause| clause.kind == kind)
    }

    pub(super) fn drop_clause(&mut self, column: &str, kind: ClauseKind) {
        if let Some(clause) = self.clause(column, kind) {
            self.sql = self.text().without(&clause.tokens);
        }
    }

    pub(super) fn set_not_null(&mut self, column: &str) {
        self.drop_clause(column, ClauseKind::Null);
        if self.clause(column, ClauseKind::NotNull).is_none() {
            self.sql = self.text().with_clause(column, "NOT NULL");
            let is_null = format!("{} IS NULL", quoted(column));
            self.checks.push((is_null, self.found.has_null(column)));
        }
    }

    /// Refuses to give a column another type that others are computed from.
    pub(super) fn is_not_computed_from(&self, column: &str) -> Result<()> {
        let text = self.text();
        let uses = |clause: &Clause| clause.kind == ClauseKind::Generated && text.reads(clause, column);
        if text.all_clauses().iter().any(uses) {
            let words = "cannot alter type of a column used by a generated column";
            return Err(fault("0A000", words));
        }
        Ok(())
    }

    fn alter_column(&mut self, column: &Ident, operation: &AlterColumnOperation) -> Result<()> {
        let name = folded(column);
        self.must_have(&name)?;
        match operation {
            AlterColumnOperation::SetNotNull => self.set_not_null(&name),
            AlterColumnOperation::DropNotNull => {
                let is_key =
                    |clause: &Clause| clause.kind == ClauseKind::PrimaryKey && clause.columns.contains(&name);
                if self.text().all_clauses().iter().any(is_key) {
                    return Err(fault("42P16", format!("column \"{name}\" is in a primary key")));
                }
                self.drop_clause(&name, ClauseKind::NotNull);
            }
            AlterColumnOperation::DropDefault => {
                self.has_own_default(&name, true)?;
                self.stop_counting(&name)?;
                self.drop_clause(&name, ClauseKind::Default);
                // Rows that are older than the column hold nothing for it, which SQLite reads as the default.
                self.rewrites = true;
            }
            AlterColumnOperation::SetDefault { value } => {
                self.has_own_default(&name, false)?;
                self.stop_counting(&name)?;
                let ty = self.type_of(&name);
                let translated = self.column(&format!("{} {ty} DEFAULT {value}", quoted(&name)))?;
                self.drop_clause(&name, ClauseKind::Default);
                self.rewrites = true;
                // A default of NULL is none.
                if let Some(clause) = default_in(&translated, &name) {
                    self.sql = self.text().with_clause(&name, &clause);
                }
            }
            AlterColumnOperation::SetDataType { data_type, using, .. } => {
                self.set_type(&name, data_type, using.as_ref())?;
            }
            AlterColumnOperation::AddGenerated {
                generated_as,
                sequence_options,
            } => self.add_identity(&name, *generated_as, sequence_options.as_deref())?,
        }
        Ok(())
    }
}

/// The column that an option names which changes nothing of it.
fn column_of(option: &SqlOption) -> Option<String> {
    match option {
        SqlOption::KeyValue {
            key,
            value: Expr::Value(value),
        } if key.value == translate::OF_COLUMN => value.clone().into_string(),
        _ => None,
    }
}

/// Actions in the order in which PostgreSQL carries them out: what is dropped goes first, then come types, columns, and the rest.
pub(super) fn in_passes(operations: &[AlterTableOperation]) -> Vec<&AlterTableOperation> {
    let pass = |operation: &&AlterTableOperation| match operation {
        AlterTableOperation::DropColumn { .. } | AlterTableOperation::DropConstraint { .. } => 0,
        AlterTableOperation::AlterColumn { op, .. } => match op {
            AlterColumnOperation::DropDefault | AlterColumnOperation::DropNotNull => 0,
            AlterColumnOperation::SetDataType { .. } => 1,
            _ => 3,
        },
        AlterTableOperation::AddColumn { .. } => 2,
        _ => 3,
    };
    let mut ordered: Vec<&AlterTableOperation> = operations.iter().collect();
    ordered.sort_by_key(pass);
    ordered
}

/// True where what depends on it goes too.
pub(super) fn cascades(operation: &AlterTableOperation) -> bool {
    let (AlterTableOperation::DropColumn { drop_behavior, .. }
    | AlterTableOperation::DropConstraint { drop_behavior, .. }) = operation
    else {
        return false;
    };
    *drop_behavior == Some(DropBehavior::Cascade)
}
