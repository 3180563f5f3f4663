//! A key that others refer to and that a statement takes away: which foreign key it is, and which value.

use rusqlite::Result;

use super::violation::{Row, Violation, place};
use crate::{
    backend::{BackendError, Value},
    sqlite::{
        catalog::Named,
        translate::{Write, WriteKind},
    },
};

impl Violation<'_> {
    pub(super) fn still_referred(&self, written: &Write) -> Result<Option<BackendError>> {
        let table = &written.table;
        let is_update = written.kind == WriteKind::Update;
        let others = self.of_kind('f', |named| {
            let is_meant = |(target, _): &(String, Vec<String>)| target.eq_ignore_ascii_case(table);
            // What is handed on or cleared with the key is in nobody's way.
            let action = if is_update {
                named.actions.0
            } else {
                named.actions.1
            };
            named.target.as_ref().is_some_and(is_meant) && matches!(action, 'a' | 'r')
        });
        let new = self.rows(table)?;
        let old = match &written.before {
            Some(query) => self.rows_of(query, written)?,
            None if is_update => vec![],
            None => new.clone(),
        };
        let stays = |at: usize, columns: &[String], values: &[Value]| {
            let is_set = |row: &Row| row.of(columns);
            is_update
                && new
                    .get(at)
                    .map(is_set)
                    .is_some_and(|set| set.is_empty() || set == values)
        };
        for named in &others {
            let Some((_, columns)) = &named.target else {
                continue;
            };
            for (at, row) in old.iter().enumerate() {
                let values = row.of(columns);
                if values.len() == named.columns.len()
                    && !stays(at, columns, &values)
                    && self.stands_in((&named.schema, &named.table), &named.columns, &values)?
                {
                    let key = Named {
                        columns: columns.clone(),
                        table: table.clone(),
                        ..(*named).clone()
                    };
                    let detail = format!(
                        "Key {} is still referenced from table \"{}\".",
                        self.key(&key, &values)?,
                        named.table
                    );
                    return Ok(Some(still_referred(table, named, Some(detail))));
                }
            }
        }
        Ok(match &others[..] {
            [named] => Some(still_referred(table, named, None)),
            _ => None,
        })
    }
}

fn still_referred(table: &str, named: &Named, detail: Option<String>) -> BackendError {
    BackendError {
        detail,
        place: Some(Box::new(place(
            (&named.schema, &named.table),
            None,
            Some(&named.name),
        ))),
        ..BackendError::new(
            "23503",
            format!(
                "update or delete on table \"{table}\" violates foreign key constraint \"{}\" on table \"{}\"",
                named.name, named.table
            ),
        )
    }
}
