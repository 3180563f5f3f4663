//! What a result's column is called where the text gives it no name.

use sqlparser::ast::{Expr, Ident, SelectItem, SetExpr, TrimWhereField};

use super::Resolver;
use crate::question::{
    schema::Dialect,
    validator::{names::meant, scope::Value},
};

/// What PostgreSQL calls a column that it has no name for.
const NAMELESS: &str = "?column?";

impl Resolver<'_> {
    /// SQLite calls a plain column by its stored name, and everything else by its text; PostgreSQL calls it after the
    /// function or type that it comes from.
    pub(super) fn output_name(&self, expr: &Expr, value: &Value) -> String {
        if self.is_postgres() {
            return postgres_name(expr).unwrap_or_else(|| NAMELESS.to_owned());
        }
        let written = match expr {
            Expr::Identifier(Ident { value, .. }) => value,
            Expr::CompoundIdentifier(parts) => match parts.last() {
                Some(last) => &last.value,
                None => return String::new(),
            },
            _ => return expr.to_string(),
        };
        // A query in between may have given the stored column another name.
        let stored = value.origin.map(|origin| &self.schema.column(origin).name);
        let stored = stored.filter(|stored| stored.eq_ignore_ascii_case(written));
        stored.unwrap_or(written).clone()
    }
}

/// What PostgreSQL calls a column after its expression.
pub(in crate::question::validator) fn postgres_name(expr: &Expr) -> Option<String> {
    by_postgres(expr).map(|(name, _)| name)
}

/// PostgreSQL's `FigureColname`: the name, and whether it is more than a guess that anything better replaces.
fn by_postgres(expr: &Expr) -> Option<(String, bool)> {
    let sure = |name: &str| Some((name.to_owned(), true));
    match expr {
        Expr::Identifier(name) => Some((meant(name, Dialect::Postgres).into_owned(), true)),
        Expr::CompoundIdentifier(parts) => Some((meant(parts.last()?, Dialect::Postgres).into_owned(), true)),
        Expr::Function(function) => {
            let name = function.name.0.last()?.as_ident()?;
            Some((meant(name, Dialect::Postgres).into_owned(), true))
        }
        Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => by_postgres(inner),
        Expr::CompoundFieldAccess { root, .. } => by_postgres(root),
        Expr::Cast {
            expr: inner,
            data_type,
            ..
        } => match by_postgres(inner) {
            Some((name, true)) => Some((name, true)),
            _ => Some((type_name(&data_type.to_string()), false)),
        },
        Expr::TypedString(typed) => Some((type_name(&typed.data_type.to_string()), false)),
        Expr::Interval(_) => Some(("interval".to_owned(), false)),
        Expr::Case { else_result, .. } => match else_result.as_deref().and_then(by_postgres) {
            Some((name, true)) => Some((name, true)),
            _ => Some(("case".to_owned(), false)),
        },
        Expr::Exists { .. } => sure("exists"),
        Expr::Array(_) => sure("array"),
        Expr::Tuple(_) => sure("row"),
        Expr::Subquery(query) => match query.body.as_ref() {
            SetExpr::Select(select) => match select.projection.first()? {
                SelectItem::UnnamedExpr(expr) => by_postgres(expr),
                SelectItem::ExprWithAlias { alias, .. } => {
                    Some((meant(alias, Dialect::Postgres).into_owned(), true))
                }
                _ => None,
            },
            _ => None,
        },
        Expr::Extract { .. } => sure("extract"),
        Expr::Ceil { .. } => sure("ceil"),
        Expr::Floor { .. } => sure("floor"),
        Expr::Position { .. } => sure("position"),
        Expr::Substring { .. } => sure("substring"),
        Expr::Overlay { .. } => sure("overlay"),
        Expr::Trim { trim_where, .. } => sure(match trim_where {
            Some(TrimWhereField::Leading) => "ltrim",
            Some(TrimWhereField::Trailing) => "rtrim",
            _ => "btrim",
        }),
        Expr::AtTimeZone { .. } => sure("timezone"),
        _ => None,
    }
}

/// A type's name in PostgreSQL's catalogue.
fn type_name(written: &str) -> String {
    let lower = written.to_lowercase();
    let base = lower.split('(').next().unwrap_or_default().trim();
    let zoned = lower.contains("with time zone");
    match base.split_whitespace().next().unwrap_or_default() {
        "int" | "integer" => "int4",
        "smallint" => "int2",
        "bigint" => "int8",
        "decimal" | "dec" => "numeric",
        "real" => "float4",
        "double" | "float" => "float8",
        "boolean" => "bool",
        "character" if base.contains("varying") => "varchar",
        "character" | "char" => "bpchar",
        "timestamp" if zoned => "timestamptz",
        "time" if zoned => "timetz",
        other => other,
    }
    .to_owned()
}
