//! What a database may read for a validated statement, behind views too: what it was judged to read, and nothing else.

use std::sync::Arc;

use super::function_is_listed;
use crate::question::schema::{Dialect, Schema, SourceColumn};

/// Tables and columns by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reads {
    /// The tables and views that the text names.
    named: Vec<String>,
    /// What stands behind each of them.
    behind: Vec<Arc<[SourceColumn]>>,
}

impl Reads {
    /// Of these tables.
    pub(super) fn of(tables: &[usize], schema: &Schema) -> Self {
        let tables = || tables.iter().map(|at| &schema.tables[*at]);
        let behind = tables().map(|table| &table.sources);
        Self {
            named: tables().map(|table| table.name.clone()).collect(),
            behind: behind.filter(|behind| !behind.is_empty()).cloned().collect(),
        }
    }

    /// True for a column that was judged to be read; of a view's, the very columns are known. A virtual table reads by itself what
    /// it keeps its rows in.
    pub(super) fn has(&self, table: &str, column: &str, within_view: bool) -> bool {
        let behind = || self.behind.iter().flat_map(|behind| behind.iter());
        let is_read = |table: &str| {
            let named = self.named.iter().any(|named| named.eq_ignore_ascii_case(table));
            named || behind().any(|source| source.table.eq_ignore_ascii_case(table))
        };
        let is_behind = |source: &SourceColumn| {
            let read = source.column.as_deref();
            source.table.eq_ignore_ascii_case(table)
                && (!within_view || read.is_none_or(|read| read.eq_ignore_ascii_case(column)))
        };
        self.named.iter().any(|named| named.eq_ignore_ascii_case(table))
            || behind().any(is_behind)
            || (!within_view && table.rsplit_once('_').is_some_and(|(owner, _)| is_read(owner)))
            || function_is_listed(&table.to_ascii_lowercase(), Dialect::Sqlite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::Table;

    #[test]
    fn what_was_judged_is_read_and_nothing_else() {
        let source = |table: &str, column: Option<&str>| SourceColumn {
            schema: None,
            table: table.into(),
            column: column.map(str::to_owned),
        };
        let table = |name: &str, sources: &[SourceColumn]| Table {
            name: name.into(),
            sources: sources.into(),
            ..Table::default()
        };
        let schema = Schema {
            tables: vec![
                table("orders", &[]),
                table(
                    "staffing",
                    &[source("person", Some("name")), source("club", None)],
                ),
                table("docs", &[]),
                table("payroll", &[]),
            ],
            ..Schema::default()
        };
        let reads = Reads::of(&[0, 1, 2], &schema);
        let check = |table: &str, column: &str, within_view: bool, expected: bool| {
            assert_eq!(
                reads.has(table, column, within_view),
                expected,
                "{table}.{column}"
            );
        };
        check("ORDERS", "total", false, true);
        check("staffing", "name", false, true);
        check("person", "Name", true, true);
        check("person", "ssn", true, false);
        check("club", "anything", true, true);
        check("payroll", "salary", false, false);
        check("payroll", "salary", true, false);
        check("docs_content", "c0", false, true);
        check("docs_content", "c0", true, false);
        check("json_each", "value", false, true);
    }
}
