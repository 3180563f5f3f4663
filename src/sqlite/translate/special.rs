//! Functions that have a grammar of their own: EXTRACT, POSITION, SUBSTRING, TRIM, OVERLAY, AT TIME ZONE.

use sqlparser::ast::{CeilFloorKind, DateTimeField, Expr, TrimWhereField};

use super::{
    Result, Stop, Translator, Ty, refuse,
    scope::{Literal, Typed},
    sql_expr::{number, text},
    unsupported,
};

impl Translator<'_> {
    pub(super) fn special(&mut self, expression: &Expr) -> Result<Typed> {
        match expression {
            Expr::Extract { field, expr, .. } => {
                let value = self.expression(expr)?;
                let field = field_name(field);
                let field = Typed {
                    literal: Some(Literal::Text(field.clone())),
                    ..Typed::new(text(field), Ty::Text)
                };
                Ok(self.call("extract", vec![field, value])?.named("extract"))
            }
            Expr::Position { expr, r#in } => {
                let (what, whole) = (self.expression(expr)?, self.expression(r#in)?);
                Ok(self.call("strpos", vec![whole, what])?.named("position"))
            }
            Expr::Substring {
                expr,
                substring_from,
                substring_for,
                shorthand,
                ..
            } => {
                let mut arguments = vec![self.expression(expr)?];
                match (substring_from, substring_for) {
                    (None, Some(_)) => arguments.push(Typed::new(number(1), Ty::Int4)),
                    (Some(from), _) => arguments.push(self.expression(from)?),
                    (None, None) => {}
                }
                if let Some(length) = substring_for {
                    arguments.push(self.expression(length)?);
                }
                Ok(self
                    .call("substring", arguments)?
                    .named(if *shorthand { "substr" } else { "substring" }))
            }
            Expr::Trim {
                trim_where,
                trim_what,
                expr,
                trim_characters,
            } => {
                let function = match trim_where {
                    Some(TrimWhereField::Leading) => "ltrim",
                    Some(TrimWhereField::Trailing) => "rtrim",
                    _ => "btrim",
                };
                let mut arguments = vec![self.expression(expr)?];
                if let Some(what) = trim_what {
                    arguments.push(self.expression(what)?);
                }
                for what in trim_characters.iter().flatten() {
                    arguments.push(self.expression(what)?);
                }
                Ok(self.call(function, arguments)?.named(function))
            }
            Expr::Overlay {
                expr,
                overlay_what,
                overlay_from,
                overlay_for,
            } => {
                let mut arguments = vec![
                    self.expression(expr)?,
                    self.expression(overlay_what)?,
                    self.expression(overlay_from)?,
                ];
                if let Some(length) = overlay_for {
                    arguments.push(self.expression(length)?);
                }
                Ok(self.call("overlay", arguments)?.named("overlay"))
            }
            Expr::Ceil { expr, field } | Expr::Floor { expr, field } => {
                let name = if matches!(expression, Expr::Ceil { .. }) {
                    "ceil"
                } else {
                    "floor"
                };
                if !matches!(field, CeilFloorKind::DateTimeField(DateTimeField::NoDateTime)) {
                    return unsupported("CEIL or FLOOR to a field", None);
                }
                let value = self.expression(expr)?;
                Ok(self.call(name, vec![value])?.named(name))
            }
            Expr::AtTimeZone { timestamp, time_zone } => {
                let (value, zone) = (self.expression(timestamp)?, self.expression(time_zone)?);
                Ok(self.call("timezone", vec![zone, value])?.named("timezone"))
            }
            Expr::IsNormalized { expr, form, negated } => self.is_normalized(expr, *form, *negated),
            Expr::IsJson { .. } => unsupported(format!("the test {expression}"), None),
            Expr::Tuple(_) => refuse(
                "0A000",
                "a row value is not supported here on a SQLite file",
                None,
            ),
            _ => Err(Stop::AsItStands),
        }
    }
}

fn field_name(field: &DateTimeField) -> String {
    match field {
        DateTimeField::Custom(name) => name.value.to_ascii_lowercase(),
        other => other.to_string().to_ascii_lowercase(),
    }
}
