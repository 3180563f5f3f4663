//! Clients' statements in SQLite's words, remembered by their text for one version of the schema.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
};

use rusqlite::Connection;

use super::{
    answers::Hidden,
    decltype, infer, sampling, steps,
    version::{ReadLock, locked_version, others},
};
use crate::{
    backend::{BackendError, SqlType},
    catalog::{
        self,
        lexical::{self, Piece},
    },
    schema::Snapshot,
    translate::{self, NamedColumn, Names, Object, Outcome, Translated, Ty},
};

/// Statements that are remembered per connection.
const REMEMBERED: usize = 512;
/// What a translation leaves alone in front of a statement.
const PLAN: &str = "EXPLAIN QUERY PLAN ";
/// Statements that are translated begin with one of these.
const WORDS: [&str; 17] = [
    "select", "with", "values", "insert", "update", "delete", "create", "drop", "truncate", "table",
    "explain", "(", "alter", "set", "lock", "merge", "reindex",
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
    /// By their text.
    known: RefCell<HashMap<String, Vec<Remembered>>>,
    relations: RefCell<Relations>,
    version: Cell<(i64, i64)>,
}

/// A translation, and the types that the client declared of the statement's parameters.
type Remembered = (Vec<Option<SqlType>>, Rc<Known>);

/// The columns of relations that were looked for, by schema and name; `None` for what is none.
type Relations = HashMap<(Option<String>, String), Option<Vec<NamedColumn>>>;

/// A statement's translation, and the lock under which it is true.
pub(super) struct Found<'c> {
    pub(super) known: Rc<Known>,
    /// Held while the statement begins, so that the schema stays as it was read and is not locked twice.
    pub(super) lock: Option<ReadLock<'c>>,
}

impl Found<'_> {
    /// For what is not translated.
    pub(super) fn as_it_stands() -> Self {
        Self {
            known: Rc::new(Known::AsItStands),
            lock: None,
        }
    }
}

impl Translations {
    /// The translation of a statement around answers, which is not remembered.
    pub(super) fn around<'c>(
        connection: &'c Connection,
        hidden: &Hidden<'_>,
        declared: &[Option<SqlType>],
        snapshot: impl Fn() -> Option<Snapshot>,
    ) -> rusqlite::Result<Found<'c>> {
        let statement = hidden.text.strip_prefix(PLAN).unwrap_or(&hidden.text);
        if !is_for_us(statement) {
            return Ok(Found::as_it_stands());
        }
        let (_, lock) = locked_version(connection)?;
        let types: Vec<Option<Ty>> = declared.iter().map(|ty| ty.and_then(type_of)).collect();
        let mut relations = Relations::new();
        let schema = Schema {
            connection,
            snapshot: &snapshot,
            relations: RefCell::new(&mut relations),
            answers: Some(hidden),
            failed: Cell::new(false),
        };
        let is_plan = hidden.text.len() > statement.len();
        let known = match translated(&schema, statement, is_plan, &types) {
            Known::Translated(translated) => Known::Translated(Translated {
                sql: hidden.restored(&translated.sql),
                ..translated
            }),
            Known::Refused(error) => Known::Refused(BackendError {
                position: error.position.map(|position| hidden.original_position(position)),
                ..error
            }),
            Known::AsItStands => Known::AsItStands,
        };
        Ok(Found {
            known: Rc::new(known),
            lock: Some(lock),
        })
    }

    /// The statement's translation. `declared` are the types that the client gives its parameters.
    pub(super) fn of<'c>(
        &self,
        connection: &'c Connection,
        sql: &str,
        declared: &[Option<SqlType>],
        snapshot: impl Fn() -> Option<Snapshot>,
    ) -> rusqlite::Result<Found<'c>> {
        let statement = sql.strip_prefix(PLAN).unwrap_or(sql);
        if !is_for_us(statement) {
            return Ok(Found::as_it_stands());
        }
        let (own, lock) = locked_version(connection)?;
        let version = (own, others(connection));
        let mut known = self.known.borrow_mut();
        let mut relations = self.relations.borrow_mut();
        if self.version.replace(version) != version || known.len() >= REMEMBERED {
            known.clear();
            relations.clear();
        }
        let found = known
            .get(sql)
            .and_then(|found| found.iter().find(|(types, _)| types == declared))
            .map(|(_, known)| Rc::clone(known));
        if let Some(known) = found {
            return Ok(Found {
                known,
                lock: Some(lock),
            });
        }
        let types: Vec<Option<Ty>> = declared.iter().map(|ty| ty.and_then(type_of)).collect();
        let schema = Schema {
            connection,
            snapshot: &snapshot,
            relations: RefCell::new(&mut relations),
            answers: None,
            failed: Cell::new(false),
        };
        let found = Rc::new(translated(
            &schema,
            statement,
            sql.len() > statement.len(),
            &types,
        ));
        let all = known.entry(sql.to_owned()).or_default();
        all.push((declared.to_vec(), Rc::clone(&found)));
        Ok(Found {
            known: found,
            lock: Some(lock),
        })
    }
}

