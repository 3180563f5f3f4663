//! The rows of the actions `sql`, `explain` and `trace`.

use crate::{
    backend::{ResultColumn, SqlType, Value, column, text},
    question::{
        ask::{AgentRun, Answer},
        schema::Dialect,
    },
    statement::Action,
};

/// Rows that are written as a query each.
const FEW: usize = 100;

/// Rows about a question.
#[derive(Debug)]
pub struct Report {
    /// The columns.
    pub columns: Vec<ResultColumn>,
    /// The rows, each with a value a column.
    pub rows: Vec<Vec<Value>>,
}

/// The columns of an action's rows; `None` where they depend on the question.
pub fn columns(action: Action) -> Option<Vec<ResultColumn>> {
    let columns: &[(&str, SqlType)] = match action {
        Action::Run | Action::Refine => return None,
        Action::Sql => &[
            ("sql", SqlType::Text),
            ("confidence", SqlType::Float8),
            ("tier", SqlType::Text),
            ("model_calls", SqlType::Int8),
            ("milliseconds", SqlType::Float8),
        ],
        Action::Explain => &[("step", SqlType::Text), ("detail", SqlType::Text)],
        Action::Trace => &[
            ("seq", SqlType::Int8),
            ("agent", SqlType::Text),
            ("model", SqlType::Text),
            ("attempt", SqlType::Int8),
            ("milliseconds", SqlType::Float8),
            ("prompt_tokens", SqlType::Int8),
            ("completion_tokens", SqlType::Int8),
            ("outcome", SqlType::Text),
            ("output", SqlType::Text),
        ],
        Action::Good | Action::Bad | Action::Fix | Action::Reset => &[("status", SqlType::Text)],
    };
    Some(columns.iter().map(|(name, ty)| column(name, *ty)).collect())
}

/// The rows of an action about an answer; `None` where they are the answer's own.
pub(super) fn about(action: Action, answer: &Answer) -> Option<Report> {
    let rows = match action {
        Action::Sql => vec![vec![
            text(answer.sql.as_str()),
            Value::Real(answer.confidence),
            text(&answer.tier),
            Value::Integer(answer.model_calls as i64),
            milliseconds(answer.elapsed),
        ]],
        Action::Explain => answer
            .steps
            .iter()
            .map(|(step, detail)| vec![text(step), text(detail)])
            .collect(),
        Action::Trace => answer.trace.iter().enumerate().map(run).collect(),
        Action::Run | Action::Refine | Action::Good | Action::Bad | Action::Fix | Action::Reset => {
            return None;
        }
    };
    let columns = columns(action)?;
    Some(Report { columns, rows })
}

/// An agent's run.
fn run((at, run): (usize, &AgentRun)) -> Vec<Value> {
    vec![
        Value::Integer(at as i64 + 1),
        text(run.agent),
        text(&run.model),
        Value::Integer(run.attempt as i64),
        milliseconds(run.elapsed),
        Value::Integer(run.prompt_tokens as i64),
        Value::Integer(run.completion_tokens as i64),
        text(&run.outcome),
        text(&run.output),
    ]
}

impl Report {
    /// One value of text.
    pub fn of_text(name: &str, value: &str) -> Self {
        Self {
            columns: vec![column(name, SqlType::Text)],
            rows: vec![vec![text(value)]],
        }
    }

    /// A row of nothing in particular, with the columns and types of an action's.
    pub fn stand_in(action: Action) -> Option<Self> {
        let columns = columns(action)?;
        let row = columns.iter().map(|column| match column.ty {
            SqlType::Int8 => Value::Integer(0),
            SqlType::Float8 => Value::Real(0.0),
            _ => text(""),
        });
        let rows = vec![row.collect()];
        Some(Self { columns, rows })
    }

    /// The same rows as a query.
    pub fn to_sql(&self, dialect: Dialect) -> String {
        let select = |row: &Vec<Value>| {
            let values: Vec<_> = row
                .iter()
                .zip(&self.columns)
                .map(|(value, column)| {
                    let value = literal(value, dialect);
                    match dialect {
                        Dialect::Sqlite => format!("{value} AS {}", column.name),
                        // A literal alone has no type yet.
                        Dialect::Postgres => {
                            format!("{value}::pg_catalog.{} AS \"{}\"", column.ty.name(), column.name)
                        }
                    }
                })
                .collect();
            format!("SELECT {}", values.join(", "))
        };
        if self.rows.is_empty() {
            let nothing = vec![Value::Null; self.columns.len()];
            return format!("{} WHERE false", select(&nothing));
        }
        // SQLite takes some hundreds of parts, and any number of rows.
        if self.rows.len() > FEW {
            let rows = self.rows.iter().map(|row| {
                let values: Vec<_> = row.iter().map(|value| literal(value, dialect)).collect();
                format!("({})", values.join(", "))
            });
            let named = self
                .columns
                .iter()
                .zip(1..)
                .map(|(column, number)| match dialect {
                    Dialect::Sqlite => format!("column{number} AS {}", column.name),
                    Dialect::Postgres => {
                        format!(
                            "column{number}::pg_catalog.{} AS \"{}\"",
                            column.ty.name(),
                            column.name
                        )
                    }
                });
            let (named, rows) = (
                named.collect::<Vec<_>>().join(", "),
                rows.collect::<Vec<_>>().join(", "),
            );
            return format!("SELECT {named} FROM (VALUES {rows}) AS rows");
        }
        self.rows
            .iter()
            .map(select)
            .collect::<Vec<_>>()
            .join(" UNION ALL ")
    }
}

fn literal(value: &Value, dialect: Dialect) -> String {
    match value {
        Value::Null | Value::Blob(_) => "NULL".into(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => {
            let text = String::from_utf8_lossy(text).replace('\'', "''");
            match dialect {
                // Whatever standard_conforming_strings says.
                Dialect::Postgres if text.contains('\\') => {
                    format!("E'{}'", text.replace('\\', "\\\\"))
                }
                Dialect::Postgres | Dialect::Sqlite => format!("'{text}'"),
            }
        }
    }
}

/// To three decimals, which is a microsecond.
fn milliseconds(time: std::time::Duration) -> Value {
    Value::Real((time.as_secs_f64() * 1_000_000.0).round() / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_a_query_too() {
        let report = Report {
            columns: vec![column("step", SqlType::Text), column("n", SqlType::Int8)],
            rows: vec![
                vec![text("it's"), Value::Integer(1)],
                vec![text("b"), Value::Null],
            ],
        };
        assert_eq!(
            report.to_sql(Dialect::Sqlite),
            "SELECT 'it''s' AS step, 1 AS n UNION ALL SELECT 'b' AS step, NULL AS n"
        );
        let long = Report {
            columns: vec![column("n", SqlType::Int8)],
            rows: (0..=FEW as i64).map(|n| vec![Value::Integer(n)]).collect(),
        };
        let query = long.to_sql(Dialect::Postgres);
        let expected = "SELECT column1::pg_catalog.int8 AS \"n\" FROM (VALUES (0), (1), ";
        assert!(
            query.starts_with(expected) && query.ends_with(", (100)) AS rows"),
            "{query}"
        );
        assert_eq!(
            Report::of_text("querent.mode", r"a\b").to_sql(Dialect::Postgres),
            r#"SELECT E'a\\b'::pg_catalog.text AS "querent.mode""#
        );
    }
}
