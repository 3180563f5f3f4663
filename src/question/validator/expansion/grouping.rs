//! How often rows are grouped anew by GROUPING SETS, CUBE and ROLLUP.

use sqlparser::ast::{Expr, GroupByExpr};

/// How many sets of keys a GROUP BY asks for: the query is planned for each.
pub(super) fn sets(group_by: &GroupByExpr) -> f64 {
    let GroupByExpr::Expressions(keys, _) = group_by else {
        return 1.0;
    };
    let of_key = |key: &Expr| match key {
        Expr::Cube(parts) => 2_f64.powi(i32::try_from(parts.len()).unwrap_or(i32::MAX)),
        Expr::Rollup(parts) => parts.len() as f64 + 1.0,
        Expr::GroupingSets(sets) => (sets.len() as f64).max(1.0),
        _ => 1.0,
    };
    keys.iter().map(of_key).product()
}
