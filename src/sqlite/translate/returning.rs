//! RETURNING. SQLite knows the written table there and nothing else: what is returned or set of others is found before.

use std::fmt::Write as _;

use sqlparser::ast::SelectItem;

use super::{
    PrecedingStatement, ROWS, Result, ResultColumns, Translator, WriteKind,
    changed::Written,
    columns::named,
    quoted,
    scope::{Relation, Scope, ScopeColumn},
    string, unsupported,
};

impl Translator<'_> {
    pub(super) fn returning(
        &mut self,
        returning: Option<&[SelectItem]>,
        target: Written,
        sql: &mut String,
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
        let mut from = String::new();
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
        let list: Vec<String> = items
            .iter()
            .zip(&columns)
            .map(|(item, column)| format!("{} AS {}", item.shown(), quoted(&column.inner)))
            .collect();
        let _ = write!(sql, " RETURNING {}", list.join(", "));
        Ok(columns.into_iter().map(ScopeColumn::told).collect())
    }

    /// What tells the last number of a sequence where the key of the written table is numbered by itself: the sequence, and the
    /// number of the row.
    fn number_of(&self, table: &str, row: &str) -> Option<Vec<String>> {
        let key = self.key_sequence.as_ref()?;
        Some(vec![
            string(key.schema.as_deref().unwrap_or_default()),
            string(&key.sequence),
            format!("{}.{row}", quoted(table)),
        ])
    }

    /// Has the columns of the written table go by its own name, as SQLite takes no alias there.
    fn own_by(&mut self, table: &str) {
        let scope = self.scopes.last_mut();
        if let Some(own) = scope.and_then(|scope| scope.relations.first_mut()) {
            for column in &mut own.columns {
                column.computed = Some(format!("{}.{}", quoted(table), quoted(&column.inner)));
            }
        }
    }

    /// Has a step find the rows of the written table and of those beside it. What follows reads of it what it needs of
    /// the others; what comes back is the condition that finds the same rows again.
    pub(super) fn joined_before(&mut self, (head, others, condition): (&str, &str, &str)) -> Result<String> {
        let Some(scope) = self.scopes.last() else {
            return unsupported("RETURNING of several tables here", None);
        };
        let Some((own, _)) = scope.relations.split_first() else {
            return unsupported("RETURNING of several tables here", None);
        };
        let inner = own.inner.clone();
        let row = format!("{}.{}", quoted(&inner), own.rowid());
        let mut list = vec![row.clone()];
        for relation in &scope.relations[1..] {
            list.extend(relation.columns.iter().map(|column| relation.column(column).sql));
        }
        list.extend(scope.merged.iter().map(|(_, merged)| merged.sql.clone()));
        let list: Vec<String> = list
            .iter()
            .enumerate()
            .map(|(at, value)| format!("{value} AS \"{at}\""))
            .collect();
        let number = self.before.len();
        self.before.push(PrecedingStatement {
            rows: Some(number),
            ..PrecedingStatement::new(format!(
                "{}SELECT {} FROM {head}, {others}{condition}",
                self.head,
                list.join(", ")
            ))
        });
        self.joined = Some(number);
        self.others_by(number, &inner);
        Ok(format!(
            " WHERE {row} IN (SELECT pg_kept({ROWS}{number}, key, 0) FROM json_each(pg_kept({ROWS}{number})))"
        ))
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
        let row = format!("{}.{}", quoted(name), own.rowid());
        let columns = others
            .iter_mut()
            .flat_map(|relation| &mut relation.columns)
            .map(|column| column.computed.insert(String::new()));
        let merged = merged.iter_mut().map(|(_, merged)| &mut merged.sql);
        for (at, place) in columns.chain(merged).enumerate() {
            *place = format!("pg_kept_of({ROWS}{step}, {row}, {})", at + 1);
        }
    }
}
