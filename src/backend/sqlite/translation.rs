//! Clients' statements in SQLite's words, remembered by their text for one version of the schema.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
};

use rusqlite::Connection;

use super::{decltype, infer};
use crate::{
    backend::{BackendError, SqlType},
    schema::Snapshot,
    translate::{self, NamedColumn, Names, Outcome, Translated, Ty},
};

/// Statements that are remembered per connection.
const REMEMBERED: usize = 512;
/// What a translation leaves alone in front of a statement.
const PLAN: &str = "EXPLAIN QUERY PLAN ";
/// Statements that are translated begin with one of these.
const WORDS: [&str; 12] = [
    "select", "with", "values", "insert", "update", "delete", "create", "drop", "truncate", "table",
    "explain", "(",
];

/// What is known of a statement's translation.
#[derive(Debug)]
pub(super) enum Known {
    /// It runs as it stands.
    AsItStands,
    /// SQLite runs this instead.
    Translated(Translated),
    /// It does not run.
    Refused(BackendError),
}

/// The translations of a connection.
#[derive(Debug, Default)]
pub(super) struct Translations {
    known: RefCell<HashMap<String, Rc<Known>>>,
    version: Cell<(i64, i64)>,
}

impl Translations {
    /// The statement's translation. `declared` are the types that the client gives its parameters, where it prepares it;
    /// what was prepared is what runs.
    pub(super) fn of(
        &self,
        connection: &Connection,
        sql: &str,
        declared: Option<&[Option<SqlType>]>,
        snapshot: impl FnOnce() -> Option<Snapshot>,
    ) -> Rc<Known> {
        let statement = sql.strip_prefix(PLAN).unwrap_or(sql);
        if !is_for_us(statement) {
            return Rc::new(Known::AsItStands);
        }
        let version = (version(connection, "main"), others(connection));
        if version.0 < 0 {
            // The file cannot be read now; why, the statement itself will tell.
            return Rc::new(Known::AsItStands);
        }
        let mut known = self.known.borrow_mut();
        if self.version.replace(version) != version || known.len() >= REMEMBERED {
            known.clear();
        }
        let types: Vec<Option<Ty>> = declared
            .unwrap_or_default()
            .iter()
            .map(|ty| ty.and_then(type_of))
            .collect();
        let is_declared = types.iter().any(Option::is_some);
        if !is_declared && let Some(found) = known.get(sql) {
            return Rc::clone(found);
        }
        let found = Rc::new(translated(
            connection,
            statement,
            sql.len() > statement.len(),
            (&types, snapshot()),
        ));
        known.insert(sql.to_owned(), Rc::clone(&found));
        found
    }
}

fn translated(
    connection: &Connection,
    sql: &str,
    is_plan: bool,
    (types, snapshot): (&[Option<Ty>], Option<Snapshot>),
) -> Known {
    let schema = Schema {
        connection,
        snapshot,
        failed: Cell::new(false),
    };
    let outcome = translate::translate(sql, &schema, types);
    if schema.failed.get() {
        // Why the schema cannot be read, the statement itself will tell.
        return Known::AsItStands;
    }
    match outcome {
        Outcome::AsItStands => Known::AsItStands,
        Outcome::Translated(translated) if is_plan => Known::Translated(Translated {
            sql: format!("{PLAN}{}", translated.sql),
            columns: vec![],
            ..translated
        }),
        Outcome::Translated(translated) => Known::Translated(translated),
        Outcome::Refused(refusal) => {
            let shift = if is_plan { PLAN.len() } else { 0 };
            Known::Refused(BackendError {
                hint: refusal.hint,
                position: refusal.position.map(|position| position + shift),
                ..BackendError::new(refusal.sqlstate, refusal.message)
            })
        }
    }
}

/// True for what may be PostgreSQL's and does not ask for the catalogue, which has a way of its own.
fn is_for_us(sql: &str) -> bool {
    let start = sql.trim_start();
    let begins = WORDS.iter().any(|word| {
        start
            .get(..word.len())
            .is_some_and(|first| first.eq_ignore_ascii_case(word))
    });
    // A comment may stand in front of anything.
    if !(begins || start.starts_with("--") || start.starts_with("/*")) {
        return false;
    }
    let lower = sql.to_ascii_lowercase();
    let lower = lower.replace("pg_sleep", "").replace("pg_typeof", "");
    ![
        "pg_",
        "information_schema",
        "::reg",
        "to_reg",
        "sqlite_",
        "_privilege(",
        "_description(",
        "format_type(",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// The versions of temporary objects and attached files together: each only grows while nobody rolls back.
fn others(connection: &Connection) -> i64 {
    let attached = (2..).map_while(|at| connection.db_name(at).ok());
    let attached = attached.filter(|name| !matches!(name.as_str(), "pg_catalog" | "information_schema"));
    attached.fold(version(connection, "temp"), |sum, name| {
        sum.wrapping_mul(31).wrapping_add(version(connection, &name))
    })
}

fn version(connection: &Connection, schema: &str) -> i64 {
    connection
        .prepare_cached(&format!("PRAGMA \"{schema}\".schema_version"))
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .unwrap_or(-1)
}

/// The tables and views as a connection sees them.
struct Schema<'c> {
    connection: &'c Connection,
    /// What the stored values say of the columns.
    snapshot: Option<Snapshot>,
    failed: Cell<bool>,
}

impl Names for Schema<'_> {
    fn relation(&self, schema: Option<&str>, name: &str) -> Option<Vec<NamedColumn>> {
        if let Ok(columns) = self.columns(schema, name) {
            (!columns.is_empty()).then_some(columns)
        } else {
            self.failed.set(true);
            None
        }
    }
}

