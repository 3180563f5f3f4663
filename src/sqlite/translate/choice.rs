//! COALESCE, GREATEST and LEAST: one of several values, as the type that they have in common.

use sqlparser::ast::Function;

use super::{
    Result, Stop, Translator, Ty, literal,
    scope::Typed,
    sql_expr::{call, call_with, text},
    unsupported,
};

impl Translator<'_> {
    /// COALESCE, GREATEST, LEAST.
    pub(super) fn choice(&mut self, name: &str, function: &Function) -> Result<Typed> {
        let values = self.arguments(function)?.values;
        if values.is_empty() {
            return Err(Stop::AsItStands);
        }
        let ty = Self::common(&name.to_uppercase(), &values)?;
        let row = values.first().and_then(|value| value.row.clone());
        let row = row.filter(|row| values.iter().all(|value| value.row.as_ref() == Some(row)));
        if ty == Ty::Composite && row.is_none() && name != "coalesce" {
            return unsupported("comparing rows of several types", values[0].position);
        }
        let modifier = literal::modifier_of_all(&values, ty);
        let mut parts = vec![];
        for value in values {
            parts.push(self.implicitly(value, ty)?.full());
        }
        let chosen = match (name, &row) {
            ("coalesce", _) if parts.len() == 1 => parts.remove(0),
            ("coalesce", _) => call("coalesce", parts),
            (_, Some(row)) => {
                let types = text(row.trim_start_matches("pg_row"));
                call_with(format!("pg_{name}_of"), types, parts)
            }
            _ if ty == Ty::Numeric => call(format!("pg_num_{name}"), parts),
            _ if ty.collation().is_some() => call_with(format!("pg_{name}_of"), text(ty.internal()), parts),
            _ => call(format!("pg_{name}"), parts),
        };
        Ok(Typed {
            modifier,
            row,
            ..Typed::new(chosen, ty).named(name)
        })
    }
}
