//! ALTER TABLE and SET CONSTRAINTS, of which SQLite does little: the text of the table is changed, and where its rows have to be looked at,
//! they go into a new table. The whole is one savepoint.

mod comment;
mod constraints;
mod dependents;
mod drop;
mod dropped;
mod identity;
mod index;
mod like;
mod options;
mod owner;
mod plan;
mod rechecked;
mod rename;
mod retyped;
mod rewrite;
mod rules;
mod schema;
mod several;
mod text;
mod triggers;
mod view;
mod violated;

use std::time::{Duration, Instant};

use rusqlite::{Connection, Result};
use sqlparser::{
    ast::{
        AlterColumnOperation, AlterTable, AlterTableOperation, CommentObject, Ident, ObjectName,
        RenameTableNameKind, Statement,
    },
    dialect::PostgreSqlDialect,
};

pub(super) use self::schema::without_quoted_strings;
use self::{
    plan::Plan,
    schema::{edit_schema, unused},
    text::Text,
};
use super::{
    Prepared,
    command::{Parameters, Request},
    guard::Mode,
    names,
    relation_list::{self, ObjectKind},
    running::{Compiled, Running},
    session::{Session, Text as StatementText},
    watch::CancelFlag,
    write_lock,
};
use crate::{
    backend::BackendError,
    sqlite::{
        catalog,
        functions::{Failure, pass_over, sequence},
        translate::{self, SequenceName},
    },
    statement::{
        grammar,
        sqlite_lexer::{of_client, quote as quoted, unquote},
    },
};

/// A table of the file.
#[derive(Debug, Clone)]
struct FoundTable {
    schema: String,
    name: String,
    sql: String,
}

/// What SQLite cannot do by itself.
pub(super) enum Change {
    Table(Box<AlterTable>),
    /// `SET CONSTRAINTS`.
    Constraints(constraints::Asked),
    /// COMMENT ON a table, a view or a column.
    Comment(CommentObject, ObjectName, Option<String>),
    /// Another name, or none where a form is told that SQLite has no use for.
    Index(Named),
    View(Named, view::Renamed),
    /// CREATE TABLE with the columns of another.
    Like(like::Like),
    /// What becomes of an identity column.
    Identity(options::Changed),
    /// DROP TABLE … CASCADE.
    Drop(drop::Dropped),
    /// DROP SEQUENCE … CASCADE.
    DropSequences(drop::Dropped),
    /// Actions of one ALTER TABLE.
    Several(Vec<Change>),
    /// Nested more deeply than is worked on.
    TooDeep,
}

/// What an ALTER is about, and whether it may be missing.
pub(super) struct Named {
    schema: Option<String>,
    name: String,
    if_exists: bool,
    new: Option<String>,
}

/// The statement, where SQLite cannot do it by itself.
pub(super) fn read(sql: &str) -> Option<Change> {
    let mut tokens = of_client(sql).filter(|token| *token != ";");
    let words = [tokens.next()?, tokens.next()?].map(str::to_ascii_lowercase);
    match (words[0].as_str(), words[1].as_str()) {
        ("set", "constraints") => {
            return constraints::read(&tokens.collect::<Vec<_>>()).map(Change::Constraints);
        }
        ("alter", "index") => return index::read(&tokens.collect::<Vec<_>>()),
        ("alter", "view") => return view::read(&tokens.collect::<Vec<_>>()),
        ("comment", "on") => return comment::read(&tokens.collect::<Vec<_>>()),
        ("create", _) => return like::read(sql),
        ("drop", "table") => return drop::read(sql).map(Change::Drop),
        ("drop", "sequence") => return drop::read(sql).map(Change::DropSequences),
        ("alter", "table") => {}
        _ => return None,
    }
    let read = |sql: &str| {
        grammar::read_to_keep(&PostgreSqlDialect {}, sql, |mut statements| {
            match (statements.pop(), statements.is_empty()) {
                (Some(Statement::AlterTable(alter)), true) => Some(Change::Table(Box::new(alter))),
                _ => None,
            }
        })
    };
    match read(sql) {
        Ok(change) => change,
        Err(grammar::Unread::TooDeep) => Some(Change::TooDeep),
        Err(grammar::Unread::NotUnderstood) => match options::read(sql) {
            Some(changed) => Some(Change::Identity(changed)),
            None => match translate::respelled(sql).map(|plain| read(&plain)) {
                Some(Ok(change)) => change,
                _ => several::split(sql).map(Change::Several),
            },
        },
    }
}

