//! A change as it is carried out, and an ALTER TABLE of several actions of which the parser does not know one: each is carried
//! out by itself, in their order.

use rusqlite::Result;
use sqlparser::ast::CommentObject;

use super::{Change, comment, fault, read, view};
use crate::{sqlite::engine::session::Session, statement::sqlite_lexer::placed};

impl Session<'_> {
    pub(super) fn carried_out(&self, change: &Change) -> Result<()> {
        let connection = &self.own.connection;
        match change {
            Change::Table(alter) => self.altered(alter),
            Change::Comment(kind, name, text) => {
                let most = if *kind == CommentObject::Column { 3 } else { 2 };
                let name = self.without_database(name, most);
                comment::set(connection, *kind, &name, text.as_deref())
            }
            Change::Identity(changed) => self.change_identity(changed),
            Change::Drop(dropped) => self.drop_tables(dropped),
            Change::DropSequences(dropped) => self.drop_sequences(dropped),
            Change::Like(like) => self.create_like(like),
            Change::Index(index) => self.rename_index(index),
            Change::View(view, renamed) => view::rename(connection, view, renamed),
            Change::TooDeep => Err(fault("54001", "stack depth limit exceeded")),
            Change::Constraints(asked) => self.set_constraints(asked),
            Change::Several(changes) => changes.iter().try_for_each(|change| self.carried_out(change)),
        }
    }
}

/// The actions as statements of their own; none where one of them is not understood, or PostgreSQL lets it stand alone only.
pub(super) fn split(sql: &str) -> Option<Vec<Change>> {
    let tokens: Vec<(usize, &str)> = placed(sql).collect();
    let is = |at: usize, word: &str| {
        tokens
            .get(at)
            .is_some_and(|(_, token)| token.eq_ignore_ascii_case(word))
    };
    let mut at = 2;
    at += if is(at, "if") { 2 } else { 0 };
    at += usize::from(is(at, "only"));
    at += if is(at + 1, ".") { 3 } else { 1 };
    let begin = tokens.get(at)?.0;
    let (mut depth, mut ends) = (0_i32, vec![]);
    for (offset, token) in tokens.get(at..)? {
        match *token {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "," if depth == 0 => ends.push(*offset),
            ";" => {
                ends.push(*offset);
                break;
            }
            _ => {}
        }
    }
    if !is(tokens.len() - 1, ";") {
        ends.push(sql.len());
    }
    if ends.len() < 2 {
        return None;
    }
    let starts = std::iter::once(begin).chain(ends.iter().map(|end| end + 1));
    let actions = starts.zip(&ends).map(|(start, end)| {
        let action = sql.get(start..*end)?;
        let (_, first) = placed(action).next()?;
        if first.eq_ignore_ascii_case("rename") {
            return None;
        }
        read(&format!("{}{action}", &sql[..begin]))
    });
    actions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_told_apart() {
        for (sql, expected) in [
            (
                "ALTER TABLE t ALTER a DROP IDENTITY, ADD CHECK (a IN (1, 2)), ALTER b SET DEFAULT 'x, y';",
                Some(3),
            ),
            (
                "ALTER TABLE IF EXISTS ONLY s.t ALTER a DROP EXPRESSION, ALTER a SET DEFAULT 'a;b'::text",
                Some(2),
            ),
            ("ALTER TABLE t ALTER a DROP EXPRESSION", None),
            ("ALTER TABLE t ALTER a DROP EXPRESSION, RENAME a TO b", None),
            ("ALTER TABLE t ALTER a DROP EXPRESSION, NONSENSE", None),
            ("ALTER TABLE t", None),
        ] {
            assert_eq!(split(sql).map(|changes| changes.len()), expected, "{sql}");
        }
    }
}
