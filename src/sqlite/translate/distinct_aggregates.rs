//! Aggregates that take each value once, where SQLite's own DISTINCT would not tell values apart as PostgreSQL does.

use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments};

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
            Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Identifier(name)))) => {
                let relation = self.row_named(name)?;
                Some(self.row_of(&relation))
            }
            _ => None,
        }
    }
}

/// The aggregate of ours that takes each value once: where its rows are ordered it only checks that it does.
pub(super) fn of_its_own(name: &str, ordered: bool) -> Option<&'static str> {
    Some(match (name, ordered) {
        ("pg_array_agg", false) => "pg_array_agg_distinct",
        ("pg_array_agg", true) => "pg_array_agg_unique",
        ("pg_json_agg", false) => "pg_json_agg_distinct",
        ("pg_json_agg", true) => "pg_json_agg_unique",
        ("string_agg", false) => "pg_string_agg_distinct",
        ("string_agg", true) => "pg_string_agg_unique",
        _ => return None,
    })
}
