//! A unique index that cannot be made, since rows have the same key.

use rusqlite::Result;

use super::{
    reach, running,
    unique::Unique,
    violation::{Violation, place, quoted},
};
use crate::{backend::BackendError, sqlite::catalog::index_parts, statement::sqlite_lexer};

impl Violation<'_> {
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
        let schema = match on.and_then(|on| words.get(on.checked_sub(3)?..on - 1)) {
            Some([schema, "."]) => sqlite_lexer::unquote(schema),
            _ => reach::first(self.connection, &table)?.unwrap_or_else(|| "main".to_owned()),
        };
        let (items, condition) = index_parts(self.sql);
        let bare = |item: &String| item.trim_end_matches(" DESC").to_owned();
        let keys: Vec<String> = items.iter().map(bare).collect();
        let mut conditions: Vec<String> = keys.iter().map(|key| format!("({key}) IS NOT NULL")).collect();
        conditions.extend(condition.map(|condition| format!("({condition})")));
        let list = keys.join(", ");
        let twice = format!(
            "SELECT {list} FROM {} WHERE {} GROUP BY {list} HAVING count(*) > 1 LIMIT 1",
            [quoted(&schema), quoted(&table)].join("."),
            conditions.join(" AND ")
        );
        let mut statement = self.connection.prepare(&twice)?;
        let values = statement.raw_query().next()?.map(running::values).transpose()?;
        let unique = Unique::of_index(&name, (&schema, &table), self.sql);
        let key = values
            .map(|values| self.unique_key(&unique, &values))
            .transpose()?;
        Ok(Some(BackendError {
            detail: key.map(|key| format!("Key {key} is duplicated.")),
            place: Some(Box::new(place((&schema, &table), None, Some(&name)))),
            ..BackendError::new("23505", format!("could not create unique index \"{name}\""))
        }))
    }
}
