//! Guesses the types of parameters that the client does not declare, from what they are compared with,
//! inserted into or used as. PostgreSQL's own parser does the same; drivers such as asyncpg rely on it.

use std::{collections::HashMap, ops::ControlFlow};

use sqlparser::{
    ast::{
        AssignmentTarget, BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Insert,
        LimitClause, ObjectName, Query, SetExpr, Statement, TableFactor, TableObject, Value, Visit, Visitor,
    },
    dialect::{Dialect, PostgreSqlDialect, SQLiteDialect},
    parser::Parser,
};

use crate::{
    backend::{SqlType, sqlite::declared_type},
    schema::Schema,
};

use super::parameters::type_named;

/// Longer statements are not looked into: the parser's tree may get too deep for the stack.
const LONGEST: usize = 4_096;

/// The types of `$1`, `$2` …, as far as they can be guessed. A wrong guess is possible and must do no harm.
pub(super) fn guess(sql: &str, schema: &Schema, count: usize) -> Vec<Option<SqlType>> {
    let mut guesses = Guesses {
        schema,
        tables: HashMap::new(),
        types: vec![None; count],
        names_only: true,
    };
    if sql.len() > LONGEST {
        return guesses.types;
    }
    let dialects: [&dyn Dialect; 2] = [&PostgreSqlDialect {}, &SQLiteDialect {}];
    let parsed = dialects
        .iter()
        .find_map(|dialect| Parser::parse_sql(*dialect, sql).ok());
    for statement in parsed.iter().flatten() {
        // First all tables, since SELECT names its columns before them.
        let _: ControlFlow<()> = statement.visit(&mut guesses);
        guesses.names_only = false;
        let _: ControlFlow<()> = statement.visit(&mut guesses);
    }
    guesses.types
}

struct Guesses<'a> {
    schema: &'a Schema,
    /// Tables of the statement by name and alias, in lower case.
    tables: HashMap<String, usize>,
    types: Vec<Option<SqlType>>,
    /// The first pass.
    names_only: bool,
}

