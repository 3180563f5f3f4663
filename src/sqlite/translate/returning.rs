//! RETURNING. SQLite knows the written table there and nothing else: what is returned or set of others is found before.

use sqlparser::ast::SelectItem;

use super::{
    PrecedingStatement, Result, ResultColumns, Translator, WriteKind,
    changed::Written,
    columns::named,
    elements::unnamed_elements,
    scope::{Relation, Scope, ScopeColumn},
    sql::{Named, Sql, listed, sql},
    sql_expr::{SqlExpr, bare, call, column_word, infix, null, number, query, text, word},
    step::parameter_of_step,
    unsupported,
};

impl Translator<'_> {
    pub(super) fn returning(
        &mut self,
        returning: Option<&[SelectItem]>,
        target: Written,
        sql: &mut Sql,
    ) -> Result<ResultColumns> {
        let own = target.table.clone();
        let table = own.as_str();
        let Some(items) = returning else {
            return Ok(vec![]);
        };
        let own = self.scopes.last().and_then(|scope| scope.relations.first());
        let numbered = own
            .map(Relation::rowid)
            .filter(|_| target.kind == WriteKind::Insert);
        self.own_by(table);
        if let Some(step) = self.joined.take() {
            self.others_by(step, table);
        }
        let mut from = Sql::default();
        self.row_number = numbered.and_then(|row| self.number_of(table, row));
        let items = self.before_write(target, |own| own.items(items, &mut from));
        self.row_number = None;
        let mut items = items?;
        for item in &mut items {
            *item = self.settled(item.clone())?;
        }
        if !from.is_empty() {
            return unsupported("a set of rows in RETURNING", None);
        }
        let columns = named(&items);
        let shown = items.iter().zip(&columns);
        let shown = shown.map(|(item, column)| sql![item.shown(), " AS ", Named(&column.inner)]);
        sql.add(sql![" RETURNING ", listed(shown)]);
        Ok(columns.into_iter().map(ScopeColumn::told).collect())
    }

    /// What tells the last number of a sequence where the key of the written table is numbered by itself: the sequence, and the
    /// number of the row.
    fn number_of(&self, table: &str, row: &'static str) -> Option<Vec<SqlExpr>> {
        let key = self.key_sequence.as_ref()?;
        Some(vec![
            text(key.schema.as_deref().unwrap_or_default()),
            text(&key.sequence),
            column_word(table, row),
        ])
    }

    /// Has the columns of the written table go by its own name, as SQLite takes no alias there.
    fn own_by(&mut self, table: &str) {
        let scope = self.scopes.last_mut();
        if let Some(own) = scope.and_then(|scope| scope.relations.first_mut()) {
            for one in &mut own.columns {
                one.computed = Some(one.read_from(table));
            }
        }
    }

    /// Has a step find the rows of the written table and of those beside it. What follows reads of it what it needs of
    /// the others; what comes back is the condition that finds the same rows again.
    pub(super) fn joined_before(&mut self, (head, others, condition): (&Sql, &Sql, &Sql)) -> Result<Sql> {
        let Some(scope) = self.scopes.last() else {
            return unsupported("RETURNING of several tables here", None);
        };
        let Some((own, _)) = scope.relations.split_first() else {
            return unsupported("RETURNING of several tables here", None);
        };
        let inner = own.inner.clone();
        let row = own.row();
        let mut list = vec![row.clone()];
        for relation in &scope.relations[1..] {
            list.extend(relation.columns.iter().map(|column| relation.column(column).expr));
        }
        list.extend(scope.merged.iter().map(|(_, merged)| merged.expr.clone()));
        let nullable = scope.relations[1..]
            .iter()
            .filter(|other| other.nullable.is_some());
        list.extend(nullable.map(|other| self.is_present(other).unwrap_or_else(|| number(1))));
        let list = list.into_iter().enumerate();
        let list = listed(list.map(|(at, value)| sql![value, " AS ", Named(&at.to_string())]));
        let step = self.before.len();
        self.before.push(PrecedingStatement {
            rows: Some(step),
            ..PrecedingStatement::new(sql![
                &self.head, "SELECT ", list, " FROM ", head, ", ", others, condition
            ])
        });
        self.joined = Some(step);
        self.others_by(step, &inner);
        let rows = unnamed_elements(call("pg_kept", [parameter_of_step(step)]));
        let found = call("pg_kept", [parameter_of_step(step), word("key"), number(0)]);
        let found = query(sql!["SELECT ", found, " FROM ", rows]);
        Ok(sql![" WHERE ", bare(infix(row, "IN", found))])
    }

    /// Has the columns of the other tables be what a step found for a row of the written one, which has this name.
    fn others_by(&mut self, step: usize, name: &str) {
        let Some(Scope {
            relations, merged, ..
        }) = self.scopes.last_mut()
        else {
            return;
        };
        let Some((own, others)) = relations.split_first_mut() else {
            return;
        };
        let row = column_word(name, own.rowid());
        let parts = others
            .iter_mut()
            .map(|other| (&mut other.columns, &mut other.nullable));
        let (columns, nullable): (Vec<_>, Vec<_>) = parts.unzip();
        let columns = columns.into_iter().flatten();
        let columns = columns.map(|column| column.computed.insert(null()));
        let merged = merged.iter_mut().map(|(_, merged)| &mut merged.expr);
        let nullable = nullable.into_iter().flatten();
        let nullable = nullable.map(|nullable| nullable.found.insert(null()));
        for (at, place) in columns.chain(merged).chain(nullable).enumerate() {
            *place = call(
                "pg_kept_of",
                [parameter_of_step(step), row.clone(), number(at + 1)],
            );
        }
    }
}
