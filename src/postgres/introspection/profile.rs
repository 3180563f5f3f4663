//! Figures of tables that the server keeps no statistics of: from their first rows, within the bounds of a question.

use std::{fmt::Write, time::Duration};

use super::{Querier, Query, Rows, sampling::quoted};
use crate::{
    backend::BackendError,
    question::schema::{CODE_ROWS, Cell, CodeTable, Profiler, Schema, TableProfile, cell},
};

/// Rows of one table.
const ROWS: usize = 500;
/// Characters of one value that are looked at.
const LONGEST: usize = 400;
/// Columns of one table.
const COLUMNS: usize = 200;

/// What the first rows of a table hold; `None` where nothing of it can be read.
pub(super) async fn read(
    querier: &dyn Querier,
    schema: &Schema,
    table: usize,
    time_limit: Duration,
) -> Result<Option<TableProfile>, BackendError> {
    let of = &schema.tables[table];
    let open: Vec<usize> = (0..of.columns.len())
        .filter(|column| !of.columns[*column].denied)
        .take(COLUMNS)
        .collect();
    if open.is_empty() {
        return Ok(None);
    }
    let sql = statement((schema, table), &open, ROWS);
    let answers = querier.read(&[Query::all(&sql)], time_limit).await?;
    let mut profiler = Profiler::new(of.columns.len());
    for row in answers.first().into_iter().flat_map(Rows::iter) {
        let texts: Vec<Option<String>> = (0..open.len()).map(|at| row.text(at)).collect();
        let mut cells = vec![Cell::Other; of.columns.len()];
        for (column, text) in open.iter().zip(&texts) {
            let kind = of.columns[*column].kind;
            cells[*column] = text.as_deref().map_or(Cell::Null, |text| cell(text, kind));
        }
        profiler.row(cells);
    }
    let whole = profiler.rows() < ROWS as u64;
    let mut profile = profiler.finish(whole);
    for column in (0..of.columns.len()).filter(|column| !open.contains(column)) {
        profile.columns[column] = crate::question::schema::ColumnProfile::default();
    }
    Ok(Some(profile))
}

/// What the rows of a table that may be one of codes say.
pub(super) async fn code_rows(
    querier: &dyn Querier,
    schema: &Schema,
    of: &CodeTable,
    time_limit: Duration,
) -> Result<Vec<[String; 3]>, BackendError> {
    if of
        .columns
        .iter()
        .any(|column| schema.tables[of.table].columns[*column].denied)
    {
        return Ok(Vec::new());
    }
    let sql = statement((schema, of.table), &of.columns, CODE_ROWS);
    let answers = querier.read(&[Query::all(&sql)], time_limit).await?;
    let rows = answers.first().into_iter().flat_map(Rows::iter);
    Ok(rows
        .map(|row| [0, 1, 2].map(|at| row.text(at).unwrap_or_default()))
        .collect())
}

fn statement((schema, table): (&Schema, usize), columns: &[usize], rows: usize) -> String {
    let of = &schema.tables[table];
    let read: Vec<String> = columns
        .iter()
        .map(|column| {
            let name = quoted(&of.columns[*column].name);
            format!("pg_catalog.substr(t.{name}::pg_catalog.text, 1, {LONGEST})")
        })
        .collect();
    let mut sql = format!("SELECT {} FROM ", read.join(", "));
    if let Some(schema) = &of.schema {
        // Writing into a string does not fail.
        let _ = write!(sql, "{}.", quoted(schema));
    }
    let _ = write!(sql, "{} AS t LIMIT {rows}", quoted(&of.name));
    sql
}
