//! The tables and views as a connection sees them, for translation: what is declared, and what their text and values tell.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
};

use rusqlite::Connection;

use super::{
    answers::Hidden, catalog_model, definition, lossy, sampling, steps, unqualified, view_reads, view_types,
};
use crate::{
    backend::SqlType,
    question::schema::{Column, Snapshot, Spelling},
    sqlite::{
        catalog, decltype,
        functions::sequence,
        translate::{HandedOn, Identity, NamedColumn, Names, Object, Origin, SequenceName, is_volatile},
    },
    statement::sqlite_lexer::{self, Piece},
};

/// The columns of relations that were looked for, by schema and name; `None` for what is none.
pub(super) type Relations = HashMap<(Option<String>, String), Option<Vec<NamedColumn>>>;

/// The numbers of tables and views in the catalogue, by schema and name in lower case, once they were asked for.
pub(super) type Numbers = Option<HashMap<(String, String), u32>>;

/// The tables and views as a connection sees them.
pub(super) struct Schema<'c> {
    pub(super) connection: &'c Connection,
    /// What the stored values say of the columns.
    pub(super) snapshot: &'c dyn Fn() -> Option<Snapshot>,
    pub(super) relations: RefCell<&'c mut Relations>,
    pub(super) numbers: RefCell<&'c mut Numbers>,
    /// The answers that stand in the statement.
    pub(super) answers: Option<&'c Hidden<'c>>,
    pub(super) failed: Cell<bool>,
}

