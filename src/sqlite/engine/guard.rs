//! What a statement may do, enforced by SQLite's authorizer while the statement is compiled.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU8, Ordering::Relaxed},
    },
};

use action::{Action, Context};

use super::{Options, judged};
use crate::{
    backend::BackendError,
    question::{
        schema::Dialect,
        validator::{
            ValidatedSql, function_is_forbidden, function_is_listed, function_reaches_out, table_is_forbidden,
        },
    },
    sqlite::catalog,
    statement::sqlite_lexer,
};

mod action;
mod pragmas;

/// Whose statement is being compiled or run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Mode {
    /// Ours.
    Internal = 0,
    /// The client's.
    Client = 1,
    /// A question's, in SQL of the client's: reads only.
    Embedded = 2,
    /// A question's: reads only, listed functions only.
    Question = 3,
    /// A question's of which the validator knows that it reads itself, or a view that may.
    Recursion = 4,
}

impl Mode {
    /// True for what may only read.
    pub(super) fn is_question(self) -> bool {
        matches!(self, Self::Embedded | Self::Question | Self::Recursion)
    }
}

/// The authorizer's state on one connection.
#[derive(Debug)]
pub(super) struct Guard {
    mode: AtomicU8,
    attach: bool,
    journal_mode: bool,
    denied: Mutex<Option<BackendError>>,
    /// Tables and columns that our own statements read, while somebody wants to know.
    reads: Mutex<Option<Vec<(String, String)>>>,
    recursive: AtomicBool,
    /// Whether a client's statement changes more than rows of temporary tables.
    beyond_own_rows: AtomicBool,
    /// Whether the text names `information_schema`.
    information_schema: AtomicBool,
    /// A question's SQL in lower case, while one may be compiled.
    question: Mutex<Option<String>>,
    /// The answers that are compiled or run, which say what may be read for them; none where nobody knows.
    answers: Mutex<Arc<[ValidatedSql]>>,
    /// Views in lower case that are made of too many, while a client's statement may ask pragmas for them.
    too_large: Mutex<HashSet<String>>,
    /// The functions whose results depend on their arguments alone, in lower case.
    calculating: OnceLock<HashSet<String>>,
}

/// Functions that reach out of the database.
const FORBIDDEN_FUNCTIONS: &[&str] = &[
    "load_extension",
    "fts3_tokenizer",
    "readfile",
    "writefile",
    "edit",
];

/// Functions of ours that tell the time or something random, and do nothing.
const MOMENTS: &[&str] = &[
    "pg_clock_timestamp",
    "pg_current_date",
    "pg_current_time",
    "pg_current_timestamp",
    "pg_gen_random_uuid",
    "pg_localtimestamp",
    "pg_now",
    "pg_random",
    "pg_statement_timestamp",
];

/// The functions of a connection that SQLite may call as often as it likes for the same result.
fn calculating(connection: &rusqlite::Connection) -> rusqlite::Result<HashSet<String>> {
    let sql = format!(
        "SELECT lower(name) FROM pg_catalog.pragma_function_list GROUP BY lower(name) HAVING min(flags & {}) > 0",
        rusqlite::ffi::SQLITE_DETERMINISTIC
    );
    connection
        .prepare(&sql)?
        .query_map([], |row| row.get(0))?
        .collect()
}

impl Guard {
    /// A guard in the mode [`Mode::Internal`].
    pub(super) fn new(options: &Options) -> Arc<Self> {
        Arc::new(Self {
            mode: AtomicU8::new(Mode::Internal as u8),
            attach: options.attach,
            journal_mode: options.journal_mode.is_some(),
            denied: Mutex::default(),
            reads: Mutex::default(),
            recursive: AtomicBool::new(false),
            beyond_own_rows: AtomicBool::new(false),
            information_schema: AtomicBool::new(false),
            question: Mutex::default(),
            answers: Mutex::default(),
            too_large: Mutex::default(),
            calculating: OnceLock::new(),
        })
    }

