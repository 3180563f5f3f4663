//! The first rows of a statement on a database of a data set, for people who look at an answer.

use std::path::Path;

use serde::Serialize;

use super::{
    dataset::{Dataset, Selection},
    mode::Problem,
    score::Runner,
};
use crate::backend::{BackendError, Value};

/// How long a statement may take.
const TIME: std::time::Duration = std::time::Duration::from_secs(10);

/// Rows that were looked at.
#[derive(Debug, Default, Serialize)]
pub struct Looked {
    /// The columns.
    pub columns: Vec<String>,
    /// The values as text.
    pub rows: Vec<Vec<Option<String>>>,
    /// True if there are more rows.
    pub more: bool,
    /// Why there are none.
    pub problem: Option<Problem>,
}

/// Runs a statement on a database of the set, for so many rows at most.
pub async fn look(folder: &Path, db_id: &str, sql: &str, most: usize) -> Looked {
    let selection = Selection {
        databases: vec![db_id.to_owned()],
        ..Selection::default()
    };
    let file = match Dataset::read(folder, &selection) {
        Ok((dataset, _)) => dataset.database_file(db_id),
        Err(error) => {
            return Looked {
                problem: Some(Problem {
                    code: "58P01".to_owned(),
                    message: error.message,
                }),
                ..Looked::default()
            };
        }
    };
    match rows(&file, sql, most).await {
        Ok(looked) => looked,
        Err(error) => Looked {
            problem: Some(Problem::of(&error)),
            ..Looked::default()
        },
    }
}

async fn rows(file: &Path, sql: &str, most: usize) -> Result<Looked, BackendError> {
    let sql = sql.trim().trim_end_matches(';');
    let Runner::Sqlite(connection) = Runner::file(file, TIME)? else {
        return Ok(Looked::default());
    };
    let mut cursor = connection.run(sql, Vec::new()).await?;
    let mut looked = Looked {
        columns: cursor
            .columns()
            .iter()
            .map(|column| column.name.clone())
            .collect(),
        ..Looked::default()
    };
    loop {
        let chunk = cursor.next(0).await?;
        let room = most - looked.rows.len();
        looked.more = chunk.rows.len() > room;
        let shown = chunk.rows.iter().take(room);
        looked
            .rows
            .extend(shown.map(|row| row.iter().map(text).collect()));
        if chunk.done || looked.more {
            return Ok(looked);
        }
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Text(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Value::Blob(bytes) => Some(format!("{} bytes", bytes.len())),
        Value::Integer(number) => Some(number.to_string()),
        Value::Real(number) => Some(number.to_string()),
    }
}