/// Works with the tables and views of a connection by what is declared of them.
pub(super) fn with_names<T>(connection: &Connection, work: impl FnOnce(&dyn Names) -> T) -> T {
    work(&Schema {
        connection,
        snapshot: &|| None,
        relations: RefCell::new(&mut Relations::default()),
        numbers: RefCell::new(&mut None),
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
        // The session's own tables come before the catalogue, and the catalogue before the file.
        let is_own = schema.is_none() && catalog::is_relation(name) && self.is_temporary(name);
        let found = if is_own { None } else { in_catalog(schema, name) };
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

    fn database(&self) -> String {
        let path = self.connection.path().map(std::path::Path::new);
        let stem = path.and_then(std::path::Path::file_stem);
        stem.unwrap_or_default().to_string_lossy().into_owned()
    }

    fn has_schema(&self, name: &str) -> bool {
        self.is_listed("pg_catalog.pragma_database_list", name)
    }

    fn answer(&self, name: &str) -> Option<String> {
        self.answers?.query(name)
    }

    fn is_temporary(&self, name: &str) -> bool {
        self.is_listed("temp.sqlite_schema", name)
    }

    fn is_catalogued(&self, name: &str) -> bool {
        catalog::is_relation(name)
    }

    fn is_attached_alone(&self, name: &str) -> bool {
        let found = unqualified::is_attached_alone(self.connection, name);
        self.failed.set(self.failed.get() || found.is_err());
        found.unwrap_or_default()
    }

    fn sequence(&self, schema: Option<&str>, name: &str) -> Option<String> {
        let attached = schema.filter(|schema| !matches!(*schema, "public" | "main" | "temp" | "pg_temp"));
        let state = match attached {
            Some(schema) => sequence::state_attached(self.connection, schema, name),
            None => sequence::state(self.connection, &SequenceName::of(name, schema)),
        };
        state.unwrap_or_else(|_| {
            self.failed.set(true);
            None
        })
    }

    fn keeps_sequence(&self, home: &str, name: &str) -> bool {
        let kept = sequence::home(self.connection, &SequenceName::of(name, Some(home)));
        self.failed.set(self.failed.get() || kept.is_err());
        kept.is_ok_and(|kept| kept.is_some())
    }

    fn objects(&self, schema: &str) -> Vec<Object> {
        let found = steps::objects(self.connection, schema);
        self.failed.set(self.failed.get() || found.is_err());
        found.unwrap_or_default()
    }

    fn keys(&self, schema: Option<&str>, name: &str) -> Vec<Vec<String>> {
        let found = definition::unique(self.connection, schema, name);
        self.failed.set(self.failed.get() || found.is_err());
        found.unwrap_or_default()
    }

    fn handed_on(&self, schema: Option<&str>, name: &str) -> Vec<HandedOn> {
        let found = definition::handed_on(self.connection, self.home(schema, name), name);
        self.failed.set(self.failed.get() || found.is_err());
        found.unwrap_or_default()
    }

    fn acts_on_itself(&self, schema: Option<&str>, name: &str) -> bool {
        let found = definition::acts_on_itself(self.connection, self.home(schema, name), name);
        self.failed.set(self.failed.get() || found.is_err());
        found.unwrap_or_default()
    }

    fn numbers_rows(&self, schema: Option<&str>, name: &str) -> bool {
        let found = definition::numbers_rows(self.connection, schema, name);
        self.failed.set(self.failed.get() || found.is_err());
        found.unwrap_or_default()
    }

    fn resolves_conflicts(&self, schema: Option<&str>, name: &str) -> bool {
        let found = definition::resolves_conflicts(self.connection, schema, name);
        self.failed.set(self.failed.get() || found.is_err());
        found.unwrap_or_default()
    }

    fn has_function(&self, name: &str) -> bool {
        // Some modules are made where they are named first.
        let sql = "SELECT lower(?1) LIKE 'pragma_%' OR lower(?1) LIKE 'json%_tree' OR lower(?1) LIKE 'json%_each' \
                   OR EXISTS (SELECT 1 FROM pg_catalog.pragma_function_list WHERE name = lower(?1)) \
                   OR EXISTS (SELECT 1 FROM pg_catalog.pragma_module_list WHERE name = ?1 COLLATE NOCASE)";
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
fn in_catalog(schema: Option<&str>, name: &str) -> Option<Vec<NamedColumn>> {
    if schema.is_none() && !catalog::is_relation(name) {
        return None;
    }
    let columns = catalog::columns(schema.unwrap_or("pg_catalog"), name)?;
    let table = catalog::relation_number(schema.unwrap_or("pg_catalog"), name);
    let named = (1..)
        .zip(columns)
        .map(move |(column, (name, ty, not_null))| NamedColumn {
            origin: (table != 0).then_some(Origin { table, column }),
            name: name.to_owned(),
            declared: format!("pg_catalog.{ty}"),
            not_null,
            key: usize::from(name == "oid"),
            generated: true,
            ..NamedColumn::default()
        });
    Some(named.collect())
}

impl Schema<'_> {
    /// The schema, as SQLite calls it, whose table is meant.
    fn home<'s>(&self, schema: Option<&'s str>, name: &str) -> &'s str {
        match schema {
            None if self.is_temporary(name) => "temp",
            None | Some("public") => "main",
            Some(schema) => schema,
        }
    }

    /// True for a name that one of SQLite's lists has.
    fn is_listed(&self, list: &str, name: &str) -> bool {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {list} WHERE name = ?1 COLLATE NOCASE)");
        let found = self.connection.prepare_cached(&sql);
        let found = found.and_then(|mut statement| statement.query_row([name], |row| row.get(0)));
        found.unwrap_or_else(|_| {
            self.failed.set(true);
            false
        })
    }

    fn columns(&self, schema: Option<&str>, name: &str) -> rusqlite::Result<Vec<NamedColumn>> {
        let sql = match schema {
            None => {
                "SELECT name, type, \"notnull\", pk, hidden, dflt_value FROM pg_catalog.pragma_table_xinfo(?1)"
            }
            Some(_) => {
                "SELECT name, type, \"notnull\", pk, hidden, dflt_value FROM pg_catalog.pragma_table_xinfo(?1, ?2)"
            }
        };
        if schema.is_none() && !self.means_something(name)? {
            return Ok(vec![]);
        }
        // SQLite looks at all that a view is made of to tell its columns.
        view_reads::check_view(self.connection, name)?;
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &rusqlite::Row<'_>| {
            let declared = lossy::text(row, 1)?;
            let key: usize = row.get::<_, i64>(3)?.try_into().unwrap_or(0);
            let default = lossy::some_text(row, 5)?;
            Ok(NamedColumn {
                // What cannot be written in a statement cannot be translated.
                name: row.get(0)?,
                not_null: row.get::<_, i64>(2)? != 0 || (key > 0 && declared.eq_ignore_ascii_case("integer")),
                declared,
                key,
                always: default.as_deref().and_then(Identity::of) == Some(Identity::Always),
                default,
                generated: row.get::<_, i64>(4)? >= 2,
                hidden: row.get::<_, i64>(4)? == 1,
                ..NamedColumn::default()
            })
        };
        let columns = match schema {
            None => statement.query_map([name], read),
            Some(schema) => statement.query_map([name, schema], read),
        };
        let mut columns: Vec<NamedColumn> = columns?.collect::<rusqlite::Result<_>>()?;
        if let Some(table) = self.number(schema, name)? {
            for (column, named) in (1..).zip(&mut columns) {
                named.origin = Some(Origin { table, column });
            }
        }
        let declared = columns.iter_mut().map(|column| &mut column.declared);
        view_types::correct(self.connection, (schema, name), declared)?;
        self.tell_view(schema, name, &mut columns)?;
        if self.is_volatile(schema, name)? {
            for column in &mut columns {
                column.is_volatile = true;
            }
        }
        self.narrow(schema, name, &mut columns)?;
        match schema {
            None if self.is_temporary(name) => self.correct("temp", name, &mut columns),
            None => self.correct("main", name, &mut columns),
            Some(own @ ("main" | "temp")) => self.correct(own, name, &mut columns),
            Some(attached) => self.respell(attached, name, &mut columns),
        }
        Ok(columns)
    }

    /// The number of a table or view in the catalogue; where no schema is named, of the one that SQLite finds first.
    fn number(&self, schema: Option<&str>, name: &str) -> rusqlite::Result<Option<u32>> {
        let mut numbers = self.numbers.borrow_mut();
        if numbers.is_none() {
            **numbers = Some(catalog_model::table_numbers(self.connection)?);
        }
        let found = numbers.iter().flatten().filter(|(place, _)| {
            place.1 == name.to_lowercase()
                && schema.is_none_or(|schema| {
                    let own = |schema: &str| matches!(schema, "main" | "public");
                    place.0.eq_ignore_ascii_case(schema) || (own(schema) && own(&place.0))
                })
        });
        let first = found.min_by_key(|(place, _)| match place.0.as_str() {
            "temp" => 0,
            "main" | "public" => 1,
            _ => 2,
        });
        Ok(first.map(|(_, number)| *number))
    }

    /// What was kept of the types of a view's columns.
    fn tell_view(
        &self,
        schema: Option<&str>,
        name: &str,
        columns: &mut [NamedColumn],
    ) -> rusqlite::Result<()> {
        let place = schema.or_else(|| self.is_temporary(name).then_some("temp"));
        let within = place.map_or_else(String::new, |place| sqlite_lexer::quote(place) + ".");
        let sql = format!(
            "SELECT sql FROM {within}sqlite_schema WHERE type = 'view' AND name = ?1 COLLATE NOCASE AND sql LIKE '% */%) AS %'"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([name])?;
        if let Some(row) = rows.next()? {
            let sql = lossy::text(row, 0)?;
            for column in columns {
                if let Some(ty) = decltype::in_view(&sql, &column.name) {
                    ty.clone_into(&mut column.declared);
                }
            }
        }
        Ok(())
    }

    /// True for a view that calls what gives another value each time, or reads such a one.
    fn is_volatile(&self, schema: Option<&str>, name: &str) -> rusqlite::Result<bool> {
        let of = |schema: &str, condition: &str| {
            format!(
                "SELECT name, sql FROM {}.sqlite_schema WHERE type = 'view'{condition}",
                sqlite_lexer::quote(schema)
            )
        };
        let all = |condition: &str| {
            schema.map_or_else(
                || format!("{} UNION ALL {}", of("temp", condition), of("main", condition)),
                |schema| of(schema, condition),
            )
        };
        let read = |row: &rusqlite::Row<'_>| Ok((lossy::text(row, 0)?, lossy::text(row, 1)?.to_lowercase()));
        let one = all(" AND name = ?1 COLLATE NOCASE");
        let mut statement = self.connection.prepare_cached(&one)?;
        let mut open: Vec<(String, String)> = statement
            .query_map([name], read)?
            .collect::<rusqlite::Result<_>>()?;
        if open.is_empty() {
            return Ok(false);
        }
        let mut statement = self.connection.prepare_cached(&all(""))?;
        let mut views: HashMap<String, String> = statement
            .query_map([], read)?
            .map(|view| view.map(|(name, sql)| (name.to_lowercase(), sql)))
            .collect::<rusqlite::Result<_>>()?;
        while let Some((_, sql)) = open.pop() {
            if is_volatile(&sql) {
                return Ok(true);
            }
            for (_, piece) in sqlite_lexer::pieces(&sql) {
                if let Piece::Token(token) = piece {
                    open.extend(views.remove_entry(&sqlite_lexer::unquote(token)));
                }
            }
        }
        Ok(false)
    }

    /// A key that is the rowid has to be an INTEGER; what PostgreSQL has it be is kept beside that word.
    fn narrow(&self, schema: Option<&str>, table: &str, columns: &mut [NamedColumn]) -> rusqlite::Result<()> {
        let mut keys = columns.iter_mut().filter(|column| column.key > 0);
        let (Some(key), None) = (keys.next(), keys.next()) else {
            return Ok(());
        };
        if !key.declared.eq_ignore_ascii_case("integer") {
            return Ok(());
        }
        key.is_rowid = true;
        if let Some(sql) = definition::first_text(self.connection, schema, table)? {
            if let Some(narrow) = decltype::narrowed_key(&sql, &key.name) {
                narrow.name().clone_into(&mut key.declared);
            }
            key.always = decltype::is_always(&sql, &key.name);
        }
        Ok(())
    }

    /// False for a table of `information_schema` or of an attached file alone: SQLite looks everywhere.
    fn means_something(&self, name: &str) -> rusqlite::Result<bool> {
        if unqualified::is_attached_alone(self.connection, name)? {
            return Ok(false);
        }
        if catalog::columns("information_schema", name).is_none() {
            return Ok(true);
        }
        let schemas = (0..).map_while(|at| self.connection.db_name(at).ok());
        for schema in schemas.filter(|schema| schema != "information_schema") {
            let sql = format!(
                "SELECT 1 FROM {}.sqlite_schema WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE",
                sqlite_lexer::quote(&schema)
            );
            if self.connection.prepare_cached(&sql)?.exists([name])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Columns whose values do not fit what is declared are told, and taken, as what they hold; those that other programs
    /// spell in ways of their own are noted.
    fn correct(&self, schema: &str, table: &str, columns: &mut [NamedColumn]) {
        let made = definition::text(self.connection, schema, table).unwrap_or_default();
        let doubtful = doubtful(made.as_deref().unwrap_or_default(), columns);
        if doubtful.is_empty() {
            return;
        }
        let snapshot = (self.snapshot)();
        let known = snapshot.as_ref().and_then(|snapshot| {
            let schema = &snapshot.schema;
            schema.table_named(table).map(|at| &schema.tables[at])
        });
        let find = |named: &NamedColumn| {
            let column = known.and_then(|table| Some(&table.columns[table.column_named(&named.name)?]));
            column.filter(|column| column.declared_type == named.declared)
        };
        // Another program may have made it just now, before a statement whose locks let nobody else look.
        let looked_at = match &made {
            Some(made) if doubtful.iter().any(|named| find(named).is_none()) => {
                self.look((schema, table, made), &doubtful)
            }
            _ => vec![],
        };
        for (at, named) in doubtful.into_iter().enumerate() {
            named.is_foreign = made.is_some();
            let Some(column) = looked_at.get(at).or_else(|| find(named)) else {
                continue;
            };
            named.is_respelled = column.spelling == Spelling::Otherwise;
            match decltype::held(column) {
                // Texts among values of other types: any may come.
                Some(SqlType::Text) if column.spelling == Spelling::Foreign => named.declared.clear(),
                Some(held) => held.name().clone_into(&mut named.declared),
                None => {}
            }
        }
    }

    /// The same in an attached file, whose columns are what is declared.
    fn respell(&self, schema: &str, table: &str, columns: &mut [NamedColumn]) {
        let Ok(Some(made)) = definition::text(self.connection, schema, table) else {
            return;
        };
        let doubtful = doubtful(&made, columns);
        let looked_at = self.look((schema, table, &made), &doubtful);
        for (named, column) in doubtful.into_iter().zip(looked_at) {
            named.is_foreign = true;
            named.is_respelled = column.spelling != Spelling::Kept;
        }
    }

    /// What the values of columns tell by themselves.
    fn look(&self, table: (&str, &str, &str), columns: &[&mut NamedColumn]) -> Vec<Column> {
        let asked = columns.iter().map(|column| (&*column.name, &*column.declared));
        sampling::columns(self.connection, table, asked)
    }
}

/// The columns whose values are not known to be what is declared: Querent lets nothing else into those that it made.
fn doubtful<'c>(made: &str, columns: &'c mut [NamedColumn]) -> Vec<&'c mut NamedColumn> {
    let checked = decltype::checked(made);
    let is_doubtful = |column: &&mut NamedColumn| {
        let told = decltype::sql_type(&column.declared);
        let is_text = told.is_some_and(SqlType::takes_any_text);
        !is_text && !column.is_rowid && !checked.contains(&column.name)
    };
    columns.iter_mut().filter(is_doubtful).collect()
}
