//! What a violated constraint is told as: PostgreSQL's words, the constraint's name and the values, of which SQLite tells
//! little. What the statement would have written is worked out again.

use rusqlite::{Connection, Result};

use super::{
    alter, binding, catalog_model,
    command::{Parameters, Request},
    described,
    guard::Mode,
    offender, reach, running,
    session::Session,
    translation::Translation,
    watch::CancelFlag,
    written,
};
pub(super) use crate::statement::sqlite_lexer::quote as quoted;
use crate::{
    backend::{BackendError, ErrorSubject, Value},
    sqlite::{
        catalog::{Named, shown_schema},
        functions::advance,
        translate::{Write, WriteKind},
    },
    statement::sqlite_lexer::{Piece, of_client, pieces, unquote},
};

/// Rows of a statement that are looked through for the one that fails.
const MOST_ROWS: usize = 10_000;

impl Session<'_> {
    /// An error of a statement in PostgreSQL's words, where it is of a constraint.
    pub(super) fn explained(
        &self,
        error: BackendError,
        request: &Request,
        cancelled: &CancelFlag,
    ) -> BackendError {
        if !error.sqlstate.starts_with("23") || request.mode != Mode::Client {
            return error;
        }
        let limit = self.limit(Mode::Client);
        let Ok(found) = self.translation(
            &request.sql,
            (&request.declared, &request.generated),
            cancelled,
            limit,
        ) else {
            return error;
        };
        let (sql, write) = match &*found.known {
            Translation::Translated(translated) => (&translated.sql, translated.write.clone()),
            _ => (&request.sql, written::of(&request.sql)),
        };
        let told = self.watched(self.own, Mode::Internal, cancelled, (limit, limit), sql, || {
            let named = catalog_model::constraints(&self.own.connection)?;
            let schema = reach::of(&self.own.connection, write.as_ref())?;
            let violation = Violation {
                connection: &self.own.connection,
                named: reach::reached(named, write.as_ref(), schema.as_deref()),
                schema,
                sql,
                asked: &request.sql,
                write,
                parameters: &request.parameters,
            };
            // A column that a row has nothing for must not be read as a string.
            alter::without_quoted_strings(&self.own.connection, || advance::again(|| violation.told(&error)))
        });
        match told {
            Ok(Some(told)) => told,
            Ok(None) => error,
            Err(reason) => {
                tracing::debug!(%reason, "a violated constraint could not be named");
                error
            }
        }
    }
}

pub(super) struct Violation<'v> {
    pub(super) connection: &'v Connection,
    pub(super) named: Vec<Named>,
    /// Where the table is that the statement writes, as SQLite calls it.
    pub(super) schema: Option<String>,
    pub(super) sql: &'v str,
    /// As the client wrote it.
    pub(super) asked: &'v str,
    pub(super) write: Option<Write>,
    pub(super) parameters: &'v Parameters,
}

impl<'v> Violation<'v> {
    /// What is violated of a transaction's keys, whichever statement did it.
    pub(super) fn of_transaction(connection: &'v Connection, named: Vec<Named>) -> Self {
        Self {
            connection,
            named,
            schema: None,
            sql: "",
            asked: "",
            write: None,
            parameters: &Parameters::Nulls,
        }
    }
}

