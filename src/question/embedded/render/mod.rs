//! A logical query as SQL text, in the dialect of the database.

use super::logical::{
    Comparator, Comparison, DatePart, Direction, Expression, Filter, Function, Operand, Query,
};
use crate::question::{
    schema::{ColumnKind, ColumnRef, Dialect, Snapshot, Table, identifier, literal},
    semantic::{hundredths, in_whole_units, whole_name},
};

mod conform;
mod pieces;
mod postgres;
#[cfg(test)]
mod tests;

pub(crate) use pieces::{Pieces, pieces};

/// Why a query cannot be written as SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoJoinPath;

/// The query as SQL; fails where no keys connect its tables.
pub(crate) fn render(query: &Query, snapshot: &Snapshot) -> Result<String, NoJoinPath> {
    Renderer { snapshot }.query(query)
}

struct Renderer<'a> {
    snapshot: &'a Snapshot,
}

impl Renderer<'_> {
    fn is_postgres(&self) -> bool {
        self.snapshot.dialect == Dialect::Postgres
    }

    fn query(&self, query: &Query) -> Result<String, NoJoinPath> {
        // What is told apart is ordered by what has one value for each, whatever the database would take.
        let stricter = self.is_postgres() || query.distinct && !query.order.is_empty();
        let conforming = stricter.then(|| conform::conform(query, self.snapshot));
        let query = conforming.as_ref().unwrap_or(query);
        let tables = query.tables_read();
        let joins = self.joins(&tables, &query.keys)?;
        let joined = joins.len() > 1;
        let qualified = joined || query.filters.iter().any(|f| matches!(f, Filter::Exists { .. }));
        let mut sql = String::from(if query.distinct {
            "SELECT DISTINCT "
        } else {
            "SELECT "
        });
        // What has no equality can neither be grouped nor be told apart.
        let compared = query.distinct || !query.group.is_empty() || query.intersect.is_some();
        sql.push_str(&self.shown(query, qualified, compared));
        sql.push_str(" FROM ");
        sql.push_str(&joins.join(" "));
        let filters = self.filters(&query.filters, qualified)?;
        if !filters.is_empty() {
            sql.push_str(" WHERE ");
            sql.push_str(&filters.join(" AND "));
        }
        if !query.group.is_empty() {
            sql.push_str(" GROUP BY ");
            sql.push_str(&self.list(&query.group, qualified, true));
        }
        if !query.having.is_empty() {
            let having: Result<Vec<String>, NoJoinPath> = query
                .having
                .iter()
                .map(|comparison| self.comparison(comparison, qualified))
                .collect();
            sql.push_str(" HAVING ");
            sql.push_str(&having?.join(" AND "));
        }
        if let Some(other) = &query.intersect {
            sql.push_str(" INTERSECT ");
            sql.push_str(&self.query(other)?);
        }
        if !query.order.is_empty() {
            let order: Vec<String> = query
                .order
                .iter()
                .map(|(expression, direction)| {
                    let suffix = match direction {
                        Direction::Descending if self.may_be_null(expression) => " DESC NULLS LAST",
                        Direction::Descending => " DESC",
                        Direction::Ascending => "",
                    };
                    let column = query.select.iter().position(|selected| selected == expression);
                    match column {
                        // Only its columns are known behind a set operation.
                        Some(at) if self.is_postgres() && query.intersect.is_some() => {
                            format!("{}{suffix}", at + 1)
                        }
                        _ => format!("{}{suffix}", self.expression(expression, qualified)),
                    }
                })
                .collect();
            sql.push_str(" ORDER BY ");
            sql.push_str(&order.join(", "));
        }
        if let Some(limit) = query.limit {
            sql.push_str(" LIMIT ");
            sql.push_str(&limit.to_string());
        }
        if query.counted {
            sql = format!("SELECT COUNT(*) FROM ({sql}) AS found");
        }
        Ok(sql)
    }

    /// The first table, then one `JOIN … ON …` for each further one.
    fn joins(&self, tables: &[usize], keys: &[usize]) -> Result<Vec<String>, NoJoinPath> {
        let schema = &self.snapshot.schema;
        let Some(&first) = tables.first() else {
            return Err(NoJoinPath);
        };
        let steps = self.snapshot.joins.connect(tables, keys).ok_or(NoJoinPath)?;
        let mut parts = vec![self.source(first)];
        for step in steps {
            let key = &schema.foreign_keys[step.key];
            let ties: Vec<String> = key
                .from
                .iter()
                .zip(&key.to)
                .map(|(from, to)| format!("{} = {}", self.column(*from, true), self.column(*to, true)))
                .collect();
            parts.push(format!(
                "JOIN {} ON {}",
                self.source(step.table),
                ties.join(" AND ")
            ));
        }
        Ok(parts)
    }

    /// What is selected, amounts that are kept in hundredths in whole units.
    fn shown(&self, query: &Query, qualified: bool, compared: bool) -> String {
        // What is told apart must be ordered by as it is shown.
        if query.distinct && !query.order.is_empty() || query.intersect.is_some() {
            return self.list(&query.select, qualified, compared);
        }
        let parts: Vec<String> = query
            .select
            .iter()
            .map(|expression| {
                let written = self.list(std::slice::from_ref(expression), qualified, compared);
                match self.amount(expression) {
                    Some(name) => {
                        let name = identifier(name, self.snapshot.dialect);
                        format!("{} AS {name}", in_whole_units(&written, self.snapshot.dialect))
                    }
                    None => written,
                }
            })
            .collect();
        parts.join(", ")
    }

    /// What is shown is called where it is an amount kept in hundredths.
    fn amount(&self, expression: &Expression) -> Option<&str> {
        let (Expression::Column(at)
        | Expression::Aggregate {
            function: Function::Average | Function::Sum | Function::Maximum | Function::Minimum,
            column: at,
            ..
        }) = expression
        else {
            return None;
        };
        let column = self.snapshot.schema.column(*at);
        let is_number = matches!(column.kind, ColumnKind::Integer | ColumnKind::Number);
        (is_number && hundredths(column).is_some()).then(|| whole_name(&column.name))
    }

    fn list(&self, expressions: &[Expression], qualified: bool, compared: bool) -> String {
        let parts: Vec<String> = expressions
            .iter()
            .map(|expression| match expression {
                Expression::Column(column) if compared && self.lacks_equality(*column) => {
                    format!("{}::text", self.column(*column, qualified))
                }
                expression => self.expression(expression, qualified),
            })
            .collect();
        parts.join(", ")
    }

    /// A table as FROM names it.
    fn source(&self, table: usize) -> String {
        let name = identifier(&self.snapshot.schema.tables[table].name, self.snapshot.dialect);
        match self.namespace(table) {
            Some(namespace) => {
                let alias = self.table(table);
                let alias = if alias == name {
                    String::new()
                } else {
                    format!(" AS {alias}")
                };
                format!("{namespace}.{name}{alias}")
            }
            None => name,
        }
    }

    /// A table as columns are qualified with it.
    fn table(&self, table: usize) -> String {
        let tables = &self.snapshot.schema.tables;
        let Table {
            name,
            schema,
            qualified,
            ..
        } = &tables[table];
        let shared = || tables.iter().filter(|other| other.name == *name).count() > 1;
        match schema {
            Some(schema) if *qualified && shared() => {
                identifier(&format!("{schema}_{name}"), self.snapshot.dialect)
            }
            _ => identifier(name, self.snapshot.dialect),
        }
    }

    fn column(&self, at: ColumnRef, qualified: bool) -> String {
        let column = identifier(&self.snapshot.schema.column(at).name, self.snapshot.dialect);
        if qualified {
            format!("{}.{column}", self.table(at.table))
        } else {
            column
        }
    }

    fn expression(&self, expression: &Expression, qualified: bool) -> String {
        if self.is_postgres()
            && let Some(text) = self.postgres_expression(expression, qualified)
        {
            return text;
        }
        match expression {
            Expression::Column(column) => self.column(*column, qualified),
            Expression::Row(table) if qualified => {
                format!("{}.*", self.table(*table))
            }
            Expression::Row(_) => "*".into(),
            Expression::CountRows => "COUNT(*)".into(),
            Expression::Aggregate {
                function,
                distinct,
                column,
            } => {
                let function = match function {
                    Function::Count => "COUNT",
                    Function::Average => "AVG",
                    Function::Sum => "SUM",
                    Function::Maximum => "MAX",
                    Function::Minimum => "MIN",
                };
                let distinct = if *distinct { "DISTINCT " } else { "" };
                format!("{function}({distinct}{})", self.column(*column, qualified))
            }
            Expression::Part(part, column) => {
                let format = match part {
                    DatePart::Year => "%Y",
                    DatePart::Month => "%Y-%m",
                    DatePart::Day => "%Y-%m-%d",
                };
                format!("strftime('{format}', {})", self.column(*column, qualified))
            }
            Expression::One => "1".into(),
        }
    }

    fn filters(&self, filters: &[Filter], qualified: bool) -> Result<Vec<String>, NoJoinPath> {
        filters
            .iter()
            .map(|filter| self.filter(filter, qualified))
            .collect()
    }

    fn filter(&self, filter: &Filter, qualified: bool) -> Result<String, NoJoinPath> {
        Ok(match filter {
            Filter::Compare(comparison) => self.comparison(comparison, qualified)?,
            Filter::Any(any) => {
                let parts: Result<Vec<String>, NoJoinPath> = any
                    .iter()
                    .map(|comparison| self.comparison(comparison, qualified))
                    .collect();
                format!("({})", parts?.join(" OR "))
            }
            Filter::In {
                column,
                query,
                negated,
            } => {
                let not = if *negated { "NOT " } else { "" };
                format!(
                    "{} {not}IN ({})",
                    self.column(*column, qualified),
                    self.query(query)?
                )
            }
            Filter::Exists { ties, query, negated } => {
                let not = if *negated { "NOT " } else { "" };
                let ties: Vec<String> = ties
                    .iter()
                    .map(|(outer, inner)| {
                        format!("{} = {}", self.column(*inner, true), self.column(*outer, true))
                    })
                    .collect();
                let inner = self.query(query)?;
                let glue = if query.filters.is_empty() {
                    " WHERE "
                } else {
                    " AND "
                };
                format!("{not}EXISTS ({inner}{glue}{})", ties.join(" AND "))
            }
        })
    }

    fn comparison(&self, comparison: &Comparison, qualified: bool) -> Result<String, NoJoinPath> {
        if self.is_postgres() {
            return self.postgres_comparison(comparison, qualified);
        }
        let left = self.expression(&comparison.left, qualified);
        let operator = operator(comparison.operator);
        Ok(format!("{left} {operator} {}", self.operand(&comparison.right)?)
            .trim_end()
            .to_owned())
    }

    fn operand(&self, operand: &Operand) -> Result<String, NoJoinPath> {
        Ok(match operand {
            Operand::Text(text) => literal(text),
            Operand::Number(number) => number.clone(),
            Operand::Parameter(number) => format!("${number}"),
            Operand::Range(low, high) => format!("{} AND {}", self.operand(low)?, self.operand(high)?),
            Operand::Query(query) => format!("({})", self.query(query)?),
            Operand::Nothing => String::new(),
        })
    }
}

/// What stands between the sides of a comparison.
fn operator(comparator: Comparator) -> &'static str {
    match comparator {
        Comparator::Equal => "=",
        Comparator::NotEqual => "<>",
        Comparator::Greater => ">",
        Comparator::AtLeast => ">=",
        Comparator::Less => "<",
        Comparator::AtMost => "<=",
        Comparator::Like => "LIKE",
        Comparator::NotLike => "NOT LIKE",
        Comparator::Between => "BETWEEN",
        Comparator::IsNull => "IS NULL",
        Comparator::IsNotNull => "IS NOT NULL",
    }
}