impl Schema<'_> {
    fn columns(&self, schema: Option<&str>, name: &str) -> rusqlite::Result<Vec<NamedColumn>> {
        let sql = match schema {
            None => "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?1)",
            Some(_) => "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?1, ?2)",
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &rusqlite::Row<'_>| {
            let declared: String = row.get(1)?;
            let key: usize = row.get::<_, i64>(3)?.try_into().unwrap_or(0);
            Ok(NamedColumn {
                name: row.get(0)?,
                not_null: row.get::<_, i64>(2)? != 0 || (key > 0 && declared.eq_ignore_ascii_case("integer")),
                declared,
                key,
                generated: row.get::<_, i64>(4)? >= 2,
            })
        };
        let columns = match schema {
            None => statement.query_map([name], read),
            Some(schema) => statement.query_map([name, schema], read),
        };
        let mut columns: Vec<NamedColumn> = columns?.collect::<rusqlite::Result<_>>()?;
        if schema.is_none() {
            self.correct(name, &mut columns);
        }
        Ok(columns)
    }

    /// Columns whose values do not fit what is declared are told, and taken, as what they hold.
    fn correct(&self, table: &str, columns: &mut [NamedColumn]) {
        let Some(snapshot) = &self.snapshot else { return };
        let Some(table) = snapshot.schema.table_named(table) else {
            return;
        };
        let table = &snapshot.schema.tables[table];
        for column in columns {
            let Some(known) = table.column_named(&column.name).map(|at| &table.columns[at]) else {
                continue;
            };
            let held = infer::of_column(known);
            if known.declared_type == column.declared
                && matches!(
                    decltype::sql_type(&column.declared),
                    Some(SqlType::Date | SqlType::Timestamp)
                )
                && let Some(held) = held.filter(|_| held != decltype::sql_type(&column.declared))
            {
                held.name().clone_into(&mut column.declared);
            }
        }
    }
}

/// A client's type as the translation knows it.
fn type_of(ty: SqlType) -> Option<Ty> {
    Some(match ty {
        SqlType::Bool => Ty::Bool,
        SqlType::Bytea => Ty::Bytea,
        SqlType::Int8 => Ty::Int8,
        SqlType::Int2 => Ty::Int2,
        SqlType::Int4 => Ty::Int4,
        SqlType::Text => Ty::Text,
        SqlType::Timetz => Ty::Timetz,
        SqlType::Money => Ty::Money,
        SqlType::Bit => Ty::Bit,
        SqlType::Varbit => Ty::Varbit,
        SqlType::Inet => Ty::Inet,
        SqlType::Cidr => Ty::Cidr,
        SqlType::Macaddr => Ty::Macaddr,
        SqlType::Xml => Ty::Xml,
        SqlType::Char => Ty::Char,
        SqlType::Oid => Ty::Oid,
        SqlType::Name => Ty::Name,
        SqlType::Json => Ty::Json,
        SqlType::Jsonb => Ty::Jsonb,
        SqlType::Float4 => Ty::Float4,
        SqlType::Float8 => Ty::Float8,
        SqlType::Bpchar => Ty::Bpchar,
        SqlType::Varchar => Ty::Varchar,
        SqlType::Date => Ty::Date,
        SqlType::Time => Ty::Time,
        SqlType::Timestamp => Ty::Timestamp,
        SqlType::Timestamptz => Ty::Timestamptz,
        SqlType::Numeric => Ty::Numeric,
        SqlType::Uuid => Ty::Uuid,
        SqlType::Interval => Ty::Interval,
        SqlType::Void => return None,
        SqlType::Array(of) => type_of(*of)?.array(),
    })
}

/// What a client is told of a type.
pub(super) fn told(ty: Ty) -> SqlType {
    match ty {
        Ty::Bool => SqlType::Bool,
        Ty::Int2 => SqlType::Int2,
        Ty::Int4 => SqlType::Int4,
        Ty::Int8 => SqlType::Int8,
        Ty::Float4 => SqlType::Float4,
        Ty::Float8 => SqlType::Float8,
        Ty::Numeric => SqlType::Numeric,
        Ty::Varchar => SqlType::Varchar,
        Ty::Bpchar => SqlType::Bpchar,
        Ty::Name => SqlType::Name,
        Ty::Bytea => SqlType::Bytea,
        Ty::Date => SqlType::Date,
        Ty::Time => SqlType::Time,
        Ty::Timestamp => SqlType::Timestamp,
        Ty::Timestamptz => SqlType::Timestamptz,
        Ty::Interval => SqlType::Interval,
        Ty::Json => SqlType::Json,
        Ty::Jsonb => SqlType::Jsonb,
        Ty::Uuid => SqlType::Uuid,
        Ty::Oid => SqlType::Oid,
        Ty::Timetz => SqlType::Timetz,
        Ty::Money => SqlType::Money,
        Ty::Bit => SqlType::Bit,
        Ty::Varbit => SqlType::Varbit,
        Ty::Inet => SqlType::Inet,
        Ty::Cidr => SqlType::Cidr,
        Ty::Macaddr => SqlType::Macaddr,
        Ty::Xml => SqlType::Xml,
        Ty::Char => SqlType::Char,
        Ty::Void => SqlType::Void,
        Ty::Array(of) => told(*of).array(),
        _ => SqlType::Text,
    }
}