/// The columns of a table that are computed, with what computes them.
pub(super) fn computed(create: &str) -> Vec<(String, String)> {
    let Some(text) = Text::read(create) else {
        return vec![];
    };
    let clauses = text.all_clauses().into_iter();
    let computed = clauses.filter(|clause| clause.kind == text::ClauseKind::Generated);
    computed
        .map(|clause| (clause.columns[0].clone(), text.words(&clause.tokens).to_owned()))
        .collect()
}

/// A name as PostgreSQL reads it.
fn named(token: &str) -> String {
    match unquote(token) {
        plain if plain == token => plain.to_lowercase(),
        quoted => quoted,
    }
}

/// What is known of a change before it is carried out.
pub(super) fn prepared() -> Prepared {
    Prepared {
        read_only: false,
        ..Prepared::nothing()
    }
}

impl Session<'_> {
    /// Carries out a change; what comes back has nothing left to do.
    pub(super) fn change<'c>(
        &'c self,
        request: &Request,
        change: &Change,
        cancelled: &CancelFlag,
        (limit, started): (Option<Duration>, Instant),
    ) -> std::result::Result<Running<'c>, BackendError> {
        let connection = &self.own.connection;
        let work = || {
            write_lock::open_savepoint(connection, "querent:alter")?;
            let changed = self.carried_out(change);
            let done = changed.and_then(|()| {
                let nothing = Parameters::Given(vec![]);
                let release = "RELEASE \"querent:alter\"";
                let end = Compiled::Once(connection.prepare(release)?);
                Running::start(
                    connection,
                    (end, release),
                    (&nothing, vec![]),
                    Default::default,
                    &[],
                )
            });
            if done.is_err() && !connection.is_autocommit() {
                connection.execute_batch("ROLLBACK TO \"querent:alter\"; RELEASE \"querent:alter\"")?;
            }
            done
        };
        let text = StatementText::Translated(&request.sql);
        let limits = (limit, limit);
        let mut running = self.watched_text(self.own, Mode::Internal, cancelled, limits, text, work)?;
        running.mode = request.mode;
        running.spent = started.elapsed();
        running.sql.clone_from(&request.sql);
        Ok(running)
    }

    fn altered(&self, alter: &AlterTable) -> Result<()> {
        let connection = &self.own.connection;
        let (schema, name) = self.split(&alter.name)?;
        let Some(found) = find(connection, schema.as_deref(), &name)? else {
            if let Some((view, renamed)) = view::of_table(connection, alter, (schema.as_deref(), &name))? {
                return view::rename(connection, &view, &renamed);
            }
            // A dump says so of sequences too.
            let is_owned =
                |operation: &AlterTableOperation| matches!(operation, AlterTableOperation::OwnerTo { .. });
            let named = SequenceName::of(&name, schema.as_deref());
            let is_sequence = || sequence::state(connection, &named).map(|state| state.is_some());
            if alter.operations.iter().all(is_owned) && is_sequence()? {
                return Ok(());
            }
            return missing(connection, &name, alter.if_exists);
        };
        match alter.operations.as_slice() {
            [
                AlterTableOperation::RenameTable {
                    table_name: RenameTableNameKind::To(new) | RenameTableNameKind::As(new),
                },
            ] => {
                let new = self.split(new)?.1;
                self.as_client(|| rename::table(connection, &found, &new))?;
                return owner::table_renamed(connection, &found, &new);
            }
            [
                AlterTableOperation::RenameColumn {
                    old_column_name,
                    new_column_name,
                },
            ] => {
                let names = (folded(old_column_name), folded(new_column_name));
                let before = rename::definitions(connection, &found)?;
                self.as_client(|| rename::column(connection, &found, &names))?;
                rename::words_follow(connection, &found, &before, &names)?;
                return owner::column_renamed(connection, &found, &names);
            }
            _ => {}
        }
        for operation in &alter.operations {
            if let AlterTableOperation::AlterColumn {
                column_name,
                op: AlterColumnOperation::SetDataType { .. },
            } = operation
            {
                self.no_view_reads(&found, &folded(column_name))?;
            }
        }
        let mut plan = Plan::new(connection, found)?;
        for operation in plan::in_passes(&alter.operations) {
            plan.apply(operation)?;
        }
        let cascades = alter.operations.iter().any(plan::cascades);
        for key in std::mem::take(&mut plan.freed) {
            self.drop_key(&plan.found, &key)?;
        }
        self.carry_out(plan, cascades)
    }

    /// An index of a constraint is called as that is.
    fn rename_index(&self, index: &Named) -> Result<()> {
        let connection = &self.own.connection;
        let (Some(new), Some(found)) = (&index.new, index::keyed(connection, index)?) else {
            return index::rename(connection, index);
        };
        let mut plan = Plan::new(connection, found)?;
        plan.rename_constraint(&index.name, new)?;
        self.carry_out(plan, false)
    }

    /// Makes a table what a plan says.
    fn carry_out(&self, plan: Plan<'_>, cascades: bool) -> Result<()> {
        let connection = &self.own.connection;
        if plan.dropped.is_empty() {
            return self.carry_out_as_planned(plan);
        }
        // The name of a column that is gone must not be read as a string.
        without_quoted_strings(connection, || {
            let views = dependents::broken_views(connection)?;
            let triggers = triggers::broken(connection)?;
            let (table, columns) = (plan.found.name.clone(), plan.dropped.clone());
            self.carry_out_as_planned(plan)?;
            dependents::views_follow(connection, &table, &views, cascades)?;
            triggers::follow(connection, (&table, &columns), &triggers, cascades)
        })
    }

    fn carry_out_as_planned(&self, mut plan: Plan<'_>) -> Result<()> {
        let connection = &self.own.connection;
        plan.keys_fit()?;
        for step in plan.steps.take() {
            connection.execute_batch(&step)?;
        }
        // What the client wrote is compiled under the client's rights; this finds what is wrong with it too.
        self.as_client(|| create(connection, &plan.found.schema, &plan.new, &plan.sql))?;
        self.as_client(|| {
            let mut defaults = plan
                .tried
                .iter()
                .filter_map(|default| default.get("default".len()..));
            defaults.try_for_each(|value| connection.execute_batch(&format!("SELECT {value}")))
        })?;
        self.as_client(|| plan.is_unique())?;
        let table = format!("{}.{}", quoted(&plan.found.schema), quoted(&plan.found.name));
        for (condition, error) in std::mem::take(&mut plan.checks) {
            // Columns that are as they were can be looked at before.
            let known = plan.dropped.is_empty() && plan.filled.iter().all(|(_, from)| from.is_none());
            if known
                && self
                    .as_client(|| exists(connection, &format!("SELECT 1 FROM {table} WHERE {condition}")))?
            {
                return Err(error);
            }
            // The new table looks at what is filled.
            plan.rewrites |= !known;
        }
        if plan.rewrites {
            self.rewrite(&plan)?;
        } else {
            connection.execute_batch(&format!(
                "DROP TABLE {}.{}",
                quoted(&plan.found.schema),
                quoted(&plan.new)
            ))?;
            let edit = format!(
                "UPDATE {}.sqlite_schema SET sql = ?1 WHERE type = 'table' AND name = ?2",
                quoted(&plan.found.schema)
            );
            edit_schema(connection, &plan.found.schema, || {
                connection
                    .execute(&edit, [&plan.sql, &plan.found.name])
                    .map(|_| ())
            })?;
        }
        if plan.refers {
            plan.keys_refer()?;
        }
        Ok(())
    }

    /// Schema and name. The name of the database may stand before them.
    fn split(&self, name: &ObjectName) -> Result<(Option<String>, String)> {
        split(&self.without_database(name, 2))
    }

    /// A name of so many parts without the database's in front of it.
    fn without_database(&self, name: &ObjectName, most: usize) -> ObjectName {
        match name.0.as_slice() {
            [database, rest @ ..]
                if rest.len() == most
                    && database.as_ident().map(folded).as_ref() == Some(&self.worker.database.name()) =>
            {
                ObjectName(rest.to_vec())
            }
            _ => name.clone(),
        }
    }

    /// Runs a statement of PostgreSQL's.
    fn as_client_translated(&self, sql: &str) -> Result<()> {
        let connection = &self.own.connection;
        let translated = names::with_names(connection, |names| translate::translate(sql, names, &[]));
        let (steps, last) = match translated {
            translate::Outcome::Translated(translated) => {
                let steps: Vec<String> = translated.before.into_iter().map(|step| step.sql).collect();
                (steps, translated.sql)
            }
            translate::Outcome::AsItStands => (vec![], sql.to_owned()),
            translate::Outcome::Refused(refusal) => {
                return Err(violated::told(BackendError {
                    detail: refusal.detail,
                    hint: refusal.hint,
                    ..BackendError::new(refusal.sqlstate, refusal.message)
                }));
            }
        };
        let mut all = steps.iter().chain([&last]);
        self.as_client(|| all.try_for_each(|sql| connection.execute_batch(sql)))
    }

    fn as_client<T>(&self, work: impl FnOnce() -> T) -> T {
        self.own.guard.during(Mode::Client, work)
    }
}

