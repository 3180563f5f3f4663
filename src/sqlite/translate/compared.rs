//! Values in the form in which SQLite compares, groups and orders them as PostgreSQL does.

use super::{
    Ty, parentheses, quoted,
    scope::{Literal, Typed},
};

/// Digits that SQLite's own numbers have at least.
const NUMBERS_DIGITS: usize = 15;

impl Typed {
    /// True where SQLite would not compare it as PostgreSQL does.
    pub(super) fn has_collation(&self) -> bool {
        self.row.is_some() || self.ty.collation().is_some()
    }

    /// As PostgreSQL compares it, groups by it and orders it.
    pub(super) fn key(&self) -> String {
        self.collated(&self.sql)
    }

    /// The same in GROUP BY and ORDER BY, where a number would be the position of a column, and `0 AND a` is one to SQLite.
    pub(super) fn key_of_rows(&self) -> String {
        let sql = self.key();
        let is_number = sql.bytes().any(|byte| byte.is_ascii_digit())
            && (sql.bytes()).all(|byte| matches!(byte, b'0'..=b'9' | b'(' | b')' | b'-' | b'+' | b' '));
        if is_number || (self.ty == Ty::Bool && sql.contains(" AND ")) {
            return format!("CAST({sql} AS INT)");
        }
        sql
    }

    /// As [`Typed::key`], of the words in which it is shown.
    pub(super) fn collated(&self, sql: &str) -> String {
        if let Some(row) = &self.row {
            return format!("CAST({sql} AS TEXT) COLLATE {}", quoted(row));
        }
        match self.ty.collation() {
            Some("RTRIM") => format!("{} COLLATE RTRIM", parentheses::around(sql.to_owned())),
            Some(collation) if self.ty != Ty::Numeric => format!("CAST({sql} AS TEXT) COLLATE {collation}"),
            Some(collation) if self.exact => format!("pg_text_numeric({sql}) COLLATE {collation}"),
            _ => sql.to_owned(),
        }
    }

    /// True for digits that may be kept as text, unless somebody writes out so few that a number of SQLite's has them too.
    pub(super) fn keeps_digits(&self) -> bool {
        let is_short = match &self.literal {
            Some(Literal::Number(digits)) => digits.len() <= NUMBERS_DIGITS,
            Some(_) => true,
            None => self.parameter.is_some(),
        };
        self.ty == Ty::Numeric && self.exact && !is_short
    }

    /// Values of one type in the form in which they compare with each other.
    pub(super) fn comparable(values: &[Self]) -> Vec<String> {
        let as_text = values.iter().any(Self::keeps_digits);
        let form = |value: &Self| match value.ty {
            Ty::Numeric if as_text => Self {
                exact: true,
                ..value.clone()
            }
            .key(),
            Ty::Numeric => value.number(),
            _ if value.has_collation() => value.key(),
            _ => value.plain(),
        };
        values.iter().map(form).collect()
    }
}
