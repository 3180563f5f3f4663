//! How many rows of a query: LIMIT, OFFSET, FETCH, and the set operations that count equal rows.

use sqlparser::ast::{Expr, Ident, LimitClause, Query, Value};

use super::{
    Result, Stop, Translator, Ty, cast::How, quoted, refuse, scope::ScopeColumn, select::Selected, string,
    types::Target, unsupported,
};

impl Translator<'_> {
    pub(super) fn limit(&mut self, query: &Query) -> Result<String> {
        let mut limit = None;
        let mut offset = None;
        match &query.limit_clause {
            Some(LimitClause::LimitOffset {
                limit: count,
                offset: start,
                limit_by,
            }) => {
                if !limit_by.is_empty() {
                    return Err(Stop::AsItStands);
                }
                limit = count.as_ref();
                offset = start.as_ref().map(|offset| &offset.value);
            }
            Some(LimitClause::OffsetCommaLimit { .. }) => return Err(Stop::AsItStands),
            None => {}
        }
        if let Some(fetch) = &query.fetch {
            if fetch.percent {
                return unsupported("FETCH FIRST … PERCENT", None);
            }
            let one = Expr::Value(Value::Number("1".into(), false).into());
            let count = fetch.quantity.as_ref().unwrap_or(&one);
            let count = self.count(count, "LIMIT")?;
            return self.limited(Some(count), offset);
        }
        let limit = limit.map(|limit| self.count(limit, "LIMIT")).transpose()?;
        self.limited(limit, offset)
    }

    /// How many rows are fetched with those that are equal to the last, and how many are left out before.
    pub(super) fn ties(&mut self, query: &Query) -> Result<Option<(String, String)>> {
        let Some(fetch) = query.fetch.as_ref().filter(|fetch| fetch.with_ties) else {
            return Ok(None);
        };
        if query.order_by.is_none() {
            return refuse(
                "42601",
                "WITH TIES cannot be specified without ORDER BY clause",
                None,
            );
        }
        let count = match &fetch.quantity {
            Some(count) => self.count(count, "LIMIT")?,
            None => "1".into(),
        };
        let offset = match &query.limit_clause {
            Some(LimitClause::LimitOffset {
                offset: Some(offset), ..
            }) => self.count(&offset.value, "OFFSET")?,
            _ => "0".into(),
        };
        Ok(Some((count, offset)))
    }

    pub(super) fn tied(
        &mut self,
        selected: &Selected,
        columns: &[ScopeColumn],
        (keys, top): (&[String], bool),
        (count, offset): (String, String),
    ) -> Result<String> {
        if selected.distinct || !selected.distinct_on.is_empty() {
            return unsupported("FETCH FIRST … WITH TIES after DISTINCT", None);
        }
        let order = keys.join(", ");
        let number = quoted(&self.fresh_column(columns));
        let place = quoted(&self.fresh_column(columns));
        let list: Vec<String> = selected
            .items
            .iter()
            .zip(columns)
            .map(|(item, column)| {
                let item = if top { item.shown() } else { item.sql.clone() };
                format!("{item} AS {}", quoted(&column.inner))
            })
            .collect();
        let names: Vec<String> = columns.iter().map(|column| quoted(&column.inner)).collect();
        Ok(format!(
            "SELECT {} FROM (SELECT {}, row_number() OVER (ORDER BY {order}) AS {number}, rank() OVER (ORDER BY {order})              AS {place}{}) WHERE {number} > {offset} AND {place} <= {count} + {offset} ORDER BY {number}",
            names.join(", "),
            list.join(", "),
            selected.rest(),
        ))
    }

    fn limited(&mut self, limit: Option<String>, offset: Option<&Expr>) -> Result<String> {
        let offset = offset.map(|offset| self.count(offset, "OFFSET")).transpose()?;
        Ok(match (limit, offset) {
            (None, None) => String::new(),
            (Some(limit), None) => format!(" LIMIT {limit}"),
            (None, Some(offset)) => format!(" LIMIT -1 OFFSET {offset}"),
            (Some(limit), Some(offset)) => format!(" LIMIT {limit} OFFSET {offset}"),
        })
    }

    /// A number of rows; `clause` is what asks for it. NULL means no limit.
    fn count(&mut self, expression: &Expr, clause: &str) -> Result<String> {
        let plain = self.plain_clause.replace(clause_name(clause));
        let value = self.expression(expression);
        self.plain_clause = plain;
        if let Some(variable) = variable(expression) {
            let message = format!("argument of {clause} must not contain variables");
            return refuse("42P10", message, self.at(variable));
        }
        let value = value?;
        let (position, ty) = (value.position, value.ty);
        let whole = ty.is_integer() && value.literal.is_some();
        let target = Target {
            ty: Ty::Int8,
            modifier: None,
        };
        let sql = match self.convert(value, target, How::Assignment) {
            Ok(value) => value.sql,
            Err(Stop::Refused(refusal)) if matches!(refusal.sqlstate, "42804" | "42846") => {
                let message = format!(
                    "argument of {clause} must be type bigint, not type {}",
                    ty.shown()
                );
                return refuse("42804", message, position);
            }
            Err(stop) => return Err(stop),
        };
        if sql == "NULL" {
            return Ok("-1".into());
        }
        if whole && !sql.contains('-') {
            return Ok(sql);
        }
        let sqlstate = if clause == "OFFSET" { "2201X" } else { "2201W" };
        let message = string(&format!("{clause} must not be negative"));
        let raised = format!("pg_raise('{sqlstate}', {message})");
        if whole {
            return Ok(raised);
        }
        Ok(format!(
            "CASE WHEN {sql} < 0 THEN {raised} ELSE coalesce({sql}, -1) END"
        ))
    }

    /// INTERSECT ALL and EXCEPT ALL: equal rows are told apart by their number.
    pub(super) fn numbered(
        &mut self,
        (one, operator, other): (&str, &str, &str),
        columns: &[ScopeColumn],
    ) -> String {
        let names: Vec<String> = columns.iter().map(|column| quoted(&column.inner)).collect();
        let names = names.join(", ");
        let number = quoted(&self.fresh_column(columns));
        let rows = quoted(&self.fresh());
        let side = |sql: &str| {
            format!(
                "SELECT {names}, row_number() OVER (PARTITION BY {names}) AS {number} \
                 FROM (WITH {rows}({names}) AS ({sql}) SELECT * FROM {rows})"
            )
        };
        format!("SELECT {names} FROM ({} {operator} {})", side(one), side(other))
    }
}

fn clause_name(clause: &str) -> &'static str {
    if clause == "OFFSET" { "OFFSET" } else { "LIMIT" }
}

/// A column that an expression names outside of the queries in it.
fn variable(expression: &Expr) -> Option<&Ident> {
    match expression {
        Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(names) => names.first(),
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } | Expr::Cast { expr: inner, .. } => {
            variable(inner)
        }
        Expr::BinaryOp { left, right, .. } => variable(left).or_else(|| variable(right)),
        _ => None,
    }
}
