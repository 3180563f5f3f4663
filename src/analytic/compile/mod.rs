//! Analytic queries as SQL, in the dialect of the database.

use super::{AnalyticQuery, List, Rank, Shown};
use crate::{
    schema::{ColumnProfile, ColumnRef, Format, Snapshot, identifier},
    semantic::{Condition, Formula, Scalar, SemanticModel},
};

mod aggregate;
mod condition;
mod rows;
mod summary;

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
}

impl<'a> Database<'a> {
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
        self.profile(at).and_then(|profile| profile.format)
    }
}

/// The SQL of a query.
pub fn compile(query: &AnalyticQuery, snapshot: &Snapshot, model: &SemanticModel) -> Result<String, NoWay> {
    let of = Database { snapshot, model };
    match query {
        AnalyticQuery::List(list) => self::list(of, list),
        AnalyticQuery::Summary(summary) => summary::summary(of, summary),
    }
}

/// What computes a measure, over its tables by their names.
pub fn formula_sql(formula: &Formula, snapshot: &Snapshot, model: &SemanticModel) -> Result<String, NoWay> {
    let of = Database { snapshot, model };
    let mut rows_of = |formula: &Formula| {
        let Formula::Rows { table, .. } = formula else {
            return Err(NoWay);
        };
        let names = Names::default();
        summary::over_rows(&mut Rows::new(of, &names, *table, false), formula, &[])
    };
    aggregate::formula(formula, &Groups { keys: &[] }, &mut rows_of)
}

/// A condition on the rows of a table, by the table's name.
pub fn condition_sql(
    condition: &Condition,
    table: usize,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Result<String, NoWay> {
    let of = Database { snapshot, model };
    Rows::new(of, &Names::default(), table, false).condition(condition)
}

/// A value of a row of a table, by the table's name.
pub fn scalar_sql(
    scalar: &Scalar,
    table: usize,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Result<String, NoWay> {
    let of = Database { snapshot, model };
    Rows::new(of, &Names::default(), table, false).scalar(scalar)
}

/// A SELECT in parts.
#[derive(Default)]
struct Select {
    columns: Vec<String>,
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
        sql.push_str(&self.columns.join(", "));
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

/// How an expression is ordered by.
fn ordered(expression: &str, highest_first: bool) -> String {
    if highest_first {
        format!("{expression} DESC NULLS LAST")
    } else {
        expression.to_owned()
    }
}

fn list(of: Database<'_>, list: &List) -> Result<String, NoWay> {
    let names = Names::default();
    let mut rows = Rows::new(of, &names, list.subject, list.keep_missing);
    let mut select = Select {
        distinct: list.distinct,
        ..Select::default()
    };
    for shown in &list.shown {
        select.columns.push(match shown {
            Shown::Value(scalar) => rows.scalar(scalar)?,
            Shown::Figure(figure) => {
                let (mut far, mut found) = rows.related(&figure.way)?;
                let of_them = aggregate::aggregate(&mut far, &figure.aggregate, &[])?;
                found.extend(far.conditions(&figure.conditions)?);
                format!(
                    "(SELECT {of_them} FROM {} WHERE {})",
                    far.from(),
                    found.join(" AND ")
                )
            }
        });
    }
    select.filter = rows.conditions(&list.conditions)?;
    for (column, highest_first) in &list.rank.by {
        let expression = select.columns.get(*column).ok_or(NoWay)?;
        // A figure is computed once, and named by its place.
        let expression = if expression.starts_with("(SELECT") {
            (column + 1).to_string()
        } else {
            expression.clone()
        };
        select.order.push(ordered(&expression, *highest_first));
    }
    select.from = rows.from();
    Ok(select.write(&list.rank))
}
