//! Queries that write: WITH in front of INSERT, UPDATE and DELETE, these inside of WITH, and SELECT INTO.

use sqlparser::ast::{Cte, Expr, Query, SetExpr, Statement, TableObject, With};

use super::{
    PrecedingStatement, Result, ResultColumns, Stop, Translator, Ty, dml, quoted, refuse_with, rows_of_step,
    scope::{Relation, ScopeColumn},
    unsupported,
};

/// What the client writes as one statement and SQLite runs as several.
type Whole = (String, ResultColumns);

impl Translator<'_> {
    /// A query that is a statement of its own.
    pub(super) fn whole_query(&mut self, query: &Query) -> Result<Whole> {
        if let SetExpr::Select(select) = &*query.body
            && let Some(into) = &select.into
        {
            let name = match into.targets.as_slice() {
                [Expr::Identifier(name)] => quoted(&super::folded(name)),
                [Expr::CompoundIdentifier(names)] => match names.as_slice() {
                    [schema, name] => {
                        let name = super::folded(name);
                        dml::qualified(Some(&self.schema_of(super::folded(schema), &name)), &name)
                    }
                    _ => return Err(Stop::AsItStands),
                },
                _ => return Err(Stop::AsItStands),
            };
            let name = if into.temporary {
                format!("\"temp\".{name}")
            } else {
                name
            };
            let mut plain = query.clone();
            let mut select = select.clone();
            select.into = None;
            *plain.body = SetExpr::Select(select);
            return Ok((self.create_from_query(&plain, &name, &[])?, vec![]));
        }
        let writes = |cte: &Cte| is_write(&cte.query.body);
        match &query.with {
            Some(with) if with.cte_tables.iter().any(writes) => self.written(query, with),
            with if is_write(&query.body) => {
                let known = self.ctes.len();
                let head = match with {
                    Some(with) => self.with(with)?,
                    None => String::new(),
                };
                self.head.clone_from(&head);
                let done = self.write(&query.body)?;
                self.ctes.truncate(known);
                Ok((format!("{head}{}", done.0), done.1))
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
        let mut parts: Vec<String> = vec![];
        // Tables that were written: what follows would see it, and PostgreSQL would not let it.
        let mut tables: Vec<String> = vec![];
        for cte in &with.cte_tables {
            if !is_write(&cte.query.body) {
                let mut one = with.clone();
                one.cte_tables = vec![cte.clone()];
                let sql = self.with(&one)?;
                parts.push(sql.trim_start_matches("WITH ").trim_end().to_owned());
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
            self.see_nothing_written(&tables)?;
            tables.push(self.written_table(&cte.query.body));
            let returns = !columns.is_empty();
            let number = self.before.len();
            self.before.push(PrecedingStatement {
                sql: format!("{}{sql}", head(&parts)),
                rows: returns.then_some(number),
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
                        origin: column.origin,
                        not_null: false,
                        key: 0,
                        shown: true,
                        hidden: false,
                    }
                })
                .collect();
            let names: Vec<String> = columns.iter().map(|column| quoted(&column.inner)).collect();
            parts.push(format!(
                "{}({}) AS ({})",
                quoted(&name),
                names.join(", "),
                rows_of_step(number, columns.len())
            ));
            self.ctes.push(Relation {
                name: name.clone(),
                inner: name,
                columns,
                is_table: false,
                is_scalar: false,
                definition: None,
            });
        }
        self.read.clear();
        self.head = head(&parts);
        let (sql, columns) = if is_write(&query.body) {
            self.write(&query.body)?
        } else {
            self.write = None;
            let mut rest = query.clone();
            rest.with = None;
            self.top_query(&rest)?
        };
        self.see_nothing_written(&tables)?;
        let sql = format!("{}{sql}", head(&parts));
        if is_write(&query.body) && !columns.is_empty() {
            // All is done before the first row goes to the client.
            self.write = None;
            let number = self.before.len();
            self.before.push(PrecedingStatement {
                sql,
                rows: Some(number),
            });
            return Ok((rows_of_step(number, columns.len()), columns));
        }
        Ok((sql, columns))
    }

    fn see_nothing_written(&self, tables: &[String]) -> Result<()> {
        match self
            .read
            .iter()
            .find(|read| tables.iter().any(|table| table.eq_ignore_ascii_case(read)))
        {
            None => Ok(()),
            Some(table) => refuse_with(
                "0A000",
                format!(
                    "WITH around a statement that writes \"{table}\", which is read again, is not supported on a SQLite file"
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

fn head(parts: &[String]) -> String {
    if parts.is_empty() {
        String::new()
    } else {
        format!("WITH {} ", parts.join(", "))
    }
}

impl Translator<'_> {
    /// The table that a statement writes.
    fn written_table(&self, body: &SetExpr) -> String {
        match body {
            SetExpr::Insert(Statement::Insert(insert)) => match &insert.table {
                TableObject::TableName(name) => self.split(name).map(|(_, table)| table).unwrap_or_default(),
                _ => String::new(),
            },
            SetExpr::Update(Statement::Update(update)) => self
                .target(&update.table)
                .map(|(_, table)| table)
                .unwrap_or_default(),
            SetExpr::Delete(Statement::Delete(delete)) => match &delete.from {
                sqlparser::ast::FromTable::WithFromKeyword(from)
                | sqlparser::ast::FromTable::WithoutKeyword(from) => from
                    .first()
                    .and_then(|table| self.target(table).ok())
                    .map(|(_, table)| table)
                    .unwrap_or_default(),
            },
            _ => String::new(),
        }
    }
}
