//! What DISTINCT allows of an ORDER BY beside it: rows of which one stands for several have no other keys than what is told
//! apart.

use sqlparser::ast::{Expr, OrderByExpr, Spanned as _};

use super::{
    Result, Translator, alike::alike, refuse, rows, scope::Typed, select::Selected, sql_expr::SqlExpr,
};

impl Translator<'_> {
    /// Refuses keys that the rows of a query with DISTINCT do not have.
    pub(super) fn check_distinct(&mut self, selected: &Selected, order: &[OrderByExpr]) -> Result<()> {
        if selected.distinct {
            let words = "for SELECT DISTINCT, ORDER BY expressions must appear in select list";
            for key in order {
                if !self.is_among(&key.expr, &selected.items, Some(&selected.items))? {
                    return refuse("42P10", words, self.position(key.expr.span().start));
                }
            }
        }
        let mut missing: Vec<&SqlExpr> = selected.distinct_on.iter().map(|key| &key.expr).collect();
        for key in order {
            if missing.is_empty() {
                break;
            }
            let value = self.key_or_item(&key.expr, &selected.items)?;
            let unnamed = self.scopes.last().map_or(usize::MAX, |scope| scope.unnamed);
            let is_it = |key: &SqlExpr| alike(key, &value.expr, unnamed);
            if !selected.distinct_on.iter().any(|key| is_it(&key.expr)) {
                let words = "SELECT DISTINCT ON expressions must match initial ORDER BY expressions";
                return refuse("42P10", words, None);
            }
            missing.retain(|key| !is_it(key));
        }
        Ok(())
    }

    /// Refuses keys by which an aggregate with DISTINCT cannot order its values.
    pub(super) fn check_distinct_within(&mut self, arguments: &[Typed], order: &[OrderByExpr]) -> Result<()> {
        for key in order {
            if !self.is_among(&key.expr, arguments, None)? {
                let words =
                    "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list";
                return refuse("42P10", words, self.position(key.expr.span().start));
            }
        }
        Ok(())
    }

    /// True for a key that is one of these values. `named` are what numbers and names mean.
    fn is_among(&mut self, key: &Expr, values: &[Typed], named: Option<&[Typed]>) -> Result<bool> {
        let key = match (rows::values(key), named) {
            (Some(fields), None) => self.row_value(&fields)?,
            (Some(_), Some(_)) => return Ok(false),
            (None, Some(items)) => self.key_or_item(key, items)?,
            (None, None) => self.expression(key)?,
        };
        let unnamed = self.scopes.last().map_or(usize::MAX, |scope| scope.unnamed);
        Ok(values.iter().any(|value| alike(&value.expr, &key.expr, unnamed)))
    }
}
