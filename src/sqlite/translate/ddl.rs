//! Definitions: tables with PostgreSQL's types, views, indexes, and what is dropped.

use std::fmt::Write as _;

use sqlparser::ast::{
    AlterIndexOperation, ColumnDef, ColumnOption, CreateTable, GeneratedAs, GeneratedExpressionMode,
    LockTableMode, OnCommit, Query, SchemaName, Statement, TableConstraint,
};

use super::{
    Identity, NOTHING, NamedColumn, Result, Stop, Translator, Ty, check_case, constraint, declared, default,
    dml,
    drop::Dropped,
    index,
    passed_over::passed_over,
    quoted, refuse, refuse_with,
    scope::Literal,
    sequence::{self, Sequence},
    sequence_name::SequenceName,
    types::{self, Target},
    unsupported,
};
use crate::statement::tokens;

impl Translator<'_> {
    pub(super) fn definition(&mut self, statement: &Statement) -> Result<String> {
        match statement {
            Statement::Truncate(truncate) => self.truncate(truncate),
            Statement::CreateTable(table) => self.create_table(table),
            Statement::CreateView(view) => self.create_view(view),
            Statement::CreateIndex(index) => self.create_index(index),
            Statement::CreateSequence {
                if_not_exists,
                name,
                data_type,
                sequence_options,
                owned_by,
                temporary,
            } => {
                let owner = match owned_by {
                    Some(owner) => match owner.0.as_slice() {
                        [.., table, column] => table
                            .as_ident()
                            .zip(column.as_ident())
                            .map(|(table, column)| (super::folded(table), super::folded(column))),
                        _ => None,
                    },
                    None => None,
                };
                let sequence = Sequence {
                    data_type: data_type.as_ref(),
                    options: sequence_options,
                    owner,
                    temporary: *temporary,
                };
                self.create_sequence(name, *if_not_exists, &sequence)
            }
            Statement::Drop {
                object_type,
                if_exists,
                names,
                cascade,
                ..
            } => self.drop_objects(&Dropped {
                kind: *object_type,
                names,
                if_exists: *if_exists,
                cascade: *cascade,
            }),
            Statement::CreateSchema {
                schema_name,
                if_not_exists,
                ..
            } => {
                let name = match schema_name {
                    SchemaName::Simple(name) | SchemaName::NamedAuthorization(name, _) => self.split(name)?.1,
                    SchemaName::UnnamedAuthorization(name) => super::folded(name),
                };
                let is_there = name == "public" || self.names.has_schema(&name);
                match (is_there, if_not_exists) {
                    (true, true) => {
                        self.first(passed_over("42P06", &format!("schema \"{name}\" already exists")));
                        Ok(NOTHING.into())
                    }
                    (true, false) => refuse("42P06", format!("schema \"{name}\" already exists"), None),
                    _ => refuse_with(
                        "0A000",
                        format!("CREATE SCHEMA \"{name}\" is not supported on a SQLite file"),
                        "A schema is a file of its own: start the server with --attach name=path.",
                    ),
                }
            }
            Statement::CreateExtension(extension) => self.create_extension(extension),
            Statement::DropExtension(dropped) => Ok(self.drop_extension(dropped)),
            Statement::Lock(lock) => {
                let reads = matches!(
                    lock.lock_mode,
                    Some(LockTableMode::AccessShare | LockTableMode::RowShare | LockTableMode::Share)
                );
                let mut last = NOTHING.to_owned();
                for table in &lock.tables {
                    let (schema, name) = self.split(&table.name)?;
                    self.columns_of(schema.as_deref(), &name)?;
                    if !reads {
                        // A write that changes nothing keeps other writers out.
                        last = format!("DELETE FROM {} WHERE 0", dml::qualified(schema.as_deref(), &name));
                    }
                }
                Ok(last)
            }
            Statement::AlterIndex {
                name,
                operation: AlterIndexOperation::RenameIndex { index_name },
            } => self.rename_index(name, index_name),
            Statement::Merge(_) => refuse_with(
                "0A000",
                "MERGE is not supported on a SQLite file",
                "INSERT … ON CONFLICT … DO UPDATE does it for rows with a key.",
            ),
            Statement::CreateFunction(_) => unsupported("CREATE FUNCTION", None),
            Statement::CreateProcedure { .. } => unsupported("CREATE PROCEDURE", None),
            Statement::CreateType { .. } => unsupported("CREATE TYPE", None),
            Statement::CreateDomain(_) => unsupported("CREATE DOMAIN", None),
            Statement::CreateRole(_) => unsupported("CREATE ROLE", None),
            Statement::CreatePolicy(_) => unsupported("CREATE POLICY", None),
            Statement::CreateDatabase { .. } => unsupported("CREATE DATABASE", None),
            _ => Err(Stop::AsItStands),
        }
    }

    fn create_table(&mut self, table: &CreateTable) -> Result<String> {
        if table.or_replace || table.without_rowid || table.strict || table.clone.is_some() {
            return Err(Stop::AsItStands);
        }
        if let Some(OnCommit::DeleteRows | OnCommit::Drop) = table.on_commit {
            return refuse_with(
                "0A000",
                "ON COMMIT DELETE ROWS and ON COMMIT DROP are not supported on a SQLite file",
                "Leave the clause out, and TRUNCATE or DROP the temporary table before COMMIT.",
            );
        }
        if table.inherits.is_some() {
            return unsupported("CREATE TABLE … INHERITS", None);
        }
        if table.partition_of.is_some() || table.partition_by.is_some() {
            return unsupported("a partitioned table", None);
        }
        let (schema, name) = self.split(&table.name)?;
        let is_own = table.temporary || schema.as_deref() == Some("temp");
        let temporary = if table.temporary { "TEMP " } else { "" };
        // Somebody else may make it meanwhile.
        let exists = if table.if_not_exists { "IF NOT EXISTS " } else { "" };
        let head = format!(
            "CREATE {temporary}TABLE {exists}{}",
            dml::qualified(schema.as_deref(), &name)
        );
        let place = match schema.as_deref() {
            _ if table.temporary => "temp",
            None | Some("public") => "main",
            Some(schema) => schema,
        };
        if table.if_not_exists && self.passes_over_relation(place, &name) {
            return Ok(NOTHING.into());
        }
        if let Some(query) = &table.query {
            let renamed: Vec<String> = table
                .columns
                .iter()
                .map(|column| super::folded(&column.name))
                .collect();
            return self.create_from_query(query, (place, &name), &renamed);
        }
        if table.like.is_some() {
            return unsupported("CREATE TABLE … LIKE", None);
        }
        let is_nobodys = |column: &&ColumnDef| declared::of_column(&column.data_type).is_none();
        if let Some(unknown) = table.columns.iter().find(is_nobodys) {
            return Err(self.no_type(&unknown.data_type, self.at(&unknown.name)));
        }
        // Defaults and conditions name the table's own columns.
        let columns = table
            .columns
            .iter()
            .map(|column| {
                let spelled = declared::of_column(&column.data_type).map(|(_, words)| words);
                NamedColumn {
                    name: super::folded(&column.name),
                    declared: spelled.as_deref().map(declared::to_be).unwrap_or_default(),
                    ..NamedColumn::default()
                }
            })
            .collect::<Vec<_>>();
        check_case(columns.iter().map(|column| column.name.as_str()))?;
        self.enter_table(&name, &columns);
        self.made = Some(constraint::Made::of(table, is_own, schema.as_deref())?);
        let key = table.constraints.iter().find_map(|constraint| match constraint {
            TableConstraint::PrimaryKey(key) => Some(key),
            _ => None,
        });
        let mut keys = vec![];
        if let Some(key) = key {
            keys = constraint::key_columns(&key.columns)?;
        }
        let mut parts = vec![];
        let mut key_is_inline = false;
        for column in &table.columns {
            let own = super::folded(&column.name);
            let mut column = column.clone();
            if keys.contains(&own) {
                if keys.len() == 1
                    && numbered(&column)
                    && let Some(key) = key
                {
                    // SQLite finds the rows of such a table by this very column.
                    key_is_inline = true;
                    column
                        .options
                        .retain(|option| !matches!(option.option, ColumnOption::NotNull));
                    column.options.push(sqlparser::ast::ColumnOptionDef {
                        name: key.name.clone(),
                        option: ColumnOption::PrimaryKey(key.clone()),
                    });
                } else if !column
                    .options
                    .iter()
                    .any(|option| matches!(option.option, ColumnOption::NotNull))
                {
                    column.options.push(sqlparser::ast::ColumnOptionDef {
                        name: None,
                        option: ColumnOption::NotNull,
                    });
                }
            }
            parts.push(self.column_definition((&name, is_own), &column)?);
        }
        for constraint in &table.constraints {
            if key_is_inline && matches!(constraint, TableConstraint::PrimaryKey(_)) {
                continue;
            }
            parts.push(self.constraint(constraint)?);
        }
        self.scopes.pop();
        Ok(format!("{head} ({})", parts.join(", ")))
    }

    /// A table of a query's rows, with the types that these have.
    pub(super) fn create_from_query(
        &mut self,
        query: &Query,
        (place, name): (&str, &str),
        renamed: &[String],
    ) -> Result<String> {
        let (sql, columns) = self.subquery(query)?;
        let own = columns.iter().enumerate();
        check_case(own.map(|(at, column)| renamed.get(at).unwrap_or(&column.name).as_str()))?;
        let mut definitions = vec![];
        let mut names = vec![];
        let mut values = vec![];
        for (at, column) in columns.iter().enumerate() {
            let own = quoted(renamed.get(at).unwrap_or(&column.name));
            if names.contains(&own) {
                return refuse("42701", format!("column {own} specified more than once"), None);
            }
            let known = Target::with_told(column.ty, column.modifier).modifier;
            let modifier = known.or(column
                .scale
                .map(|scale| (38, scale))
                .filter(|_| column.ty == Ty::Numeric));
            let word = match column.ty {
                Ty::Dynamic => String::new(),
                Ty::Unknown => "TEXT".into(),
                ty => declared::spelled(Target { ty, modifier }),
            };
            definitions.push(format!("{own} {word}"));
            values.push(quoted(&column.inner));
            names.push(own);
        }
        let made = match place {
            "temp" => format!("TEMP TABLE {}", quoted(name)),
            "main" => format!("TABLE {}", quoted(name)),
            place => format!("TABLE {}", dml::qualified(Some(place), name)),
        };
        let create = format!("CREATE {made} ({})", definitions.join(", "));
        let words: Vec<&str> = tokens(self.text)
            .map(|(_, token)| token)
            .filter(|token| *token != ";")
            .collect();
        let is_word = |(token, word): (&&str, &str)| token.eq_ignore_ascii_case(word);
        if words.len() > 3 && words.iter().rev().zip(["data", "no", "with"]).all(is_word) {
            return Ok(create);
        }
        self.first(create);
        Ok(format!(
            "INSERT INTO {} ({}) SELECT {} FROM ({sql})",
            // A temporary table may have the same name.
            dml::qualified(Some(place), name),
            names.join(", "),
            values.join(", ")
        ))
    }

    /// The name for a column's sequence, with a number where there is one that is called so already.
    fn free_sequence(&self, home: &str, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 0;
        while self.names.keeps_sequence(home, &name) {
            number += 1;
            name = format!("{wanted}{number}");
        }
        name
    }

    /// A column of a table, which may be the session's own.
    fn column_definition(&mut self, (table, is_own): (&str, bool), column: &ColumnDef) -> Result<String> {
        let name = super::folded(&column.name);
        let Some((target, spelled)) = declared::of_column(&column.data_type) else {
            return Err(self.no_type(&column.data_type, self.at(&column.name)));
        };
        let is_key = column
            .options
            .iter()
            .any(|option| matches!(option.option, ColumnOption::PrimaryKey(_)));
        let serial = column
            .data_type
            .to_string()
            .to_ascii_lowercase()
            .contains("serial");
        let identity = identity_of(column);
        if identity.is_some() && !target.ty.is_integer() {
            let message = "identity column type must be smallint, integer, or bigint";
            return refuse("22023", message, None);
        }
        let options = column.options.iter().find_map(|option| match &option.option {
            ColumnOption::Generated { sequence_options, .. } => sequence_options.as_deref(),
            _ => None,
        });
        let options = options.unwrap_or_default();
        // SQLite counts its rows by one from one; a key that does not count must not take NULL for the next number.
        let is_rowid = is_key && numbered(column) && !options.iter().any(sequence::counts_otherwise);
        let counts = serial || identity.is_some();
        let word = if is_rowid {
            // SQLite finds rows by a column of exactly this type; the comment keeps the one that was asked for.
            match (target.ty, serial, identity) {
                (ty, false, Some(Identity::Always)) => format!("INTEGER /* {} always */", ty.internal()),
                (Ty::Int8, false, _) => "INTEGER".to_owned(),
                (ty, false, _) => format!("INTEGER /* {} */", ty.internal()),
                (Ty::Int4, true, _) => "INTEGER /* serial4 */".to_owned(),
                (Ty::Int2, true, _) => "INTEGER /* serial2 */".to_owned(),
                (_, true, _) => "INTEGER /* serial8 */".to_owned(),
            }
        } else {
            spelled
        };
        let mut sql = format!("{} {word}", quoted(&name));
        if counts && !is_rowid {
            let home = if is_own { "pg_temp" } else { "public" };
            let sequence = self.free_sequence(home, &format!("{table}_{name}_seq"));
            self.add_sequence(
                &sequence,
                false,
                &Sequence {
                    data_type: Some(&column.data_type),
                    options,
                    owner: Some((table.to_owned(), name.clone())),
                    temporary: is_own,
                },
            )?;
            let next = SequenceName::of(&sequence, Some(home)).drawn();
            let next = identity.map_or_else(|| next.clone(), |identity| identity.noted(&next));
            let _ = write!(sql, " NOT NULL DEFAULT ({next})");
        }
        for option in &column.options {
            if let Some(name) = &option.name {
                let _ = write!(sql, " CONSTRAINT {}", quoted(&super::folded(name)));
            }
            match &option.option {
                ColumnOption::Null
                | ColumnOption::Generated {
                    generation_expr: None,
                    ..
                } => {}
                // A column that counts by itself says so already.
                ColumnOption::NotNull if is_key || counts && !is_rowid => {}
                ColumnOption::NotNull => sql.push_str(" NOT NULL"),
                ColumnOption::Collation(name) => self.check_collation(name, target.ty)?,
                ColumnOption::PrimaryKey(key) => {
                    constraint::is_at_once(key.characteristics.as_ref())?;
                    index::has_order(target.ty, "btree")?;
                    sql.push_str(" PRIMARY KEY");
                    if is_rowid {
                        sql.push_str(" AUTOINCREMENT");
                    } else if !counts {
                        sql.push_str(" NOT NULL");
                    }
                }
                ColumnOption::Unique(unique) => {
                    constraint::is_at_once(unique.characteristics.as_ref())?;
                    index::has_order(target.ty, "btree")?;
                    sql.push_str(" UNIQUE");
                }
                ColumnOption::Default(expression) => {
                    let value = self.expression(expression)?;
                    self.is_read_now(&value, target)?;
                    let text = match &value.literal {
                        Some(Literal::Text(text)) => Some(text.clone()),
                        _ => None,
                    };
                    let value = self.assign(value, &name, target)?;
                    // PostgreSQL keeps none of that.
                    if value.literal == Some(Literal::Null) {
                        continue;
                    }
                    let full = value.full();
                    let mut value = default::stored(expression, (&full, target.ty), self.names);
                    let is_told_apart = text.is_some_and(|text| self.is_told_apart(&text, &value, target));
                    if value == full.to_string() || is_told_apart {
                        value = self.with_told_as(&value, expression, target.ty);
                    }
                    let _ = write!(sql, " DEFAULT ({value})");
                }
                ColumnOption::Check(check) => {
                    let _ = write!(sql, " CHECK ({})", self.own_condition(&check.expr)?);
                }
                ColumnOption::ForeignKey(key) => {
                    sql.push_str(&self.reference(key, std::slice::from_ref(&name))?);
                }
                ColumnOption::Generated {
                    generation_expr: Some(expression),
                    generation_expr_mode,
                    ..
                } => {
                    let (value, is_by_settings) = self.noting_settings(|translator| {
                        let value = translator.expression(expression)?;
                        translator.assign(value, &name, target)
                    })?;
                    if is_by_settings {
                        let at = self.at(&column.name);
                        return refuse("42P17", "generation expression is not immutable", at);
                    }
                    let mode = match generation_expr_mode {
                        Some(GeneratedExpressionMode::Stored) => " STORED",
                        _ => "",
                    };
                    let _ = write!(
                        sql,
                        " AS ({}){mode}",
                        self.with_told(&value.full().to_string(), expression)
                    );
                }
                _ => return Err(Stop::AsItStands),
            }
        }
        Ok(sql)
    }
}

/// What an identity column says of values that are given.
fn identity_of(column: &ColumnDef) -> Option<Identity> {
    column.options.iter().find_map(|option| match &option.option {
        ColumnOption::Generated {
            generated_as,
            generation_expr: None,
            ..
        } => Some(match generated_as {
            GeneratedAs::Always => Identity::Always,
            _ => Identity::ByDefault,
        }),
        _ => None,
    })
}

/// True for a whole number that counts by itself.
fn numbered(column: &ColumnDef) -> bool {
    let declared = column.data_type.to_string().to_ascii_lowercase();
    let is_integer = types::target(&column.data_type).is_some_and(|target| target.ty.is_integer());
    is_integer && (declared.contains("serial") || identity_of(column).is_some())
}
