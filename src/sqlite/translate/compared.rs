//! Values in the form in which SQLite compares, groups and orders them as PostgreSQL does.

use super::{
    Ty, parentheses,
    scope::{Literal, Typed},
    sql_expr::{Node, SqlExpr, call, cast, collate},
};

/// Digits that SQLite's own numbers have at least.
const NUMBERS_DIGITS: usize = 15;

impl Typed {
    /// True where SQLite would not compare it as PostgreSQL does.
    pub(super) fn has_collation(&self) -> bool {
        self.row.is_some() || self.ty.collation().is_some()
    }

    /// As PostgreSQL compares it, groups by it and orders it.
    pub(super) fn key(&self) -> SqlExpr {
        self.collated(self.expr.clone())
    }

    /// The same in GROUP BY and ORDER BY, where a number would be the position of a column: `0 AND a` is one to SQLite, and so
    /// is `1 IS NOT NULL`.
    pub(super) fn key_of_rows(&self) -> SqlExpr {
        let key = self.key();
        let is_both = matches!(key.within(), Node::Infix(operator, _) if operator == "AND");
        let mut varies = |part: &SqlExpr| {
            matches!(
                part.node(),
                Node::Name(_) | Node::Call(_) | Node::Query(_) | Node::Parameter(_) | Node::Kept(_)
            )
        };
        if is_both || !key.has(&mut varies) {
            return cast(key, "INT");
        }
        key
    }

    /// As [`Typed::key`], of the words in which it is shown.
    pub(super) fn collated(&self, value: SqlExpr) -> SqlExpr {
        if let Some(row) = &self.row {
            return collate(cast(value, "TEXT"), row);
        }
        match self.ty.collation() {
            Some("RTRIM") => collate(parentheses::around(value), "RTRIM"),
            Some(collation) if self.ty != Ty::Numeric => collate(cast(value, "TEXT"), collation),
            Some(collation) if self.exact => collate(call("pg_text_numeric", [value]), collation),
            _ => value,
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
    pub(super) fn comparable(values: &[Self]) -> Vec<SqlExpr> {
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
