//! `LOCK TABLE` (manual, `LOCK`).

use super::{
    super::{StatementError, cursor::TokenCursor},
    SessionStatement,
};

pub(super) fn lock(cursor: &mut TokenCursor<'_>) -> Result<SessionStatement, StatementError> {
    cursor.take("table");
    let mut tables = vec![];
    loop {
        cursor.take("only");
        let mut table = cursor.peek().ok_or_else(|| cursor.error())?.span;
        cursor.name()?;
        while cursor.take_sign(".") {
            table = table.to(cursor.peek().ok_or_else(|| cursor.error())?.span);
            cursor.name()?;
        }
        cursor.take_sign("*");
        tables.push(table);
        if !cursor.take_sign(",") {
            break;
        }
    }
    let mut writes = true;
    if cursor.take("in") {
        let modes = [
            ("access share", false),
            ("row share", false),
            ("row exclusive", true),
            ("share update exclusive", true),
            ("share row exclusive", true),
            ("share", true),
            ("exclusive", true),
            ("access exclusive", true),
        ];
        let found = modes.into_iter().find(|(words, _)| cursor.take(words));
        writes = found.ok_or_else(|| cursor.error())?.1;
        cursor.expect("mode")?;
    }
    cursor.take("nowait");
    Ok(SessionStatement::Lock { tables, writes })
}
