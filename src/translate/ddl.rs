//! Definitions: tables with PostgreSQL's types, views, indexes, and what is dropped.

use std::fmt::Write as _;

use sqlparser::ast::{
    ColumnDef, ColumnOption, CreateTable, Expr, GeneratedExpressionMode, ObjectType, Statement,
    TableConstraint,
};

use super::{
    Result, Stop, Translator, Ty, dml, from, quoted,
    scope::{Relation, Scope},
    types, unsupported,
};

impl Translator<'_> {
    pub(super) fn definition(&mut self, statement: &Statement) -> Result<String> {
        match statement {
            Statement::Truncate(truncate) => self.truncate(truncate),
            Statement::CreateTable(table) => self.create_table(table),
            Statement::CreateIndex(index) => self.create_index(index),
            Statement::CreateView(view) => {
                if view.or_replace || view.materialized || view.with_no_schema_binding {
                    return Err(Stop::AsItStands);
                }
                let (schema, name) = from::split(&view.name)?;
                let (sql, columns) = self.subquery(&view.query)?;
                let names: Vec<String> = if view.columns.is_empty() {
                    columns.iter().map(|column| quoted(&column.inner)).collect()
                } else {
                    view.columns
                        .iter()
                        .map(|column| quoted(&super::folded(&column.name)))
                        .collect()
                };
                let temporary = if view.temporary { "TEMP " } else { "" };
                let exists = if view.if_not_exists { "IF NOT EXISTS " } else { "" };
                Ok(format!(
                    "CREATE {temporary}VIEW {exists}{} ({}) AS {sql}",
                    dml::qualified(schema.as_deref(), &name),
                    names.join(", ")
                ))
            }
            Statement::Drop {
                object_type,
                if_exists,
                names,
                ..
            } => {
                let word = match object_type {
                    ObjectType::Table => "TABLE",
                    ObjectType::View => "VIEW",
                    ObjectType::Index => "INDEX",
                    _ => return Err(Stop::AsItStands),
                };
                let [name] = names.as_slice() else {
                    return unsupported(format!("DROP {word} of several"), None);
                };
                let (schema, name) = from::split(name)?;
                let exists = if *if_exists { "IF EXISTS " } else { "" };
                Ok(format!(
                    "DROP {word} {exists}{}",
                    dml::qualified(schema.as_deref(), &name)
                ))
            }
            _ => Err(Stop::AsItStands),
        }
    }

    fn create_table(&mut self, table: &CreateTable) -> Result<String> {
        if table.or_replace
            || table.without_rowid
            || table.strict
            || table.like.is_some()
            || table.clone.is_some()
            || table.inherits.is_some()
            || table.partition_of.is_some()
            || table.partition_by.is_some()
        {
            return Err(Stop::AsItStands);
        }
        let (schema, name) = from::split(&table.name)?;
        let temporary = if table.temporary { "TEMP " } else { "" };
        let exists = if table.if_not_exists { "IF NOT EXISTS " } else { "" };
        let head = format!(
            "CREATE {temporary}TABLE {exists}{}",
            dml::qualified(schema.as_deref(), &name)
        );
        if let Some(query) = &table.query {
            let (sql, columns) = self.subquery(query)?;
            let renamed: Vec<String> = table
                .columns
                .iter()
                .map(|column| super::folded(&column.name))
                .collect();
            let list: Vec<String> = columns
                .iter()
                .enumerate()
                .map(|(at, column)| {
                    let name = renamed.get(at).unwrap_or(&column.name);
                    let cast = match column.ty {
                        Ty::Int2 | Ty::Int4 | Ty::Int8 => "INTEGER",
                        Ty::Float4 | Ty::Float8 => "REAL",
                        Ty::Numeric => "NUMERIC",
                        _ => "",
                    };
                    if cast.is_empty() {
                        format!("{} AS {}", quoted(&column.inner), quoted(name))
                    } else {
                        format!("CAST({} AS {cast}) AS {}", quoted(&column.inner), quoted(name))
                    }
                })
                .collect();
            return Ok(format!("{head} AS SELECT {} FROM ({sql})", list.join(", ")));
        }
        // Defaults and conditions name the table's own columns.
        let columns = table
            .columns
            .iter()
            .map(|column| {
                let ty = types::target(&column.data_type).map_or(Ty::Dynamic, |target| target.ty);
                super::NamedColumn {
                    name: super::folded(&column.name),
                    declared: ty.internal(),
                    not_null: false,
                    key: 0,
                    generated: false,
                }
            })
            .collect::<Vec<_>>();
        self.scopes.push(Scope {
            relations: vec![Relation::of_table(&name, &columns)],
            ..Scope::default()
        });
        let mut parts = vec![];
        for column in &table.columns {
            parts.push(self.column_definition(column)?);
        }
        for constraint in &table.constraints {
            parts.push(self.constraint(constraint)?);
        }
        self.scopes.pop();
        // SQLite shows conditions as they are written, so they name columns as their author does.
        let own = format!("{}.", quoted(&name));
        Ok(format!("{head} ({})", parts.join(", ").replace(&own, "")))
    }

    fn column_definition(&mut self, column: &ColumnDef) -> Result<String> {
        let name = super::folded(&column.name);
        let Some(target) = types::target(&column.data_type) else {
            return Err(Stop::AsItStands);
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
        let identity = column.options.iter().any(|option| {
            matches!(
                option.option,
                ColumnOption::Generated {
                    generation_expr: None,
                    ..
                }
            )
        });
        if (serial || identity) && !is_key {
            return unsupported(
                "serial or identity on a column that is not the primary key",
                self.at(&column.name),
            );
        }
        let declared = match target.ty {
            ty if is_key && ty.is_integer() => "INTEGER".to_owned(),
            Ty::Int4 => "INT4".into(),
            Ty::Int2 => "INT2".into(),
            Ty::Int8 => "BIGINT".into(),
            Ty::Float4 => "FLOAT4".into(),
            Ty::Float8 => "DOUBLE PRECISION".into(),
            Ty::Array(of) => format!("\"{}[]\"", of.internal()),
            ty => {
                let modifier = match (ty, target.modifier) {
                    (Ty::Numeric, Some((one, two))) => format!("({one}, {two})"),
                    (_, Some((one, _))) => format!("({one})"),
                    (_, None) => String::new(),
                };
                let word =
                    types::stored(target).map_or_else(|| ty.internal().to_ascii_uppercase(), str::to_owned);
                let order = if word == "NUMERIC_TEXT" {
                    " COLLATE pg_numeric"
                } else {
                    ""
                };
                format!("{word}{modifier}{order}")
            }
        };
        let mut sql = format!("{} {declared}", quoted(&name));
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
                ColumnOption::NotNull => sql.push_str(" NOT NULL"),
                ColumnOption::PrimaryKey(_) => {
                    sql.push_str(" PRIMARY KEY");
                    if serial || identity {
                        sql.push_str(" AUTOINCREMENT");
                    } else if !target.ty.is_integer() {
                        sql.push_str(" NOT NULL");
                    }
                }
                ColumnOption::Unique(_) => sql.push_str(" UNIQUE"),
                ColumnOption::Default(value) => {
                    let value = self.expression(value)?;
                    let value = self.assign(value, &name, target)?;
                    let _ = write!(sql, " DEFAULT ({})", value.full());
                }
                ColumnOption::Check(check) => {
                    let condition = self.own_condition(&check.expr)?;
                    let _ = write!(sql, " CHECK ({condition})");
                }
                ColumnOption::ForeignKey(key) => {
                    sql.push_str(&format!(" {key}").replace(" FOREIGN KEY () ", " "));
                }
                ColumnOption::Generated {
                    generation_expr: Some(expression),
                    generation_expr_mode,
                    ..
                } => {
                    let value = self.expression(expression)?;
                    let value = self.assign(value, &name, target)?;
                    let mode = match generation_expr_mode {
                        Some(GeneratedExpressionMode::Stored) => " STORED",
                        _ => "",
                    };
                    let _ = write!(sql, " AS ({}){mode}", value.full());
                }
                _ => return Err(Stop::AsItStands),
            }
        }
        Ok(sql)
    }

    fn own_condition(&mut self, condition: &Expr) -> Result<String> {
        self.truth(condition, "CHECK")
    }

    fn constraint(&mut self, constraint: &TableConstraint) -> Result<String> {
        match constraint {
            TableConstraint::Check(check) => {
                let condition = self.own_condition(&check.expr)?;
                let name = check
                    .name
                    .as_ref()
                    .map(|name| format!("CONSTRAINT {} ", quoted(&super::folded(name))))
                    .unwrap_or_default();
                Ok(format!("{name}CHECK ({condition})"))
            }
            TableConstraint::Unique(_) | TableConstraint::PrimaryKey(_) | TableConstraint::ForeignKey(_) => {
                Ok(constraint.to_string())
            }
            _ => Err(Stop::AsItStands),
        }
    }
}
