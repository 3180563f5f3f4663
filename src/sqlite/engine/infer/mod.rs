//! What a statement's columns and parameters are, from its text and the schema. SQLite tells the type of a
//! column that is handed through only; here expressions get theirs. `None` is always a right answer.
//!
//! A translation brings the types of its columns along. This is for what runs as it stands: SQLite's own dialect and the SQL
//! that answers questions. Its operators are SQLite's, so that PostgreSQL's rules of types would refuse or promise wrongly.

mod expression;
mod functions;
mod relations;

use std::{collections::BTreeMap, sync::Arc};

use sqlparser::{
    ast::{AssignmentTarget, FromTable, Statement, TableObject},
    dialect::SQLiteDialect,
};

use crate::{
    backend::SqlType,
    question::schema::{Column, Schema},
    sqlite::decltype,
    statement::grammar,
};

/// Longer statements are data, and are left alone.
const LONGEST: usize = 64 << 10;
/// How deep expressions and subqueries are followed.
const DEEPEST: usize = 200;

/// What was found out about one statement.
#[derive(Debug, Default)]
pub(super) struct Inferred {
    /// The output columns; `None` where they could not be told apart.
    pub(super) columns: Option<Vec<Option<SqlType>>>,
    /// The parameters by number.
    pub(super) parameters: BTreeMap<usize, SqlType>,
    /// The schema by which it was found out.
    pub(super) schema: Option<Arc<Schema>>,
}

impl Inferred {
    /// True for a table and a column of the schema.
    pub(super) fn knows(&self, (table, column): &(String, String)) -> bool {
        self.schema.as_ref().is_some_and(|schema| {
            let table = schema.table_named(table).map(|at| &schema.tables[at]);
            table.is_some_and(|table| table.column_named(column).is_some())
        })
    }
}

/// An output column of a query or a table: its name and type.
type Output = (String, Option<SqlType>);

/// The walk through one statement.
struct Inference<'s> {
    schema: &'s Schema,
    /// The types that the client declares of `$1`, `$2` ….
    declared: &'s [Option<SqlType>],
    parameters: BTreeMap<usize, SqlType>,
    depth: usize,
}

/// Infers what it can; `declared` are the types that the client declares of `$1`, `$2` ….
pub(super) fn infer(sql: &str, schema: &Schema, declared: &[Option<SqlType>]) -> Inferred {
    if sql.len() > LONGEST {
        return Inferred::default();
    }
    let inferred = grammar::read(&SQLiteDialect {}, sql, |statements| match statements.as_slice() {
        [statement] => infer_of(statement, schema, declared),
        _ => Inferred::default(),
    });
    inferred.unwrap_or_default()
}

fn infer_of(statement: &Statement, schema: &Schema, declared: &[Option<SqlType>]) -> Inferred {
    let mut inference = Inference {
        schema,
        declared,
        parameters: BTreeMap::new(),
        depth: 0,
    };
    let columns = inference.statement(statement);
    Inferred {
        columns: columns.map(|columns| columns.into_iter().map(|(_, ty)| ty).collect()),
        parameters: inference.parameters,
        schema: None,
    }
}

/// What clients are told of a stored column; `None` for what has no type and says nothing.
pub(super) fn of_column(column: &Column) -> Option<SqlType> {
    decltype::held(column).or_else(|| decltype::sql_type(&column.declared_type))
}

/// The type that expressions reckon with, for one that a client declares.
fn widened(ty: SqlType) -> SqlType {
    match ty {
        SqlType::Int2 | SqlType::Int4 => SqlType::Int8,
        SqlType::Float4 => SqlType::Float8,
        SqlType::Varchar | SqlType::Bpchar => SqlType::Text,
        ty => ty,
    }
}

/// The type that values of both fit.
pub(super) fn common(one: SqlType, other: SqlType) -> SqlType {
    use SqlType::{Bool, Date, Float8, Int8, Numeric, Text, Timestamp};
    match (one, other) {
        (one, other) if one == other => one,
        (Int8 | Numeric | Float8, Float8) | (Float8, Int8 | Numeric) => Float8,
        (Int8, Numeric) | (Numeric, Int8) => Numeric,
        (Bool, Int8) | (Int8, Bool) => Int8,
        (Date, Timestamp) | (Timestamp, Date) => Timestamp,
        _ => Text,
    }
}

/// Both where both are known.
fn either(one: Option<SqlType>, other: Option<SqlType>) -> Option<SqlType> {
    one.zip(other).map(|(one, other)| common(one, other))
}

impl Inference<'_> {
    fn statement(&mut self, statement: &Statement) -> Option<Vec<Output>> {
        let nothing = relations::Scope::default();
        match statement {
            Statement::Query(query) => self.query(query, &nothing),
            Statement::Insert(insert) => {
                let TableObject::TableName(name) = &insert.table else {
                    return None;
                };
                let table = self.table_named(name)?;
                let columns: Vec<usize> = if insert.columns.is_empty() {
                    (0..self.schema.tables[table].columns.len()).collect()
                } else {
                    insert
                        .columns
                        .iter()
                        .map(|name| self.column_of(table, name))
                        .collect::<Option<_>>()?
                };
                let wanted: Vec<Option<SqlType>> = columns
                    .into_iter()
                    .map(|column| of_column(&self.schema.tables[table].columns[column]))
                    .collect();
                if let Some(source) = &insert.source {
                    self.rows_for(source, &wanted, &nothing);
                }
                let scope = nothing.with_table(self.schema, table, None);
                self.projection(insert.returning.as_deref()?, &scope)
            }
            Statement::Update(update) => {
                let scope = self.scope(std::slice::from_ref(&update.table), &nothing);
                for assignment in &update.assignments {
                    if let AssignmentTarget::ColumnName(name) = &assignment.target {
                        let wanted = name
                            .0
                            .last()
                            .and_then(|part| part.as_ident())
                            .and_then(|column| scope.column(None, &column.value));
                        self.expected(&assignment.value, wanted, &scope);
                    }
                }
                if let Some(condition) = &update.selection {
                    self.expression(condition, &scope);
                }
                self.projection(update.returning.as_deref()?, &scope)
            }
            Statement::Delete(delete) => {
                let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
                let scope = self.scope(from, &nothing);
                if let Some(condition) = &delete.selection {
                    self.expression(condition, &scope);
                }
                self.projection(delete.returning.as_deref()?, &scope)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