impl Violation<'_> {
    fn told(&self, error: &BackendError) -> Result<Option<BackendError>> {
        let Some((what, about)) = error.message.split_once(" constraint failed") else {
            return Ok(None);
        };
        let about = about.trim_start_matches(": ");
        match what {
            "UNIQUE" => self.unique(about),
            "NOT NULL" => self.not_null(about),
            "CHECK" => self.check(about),
            "FOREIGN KEY" => match about.strip_prefix("handed on to ") {
                Some(key) => Ok(self.handed_on(key)),
                None => self.foreign_key(),
            },
            _ => Ok(None),
        }
    }

    fn not_null(&self, about: &str) -> Result<Option<BackendError>> {
        let (table, column) = &offender::column(self.connection, about, |table| self.writes(table))?;
        let is_null = |row: &Row| Ok(row.of(std::slice::from_ref(column)) == [Value::Null]);
        let failing = self.first_written(table, is_null)?;
        let detail = failing
            .map(|row| self.failing_row(table, &row))
            .transpose()?
            .flatten();
        Ok(Some(BackendError {
            detail,
            place: Some(Box::new(place(
                (self.schema_of(table), table),
                Some(column),
                None,
            ))),
            ..BackendError::new(
                "23502",
                format!(
                    "null value in column \"{column}\" of relation \"{table}\" violates not-null constraint"
                ),
            )
        }))
    }

    /// Where a table is, as SQLite calls it.
    fn schema_of(&self, table: &str) -> &str {
        let written = self.schema.as_deref().filter(|_| self.writes(table));
        let known = self
            .named
            .iter()
            .find(|named| named.table.eq_ignore_ascii_case(table));
        written.or(known.map(|named| &*named.schema)).unwrap_or("main")
    }

    /// True for the table that the statement itself writes.
    pub(super) fn writes(&self, table: &str) -> bool {
        let written = self.write.as_ref();
        written.is_some_and(|written| written.table.eq_ignore_ascii_case(table))
    }

    fn check(&self, about: &str) -> Result<Option<BackendError>> {
        let Some(written) = &self.write else {
            return Ok(self.check_of_any(about));
        };
        let table = &written.table;
        let wanted = plain(about);
        let fits = |named: &&Named| {
            named.kind == 'c'
                && named.table.eq_ignore_ascii_case(table)
                && (named.name == about || plain(&named.expression) == wanted)
        };
        let told: Vec<&Named> = self.named.iter().filter(fits).take(1).collect();
        let checks = if told.is_empty() {
            // SQLite calls some by the table's name.
            self.of_kind('c', |named| named.table.eq_ignore_ascii_case(table))
        } else {
            told.clone()
        };
        let (mut found, mut are_told) = (told.first().copied(), false);
        let failing = self.first_written(table, |row| {
            are_told = true;
            for named in &checks {
                if self.fails(named, row)? {
                    found = Some(*named);
                    return Ok(true);
                }
            }
            Ok(false)
        })?;
        if !are_told {
            found = found.or(checks.first().copied());
        }
        let name = found.map_or(about, |named| &named.name);
        let detail = failing
            .map(|row| self.failing_row(table, &row))
            .transpose()?
            .flatten();
        Ok(Some(violates_check((self.schema_of(table), table), name, detail)))
    }

    /// Of a statement that writes in several steps, whose rows nobody can tell any more: the one check of its tables that is
    /// called or written so.
    fn check_of_any(&self, about: &str) -> Option<BackendError> {
        let named: Vec<String> = of_client(self.asked).map(unquote).collect();
        let wanted = plain(about);
        let mut fitting = self.of_kind('c', |check| {
            named.iter().any(|name| name.eq_ignore_ascii_case(&check.table))
                && (check.name == about || plain(&check.expression) == wanted)
        });
        let check = fitting.pop().filter(|_| fitting.is_empty())?;
        Some(violates_check((&check.schema, &check.table), &check.name, None))
    }

    /// A key that rows would have got by ON UPDATE CASCADE and that refers to nothing any more as a value of their column's type.
    fn handed_on(&self, about: &str) -> Option<BackendError> {
        let key = |named: &Named| format!("{}({})=(", named.table, named.columns.join(", "));
        let found = self.of_kind('f', |named| about.starts_with(&key(named)));
        let named = found.first()?;
        let (target, _) = named.target.as_ref()?;
        // Of several columns one is told, and not the key.
        let detail = about
            .strip_prefix(&named.table)
            .filter(|_| named.columns.len() == 1)
            .map(|key| format!("Key {key} is not present in table \"{target}\"."));
        Some(refers_nowhere(&named.table, named, detail))
    }

    /// SQLite does not say which key; the rows do.
    fn foreign_key(&self) -> Result<Option<BackendError>> {
        let Some(written) = &self.write else {
            return self.deferred();
        };
        let table = &written.table;
        let rows = self.rows(table)?;
        if written.kind != WriteKind::Delete {
            // What an UPDATE leaves alone is no reason for it to fail.
            let set = self.set_columns(written)?;
            let is_set = |column: &String| set.iter().any(|name| name.eq_ignore_ascii_case(column));
            let own: Vec<&Named> = self.of_kind('f', |named| named.table.eq_ignore_ascii_case(table));
            for named in &own {
                let Some((target, columns)) = &named.target else {
                    continue;
                };
                if written.kind == WriteKind::Update && !named.columns.iter().any(is_set) {
                    continue;
                }
                for row in &rows {
                    let values = row.of(&named.columns);
                    let complete = values.len() == columns.len() && !values.contains(&Value::Null);
                    if complete && !self.stands_in((&named.schema, target), columns, &values)? {
                        let detail = format!(
                            "Key {} is not present in table \"{target}\".",
                            self.key(named, &values)?
                        );
                        return Ok(Some(refers_nowhere(table, named, Some(detail))));
                    }
                }
            }
            if let ([named], true) = (&own[..], written.kind == WriteKind::Insert) {
                return Ok(Some(refers_nowhere(table, named, None)));
            }
        }
        self.still_referred(written)
    }

    pub(super) fn of_kind(&self, kind: char, fits: impl Fn(&Named) -> bool) -> Vec<&Named> {
        let of_kind = |named: &&Named| named.kind == kind && fits(named);
        self.named.iter().filter(of_kind).collect()
    }

    /// The rows of one of the queries that tell what a statement writes.
    pub(super) fn rows_of(&self, query: &str, written: &Write) -> Result<Vec<Row>> {
        let Ok(mut statement) = self.connection.prepare(query) else {
            return Ok(vec![]);
        };
        if !statement.readonly() {
            return Ok(vec![]);
        }
        binding::bind(&mut statement, self.parameters)?;
        let names: Vec<String> = if written.columns.is_empty() {
            let columns = described::columns(self.connection, &statement, query);
            columns.into_iter().map(|column| column.name).collect()
        } else {
            written.columns.clone()
        };
        let mut rows = statement.raw_query();
        let mut found = vec![];
        while let Some(row) = rows.next()? {
            found.push(Row {
                names: names.clone(),
                values: running::values(row)?,
            });
            if found.len() >= MOST_ROWS {
                break;
            }
        }
        Ok(found)
    }

    /// True if a row does not meet a condition.
    fn fails(&self, named: &Named, row: &Row) -> Result<bool> {
        let sql = format!(
            "SELECT 1 FROM {} WHERE NOT ({})",
            row.query(&named.table),
            named.expression
        );
        // A condition on a column that the row has nothing for is met, or another one is to blame.
        let Ok(mut statement) = self.connection.prepare(&sql) else {
            return Ok(false);
        };
        binding::bind(&mut statement, &row.parameters())?;
        Ok(statement.raw_query().next()?.is_some())
    }

    /// True if a table of this schema has a row with these values.
    pub(super) fn stands_in(
        &self,
        (schema, table): (&str, &str),
        columns: &[String],
        values: &[Value],
    ) -> Result<bool> {
        let condition: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(at, column)| format!("{} = ?{}", quoted(column), at + 1))
            .collect();
        let sql = format!(
            "SELECT EXISTS (SELECT 1 FROM {}.{} WHERE {})",
            quoted(schema),
            quoted(table),
            condition.join(" AND ")
        );
        let mut statement = self.connection.prepare(&sql)?;
        binding::bind(&mut statement, &Parameters::Given(values.to_vec()))?;
        let mut rows = statement.raw_query();
        rows.next()?.map_or(Ok(false), |row| row.get(0))
    }
}

