//! What a data set tells of columns: BIRD's `database_description/TABLE.csv`. It joins the comments of the schema, where
//! whoever answers finds what a database says of its columns.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;

use crate::{
    backend::{Backend, BackendError, Trial},
    question::{
        schema::{Schema, Snapshot},
        validator::ValidatedSql,
    },
};

/// The folder beside a database's file.
const FOLDER: &str = "database_description";
/// Longest description of one column, in characters.
const LONGEST: usize = 400;

/// Descriptions of columns, by table and column in lower case.
#[derive(Debug, Default)]
pub(in crate::eval) struct Descriptions(BTreeMap<(String, String), String>);

impl Descriptions {
    /// Reads what lies beside a database's file; nothing where there is no such folder. Files that cannot be read say nothing.
    pub(in crate::eval) fn beside(database: &Path) -> Self {
        let folder = database.parent().unwrap_or(Path::new("")).join(FOLDER);
        let mut found = BTreeMap::new();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_csv = path
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
            let (true, Some(table), Ok(bytes)) = (is_csv, path.file_stem(), std::fs::read(&path)) else {
                continue;
            };
            let table = table.to_string_lossy().to_lowercase();
            for (column, text) in of_file(&bytes) {
                found.insert((table.clone(), column), text);
            }
        }
        Self(found)
    }

    /// A database whose columns have these comments where they have none of their own; the same where there are none.
    pub(in crate::eval) fn over(self, database: Box<dyn Backend>) -> Box<dyn Backend> {
        if self.0.is_empty() {
            return database;
        }
        Box::new(Described {
            database,
            descriptions: self,
            last: Mutex::default(),
        })
    }

    fn describe(&self, schema: &mut Schema) {
        for table in &mut schema.tables {
            for column in table.columns.iter_mut().filter(|column| column.comment.is_none()) {
                let key = (table.name.to_lowercase(), column.name.trim().to_lowercase());
                column.comment = self.0.get(&key).cloned();
            }
        }
    }
}

/// The descriptions of one table, by column. The sets' files are in several encodings; what is no UTF-8 is read as Latin-1.
fn of_file(bytes: &[u8]) -> Vec<(String, String)> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let Ok(names) = reader.headers().cloned() else {
        return Vec::new();
    };
    let at = |wanted: &str| names.iter().position(|name| name.trim() == wanted);
    let (own, long) = (at("original_column_name"), at("column_name"));
    let (meaning, values) = (at("column_description"), at("value_description"));
    let mut found = Vec::new();
    for row in reader.records().flatten() {
        let cell = |at: Option<usize>| {
            let words = at.and_then(|at| row.get(at)).unwrap_or_default();
            words.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let column = cell(own);
        let mut parts: Vec<String> = Vec::new();
        for part in [cell(long), cell(meaning), cell(values)] {
            let said = |before: &String| before.to_lowercase().contains(&part.to_lowercase());
            if !part.is_empty() && !part.eq_ignore_ascii_case(&column) && !parts.iter().any(said) {
                parts.push(part);
            }
        }
        if !parts.is_empty() {
            let text: String = parts.join("; ").chars().take(LONGEST).collect();
            found.push((column.to_lowercase(), text));
        }
    }
    found
}

/// A database with descriptions.
struct Described {
    database: Box<dyn Backend>,
    descriptions: Descriptions,
    /// The schema that was described last: as it was, and as it is told.
    last: Mutex<Option<(Arc<Schema>, Arc<Schema>)>>,
}

#[async_trait]
impl Backend for Described {
    async fn snapshot(&self) -> Result<Snapshot, BackendError> {
        let snapshot = self.database.snapshot().await?;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let told = match &*last {
            Some((bare, told)) if Arc::ptr_eq(bare, &snapshot.schema) => Arc::clone(told),
            _ => {
                let mut schema = Schema::clone(&snapshot.schema);
                self.descriptions.describe(&mut schema);
                let told = Arc::new(schema);
                *last = Some((Arc::clone(&snapshot.schema), Arc::clone(&told)));
                told
            }
        };
        Ok(Snapshot {
            schema: told,
            ..snapshot
        })
    }

    async fn trial(&self, sql: &ValidatedSql, max_rows: usize) -> Result<Trial, BackendError> {
        self.database.trial(sql, max_rows).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_read_as_they_are_published() {
        let text = "\u{feff}original_column_name,column_name,column_description,data_format,value_description\r\n\
                    CDSCode,,identification of the school,text,\r\n\
                    FundingType,funding type,funding type,text,\"D: directly\r\n funded; L: locally\"\r\n\
                    County,,County,text,\r\n";
        let expected = [
            ("cdscode", "identification of the school"),
            ("fundingtype", "funding type; D: directly funded; L: locally"),
        ];
        let expected = expected.map(|(column, text)| (column.to_owned(), text.to_owned()));
        assert_eq!(of_file(text.as_bytes()), expected);
        let latin = b"original_column_name,column_description\nprice,in \xa3\n";
        assert_eq!(of_file(latin), [("price".to_owned(), "in \u{a3}".to_owned())]);
        assert_eq!(of_file(b""), []);
    }
}
