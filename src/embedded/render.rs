//! A logical query as SQL text in SQLite's dialect.

use std::{collections::HashSet, sync::LazyLock};

use super::logical::{
    Comparator, Comparison, DatePart, Direction, Expression, Filter, Function, Operand, Query,
};
use crate::schema::{ColumnRef, Snapshot};

/// Why a query cannot be written as SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoJoinPath;

/// The query as SQL; fails where no keys connect its tables.
pub(crate) fn render(query: &Query, snapshot: &Snapshot) -> Result<String, NoJoinPath> {
    Renderer { snapshot }.query(query)
}

/// An identifier as SQL writes it: quoted only where it must be.
pub(crate) fn identifier(name: &str) -> String {
    let plain = !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !is_reserved(name);
    if plain {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

/// A string literal as SQL writes it.
pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

struct Renderer<'a> {
    snapshot: &'a Snapshot,
}

impl Renderer<'_> {
    fn query(&self, query: &Query) -> Result<String, NoJoinPath> {
        let tables = query.tables_read();
        let joins = self.joins(&tables, &query.keys)?;
        let joined = joins.len() > 1;
        let qualified = joined || query.filters.iter().any(|f| matches!(f, Filter::Exists { .. }));
        let mut sql = String::from(if query.distinct {
            "SELECT DISTINCT "
        } else {
            "SELECT "
        });
        sql.push_str(&self.list(&query.select, qualified));
        sql.push_str(" FROM ");
        sql.push_str(&joins.join(" "));
        let filters = self.filters(&query.filters, qualified)?;
        if !filters.is_empty() {
            sql.push_str(" WHERE ");
            sql.push_str(&filters.join(" AND "));
        }
        if !query.group.is_empty() {
            sql.push_str(" GROUP BY ");
            sql.push_str(&self.list(&query.group, qualified));
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
                    let suffix = if *direction == Direction::Descending {
                        " DESC"
                    } else {
                        ""
                    };
                    format!("{}{suffix}", self.expression(expression, qualified))
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
        let mut parts = vec![identifier(&schema.tables[first].name)];
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
                identifier(&schema.tables[step.table].name),
                ties.join(" AND ")
            ));
        }
        Ok(parts)
    }

    fn list(&self, expressions: &[Expression], qualified: bool) -> String {
        let parts: Vec<String> = expressions
            .iter()
            .map(|expression| self.expression(expression, qualified))
            .collect();
        parts.join(", ")
    }

    fn column(&self, at: ColumnRef, qualified: bool) -> String {
        let schema = &self.snapshot.schema;
        let column = identifier(&schema.column(at).name);
        if qualified {
            format!("{}.{column}", identifier(&schema.tables[at.table].name))
        } else {
            column
        }
    }

    fn expression(&self, expression: &Expression, qualified: bool) -> String {
        match expression {
            Expression::Column(column) => self.column(*column, qualified),
            Expression::Row(table) if qualified => {
                format!("{}.*", identifier(&self.snapshot.schema.tables[*table].name))
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
        let left = self.expression(&comparison.left, qualified);
        let operator = match comparison.operator {
            Comparator::Equal => "=",
            Comparator::NotEqual => "<>",
            Comparator::Greater => ">",
            Comparator::AtLeast => ">=",
            Comparator::Less => "<",
            Comparator::AtMost => "<=",
            Comparator::Like => "LIKE",
            Comparator::NotLike => "NOT LIKE",
            Comparator::Between => "BETWEEN",
            Comparator::IsNull => return Ok(format!("{left} IS NULL")),
            Comparator::IsNotNull => return Ok(format!("{left} IS NOT NULL")),
        };
        Ok(format!("{left} {operator} {}", self.operand(&comparison.right)?))
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

/// True for a word that neither SQLite nor its parsers take for a plain name everywhere.
fn is_reserved(name: &str) -> bool {
    static RESERVED: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        include_str!("../../dialects/sqlite/reserved.txt")
            .split_whitespace()
            .collect()
    });
    RESERVED.contains(name.to_ascii_lowercase().as_str())
}