/// What would have been written.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) names: Vec<String>,
    pub(super) values: Vec<Value>,
}

impl Row {
    /// A query that gives it by itself, under a table's name.
    pub(super) fn query(&self, table: &str) -> String {
        self.query_from(table, 1)
    }

    /// The same whose first parameter has this number.
    pub(super) fn query_from(&self, table: &str, first: usize) -> String {
        let columns = (first..).zip(&self.names);
        let columns: Vec<String> = columns
            .map(|(at, name)| format!("?{at} AS {}", quoted(name)))
            .collect();
        format!("(SELECT {}) AS {}", columns.join(", "), quoted(table))
    }

    /// Its values, for the parameters of that query.
    pub(super) fn parameters(&self) -> Parameters {
        Parameters::Given(self.values.clone())
    }

    /// The values of these columns, as far as they are told.
    pub(super) fn of(&self, columns: &[String]) -> Vec<Value> {
        columns
            .iter()
            .filter_map(|column| {
                let at = self
                    .names
                    .iter()
                    .position(|name| name.eq_ignore_ascii_case(column))?;
                self.values.get(at).cloned()
            })
            .collect()
    }
}

/// An expression as it can be told again, however it quotes its names and sets its parentheses.
fn plain(expression: &str) -> String {
    let tokens = pieces(expression).filter_map(|(_, piece)| match piece {
        Piece::Token("(" | ")") => None,
        Piece::Token(text) if text.starts_with('\'') => Some(text.to_owned()),
        Piece::Token(token) => Some(unquote(token).to_lowercase()),
        _ => None,
    });
    tokens.collect()
}

fn violates_check((schema, table): (&str, &str), name: &str, detail: Option<String>) -> BackendError {
    BackendError {
        detail,
        place: Some(Box::new(place((schema, table), None, Some(name)))),
        ..BackendError::new(
            "23514",
            format!("new row for relation \"{table}\" violates check constraint \"{name}\""),
        )
    }
}

pub(super) fn refers_nowhere(table: &str, named: &Named, detail: Option<String>) -> BackendError {
    BackendError {
        detail,
        place: Some(Box::new(place((&named.schema, table), None, Some(&named.name)))),
        ..BackendError::new(
            "23503",
            format!(
                "insert or update on table \"{table}\" violates foreign key constraint \"{}\"",
                named.name
            ),
        )
    }
}

/// A table, with its schema as SQLite calls it, and what of it an error is about.
pub(super) fn place(
    (schema, table): (&str, &str),
    column: Option<&str>,
    constraint: Option<&str>,
) -> ErrorSubject {
    ErrorSubject {
        schema: shown_schema(schema).to_owned(),
        table: table.to_owned(),
        column: column.map(str::to_owned),
        constraint: constraint.map(str::to_owned),
    }
}