fn translated(schema: &Schema<'_>, sql: &str, is_plan: bool, types: &[Option<Ty>]) -> Known {
    let outcome = translate::translate(sql, schema, types);
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

/// True for what may be PostgreSQL's: what asks SQLite's own catalogue is not.
fn is_for_us(sql: &str) -> bool {
    let start = sql.trim_start();
    let begins = WORDS.iter().any(|word| {
        start
            .get(..word.len())
            .is_some_and(|first| first.eq_ignore_ascii_case(word))
    });
    // A comment may stand in front of anything.
    (begins || start.starts_with("--") || start.starts_with("/*")) && !names_sqlites(sql)
}

/// True for a statement that names something of SQLite's, outside its strings.
fn names_sqlites(sql: &str) -> bool {
    const PREFIX: &str = "sqlite_";
    let is_there = sql
        .as_bytes()
        .windows(PREFIX.len())
        .any(|window| window.eq_ignore_ascii_case(PREFIX.as_bytes()));
    is_there
        && lexical::pieces(sql).any(|(_, piece)| {
            let Piece::Token(token) = piece else { return false };
            let name = token.trim_start_matches('"');
            name.get(..PREFIX.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
        })
}

/// The tables and views as a connection sees them.
struct Schema<'c> {
    connection: &'c Connection,
    /// What the stored values say of the columns.
    snapshot: &'c dyn Fn() -> Option<Snapshot>,
    relations: RefCell<&'c mut Relations>,
    /// The answers that stand in the statement.
    answers: Option<&'c Hidden<'c>>,
    failed: Cell<bool>,
}

/// Works with the tables and views of a connection by what is declared of them.
pub(super) fn with_names<T>(connection: &Connection, work: impl FnOnce(&dyn Names) -> T) -> T {
    work(&Schema {
        connection,
        snapshot: &|| None,
        relations: RefCell::new(&mut Relations::default()),
        answers: None,
        failed: Cell::new(false),
    })
}

impl Names for Schema<'_> {
    fn relation(&self, schema: Option<&str>, name: &str) -> Option<Vec<NamedColumn>> {
        let answer = self.answers.and_then(|answers| answers.relation(name));
        if schema.is_none() && answer.is_some() {
            return answer;
        }
        let found = in_catalogue(schema, name);
        if found.is_some() || schema.is_some_and(catalog::is_schema) {
            return found;
        }
        let mut relations = self.relations.borrow_mut();
        let key = (schema.map(str::to_owned), name.to_owned());
        if let Some(found) = relations.get(&key) {
            return found.clone();
        }
        if let Ok(columns) = self.columns(schema, name) {
            let found = (!columns.is_empty()).then_some(columns);
            relations.insert(key, found.clone());
            found
        } else {
            self.failed.set(true);
            None
        }
    }

    fn objects(&self) -> Vec<Object> {
        let found = steps::objects(self.connection);
        self.failed.set(self.failed.get() || found.is_err());
        found.unwrap_or_default()
    }

    fn has_function(&self, name: &str) -> bool {
        // Some modules are made where they are named first.
        let sql = "SELECT lower(?1) LIKE 'pragma_%' OR lower(?1) LIKE 'json%_tree' OR lower(?1) LIKE 'json%_each' \
                   OR EXISTS (SELECT 1 FROM pragma_function_list WHERE name = lower(?1)) \
                   OR EXISTS (SELECT 1 FROM pragma_module_list WHERE name = ?1 COLLATE NOCASE)";
        let found = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row([name], |row| row.get(0)));
        // Where nobody can say, SQLite itself will.
        found.unwrap_or(true)
    }

    fn constant(&self, expression: &str) -> Option<String> {
        let quoted = format!("SELECT quote({expression})");
        self.connection.query_row(&quoted, [], |row| row.get(0)).ok()
    }
}