    /// Puts a connection under this guard.
    pub(super) fn attach_to(self: &Arc<Self>, connection: &rusqlite::Connection) -> rusqlite::Result<()> {
        action::ask(connection, self)
    }

    /// Runs `work` in a mode and goes back to [`Mode::Internal`], whatever happens.
    pub(super) fn during<T>(&self, mode: Mode, work: impl FnOnce() -> T) -> T {
        struct Restore<'g>(&'g AtomicU8);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                self.0.store(Mode::Internal as u8, Relaxed);
            }
        }
        self.denied.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.mode.store(mode as u8, Relaxed);
        let _restore = Restore(&self.mode);
        work()
    }

    /// Why the last statement was denied, if it was.
    pub(super) fn denied(&self) -> Option<BackendError> {
        self.denied.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Compiles something of ours; what comes back too are the tables and columns that it reads, through all views. A
    /// table that is read without a column has an empty one.
    pub(super) fn reads_of<T>(&self, compile: impl FnOnce() -> T) -> (T, Vec<(String, String)>) {
        let reads = || self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        *reads() = Some(Vec::new());
        let done = compile();
        let found = reads().take().unwrap_or_default();
        (done, found)
    }

    /// Compiles a client's statement; what comes back too is whether it writes nothing but rows of temporary tables.
    pub(super) fn only_own_rows<T>(&self, compile: impl FnOnce() -> T) -> (T, bool) {
        self.beyond_own_rows.store(false, Relaxed);
        let done = compile();
        (done, !self.beyond_own_rows.load(Relaxed))
    }

    fn note_read(&self, context: &Context<'_>) {
        if let Action::Read {
            table_name,
            column_name,
        } = context.action
            && let Some(reads) = &mut *self.reads.lock().unwrap_or_else(PoisonError::into_inner)
        {
            reads.push((table_name.to_owned(), column_name.to_owned()));
        }
    }

    /// Whether the statements that come name `information_schema`: SQLite finds its tables, which have common names,
    /// without it too.
    pub(super) fn tell_information_schema(&self, named: bool) {
        self.information_schema.store(named, Relaxed);
    }

    /// The answers that are compiled or run next.
    pub(super) fn tell_answers(&self, answers: &Arc<[ValidatedSql]>) {
        *self.answers.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(answers);
    }

    /// The views in lower case that the pragmas of the next statements may not ask for.
    pub(super) fn tell_too_large(&self, views: HashSet<String>) {
        *self.too_large.lock().unwrap_or_else(PoisonError::into_inner) = views;
    }

    /// Fails for a pragma that would have SQLite look at all that a view is made of, where that is too much.
    fn check_asked(&self, pragma: &str, value: Option<&str>) -> Result<(), BackendError> {
        let large = self.too_large.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = match pragma.to_ascii_lowercase().as_str() {
            "table_list" => large.iter().min().cloned(),
            "table_info" | "table_xinfo" => value.map(str::to_lowercase).filter(|name| large.contains(name)),
            _ => None,
        };
        match asked {
            Some(view) => Err(BackendError::new(
                "54001",
                format!("PRAGMA {pragma} would look at view \"{view}\", which is made of too many views"),
            )),
            None => Ok(()),
        }
    }

    /// Fails for what none of the answers was judged to read: it is not what it was.
    fn check_judged(&self, table: &str, column: &str, within_view: bool) -> Result<(), BackendError> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let judged = |answer: &ValidatedSql| answer.may_read(table, column, within_view);
        if column.is_empty() || answers.is_empty() || answers.iter().any(judged) {
            return Ok(());
        }
        Err(judged::changed())
    }

    /// The SQL of the question that is compiled next. What it calls without naming it stands in a view, or in the expression
    /// of a column, about which SQLite asks without saying whose it is.
    pub(super) fn tell_question(&self, connection: &rusqlite::Connection, sql: &str) {
        self.calculating.get_or_init(|| {
            let found = calculating(connection);
            found.unwrap_or_else(|error| {
                tracing::warn!(%error, "the functions of computed columns are not known");
                HashSet::new()
            })
        });
        let told = Some(sql.to_lowercase());
        *self.question.lock().unwrap_or_else(PoisonError::into_inner) = told;
    }

    /// True for a function that the owner's views and columns may call for a question whose own SQL does not hold its name.
    fn calculates_for_owner(&self, function: &str) -> bool {
        let question = self.question.lock().unwrap_or_else(PoisonError::into_inner);
        let is_owners = question.as_ref().is_some_and(|sql| !sql.contains(function));
        let known = || {
            self.calculating
                .get()
                .is_some_and(|known| known.contains(function))
        };
        is_owners
            && (known() || MOMENTS.contains(&function))
            && !function_reaches_out(function, Dialect::Sqlite)
    }

    /// Whether a statement that was compiled since the last call reads itself.
    pub(super) fn take_recursive(&self) -> bool {
        self.recursive.swap(false, Relaxed)
    }

    /// Whether a statement may do this.
    fn allows(&self, context: &Context<'_>) -> bool {
        let mode = self.mode.load(Relaxed);
        if context.action == Action::Recursive {
            self.recursive.store(true, Relaxed);
        }
        let verdict = if mode == Mode::Internal as u8 {
            self.note_read(context);
            Ok(())
        } else if mode == Mode::Client as u8 {
            self.client(context)
        } else {
            self.question(context, mode)
        };
        match verdict {
            Ok(()) => true,
            Err(error) => {
                self.denied
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .get_or_insert(error);
                false
            }
        }
    }

    fn client(&self, context: &Context<'_>) -> Result<(), BackendError> {
        if !is_of_own_rows(context) {
            self.beyond_own_rows.store(true, Relaxed);
        }
        if context.database_name.is_some_and(is_catalog) && changes(&context.action) {
            return Err(denied(
                "permission denied: the system catalogue cannot be changed",
            ));
        }
        match context.action {
            Action::Read { table_name, .. }
                if context.database_name == Some("information_schema")
                    && !self.information_schema.load(Relaxed) =>
            {
                Err(BackendError::new("42P01", format!("no such table: {table_name}")))
            }
            // VACUUM attaches a nameless file of its own for the copy.
            Action::Attach { filename: "" } => Ok(()),
            Action::Attach { .. } if !self.attach => Err(denied(
                "permission denied: ATTACH and VACUUM INTO are switched off",
            )
            .with_hint("The owner of this proxy can allow them with sqlite.attach = true.")),
            Action::Detach { database_name } if is_catalog(database_name) => Err(denied(
                "permission denied: the system catalogue cannot be detached",
            )),
            Action::Detach { database_name } if !self.attach && !database_name.starts_with("vacuum_") => {
                Err(denied("permission denied: DETACH is switched off")
                    .with_hint("The owner of this proxy can allow it with sqlite.attach = true."))
            }
            Action::CreateVtable { module_name } if module_name == catalog::MODULE => {
                Err(denied("permission denied: the system catalogue is there already"))
            }
            Action::Function { function_name } => function(function_name),
            Action::Pragma {
                pragma_name,
                pragma_value,
            } => {
                self.check_asked(pragma_name, pragma_value)?;
                pragmas::check(pragma_name, pragma_value, self.journal_mode)
            }
            Action::Unknown { code } => Err(denied(format!("permission denied: unknown operation {code}"))),
            _ => Ok(()),
        }
    }

    /// A question reads and does nothing else. What the client's own SQL around it calls and reads is the client's affair.
    fn question(&self, context: &Context<'_>, mode: u8) -> Result<(), BackendError> {
        let of_question_alone = mode != Mode::Embedded as u8;
        match context.action {
            Action::Recursive if mode == Mode::Question as u8 => {
                Err(denied("permission denied: a question cannot read itself"))
            }
            Action::Select
            | Action::Recursive
            // The full-text tables read these by themselves.
            | Action::Pragma {
                pragma_name: "data_version" | "page_size",
                pragma_value: None,
            } => Ok(()),
            Action::Read {
                table_name,
                column_name,
            } => {
                let forbidden = table_is_forbidden(table_name, Dialect::Sqlite)
                    // Of a table without a column that is read, SQLite tells the database only where the text has it.
                    || context
                        .database_name
                        .map_or_else(|| catalog::is_relation(table_name), is_catalog);
                // Questions know one file; the access policy speaks of no other.
                let elsewhere = context
                    .database_name
                    .is_some_and(|name| !OWN.iter().any(|own| own.eq_ignore_ascii_case(name)));
                if of_question_alone && (forbidden || elsewhere) {
                    return Err(denied(format!(
                        "permission denied: a question cannot read {table_name}"
                    )));
                }
                if of_question_alone {
                    self.check_judged(table_name, column_name, context.accessor.is_some())?;
                }
                Ok(())
            }
            Action::Function { function_name } => {
                function(function_name)?;
                let name = function_name.to_ascii_lowercase();
                // A view or a column of the owner's may call more; but a common table expression has an accessor too, so that it may
                // not call just anything. Operators are functions without a word.
                let is_word = function_name.starts_with(|first: char| first.is_ascii_alphabetic());
                let allowed = !of_question_alone
                    || !is_word
                    || function_is_listed(&name, Dialect::Sqlite)
                    || (context.accessor.is_some() && !function_is_forbidden(&name, Dialect::Sqlite))
                    || self.calculates_for_owner(&name);
                if allowed {
                    return Ok(());
                }
                Err(denied(format!(
                    "permission denied: a question cannot use the function {function_name}"
                )))
            }
            _ => Err(denied("permission denied: a question can only read")
                .with_hint("Write the statement yourself in SQL if the database should change.")),
        }
    }
}

