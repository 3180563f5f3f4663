//! Queries that write: WITH in front of INSERT, UPDATE and DELETE, these inside of WITH, and SELECT INTO.

use sqlparser::ast::{Cte, Expr, Query, SetExpr, Statement, TableObject, With};

use super::{
    PrecedingStatement, Result, ResultColumns, Stop, Translator, Ty, WriteKind,
    changed::{Changed, Written},
    dml,
    query::names_of,
    refuse_with, rows_of_step,
    scope::{Relation, ScopeColumn},
    sql::{Named, Sql, listed, sql},
    unsupported, with_order,
};
use crate::statement::sqlite_lexer;

/// What the client writes as one statement and SQLite runs as several.
type Whole = (Sql, ResultColumns);

impl Translator<'_> {
    /// A query that is a statement of its own.
    pub(super) fn whole_query(&mut self, query: &Query) -> Result<Whole> {
        if let SetExpr::Select(select) = &*query.body
            && let Some(into) = &select.into
        {
            let (schema, name) = match into.targets.as_slice() {
                [Expr::Identifier(name)] => (None, super::folded(name)),
                [Expr::CompoundIdentifier(names)] => match names.as_slice() {
                    [schema, name] => {
                        let name = super::folded(name);
                        (Some(self.schema_of(super::folded(schema), &name)), name)
                    }
                    _ => return Err(Stop::AsItStands),
                },
                _ => return Err(Stop::AsItStands),
            };
            let place = match schema.as_deref() {
                _ if into.temporary => "temp",
                None | Some("public") => "main",
                Some(schema) => schema,
            };
            let mut plain = query.clone();
            let mut select = select.clone();
            select.into = None;
            *plain.body = SetExpr::Select(select);
            return Ok((sql![self.create_from_query(&plain, (place, &name), &[])?], vec![]));
        }
        let writes = |cte: &Cte| is_write(&cte.query.body);
        match &query.with {
            Some(with) if with.cte_tables.iter().any(writes) => self.written(query, with),
            with if is_write(&query.body) => {
                let known = self.ctes.len();
                let head = match with {
                    Some(with) => self.with(with)?,
                    None => Sql::default(),
                };
                self.head.clone_from(&head);
                let done = self.write(&query.body)?;
                self.ctes.truncate(known);
                Ok((sql![head, done.0], done.1))
            }
            _ => self.top_query(query),
        }
    }

    fn write(&mut self, body: &SetExpr) -> Result<Whole> {
        match body {
            SetExpr::Insert(Statement::Insert(insert)) => self.insert(insert),
            SetExpr::Update(Statement::Update(update)) => self.update(update),
            SetExpr::Delete(Statement::Delete(delete)) => self.delete(delete),
            _ => unsupported("this statement in WITH", None),
        }
    }

    /// Each writing part runs before the rest, which reads the rows that it returned.
    fn written(&mut self, query: &Query, with: &With) -> Result<Whole> {
        if with.recursive {
            return unsupported("WITH RECURSIVE around a statement that writes", None);
        }
        with_order::check_names(&with.cte_tables, |name| self.at(name))?;
        let mut parts: Vec<Sql> = vec![];
        let bodies = with.cte_tables.iter().map(|cte| &*cte.query.body);
        let bodies = bodies.chain([&*query.body]).filter(|body| is_write(body));
        let targets: Vec<Written> = bodies.filter_map(|body| self.written_target(body)).collect();
        let changed = Changed::by(targets);
        // Tables that were written: what follows reads them as they were before, and does not write their rows again.
        let mut done: Vec<Written> = vec![];
        for cte in &with.cte_tables {
            self.changed = Some(Changed::by(done.clone()));
            if !is_write(&cte.query.body) {
                let part = self.read_once(with, cte, (&parts, &changed))?;
                parts.push(part);
                continue;
            }
            let name = super::folded(&cte.alias.name);
            self.read.clear();
            if cte.query.with.is_some() {
                return unsupported(
                    "WITH within WITH around a statement that writes",
                    self.at(&cte.alias.name),
                );
            }
            let scopes = self.scopes.len();
            self.head = head(&parts);
            let (sql, columns) = self.write(&cte.query.body)?;
            self.scopes.truncate(scopes);
            self.see_nothing_written(&done)?;
            done.extend(self.written_target(&cte.query.body));
            let returns = !columns.is_empty();
            let number = self.before.len();
            self.before.push(PrecedingStatement {
                sql: sql![head(&parts), sql].into(),
                rows: returns.then_some(number),
                key_sequence: self.key_sequence.take(),
            });
            if !returns {
                continue;
            }
            let columns: Vec<ScopeColumn> = columns
                .into_iter()
                .enumerate()
                .map(|(at, column)| {
                    let own = cte
                        .alias
                        .columns
                        .get(at)
                        .map_or(column.name, |own| super::folded(&own.name));
                    let ty = column.ty.unwrap_or(Ty::Dynamic);
                    ScopeColumn {
                        inner: own.clone(),
                        name: own,
                        computed: None,
                        ty,
                        exact: ty == Ty::Numeric,
                        scale: None,
                        modifier: column.modifier,
                        row: None,
                        origin: column.origin,
                        not_null: false,
                        key: 0,
                        shown: true,
                        hidden: false,
                        is_volatile: false,
                        by_values: column.ty.is_none(),
                        is_respelled: false,
                        is_foreign: false,
                        is_strict: false,
                    }
                })
                .collect();
            let rows = rows_of_step(number, columns.len());
            let inner = self.name_within(&name);
            parts.push(sql![Named(&inner), "(", names_of(&columns), ") AS (", rows, ")"]);
            self.ctes.push(Relation {
                name,
                inner,
                columns,
                ..Relation::default()
            });
        }
        self.read.clear();
        self.changed = Some(Changed::by(done.clone()));
        self.head = head(&parts);
        self.counted = None;
        let (sql, columns) = if is_write(&query.body) {
            self.write(&query.body)?
        } else {
            self.write = None;
            let mut rest = query.clone();
            rest.with = None;
            self.top_query(&rest)?
        };
        self.see_nothing_written(&done)?;
        let sql = sql![head(&parts), sql];
        if is_write(&query.body) && !columns.is_empty() {
            // All is done before the first row goes to the client.
            self.write = None;
            let number = self.before.len();
            self.before.push(PrecedingStatement {
                sql: sql.into(),
                rows: Some(number),
                key_sequence: self.key_sequence.take(),
            });
            return Ok((rows_of_step(number, columns.len()), columns));
        }
        Ok((sql, columns))
    }

    /// A query of WITH that does not write. Where it would give other rows later, a step keeps those that it gives now.
    fn read_once(&mut self, with: &With, cte: &Cte, (parts, changed): (&[Sql], &Changed)) -> Result<Sql> {
        let mut one = with.clone();
        one.cte_tables = vec![cte.clone()];
        let is_volatile = std::mem::take(&mut self.is_volatile);
        let part = listed(self.with_parts(&one)?);
        let is_volatile = std::mem::replace(&mut self.is_volatile, is_volatile);
        let names = self.names;
        let read = self
            .read_by
            .last()
            .map_or(&[][..], |(_, tables)| tables.as_slice());
        let is_changed = read.iter().any(|table| changed.is_read(names, table));
        if !(is_volatile || is_changed) || !self.is_used(&cte.alias.name.value) {
            return Ok(part);
        }
        let Some(relation) = self.ctes.last() else {
            return Ok(part);
        };
        let name = Named(&relation.inner);
        let number = self.before.len();
        let all: Vec<Sql> = parts.iter().cloned().chain([part]).collect();
        self.before.push(PrecedingStatement {
            rows: Some(number),
            ..PrecedingStatement::new(sql![head(&all), "SELECT * FROM ", name])
        });
        if let Some((_, tables)) = self.read_by.last_mut() {
            tables.clear();
        }
        let rows = rows_of_step(number, relation.columns.len());
        Ok(sql![name, "(", names_of(&relation.columns), ") AS (", rows, ")"])
    }

    /// True where a name stands elsewhere than where it is given: PostgreSQL leaves out what nobody reads.
    fn is_used(&self, name: &str) -> bool {
        let words = sqlite_lexer::of_client(self.text).map(sqlite_lexer::unquote);
        words.filter(|word| word.eq_ignore_ascii_case(name)).count() > 1
    }

    fn see_nothing_written(&self, done: &[Written]) -> Result<()> {
        let changed = Changed::by(done.to_vec());
        match self.read.iter().find(|read| changed.is_read(self.names, read)) {
            None => Ok(()),
            Some(table) => refuse_with(
                "0A000",
                format!(
                    "WITH around a statement that writes \"{table}\", which is written again, is not supported on a SQLite \
                     file"
                ),
                "Write in a statement of its own.",
            ),
        }
    }
}

fn is_write(body: &SetExpr) -> bool {
    matches!(
        body,
        SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_)
    )
}

fn head(parts: &[Sql]) -> Sql {
    if parts.is_empty() {
        Sql::default()
    } else {
        sql!["WITH ", listed(parts), " "]
    }
}

impl Translator<'_> {
    /// The table that a statement writes.
    fn written_target(&self, body: &SetExpr) -> Option<Written> {
        let (found, kind) = match body {
            SetExpr::Insert(Statement::Insert(insert)) => match &insert.table {
                TableObject::TableName(name) => (self.split(name), dml::kind_of(insert)),
                _ => return None,
            },
            SetExpr::Update(Statement::Update(update)) => (self.target(&update.table), WriteKind::Update),
            SetExpr::Delete(Statement::Delete(delete)) => match &delete.from {
                sqlparser::ast::FromTable::WithFromKeyword(from)
                | sqlparser::ast::FromTable::WithoutKeyword(from) => {
                    (self.target(from.first()?), WriteKind::Delete)
                }
            },
            _ => return None,
        };
        let (schema, table) = found.ok()?;
        Some(Written::new(schema.as_deref(), &table, kind))
    }
}
