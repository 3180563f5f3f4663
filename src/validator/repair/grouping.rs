//! GROUP BY: added where plain columns stand beside aggregates, and made complete.

use sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem};

use super::{
    fragments::{aggregates, is_constant},
    selects::{select_around, with_select},
};
use crate::{
    schema::Dialect,
    validator::{Asked, parse::Parsed, resolve::Found},
};

/// Groups by the plain columns of the select list.
pub(super) fn add_group_by(found: &Found, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    if !found.finding.is_error() {
        return vec![];
    }
    let dialect = asked.snapshot.dialect;
    let grouped = || {
        let at = select_around(parsed, dialect, found.finding.position)?;
        with_select(parsed, at, |select| {
            if has_group_by(select) {
                return None;
            }
            let plain = plain_items(select, dialect)?;
            select.group_by = GroupByExpr::Expressions(plain, vec![]);
            Some(())
        })
    };
    grouped().into_iter().collect()
}

/// Adds the plain columns of the select list that GROUP BY lacks.
pub(super) fn complete_group_by(found: &Found, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let grouped = || {
        let at = select_around(parsed, dialect, found.finding.position)?;
        with_select(parsed, at, |select| {
            let plain = plain_items(select, dialect)?;
            let GroupByExpr::Expressions(terms, _) = &mut select.group_by else {
                return None;
            };
            let missing: Vec<Expr> = plain.into_iter().filter(|expr| !terms.contains(expr)).collect();
            terms.extend(missing);
            Some(())
        })
    };
    grouped().into_iter().collect()
}

/// True where the SELECT groups.
pub(super) fn has_group_by(select: &Select) -> bool {
    match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(terms, _) => !terms.is_empty(),
    }
}

/// What a select list has beside aggregates and constants; `None` where that is nothing, or a `*`.
pub(super) fn plain_items(select: &Select, dialect: Dialect) -> Option<Vec<Expr>> {
    let mut plain = vec![];
    for item in &select.projection {
        match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                if !aggregates(expr, dialect) && !is_constant(expr) && !plain.contains(expr) {
                    plain.push(expr.clone());
                }
            }
            _ => return None,
        }
    }
    (!plain.is_empty()).then_some(plain)
}
