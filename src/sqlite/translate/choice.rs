//! COALESCE, GREATEST and LEAST: one of several values, as the type that they have in common.

use sqlparser::ast::Function;

use super::{Result, Stop, Translator, Ty, literal, scope::Typed, string, unsupported};

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
        let sql = match name {
            "coalesce" if parts.len() == 1 => parts.remove(0),
            "coalesce" => format!("coalesce({})", parts.join(", ")),
            _ if row.is_some() => {
                let types = string(row.as_deref().unwrap_or_default().trim_start_matches("pg_row"));
                format!("pg_{name}_of({types}, {})", parts.join(", "))
            }
            _ if ty == Ty::Numeric => format!("pg_num_{name}({})", parts.join(", ")),
            _ if ty.collation().is_some() => {
                format!("pg_{name}_of({}, {})", string(&ty.internal()), parts.join(", "))
            }
            _ => format!("pg_{name}({})", parts.join(", ")),
        };
        Ok(Typed {
            modifier,
            row,
            ..Typed::new(sql, ty).named(name)
        })
    }
}
