//! INSERT, UPDATE, DELETE and TRUNCATE.

use sqlparser::ast::{
    Delete, Expr, FromTable, Ident, Insert, ObjectName, OnConflictAction, OnInsert, SetExpr, TableFactor,
    TableObject, TableWithJoins, Update, UpdateTableFromKind,
};

use super::{
    Identity, KeySequence, NamedColumn, Overriding, Result, ResultColumns, Stop, Translator, Ty, Write,
    WriteKind,
    changed::{Changed, Written},
    declared,
    destination::{Destination, default_of},
    identity, quoted, refuse,
    scope::{Relation, Scope, Typed},
    sql::{Named, Sql, listed, sql},
    sql_expr::{bare, infix, query},
    unsupported,
};

type Statement = (Sql, ResultColumns);

impl Translator<'_> {
    pub(super) fn insert(&mut self, insert: &Insert) -> Result<Statement> {
        let TableObject::TableName(name) = &insert.table else {
            return Err(Stop::AsItStands);
        };
        if insert.or.is_some() || insert.replace_into || insert.ignore || !insert.assignments.is_empty() {
            return Err(Stop::AsItStands);
        }
        let (schema, table) = self.to_change(name)?;
        let columns = self.columns_of(schema.as_deref(), &table)?;
        let mut wanted: Vec<&NamedColumn> = vec![];
        for name in &insert.columns {
            let column = self.own_column(&columns, name, &table)?;
            if wanted.iter().any(|other| other.name == column.name) {
                let message = format!("column \"{}\" specified more than once", column.name);
                return refuse("42701", message, None);
            }
            wanted.push(column);
        }
        let all = wanted.is_empty();
        if all {
            wanted = columns.iter().filter(|column| !column.hidden).collect();
        }
        let key = columns.iter().find(|column| column.is_rowid);
        self.key_sequence = key.map(|key| KeySequence {
            schema: schema.clone(),
            table: table.clone(),
            sequence: format!("{table}_{}_seq", key.name),
            most: match declared::read(&key.declared).ty {
                Ty::Int2 => i16::MAX.into(),
                Ty::Int4 => i32::MAX.into(),
                _ => i64::MAX,
            },
        });
        let mut write = Write::to(schema.as_deref(), &table, WriteKind::Insert);
        let mut relation = Relation {
            source: Some((schema.clone().filter(|schema| schema != "public"), table.clone())),
            ..Relation::of_table(&table, &columns)
        };
        let mut sql = sql![self.verb("INSERT", schema.as_deref(), &table), " INTO "];
        sql.add(qualified(schema.as_deref(), &table));
        if let Some(alias) = &insert.table_alias {
            relation.name = super::folded(&alias.alias);
            relation.inner.clone_from(&relation.name);
            sql.add(sql![" AS ", Named(&relation.inner)]);
        }
        match &insert.source {
            None => sql.add(" DEFAULT VALUES"),
            Some(source) => {
                let mut source = source.clone();
                if let SetExpr::Values(values) = &mut *source.body {
                    let width = values.rows.first().map_or(0, |row| row.content.len());
                    if width > wanted.len() {
                        return refuse("42601", "INSERT has more expressions than target columns", None);
                    }
                    if width < wanted.len() && !all {
                        return refuse("42601", "INSERT has more target columns than expressions", None);
                    }
                    wanted.truncate(width);
                    if self.apart.overriding == Some(Overriding::User) {
                        for (at, _) in identities(&wanted) {
                            for row in &mut values.rows {
                                row.content[at] = Expr::Identifier(Ident::new("DEFAULT"));
                            }
                        }
                    }
                    let mut left_out: Vec<(usize, Typed)> = vec![];
                    // SQLite has no DEFAULT in VALUES; a column that is left out gets it too.
                    for at in (0..width).rev() {
                        let defaults = values
                            .rows
                            .iter()
                            .filter(|row| row.content.get(at).is_some_and(is_default))
                            .count();
                        let all_of_them = defaults == values.rows.len();
                        if wanted[at].generated && !all_of_them {
                            return identity::is_computed(wanted[at]);
                        }
                        // Rows without any column could not be told apart.
                        if all_of_them && (wanted.len() > 1 || values.rows.len() == 1) {
                            wanted.remove(at);
                            for (behind, _) in &mut left_out {
                                *behind -= 1;
                            }
                            for row in &mut values.rows {
                                row.content.remove(at);
                            }
                        } else if defaults > 0 {
                            left_out.push((at, default_of(wanted[at])));
                        }
                        let is_given = !all_of_them && wanted[at].always;
                        if is_given && self.apart.overriding.is_none() {
                            return identity::takes_none(wanted[at]);
                        }
                    }
                    if source.with.is_none() {
                        self.defaults = left_out;
                    }
                } else {
                    let mut identities = identities(&wanted);
                    if self.apart.overriding == Some(Overriding::User) && identities.next().is_some() {
                        return unsupported("OVERRIDING USER VALUE with a query", None);
                    }
                    let always = identities.find(|(_, column)| column.always);
                    if let Some((_, column)) = always.filter(|_| self.apart.overriding.is_none()) {
                        return identity::takes_none(column);
                    }
                }
                let targets: Vec<Destination> = wanted
                    .iter()
                    .map(|column| Destination::new(column, &table))
                    .collect();
                let is_default = |at: usize| self.defaults.iter().any(|(place, _)| *place == at);
                let mut given = wanted.iter().enumerate().filter(|(at, _)| !is_default(*at));
                if given.any(|(_, column)| column.is_rowid) {
                    self.key_sequence = None;
                }
                if wanted.is_empty() {
                    sql.add(" DEFAULT VALUES");
                } else {
                    let (text, found) = self.query_into(&source, &targets)?;
                    if found.len() > wanted.len() {
                        return refuse("42601", "INSERT has more expressions than target columns", None);
                    }
                    let mut filled = wanted[..found.len()].iter();
                    if let Some(column) = filled.find(|column| column.generated) {
                        return identity::is_computed(column);
                    }
                    let columns = wanted[..found.len()].iter();
                    write.columns = columns.map(|column| column.name.clone()).collect();
                    write.rows = Some(sql![&self.head, &text].into());
                    let names = listed(write.columns.iter().map(|column| Named(column)));
                    sql.add(sql![" (", names, ") "]);
                    let is_values = matches!(*source.body, SetExpr::Values(_));
                    if insert.on.is_some() && !is_values {
                        sql.add(sql!["SELECT * FROM (", text, ") WHERE 1"]);
                    } else {
                        sql.add(text);
                    }
                }
            }
        }
        self.scopes.push(Scope {
            relations: vec![relation.clone()],
            ..Scope::default()
        });
        match &insert.on {
            None => {}
            Some(OnInsert::OnConflict(conflict)) => {
                let own = (schema.as_deref(), table.as_str());
                sql.add(self.on_conflict(conflict, own, (&relation, &columns), &mut write)?);
            }
            Some(_) => return Err(Stop::AsItStands),
        }
        self.write = Some(write.once());
        let target = Written::new(schema.as_deref(), &table, kind_of(insert));
        let columns = self.returning(insert.returning.as_deref(), target, &mut sql)?;
        Ok((sql, columns))
    }

    pub(super) fn update(&mut self, update: &Update) -> Result<Statement> {
        if update.or.is_some() || !update.table.joins.is_empty() || update.limit.is_some() {
            return Err(Stop::AsItStands);
        }
        let (schema, table) = self.target(&update.table)?;
        let columns = self.columns_of(schema.as_deref(), &table)?;
        self.scopes.push(Scope::default());
        let head = self.joined_target(&update.table)?;
        let others = match &update.from {
            None => None,
            Some(UpdateTableFromKind::AfterSet(from)) => Some(self.from(from)?),
            Some(UpdateTableFromKind::BeforeSet(_)) => return Err(Stop::AsItStands),
        };
        let mut condition = match &update.selection {
            Some(condition) => sql![" WHERE ", self.truth(condition, "WHERE")?],
            None => Sql::default(),
        };
        let mut from = Sql::default();
        let mut told = sql![&head];
        let is_acting = self.acts_on_itself(schema.as_deref(), &table);
        match others {
            Some(others) if update.returning.is_some() || is_acting => {
                condition = self.joined_before((&head, &others, &condition))?;
            }
            Some(others) => {
                told.add(sql![", ", &others]);
                from = sql![" FROM ", others];
            }
            None => {}
        }
        let own = self.scopes.last().and_then(|scope| scope.relations.first());
        let own = own.map_or_else(|| table.clone(), |own| own.inner.clone());
        let read = self.read.len();
        let set = self.assignments(&update.assignments, (schema.as_deref(), &table), &columns)?;
        let target = Written::new(schema.as_deref(), &table, WriteKind::Update);
        let changed = Changed::by(vec![target.clone()]);
        let mut read = self.read[read..].iter();
        if from.is_empty() && read.any(|read| changed.is_read(self.names, read)) {
            // With FROM, SQLite finds all new values before it writes the first of them.
            from = sql![" FROM (SELECT 1) AS ", Named(&self.fresh())];
        }
        let mut sql = sql![self.verb("UPDATE", schema.as_deref(), &table), " "];
        sql.add(sql![&head, " SET ", set.sql(), from, &condition]);
        let write = Write {
            rows: Some(sql![&self.head, "SELECT ", set.values(), " FROM ", &told, &condition].into()),
            before: Some(sql![&self.head, "SELECT ", Named(&own), ".* FROM ", told, &condition].into()),
            ..Write::to(schema.as_deref(), &table, WriteKind::Update)
        };
        self.write = Some(write.once());
        if is_acting {
            let found = sql![&head, &condition];
            let target = (schema.as_deref(), table.as_str(), columns.as_slice());
            return self.update_apart(target, (&found, &set), update.returning.as_deref());
        }
        let columns = self.returning(update.returning.as_deref(), target, &mut sql)?;
        Ok((sql, columns))
    }

    pub(super) fn delete(&mut self, delete: &Delete) -> Result<Statement> {
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let [table] = from.as_slice() else {
            return Err(Stop::AsItStands);
        };
        if !delete.tables.is_empty() || delete.limit.is_some() || !table.joins.is_empty() {
            return Err(Stop::AsItStands);
        }
        let (schema, name) = self.target(table)?;
        self.scopes.push(Scope::default());
        let head = self.joined_target(table)?;
        let own = self
            .scopes
            .last()
            .and_then(|scope| scope.relations.first())
            .cloned()
            .unwrap_or_default();
        let mut from = sql!["FROM ", &head];
        let others = match &delete.using {
            Some(using) => Some(self.from(using)?),
            None => None,
        };
        let condition = match &delete.selection {
            Some(condition) => sql![" WHERE ", self.truth(condition, "WHERE")?],
            None => Sql::default(),
        };
        let is_acting = self.acts_on_itself(schema.as_deref(), &name);
        match others {
            None => from.add(condition),
            Some(others) if delete.returning.is_some() || is_acting => {
                from.add(self.joined_before((&head, &others, &condition))?);
            }
            Some(others) => {
                let rows = query(sql![
                    "SELECT ",
                    own.row(),
                    " FROM ",
                    head,
                    ", ",
                    others,
                    condition
                ]);
                from.add(sql![" WHERE ", bare(infix(own.row(), "IN", rows))]);
            }
        }
        let mut sql = sql!["DELETE ", &from];
        let write = Write {
            rows: Some(sql![&self.head, "SELECT * ", &from].into()),
            ..Write::to(schema.as_deref(), &name, WriteKind::Delete)
        };
        self.write = Some(write.once());
        if is_acting {
            return self.delete_apart((schema.as_deref(), &name), &from, delete.returning.as_deref());
        }
        let target = Written::new(schema.as_deref(), &name, WriteKind::Delete);
        let columns = self.returning(delete.returning.as_deref(), target, &mut sql)?;
        Ok((sql, columns))
    }

    pub(super) fn columns_of(&self, schema: Option<&str>, table: &str) -> Result<Vec<NamedColumn>> {
        if matches!(schema, Some("pg_catalog" | "information_schema")) {
            return Err(Stop::AsItStands);
        }
        let within = schema.filter(|schema| *schema != "public");
        self.names.relation(within, table).map_or_else(
            || refuse("42P01", format!("relation \"{table}\" does not exist"), None),
            Ok,
        )
    }
}

