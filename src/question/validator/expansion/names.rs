//! What tables, functions and columns are called in a query.

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, ObjectName, TableAlias};

pub(super) fn argument(arg: &FunctionArg) -> Option<&Expr> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
        | FunctionArg::Named {
            arg: FunctionArgExpr::Expr(expr),
            ..
        } => Some(expr),
        _ => None,
    }
}

/// What a table is called in its query.
pub(super) fn called(name: &ObjectName, alias: Option<&TableAlias>) -> String {
    alias.map_or_else(|| last(name), |alias| alias.name.value.to_lowercase())
}

/// The last part of a name, in lower case.
pub(super) fn last(name: &ObjectName) -> String {
    let ident = name.0.last().and_then(|part| part.as_ident());
    ident.map(|ident| ident.value.to_lowercase()).unwrap_or_default()
}

/// What a column without an alias is called.
pub(super) fn named(expr: &Expr) -> String {
    match expr {
        Expr::Identifier(name) => name.value.to_lowercase(),
        Expr::CompoundIdentifier(names) => names
            .last()
            .map(|name| name.value.to_lowercase())
            .unwrap_or_default(),
        Expr::Function(function) => last(&function.name),
        Expr::Cast { expr, .. } | Expr::Nested(expr) => named(expr),
        _ => String::new(),
    }
}
