//! Aggregates that take each value once, where SQLite's own DISTINCT would not tell values apart as PostgreSQL does.

use sqlparser::ast::{Function, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::{
    Translator,
    call::Arguments,
    scope::Typed,
    sql_expr::{SqlExpr, text},
};

impl Translator<'_> {
    /// What tells the rows apart that an aggregate takes each once, and its type: their fields, whatever is made of them.
    pub(super) fn key_of_row(&mut self, function: &Function, arguments: &Arguments) -> Option<[SqlExpr; 2]> {
        let row = if arguments.rows {
            self.row_behind(function)
        } else {
            arguments.values.first().cloned()
        }?;
        let types = text(row.row?.trim_start_matches("pg_row"));
        Some([row.expr, types])
    }

    /// The row that a function of JSON takes as its document.
    fn row_behind(&mut self, function: &Function) -> Option<Typed> {
        let FunctionArguments::List(list) = &function.args else {
            return None;
        };
        match list.args.first() {
            Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(row))) => {
                let relation = self.row_meant(row)?;
                Some(self.row_of(&relation))
            }
            _ => None,
        }
    }
}

/// The aggregate of ours that takes each value once: where its rows are ordered it only checks that it does. SQLite's own
/// DISTINCT is for aggregates of one argument.
pub(super) fn of_its_own(name: &str, count: usize, ordered: bool) -> Option<String> {
    let name = match name {
        "pg_array_agg" | "pg_json_agg" => name,
        "string_agg" => "pg_string_agg",
        _ if count > 1 && name.starts_with("pg_") => name,
        _ => return None,
    };
    Some(format!("{name}_{}", if ordered { "unique" } else { "distinct" }))
}