/// The databases that a question may read.
const OWN: [&str; 3] = ["public", "main", "temp"];

/// Fails for a text that names a table no question may read. The authorizer is not asked about the columns that NATURAL
/// and USING join by.
pub(super) fn check_names(sql: &str) -> Result<(), BackendError> {
    // SQLite takes a text in single quotes for a name where it needs one.
    let mut names = sqlite_lexer::tokens(sql).map(|(_, token)| sqlite_lexer::unquote(token));
    match names.find(|name| table_is_forbidden(name, Dialect::Sqlite)) {
        Some(name) => Err(denied(format!(
            "permission denied: a question cannot read {name}"
        ))),
        None => Ok(()),
    }
}

fn function(name: &str) -> Result<(), BackendError> {
    if FORBIDDEN_FUNCTIONS
        .iter()
        .any(|forbidden| forbidden.eq_ignore_ascii_case(name))
    {
        return Err(denied(format!("permission denied for function {name}"))
            .with_hint("This function reaches out of the database."));
    }
    Ok(())
}

fn is_catalog(database: &str) -> bool {
    // Of a table without a column that is read, SQLite tells the name as the text has it.
    ["pg_catalog", "information_schema"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(database))
}

/// True for what reads, and for what writes rows of a temporary table.
fn is_of_own_rows(context: &Context<'_>) -> bool {
    match context.action {
        Action::Rows { table_name } => {
            context.database_name == Some("temp") && !table_name.starts_with("sqlite_")
        }
        Action::Pragma { .. } => false,
        ref other => !changes(other),
    }
}

fn changes(action: &Action<'_>) -> bool {
    !matches!(
        action,
        Action::Select
            | Action::Read { .. }
            | Action::Function { .. }
            | Action::Recursive
            | Action::Pragma { .. }
            | Action::Transaction
    )
}

fn denied(message: impl Into<String>) -> BackendError {
    BackendError::new("42501", message)
}

#[cfg(test)]
mod tests;
