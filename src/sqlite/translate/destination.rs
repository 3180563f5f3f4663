//! A column that a statement gives a value, and what it gets by default.

use super::{
    NamedColumn, Result, SequenceName, Translator, Ty, declared,
    scope::{Literal, Typed},
    sql_expr::{SqlExpr, call, kept, list, null, text},
    types::Target,
};

/// A column that gets a value.
#[derive(Debug, Clone)]
pub(super) struct Destination {
    pub(super) column: String,
    target: Target,
    /// The table where it is a key that SQLite numbers in place of a NULL, which PostgreSQL refuses.
    numbered_in: Option<String>,
}

impl Destination {
    pub(super) fn new(column: &NamedColumn, table: &str) -> Self {
        Self {
            column: column.name.clone(),
            target: declared::read(&column.declared),
            numbered_in: column.is_rowid.then(|| table.to_owned()),
        }
    }
}

impl Translator<'_> {
    /// A value for a column of a table.
    pub(super) fn assign_to(&mut self, value: Typed, destination: &Destination) -> Result<Typed> {
        let Destination { column, target, .. } = destination;
        let is_given = !matches!(value.literal, Some(Literal::Number(_))) && value.expr != null();
        let is_null = matches!(value.literal, Some(Literal::Null));
        let value = self.assign(value, column, *target)?;
        Ok(match &destination.numbered_in {
            Some(table) if is_null || is_given && !value.not_null => {
                let parts = [value.full(), text(column), text(table)];
                Typed::new(call("pg_no_null", parts), value.ty).instead_of(value.contents)
            }
            _ => value,
        })
    }
}

/// The number that a key's sequence gives next.
pub(super) fn next_key((schema, table): (Option<&str>, &str), key: &NamedColumn) -> SqlExpr {
    let sequence = SequenceName::of(&format!("{table}_{}_seq", key.name), schema);
    call("pg_nextval", [text(sequence.written())])
}

/// What DEFAULT stands for in a column. A key that counts by itself takes NULL for it.
pub(super) fn default_of(column: &NamedColumn) -> Typed {
    match &column.default {
        Some(default) => Typed::new(list([kept(default)]), declared::read(&column.declared).ty),
        // Which SQLite numbers.
        None if column.is_rowid => Typed::new(null(), declared::read(&column.declared).ty),
        None => Typed {
            literal: Some(Literal::Null),
            ..Typed::new(null(), Ty::Unknown)
        },
    }
}
