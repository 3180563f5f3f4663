//! The rows of the actions `sql`, `explain` and `trace`.

use crate::{
    ask::Answer,
    backend::{ResultColumn, SqlType, Value, column, text},
    schema::Dialect,
};

/// Rows about a question.
#[derive(Debug)]
pub struct Report {
    /// The columns.
    pub columns: Vec<ResultColumn>,
    /// The rows, each with a value a column.
    pub rows: Vec<Vec<Value>>,
}

/// One row: the SQL and what it took.
pub(super) fn sql(answer: &Answer) -> Report {
    Report {
        columns: vec![
            column("sql", SqlType::Text),
            column("confidence", SqlType::Float8),
            column("tier", SqlType::Text),
            column("model_calls", SqlType::Int8),
            column("milliseconds", SqlType::Float8),
        ],
        rows: vec![vec![
            text(answer.sql.as_str()),
            Value::Real(answer.confidence),
            text(&answer.tier),
            Value::Integer(answer.model_calls as i64),
            milliseconds(answer.elapsed),
        ]],
    }
}

/// The steps that a person can check.
pub(super) fn explain(answer: &Answer) -> Report {
    Report {
        columns: vec![column("step", SqlType::Text), column("detail", SqlType::Text)],
        rows: answer
            .steps
            .iter()
            .map(|(step, detail)| vec![text(step), text(detail)])
            .collect(),
    }
}

/// One row per agent run.
pub(super) fn trace(answer: &Answer) -> Report {
    let rows = answer.trace.iter().enumerate().map(|(at, run)| {
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
    });
    Report {
        columns: vec![
            column("seq", SqlType::Int8),
            column("agent", SqlType::Text),
            column("model", SqlType::Text),
            column("attempt", SqlType::Int8),
            column("milliseconds", SqlType::Float8),
            column("prompt_tokens", SqlType::Int8),
            column("completion_tokens", SqlType::Int8),
            column("outcome", SqlType::Text),
            column("output", SqlType::Text),
        ],
        rows: rows.collect(),
    }
}

impl Report {
    /// One value of text.
    pub fn of_text(name: &str, value: &str) -> Self {
        Self {
            columns: vec![column(name, SqlType::Text)],
            rows: vec![vec![text(value)]],
        }
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
        assert_eq!(
            Report::of_text("querent.mode", r"a\b").to_sql(Dialect::Postgres),
            r#"SELECT E'a\\b'::pg_catalog.text AS "querent.mode""#
        );
    }
}
