//! A unique index that cannot be made, since rows have the same key.

use rusqlite::{OptionalExtension as _, Result};

use super::{
    binding,
    command::Parameters,
    running,
    violation::{Violation, place, quoted},
};
use crate::{
    backend::BackendError,
    sqlite::catalog::{Named, index_parts},
    statement::sqlite_lexer,
};

impl Violation<'_> {
    /// What a unique index of this name met that is by expressions: SQLite tells its name alone.
    pub(super) fn of_expressions(&self, name: &str) -> Result<Option<BackendError>> {
        let found = self.connection.query_row(
            "SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND name = ?1",
            [name],
            |row| Ok((row.get(0)?, row.get(1)?)),
        );
        let Some((table, sql)): Option<(String, String)> = found.optional()? else {
            return Ok(None);
        };
        let (items, condition) = index_parts(&sql);
        let keys = items.iter().map(|item| item.trim_end_matches(" DESC"));
        let keys: Vec<String> = keys.map(|key| format!("({key})")).collect();
        let condition = condition.map_or_else(String::new, |condition| format!(" AND ({condition})"));
        let named = index_named(name, &table, &items);
        let mut detail = None;
        for row in self.rows(&table)? {
            let same: Vec<String> = (1..)
                .zip(&keys)
                .map(|(at, key)| format!("{key} = ?{at}"))
                .collect();
            let of_row = format!("SELECT {} FROM {}", keys.join(", "), row.query(&table));
            // A row of which the statement does not tell the columns of the key is not the one to show.
            let Ok(mut statement) = self.connection.prepare(&of_row) else {
                continue;
            };
            binding::bind(&mut statement, &row.parameters())?;
            let Some(values) = statement.raw_query().next()?.map(running::values).transpose()? else {
                continue;
            };
            let sql = format!(
                "SELECT 1 FROM {} WHERE {}{condition}",
                quoted(&table),
                same.join(" AND ")
            );
            let mut statement = self.connection.prepare(&sql)?;
            binding::bind(&mut statement, &Parameters::Given(values.clone()))?;
            if statement.raw_query().next()?.is_some() {
                detail = Some(format!("Key {} already exists.", self.key(&named, &values)?));
                break;
            }
        }
        Ok(Some(BackendError {
            detail,
            place: Some(Box::new(place(&table, None, Some(name)))),
            ..BackendError::new(
                "23505",
                format!("duplicate key value violates unique constraint \"{name}\""),
            )
        }))
    }

    /// What CREATE UNIQUE INDEX met; nothing where that is not the statement.
    pub(super) fn of_new_index(&self) -> Result<Option<BackendError>> {
        let words: Vec<&str> = sqlite_lexer::tokens(self.sql).map(|(_, token)| token).collect();
        let is = |(word, wanted): (&&str, &str)| word.eq_ignore_ascii_case(wanted);
        let on = words.iter().position(|word| is((word, "on")));
        let begins = words.iter().zip(["create", "unique", "index"]).all(is);
        let (Some([name, _, table]), true) =
            (on.and_then(|on| words.get(on.checked_sub(1)?..on + 2)), begins)
        else {
            return Ok(None);
        };
        let (name, table) = (sqlite_lexer::unquote(name), sqlite_lexer::unquote(table));
        let (items, condition) = index_parts(self.sql);
        let bare = |item: &String| item.trim_end_matches(" DESC").to_owned();
        let keys: Vec<String> = items.iter().map(bare).collect();
        let mut conditions: Vec<String> = keys.iter().map(|key| format!("({key}) IS NOT NULL")).collect();
        conditions.extend(condition.map(|condition| format!("({condition})")));
        let list = keys.join(", ");
        let twice = format!(
            "SELECT {list} FROM {} WHERE {} GROUP BY {list} HAVING count(*) > 1 LIMIT 1",
            quoted(&table),
            conditions.join(" AND ")
        );
        let mut statement = self.connection.prepare(&twice)?;
        let values = statement.raw_query().next()?.map(running::values).transpose()?;
        let named = index_named(&name, &table, &items);
        let key = values.map(|values| self.key(&named, &values)).transpose()?;
        Ok(Some(BackendError {
            detail: key.map(|key| format!("Key {key} is duplicated.")),
            place: Some(Box::new(place(&table, None, Some(&name)))),
            ..BackendError::new("23505", format!("could not create unique index \"{name}\""))
        }))
    }
}

fn index_named(name: &str, table: &str, items: &[String]) -> Named {
    let keys = items.iter().map(|item| item.trim_end_matches(" DESC"));
    Named {
        table: table.to_owned(),
        name: name.to_owned(),
        kind: 'i',
        columns: keys.map(crate::sqlite::catalog::told_key).collect(),
        target: None,
        expression: String::new(),
        deferrable: false,
        deferred: false,
    }
}
