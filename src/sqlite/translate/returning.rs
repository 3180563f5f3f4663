//! RETURNING. SQLite knows the written table there and nothing else: what is returned or set of others is found before.

use std::fmt::Write as _;

use sqlparser::ast::SelectItem;

use super::{
    PrecedingStatement, ROWS, Result, ResultColumns, Translator,
    columns::named,
    quoted,
    scope::{Scope, ScopeColumn},
    unsupported,
};

impl Translator<'_> {
    pub(super) fn returning(
        &mut self,
        returning: Option<&[SelectItem]>,
        table: &str,
        sql: &mut String,
    ) -> Result<ResultColumns> {
        let Some(items) = returning else {
            return Ok(vec![]);
        };
        let is_called_otherwise = self.own_by(table);
        if let Some(step) = self.joined.take() {
            self.others_by(step, table);
        }
        let read = self.read.len();
        let mut from = String::new();
        let mut items = self.items(items, &mut from)?;
        for item in &mut items {
            *item = self.settled(item.clone())?;
        }
        if !from.is_empty() {
            return unsupported("a set of rows in RETURNING", None);
        }
        // Within a query that reads it again, its name would mean the row that is read.
        let again = self.read[read..]
            .iter()
            .any(|read| read.eq_ignore_ascii_case(table));
        if is_called_otherwise && again {
            return unsupported("RETURNING with a query of the written table itself", None);
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

    /// Has the columns of the written table go by its own name, as SQLite takes no alias there; true if it has one.
    fn own_by(&mut self, table: &str) -> bool {
        let Some(own) = self
            .scopes
            .last_mut()
            .and_then(|scope| scope.relations.first_mut())
        else {
            return false;
        };
        for column in &mut own.columns {
            column.computed = Some(format!("{}.{}", quoted(table), quoted(&column.inner)));
        }
        !own.inner.eq_ignore_ascii_case(table)
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
            sql: format!(
                "{}SELECT {} FROM {head}, {others}{condition}",
                self.head,
                list.join(", ")
            ),
            rows: Some(number),
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