impl Visitor for Guesses<'_> {
    type Break = ();

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        self.table(relation, None);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table {
            name,
            alias: Some(alias),
            ..
        } = factor
        {
            self.table(name, Some(&alias.name.value));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let mut whole_number = |expression: &Expr| self.note(expression, Some(SqlType::Int8));
        match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                limit.iter().for_each(&mut whole_number);
                if let Some(offset) = offset {
                    whole_number(&offset.value);
                }
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                whole_number(offset);
                whole_number(limit);
            }
            None => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<()> {
        match statement {
            Statement::Insert(insert) => self.insert(insert),
            Statement::Update(update) => {
                for assignment in &update.assignments {
                    if let AssignmentTarget::ColumnName(name) = &assignment.target {
                        let ty = last(name).and_then(|column| self.column(None, column));
                        self.note(&assignment.value, ty);
                    }
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        if !self.names_only {
            self.expression(expression);
        }
        ControlFlow::Continue(())
    }
}

impl Guesses<'_> {
    fn table(&mut self, name: &ObjectName, alias: Option<&str>) {
        if let Some(own) = last(name)
            && let Some(table) = self.schema.table_named(own)
        {
            self.tables.insert(alias.unwrap_or(own).to_lowercase(), table);
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let TableObject::TableName(name) = &insert.table else {
            return;
        };
        let Some(table) = last(name).and_then(|name| self.schema.table_named(name)) else {
            return;
        };
        let columns = &self.schema.tables[table].columns;
        let types: Vec<Option<SqlType>> = if insert.columns.is_empty() {
            columns
                .iter()
                .map(|column| declared_type(&column.declared_type))
                .collect()
        } else {
            insert
                .columns
                .iter()
                .map(|name| {
                    let at = self.schema.tables[table].column_named(last(name)?)?;
                    declared_type(&columns[at].declared_type)
                })
                .collect()
        };
        if let Some(SetExpr::Values(values)) = insert.source.as_ref().map(|source| &*source.body) {
            for row in &values.rows {
                for (value, ty) in row.content.iter().zip(&types) {
                    self.note(value, *ty);
                }
            }
        }
    }

    fn expression(&mut self, expression: &Expr) {
        match expression {
            Expr::BinaryOp { left, op, right } => {
                let text = matches!(op, BinaryOperator::StringConcat).then_some(SqlType::Text);
                let (of_left, of_right) = (self.type_of(left), self.type_of(right));
                self.note(left, text.or(of_right));
                self.note(right, text.or(of_left));
            }
            Expr::InList { expr, list, .. } => {
                let ty = self.type_of(expr);
                for item in list {
                    self.note(item, ty);
                }
            }
            Expr::Between { expr, low, high, .. } => {
                let ty = self.type_of(expr);
                self.note(low, ty);
                self.note(high, ty);
                let ty = self.type_of(low).or(self.type_of(high));
                self.note(expr, ty);
            }
            Expr::Like { expr, pattern, .. } | Expr::ILike { expr, pattern, .. } => {
                self.note(expr, Some(SqlType::Text));
                self.note(pattern, Some(SqlType::Text));
            }
            Expr::Cast { expr, data_type, .. } => self.note(expr, type_named(&data_type.to_string())),
            _ => {}
        }
    }

    /// What a parameter in this place is; the first place counts.
    fn note(&mut self, expression: &Expr, ty: Option<SqlType>) {
        match expression {
            Expr::Nested(inner) => self.note(inner, ty),
            Expr::Value(value) => {
                if let Value::Placeholder(name) = &value.value
                    && let Some(number) = name
                        .strip_prefix('$')
                        .and_then(|digits| digits.parse::<usize>().ok())
                    && let Some(known) = number.checked_sub(1).and_then(|at| self.types.get_mut(at))
                {
                    *known = known.or(ty);
                }
            }
            _ => {}
        }
    }

    fn column(&self, table: Option<&str>, name: &str) -> Option<SqlType> {
        let in_table = |at: usize| {
            let table = &self.schema.tables[at];
            let column = &table.columns[table.column_named(name)?];
            declared_type(&column.declared_type)
        };
        match table {
            Some(table) => in_table(*self.tables.get(&table.to_lowercase())?),
            None => self.tables.values().find_map(|table| in_table(*table)),
        }
    }

    fn type_of(&self, expression: &Expr) -> Option<SqlType> {
        match expression {
            Expr::Identifier(name) => self.column(None, &name.value),
            Expr::CompoundIdentifier(names) => {
                let [.., table, column] = names.as_slice() else {
                    return None;
                };
                self.column(Some(&table.value), &column.value)
            }
            Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => self.type_of(inner),
            Expr::Cast { data_type, .. } => type_named(&data_type.to_string()),
            Expr::BinaryOp { left, op, right } if is_arithmetic(op) => {
                self.type_of(left).or_else(|| self.type_of(right))
            }
            Expr::Value(value) => match &value.value {
                Value::Number(digits, _) if digits.contains(['.', 'e', 'E']) => Some(SqlType::Float8),
                Value::Number(..) => Some(SqlType::Int8),
                Value::SingleQuotedString(_) => Some(SqlType::Text),
                Value::Boolean(_) => Some(SqlType::Bool),
                _ => None,
            },
            Expr::Function(function) => {
                let name = last(&function.name)?.to_ascii_lowercase();
                match name.as_str() {
                    "count" | "length" | "instr" | "row_number" | "rank" => Some(SqlType::Int8),
                    "avg" | "total" | "random" => Some(SqlType::Float8),
                    "lower" | "upper" | "trim" | "substr" | "substring" | "replace" | "strftime" => {
                        Some(SqlType::Text)
                    }
                    "sum" | "min" | "max" | "abs" | "round" | "coalesce" | "ifnull" => {
                        let FunctionArguments::List(list) = &function.args else {
                            return None;
                        };
                        match list.args.first()? {
                            FunctionArg::Unnamed(FunctionArgExpr::Expr(first)) => self.type_of(first),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn is_arithmetic(operator: &BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo
    )
}

fn last(name: &ObjectName) -> Option<&str> {
    name.0
        .last()
        .and_then(|part| part.as_ident())
        .map(|ident| ident.value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Column, Table};

    fn check(sql: &str, expected: &[Option<SqlType>]) {
        let column = |name: &str, declared: &str| Column {
            name: name.into(),
            declared_type: declared.into(),
            ..Column::default()
        };
        let table = |name: &str, columns| Table {
            name: name.into(),
            columns,
            ..Table::default()
        };
        let schema = Schema {
            tables: vec![
                table(
                    "customer",
                    vec![
                        column("id", "INTEGER"),
                        column("name", "TEXT"),
                        column("born", "DATE"),
                        column("vip", "BOOLEAN"),
                    ],
                ),
                table(
                    "orders",
                    vec![column("id", "INTEGER"), column("total", "NUMERIC(10,2)")],
                ),
            ],
            ..Schema::default()
        };
        assert_eq!(guess(sql, &schema, expected.len()), expected, "{sql}");
    }

    #[test]
    fn types_come_from_what_surrounds_a_parameter() {
        use SqlType::{Bool, Date, Float8, Int4, Int8, Numeric, Text};
        check("SELECT * FROM customer WHERE id = $1", &[Some(Int8)]);
        check(
            "SELECT * FROM customer c WHERE $1 < c.born AND vip = $2",
            &[Some(Date), Some(Bool)],
        );
        check(
            "SELECT * FROM orders o JOIN customer c USING (id) WHERE o.total > $1",
            &[Some(Numeric)],
        );
        check(
            "SELECT * FROM customer WHERE name LIKE $1 LIMIT $2 OFFSET $3",
            &[Some(Text), Some(Int8), Some(Int8)],
        );
        check(
            "SELECT id FROM customer WHERE id IN ($1, $2)",
            &[Some(Int8), Some(Int8)],
        );
        check(
            "SELECT * FROM orders WHERE total BETWEEN $1 AND $2",
            &[Some(Numeric), Some(Numeric)],
        );
        check(
            "INSERT INTO customer VALUES ($1, $2, $3)",
            &[Some(Int8), Some(Text), Some(Date)],
        );
        check(
            "INSERT INTO customer (born, id) VALUES ($1, $2), ($3, $4)",
            &[Some(Date), Some(Int8), Some(Date), Some(Int8)],
        );
        check(
            "UPDATE customer SET name = $1 WHERE id = $2",
            &[Some(Text), Some(Int8)],
        );
        check("DELETE FROM orders WHERE total = $1", &[Some(Numeric)]);
        check(
            "SELECT count(*) FROM orders GROUP BY id HAVING count(*) > $1",
            &[Some(Int8)],
        );
        check(
            "SELECT $1::int, CAST($2 AS date), $3 + 1.5, $4",
            &[Some(Int4), Some(Date), Some(Float8), None],
        );
        check("not sql at all $1", &[None]);
    }

    #[test]
    fn a_deep_statement_does_no_harm() {
        let sql = format!("SELECT $1{}", "+1".repeat(2_000));
        check(&sql, &[Some(SqlType::Int8)]);
        let sql = format!("SELECT {}$1{}", "(".repeat(2_000), ")".repeat(2_000));
        check(&sql, &[None]);
    }
}
