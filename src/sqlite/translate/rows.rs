//! Row values: `(a, b)` and `ROW(a, b)` where they are compared, and OVERLAPS.

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::{Result, Translator, Ty, composite::all_are, refuse, scope::Typed, sql_expr::call};

/// The values of a row.
pub(super) fn values(expression: &Expr) -> Option<Vec<Expr>> {
    match expression {
        Expr::Tuple(values) => Some(values.clone()),
        Expr::Nested(inner) => match &**inner {
            Expr::Tuple(_) => values(inner),
            _ => None,
        },
        Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("row") => {
            match &function.args {
                FunctionArguments::List(list) => list
                    .args
                    .iter()
                    .map(|argument| match argument {
                        FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => Some(value.clone()),
                        _ => None,
                    })
                    .collect(),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Translator<'_> {
    /// `(a, b) IS NULL`: all of them are.
    pub(super) fn row_is(&mut self, row: &[Expr], test: &str) -> Result<Typed> {
        let mut values = vec![];
        for value in row {
            values.push(self.expression(value)?.expr);
        }
        Ok(all_are(values, test))
    }

    /// `(a, b) OVERLAPS (c, d)`, where an end may be the length of its span.
    pub(super) fn overlaps(&mut self, left: &Expr, right: &Expr) -> Result<Typed> {
        let mut parts = vec![];
        for side in [left, right] {
            let Some(ends) = values(side).filter(|ends| ends.len() == 2) else {
                return refuse(
                    "42601",
                    "wrong number of parameters on one side of OVERLAPS expression",
                    None,
                );
            };
            let (start, mut end) = (self.expression(&ends[0])?, self.expression(&ends[1])?);
            if end.ty == Ty::Interval {
                end = self.operate("+", "+", vec![start.clone(), end])?;
            }
            for value in [start, end] {
                let ty = match value.ty {
                    Ty::Time | Ty::Timetz | Ty::Timestamptz => value.ty,
                    _ => Ty::Timestamp,
                };
                let value = self.implicitly(value, ty)?.expr;
                parts.push(if ty == Ty::Timetz {
                    call("pg_timetz_key", [value])
                } else {
                    value
                });
            }
        }
        Ok(Typed::new(call("pg_overlaps", parts), Ty::Bool).named("overlaps"))
    }
}