impl Translator<'_> {
    /// The column of a table that is written to.
    pub(super) fn own_column<'c>(
        &self,
        columns: &'c [NamedColumn],
        name: &ObjectName,
        table: &str,
    ) -> Result<&'c NamedColumn> {
        // What stands behind a point is a field of the column in front of it, and no table is.
        let Some(ident) = name.0.first().and_then(|part| part.as_ident()) else {
            return Err(Stop::AsItStands);
        };
        let lower = super::folded(ident);
        let found = columns
            .iter()
            .find(|column| column.name.eq_ignore_ascii_case(&lower));
        match found {
            Some(_) if name.0.len() > 1 => unsupported("a field of a column in SET", self.at(ident)),
            Some(column) => Ok(column),
            None => refuse(
                "42703",
                format!("column \"{lower}\" of relation \"{table}\" does not exist"),
                self.at(ident),
            ),
        }
    }
}

impl Translator<'_> {
    /// The schema and the name of a table that is written to.
    pub(super) fn target(&self, table: &TableWithJoins) -> Result<(Option<String>, String)> {
        match &table.relation {
            TableFactor::Table { name, .. } => self.to_change(name),
            _ => Err(Stop::AsItStands),
        }
    }
}

/// What an INSERT does to the rows that are there: nothing, unless it updates some of them.
pub(super) fn kind_of(insert: &Insert) -> WriteKind {
    match &insert.on {
        Some(OnInsert::OnConflict(conflict)) if conflict.action != OnConflictAction::DoNothing => {
            WriteKind::Update
        }
        _ => WriteKind::Insert,
    }
}

/// The identity columns with their places.
fn identities<'c>(columns: &'c [&NamedColumn]) -> impl Iterator<Item = (usize, &'c NamedColumn)> {
    let is_one =
        |column: &NamedColumn| column.is_rowid || column.default.as_deref().and_then(Identity::of).is_some();
    let columns = columns.iter().copied().enumerate();
    columns.filter(move |(_, column)| is_one(column))
}

pub(super) fn is_default(value: &Expr) -> bool {
    matches!(value, Expr::Identifier(name) if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("default"))
}

pub(super) fn qualified(schema: Option<&str>, table: &str) -> String {
    match schema.filter(|schema| *schema != "public") {
        Some(schema) => format!("{}.{}", quoted(schema), quoted(table)),
        None => quoted(table),
    }
}
