//! The elements of a JSON array as rows, which is what arrays, lists and rows that were kept are read through.

use super::{
    sql::{Named, Sql, sql},
    sql_expr::{Call, Node, SqlExpr, call},
};

/// SQLite's own function. By a schema that no user writes in it is found whatever tables and queries of WITH are called so.
const EACH: &str = "pg_catalog.json_each";
/// The same where no other schema may be named; see [`of_file`].
pub(crate) const EACH_IN_FILE: &str = "pg:each";
/// What it is called where nobody reads it by a name.
const UNNAMED: &str = "pg:element";

/// What stands in FROM for the elements of an array, with the columns `key` and `value`.
pub(super) fn elements(array: SqlExpr, name: &str) -> Sql {
    sql![call(EACH, [array]), " AS ", Named(name)]
}

/// The same where both columns are read as words alone.
pub(super) fn unnamed_elements(array: SqlExpr) -> Sql {
    elements(array, UNNAMED)
}

/// A query as a view of a file holds it, which may read nothing by another schema.
pub(super) fn of_file(query: &Sql) -> Sql {
    query.rebuilt(&mut renamed)
}

fn renamed(expression: &SqlExpr) -> SqlExpr {
    let expression = expression.rebuilt(&mut renamed);
    match expression.called() {
        Some(own) if own.name == EACH => Node::Call(Box::new(Call {
            name: super::quoted(EACH_IN_FILE),
            ..own.clone()
        }))
        .into(),
        _ => expression,
    }
}
