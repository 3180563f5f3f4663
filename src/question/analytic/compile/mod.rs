//! Analytic queries as SQL, in the dialect of the database.

use super::{AnalyticQuery, List, Rank, Shown};
use crate::question::{
    schema::{ColumnProfile, ColumnRef, Format, Snapshot, identifier},
    semantic::{Condition, Formula, Scalar, SemanticModel},
};

mod aggregate;
mod amounts;
mod condition;
mod rank;
mod rows;
mod summary;

pub(crate) use condition::way_between;

use aggregate::Groups;
use rows::{Names, Rows};

/// A way of the query does not exist, or an aggregate that the database does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the tables are not connected in this way")]
pub struct NoWay;

/// A database and its meaning.
#[derive(Debug, Clone, Copy)]
struct Database<'a> {
    snapshot: &'a Snapshot,
    model: &'a SemanticModel,
    /// True where figures over rows that belong to a row are written as models have them: as aggregates.
    as_models: bool,
    /// True where amounts are compared with others of their kind, and told to nobody.
    as_kept: bool,
}

impl<'a> Database<'a> {
    fn new(snapshot: &'a Snapshot, model: &'a SemanticModel) -> Self {
        Self {
            snapshot,
            model,
            as_models: false,
            as_kept: false,
        }
    }

    fn identifier(self, name: &str) -> String {
        identifier(name, self.snapshot.dialect)
    }

    fn profile(self, at: ColumnRef) -> Option<&'a ColumnProfile> {
        self.snapshot
            .profile
            .tables
            .get(at.table)?
            .as_ref()?
            .columns
            .get(at.column)
    }

    fn format(self, at: ColumnRef) -> Option<Format> {
        let kept = self.profile(at).and_then(|profile| profile.format);
        kept.or_else(|| self.model.computed(at)?.field.format)
    }
}

/// The SQL of a query.
pub fn compile(query: &AnalyticQuery, snapshot: &Snapshot, model: &SemanticModel) -> Result<String, NoWay> {
    let of = Database::new(snapshot, model);
    match query {
        AnalyticQuery::List(list) => self::list(of, list),
        AnalyticQuery::Summary(summary) => summary::summary(of, summary),
    }
}

/// What computes a measure, over its tables by their names.
pub fn formula_sql(formula: &Formula, snapshot: &Snapshot, model: &SemanticModel) -> Result<String, NoWay> {
    Database::new(snapshot, model).formula(formula)
}

/// A measure without what it says of the end of periods, which no expression says.
fn without_ends(formula: &Formula) -> Formula {
    let mut formula = formula.clone();
    let _ = formula.each_aggregate(&mut |aggregate| {
        if let Formula::Rows { conditions, .. } = aggregate {
            conditions.retain(|condition| !matches!(condition, Condition::AtEnd { .. }));
        }
        Ok::<(), std::convert::Infallible>(())
    });
    formula
}

