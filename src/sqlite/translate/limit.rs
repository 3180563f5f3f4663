//! How many rows of a query: LIMIT, OFFSET, FETCH, and the set operations that count equal rows.

use sqlparser::ast::{Expr, Ident, LimitClause, Query, Value};

use super::{
    Result, Stop, Translator, Ty,
    cast::How,
    query::{names_of, row_number},
    refuse,
    scope::ScopeColumn,
    select::Selected,
    sql::{Named, Sql, listed, sql},
    sql_expr::{Call, Node, SortKey, SqlExpr, bare, call, chain, infix, name, number, text, when},
    types::Target,
    unsupported,
    window_of::Over,
};

impl Translator<'_> {
    pub(super) fn limit(&mut self, query: &Query) -> Result<Sql> {
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
    pub(super) fn ties(&mut self, query: &Query) -> Result<Option<(SqlExpr, SqlExpr)>> {
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
            None => number(1),
        };
        let offset = match &query.limit_clause {
            Some(LimitClause::LimitOffset {
                offset: Some(offset), ..
            }) => self.count(&offset.value, "OFFSET")?,
            _ => number(0),
        };
        Ok(Some((count, offset)))
    }

    pub(super) fn tied(
        &mut self,
        selected: &Selected,
        columns: &[ScopeColumn],
        (keys, top): (&[SortKey], bool),
        (count, offset): (SqlExpr, SqlExpr),
    ) -> Result<Sql> {
        if selected.distinct || !selected.distinct_on.is_empty() {
            return unsupported("FETCH FIRST … WITH TIES after DISTINCT", None);
        }
        let (number, place) = (self.fresh_column(columns), self.fresh_column(columns));
        let shown = selected.items.iter().zip(columns).map(|(item, column)| {
            let item = if top { item.shown() } else { item.expr.clone() };
            sql![item, " AS ", Named(&column.inner)]
        });
        let rank = SqlExpr::from(Call {
            name: "rank".into(),
            over: Some(Over::rows(vec![], keys)),
            ..Call::default()
        });
        let numbered = sql![row_number(vec![], keys), " AS ", Named(&number)];
        let ranked = sql![rank, " AS ", Named(&place)];
        let rows = sql![
            "SELECT ",
            listed(shown.chain([numbered, ranked])),
            selected.rest()
        ];
        let last = bare(infix(count, "+", offset.clone()));
        let is_fetched = [
            bare(infix(name(&number), ">", offset)),
            bare(infix(name(&place), "<=", last)),
        ];
        let is_fetched = bare(chain("AND", is_fetched));
        Ok(sql![
            "SELECT ",
            names_of(columns),
            " FROM (",
            rows,
            ") WHERE ",
            is_fetched,
            " ORDER BY ",
            Named(&number)
        ])
    }

    fn limited(&mut self, limit: Option<SqlExpr>, offset: Option<&Expr>) -> Result<Sql> {
        let offset = offset.map(|offset| self.count(offset, "OFFSET")).transpose()?;
        Ok(match (limit, offset) {
            (None, None) => Sql::default(),
            (Some(limit), None) => sql![" LIMIT ", limit],
            (limit, Some(offset)) => {
                let limit = limit.unwrap_or_else(|| number(-1));
                sql![" LIMIT ", limit, " OFFSET ", offset]
            }
        })
    }

    /// A number of rows; `clause` is what asks for it. NULL means no limit.
    fn count(&mut self, expression: &Expr, clause: &str) -> Result<SqlExpr> {
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
        let count = match self.convert(value, target, How::Assignment) {
            Ok(value) => value.expr,
            Err(Stop::Refused(refusal)) if matches!(refusal.sqlstate, "42804" | "42846") => {
                let message = format!(
                    "argument of {clause} must be type bigint, not type {}",
                    ty.shown()
                );
                return refuse("42804", message, position);
            }
            Err(stop) => return Err(stop),
        };
        let is_negative = match count.within() {
            Node::Null => return Ok(number(-1)),
            Node::Number(digits) => digits.starts_with('-'),
            _ => false,
        };
        if whole && !is_negative {
            return Ok(count);
        }
        let sqlstate = if clause == "OFFSET" { "2201X" } else { "2201W" };
        let message = text(format!("{clause} must not be negative"));
        let raised = call("pg_raise", [text(sqlstate), message]);
        if whole {
            return Ok(raised);
        }
        let is_negative = bare(infix(count.clone(), "<", number(0)));
        let all = call("coalesce", [count, number(-1)]);
        Ok(when(is_negative, raised).otherwise(all))
    }

    /// INTERSECT ALL and EXCEPT ALL: equal rows are told apart by their number.
    pub(super) fn numbered(
        &mut self,
        (one, operator, other): (Sql, &str, Sql),
        columns: &[ScopeColumn],
    ) -> Sql {
        let names = names_of(columns);
        let (number, rows) = (self.fresh_column(columns), self.fresh());
        let (number, rows) = (Named(&number), Named(&rows));
        let side = |side: Sql| {
            let partition = columns.iter().map(|column| name(&column.inner)).collect();
            let counted = sql![row_number(partition, &[]), " AS ", number];
            let side = sql![
                "WITH ",
                rows,
                "(",
                &names,
                ") AS (",
                side,
                ") SELECT * FROM ",
                rows
            ];
            sql!["SELECT ", &names, ", ", counted, " FROM (", side, ")"]
        };
        sql![
            "SELECT ",
            &names,
            " FROM (",
            side(one),
            " ",
            operator,
            " ",
            side(other),
            ")"
        ]
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
