//! Stored values for the index, from the first rows of a table, within bounds of size and time; and what they say of keys.

use std::{
    collections::HashSet,
    fmt::Write,
    time::{Duration, Instant},
};

use super::{
    Querier, Query, Rows, changed_meanwhile,
    inclusion::Keys,
    profile,
    trial::is_timeout,
    unchanged::{JudgedBy, Unchanged},
};
use crate::{
    backend::BackendError,
    question::schema::{
        CodeTable, ColumnKind, ColumnNames, ColumnRef, ForeignKey, Profile, Schema, ValueIndex, code_tables,
    },
};

/// Longer values are prose, which no question names.
const LONGEST: usize = 100;

/// How much is read of the stored values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// Rows of one table.
    pub rows: usize,
    /// Distinct values of one column.
    pub values: usize,
    /// Columns of one table.
    pub columns: usize,
    /// Values altogether; the largest tables go without then.
    pub total: usize,
    /// Time for one table, waiting for a lock included.
    pub table_time: Duration,
    /// Time in one question; the next goes on.
    pub time: Duration,
}

impl Default for Sampling {
    /// For questions in somebody's session.
    fn default() -> Self {
        Self {
            rows: 5_000,
            values: 1_000,
            columns: 40,
            total: 50_000,
            table_time: Duration::from_millis(250),
            time: Duration::from_secs(1),
        }
    }
}

impl Sampling {
    /// For a program that has the time: as much as is read of a SQLite file.
    pub fn thorough() -> Self {
        Self {
            rows: 1_000_000,
            values: 20_000,
            columns: 200,
            total: usize::MAX,
            table_time: Duration::from_secs(5),
            time: Duration::from_secs(120),
        }
    }
}

/// Tables whose values are still to be read.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// Positions, the next one at the end.
    tables: Vec<usize>,
    /// What is held already, so that no value is held twice.
    held: HashSet<(ColumnRef, String)>,
    columns: usize,
    /// What columns hold, as far as it is known.
    profile: Profile,
    /// The tables whose rows are read.
    read: HashSet<usize>,
    /// The tables that may be of codes, looked at once the others are; the next one at the end.
    codes: Option<Vec<CodeTable>>,
    /// Which undeclared keys hold, looked at after them.
    keys: Option<Keys>,
}

impl Open {
    /// All these tables, first things first; the catalogue knows some values already.
    pub(super) fn new(
        mut tables: Vec<usize>,
        (known, mut profile): (Vec<(ColumnRef, Vec<String>)>, Profile),
        (schema, index): (&Schema, &ValueIndex),
    ) -> Self {
        tables.reverse();
        profile.tables.resize(schema.tables.len(), None);
        let mut open = Self {
            read: tables.iter().copied().collect(),
            tables,
            profile,
            ..Self::default()
        };
        for (at, values) in known {
            for value in values {
                open.hold(at, value, index);
            }
            if schema.column(at).kind == ColumnKind::Enum {
                open.count(at, index);
            }
        }
        open
    }

    pub(super) fn is_done(&self) -> bool {
        self.tables.is_empty() && self.keys.as_ref().is_some_and(Keys::is_done)
    }

    /// All keys between the tables, once that is decided.
    pub(super) fn keys(&self) -> Option<Vec<ForeignKey>> {
        self.keys.as_ref()?.decided()
    }

    /// What columns hold, as far as it is known.
    pub(super) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// How many tables are still to be read.
    pub(super) fn left(&self) -> usize {
        self.tables.len()
    }