/// The columns of a relation of the catalogue, which PostgreSQL looks for before all others.
fn in_catalogue(schema: Option<&str>, name: &str) -> Option<Vec<NamedColumn>> {
    let columns = catalog::columns(schema.unwrap_or("pg_catalog"), name)?;
    let named = columns.map(|(name, ty, not_null)| NamedColumn {
        name: name.to_owned(),
        declared: format!("pg_catalog.{ty}"),
        not_null,
        key: usize::from(name == "oid"),
        default: None,
        generated: true,
    });
    Some(named.collect())
}

impl Schema<'_> {
    fn columns(&self, schema: Option<&str>, name: &str) -> rusqlite::Result<Vec<NamedColumn>> {
        let sql = match schema {
            None => "SELECT name, type, \"notnull\", pk, hidden, dflt_value FROM pragma_table_xinfo(?1)",
            Some(_) => {
                "SELECT name, type, \"notnull\", pk, hidden, dflt_value FROM pragma_table_xinfo(?1, ?2)"
            }
        };
        if schema.is_none() && !self.means_something(name)? {
            return Ok(vec![]);
        }
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &rusqlite::Row<'_>| {
            let declared: String = row.get(1)?;
            let key: usize = row.get::<_, i64>(3)?.try_into().unwrap_or(0);
            Ok(NamedColumn {
                name: row.get(0)?,
                not_null: row.get::<_, i64>(2)? != 0 || (key > 0 && declared.eq_ignore_ascii_case("integer")),
                declared,
                key,
                default: row.get(5)?,
                generated: row.get::<_, i64>(4)? >= 2,
            })
        };
        let columns = match schema {
            None => statement.query_map([name], read),
            Some(schema) => statement.query_map([name, schema], read),
        };
        let mut columns: Vec<NamedColumn> = columns?.collect::<rusqlite::Result<_>>()?;
        self.tell_view(schema, name, &mut columns)?;
        if schema.is_none() {
            self.narrow(name, &mut columns)?;
            self.correct(name, &mut columns);
        }
        Ok(columns)
    }

    /// What was kept of the types of a view's columns.
    fn tell_view(
        &self,
        schema: Option<&str>,
        name: &str,
        columns: &mut [NamedColumn],
    ) -> rusqlite::Result<()> {
        let within = schema.map_or_else(String::new, |schema| sampling::quote(schema) + ".");
        let sql = format!(
            "SELECT sql FROM {within}sqlite_schema WHERE type = 'view' AND name = ?1 COLLATE NOCASE AND sql LIKE '% */%) AS %'"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([name])?;
        if let Some(row) = rows.next()? {
            let sql: String = row.get(0)?;
            for column in columns {
                if let Some(ty) = decltype::in_view(&sql, &column.name) {
                    ty.clone_into(&mut column.declared);
                }
            }
        }
        Ok(())
    }

    /// A key that is the rowid has to be an INTEGER; what PostgreSQL has it be is kept beside that word.
    fn narrow(&self, table: &str, columns: &mut [NamedColumn]) -> rusqlite::Result<()> {
        let mut keys = columns.iter_mut().filter(|column| column.key > 0);
        let (Some(key), None) = (keys.next(), keys.next()) else {
            return Ok(());
        };
        if !key.declared.eq_ignore_ascii_case("integer") {
            return Ok(());
        }
        let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([table])?;
        if let Some(row) = rows.next()? {
            let sql: String = row.get(0)?;
            if let Some(narrow) = decltype::narrowed_key(&sql, &key.name) {
                narrow.name().clone_into(&mut key.declared);
            }
        }
        Ok(())
    }

    /// False for a table of `information_schema` alone: those have common names, and SQLite looks everywhere.
    fn means_something(&self, name: &str) -> rusqlite::Result<bool> {
        if catalog::columns("information_schema", name).is_none() {
            return Ok(true);
        }
        let elsewhere = "SELECT 1 FROM pragma_table_list(?1) WHERE schema <> 'information_schema'";
        self.connection.prepare_cached(elsewhere)?.exists([name])
    }

    /// Columns whose values do not fit what is declared are told, and taken, as what they hold.
    fn correct(&self, table: &str, columns: &mut [NamedColumn]) {
        let is_dated = |column: &NamedColumn| {
            matches!(
                decltype::sql_type(&column.declared),
                Some(SqlType::Date | SqlType::Timestamp)
            )
        };
        if !columns.iter().any(is_dated) {
            return;
        }
        let Some(snapshot) = (self.snapshot)() else { return };
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
                && is_dated(column)
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