/// Creates a table of another name from a text.
fn create(connection: &Connection, schema: &str, name: &str, sql: &str) -> Result<()> {
    let text = Text::read(sql).ok_or_else(|| fault("42601", "syntax error in ALTER TABLE"))?;
    connection.execute_batch(&text.called(&format!("CREATE TABLE {}.{}", quoted(schema), quoted(name))))
}

/// What SQLite calls a schema that a client names.
fn place(token: &str) -> String {
    let schema = named(token);
    if schema == "pg_temp" {
        "temp".into()
    } else {
        schema
    }
}

/// The table of this name; without a schema, the session's own or the file's.
fn find(connection: &Connection, schema: Option<&str>, name: &str) -> Result<Option<FoundTable>> {
    find_of(connection, ObjectKind::Table, schema, name)
}

/// What is of this kind and has this name, found as [`find`] does.
fn find_of(
    connection: &Connection,
    kind: ObjectKind,
    schema: Option<&str>,
    name: &str,
) -> Result<Option<FoundTable>> {
    let is_catalogued = schema.is_none() && catalog::is_relation(name);
    let schema = if is_catalogued { Some("temp") } else { schema };
    for schema in relation_list::schemas(connection, schema) {
        let relations = relation_list::of_schema(connection, &schema)?.into_iter();
        let found = relations
            .filter(|relation| relation.kind == kind)
            .find(|relation| relation.name.eq_ignore_ascii_case(name));
        if let Some(relation) = found {
            return Ok(Some(FoundTable {
                schema,
                name: relation.name,
                sql: relation.sql,
            }));
        }
    }
    if is_catalogued {
        let message = format!("permission denied: \"{name}\" is a system catalog");
        return Err(fault("42501", message));
    }
    Ok(None)
}