    /// Reads on until the time is over. What cannot be read of a table is left out.
    pub(super) async fn go_on(
        &mut self,
        way: (&dyn Querier, JudgedBy<'_>),
        (schema, index): (&Schema, &ValueIndex),
        sampling: &Sampling,
    ) {
        let deadline = Instant::now() + sampling.time;
        while let Some(&table) = self.tables.last() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let columns = text_columns(schema, table, sampling.columns);
            if index.progress().values >= sampling.total {
                self.tables.clear();
                break;
            }
            if !self
                .look(way, (schema, table), left.min(sampling.table_time))
                .await
            {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if !columns.is_empty() {
                if left.is_zero() {
                    return;
                }
                let sql = statement(schema, &columns, sampling);
                let limit = left.min(sampling.table_time);
                let started = Instant::now();
                let querier = Unchanged::of(way, schema, [table]);
                let outcome = querier.read(&[Query::all(&sql)], limit).await;
                match outcome.as_deref().map(<[Rows]>::first) {
                    Ok(rows) => {
                        self.take(rows, &columns, index);
                        note_whole((schema, index), &columns, sampling);
                    }
                    Err(error) => {
                        let table = &schema.tables[table].name;
                        tracing::debug!(table, %error, "its values are left out");
                        if is_final(error, is_timeout(error, started.elapsed(), limit)) {
                            return;
                        }
                    }
                }
                for at in columns {
                    self.count(at, index);
                }
            }
            self.tables.pop();
        }
        self.held = HashSet::new();
        if !self.look_at_codes(way, (schema, sampling), deadline).await {
            return;
        }
        self.look_at_keys(way, (schema, sampling), deadline).await;
    }

    /// Reads what codes stand for, until the time is over. False where that is not all yet.
    async fn look_at_codes(
        &mut self,
        way: (&dyn Querier, JudgedBy<'_>),
        (schema, sampling): (&Schema, &Sampling),
        deadline: Instant,
    ) -> bool {
        if self.codes.as_ref().is_some_and(Vec::is_empty) {
            return true;
        }
        let names = ColumnNames::new(schema);
        let tables = self.codes.get_or_insert_with(|| {
            let mut tables = code_tables(&names, &self.profile);
            // Of rows that are kept back nobody knows what they hold.
            tables.retain(|of| self.read.contains(&of.table) && !schema.tables[of.table].row_security);
            tables
        });
        while let Some(table) = tables.last() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let limit = left.min(sampling.table_time);
            let started = Instant::now();
            let querier = Unchanged::of(way, schema, [table.table]);
            match profile::code_rows(&querier, schema, table, limit).await {
                Ok(rows) => {
                    let told = table.codes(&names, &self.profile, &rows);
                    self.profile.codes.extend(told);
                }
                Err(error) => {
                    tracing::debug!(%error, "what codes stand for is not known");
                    if is_final(&error, is_timeout(&error, started.elapsed(), limit)) {
                        return false;
                    }
                }
            }
            tables.pop();
        }
        true
    }

    /// Looks which undeclared keys hold, until the time is over. Of what cannot be read names alone decide.
    async fn look_at_keys(
        &mut self,
        way: (&dyn Querier, JudgedBy<'_>),
        (schema, sampling): (&Schema, &Sampling),
        deadline: Instant,
    ) {
        let profile = &self.profile;
        let keys = self.keys.get_or_insert_with(|| Keys::new(schema, profile));
        while !keys.is_done() {
            let Some((sql, tables)) = keys.statement(&self.read) else {
                keys.take(None);
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let limit = left.min(sampling.table_time);
            let started = Instant::now();
            let querier = Unchanged::of(way, schema, tables);
            match querier.read(&[Query::all(&sql)], limit).await {
                Ok(answers) => keys.take(answers.first()),
                Err(error) => {
                    tracing::debug!(%error, "whether a key holds is not known");
                    if is_final(&error, is_timeout(&error, started.elapsed(), limit)) {
                        return;
                    }
                    keys.take(None);
                }
            }
        }
    }

    /// Reads what a table holds where that is not known. False where nothing more can be had.
    async fn look(
        &mut self,
        way: (&dyn Querier, JudgedBy<'_>),
        (schema, table): (&Schema, usize),
        limit: Duration,
    ) -> bool {
        if self.profile.tables[table].is_some() {
            return true;
        }
        let started = Instant::now();
        let querier = Unchanged::of(way, schema, [table]);
        match profile::read(&querier, schema, table, limit).await {
            Ok(found) => self.profile.tables[table] = found,
            Err(error) => {
                let name = &schema.tables[table].name;
                tracing::debug!(table = name, %error, "what it holds is not known");
                return !is_final(&error, is_timeout(&error, started.elapsed(), limit));
            }
        }
        true
    }

    fn take(&mut self, rows: Option<&Rows>, columns: &[ColumnRef], index: &ValueIndex) {
        for row in rows.into_iter().flat_map(Rows::iter) {
            if let (Ok(number), Some(value)) = (row.parsed::<usize>(0), row.text(1))
                && let Some(at) = columns.get(number)
            {
                self.hold(*at, value, index);
            }
        }
    }

    fn hold(&mut self, at: ColumnRef, value: String, index: &ValueIndex) {
        let key = (at, value);
        if !self.held.contains(&key) && index.insert(at, &key.1) {
            self.held.insert(key);
        }
    }

    /// One more column is done. The index waits for no column that is still to be read: questions go on with
    /// what there is.
    fn count(&mut self, at: ColumnRef, index: &ValueIndex) {
        self.columns += 1;
        index.begin(self.columns);
        index.column_done(at);
    }
}

/// Notes the columns of which nothing was left out. How many rows there are is only an estimate, so that it takes
/// far fewer than were read.
fn note_whole((schema, index): (&Schema, &ValueIndex), columns: &[ColumnRef], sampling: &Sampling) {
    for &at in columns {
        let table = &schema.tables[at.table];
        let few = table
            .rows
            .is_some_and(|rows| (1..sampling.rows as u64 / 2).contains(&rows));
        if few && !table.partly_hidden && index.distinct_of(at) < sampling.values {
            index.column_whole(at);
            // Longer values were left out unseen.
            index.column_long(at);
        }
    }
}

/// True where nothing more can be had: the question was cancelled, the connection is gone, or what is read is not what was
/// judged.
fn is_final(error: &BackendError, timeout: bool) -> bool {
    error.sqlstate.starts_with("08")
        || error.sqlstate.starts_with("57P")
        || error.sqlstate == "25P02"
        || error.sqlstate == changed_meanwhile().sqlstate
        || (error.sqlstate == "57014" && !timeout)
}

fn text_columns(schema: &Schema, table: usize, most: usize) -> Vec<ColumnRef> {
    let columns = schema.tables[table].columns.iter().enumerate();
    columns
        .filter(|(_, column)| column.kind == ColumnKind::Text && !column.denied)
        .map(|(column, _)| ColumnRef { table, column })
        .take(most)
        .collect()
}

/// The distinct values of some columns of one table, each with its column's position in the list.
fn statement(schema: &Schema, columns: &[ColumnRef], sampling: &Sampling) -> String {
    let table = &schema.tables[columns[0].table];
    let mut read = Vec::new();
    let mut parts = Vec::new();
    for (number, at) in columns.iter().enumerate() {
        let name = quoted(&schema.column(*at).name);
        // One character more than is wanted tells what is too long, and fetches no more of a large value.
        let most = LONGEST + 1;
        read.push(format!(
            "pg_catalog.substr(t.{name}::pg_catalog.text, 1, {most}) AS c{number}"
        ));
        parts.push(format!(
            "(SELECT DISTINCT {number}, c{number} FROM sample \
             WHERE pg_catalog.length(c{number}) OPERATOR(pg_catalog.<) {most} LIMIT {})",
            sampling.values
        ));
    }
    let schema_name = table.schema.as_deref().map(|name| format!("{}.", quoted(name)));
    let mut sql = String::new();
    // Writing into a string does not fail.
    let _ = write!(
        sql,
        "WITH sample AS MATERIALIZED (SELECT {} FROM {}{} AS t LIMIT {}) {}",
        read.join(", "),
        schema_name.unwrap_or_default(),
        quoted(&table.name),
        sampling.rows,
        parts.join(" UNION ALL ")
    );
    sql
}

/// An identifier as SQL writes it.
pub(super) fn quoted(identifier: &str) -> String {
    format!("\"{}\"", identifier.replace('"', "\"\""))
}
