//! Tables whose foreign keys act on themselves, at once or over other tables. PostgreSQL lets a key act when the statement has
//! written all of its rows, SQLite behind each: what the statement finds, sets and returns is worked out before it writes.

use sqlparser::ast::SelectItem;

use super::{
    NamedColumn, PrecedingStatement, Result, ResultColumns, Translator,
    columns::named,
    dml,
    scope::{Relation, ScopeColumn},
    set_list::SetList,
    sql::{Named, Sql, listed, sql},
    sql_expr::{SqlExpr, bare, call, column, column_word, infix, number, query, when},
    step::{cells_of_step, parameter_of_step},
    unsupported,
};

/// What has the row's own number before it.
const ROW: usize = 1;

impl Translator<'_> {
    pub(super) fn acts_on_itself(&self, schema: Option<&str>, table: &str) -> bool {
        let within = schema.filter(|schema| *schema != "public");
        self.names.acts_on_itself(within, table) && self.names.numbers_rows(within, table)
    }

    /// DELETE of the rows that are found before; `found` begins with FROM.
    pub(super) fn delete_apart(
        &mut self,
        (schema, table): (Option<&str>, &str),
        found: &Sql,
        returning: Option<&[SelectItem]>,
    ) -> Result<(Sql, ResultColumns)> {
        let (step, columns) = self.returned_before(found, returning)?;
        let rows = sql![
            " FROM ",
            dml::qualified(schema, table),
            self.rows_found(step, table)
        ];
        let verb = self.verb("DELETE", schema, table);
        Ok(self.ended(sql![verb, rows], step, columns))
    }

    /// UPDATE of the rows that are found before, to what they are set to then; `found` is the table and the condition.
    pub(super) fn update_apart(
        &mut self,
        (schema, table, known): (Option<&str>, &str, &[NamedColumn]),
        (found, set): (&Sql, &SetList),
        returning: Option<&[SelectItem]>,
    ) -> Result<(Sql, ResultColumns)> {
        if returning.is_some() && known.iter().any(|column| column.generated) {
            return unsupported(
                "RETURNING of a computed column where a foreign key acts on its own table",
                None,
            );
        }
        let own = self.own_relation();
        let names = set.columns();
        let olds = names.iter().map(|name| column(&own.inner, *name));
        let values = self.before.len();
        self.before.push(PrecedingStatement {
            rows: Some(values),
            ..PrecedingStatement::new(sql![
                &self.head,
                "SELECT ",
                own.row(),
                ", ",
                set.values(),
                ", ",
                listed(olds),
                " FROM ",
                found
            ])
        });
        let kept = |row: SqlExpr, at: usize| call("pg_kept_of", [parameter_of_step(values), row, number(at)]);
        let scope = self.scopes.last_mut();
        for column in scope
            .and_then(|scope| scope.relations.first_mut())
            .into_iter()
            .flat_map(|own| &mut own.columns)
        {
            let at = names
                .iter()
                .position(|name| column.inner.eq_ignore_ascii_case(name));
            column.computed = at.map(|at| kept(own.row(), ROW + at)).or(column.computed.take());
        }
        let (step, columns) = match returning {
            Some(_) => self.returned_before(&sql!["FROM ", found], returning)?,
            None => (values, vec![]),
        };
        let row = || column_word(table, own.rowid());
        let set = names.iter().enumerate().map(|(at, name)| {
            // What stays is what a key makes of it meanwhile.
            let (new, old) = (kept(row(), ROW + at), kept(row(), ROW + names.len() + at));
            let stays = bare(infix(new.clone(), "IS", old));
            let value = when(stays, column(table, *name)).otherwise(new);
            sql![Named(name), " = ", value]
        });
        let set = listed(set);
        let verb = self.verb("UPDATE", schema, table);
        let head = sql![verb, " ", dml::qualified(schema, table), " SET ", set];
        Ok(self.ended(sql![head, self.rows_found(values, table)], step, columns))
    }

    fn own_relation(&self) -> Relation {
        let own = self.scopes.last().and_then(|scope| scope.relations.first());
        own.cloned().unwrap_or_default()
    }

    /// A step that finds the rows, by their numbers, and what is returned of them.
    fn returned_before(
        &mut self,
        found: &Sql,
        returning: Option<&[SelectItem]>,
    ) -> Result<(usize, ResultColumns)> {
        let mut from = Sql::default();
        let mut items = match returning {
            Some(items) => self.items(items, &mut from)?,
            None => vec![],
        };
        for item in &mut items {
            *item = self.settled(item.clone())?;
        }
        if !from.is_empty() {
            return unsupported("a set of rows in RETURNING", None);
        }
        let columns = named(&items);
        let row = sql![self.own_relation().row()];
        let shown = [row]
            .into_iter()
            .chain(items.iter().map(|item| sql![item.shown()]));
        let step = self.before.len();
        self.before.push(PrecedingStatement {
            rows: Some(step),
            ..PrecedingStatement::new(sql![&self.head, "SELECT ", listed(shown), " ", found])
        });
        Ok((step, columns.into_iter().map(ScopeColumn::told).collect()))
    }

    /// The condition for the rows that a step has found.
    fn rows_found(&self, step: usize, table: &str) -> Sql {
        let row = column_word(table, self.own_relation().rowid());
        let found = query(cells_of_step(step, 0..ROW));
        sql![" WHERE ", bare(infix(row, "IN", found))]
    }

    /// The statement, which is a step too where it returns what was found before.
    fn ended(&mut self, sql: Sql, step: usize, columns: ResultColumns) -> (Sql, ResultColumns) {
        if columns.is_empty() {
            self.counted = Some(step);
            return (sql, columns);
        }
        self.first(sql);
        (cells_of_step(step, ROW..ROW + columns.len()), columns)
    }
}
