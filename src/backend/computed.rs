//! Columns that are computed from others of their table: what they show is as private as what they read.

use crate::{
    question::schema::Table,
    statement::sqlite_lexer::{Piece, pieces, unquote},
};

/// Notes of a column from which columns an expression computes it. One that reads none, as a default does, changes nothing.
pub(crate) fn note(table: &mut Table, column: usize, expression: &str) {
    let names: Vec<String> = pieces(expression)
        .filter_map(|(_, piece)| match piece {
            Piece::Token(token) if !token.starts_with('\'') => Some(unquote(token)),
            _ => None,
        })
        .collect();
    let read =
        table.columns.iter().enumerate().filter(|(at, read)| {
            *at != column && names.iter().any(|name| name.eq_ignore_ascii_case(&read.name))
        });
    table.columns[column].computed_from = read.map(|(_, read)| read.name.clone()).collect();
}
