//! EXPLAIN: SQLite's query plan as PostgreSQL's clients expect one, lines in one column.

use std::{collections::HashMap, time::Instant};

use crate::{
    backend::{ResultColumn, SqlType, Value, column, text},
    statement::{self, CommandTag, Explain, SessionStatement, recognise},
};

use super::{
    error::SessionError,
    grammar::unexpected,
    plan::Plan,
    portal::{Outcome, Tag},
    run::Session,
    sql::Sql,
};

const CHUNK: usize = 1_000;

impl Session {
    pub(super) async fn explain(
        &mut self,
        sql: &Sql,
        explain: &Explain,
        parameters: Vec<Value>,
    ) -> Result<Outcome, SessionError> {
        let format = format_of(explain);
        if !matches!(format.as_str(), "text" | "json") {
            return Err(SessionError::failed(
                "0A000",
                format!("EXPLAIN in the format {format} is not supported"),
            )
            .with_hint("Use FORMAT text or json."));
        }
        let query = sql.part(explain.query);
        let recognised = recognise(query.as_str(), &self.options());
        if matches!(recognised, Ok(SessionStatement::Ordinary(CommandTag::Words(_)))) && !explain.query_plan {
            return Err(unexpected(&query));
        }
        let (query, parameters) = match recognised {
            Ok(SessionStatement::Execute { name, arguments }) => {
                let (prepared, values) = self.bound(&query, &name, &arguments, parameters).await?;
                let Plan::Database { sql, .. } = &prepared.plan else {
                    return Err(SessionError::failed(
                        "0A000",
                        "EXPLAIN of this statement is not supported",
                    ));
                };
                (sql.clone(), values)
            }
            _ => (query, parameters),
        };
        // A table that does not exist has no plan, but the query that fills it.
        let filled_by = statement::query_of_table(query.as_str(), &self.options());
        let planned = match statement::without_into(query.as_str(), &self.options()) {
            Some(text) => query.in_place(&text),
            None => filled_by.map_or_else(|| query.clone(), |span| query.part(span)),
        };
        let mut started = self
            .run_sql(&planned, "EXPLAIN QUERY PLAN ", parameters.clone())
            .await?;
        let mut steps = vec![];
        loop {
            let chunk = match self.work(started.cursor.next(CHUNK)).await {
                Ok(chunk) => chunk,
                Err(error) => {
                    started.runs.failed(&error);
                    return Err(error);
                }
            };
            steps.extend(chunk.rows);
            if chunk.done {
                break;
            }
        }
        started.runs.done();
        let mut lines = render(&steps);
        let mut facts = serde_json::Map::new();
        facts.insert("Plan".into(), plan_of(&steps));
        if explain.analyze {
            let begun = Instant::now();
            let started = self.run_sql(&query, "", parameters).await?;
            let mut outcome = self.database_outcome(&query, started, Tag::Empty);
            let mut count = 0;
            loop {
                let (rows, done) = self.next_rows(&mut outcome.rows, CHUNK).await?;
                count += rows.len();
                if done {
                    break;
                }
            }
            lines.push(format!("Rows: {count}"));
            let milliseconds = begun.elapsed().as_secs_f64() * 1_000.0;
            lines.push(format!("Execution Time: {milliseconds:.3} ms"));
            facts.insert("Actual Rows".into(), count.into());
            facts.insert("Execution Time".into(), milliseconds.into());
        }
        if format == "json" {
            let document = serde_json::Value::Array(vec![facts.into()]);
            lines = vec![format!("{document:#}")];
        }
        let rows = lines.iter().map(|line| vec![text(line)]).collect();
        Ok(Outcome::known(
            vec![column_of(explain)],
            rows,
            Tag::Fixed("EXPLAIN".into()),
        ))
    }
}

fn format_of(explain: &Explain) -> String {
    let format = explain.options.iter().find(|(name, _)| name == "format");
    format.map_or_else(
        || "text".to_owned(),
        |(_, format)| format.trim_matches('\'').to_ascii_lowercase(),
    )
}

/// The one column of the result.
pub(super) fn column_of(explain: &Explain) -> ResultColumn {
    let ty = if format_of(explain) == "json" {
        SqlType::Json
    } else {
        SqlType::Text
    };
    column("QUERY PLAN", ty)
}

/// `(id, parent, unused, detail)` as a tree of PostgreSQL's shape.
fn plan_of(steps: &[Vec<Value>]) -> serde_json::Value {
    let nodes: Vec<(i64, i64, String)> = steps
        .iter()
        .filter_map(|step| match step.as_slice() {
            [Value::Integer(id), Value::Integer(parent), _, Value::Text(detail)] => {
                Some((*id, *parent, String::from_utf8_lossy(detail).into_owned()))
            }
            _ => None,
        })
        .collect();
    let is_inner = |parent: i64| nodes.iter().any(|(id, ..)| *id == parent);
    let roots: Vec<i64> = nodes
        .iter()
        .filter(|(_, parent, _)| !is_inner(*parent))
        .map(|(id, ..)| *id)
        .collect();
    match roots[..] {
        [root] => node(root, &nodes),
        _ => serde_json::json!({
            "Node Type": "Result",
            "Plans": roots.into_iter().map(|root| node(root, &nodes)).collect::<Vec<_>>(),
        }),
    }
}

fn node(id: i64, nodes: &[(i64, i64, String)]) -> serde_json::Value {
    let detail = nodes
        .iter()
        .find(|(own, ..)| *own == id)
        .map_or("", |(.., detail)| detail);
    let mut found = serde_json::json!({ "Node Type": detail });
    // SQLite numbers the steps upwards, so that no step is its own part.
    let parts: Vec<_> = nodes
        .iter()
        .filter(|(own, parent, _)| *parent == id && *own > id)
        .map(|(own, ..)| node(*own, nodes))
        .collect();
    if !parts.is_empty() {
        found["Plans"] = parts.into();
    }
    found
}

/// `(id, parent, unused, detail)` as indented lines.
fn render(steps: &[Vec<Value>]) -> Vec<String> {
    let mut depths = HashMap::new();
    let mut lines = vec![];
    for step in steps {
        let [Value::Integer(id), Value::Integer(parent), _, Value::Text(detail)] = step.as_slice() else {
            continue;
        };
        let depth: usize = depths.get(parent).map_or(0, |depth| depth + 1);
        depths.insert(*id, depth);
        let arrow = if depth == 0 { "" } else { "->  " };
        let indent = "      ".repeat(depth.saturating_sub(1)) + if depth > 0 { "  " } else { "" };
        lines.push(format!("{indent}{arrow}{}", String::from_utf8_lossy(detail)));
    }
    if lines.is_empty() {
        lines.push("RESULT".into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_indented_by_their_parents() {
        let step = |id, parent, detail: &str| {
            vec![
                Value::Integer(id),
                Value::Integer(parent),
                Value::Integer(0),
                text(detail),
            ]
        };
        let steps = [
            step(2, 0, "COMPOUND QUERY"),
            step(3, 2, "LEFT-MOST SUBQUERY"),
            step(5, 3, "SCAN a"),
            step(9, 0, "USE TEMP B-TREE"),
        ];
        assert_eq!(
            render(&steps),
            [
                "COMPOUND QUERY",
                "  ->  LEFT-MOST SUBQUERY",
                "        ->  SCAN a",
                "USE TEMP B-TREE"
            ]
        );
        assert_eq!(render(&[]), ["RESULT"]);
    }
}