fn exists(connection: &Connection, sql: &str) -> Result<bool> {
    connection.prepare(sql)?.exists([])
}

/// An error that is told with this code.
/// That there is no relation of this name, which may be so.
fn missing(connection: &Connection, name: &str, may: bool) -> Result<()> {
    let words = format!("relation \"{name}\" does not exist");
    if may {
        pass_over(connection, "00000", &words)
    } else {
        Err(fault("42P01", words))
    }
}

pub(super) fn fault(sqlstate: &'static str, words: impl Into<String>) -> rusqlite::Error {
    let message = words.into();
    Failure { sqlstate, message }.into()
}

fn split(name: &ObjectName) -> Result<(Option<String>, String)> {
    let idents: Vec<&Ident> = name.0.iter().filter_map(|part| part.as_ident()).collect();
    match idents.as_slice() {
        [table] => Ok((None, folded(table))),
        [schema, table] => {
            // The session's own tables are in a schema of SQLite's.
            Ok((Some(place(&quoted(&folded(schema)))), folded(table)))
        }
        _ => Err(fault(
            "0A000",
            format!("cross-database references are not implemented: {name}"),
        )),
    }
}

fn folded(ident: &Ident) -> String {
    if ident.quote_style.is_some() {
        ident.value.clone()
    } else {
        ident.value.to_lowercase()
    }
}

fn string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
