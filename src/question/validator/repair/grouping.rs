//! GROUP BY: made complete, and by what the question groups by.

use sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem};

use super::{
    case::Case,
    fragments::{aggregates, is_constant},
    selects::{query_of, select_around, with_select},
    shown::{first_column, item_expr},
};
use crate::question::{
    embedded::{display_columns, intent::Cue},
    schema::Dialect,
    validator::{Asked, parse::Parsed, resolve::LocatedFinding},
};

/// What less than this of a name is in the question, the question does not name.
const UNNAMED: f32 = 0.3;

/// Without the plain columns, where the question wants one value of all rows and names none of them.
pub(super) fn without_plain(case: &Case<'_>) -> Vec<String> {
    let each = case.intent().has(Cue::Group) || !case.pieces().group.is_empty();
    let Some(at) = case.at().filter(|_| !each) else {
        return vec![];
    };
    let Some(sources) = case.sources(at) else {
        return vec![];
    };
    let unnamed = |expr: &Expr| {
        let column = first_column(expr).and_then(|column| sources.column(&column));
        column.is_some_and(|(_, column)| case.intent().names_column(column) < UNNAMED)
    };
    let fewer = case.with(at, |query, _| {
        let select = case.part(query, at)?;
        if has_group_by(select) {
            return None;
        }
        let before = select.projection.len();
        select.projection.retain(|item| match item_expr(item) {
            Some(expr) => aggregates(expr, case.dialect()) || is_constant(expr) || !unnamed(expr),
            None => true,
        });
        (!select.projection.is_empty() && select.projection.len() < before).then_some(())
    });
    fewer.into_iter().collect()
}

/// Grouped by what is shown in place of something that is neither shown nor named by the question.
pub(super) fn by_what_is_shown(case: &Case<'_>) -> Vec<String> {
    let Some(at) = case.at() else { return vec![] };
    let Some(sources) = case.sources(at) else {
        return vec![];
    };
    let named = |term: &Expr| match sources.column(term) {
        Some((_, column)) => {
            let names_rows = display_columns(case.snapshot, column.table).contains(&column)
                && case.intent().names_table(column.table) >= UNNAMED;
            case.intent().names_column(column) >= UNNAMED || case.is_key(column) || names_rows
        }
        None => true,
    };
    let regrouped = case.with(at, |query, _| {
        let select = case.part(query, at)?;
        let plain = plain_items(select, case.dialect())?;
        let GroupByExpr::Expressions(terms, _) = &mut select.group_by else {
            return None;
        };
        if terms.iter().any(|term| plain.contains(term) || named(term)) {
            return None;
        }
        *terms = plain;
        Some(())
    });
    regrouped.into_iter().collect()
}

/// Grouped by what is shown alone, where groups have a single row.
pub(super) fn by_fewer(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let regrouped = || {
        let at = select_around(parsed, dialect, found.finding.position)?;
        with_select(parsed, at, |select| {
            let plain = plain_items(select, dialect)?;
            let GroupByExpr::Expressions(terms, _) = &mut select.group_by else {
                return None;
            };
            let before = terms.len();
            terms.retain(|term| plain.contains(term));
            (!terms.is_empty() && terms.len() < before).then_some(())
        })
    };
    regrouped().into_iter().collect()
}

/// Adds the plain columns of the select list that GROUP BY lacks.
pub(super) fn complete_group_by(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let grouped = || {
        let at = select_around(parsed, dialect, found.finding.position)?;
        // Finer groups have another first one.
        let query = query_of(parsed, at)?;
        if query.limit_clause.is_some() || query.fetch.is_some() {
            return None;
        }
        with_select(parsed, at, |select| {
            let plain = plain_items(select, dialect)?;
            let GroupByExpr::Expressions(terms, _) = &mut select.group_by else {
                return None;
            };
            // Where it runs as it is, only what has its own group already shows that groups of both are meant.
            if !terms.iter().any(|term| plain.contains(term)) {
                return None;
            }
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
