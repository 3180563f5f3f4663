//! Rows of a table's type out of JSON: `jsonb_populate_record(NULL::t, …)` and its sisters.

use sqlparser::{
    ast::{BinaryOperator, DataType, Expr, Function, Ident, TableAlias, TableAliasColumnDef, Value},
    dialect::PostgreSqlDialect,
};

use super::{
    Result, Translator, Ty,
    cast::How,
    declared,
    parentheses::peeled,
    scope::{Relation, Typed},
    sql::Sql,
    types::Target,
    unsupported,
};
use crate::statement::grammar;

/// The function that gives records of a document, where this is one of those that make rows of them.
pub(super) fn of_records(name: &str) -> Option<&'static str> {
    Some(match name {
        "json_populate_record" => "json_to_record",
        "jsonb_populate_record" => "jsonb_to_record",
        "json_populate_recordset" => "json_to_recordset",
        "jsonb_populate_recordset" => "jsonb_to_recordset",
        _ => return None,
    })
}

/// A type as the parser knows it.
fn data_type(name: &str) -> Option<DataType> {
    let cast = grammar::read_expression(&PostgreSqlDialect {}, &format!("NULL::{name}")).ok()?;
    match cast {
        Expr::Cast { data_type, .. } => Some(data_type),
        _ => None,
    }
}

impl Translator<'_> {
    /// The table whose rows are made, of `NULL::t`.
    fn row_wanted(&mut self, base: &Expr) -> Result<Relation> {
        if let Expr::Cast { expr, data_type, .. } = peeled(base)
            && matches!(peeled(expr), Expr::Value(value) if value.value == Value::Null)
            && let Some(relation) = self.row_type(data_type)
        {
            return Ok(relation);
        }
        unsupported("a row of JSON by another one than NULL::table", None)
    }

    /// Such a function in FROM.
    pub(super) fn populated(
        &mut self,
        (name, records): (&str, &str),
        arguments: &[Expr],
        alias: Option<&TableAlias>,
    ) -> Result<Sql> {
        let [base, document] = arguments else {
            return Err(super::Stop::AsItStands);
        };
        let relation = self.row_wanted(base)?;
        let names = alias.map(|alias| alias.columns.as_slice()).unwrap_or_default();
        if !names.is_empty() {
            return unsupported("other names for the columns of a row of JSON", None);
        }
        let mut columns = vec![];
        for column in &relation.columns {
            let written = Target::with_told(column.ty, column.modifier);
            columns.push(TableAliasColumnDef {
                name: Ident::with_quote('"', &column.name),
                data_type: data_type(&declared::named(written)),
            });
        }
        let alias = TableAlias {
            explicit: true,
            name: alias.map_or_else(|| Ident::new(name), |alias| alias.name.clone()),
            columns,
            at: None,
        };
        self.records(records, std::slice::from_ref(document), Some(&alias))
    }

    /// The fields of such a call in an expression; `None` for any other.
    pub(super) fn populated_fields(&mut self, function: &Function) -> Result<Option<Vec<Typed>>> {
        let name = function.name.0.last().and_then(|part| part.as_ident());
        let name = name.map(super::folded).unwrap_or_default();
        if !matches!(of_records(&name), Some("json_to_record" | "jsonb_to_record")) {
            return Ok(None);
        }
        let arguments = super::from::plain_arguments(function)?;
        let [base, document] = arguments.as_slice() else {
            return Ok(None);
        };
        let relation = self.row_wanted(base)?;
        let whole = Expr::Nested(Box::new(document.clone()));
        let Ok(Expr::Cast {
            kind,
            data_type,
            format,
            ..
        }) = grammar::read_expression(&PostgreSqlDialect {}, "NULL::jsonb")
        else {
            return Ok(None);
        };
        let document = Expr::Cast {
            kind,
            expr: Box::new(whole),
            data_type,
            format,
        };
        let mut fields = vec![];
        for column in &relation.columns {
            if matches!(column.ty, Ty::Array(_)) {
                return unsupported("an array in a row of JSON", None);
            }
            let op = if matches!(column.ty, Ty::Json | Ty::Jsonb) {
                BinaryOperator::Arrow
            } else {
                BinaryOperator::LongArrow
            };
            let field = Expr::BinaryOp {
                left: Box::new(document.clone()),
                op,
                right: Box::new(Expr::Value(Value::SingleQuotedString(column.name.clone()).into())),
            };
            let field = self.expression(&field)?;
            let target = Target::with_told(column.ty, column.modifier);
            let field = self.convert(field, target, How::Explicit)?;
            fields.push(field.named(column.name.clone()));
        }
        Ok(Some(fields))
    }

    /// Such a call as a value.
    pub(super) fn populated_row(&mut self, function: &Function) -> Result<Option<Typed>> {
        let Some(fields) = self.populated_fields(function)? else {
            return Ok(None);
        };
        Ok(Some(self.composite(&fields).named(function.name.to_string())))
    }
}
