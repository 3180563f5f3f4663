//! Compiles a client's statement without running it.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use super::{
    Generated, Prepared, alter, binding, catalog_model, described,
    errors::{self, at_original},
    guard::Mode,
    infer::{self, Inferred},
    kept, read_only,
    session::Session,
    translation::Translation,
    types, unqualified, view_reads,
    watch::CancelFlag,
};
use crate::{
    backend::{BackendError, SqlType},
    sqlite::catalog,
    statement::{ParameterError, adjacent, check_parameters, sqlite_lexer},
};

/// Statements whose types are remembered per connection.
const REMEMBERED: usize = 256;

impl Session<'_> {
    /// Compiles a statement to see its columns and parameters.
    pub(super) fn prepare(
        &self,
        sql: &str,
        (declared, generated): (&[Option<SqlType>], &Generated),
        cancelled: &CancelFlag,
    ) -> Result<Prepared, BackendError> {
        if sqlite_lexer::is_empty(sql) {
            return Ok(Prepared::nothing());
        }
        check_parameters(sql).map_err(|error| impossible(&error))?;
        kept::check(sql)?;
        let is_new = self.has_done_nothing();
        let prepared = self.compile(sql, (declared, generated), cancelled);
        if is_new {
            self.forget_reading();
        }
        prepared
    }

    fn compile(
        &self,
        sql: &str,
        (declared, generated): (&[Option<SqlType>], &Generated),
        cancelled: &CancelFlag,
    ) -> Result<Prepared, BackendError> {
        let limit = self.limit(Mode::Client);
        if !self.is_untranslated(sql) {
            if alter::read(sql).is_some() {
                return Ok(alter::prepared());
            }
            self.with_catalog(sql, cancelled)?;
            let found = self.translation(sql, (declared, generated), cancelled, limit)?;
            match &*found.known {
                Translation::AsItStands => {}
                Translation::Refused(error) => return Err(error.clone()),
                Translation::Translated(translated) => {
                    return self.prepare_translated(sql, translated, cancelled, limit);
                }
            }
        }
        let whole = self.in_one(sql);
        let sql = whole.as_ref();
        let casts = types::parameter_casts(sql);
        let adapted = catalog::adapt(sql);
        let sql = adapted.sql.as_ref();
        self.with_catalog(sql, cancelled)?;
        let none_else = unqualified::check(&self.own.connection, sql);
        let few_views = none_else.and_then(|()| view_reads::check_read(self.own, sql));
        few_views.map_err(|error| errors::from_sqlite(&error, ""))?;
        let prepared = self.watched(self.own, Mode::Client, cancelled, (limit, limit), sql, || {
            let connection = &self.own.connection;
            let mut statement = connection.prepare(sql)?;
            if *generated != Generated::All && statement.readonly() && !self.is_untranslated(sql) {
                read_only::check_understood(&statement, sql)?;
            }
            let parameters = binding::highest(&statement);
            let inferred = self.infer(sql, declared);
            let described = described::columns(connection, &statement, sql);
            let mut told = types::of_statement(&described, &inferred);
            let before = told.clone();
            let read_only = statement.readonly();
            if read_only && parameters == 0 && told.iter().any(Option::is_none) {
                types::look_at_rows(&mut statement, &mut told, &self.worker.watch);
            }
            let mut columns = types::columns(&described, &told);
            types::note_guesses(&mut columns, &before);
            Ok(Prepared {
                columns,
                parameter_types: (1..=parameters)
                    .map(|number| {
                        let cast = casts.get(&number).copied();
                        let declared = declared.get(number - 1).copied().flatten();
                        declared
                            .or(cast)
                            .or_else(|| inferred.parameters.get(&number).copied())
                    })
                    .collect(),
                parameters,
                read_only,
                strict: false,
            })
        });
        prepared.map_err(|error| at_original(error, &adapted))
    }
}

impl Session<'_> {
    /// What the text, the schema and the declared parameters tell. Remembered where there are none of these,
    /// since a statement is prepared first and then run.
    pub(super) fn infer(&self, sql: &str, declared: &[Option<SqlType>]) -> Arc<Inferred> {
        let database = &self.worker.database;
        let settled = self.own.connection.is_autocommit();
        let Some(snapshot) = catalog_model::snapshot_for(database, sql, settled) else {
            return Arc::default();
        };
        let infer = || Inferred {
            schema: Some(Arc::clone(&snapshot.schema)),
            ..infer::infer(sql, &snapshot.schema, declared)
        };
        if declared.iter().any(Option::is_some) {
            return Arc::new(infer());
        }
        let mut remembered = self.inferred.borrow_mut();
        if remembered.0 != snapshot.fingerprint || remembered.1.len() >= REMEMBERED {
            *remembered = (snapshot.fingerprint, HashMap::new());
        }
        if let Some(inferred) = remembered.1.get(sql) {
            return Arc::clone(inferred);
        }
        let inferred = Arc::new(infer());
        remembered.1.insert(sql.to_owned(), Arc::clone(&inferred));
        inferred
    }

    /// A client's text with its strings in one piece each, unless it is SQLite's own.
    pub(super) fn in_one<'s>(&self, sql: &'s str) -> Cow<'s, str> {
        if self.is_untranslated(sql) {
            Cow::Borrowed(sql)
        } else {
            adjacent::joined(sql)
        }
    }
}

fn impossible(error: &ParameterError<'_>) -> BackendError {
    match error {
        ParameterError::Missing(number) => {
            BackendError::new("42P02", format!("there is no parameter ${number}"))
        }
        ParameterError::Untyped(number) => BackendError::new(
            "42P18",
            format!("could not determine data type of parameter ${number}"),
        ),
    }
    .with_hint("Number parameters from $1 on, without gaps.")
}