/// A condition on the rows of a table, by the table's name.
pub fn condition_sql(
    condition: &Condition,
    table: usize,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Result<String, NoWay> {
    Database::new(snapshot, model).rows(table, |mut rows| rows.condition(condition))
}

/// A value of a row of a table, by the table's name.
pub fn scalar_sql(
    scalar: &Scalar,
    table: usize,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Result<String, NoWay> {
    Database::new(snapshot, model).rows(table, |mut rows| rows.scalar(scalar))
}

/// Expressions as files of models have them, where a figure over rows that belong to a row is an aggregate.
#[derive(Debug, Clone, Copy)]
pub struct Expressions<'a>(Database<'a>);

impl<'a> Expressions<'a> {
    /// Over a database and its meaning.
    pub fn new(snapshot: &'a Snapshot, model: &'a SemanticModel) -> Self {
        Self(Database {
            as_models: true,
            ..Database::new(snapshot, model)
        })
    }

    /// A measure.
    pub fn formula(self, formula: &Formula) -> Result<String, NoWay> {
        self.0.formula(formula)
    }

    /// A condition on the rows of a table.
    pub fn condition(self, condition: &Condition, table: usize) -> Result<String, NoWay> {
        self.0.rows(table, |mut rows| rows.condition(condition))
    }

    /// A value of a row of a table.
    pub fn scalar(self, scalar: &Scalar, table: usize) -> Result<String, NoWay> {
        self.0.rows(table, |mut rows| rows.scalar(scalar))
    }
}

impl Database<'_> {
    fn formula(self, formula: &Formula) -> Result<String, NoWay> {
        let mut rows_of = |formula: &Formula| {
            let Formula::Rows { table, .. } = formula else {
                return Err(NoWay);
            };
            self.rows(*table, |mut rows| summary::over_rows(&mut rows, formula, &[]))
        };
        aggregate::formula(&without_ends(formula), &Groups { keys: &[] }, &mut rows_of)
    }

    /// What is written over the rows of a table, by the table's name.
    fn rows<T>(self, table: usize, write: impl FnOnce(Rows<'_>) -> T) -> T {
        write(Rows::new(self, &Names::default(), table, false))
    }
}

/// A column of a result.
#[derive(Debug, Clone)]
struct Column {
    expression: String,
    /// What it is called, quoted where it must be; `None` for a column of a table, which has a name.
    name: Option<String>,
}

impl Column {
    fn plain(expression: String) -> Self {
        Self {
            expression,
            name: None,
        }
    }

    fn write(&self) -> String {
        match &self.name {
            Some(name) => format!("{} AS {name}", self.expression),
            None => self.expression.clone(),
        }
    }
}

/// A SELECT in parts.
#[derive(Default)]
struct Select {
    columns: Vec<Column>,
    from: String,
    filter: Vec<String>,
    group: Vec<String>,
    having: Vec<String>,
    order: Vec<String>,
    distinct: bool,
}

impl Select {
    fn write(&self, rank: &Rank) -> String {
        let mut sql = String::from(if self.distinct {
            "SELECT DISTINCT "
        } else {
            "SELECT "
        });
        let columns: Vec<String> = self.columns.iter().map(Column::write).collect();
        sql.push_str(&columns.join(", "));
        sql.push_str(" FROM ");
        sql.push_str(&self.from);
        for (word, parts, glue) in [
            (" WHERE ", &self.filter, " AND "),
            (" GROUP BY ", &self.group, ", "),
            (" HAVING ", &self.having, " AND "),
            (" ORDER BY ", &self.order, ", "),
        ] {
            if !parts.is_empty() {
                sql.push_str(word);
                sql.push_str(&parts.join(glue));
            }
        }
        if let Some(limit) = rank.limit {
            sql = format!("{sql} LIMIT {limit}");
            if rank.skip > 0 {
                sql = format!("{sql} OFFSET {}", rank.skip);
            }
        }
        sql
    }
}

fn list(of: Database<'_>, list: &List) -> Result<String, NoWay> {
    let names = Names::default();
    let mut rows = Rows::new(of, &names, list.subject, list.keep_missing);
    let mut select = Select {
        distinct: list.distinct,
        ..Select::default()
    };
    let mut expressions = Vec::new();
    for (at, shown) in list.shown.iter().enumerate() {
        let expression = match shown {
            Shown::Value(scalar) => rows.scalar(scalar)?,
            Shown::Figure(figure) => rows.figure(figure)?,
        };
        let (expression, name) = of.shown_as_told(list.subject, shown, expression);
        if !list.hidden.contains(&at) {
            select.columns.push(Column {
                expression: expression.clone(),
                name: name.map(|name| of.identifier(&name)),
            });
        }
        expressions.push(expression);
    }
    select.filter = rows.conditions(&list.conditions)?;
    let expressions = |at: &usize| expressions.get(*at).cloned().ok_or(NoWay);
    let order: Vec<(String, bool)> = (list.rank.by.iter())
        .map(|(at, highest_first)| Ok((expressions(at)?, *highest_first)))
        .collect::<Result<_, NoWay>>()?;
    let within: Vec<String> = list
        .rank
        .within
        .iter()
        .map(expressions)
        .collect::<Result<_, NoWay>>()?;
    select.from = rows.from();
    rank::ranked(of, &names, select, &list.rank, &order, &within)
}
